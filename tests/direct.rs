//! Calls that go straight to the rules are answered as those that are messages.

#![cfg(not(target_arch = "wasm32"))]

use futures::FutureExt as _;
use locket_wasm::convert::WireRequest;
use locket_wasm::proto::locket_client::LocketClient;
use locket_wasm::sim::protocol::message::{Request, Response};
use locket_wasm::sim::protocol::profile::Profile;
use locket_wasm::sim::protocol::resource::Resource;
use locket_wasm::sim::time::{Duration, Time};
use locket_wasm::tonic::{self, Status};
use locket_wasm::transport::carrier::{Answered, Carrier};
use locket_wasm::transport::direct::{Called, DirectClient};
use locket_wasm::transport::in_process::InProcessServer;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};

/// The largest answer that the clients take: a few resources.
const ANSWER_MAX: usize = 200;

struct Wire {
    client: LocketClient<Carrier>,
    answered: Answered,
}

impl Wire {
    fn of(server: &InProcessServer) -> Self {
        let carrier = server.client_carrier(0, ANSWER_MAX);
        let answered = carrier.answered();
        let client = carrier.into_client();
        Self { client, answered }
    }

    fn call(&mut self, request: Request, id: &str, timeout: Option<Duration>) -> Outcome {
        let client = &mut self.client;
        let result = match WireRequest::from(request) {
            WireRequest::Fetch(wire) => answer(client.fetch(with(wire, id, timeout))),
            WireRequest::FetchAll(wire) => answer(client.fetch_all(with(wire, id, timeout))),
            WireRequest::Lock(wire) => answer(client.lock(with(wire, id, timeout))),
            WireRequest::Release(wire) => answer(client.release(with(wire, id, timeout))),
        };
        outcome(result, self.answered.after())
    }
}

/// A result that can be compared, and when it arrives.
type Outcome = (Result<Response, (i32, String)>, Duration);

fn outcome(result: Result<Response, Status>, after: Duration) -> Outcome {
    let result = result.map_err(|status| (status.code().into(), status.message().to_owned()));
    (result, after)
}

fn with<T>(wire: T, id: &str, timeout: Option<Duration>) -> tonic::Request<T> {
    let mut request = tonic::Request::new(wire);
    if let Ok(id) = id.parse() {
        request.metadata_mut().insert("uuid", id);
    }
    if let Some(timeout) = timeout {
        request.set_timeout(std::time::Duration::from_millis(timeout.as_ms()));
    }
    request
}

fn answer<T: Into<Response>>(
    called: impl Future<Output = Result<tonic::Response<T>, Status>>,
) -> Result<Response, Status> {
    let result = called.now_or_never().expect("nothing waits");
    result.map(|response| response.into_inner().into())
}

fn direct(
    client: &DirectClient,
    request: &Request,
    id: &str,
    timeout: Option<Duration>,
) -> Outcome {
    let called = client.call(request, id, timeout).now_or_never();
    let Called { result, after } = called.expect("nothing waits");
    let result = result.map_err(|error| (error.code() as i32, error.message().to_owned()));
    (result, after)
}

/// Requests near good ones, with every kind of error.
fn any_request(random: &mut Pcg64Mcg) -> Request {
    let mut pick = |count: usize| random.next_u32() as usize % count;
    let texts = ["", "bbs", "cell", "ü\u{1f512}", "with space "];
    let long = "x".repeat([300, 5_000, 4 * 1024 * 1024][pick(3)]);
    let mut text = || match pick(40) {
        0 => long.clone(),
        other => texts[other % texts.len()].to_owned(),
    };
    let resource = Resource {
        key: text(),
        owner: text(),
        value: text(),
        type_name: ["", "lock", "presence", "dog"][pick(4)].to_owned(),
        type_code: ([0, 1, 2, 7, -1][pick(5)]).into(),
    };
    let given = (pick(10) > 0).then(|| resource.clone());
    match pick(4) {
        0 => Request::Fetch { key: resource.key },
        1 => Request::FetchAll { type_name: resource.type_name, type_code: resource.type_code },
        2 => Request::Release { resource: given },
        _ => Request::Lock { resource: given, ttl_in_seconds: [15, 1, 0, -3, i64::MAX][pick(5)] },
    }
}

#[test]
fn random_calls_are_answered_alike_on_both_ways() {
    for (seed, profile) in [(1, Profile::DOCUMENTED), (2, Profile::UPSTREAM)] {
        let servers = [0, 1].map(|_| InProcessServer::new(profile, seed));
        let mut wire = Wire::of(&servers[0]);
        let straight = DirectClient::new(servers[1].clone(), 0, ANSWER_MAX);
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut now = Time::ZERO;
        for number in 0..3_000 {
            let request = any_request(&mut random);
            let id = ["", "8c9a5e9e-0000-4000-8000-000000000001", "ü", "a\tb"][number % 4];
            let timeout = [None, Some(0), Some(1), Some(50), Some(100_000)][number % 5];
            let timeout = timeout.map(Duration::from_ms);
            if number % 50 == 0 {
                let latency = Duration::from_ms([0, 20, 50][number / 50 % 3]);
                servers.iter().for_each(|server| server.set_latency(latency));
            }
            if number % 7 == 0 {
                now = now + Duration::from_ms(4_000);
                servers.iter().for_each(|server| server.advance_to(now));
            }
            assert_eq!(
                direct(&straight, &request, id, timeout),
                wire.call(request.clone(), id, timeout),
                "call {number} of seed {seed}, {}",
                format!("{request:?}").chars().take(300).collect::<String>()
            );
        }
        let [one, other] = servers
            .map(|server| server.with_cluster(|cluster, now| cluster.table(now, &mut ()).rows()));
        assert!(!one.is_empty());
        assert_eq!(one, other);
    }
}
