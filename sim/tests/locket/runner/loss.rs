//! Claims about how a lock is lost, and how long that goes unnoticed.

use super::*;

// C8
#[test]
fn a_lock_runner_exits_on_any_failed_renewal() {
    for error in [
        no_lock_for_you(),
        LockError::LockCollision,
        LockError::Unavailable,
        LockError::InvalidType(Code::NotFound),
        database("sql-unknown, error code: 1205, flavor: mysql"),
    ] {
        let mut rig = Rig::holding(upstream());
        rig.at(5_000);
        let request_id = rig.last_call().request_id.unwrap();

        rig.at(5_040).fail(error.clone());

        let line = rig.said("lost-lock")[0];
        assert_eq!(line.error, error.to_string());
        assert_eq!(line.request_id, Some(request_id.to_string()));
        assert_eq!(line.duration, Some(Duration::from_ms(40)));
        let expected = format!("lost lock (request failed), request-uuid {request_id}: {error}");
        assert_eq!(rig.error(), expected);
        let cause = LossCause::AttemptFailed { error, request_id };
        let exited = Event::Exited(Err(RunnerError::LostLock(cause.clone())));
        let [.., lost, exit] = &rig.events[..] else {
            panic!("too few events");
        };
        assert_eq!(lost, &(ms(5_040), Event::Lost(cause)));
        assert_eq!(exit, &(ms(5_040), exited));
        assert!(!rig.believes());
    }
}

// C9
#[test]
fn a_loss_is_a_timeout_if_and_only_if_the_code_says_so() {
    let mut told = Rig::holding(upstream());
    told.at(5_000).fail(LockError::DeadlineExceeded);
    let mut noticed = Rig::holding(upstream());
    noticed.at(10_000);
    let mut worded = Rig::holding(upstream());
    worded.at(5_000).fail(database("context deadline exceeded"));

    for rig in [told, noticed] {
        let error = rig.error();
        assert!(error.starts_with("lost lock (request timed out), request-uuid "));
        assert!(error.ends_with("code = DeadlineExceeded desc = context deadline exceeded"));
    }
    assert!(worded.error().starts_with("lost lock (request failed), "));
}

// C9, S13, S17
#[test]
fn a_lost_lock_is_not_released() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut rig = Rig::start(upstream());
    rig.served_by(&mut locket).at(5_000);

    // The renewal commits and its reply is lost.
    locket.at(5_000).handle(&lock_of_jim()).unwrap();
    rig.at(10_000);

    assert!(rig.runner.exited().is_some());
    assert_eq!(rig.methods(), [Method::Lock, Method::Lock]);
    assert_eq!(locket.end_of("test"), Some(20_000));
}

// C10
#[test]
fn a_presence_runner_loses_and_regains_and_never_exits() {
    let mut rig = Rig::holding(presence_of(upstream()));

    rig.at(5_000).fail(no_lock_for_you());
    assert!(!rig.believes());
    assert_eq!(rig.lost_at(), Some(5_000));
    assert!(rig.runner.is_ready(), "readiness was withdrawn");
    rig.at(10_000).ok();

    assert_eq!(*rig.last_call().request, lock_of_jim());
    assert!(rig.believes());
    let ready = rig.events.iter().filter(|(_, event)| *event == Event::Ready);
    assert_eq!(ready.count(), 1);
    assert_eq!(rig.runner.exited(), None);
    let expected = ["started", "acquired-lock", "lost-lock", "acquired-lock"];
    assert_eq!(rig.messages(), expected);
}

// C16
#[test]
fn a_runner_without_an_id_for_its_request_exits() {
    let exhausted = || Err::<RequestId, _>(RequestIdError("no entropy".into()));
    let mut first = Runner::new(upstream());
    first.start(s(0), &mut { exhausted }, &mut ());
    let mut later = Rig::holding(presence_of(upstream())).runner;
    let mut messages = Vec::new();
    later.handle_timeout(s(5), &mut { exhausted }, &mut |record: &LogRecord<'_>| {
        messages.push(record.message);
    });

    for mut runner in [first, later] {
        let error = RunnerError::RequestId(RequestIdError("no entropy".into()));
        assert_eq!(error.to_string(), "no entropy");
        assert_eq!(runner.exited(), Some(&Err(error.clone())));
        assert_eq!(runner.poll_output(), Some(Output::Event(Event::Exited(Err(error)))));
        assert!(!runner.believes_held(s(5)));
    }
    assert_eq!(messages, ["failed-to-create-context", "completed"]);
}
