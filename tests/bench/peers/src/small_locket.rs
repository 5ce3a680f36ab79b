//! A small Locket and its clients, as a program under turmoil: datagrams, a table of leases, and
//! clients that ask again and again.

use std::cell::Cell;
use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use turmoil::net::UdpSocket;

use crate::{
    CONTENDERS, LATENCY_MS, MINUTE_MS, PRESENCES, RENEWAL_INTERVAL_MS, START_STEP_MS, TTL_MS,
};

const PORT: u16 = 8891;
const GRANTED: u8 = 1;
const REFUSED: u8 = 0;

/// Who holds a key, and until when.
struct Lease {
    owner: String,
    ends: Instant,
}

/// Runs it, from nothing to the end; how many leases were granted.
pub(crate) fn minute() -> i64 {
    let granted = Rc::new(Cell::new(0));
    let latency = Duration::from_millis(LATENCY_MS);
    let mut simulation = turmoil::Builder::new()
        .tick_duration(Duration::from_millis(1))
        .min_message_latency(latency)
        .max_message_latency(latency)
        .rng_seed(1)
        .build();
    let counter = Rc::clone(&granted);
    simulation.host("locket", move || serve(Rc::clone(&counter)));
    simulation.host("clients", || async {
        for index in 0..PRESENCES {
            let name = format!("cell-{index}");
            let start = Duration::from_millis(index * START_STEP_MS);
            tokio::task::spawn_local(keep(name.clone(), name, start));
        }
        for index in 0..CONTENDERS {
            let start = Duration::from_millis(index);
            tokio::task::spawn_local(keep("bbs".to_owned(), format!("bbs-{index}"), start));
        }
        std::future::pending().await
    });
    for _ in 0..MINUTE_MS {
        simulation.step().expect("no host fails");
    }
    granted.get()
}

async fn serve(granted: Rc<Cell<i64>>) -> turmoil::Result {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, PORT)).await?;
    let mut leases = HashMap::new();
    let mut buffer = [0; 256];
    loop {
        let (length, caller) = socket.recv_from(&mut buffer).await?;
        let (key, owner) = decode(&buffer[..length]);
        let answer = if lock(&mut leases, key, owner) {
            granted.set(granted.get() + 1);
            GRANTED
        } else {
            REFUSED
        };
        socket.send_to(&[answer], caller).await?;
    }
}

/// Takes or renews a lease, unless another's lives.
fn lock(leases: &mut HashMap<String, Lease>, key: &str, owner: &str) -> bool {
    let now = Instant::now();
    let ends = now + Duration::from_millis(TTL_MS);
    match leases.get_mut(key) {
        Some(lease) if lease.owner == owner => lease.ends = ends,
        Some(lease) if lease.ends > now => return false,
        Some(_) | None => {
            let owner = owner.to_owned();
            leases.insert(key.to_owned(), Lease { owner, ends });
        }
    }
    true
}

/// A client: asks, and asks again an interval after each answer.
async fn keep(key: String, owner: String, start: Duration) -> turmoil::Result {
    sleep(start).await;
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).await?;
    let locket = SocketAddr::from((turmoil::lookup("locket"), PORT));
    let request = encode(&key, &owner);
    let mut answer = [0];
    loop {
        socket.send_to(&request, locket).await?;
        socket.recv_from(&mut answer).await?;
        sleep(Duration::from_millis(RENEWAL_INTERVAL_MS)).await;
    }
}

/// The key's length in a byte, key and owner.
fn encode(key: &str, owner: &str) -> Vec<u8> {
    let length = u8::try_from(key.len()).expect("keys here are short");
    [&[length], key.as_bytes(), owner.as_bytes()].concat()
}

fn decode(request: &[u8]) -> (&str, &str) {
    let (length, texts) = request.split_first().expect("a request has a length");
    let (key, owner) = texts.split_at(usize::from(*length));
    let text = |bytes| str::from_utf8(bytes).expect("clients send texts");
    (text(key), text(owner))
}
