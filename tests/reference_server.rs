//! Claims about the reference server for tests; those of the template are not repeated here.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use locket_wasm::sim::check::Verdict;
use locket_wasm::sim::scenario::RunnerKind;
use locket_wasm::testing::{
    Duration, DurationExt as _, Error, Event, LockSettings, Profile, Reason, ReferenceServer, Time,
    TypeCode, assert_safe, explore,
};

fn panic_text(fails: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(fails)).expect_err("it should panic");
    *panic.downcast::<String>().unwrap()
}

#[test]
fn a_lock_lasts_until_the_ttl_of_its_last_renewal_ends_or_it_is_released() {
    let server = ReferenceServer::new();
    let a = server.client("a");
    a.lock("bbs", 15.seconds()).unwrap();
    server.advance(10.seconds());
    a.lock("bbs", 15.seconds()).unwrap();

    server.advance(14_999.millis());
    server.assert_held("bbs", "a");
    server.advance(1.millis());
    server.assert_free("bbs");

    a.lock("bbs", 15.seconds()).unwrap();
    a.release("bbs").unwrap();
    server.assert_free("bbs");
}

#[test]
fn fetch_all_lists_one_kind() {
    let server = ReferenceServer::new();
    server.client("a").lock("bbs", 15.seconds()).unwrap();
    let cell = server.client("cell-7").with_value("zone-1");
    cell.presence("cell-7", 15.seconds()).unwrap();

    let presences = cell.fetch_all(TypeCode::Presence).unwrap();

    let [presence] = presences.as_slice() else {
        panic!("one presence, not {presences:?}");
    };
    assert_eq!((presence.owner.as_str(), presence.value.as_str()), ("cell-7", "zone-1"));
}

#[test]
fn a_refusal_has_its_reason() {
    let server = ReferenceServer::new();
    let nobody = server.client("");

    let refused = [
        nobody.lock("bbs", 15.seconds()),
        server.client("a").lock("", 15.seconds()),
        server.client("a").lock("bbs", 0.seconds()),
        server.client("a").lock(&"k".repeat(256), 15.seconds()),
        server.client("a").release("bbs"),
    ];

    assert_eq!(
        refused.map(|it| it.unwrap_err().reason()),
        [
            Some(Reason::InvalidOwner),
            Some(Reason::InvalidKey),
            Some(Reason::InvalidTtl),
            Some(Reason::Database),
            Some(Reason::ResourceNotFound),
        ]
    );
}

#[test]
fn a_call_to_a_stopped_process_has_an_unknown_outcome() {
    let server = ReferenceServer::new();
    assert!(server.stop(0));

    let error = server.client("a").lock("bbs", 15.seconds()).unwrap_err();

    assert!(matches!(error, Error::Unknown { .. }), "{error}");
    assert_eq!(error.reason(), None);
}

#[test]
fn two_processes_share_a_table_whose_rows_stay_while_one_restarts() {
    let server = ReferenceServer::builder().processes(2).build();
    server.client("a").lock("bbs", 15.seconds()).unwrap();
    assert!(server.restart(0));

    let second = server.client("b").at_process(1);

    assert_eq!(second.fetch("bbs").unwrap().owner, "a");
}

#[test]
fn a_profile_decides_the_answers() {
    let upstream = ReferenceServer::builder().profile(Profile::UPSTREAM).build();

    assert_eq!(upstream.client("a").release("bbs"), Ok(()));
}

#[test]
fn a_call_passes_time_on_the_clock_by_latency_and_while_the_database_stalls() {
    let server = ReferenceServer::new();
    server.set_latency(2.seconds());
    server.client("a").lock("bbs", 15.seconds()).unwrap();
    assert_eq!(server.now(), Time::from_ms(2_000));

    server.set_latency(0.seconds());
    server.with_cluster(|cluster, now| cluster.stall_database(3.seconds(), now, &mut ()));
    server.client("a").lock("bbs", 15.seconds()).unwrap();
    assert_eq!(server.now(), Time::from_ms(5_000));
}

#[test]
fn a_lock_runner_gives_up_after_a_loss_and_a_presence_runner_does_not() {
    let server = ReferenceServer::new();
    let lock = server.keep(LockSettings::new("bbs", "bbs-0"));
    let presence = server.keep(LockSettings::presence("cell-7", "cell-7"));
    server.stop(0);
    server.advance(1.minutes());
    let lost = lock.events().into_iter().find(|(_, event)| matches!(event, Event::Lost(_)));
    assert_eq!(lost.unwrap().0, Time::from_ms(14_000));
    server.start(0);

    server.advance(1.minutes());

    assert_eq!((lock.held(), presence.held()), (false, true));
    assert!(matches!(lock.events().last(), Some((_, Event::Exited(_)))));
}

#[test]
fn settings_that_lose_the_lock_before_each_renewal_are_refused() {
    let settings = LockSettings::new("bbs", "a").retry_interval(14.seconds());

    let text = panic_text(|| drop(ReferenceServer::new().keep(settings)));

    assert!(text.contains("lost before every renewal"), "{text}");
}

#[test]
fn a_second_runner_of_a_key_and_owner_is_refused_until_the_first_has_released() {
    let server = ReferenceServer::new();
    let settings = || LockSettings::new("bbs", "bbs-0");
    let first = server.keep(settings());
    let text = panic_text(|| drop(server.keep(settings())));
    assert!(text.contains("owner: a runner already keeps 'bbs' as 'bbs-0'"), "{text}");
    server.assert_held("bbs", "bbs-0");
    let _other = server.keep(LockSettings::new("bbs", "bbs-1"));
    server.set_latency(1.seconds());
    first.stop();
    let text = panic_text(|| drop(server.keep(settings())));
    assert!(text.contains("let it release"), "{text}");
    server.advance(10.seconds());
    let _again = server.keep(settings());
}

#[test]
fn a_ttl_with_a_fraction_is_refused() {
    let server = ReferenceServer::new();

    let text = panic_text(|| server.client("a").lock("bbs", 1_500.millis()).unwrap());

    assert_eq!(text, "ttl: expected whole seconds, not 1500ms: Locket has no fractions");
}

#[test]
fn a_failed_assertion_shows_table_and_trace() {
    let server = ReferenceServer::new();
    server.client("a").lock("bbs", 15.seconds()).unwrap();
    server.client("b").lock("bbs", 15.seconds()).unwrap_err();
    server.client("a").presence("cell-7", 5.seconds()).unwrap();
    server.advance(10.seconds());
    server.restart(0);

    let text = panic_text(|| server.assert_held("bbs", "b"));

    let expected = [
        "expected 'bbs' to be held by 'b', but 'a' holds it",
        "table at 10.000 s:",
        "  'bbs' owner=a type=lock ttl=15 index=1",
        "trace, without repetitions:",
        "  0.000 s  a locks 'bbs' for 15 s: a holds it",
        "  0.000 s  b locks 'bbs' for 15 s: lock-collision (AlreadyExists)",
        "  0.000 s  a locks 'cell-7' for 5 s: a holds it",
        "  5.000 s  'cell-7' expires: a has not renewed it within its TTL",
        "  10.000 s  locket-0 restarts",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn an_expiry_is_in_the_trace_at_its_own_moment() {
    let server = ReferenceServer::new();
    let paused = server.client("a");
    paused.lock("bbs", 1.seconds()).unwrap();
    let _cell = server.keep(LockSettings::presence("cell-7", "cell-7"));

    server.advance(1.minutes());

    let trace = server.trace();
    let expiry = trace.iter().find(|it| it.words.contains("expires"));
    assert_eq!(expiry.unwrap().at, Time::from_ms(1_000));
}

/// A client that acts while its lease lasts, which it counts from its call or from the answer.
fn acts_on_a_lease(server: &ReferenceServer, is_from_the_call: bool) {
    let (a, b) = (server.client("a"), server.client("b"));
    let mut until = Time::ZERO;
    for _ in 0..4 {
        let called_at = server.now();
        if a.lock("bbs", 15.seconds()).is_ok() {
            let from = if is_from_the_call { called_at } else { server.now() };
            until = from + Duration::from_seconds(14);
        }
        if server.now() < until {
            server.assert_held("bbs", "a");
        }
        let _ = b.lock("bbs", 15.seconds());
        server.advance(5.seconds());
    }
}

#[test]
fn every_fault_at_every_call_is_tried_and_the_fewest_that_break_a_test_end_it() {
    let text = panic_text(|| {
        ReferenceServer::builder().every_fault(1, |server| acts_on_a_lease(server, false));
    });
    assert!(text.starts_with("expected 'bbs' to be held by 'a', but"), "{text}");

    let held = ReferenceServer::builder().every_fault(2, |server| acts_on_a_lease(server, true));
    let (calls, faults) = (8, 3);
    assert_eq!(held, 1 + calls * faults + calls * (calls - 1) / 2 * faults * faults);
}

#[test]
fn every_fault_of_runners_calls_is_tried() {
    let held = ReferenceServer::builder().every_fault(1, |server| {
        let runners = ["a", "b"].map(|name| server.keep(LockSettings::new("bbs", name)));
        for _ in 0..60 {
            server.advance(1.seconds());
            assert!(runners.iter().filter(|runner| runner.held()).count() < 2);
        }
    });
    assert!(held > 60, "{held} runs");
}

#[test]
fn an_unsafe_answer_panics_with_its_counterexample() {
    let mut question = LockSettings::new("bbs", "bbs-0").runner(RunnerKind::Upstream).question();
    question.bounds.latency = 7.seconds();
    assert_eq!(explore(question.clone()).verdict, Verdict::Unsafe);

    let text = panic_text(|| assert_safe(question));

    assert!(text.starts_with("Unsafe within these bounds"), "{text}");
    assert!(text.lines().count() > 5, "{text}");
}
