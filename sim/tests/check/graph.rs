//! Claims about the graph of a question's states.

use locket_sim::check::{ClientQuestion, Question, Reductions, Search};
use locket_sim::scenario::RunnerKind;
use locket_sim::time::Duration;

fn question(runner: RunnerKind, pause: u64) -> Question {
    let seconds = Duration::from_seconds;
    let client = ClientQuestion::new(runner, seconds(3), seconds(1));
    let mut question = Question::one_owner(client);
    question.profile = locket_sim::protocol::profile::Profile::UPSTREAM;
    question.bounds.latency = Duration::ZERO;
    question.bounds.pauses = u8::from(pause > 0);
    question.bounds.pause = seconds(pause);
    question
}

#[test]
fn a_graph_has_the_states_that_a_search_finds() {
    let question = question(RunnerKind::Upstream, 0);
    let dot = question.graph(2_000).unwrap();
    let mut search = Search::new(question, Reductions::default(), 10_000).unwrap();
    search.run(u64::MAX);
    let nodes = dot.lines().filter(|line| line.contains("row")).count();
    assert_eq!(nodes, search.states());
    assert!(dot.contains("[label=\"a owns\\nrow of a\"]"), "{dot}");
    assert!(dot.contains("a client starts") && !dot.contains("broken"));
}

#[test]
fn a_graph_shows_where_the_property_is_broken() {
    let dot = question(RunnerKind::Upstream, 10).graph(2_000).unwrap();
    assert!(dot.contains("-> broken"));
}

#[test]
fn what_has_too_many_states_is_refused() {
    let error = question(RunnerKind::Upstream, 10).graph(5).unwrap_err();
    assert!(error.to_string().contains("more than 5 states"), "{error}");
}
