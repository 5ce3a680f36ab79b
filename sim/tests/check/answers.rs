//! An answer tells people and programs what was found, and how it comes about.

use locket_sim::check::{Question, Reductions, Verdict};

use super::rig::search_with;

fn answer(question: &str) -> locket_sim::check::Answer {
    let question = Question::from_json(question).expect("the question makes sense");
    let search = search_with(question, Reductions::default());
    search.answer().expect("the world repeats it")
}

#[test]
fn a_violation_is_a_story_with_what_the_row_has_left() {
    let answer = answer(r#"{"bounds": {"delay": "6s"}}"#);
    let story = answer.to_string();
    for line in [
        "possible: two owners act at once",
        "6.000  a acts as the owner from here on (the row of a has 9.0 s left)",
        "11.000  a locks lock for 15 s and waits at most 5 s",
        "15.000  b acts as the owner from here on (the row of b has 15.0 s left)",
        "16.000  a stops acting",
        "Two owners act at once for 1.0 s.",
    ] {
        assert!(story.contains(line), "{line}\n{story}");
    }
}

#[test]
fn a_row_that_expires_is_told_once() {
    let (_, story) = answer(r#"{"bounds": {"delay": "1s", "pause": "8s"}}"#)
        .counterexample
        .expect("there is a violation");
    let told = |words: &str| story.lines.iter().any(|line| line.words.contains(words));
    assert!(told("expires"), "{story}");
    assert!(!told("is gone"), "{story}");
}

#[test]
fn a_row_that_a_failover_takes_is_told_as_gone() {
    let answer = answer(r#"{"bounds": {"delay": "1s", "failovers": 1}}"#);
    assert!(
        answer.to_string().contains("the row of lock is gone"),
        "{answer}"
    );
}

#[test]
fn a_story_says_what_else_each_number_could_be() {
    let answer = answer(r#"{"bounds": {"delay": "1s", "pause": "8s"}}"#);
    let (_, story) = answer.counterexample.expect("there is a violation");
    let pause = story
        .ranges
        .iter()
        .find(|it| it.what.contains("stands still"));
    let pause = pause.expect("there is a pause");
    assert_eq!(pause.value.as_ms(), 8_000);
    assert_eq!(pause.least.as_ms(), 8_000);
    assert!(pause.most > pause.least);
}

#[test]
fn a_proof_says_how_many_states_were_tried() {
    let answer = answer(r#"{"bounds": {"delay": "2s"}}"#);
    assert_eq!(answer.verdict, Verdict::Proved);
    let states = format!("all {} states were tried", answer.states);
    assert!(answer.to_string().contains(&states), "{answer}");
}

#[test]
fn an_answer_in_json_carries_the_scenario() {
    let answer = answer(r#"{"bounds": {"delay": "1s", "pause": "8s"}}"#);
    let json: serde_json::Value = serde_json::from_str(&answer.to_json()).expect("it is JSON");
    assert_eq!(json["verdict"], "violated");
    assert_eq!(json["twoOwnersFor"], 1000);
    let run = locket_sim::scenario::run_text(&json["scenario"].to_string());
    assert_eq!(
        run.expect("it is a scenario").failures,
        Vec::<String>::new()
    );
    assert!(
        json["story"]["lines"]
            .as_array()
            .is_some_and(|it| it.len() > 10)
    );
}

const SLOW_CLOCK: &str = r#""clients": [{"ratePpm": -1000}, {}]"#;

#[test]
fn a_violation_with_a_slow_clock_is_shown_by_an_exact_run() {
    let slower = SLOW_CLOCK.replace("1000", "50000");
    let answer = answer(&format!(
        r#"{{"ttl": "3s", "retry": "1s", "bounds": {{"delay": "1s"}}, {slower}}}"#
    ));
    assert_eq!(answer.verdict, Verdict::Violated, "{answer}");
    let (counterexample, _) = answer.counterexample.expect("there is a violation");
    assert!(counterexample.two_owners_for.as_ms() > 0);
}

#[test]
fn what_only_the_grid_of_the_search_shows_is_no_verdict() {
    let answer = answer(&format!(
        r#"{{"ttl": "5s", "retry": "1s", "firstAttemptDeadline": true, "bounds": {{"delay": "3s", "losses": 1}}, {SLOW_CLOCK}}}"#
    ));
    assert_eq!(answer.verdict, Verdict::NotFinished, "{answer}");
    assert!(answer.is_off_grid && answer.counterexample.is_none());
    assert!(
        answer.to_string().contains("a clock of another rate"),
        "{answer}"
    );
}
