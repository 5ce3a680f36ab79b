//! Lock and presence runners, driven against the server on its virtual clock.

use locket_wasm::driver::in_process::{InProcess, Notice};
use locket_wasm::driver::{Driver, Output, Reading};
use locket_wasm::sim::protocol::id_source::IdSource;
use locket_wasm::sim::protocol::message::Response;
use locket_wasm::sim::protocol::profile::Profile;
use locket_wasm::sim::protocol::resource::{Resource, TypeCode};
use locket_wasm::sim::protocol::runner::{LossCause, Runner, RunnerError, RunnerSettings};
use locket_wasm::sim::time::{Duration, Time};
use locket_wasm::transport::in_process::InProcessServer;
use wasm_bindgen_test::wasm_bindgen_test;

const SECOND: u64 = 1_000;
const HOUR: u64 = 3_600 * SECOND;

fn runner(owner: &str) -> Runner {
    let resource = Resource {
        key: "bbs".into(),
        owner: owner.into(),
        type_code: TypeCode::Lock,
        ..Resource::default()
    };
    Runner::new(RunnerSettings::safe(resource, 15, Duration::from_seconds(5)))
}

/// When a runner held its lock or not, and when it stopped.
fn lives(notices: &[Notice], runner: usize) -> Vec<(u64, &'static str)> {
    let of_runner = notices.iter().filter(|it| it.runner == runner);
    let lives = of_runner.filter_map(|Notice { at, output, .. }| match output {
        Output::Held(true) => Some((at.as_ms(), "held")),
        Output::Held(false) => Some((at.as_ms(), "not held")),
        Output::Exited(Ok(())) => Some((at.as_ms(), "stopped")),
        Output::Exited(Err(_)) => Some((at.as_ms(), "failed")),
        Output::Call(_) | Output::Event { .. } | Output::Suspended(_) => None,
    });
    lives.collect()
}

#[wasm_bindgen_test]
fn a_holder_keeps_its_lock_for_an_hour_and_a_waiter_gets_it_at_its_next_try_after_that() {
    let mut world = InProcess::new(InProcessServer::new(Profile::UPSTREAM, 1));
    let [holder, waiter] = ["bbs-0", "bbs-1"].map(|owner| {
        world.start(runner(owner), IdSource::new(7)).expect("no other runner keeps the key")
    });
    world.advance_to(Time::from_ms(HOUR + SECOND));

    world.signal(holder);
    world.advance_to(Time::from_ms(HOUR + 10 * SECOND));

    let notices = world.take_notices();
    let end = HOUR + SECOND;
    assert_eq!(lives(&notices, holder), [(0, "held"), (end, "not held"), (end, "stopped")]);
    assert_eq!(lives(&notices, waiter), [(HOUR + 5 * SECOND, "held")]);
}

/// A laptop that is closed for an hour: its timers and its monotonic clock are frozen.
#[wasm_bindgen_test]
fn a_suspended_machine_finds_its_lock_gone_before_it_reads_the_answer_that_waits() {
    let at = |monotonic: u64, wall: u64| Reading {
        monotonic: Time::from_ms(monotonic),
        wall: Some(Time::from_ms(wall)),
    };
    let mut driver = Driver::new(runner("bbs-0"), IdSource::new(1));
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
