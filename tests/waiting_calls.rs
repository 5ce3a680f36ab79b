//! Claims about calls that wait for the database of a reference server.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use futures::FutureExt as _;
use futures::future::BoxFuture;
use locket_wasm::driver::Output;
use locket_wasm::driver::in_process::InProcess;
use locket_wasm::proto::{LockRequest, Resource, TypeCode};
use locket_wasm::sim::protocol::id_source::IdSource;
use locket_wasm::sim::protocol::profile::Profile;
use locket_wasm::sim::protocol::resource;
use locket_wasm::sim::protocol::runner::{Runner, RunnerSettings};
use locket_wasm::sim::time::{Duration, Time};
use locket_wasm::transport::in_process::InProcessServer;
use tonic::{Code, Request, Response, Status};

type Locked = BoxFuture<'static, Result<Response<locket_wasm::proto::LockResponse>, Status>>;

fn stalled_for(seconds: u64) -> InProcessServer {
    let server = InProcessServer::new(Profile::UPSTREAM, 1);
    server.with_cluster(|cluster, now| {
        cluster.stall_database(Duration::from_seconds(seconds), now, &mut ());
    });
    server
}

fn lock(server: &InProcessServer, timeout_s: Option<u64>) -> Locked {
    let mut client = server.grpc_client();
    let resource = Resource {
        key: "bbs".into(),
        owner: "bbs-0".into(),
        type_code: TypeCode::Lock.into(),
        ..Resource::default()
    };
    let mut request = Request::new(LockRequest { resource: Some(resource), ttl_in_seconds: 15 });
    if let Some(seconds) = timeout_s {
        request.set_timeout(std::time::Duration::from_secs(seconds));
    }
    async move { client.lock(request).await }.boxed()
}

/// The answer, if it is there.
fn code(locked: &mut Locked) -> Option<Code> {
    let answer = locked.now_or_never()?;
    Some(answer.map_or_else(|status| status.code(), |_| Code::Ok))
}

fn owner(server: &InProcessServer) -> Option<String> {
    server.with_cluster(|cluster, _| cluster.row("bbs")).and_then(|row| row.owner)
}

fn at(server: &InProcessServer, ms: u64) {
    server.advance_to(Time::from_ms(ms));
}

#[test]
fn a_call_is_answered_when_the_stall_ends_or_its_deadline_passes_and_the_work_is_done() {
    for (timeout_s, ends, answer) in
        [(None, 5_000, Code::Ok), (Some(2), 2_000, Code::DeadlineExceeded)]
    {
        let server = stalled_for(5);
        let mut locked = lock(&server, timeout_s);
        assert_eq!(code(&mut locked), None);
        assert_eq!(server.deadline(), Some(Time::from_ms(ends)));
        at(&server, ends - 1);
        assert_eq!(code(&mut locked), None);
        at(&server, ends);
        assert_eq!(code(&mut locked), Some(answer));
        at(&server, 5_000);
        assert_eq!(owner(&server).as_deref(), Some("bbs-0"));
    }
}

#[test]
fn time_that_passes_at_one_go_answers_as_time_in_steps() {
    let server = stalled_for(5);
    let (mut late, mut early) = (lock(&server, Some(2)), lock(&server, Some(6)));
    assert_eq!((code(&mut late), code(&mut early)), (None, None));
    at(&server, 60_000);
    let answers = (code(&mut late), code(&mut early));
    assert_eq!(answers, (Some(Code::DeadlineExceeded), Some(Code::Ok)));
}

#[test]
fn latency_comes_on_top_and_may_be_too_much() {
    let server = stalled_for(5);
    server.set_latency(Duration::from_seconds(2));
    let mut locked = lock(&server, Some(6));
    assert_eq!(code(&mut locked), None);
    at(&server, 5000);
    assert_eq!(code(&mut locked), Some(Code::DeadlineExceeded));
}

#[test]
fn a_server_that_is_closed_leaves_nobody_waiting() {
    let server = stalled_for(5);
    let mut locked = lock(&server, None);
    assert_eq!(code(&mut locked), None);
    server.close();
    assert_eq!(code(&mut locked), Some(Code::Cancelled));
}

#[test]
fn a_runner_goes_through_a_stall_and_has_its_lock_at_the_end() {
    let mut world = InProcess::new(stalled_for(4));
    let resource = resource::Resource {
        key: "bbs".into(),
        owner: "bbs-0".into(),
        type_code: resource::TypeCode::Lock,
        ..resource::Resource::default()
    };
    let settings = RunnerSettings::upstream(resource, 15, Duration::from_seconds(5));
    world.start(Runner::new(settings), IdSource::new(1)).expect("no other runner keeps the lock");
    world.advance_to(Time::from_ms(60_000));

    let held = world.take_notices().into_iter();
    let times: Vec<u64> = held
        .filter(|told| matches!(told.output, Output::Held(true)))
        .map(|told| told.at.as_ms())
        .collect();
    assert_eq!(times, [4000]);
}
