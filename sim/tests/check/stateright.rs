//! Another model checker, Stateright, finds the same states and the same verdicts.

use locket_sim::check::{Bounds, Fault, Question, Reductions, Verdict};
use locket_sim::scenario::RunnerKind;
use stateright::{Checker, Model};

use super::rig::{one_pause, search_with, two, upstream};
use super::space_model::{NO_REDUCTIONS, SpaceModel};

/// How many states Stateright finds, and whether it finds a violation.
fn by_stateright(question: &Question) -> (usize, bool) {
    let checker = SpaceModel::new(question.clone()).checker().spawn_bfs().join();
    let is_violated = checker.discovery("it holds").is_some();
    (checker.unique_state_count(), is_violated)
}

fn questions() -> Vec<Question> {
    let faults =
        Bounds::default().with(Fault::LostMessage, 1).with(Fault::Crash, 1).with(Fault::Restart, 1);
    let mut questions = vec![
        two(RunnerKind::Safe, 4, 1, faults),
        two(RunnerKind::UpstreamBefore202510, 4, 1, faults),
        upstream(4, 1, faults),
    ];
    for (ttl, retry_interval, delay, pause) in
        [(15, 5, 2, 0), (15, 5, 0, 10), (15, 5, 0, 11), (6, 2, 2, 0), (6, 2, 3, 0), (5, 2, 1, 1)]
    {
        questions.push(upstream(ttl, retry_interval, one_pause(delay, pause)));
    }
    questions
}

#[test]
fn stateright_finds_the_same_states_and_the_same_verdicts() {
    let mut verdicts = Vec::new();
    for question in questions() {
        let ours = search_with(question.clone(), NO_REDUCTIONS);
        let reduced = search_with(question.clone(), Reductions::default());
        let (states, is_violated) = by_stateright(&question);
        assert_eq!(ours.verdict() == Verdict::Unsafe, is_violated, "{question:?}");
        assert_eq!(ours.verdict(), reduced.verdict(), "{question:?}");
        if !is_violated {
            assert_eq!(ours.states(), states, "{question:?}");
        }
        verdicts.push(is_violated);
    }
    assert!(verdicts.contains(&true) && verdicts.contains(&false));
}
