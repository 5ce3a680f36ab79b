//! A smallest schedule is a scenario that shows the same violation in the full simulated world.

use locket_sim::check::{Bounds, Fault, Property, Question, Verdict};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::{ClientKind, RunnerKind};
use locket_sim::time::Duration;

use super::rig::{Changed, assert_verdicts, delays, ms, one_pause, played, s, two, upstream};
use RunnerKind::{Upstream, UpstreamBefore202510};

fn two_owners_for(question: Question) -> Duration {
    let (counterexample, _) = played(question).counterexample.expect("there is a violation");
    counterexample.two_owners_for
}

#[test]
fn a_counterexample_shows_each_kind_of_fault_in_its_scenario_and_its_story() {
    let safe = |bounds| two(RunnerKind::Safe, 6, 2, bounds);
    let upstream = |bounds| two(Upstream, 6, 2, bounds);
    let before = |bounds| two(UpstreamBefore202510, 6, 2, bounds).with_first_deadline();
    let loses = |bounds| upstream(bounds).with_clients(1).about(Property::FalseLoss);
    let once = |fault| delays(0).with_length(fault, 1, s(2));
    let restarted = delays(1).with(Fault::Crash, 1).with(Fault::Restart, 1).with(Fault::Stop, 1);
    let suspended = delays(0).with_length(Fault::Suspend, 1, ms(4_500));
    let paused = delays(0).with_length(Fault::LocketPause, 1, s(6));
    let slow = Bounds { database_latency: s(2), ..Bounds::default() };
    let slow = || Question { profile: Profile::DOCUMENTED, ..before(slow) };
    let queueing = Bounds { transaction_time: s(3), ..Bounds::default() };
    let two_processes = Question { processes: 2, ..upstream(one_pause(1, 6)) };
    let shared = safe(delays(0)).with_each(|it| it.owner = Some("cell-1".to_owned()));
    for (question, in_scenario, in_story) in [
        (before(once(Fault::LostMessage)), r#""loss":"0.1%""#, ""),
        (upstream(once(Fault::RowDeletion)), r#""do":"delete-row""#, ""),
        (upstream(restarted), r#""do":"stop""#, ""),
        (upstream(once(Fault::Failover)), r#""do":"fail-over""#, "the row of 'lock' is deleted"),
        (loses(once(Fault::LostReply)), r#""replyLoss":"0.1%""#, ""),
        (loses(once(Fault::LocketCrash)), r#""do":"crash","node":"locket-0""#, ""),
        (loses(once(Fault::LocketDrain)), r#""do":"drain""#, "locket-0 finishes its calls"),
        (before(paused), r#""do":"pause","node":"locket-0""#, ""),
        (
            loses(once(Fault::DatabaseCrash)),
            r#""do":"crash","node":"database""#,
            "database crashes",
        ),
        (
            loses(once(Fault::Disconnect)),
            r#""do":"disconnect""#,
            "a's connection to locket-0 breaks",
        ),
        (before(once(Fault::Partition)), r#""do":"cut""#, ""),
        (safe(suspended), r#""do":"suspend""#, ""),
        (two_processes, r#""processes":2"#, ""),
        (slow(), r#""latency":{"max":"2s""#, "from locket-0 to database takes 2 s"),
        (slow(), "", "queries of the database and replies ≤ 2 s each"),
        (loses(queueing), r#""transactionTime":{"max":"3s","step":"1s"}"#, ""),
        (loses(queueing), r#""d0."#, ""),
        (shared, r#""name":"b","key":"lock","owner":"a""#, "clients with the same owner string"),
    ] {
        let answer = played(question);
        let (counterexample, _) = answer.counterexample.as_ref().expect("there is a violation");
        let scenario = &counterexample.scenario;
        assert!(scenario.contains(in_scenario), "{scenario}");
        assert!(answer.to_string().contains(in_story), "{answer}");
    }
}

/// A process that drains gives up on a call after its client has.
fn drained() -> Question {
    let bounds = delays(0).with_length(Fault::LocketDrain, 2, ms(500)).with(Fault::LostReply, 1);
    let question = two(RunnerKind::Safe, 7, 1, bounds).with_clients(1).with_first_deadline();
    let question = question.with_each(|it| it.kind = ClientKind::Presence);
    Question { profile: Profile::DOCUMENTED, ..question.with_each(|it| it.margin = Some(s(1))) }
}

#[test]
fn a_schedule_for_each_property_is_a_scenario() {
    let faults = one_pause(1, 6).with(Fault::LostMessage, 1).with(Fault::Crash, 1);
    let slow_clock = upstream(4, 1, one_pause(1, 3)).with_first_deadline();
    for question in [
        upstream(6, 2, faults).about(Property::FalseLoss),
        upstream(6, 2, faults).about(Property::NoClientActs { allow: s(5) }),
        upstream(6, 2, faults).about(Property::Acquired { allow: s(1) }),
        upstream(6, 2, faults).about(Property::PresenceGap { allow: s(1) }),
        upstream(6, 2, faults).about(Property::BeliefMatchesRow { allow: s(0) }),
        drained().about(Property::PresenceGap { allow: s(2) }),
        slow_clock.with_each(|it| it.rate_ppm = -500_000),
    ] {
        two_owners_for(question);
    }
}

#[test]
fn a_schedule_goes_on_within_its_bounds_after_the_violation() {
    let deleted = delays(0).with(Fault::RowDeletion, 1);
    for (fault, length, end) in [
        (Fault::LocketCrash, 2, "start"),
        (Fault::LocketDrain, 2, "start"),
        (Fault::Partition, 3, "heal"),
    ] {
        let answer = played(upstream(15, 5, deleted.with_length(fault, 1, s(length))));
        assert!(answer.has_longest, "{answer}");
        let (first, _) = answer.counterexample.expect("there is a violation");
        let longest = answer.longest.expect("one lasts longest");
        let both = [first.two_owners_for, longest.two_owners_for];
        assert!(both.iter().all(|it| *it <= longest.lasted), "{both:?} {longest:?}");
        let ends = longest.scenario.matches(&format!(r#""do":"{end}""#)).count();
        assert_eq!(ends, 1, "what lasts ends in time: {}", longest.scenario);
    }
}

#[test]
fn a_lock_that_is_taken_and_given_up_in_one_step_was_acquired() {
    // The stop signal comes before the answer of the first attempt. The other one is refused.
    let question = upstream(15, 5, delays(1).with(Fault::Stop, 1));
    assert_verdicts([(question.about(Property::Acquired { allow: s(4) }), Verdict::Safe)]);
}
