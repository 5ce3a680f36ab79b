//! Claims about signals: how a runner ends when it is asked to.

use super::*;

// C13
#[test]
fn a_signalled_runner_releases_and_exits_without_error() {
    let mut rig = Rig::holding(upstream());

    rig.at(1_000).signal();

    assert!(!rig.believes(), "the lock may be another's from here on");
    let expected = Call {
        request: Request::Release { resource: Some(jim()) }.into(),
        request_id: None,
        deadline: None,
        wait_for_ready: false,
    };
    assert_eq!(rig.last_call(), &expected);
    // A second signal does nothing.
    rig.signal().reply(Ok(Response::Release)).signal();
    assert_eq!(rig.methods(), [Method::Lock, Method::Release]);
    let expected =
        [(s(1), Event::Signalled), (s(1), Event::Released(Ok(()))), (s(1), Event::Exited(Ok(())))];
    assert_eq!(rig.events[2..], expected);
    let expected = ["signalled", "released-lock", "completed"];
    assert_eq!(rig.messages()[2..], expected);
}

// C13
#[test]
fn a_runner_releases_what_it_never_had() {
    let mut rig = Rig::start(upstream());
    rig.fail(LockError::LockCollision).reply(held_by("joe"));

    rig.signal().fail(LockError::LockCollision);

    assert_eq!(rig.runner.exited(), Some(&Ok(())));
    let line = rig.said("failed-to-release-lock")[0];
    assert!(line.error.contains("lock-collision"));
}

// C14
#[test]
fn a_signal_waits_for_the_attempt_under_way() {
    let mut rig = Rig::holding(upstream());
    rig.at(5_000);

    rig.at(6_000).signal();
    assert_eq!(rig.attempts(), [0, 5_000]);
    assert!(rig.believes());
    rig.at(8_000).ok();

    assert_eq!(rig.last_call().request.method(), Method::Release);
    let served = rig.when(|event| *event == Event::Signalled);
    assert_eq!(served, Some(8_000));
}

// C14
#[test]
fn a_signal_during_a_failing_first_attempt_waits_for_the_fetch_and_ends_the_tries() {
    let mut rig = Rig::start(upstream());

    rig.signal().fail(no_lock_for_you()).reply(held_by("joe"));

    assert_eq!(rig.methods(), [Method::Lock, Method::Fetch, Method::Release]);
    assert_eq!(rig.events, [(s(0), Event::Signalled)]);
}

#[test]
fn a_loss_during_the_last_attempt_is_still_an_error_and_no_release() {
    let mut rig = Rig::holding(upstream());

    rig.at(5_000).signal().fail(no_lock_for_you());

    assert!(rig.error().starts_with("lost lock (request failed)"));
    assert_eq!(rig.methods(), [Method::Lock, Method::Lock]);
}

#[test]
fn a_runner_that_was_not_started_does_nothing() {
    let mut runner = Runner::new(upstream());

    runner.handle_signal(s(1), &mut ());
    runner.handle_timeout(s(1), &mut IdSource::new(1), &mut ());

    assert_eq!(runner, Runner::new(upstream()));
}

// C2
#[test]
fn every_record_names_the_resource() {
    let mut rig = Rig::start(presence_of(upstream()));
    rig.fail(no_lock_for_you()).fail(no_lock_for_you());
    rig.at(5_000).fail(no_lock_for_you()).at(10_000).ok();
    rig.at(15_000).fail(no_lock_for_you());
    rig.signal().fail(no_lock_for_you());

    let expected = [
        "started",
        "failed-fetching-lock-owner",
        "failed-to-acquire-lock",
        "failed-to-acquire-lock",
        "acquired-lock",
        "lost-lock",
        "signalled",
        "failed-to-release-lock",
        "completed",
    ];
    assert_eq!(rig.messages(), expected);
    assert!(rig.said.iter().all(|said| said.key == "test"));
}
