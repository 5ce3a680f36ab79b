//! A verdict is true: the search tries every order within an instant, faults included. It searches
//! every bound as given, and measures the shown numbers.

use locket_sim::check::{Answer, Question, Reductions, Search, Verdict};
use locket_sim::scenario::Scenario;

use super::rig::STATES_MAX;

fn search(question: &str) -> Search {
    let question = Question::from_json(question).expect("the question makes sense");
    let search = Search::new(question, Reductions::default(), STATES_MAX);
    let mut search = search.expect("the question makes sense");
    search.run(u64::MAX);
    search
}

fn verdict(question: &str) -> Verdict {
    search(question).verdict()
}

fn answer(question: &str) -> Answer {
    let mut search = search(question);
    search.run_to_longest(u64::MAX);
    search.answer().expect("the world repeats what was found")
}

// Every order within an instant

#[test]
fn an_eviction_between_two_requests_of_one_instant_makes_two_owners() {
    let question = r#"{"runner": "upstream", "profile": "upstream", "retryInterval": "1s", "latency": "0s", "faults": {"rowDeletion": 1}}"#;
    assert_eq!(verdict(question), Verdict::Unsafe);
}

#[test]
fn a_failover_between_two_requests_of_one_instant_makes_two_owners() {
    for runner in ["upstream", "safe"] {
        let question = format!(
            r#"{{"profile": "upstream", "runner": "{runner}", "retryInterval": "1s", "latency": "0s", "faults": {{"failover": 1}}}}"#
        );
        assert_eq!(verdict(&question), Verdict::Unsafe, "{runner}");
    }
}

#[test]
fn a_pause_between_a_request_and_its_reply_makes_two_owners_when_locket_restarts() {
    let question = r#"{"runner": "upstream", "profile": "upstream", "ttl": "4s", "retryInterval": "1s", "latency": "0s", "faults": {"pause": {"length": "3s", "count": 1}, "locketCrash": {"length": "2s", "count": 1}}}"#;
    assert_eq!(verdict(question), Verdict::Unsafe);
}

#[test]
fn a_process_that_crashes_again_as_it_starts_may_be_down_for_as_long_once_more() {
    let question = r#"{"profile": "upstream", "runner": "upstream-before-2025-10", "ttl": "4s", "retryInterval": "1s", "clients": [{}],
        "latency": "0s", "faults": {"locketCrash": {"length": "2s", "count": 2}},
        "property": {"is": "acquired", "allow": "3s"}}"#;
    assert_eq!(verdict(question), Verdict::Unsafe);
}

#[test]
fn a_row_that_comes_and_goes_within_an_instant_was_there() {
    let question = r#"{"profile": "upstream", "runner": "safe", "margin": "0s", "ttl": "3s", "retryInterval": "3s", "clients": [{}],
        "latency": "0s", "faults": {"failover": 1}, "property": {"is": "presence-gap", "allow": "2500ms"}}"#;
    assert_eq!(verdict(question), Verdict::Unsafe);
}

#[test]
fn a_message_sent_because_a_process_came_up_can_be_lost() {
    // The first attempt has no deadline: it waits for ever if its only request is lost.
    let question = r#"{"runner": "upstream", "profile": "upstream", "ttl": "3s", "retryInterval": "1s", "clients": [{}], "property": {"is": "acquired", "allow": "9s"},
        "latency": "0s", "faults": {"locketCrash": {"length": "1s", "count": 1}, "lostMessage": 1}}"#;
    assert_eq!(verdict(question), Verdict::Unsafe);
}

// Bounds

#[test]
fn a_count_that_is_not_searched_as_given_is_refused() {
    for field in [
        "lostMessage",
        "crash",
        "restart",
        "stop",
        "locketCrash",
        "lostReply",
        "failover",
        "rowDeletion",
    ] {
        let question = |count: u8| {
            format!(
                r#"{{"runner": "upstream", "profile": "upstream", "faults": {{"{field}": {count}}}}}"#
            )
        };
        assert!(Question::from_json(&question(15)).is_ok(), "{field}");
        let error = Question::from_json(&question(16)).expect_err("16 are too many");
        assert_eq!(error.field, format!("faults.{field}"));
        assert_eq!(error.message, "expected at most 15, not 16");
    }
}

#[test]
fn a_grid_that_divides_every_time_is_the_default() {
    let question = |more: &str| {
        let question = format!(
            r#"{{"runner": "upstream", "profile": "upstream", "ttl": "15s", "retryInterval": "2500ms", "latency": "1s", "faults": {{"pause": {{"length": "700ms", "count": 1}}}}{more}}}"#
        );
        Question::from_json(&question).expect("the question makes sense")
    };
    assert_eq!(question("").grid().as_ms(), 100);
    assert!(!question("").is_preview());
    assert!(!question(r#", "grid": "50ms""#).is_preview());
    assert!(question(r#", "grid": "1s""#).is_preview());
}

#[test]
fn a_time_that_makes_the_grid_fine_is_named_with_the_nearest_that_do_not() {
    let question = r#"{"runner": "upstream", "profile": "upstream", "latency": "999ms"}"#;
    let question = Question::from_json(question).expect("the question makes sense");
    let finest = question.finest().expect("the delay makes it fine");
    assert_eq!(finest.field, "latency");
    let times = [finest.grid, finest.below, finest.above, finest.coarser].map(|it| it.as_ms());
    assert_eq!(times, [1, 0, 1_000, 1_000]);
}

// The shown numbers

#[test]
fn a_question_that_was_once_lost_on_its_way_to_the_world_is_answered() {
    for question in [
        r#"{"runner": "upstream", "profile": "upstream", "ttl": "5s", "latency": "0s", "faults": {"lostReply": 1}}"#,
        r#"{"runner": "upstream", "profile": "upstream", "ttl": "5s", "retryInterval": "2s", "latency": "0s", "faults": {"pause": {"length": "2s", "count": 2}}}"#,
        r#"{"runner": "upstream", "ttl": "5s", "profile": "documented", "property": {"is": "acquired", "allow": "5s"}, "latency": "0s", "faults": {"crash": 1}}"#,
        r#"{"ttl": "5s", "retryInterval": "2s", "runner": "safe", "profile": "documented", "property": {"is": "no-client-acts", "allow": "14s"}, "latency": "1s"}"#,
    ] {
        let answer = answer(question);
        assert_ne!(answer.verdict, Verdict::NotFinished, "{question}");
    }
}

#[test]
fn what_is_shown_lasts_longer_than_is_tolerated() {
    let answer = answer(
        r#"{"profile": "upstream", "runner": "upstream-before-2025-10", "ttl": "6s", "retryInterval": "4s", "property": {"is": "one-owner", "allow": "4s"},
        "latency": "1s", "faults": {"pause": {"length": "8s", "count": 1}}}"#,
    );
    let (counterexample, _) = answer.counterexample.expect("there are two owners");
    assert!(counterexample.two_owners_for.as_ms() > 4_000);
}

#[test]
fn the_longest_violation_is_shown_beside_the_first() {
    let answer = answer(
        r#"{"runner": "upstream", "profile": "upstream", "latency": "1s", "faults": {"pause": {"length": "16s", "count": 1}}}"#,
    );
    let (first, _) = answer.counterexample.expect("there are two owners");
    let longest = answer.longest.expect("one of them lasts longest");
    assert!(answer.has_longest);
    assert_eq!(longest.lasted.as_ms(), 9_000);
    assert!(first.two_owners_for < longest.two_owners_for);
    let run = Scenario::from_json(&longest.scenario).expect("it is a scenario").run();
    assert_eq!(run.failures, Vec::<String>::new());
}

#[test]
fn a_violation_between_the_instants_of_the_search_is_shown_by_an_exact_run() {
    let answer = answer(
        r#"{"profile": "upstream", "runner": "safe", "margin": "150ms", "grid": "50ms", "clients": [{"ratePpm": -20000}, {}],
        "latency": "0s", "faults": {"pause": {"length": "16s", "count": 1}}}"#,
    );
    assert_eq!(answer.verdict, Verdict::Unsafe, "{answer}");
}

#[test]
fn the_longest_violation_is_never_shorter_than_the_first() {
    // Timers of the slow clock are due between the instants of the search.
    let question = r#"{"profile": "upstream", "ttl": "5s", "retryInterval": "1s", "processes": 2,
        "clients": [{"runner": "upstream-before-2025-10"}, {"runner": "upstream", "ratePpm": -20000}],
        "property": {"is": "presence-gap", "allow": "0s"}, "latency": "1s"}"#;
    let answer = answer(question);
    let (first, _) = answer.counterexample.expect("it is broken");
    let longest = answer.longest.expect("it is broken");
    assert!(longest.lasted >= first.lasted, "{longest:?} {first:?}");
}
