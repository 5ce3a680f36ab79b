//! The ways to search change no answer: reductions, slices, cores, and another model checker.

use locket_sim::check::{Answer, Bounds, Fault, Question, Reductions, Search, Verdict};
use locket_sim::scenario::RunnerKind;
use stateright::{Checker, Model};

use super::rig::{Changed, STATES_MAX, delays, ms, one_pause, s, search_with, two, upstream};
use super::space_model::{NO_REDUCTIONS, SpaceModel};

/// Questions on both sides of the edge, with every kind of fault.
fn questions() -> Vec<Question> {
    let mut questions = Vec::new();
    for (ttl, retry_interval, delay, pause) in [
        (4, 1, 1, 1),
        (4, 1, 1, 2),
        (5, 2, 1, 0),
        (5, 2, 1, 1),
        (6, 2, 0, 4),
        (6, 2, 0, 5),
        (6, 2, 2, 0),
        (6, 2, 2, 1),
        (6, 2, 3, 0),
    ] {
        questions.push(upstream(ttl, retry_interval, one_pause(delay, pause)));
    }
    let delayed = delays(1);
    for bounds in [
        delayed.with(Fault::LostMessage, 1),
        delayed.with(Fault::Crash, 1).with(Fault::Restart, 1),
        delayed.with(Fault::Restart, 1).with(Fault::Stop, 1),
        delayed.with_length(Fault::LocketCrash, 1, s(1)),
        delayed.with(Fault::LostReply, 1),
        delayed.with(Fault::RowDeletion, 1),
    ] {
        for runner in [RunnerKind::Upstream, RunnerKind::Safe] {
            questions.push(two(runner, 4, 1, bounds).with_each(|it| it.margin = Some(s(0))));
        }
    }
    let suspended = delays(0).with_length(Fault::Suspend, 1, ms(4_500));
    questions.push(two(RunnerKind::Safe, 6, 2, suspended));
    let all = Bounds::default().with(Fault::LostMessage, 1).with(Fault::Crash, 1);
    questions.push(two(RunnerKind::UpstreamBefore202510, 4, 1, all.with(Fault::Restart, 1)));
    questions
}

/// Neither answer nor the time of the first violation changes; says how many states are saved.
fn agrees(reductions: Reductions) -> (usize, usize) {
    let (mut with, mut without) = (0, 0);
    let mut verdicts = Vec::new();
    for question in questions() {
        let reduced = search_with(question.clone(), reductions);
        let full = search_with(question.clone(), NO_REDUCTIONS);
        assert_eq!(reduced.verdict(), full.verdict(), "{question:?}");
        if full.verdict() == Verdict::Unsafe {
            assert_eq!(reduced.reached(), full.reached(), "{question:?}");
        }
        verdicts.push(full.verdict());
        with += reduced.states();
        without += full.states();
    }
    assert!(verdicts.contains(&Verdict::Safe) && verdicts.contains(&Verdict::Unsafe));
    (with, without)
}

#[test]
fn no_reduction_changes_an_answer() {
    for (reductions, [of, saves]) in [
        (Reductions { symmetry: true, ..NO_REDUCTIONS }, [2, 3]),
        (Reductions { dead_states: true, ..NO_REDUCTIONS }, [1, 1]),
        (Reductions::default(), [1, 2]),
    ] {
        let (with, without) = agrees(reductions);
        assert!(with * saves < without * of, "{reductions:?}: {with} of {without}");
    }
}

#[test]
fn stateright_finds_the_same_states_and_the_same_verdicts() {
    for question in questions() {
        let ours = search_with(question.clone(), NO_REDUCTIONS);
        let theirs = SpaceModel::new(question.clone()).checker().spawn_bfs().join();
        let is_violated = theirs.discovery("it holds").is_some();
        assert_eq!(ours.verdict() == Verdict::Unsafe, is_violated, "{question:?}");
        if !is_violated {
            assert_eq!(ours.states(), theirs.unique_state_count(), "{question:?}");
        }
    }
}

/// Answer and number of visits; a budget that is small leaves nothing for others to do.
fn with_cores(cores: usize, question: &Question, states_max: usize, budget: u64) -> (Answer, u64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build();
    pool.expect("there are threads").install(|| {
        let search = Search::new(question.clone(), Reductions::default(), states_max);
        let mut search = search.expect("the question makes sense");
        while search.run(budget) == Verdict::Running {}
        let answer = search.answer().expect("the world repeats it");
        (answer, search.visits())
    })
}

#[test]
fn any_number_of_cores_and_of_slices_finds_the_same_states_and_the_same_schedule() {
    use Verdict::{NotFinished, Safe, Unsafe};
    // With enough to do for several cores.
    for (question, states_max, verdict) in [
        (upstream(15, 5, delays(5)).with_first_deadline(), STATES_MAX, Safe),
        (two(RunnerKind::Safe, 6, 2, one_pause(2, 6)), STATES_MAX, Safe),
        (upstream(15, 5, one_pause(3, 4)), STATES_MAX, Unsafe),
        (upstream(15, 5, one_pause(4, 2)), 10_000, NotFinished),
    ] {
        let alone = with_cores(1, &question, states_max, u64::MAX);
        assert_eq!(alone.0.verdict, verdict);
        for (cores, budget) in [(2, u64::MAX), (5, u64::MAX), (3, 1000), (1, 7)] {
            let together = with_cores(cores, &question, states_max, budget);
            assert_eq!(together, alone, "{cores} cores");
        }
    }
}
