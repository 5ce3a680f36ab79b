//! The reductions of a search change no answer.

use locket_sim::check::{Fault, Question, Reductions, Verdict};
use locket_sim::scenario::RunnerKind;

use super::rig::{delays, one_pause, s, search_with, two, upstream};
use super::space_model::NO_REDUCTIONS;

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
    for fault in 0..6 {
        let bounds = delays(1)
            .with(Fault::LostMessage, u8::from(fault == 0))
            .with(Fault::Crash, u8::from(fault == 1))
            .with(Fault::Restart, u8::from(fault == 1 || fault == 2))
            .with(Fault::Stop, u8::from(fault == 2))
            .with_length(Fault::LocketCrash, u8::from(fault == 3), s(1))
            .with(Fault::LostReply, u8::from(fault == 4))
            .with(Fault::RowDeletion, u8::from(fault == 5));
        for runner in [RunnerKind::Upstream, RunnerKind::Safe] {
            let mut question = two(runner, 4, 1, bounds);
            for client in &mut question.clients {
                client.margin = Some(s(0));
            }
            questions.push(question);
        }
    }
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
fn exchanging_two_clients_changes_no_answer() {
    let (with, without) = agrees(Reductions { symmetry: true, ..NO_REDUCTIONS });
    assert!(with * 3 < without * 2, "{with} of {without}");
}

#[test]
fn what_is_safe_for_good_changes_no_answer() {
    let (with, without) = agrees(Reductions { dead_states: true, ..NO_REDUCTIONS });
    assert!(with < without, "{with} of {without}");
}

#[test]
fn all_reductions_together_change_no_answer() {
    let (with, without) = agrees(Reductions::default());
    assert!(with * 2 < without, "{with} of {without}");
}

#[test]
fn a_search_in_slices_finds_what_one_in_one_go_finds() {
    for question in questions() {
        let whole = search_with(question.clone(), Reductions::default());
        let mut sliced =
            locket_sim::check::Search::new(question, Reductions::default(), super::rig::STATES_MAX)
                .expect("the question makes sense");
        while sliced.run(7) == Verdict::Running {}
        assert_eq!(sliced.verdict(), whole.verdict());
        assert_eq!(sliced.states(), whole.states());
    }
}

#[test]
fn a_search_without_room_says_so() {
    let mut search =
        locket_sim::check::Search::new(upstream(15, 5, delays(2)), Reductions::NONE, 100)
            .expect("the question makes sense");
    assert_eq!(search.run(u64::MAX), Verdict::NotFinished);
    assert_eq!(search.states(), 100);
}
