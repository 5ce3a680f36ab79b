//! A server, a clock and short ways to call: what the claims have in common.

use futures::FutureExt as _;
use locket_wasm::proto::locket_client::LocketClient;
use locket_wasm::proto::{
    FetchAllRequest, FetchRequest, LockRequest, ReleaseRequest, Resource, TypeCode,
};
use locket_wasm::sim::protocol::profile::Profile;
use locket_wasm::sim::protocol::row::Row;
use locket_wasm::sim::time::Time;
use locket_wasm::transport::carrier::Carrier;
use locket_wasm::transport::in_process::InProcessServer;
use tonic::{Code, Request, Response, Status};

pub(crate) const LOCK: TypeCode = TypeCode::Lock;
pub(crate) const PRESENCE: TypeCode = TypeCode::Presence;

/// Production's lease.
pub(crate) const TTL_SECONDS: i64 = 15;

/// The answer of Locket to a client that wants another client's lock.
pub(crate) const COLLISION: Refusal = (Code::AlreadyExists, "lock-collision");
/// The answer of Locket about a key without an owner.
pub(crate) const MISSING: Refusal = (Code::NotFound, "resource-not-found");

type Refusal = (Code, &'static str);

/// A server that does what the shipped Locket does, at time zero.
pub(crate) struct World {
    pub(crate) server: InProcessServer,
}

impl World {
    pub(crate) fn new() -> Self {
        Self { server: InProcessServer::new(Profile::UPSTREAM, 1) }
    }

    /// Moves the clock to so many seconds from its zero.
    pub(crate) fn at(&self, seconds: u64) -> Caller {
        self.at_ms(seconds * 1000)
    }

    /// As [`World::at`], to the millisecond.
    pub(crate) fn at_ms(&self, ms: u64) -> Caller {
        self.server.advance_to(Time::from_ms(ms));
        self.caller(0)
    }

    /// A caller of one process, now.
    pub(crate) fn caller(&self, process: usize) -> Caller {
        Caller(self.server.client_of(process))
    }

    /// The table, now.
    pub(crate) fn rows(&self) -> Vec<Row> {
        self.server.with_cluster(|cluster, now| cluster.table(now, &mut ()).rows())
    }
}

/// A client with short names for its calls.
pub(crate) struct Caller(LocketClient<Carrier>);

impl Caller {
    /// Takes or renews for [`TTL_SECONDS`].
    pub(crate) fn lock(&mut self, key: &str, owner: &str, kind: TypeCode) -> Result<(), Status> {
        self.send_lock(Request::new(lock_request(key, owner, kind)))
    }

    /// As [`Caller::lock`], as a request with metadata.
    pub(crate) fn send_lock(&mut self, request: Request<LockRequest>) -> Result<(), Status> {
        now(self.0.lock(request)).map(|_| ())
    }

    pub(crate) fn release(&mut self, key: &str, owner: &str) -> Result<(), Status> {
        let resource = Some(resource(key, owner, LOCK));
        now(self.0.release(ReleaseRequest { resource })).map(|_| ())
    }

    /// Who holds a key.
    pub(crate) fn holder(&mut self, key: &str) -> Result<String, Status> {
        let request = FetchRequest { key: key.into() };
        now(self.0.fetch(request)).map(|resource| resource.resource.unwrap_or_default().owner)
    }

    /// The keys of everything of a kind.
    pub(crate) fn keys(&mut self, kind: TypeCode) -> Vec<String> {
        let request = FetchAllRequest { type_code: kind.into(), ..FetchAllRequest::default() };
        let listed = now(self.0.fetch_all(request)).expect("a list is never refused");
        let keys = listed.resources.into_iter().map(|resource| resource.key);
        keys.collect()
    }
}

pub(crate) fn lock_request(key: &str, owner: &str, kind: TypeCode) -> LockRequest {
    LockRequest { resource: Some(resource(key, owner, kind)), ttl_in_seconds: TTL_SECONDS }
}

fn resource(key: &str, owner: &str, kind: TypeCode) -> Resource {
    Resource { key: key.into(), owner: owner.into(), type_code: kind.into(), ..Resource::default() }
}

fn now<T>(call: impl Future<Output = Result<Response<T>, Status>>) -> Result<T, Status> {
    let answered = call.now_or_never();
    answered.expect("nothing waits in-process").map(Response::into_inner)
}

/// That a call was refused, with this code and message.
pub(crate) fn assert_refused<T: std::fmt::Debug>(result: Result<T, Status>, expected: Refusal) {
    let status = result.expect_err("Locket refuses this");
    assert_eq!((status.code(), status.message()), expected);
}
