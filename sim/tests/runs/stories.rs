//! Claims about the shipped scenarios: the expectations of each hold, and each expectation can
//! fail.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use locket_sim::scenario::{Action, Scenario};
use locket_sim::time::Duration;
use locket_sim::trace::Run;

/// One claim for each file: its run is as expected, and no expectation holds whatever happens.
macro_rules! stories {
    ($($name:ident: $file:literal,)*) => {
        const FILES: &[&str] = &[$($file,)*];

        mod goes_as_expected {
            $(#[test]
            fn $name() {
                super::check(include_str!(concat!("../../scenarios/", $file)));
            })*
        }

        mod can_fail {
            $(#[test]
            fn $name() {
                super::check_that_each_expectation_can_fail(
                    include_str!(concat!("../../scenarios/", $file)),
                );
            })*
        }
    };
}

stories! {
    // S21
    all_locket_processes_are_down: "all-locket-processes-are-down.json",
    // S20
    all_locket_processes_restart: "all-locket-processes-restart.json",
    // S24, S21
    attempt_waits_for_locket_to_come_back: "attempt-waits-for-locket-to-come-back.json",
    // S44
    cloud_controller_runs_twice: "cloud-controller-runs-twice.json",
    // S6, S52
    collision_while_the_holder_renews: "collision-while-the-holder-renews.json",
    // S28
    database_hangs: "database-hangs.json",
    // S27
    database_unreachable: "database-unreachable.json",
    // S26
    dead_connection_noticed_after_the_lease: "dead-connection-noticed-after-the-lease.json",
    // S43
    empty_owner_and_zero_ttl: "empty-owner-and-zero-ttl.json",
    // S29c
    failover_brings_a_released_lock_back: "failover-brings-a-released-lock-back.json",
    // S29b
    failover_loses_the_insert: "failover-loses-the-insert.json",
    // S29a
    failover_loses_three_renewals: "failover-loses-three-renewals.json",
    // S29a, B72
    failover_loses_two_renewals_and_a_waiter_is_quick: "failover-loses-two-renewals-and-a-waiter-is-quick.json",
    // S29a, B72
    failover_loses_two_renewals: "failover-loses-two-renewals.json",
    // S14
    first_attempt_has_no_deadline: "first-attempt-has-no-deadline.json",
    // S2
    holder_crashes: "holder-crashes.json",
    // S8
    holder_cut_off_from_locket_before_october_2025: "holder-cut-off-from-locket-before-october-2025.json",
    // S7
    holder_cut_off_from_locket: "holder-cut-off-from-locket.json",
    // S1
    holder_hands_over_cleanly: "holder-hands-over-cleanly.json",
    // S10
    holder_paused_longer_than_its_lease: "holder-paused-longer-than-its-lease.json",
    incident_lossy_zone: "incident-lossy-zone.json",
    incident_rolling_restart_and_failover: "incident-rolling-restart-and-failover.json",
    incident_vm_suspended: "incident-vm-suspended.json",
    // S41, S3
    late_release_after_a_restart: "late-release-after-a-restart.json",
    // S12
    lock_lost_and_taken_again_unnoticed: "lock-lost-and-taken-again-unnoticed.json",
    // S2
    lock_that_nobody_renews_expires: "lock-that-nobody-renews-expires.json",
    // S22
    locket_process_stopped_longer_than_the_ttl: "locket-process-stopped-longer-than-the-ttl.json",
    // S11
    machine_suspended_longer_than_its_lease: "machine-suspended-longer-than-its-lease.json",
    // S49
    malformed_request_kills_locket: "malformed-request-kills-locket.json",
    // B47
    modified_index_is_no_token: "modified-index-is-no-token.json",
    // S39
    one_error_ends_a_lock: "one-error-ends-a-lock.json",
    // S8
    one_lost_renewal_before_october_2025: "one-lost-renewal-before-october-2025.json",
    // S7, S8
    one_lost_renewal_today: "one-lost-renewal-today.json",
    // S42
    operator_claims_the_lock_for_an_hour: "operator-claims-the-lock-for-an-hour.json",
    // S38
    operator_empties_the_owner: "operator-empties-the-owner.json",
    // S42
    operator_evicts_the_holder: "operator-evicts-the-holder.json",
    // S45
    presence_comes_back_after_a_gap: "presence-comes-back-after-a-gap.json",
    // S19
    process_that_handled_the_renewal_dies: "process-that-handled-the-renewal-dies.json",
    // S4
    quick_restart_with_a_new_owner: "quick-restart-with-a-new-owner.json",
    // S3
    quick_restart_with_the_same_owner: "quick-restart-with-the-same-owner.json",
    // S41
    release_hangs_at_shutdown: "release-hangs-at-shutdown.json",
    // S37, B71
    renewal_at_the_instant_of_expiry_expiry_first: "renewal-at-the-instant-of-expiry-expiry-first.json",
    // S37, B71
    renewal_at_the_instant_of_expiry_renewal_first: "renewal-at-the-instant-of-expiry-renewal-first.json",
    // S17
    replies_do_not_arrive: "replies-do-not-arrive.json",
    // S13
    reply_lost_after_the_commit: "reply-lost-after-the-commit.json",
    // S13, S3
    reply_lost_then_a_restart_with_the_same_owner: "reply-lost-then-a-restart-with-the-same-owner.json",
    // S32
    retry_storm: "retry-storm.json",
    // S24, S39
    rolling_restart_catches_a_renewal: "rolling-restart-catches-a-renewal.json",
    // S14
    safe_runner_gives_its_first_attempt_up: "safe-runner-gives-its-first-attempt-up.json",
    // S10
    safe_runner_paused_longer_than_its_lease: "safe-runner-paused-longer-than-its-lease.json",
    // S16
    slow_clock_of_the_holder: "slow-clock-of-the-holder.json",
    // S31
    slow_commits_before_april_2026: "slow-commits-before-april-2026.json",
    // B22
    slow_commits_today: "slow-commits-today.json",
    // S25
    slow_locket_while_others_are_healthy: "slow-locket-while-others-are-healthy.json",
    // S9
    slow_reply_then_a_lost_renewal: "slow-reply-then-a-lost-renewal.json",
    // S35
    table_dropped: "table-dropped.json",
    // S46
    thundering_herd: "thundering-herd.json",
    // S23
    ttl_below_the_poll_interval: "ttl-below-the-poll-interval.json",
    // S48
    ttl_that_overflows: "ttl-that-overflows.json",
    // S34
    two_owners_insert_one_key: "two-owners-insert-one-key.json",
    // S5
    two_processes_with_one_owner: "two-processes-with-one-owner.json",
    // S36
    value_too_long: "value-too-long.json",
    // S6
    waiters_keep_their_phase: "waiters-keep-their-phase.json",
    // S15
    wall_clock_an_hour_ahead: "wall-clock-an-hour-ahead.json",
}

fn check(text: &str) {
    let scenario = Scenario::from_json(text).unwrap();

    let run = scenario.run();

    assert!(!scenario.description.is_empty(), "it teaches something");
    assert!(!scenario.expect.is_empty(), "it expects something");
    assert_eq!(run.failures, [""; 0], "{}", told(&scenario));
}

fn check_that_each_expectation_can_fail(text: &str) {
    let scenario = Scenario::from_json(text).unwrap();
    let others: Vec<Scenario> = CHANGES
        .iter()
        .map(|change| {
            let mut other = scenario.clone();
            change(&mut other);
            other
        })
        .collect();
    for expectation in &scenario.expect {
        let fails = others.iter().any(|other| {
            let mut other = other.clone();
            other.expect = vec![expectation.clone()];
            !other.run().failures.is_empty()
        });
        assert!(fails, "no change of the story fails {expectation:?}");
    }
}

#[test]
fn a_run_without_a_trace_is_the_same_but_for_its_events() {
    let mut failing = 0;
    for file in FILES {
        let path = format!("{}/scenarios/{file}", env!("CARGO_MANIFEST_DIR"));
        let scenario = Scenario::from_json(&std::fs::read_to_string(path).unwrap()).unwrap();
        for change in CHANGES {
            let mut other = scenario.clone();
            change(&mut other);
            let run = Run { events: Vec::new(), ..other.run() };
            assert_eq!(other.run_without_trace(), run, "{file}");
            failing += usize::from(!run.failures.is_empty());
        }
    }
    assert!(failing > FILES.len(), "{failing} runs had failures");
}

/// The story, for the message of a failure.
fn told(scenario: &Scenario) -> String {
    let run = scenario.run();
    let lines = run.events.iter();
    let lines = lines.map(|event| format!("{} {}\n", event.time(), event.words(&run.names)));
    lines.collect()
}

/// The change that makes another story of each.
const CHANGES: &[fn(&mut Scenario)] = &[
    |story| story.actions.clear(),
    |story| story.overrides = None,
    |story| story.clients.clear(),
    |story| story.network.loss = "100%".parse().unwrap(),
    |story| {
        for client in story.clients.entries_mut() {
            client.owner = Some("the same".into());
        }
    },
    |story| {
        for client in story.clients.entries_mut() {
            client.start_at = client.start_at.max(Duration::from_ms(700));
            client.value = "short".into();
        }
    },
    |story| {
        for client in story.clients.entries_mut() {
            client.ttl = Duration::from_seconds(2);
        }
    },
    |story| {
        for client in story.clients.entries_mut() {
            client.ttl = Duration::from_seconds(60);
        }
    },
    |story| {
        let client = story.clients.at(0).name.clone();
        act(story, &format!(r#"{{"at": "1s", "do": "crash", "node": "{client}"}}"#));
    },
    |story| {
        for client in story.clients.clone().iter() {
            let name = &client.name;
            act(story, &format!(r#"{{"at": "1s", "do": "stop", "node": "{name}"}}"#));
        }
    },
    |story| act(story, r#"{"at": "1s", "do": "crash", "node": "locket"}"#),
    |story| act(story, r#"{"at": "1s", "do": "crash", "node": "database"}"#),
];

fn act(story: &mut Scenario, action: &str) {
    let action: Action = serde_json::from_str(action).unwrap();
    // A client that is driven by hand cannot be stopped; then nothing happens.
    story.actions.insert(0, action);
}

#[test]
fn every_file_has_its_claims() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut stories: Vec<String> = names
        .filter(|name| name.ends_with(".json"))
        .filter(|name| !["digests.json", "first-look.json"].contains(&name.as_str()))
        .collect();
    stories.sort();

    assert_eq!(stories, FILES, "list each file in `stories!`, by name");
}

#[test]
fn what_matters_is_over_within_a_minute() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    // An incident lasts as long as it did.
    let stories = FILES.iter().filter(|file| !file.starts_with("incident-"));
    for file in stories {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let end = Scenario::from_json(&text).unwrap().end();
        assert!(end.as_ms() <= 48_000, "{file} ends at {end}");
    }
}
