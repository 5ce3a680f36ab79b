//! However many cores take part, the result is the same to the last state.

use locket_sim::check::{Answer, Question, Reductions, Search, Verdict};
use locket_sim::scenario::RunnerKind;

use super::rig::{STATES_MAX, delays, one_pause, two, upstream, with_first_deadline};

/// Questions with enough to do for several cores: proved, broken, and too large.
fn questions() -> [(Question, usize); 4] {
    [
        (with_first_deadline(upstream(15, 5, delays(5))), STATES_MAX),
        (two(RunnerKind::Safe, 6, 2, one_pause(2, 6)), STATES_MAX),
        (upstream(15, 5, one_pause(3, 4)), STATES_MAX),
        (upstream(15, 5, one_pause(4, 2)), 10_000),
    ]
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
fn any_number_of_cores_finds_the_same_states_and_the_same_schedule() {
    let mut verdicts = Vec::new();
    for (question, states_max) in questions() {
        let alone = with_cores(1, &question, states_max, u64::MAX);
        for (cores, budget) in [(2, u64::MAX), (5, u64::MAX), (3, 1000)] {
            let together = with_cores(cores, &question, states_max, budget);
            assert_eq!(together, alone, "{cores} cores");
        }
        verdicts.push(alone.0.verdict);
    }
    use Verdict::{NotFinished, Safe, Unsafe};
    assert_eq!(verdicts, [Safe, Safe, Unsafe, NotFinished]);
}
