//! The lock table with a million live locks, natively: the generated client over the reference
//! server in this process. `table.mjs` does the same through the npm package.
//!
//!     cargo bench --bench lock_table -- PROFILE

#![allow(clippy::print_stdout, reason = "figures are for the person who runs this")]
#![allow(missing_docs, reason = "a program, not an interface")]

use std::time::Instant;

use futures::FutureExt as _;
use locket_wasm::proto::locket_client::LocketClient;
use locket_wasm::proto::{LockRequest, Resource, TypeCode};
use locket_wasm::sim::protocol::profile::Profile;
use locket_wasm::sim::time::Time;
use locket_wasm::transport::carrier::Carrier;
use locket_wasm::transport::in_process::InProcessServer;

const LARGE: usize = 1_000_000;
const SMALL: usize = 1_000;
const RENEWALS: usize = 50_000;
const ROUNDS: usize = 5;
const OWNER: &str = "owner-of-all";

fn main() {
    let profile = match std::env::args().nth(1).as_deref() {
        Some("upstream") => Profile::UPSTREAM,
        _ => Profile::DOCUMENTED,
    };
    let keys: Vec<String> = (0..LARGE).map(|index| format!("cell-{index:07}")).collect();
    let mut small = Filled::new(profile, &keys[..SMALL]);
    let before = resident_bytes();
    let started = Instant::now();
    let mut large = Filled::new(profile, &keys);
    print("fill", seconds(started), "s");
    if let (Some(before), Some(after)) = (before, resident_bytes()) {
        let strings = LARGE * (keys[0].len() + OWNER.len());
        let overhead = after.saturating_sub(before).saturating_sub(strings);
        print("bytes-per-lock", overhead as f64 / LARGE as f64, "bytes");
    }

    let mut random = XorShift(1);
    let mut rates = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        rates.0.push(small.renewal_rate(&keys[..SMALL], &mut random));
        rates.1.push(large.renewal_rate(&keys, &mut random));
    }
    print("renewals-1000", median(rates.0), "calls/s");
    print("renewals-1000000", median(rates.1), "calls/s");

    let started = Instant::now();
    large.server.advance_to(Time::from_ms(15_000));
    print("expiry", seconds(started), "s");
    let left = large.server.with_cluster(|cluster, now| cluster.stats(now, &mut ()).active_locks);
    assert_eq!(left, 0, "locks outlived their TTL");
}

struct Filled {
    server: InProcessServer,
    client: LocketClient<Carrier>,
}

impl Filled {
    fn new(profile: Profile, keys: &[String]) -> Self {
        let server = InProcessServer::new(profile, 0);
        let client = server.grpc_client();
        let mut filled = Self { server, client };
        for key in keys {
            filled.lock(key);
        }
        filled
    }

    fn lock(&mut self, key: &str) {
        let resource = Resource {
            key: key.to_owned(),
            owner: OWNER.to_owned(),
            type_code: TypeCode::Lock.into(),
            ..Resource::default()
        };
        let mut request =
            tonic::Request::new(LockRequest { resource: Some(resource), ttl_in_seconds: 15 });
        let id = "00000000-0000-4000-8000-000000000001";
        request.metadata_mut().insert("uuid", id.parse().expect("it is ASCII"));
        self.client
            .lock(request)
            .now_or_never()
            .expect("nothing waits")
            .expect("there is no other client");
    }

    fn renewal_rate(&mut self, keys: &[String], random: &mut XorShift) -> f64 {
        let order: Vec<&String> =
            (0..RENEWALS).map(|_| &keys[random.next() as usize % keys.len()]).collect();
        let started = Instant::now();
        for key in order {
            self.lock(key);
        }
        RENEWALS as f64 / seconds(started)
    }
}

/// xorshift32; `table.mjs` has the same.
struct XorShift(u32);

impl XorShift {
    const fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
}

/// Memory of this process, where the system tells.
fn resident_bytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[(numbers.len() - 1) / 2]
}

fn seconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64()
}

fn print(name: &str, value: f64, unit: &str) {
    println!("{name} {value:.4} {unit}");
}
