//! Lock and presence runners, driven against the server on its virtual clock.

use locket_wasm::driver::in_process::{InProcess, Notice};
use locket_wasm::driver::{Driver, Output, Reading};
use locket_wasm::sim::protocol::id_source::IdSource;
use locket_wasm::sim::protocol::message::Response;
use locket_wasm::sim::protocol::profile::Profile;
use locket_wasm::sim::protocol::resource::{Resource, TypeCode};
use locket_wasm::sim::protocol::runner::{
    Event, LossCause, LossPolicy, Runner, RunnerError, RunnerSettings,
};
use locket_wasm::sim::time::{Duration, Time};
use locket_wasm::transport::in_process::InProcessServer;
use wasm_bindgen_test::wasm_bindgen_test;

const RETRY: Duration = Duration::from_seconds(5);
const SECOND: u64 = 1_000;

fn world() -> InProcess {
    InProcess::new(InProcessServer::new(Profile::UPSTREAM, 1))
}

fn resource(key: &str, owner: &str, type_code: TypeCode) -> Resource {
    Resource { key: key.to_owned(), owner: owner.to_owned(), type_code, ..Resource::default() }
}

fn lock(key: &str, owner: &str) -> RunnerSettings {
    RunnerSettings::safe(resource(key, owner, TypeCode::Lock), 15, RETRY)
}

fn presence(key: &str) -> RunnerSettings {
    let settings = RunnerSettings::safe(resource(key, key, TypeCode::Presence), 15, RETRY);
    RunnerSettings { loss_policy: LossPolicy::Retry, ..settings }
}

fn start(world: &mut InProcess, settings: RunnerSettings) -> usize {
    let started = world.start(Runner::new(settings), IdSource::new(7));
    started.expect("no other runner keeps the key")
}

/// When a runner notices what: only what begins and ends something.
fn lives(notices: &[Notice], runner: usize) -> Vec<(u64, &'static str)> {
    let of_runner = notices.iter().filter(|it| it.runner == runner);
    of_runner
        .filter_map(|Notice { at, output, .. }| {
            let what = match output {
                Output::Held(true) => "held",
                Output::Held(false) => "not held",
                Output::Exited(Ok(())) => "stopped",
                Output::Exited(Err(_)) => "failed",
                Output::Call(_)
                | Output::Event { .. }
                | Output::Gauge(_)
                | Output::Suspended(_) => return None,
            };
            Some((at.as_ms(), what))
        })
        .collect()
}

fn owner(world: &InProcess, key: &str) -> Option<String> {
    world.server().with_cluster(|cluster, now| {
        let rows = cluster.table(now, &mut ()).rows();
        let row = rows.into_iter().find(|row| row.path == key);
        row.and_then(|row| row.owner)
    })
}

#[wasm_bindgen_test]
fn a_lock_runner_keeps_its_lock_beyond_the_ttl() {
    let mut world = world();
    let runner = start(&mut world, lock("bbs", "bbs-0"));

    world.advance_to(Time::from_ms(3_600 * SECOND));

    assert_eq!(lives(&world.take_notices(), runner), [(0, "held")]);
    assert_eq!(owner(&world, "bbs").as_deref(), Some("bbs-0"));
}

#[wasm_bindgen_test]
fn a_waiter_collides_until_the_holder_stops_and_gets_the_lock_at_its_next_try() {
    let mut world = world();
    let holder = start(&mut world, lock("bbs", "bbs-0"));
    let waiter = start(&mut world, lock("bbs", "bbs-1"));
    world.advance_to(Time::from_ms(61 * SECOND));

    world.signal(holder);
    world.advance_to(Time::from_ms(70 * SECOND));

    let notices = world.take_notices();
    let stopped = [(0, "held"), (61 * SECOND, "not held"), (61 * SECOND, "stopped")];
    assert_eq!(lives(&notices, holder), stopped);
    assert_eq!(lives(&notices, waiter), [(65 * SECOND, "held")]);
}

#[wasm_bindgen_test]
fn a_runner_that_reaches_nobody_stops_acting_before_its_ttl_ends() {
    let mut world = world();
    let runner = start(&mut world, lock("bbs", "bbs-0"));
    world.advance_to(Time::from_ms(7 * SECOND));

    world.server().with_cluster(|cluster, _| cluster.stop(0));
    world.advance_to(Time::from_ms(60 * SECOND));

    // Renewed at 5 s; a TTL of 15 s less 1 %.
    let lost = [(0, "held"), (19_000, "not held"), (19_000, "failed")];
    assert_eq!(lives(&world.take_notices(), runner), lost);
}

#[wasm_bindgen_test]
fn a_presence_that_lost_its_row_comes_back() {
    let mut world = world();
    let runner = start(&mut world, presence("cell-1"));
    world.advance_to(Time::from_ms(7 * SECOND));
    world.server().with_cluster(|cluster, now| cluster.delete_row("cell-1", now, &mut ()));
    let thief = start(&mut world, lock("cell-1", "thief"));
    world.advance_to(Time::from_ms(12 * SECOND));
    world.signal(thief);

    world.advance_to(Time::from_ms(60 * SECOND));

    let lives = lives(&world.take_notices(), runner);
    let expected = [(0, "held"), (10 * SECOND, "not held"), (15 * SECOND, "held")];
    assert_eq!(lives, expected);
}

#[wasm_bindgen_test]
fn answers_take_their_time_and_deadlines_are_kept() {
    let mut world = world();
    // An attempt of who holds nothing waits as long as an answer could still grant a lease.
    world.server().set_latency(Duration::from_seconds(20));
    let runner = start(&mut world, lock("bbs", "bbs-0"));

    world.advance_to(Time::from_ms(15 * SECOND));

    let notices = world.take_notices();
    assert_eq!(lives(&notices, runner), []);
    let given_up = |it: &Notice| matches!(it.output, Output::Event(Event::Retrying { .. }));
    assert!(!notices.iter().any(given_up), "the owner is asked for first");
    world.advance_to(Time::from_ms(40 * SECOND));
    let notices = world.take_notices();
    assert!(notices.iter().any(given_up));
    assert_eq!(lives(&notices, runner), []);
}

/// A laptop that is closed for an hour: its timers and its monotonic clock are frozen.
#[wasm_bindgen_test]
fn a_suspended_machine_finds_its_lock_gone_before_it_reads_the_answer_that_waits() {
    let at = |monotonic: u64, wall: u64| Reading {
        monotonic: Time::from_ms(monotonic),
        wall: Some(Time::from_ms(wall)),
    };
    let mut driver = Driver::new(Runner::new(lock("bbs", "bbs-0")), IdSource::new(1));
    driver.start(at(0, 0));
    let Some(Output::Call(first)) = driver.poll_output() else {
        panic!("the first attempt");
    };
    driver.handle_reply(first.number, Ok(Response::Lock), at(10, 10));
    while driver.poll_output().is_some() {}
    assert!(driver.is_held());
    // Looked at while it is held, although nothing is due.
    assert_eq!(driver.deadline(), Some(Duration::from_seconds(1)));
    driver.handle_timeout(at(5_000, 5_000));
    let Some(Output::Call(renewal)) = driver.poll_output() else {
        panic!("the renewal");
    };

    driver.handle_reply(renewal.number, Ok(Response::Lock), at(5_010, 3_605_010));

    let gap = Duration::from_seconds(3_600);
    assert_eq!(driver.poll_output(), Some(Output::Suspended(gap)));
    assert_eq!(driver.poll_output(), Some(Output::Held(false)));
    let outputs = std::iter::from_fn(|| driver.poll_output()).collect::<Vec<_>>();
    let lost = RunnerError::LostLock(LossCause::LeaseEnded);
    assert_eq!(outputs.last(), Some(&Output::Exited(Err(lost))));
    assert_eq!(driver.deadline(), None);
}
