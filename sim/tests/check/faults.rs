//! The effects of each fault, and of a slow database: bounds within which a property holds, beside
//! bounds within which it does not.

use locket_sim::check::{Bounds, Fault, Property, Question, Verdict};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::{RunnerKind, Scenario};
use locket_sim::time::Duration;

use super::rig::{Changed, assert_verdicts, delays, ms, played, s, search_to_longest, two};
use RunnerKind::{Upstream, UpstreamBefore202510};
use Verdict::{Preview, Safe, Unsafe};

fn one(fault: Fault, length: Duration) -> Bounds {
    delays(0).with_length(fault, 1, length)
}

/// Two clients with a TTL of 6 s, a retry interval of 2 s and deadlines.
fn asked(runner: RunnerKind, bounds: Bounds) -> Question {
    two(runner, 6, 2, bounds).with_first_deadline()
}

/// One of them alone gives up no lock that is its own.
fn keeps(runner: RunnerKind, bounds: Bounds) -> Question {
    asked(runner, bounds).with_clients(1).about(Property::FalseLoss)
}

/// Two clients with production's settings.
fn in_production(runner: RunnerKind, bounds: Bounds) -> Question {
    two(runner, 15, 5, bounds)
}

fn keeps_in_production(runner: RunnerKind, processes: usize, bounds: Bounds) -> Question {
    let question = in_production(runner, bounds).with_clients(1).about(Property::FalseLoss);
    Question { processes, ..question }
}

// The database

#[test]
fn a_database_that_stalls_or_crashes_takes_upstreams_lock_away_before_that_of_the_safe_runner() {
    let stall = |length| one(Fault::Stall, length);
    let crash = |length| one(Fault::DatabaseCrash, length);
    let lost = |length| stall(length).with(Fault::LostReply, 1);
    assert_verdicts([
        (keeps(Upstream, delays(0)), Safe),
        (keeps(Upstream, stall(s(1))), Safe),
        (keeps(Upstream, stall(s(2))), Unsafe),
        (keeps(Upstream, crash(s(0))), Unsafe),
        // The queries that wait at a stalled database are refused when it crashes.
        (keeps(Upstream, stall(s(1)).with(Fault::DatabaseCrash, 1)), Unsafe),
        // A stall from 2 s on delays the attempts at 2 s and at 4 s; the lease ends at 5.5 s.
        (keeps(RunnerKind::Safe, stall(s(3))), Safe),
        (keeps(RunnerKind::Safe, stall(s(4))), Unsafe),
        // The stall delays the attempt at 2 s, and the answer to that at 4 s is lost, or vice versa.
        (keeps(RunnerKind::Safe, lost(s(1))), Safe),
        (keeps(RunnerKind::Safe, lost(s(2))), Unsafe),
        // An outage of 2 s can refuse the attempts at 2 s and at 4 s.
        (keeps(RunnerKind::Safe, crash(s(1))), Safe),
        (keeps(RunnerKind::Safe, crash(s(2))), Unsafe),
    ]);
}

#[test]
fn a_database_that_stalls_or_crashes_makes_no_two_owners_whoever_deletes_expired_rows() {
    for runner in [Upstream, UpstreamBefore202510, RunnerKind::Safe] {
        for profile in [Profile::UPSTREAM, Profile::DOCUMENTED] {
            for fault in [Fault::Stall, Fault::DatabaseCrash] {
                let question = asked(runner.clone(), one(fault, s(3)));
                assert_verdicts([(Question { profile, ..question }, Safe)]);
            }
        }
    }
}

/// `T` is the TTL, `r` the retry interval, `d` the latency of a message to a process, and `q` that of a
/// query to the database. The row of a Lock that is committed at 0 expires at `T`. Its reply arrives
/// at `d + q` at the latest, and the client renews `r` later.
#[test]
fn a_slow_database_makes_two_owners_as_slow_messages_do() {
    let slow = |runner, ttl, latency, database_latency| {
        let bounds = Bounds { latency, database_latency, ..Bounds::default() };
        let question = two(runner, ttl, 2, bounds).with_first_deadline();
        Question { profile: Profile::DOCUMENTED, ..question }
    };
    // Timers count the TTL from the answer of the database. But a poll between commit and answer shows
    // the row earlier.
    let with_timers = |runner, latency| {
        let question = slow(runner, 6, s(0), latency);
        Question { profile: Profile::UPSTREAM, ..question }
    };
    let (half, more) = (ms(500), ms(1_500));
    assert_verdicts([
        // It goes on believing for the `T` of its timeout, and another client gets the lock unless the
        // renewal is committed by `2 (d + q) + r`: from `2 (d + q) = T - r` on there are two owners.
        (slow(UpstreamBefore202510, 6, more, s(0)), Safe),
        (slow(UpstreamBefore202510, 6, s(0), more), Safe),
        (slow(UpstreamBefore202510, 6, s(1), half), Safe),
        (slow(UpstreamBefore202510, 6, s(2), s(0)), Unsafe),
        (slow(UpstreamBefore202510, 6, s(0), s(2)), Unsafe),
        (slow(UpstreamBefore202510, 6, s(1), s(1)), Unsafe),
        // An attempt that fails after `r` lets the client believe until `d + q + 2 r`, beyond `T` if
        // `d + q > T - 2 r`.
        (slow(Upstream, 5, s(0), s(1)), Safe),
        (slow(Upstream, 5, s(0), more), Unsafe),
        (with_timers(UpstreamBefore202510, s(1)), Safe),
        (with_timers(UpstreamBefore202510, s(2)), Unsafe),
        (slow(RunnerKind::Safe, 6, s(0), s(2)), Safe),
        (slow(RunnerKind::Safe, 6, s(1), s(1)), Safe),
        (with_timers(RunnerKind::Safe, s(1)), Safe),
    ]);
}

/// A renewal is answered after `2 q` and the time that the query waits for the end of a stall, and
/// fails after 2 s.
#[test]
fn upstream_loses_its_lock_to_a_database_that_takes_a_retry_interval_to_answer() {
    let slow = |database_latency, stall| {
        let stall = delays(0).with_length(Fault::Stall, u8::from(stall > s(0)), stall);
        let question = keeps(Upstream, Bounds { database_latency, ..stall });
        Question { profile: Profile::DOCUMENTED, ..question }
    };
    let half = ms(500);
    assert_verdicts([
        (slow(half, s(0)), Safe),
        (slow(s(1), s(0)), Unsafe),
        (slow(half, half), Safe),
        (slow(half, s(1)), Unsafe),
    ]);
}

// Processes

#[test]
fn a_reply_that_a_paused_locket_process_holds_back_makes_two_owners_before_october_2025() {
    let paused = one(Fault::LocketPause, s(6));
    assert_verdicts([(asked(Upstream, paused), Safe)]);
    let search = search_to_longest(asked(UpstreamBefore202510, paused));
    assert_eq!(search.longest(), Some(s(2)));
}

#[test]
fn a_rolling_deploy_takes_no_lock_away_and_crashes_do() {
    let drained = |count, downtime| delays(1).with_length(Fault::LocketDrain, count, s(downtime));
    let crashed = |count, downtime| delays(1).with_length(Fault::LocketCrash, count, s(downtime));
    assert_verdicts([
        (keeps_in_production(RunnerKind::Safe, 2, drained(2, 8)), Safe),
        // Crashes may take both at once.
        (keeps_in_production(RunnerKind::Safe, 2, crashed(2, 8)), Unsafe),
        (keeps_in_production(RunnerKind::Safe, 1, drained(1, 1)), Safe),
        (keeps_in_production(RunnerKind::Safe, 1, drained(1, 8)), Unsafe),
        // This runner gives up at the first error. A process that drains answers the calls that it has,
        // and another one accepts the next call.
        (keeps_in_production(Upstream, 2, drained(2, 1)), Safe),
        (keeps_in_production(Upstream, 2, crashed(1, 1)), Unsafe),
    ]);
}

// Connections

#[test]
fn a_connection_that_breaks_during_a_renewal_takes_upstreams_lock_and_not_the_safe_runners() {
    let breaks = |latency| delays(latency).with(Fault::Disconnect, 1);
    let acquires = |allow| {
        let question = in_production(RunnerKind::Safe, breaks(0)).with_clients(1);
        question.about(Property::Acquired { allow: s(allow) })
    };
    assert_verdicts([
        (keeps_in_production(Upstream, 1, delays(1)), Safe),
        (keeps_in_production(Upstream, 1, breaks(1)), Unsafe),
        (keeps_in_production(RunnerKind::Safe, 1, breaks(1)), Safe),
        // The first attempt fails after its commit, and the next one comes a retry interval later.
        (acquires(6), Safe),
        (acquires(4), Unsafe),
    ]);
}

#[test]
fn a_slow_connection_takes_the_safe_runners_lock_once_two_attempts_in_a_row_are_late() {
    // The reply to one, up to a second after it, and the next one, up to 4 s later.
    let slow = |length| {
        let bounds = delays(1).with_length(Fault::SlowConnection, 1, s(length));
        keeps_in_production(RunnerKind::Safe, 1, bounds)
    };
    assert_verdicts([(slow(4), Safe), (slow(5), Unsafe)]);
    played(slow(5));
}

#[test]
fn a_paused_client_hears_of_its_broken_connection_when_it_goes_on() {
    let scenario = r#"{
        "name": "a pause",
        "network": {"latency": "1s"},
        "clients": [{"name": "a", "key": "lock", "ttl": "15s", "retryInterval": "5s"}],
        "actions": [
            {"at": "500ms", "do": "pause", "node": "a", "for": "3s"},
            {"at": "1500ms", "do": "disconnect", "node": "a"}
        ],
        "until": "4s"
    }"#;
    let run = Scenario::from_json(scenario).expect("it is one").run();
    let words = run.events.iter().map(|it| (it.time().as_ms(), it.words(&run.names)));
    let of_a = words.filter(|(_, it)| it.starts_with("a's") || it.contains("Unavailable"));
    let times: Vec<_> = of_a.map(|(time, _)| time).collect();
    assert_eq!(times, [1_500, 3_500]);
}

#[test]
fn a_partition_makes_two_owners_before_october_2025_and_not_with_the_safe_runner() {
    for length in [1, 20] {
        let of =
            |runner| in_production(runner, one(Fault::Partition, s(length))).with_first_deadline();
        // The lease ends 15 s after the last renewal, and the belief a retry interval later.
        assert_eq!(search_to_longest(of(UpstreamBefore202510)).longest(), Some(s(5)));
        assert_verdicts([(of(RunnerKind::Safe), Safe)]);
    }
}

#[test]
fn a_partition_or_isolation_takes_a_lock_away_unless_another_process_can_be_reached_in_time() {
    let cut = |fault, ttl, processes, length| {
        let question = two(RunnerKind::Safe, ttl, 5, one(fault, s(length)));
        let question = question.with_first_deadline().about(Property::FalseLoss);
        Question { processes, ..question }
    };
    assert_verdicts([
        // It ends before the next attempt.
        (cut(Fault::Partition, 15, 1, 1), Safe),
        (cut(Fault::Partition, 15, 1, 10), Unsafe),
        (cut(Fault::Partition, 60, 1, 60), Unsafe),
        (cut(Fault::Partition, 60, 2, 60), Safe),
        (cut(Fault::Isolation, 60, 1, 60), Unsafe),
        (cut(Fault::Isolation, 60, 2, 60), Unsafe),
    ]);
}

#[test]
fn a_first_attempt_without_a_deadline_that_gets_no_answer_waits_for_ever() {
    let owned = in_production(Upstream, one(Fault::Partition, s(2))).with_clients(1);
    let owned = owned.about(Property::Acquired { allow: s(60) });
    let search = search_to_longest(owned.clone());
    assert!(search.longest_is_cut(), "{:?}", search.longest());
    assert_verdicts([(owned.clone(), Unsafe), (owned.with_first_deadline(), Safe)]);
}

#[test]
fn a_lock_that_arrives_again_after_its_release_keeps_others_waiting_for_its_ttl() {
    let handover = |duplicates: u8, allow| {
        let bounds = delays(1).with(Fault::Duplicate, duplicates).with(Fault::Stop, 1);
        in_production(RunnerKind::Safe, bounds).about(Property::NoClientActs { allow: s(allow) })
    };
    assert_verdicts([(handover(0, 10), Safe), (handover(1, 10), Unsafe), (handover(1, 30), Safe)]);
}

// Clocks

#[test]
fn a_suspend_from_an_attempt_to_the_end_of_the_row_makes_two_owners_of_safe_runners() {
    let suspended = |length, lost_messages: u8| {
        let bounds = one(Fault::Suspend, ms(length)).with(Fault::LostMessage, lost_messages);
        two(RunnerKind::Safe, 6, 2, bounds)
    };
    assert_verdicts([
        // The attempt is due 2 s after the renewal, and the row ends 4 s later.
        (suspended(4_000, 0), Preview),
        (suspended(4_500, 0), Unsafe),
        // Where renewals are lost, only the margin of 500 ms is left.
        (suspended(500, 2), Preview),
        (suspended(1_000, 2), Unsafe),
    ]);
    // It takes its belief along for as long as it is suspended.
    assert_eq!(search_to_longest(suspended(5_500, 0)).longest(), Some(ms(1_500)));
    let summary = played(suspended(500, 0)).summary();
    assert!(summary.contains("no step makes a search with suspends exact"), "{summary}");
}
