//! Claims about writes to a storage, with answers by hand, and of random questions.

use locket_sim::check::{
    Bounds, ClientCount, Count, Fault, Property, Question, Reductions, StorageQuestion, Verdict,
    WriteLatency,
};
use locket_sim::scenario::{Guard, RunnerKind};

use super::random::Random;
use super::random_question::GUARDS;
use super::rig::{delays, played, s, search, two};

/// Two runners with a TTL of 15 s and a retry interval of 5 s; the safe one has a margin of 1 s.
fn asked(runner: RunnerKind, bounds: Bounds, guard: Guard, latency: WriteLatency) -> Question {
    with_storage(two(runner, 15, 5, bounds), guard, latency)
}

fn with_storage(question: Question, guard: Guard, write_latency: WriteLatency) -> Question {
    Question {
        property: Property::NoWrongWrite,
        storage: Some(StorageQuestion { guard, write_latency }),
        ..question
    }
}

const fn up_to(seconds: u64) -> WriteLatency {
    WriteLatency::UpTo(s(seconds))
}

/// The answer; a violation is played in the world, where one write is wrong.
fn answer(question: Question) -> (Verdict, ClientCount) {
    let answer = played(question);
    if let Some((found, _)) = &answer.counterexample {
        assert!(found.scenario.contains(r#""wrongWrites":1"#));
    }
    (answer.verdict, answer.clients)
}

const RIGHT: (Verdict, ClientCount) = (Verdict::Safe, ClientCount::Any);

#[test]
fn where_no_holder_loses_its_lock_no_guard_is_needed() {
    for guard in GUARDS {
        let question = asked(RunnerKind::Upstream, delays(1), guard, WriteLatency::Any);
        assert_eq!(answer(question), RIGHT, "{guard:?}");
    }
}

#[test]
fn each_guard_is_right_with_the_runners_and_faults_that_it_is_for() {
    use RunnerKind::Upstream;
    use WriteLatency::Any;
    const SAFE: RunnerKind = RunnerKind::Safe;
    let lost = delays(1).with(Fault::LostMessage, Count::Any);
    let paused = delays(0).with_length(Fault::Pause, Count::Any, s(20));
    let late = Bounds { latency: s(1), ..paused };
    let deleted = delays(0).with(Fault::RowDeletion, 1);
    let restarted = delays(0).with(Fault::Crash, 1).with(Fault::Restart, 1);
    for (runner, bounds, guard, latency, is_right) in [
        // The margin is 1 s, as long as a write takes.
        (SAFE, lost, Guard::None, up_to(1), true),
        (SAFE, lost, Guard::None, up_to(2), false),
        (SAFE, paused, Guard::None, up_to(0), false),
        (Upstream, paused, Guard::None, up_to(0), false),
        (SAFE, paused, Guard::ModifiedIndex, up_to(0), false),
        (Upstream, paused, Guard::ModifiedIndex, up_to(0), false),
        // It has the lock at once, and its former life may still write.
        (SAFE, restarted, Guard::None, up_to(1), false),
        (SAFE, restarted, Guard::Owner, up_to(1), false),
        // The restart renews the row, whose index is higher then; a new life takes a new token.
        (SAFE, restarted, Guard::ModifiedIndex, up_to(1), true),
        (SAFE, restarted, Guard::RenewedToken, up_to(1), true),
        (SAFE, restarted, Guard::Token, up_to(1), true),
        (SAFE, late, Guard::Owner, up_to(2), true),
        // Upstream's runner takes a row again that it has lost, and does not know that another had it.
        (Upstream, late, Guard::Owner, up_to(2), false),
        (SAFE, paused, Guard::Token, Any, true),
        // It asks, is paused, and is given the newest token after another has written.
        (Upstream, paused, Guard::Token, Any, false),
        (SAFE, deleted, Guard::Token, Any, false),
    ] {
        let (verdict, clients) = answer(asked(runner.clone(), bounds, guard, latency));
        let expected = if is_right { Verdict::Safe } else { Verdict::Unsafe };
        assert_eq!(verdict, expected, "{runner:?}, {bounds:?}, {guard:?}, {latency:?}");
        assert!(!is_right || clients == ClientCount::Any);
    }
}

#[test]
fn a_token_that_is_used_after_a_renewal_is_right_whatever_happens() {
    for bounds in [
        delays(1).with_length(Fault::Pause, Count::Any, s(20)),
        delays(1).with(Fault::RowDeletion, 1).with(Fault::LostMessage, Count::Any),
        delays(0).with(Fault::Crash, 1).with(Fault::Restart, 1).with(Fault::Stop, 1),
    ] {
        for runner in [RunnerKind::Safe, RunnerKind::Upstream] {
            let question = asked(runner, bounds, Guard::RenewedToken, WriteLatency::Any);
            assert_eq!(answer(question), RIGHT);
        }
    }
}

/// The Lock of a call that is over can bring back the row for which these two guards ask.
#[test]
fn a_write_is_proved_for_any_number_of_processes_unless_the_guard_asks_for_the_row() {
    let bounds = delays(1).with(Fault::LostMessage, Count::Any);
    let bounds = bounds.with_length(Fault::LocketCrash, Count::Any, s(9));
    for guard in GUARDS {
        let question = asked(RunnerKind::Safe, bounds, guard, up_to(1));
        let search = search(question, Reductions::default(), 200_000);
        let any_processes = search.proof().expect("it is right").any_processes;
        let asks_for_row = matches!(guard, Guard::ModifiedIndex | Guard::Owner);
        assert_eq!(any_processes, !asks_for_row, "{guard:?}");
    }
}

#[test]
fn a_guard_makes_nothing_wrong_that_is_right_without_one() {
    let questions = (0..).map(|case| Random::of(2, case).question());
    let of_writes = questions.filter(|it| it.property == Property::NoWrongWrite);
    for question in of_writes.take(20) {
        let latency = question.storage.map(|it| it.write_latency).unwrap_or_default();
        let verdict = |guard| {
            let question = with_storage(question.clone(), guard, latency);
            search(question, Reductions::default(), 50_000).verdict()
        };
        if verdict(Guard::None) == Verdict::Safe {
            for guard in GUARDS {
                assert_ne!(verdict(guard), Verdict::Unsafe, "{guard:?}: {question:?}");
            }
        }
    }
}
