//! Claims about writes to a storage, with answers by hand, and of random questions.

use locket_sim::check::{
    Bounds, ClientCount, Count, Fault, Property, Question, Reductions, Search, StorageQuestion,
    Verdict, WriteLatency,
};
use locket_sim::scenario::{Guard, RunnerKind, Scenario};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use super::random_questions::from_environment;
use super::rig::{STATES_MAX, delays, s, two};

const GUARDS: [Guard; 5] =
    [Guard::ModifiedIndex, Guard::None, Guard::Owner, Guard::RenewedToken, Guard::Token];
const PAUSES: Count = Count::Any;

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
    let search = Search::new(question, Reductions::default(), STATES_MAX);
    let mut search = search.expect("the question makes sense");
    search.run(u64::MAX);
    let answer = search.answer().expect("the world repeats the schedule");
    if let Some((found, _)) = &answer.counterexample {
        assert!(found.scenario.contains(r#""wrongWrites":1"#));
        let run = Scenario::from_json(&found.scenario).map(|it| it.run());
        assert_eq!(run.expect("it is a scenario").failures, [""; 0]);
    }
    (search.verdict(), search.clients())
}

const RIGHT: (Verdict, ClientCount) = (Verdict::Safe, ClientCount::Any);

fn assert_wrong(question: Question) {
    assert_eq!(answer(question).0, Verdict::Unsafe);
}

#[test]
fn where_no_holder_loses_its_lock_no_guard_is_needed() {
    for guard in GUARDS {
        let question = asked(RunnerKind::Upstream, delays(1), guard, WriteLatency::Any);
        assert_eq!(answer(question), RIGHT, "{guard:?}");
    }
}

#[test]
fn without_a_guard_a_safe_runner_is_right_if_its_margin_is_as_long_as_a_write_takes() {
    let bounds = delays(1).with(Fault::LostMessage, Count::Any);
    let question = |seconds| asked(RunnerKind::Safe, bounds, Guard::None, up_to(seconds));
    assert_eq!(answer(question(1)), RIGHT);
    assert_wrong(question(2));
}

#[test]
fn without_a_guard_a_pause_makes_a_write_wrong_whatever_runner_has_the_lock() {
    let bounds = delays(0).with_length(Fault::Pause, PAUSES, s(20));
    for runner in [RunnerKind::Safe, RunnerKind::Upstream] {
        assert_wrong(asked(runner, bounds, Guard::None, up_to(0)));
    }
}

#[test]
fn the_modified_index_lets_a_wrong_write_pass_as_no_guard_does() {
    let bounds = delays(0).with_length(Fault::Pause, PAUSES, s(20));
    for runner in [RunnerKind::Safe, RunnerKind::Upstream] {
        assert_wrong(asked(runner, bounds, Guard::ModifiedIndex, up_to(0)));
    }
}

#[test]
fn a_client_that_restarts_has_the_lock_at_once_and_its_former_life_may_still_write() {
    let bounds = delays(0).with(Fault::Crash, 1).with(Fault::Restart, 1);
    let of = |guard| asked(RunnerKind::Safe, bounds, guard, up_to(1));
    assert_wrong(of(Guard::None));
    assert_wrong(of(Guard::Owner));
    // The restart renews the row, whose index is higher then; a new life takes a new token.
    for guard in [Guard::ModifiedIndex, Guard::RenewedToken, Guard::Token] {
        assert_eq!(answer(of(guard)), RIGHT, "{guard:?}");
    }
}

#[test]
fn a_check_of_the_owner_is_right_with_a_safe_runner_of_one_life() {
    let bounds = delays(1).with_length(Fault::Pause, PAUSES, s(20));
    let of = |runner| asked(runner, bounds, Guard::Owner, up_to(2));
    assert_eq!(answer(of(RunnerKind::Safe)), RIGHT);
    // Upstream's runner takes a row again that it has lost, and does not know that another had it.
    assert_wrong(of(RunnerKind::Upstream));
}

#[test]
fn a_token_that_is_used_at_once_is_right_with_a_safe_runner_and_wrong_if_it_comes_too_late() {
    let paused = delays(0).with_length(Fault::Pause, PAUSES, s(20));
    let of = |runner, bounds| asked(runner, bounds, Guard::Token, WriteLatency::Any);
    assert_eq!(answer(of(RunnerKind::Safe, paused)), RIGHT);
    // It asks, is paused, and is given the newest token after another has written.
    assert_wrong(of(RunnerKind::Upstream, paused));
    let deleted = delays(0).with(Fault::RowDeletion, 1);
    assert_wrong(of(RunnerKind::Safe, deleted));
}

#[test]
fn a_token_that_is_used_after_a_renewal_is_right_whatever_happens() {
    let bounds = [
        delays(1).with_length(Fault::Pause, PAUSES, s(20)),
        delays(1).with(Fault::RowDeletion, 1).with(Fault::LostMessage, Count::Any),
        delays(0).with(Fault::Crash, 1).with(Fault::Restart, 1).with(Fault::Stop, 1),
    ];
    for bounds in bounds {
        for runner in [RunnerKind::Safe, RunnerKind::Upstream] {
            let question = asked(runner, bounds, Guard::RenewedToken, WriteLatency::Any);
            assert_eq!(answer(question), RIGHT);
        }
    }
}

#[test]
fn a_question_about_writes_says_what_it_needs() {
    let error = |text: &str| Question::from_json(text).expect_err(text).to_string();
    let missing = r#"{"property": {"is": "no-wrong-write"}}"#;
    assert!(error(missing).starts_with("storage: missing"));
    let shared = r#"{"sameOwner": true, "storage": {"guard": "none"}}"#;
    assert!(error(shared).starts_with("storage: "));
    let asked = Question::from_json(r#"{"storage": {"guard": "owner", "writeLatency": "any"}}"#);
    let asked = asked.expect("it makes sense");
    assert_eq!(asked.property, Property::NoWrongWrite);
    let storage = asked.storage.map(|it| (it.guard, it.write_latency));
    assert_eq!(storage, Some((Guard::Owner, WriteLatency::Any)));
}

/// A question with short times and a few faults.
fn random_question(random: &mut Pcg64) -> Question {
    let mut below = |limit: u64| random.next_u64() % limit;
    let runners = [RunnerKind::Safe, RunnerKind::Upstream, RunnerKind::UpstreamBefore202510];
    let mut bounds = delays(below(2));
    for _ in 0..1 + below(2) {
        let (count, long) = (1 + (below(3) == 0) as u8, s(1 + below(5)));
        bounds = match below(8) {
            0 => bounds.with(Fault::LostMessage, count),
            1 => bounds.with(Fault::Crash, 1).with(Fault::Restart, 1),
            2 => bounds.with(Fault::Stop, 1).with(Fault::Restart, 1),
            3 => bounds.with(Fault::RowDeletion, count),
            4 => bounds.with_length(Fault::Partition, 1, long),
            _ => bounds.with_length(Fault::Pause, count, long),
        };
    }
    let mut question = two(runners[below(3) as usize], 3 + below(3), 1 + below(2), bounds);
    question.clients[1].runner = runners[below(3) as usize];
    let latency = match below(4) {
        0 => WriteLatency::Any,
        seconds => up_to(seconds - 1),
    };
    with_storage(question, GUARDS[below(5) as usize], latency)
}

/// The seed of a failure is printed: `SEED=7 CASES=500 cargo test -p locket-sim of_random_questions_about_writes`.
#[test]
fn of_random_questions_about_writes_the_world_plays_each_schedule_and_a_proof_of_one_client_holds()
{
    let (seed, cases) = (from_environment("SEED", 1), from_environment("CASES", 40));
    let (mut wrong, mut proved) = (0, 0);
    for case in 0..cases {
        let question = random_question(&mut Pcg64::new(seed.into(), case.into()));
        let described = format!("SEED={seed}, case {case}: {question:?}");
        let ask = |each_client| {
            let reductions = Reductions { each_client, ..Reductions::default() };
            let search = Search::new(question.clone(), reductions, 150_000);
            let mut search = search.expect("the question makes sense");
            let verdict = search.run(u64::MAX);
            let played = search.answer();
            assert!(played.is_ok(), "{played:?}\n{described}");
            (verdict, search.clients())
        };
        let (all, each) = (ask(false), ask(true));
        wrong += u64::from(all.0 == Verdict::Unsafe);
        if each == RIGHT {
            proved += 1;
            assert_ne!(all.0, Verdict::Unsafe, "{described}");
        }
    }
    assert!(wrong > cases / 10 && proved > cases / 10, "{wrong} wrong, {proved} proved");
}

#[test]
fn a_guard_makes_nothing_wrong_that_is_right_without_one() {
    for case in 0..20 {
        let question = random_question(&mut Pcg64::new(2, case));
        let latency = question.storage.map(|it| it.write_latency).unwrap_or_default();
        let verdict = |guard| {
            let question = with_storage(question.clone(), guard, latency);
            let search = Search::new(question, Reductions::default(), 150_000);
            search.expect("the question makes sense").run(u64::MAX)
        };
        if verdict(Guard::None) == Verdict::Safe {
            for guard in GUARDS {
                assert_ne!(verdict(guard), Verdict::Unsafe, "{guard:?}: {question:?}");
            }
        }
    }
}
