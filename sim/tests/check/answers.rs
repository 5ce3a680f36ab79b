//! An answer tells people and programs the verdict and its counterexample.

use locket_sim::check::{Fault, Question, Reductions, Search, Verdict, WhyUnknown};

use super::rig::{delays, s, search_with, upstream};

fn answer(question: &str) -> locket_sim::check::Answer {
    let question = Question::from_json(question).expect("the question makes sense");
    let search = search_with(question, Reductions::default());
    search.answer().expect("the world repeats it")
}

#[test]
fn a_violation_is_a_story_with_what_the_row_has_left() {
    let answer = answer(r#"{"runner": "upstream", "profile": "upstream", "latency": "6s"}"#);
    let story = answer.to_string();
    for line in [
        "Unsafe within these bounds: a schedule without a fault has two owners at the same time, after 15 s. Bounds: messages ≤ 6 s, no pause, no message lost, no other fault.\n",
        "6.000  a believes it holds the lock (the row of a has 9 s left)",
        "11.000  a locks lock for 15 s and waits at most 5 s",
        "15.000  b believes it holds the lock (the row of b has 15 s left)",
        "16.000  a no longer believes it holds the lock",
        "Two owners at the same time for 1 s in this schedule.",
    ] {
        assert!(story.contains(line), "{line}\n{story}");
    }
}

#[test]
fn a_row_that_expires_is_told_once() {
    let (_, story) = answer(r#"{"runner": "upstream", "profile": "upstream", "latency": "1s", "faults": {"pause": {"length": "8s", "count": 1}}}"#)
        .counterexample
        .expect("there is a violation");
    let told = |words: &str| story.lines.iter().any(|line| line.words.contains(words));
    assert!(told("expires"), "{story}");
    assert!(!told("is deleted"), "{story}");
}

#[test]
fn a_row_that_a_failover_takes_is_told_as_gone() {
    let answer = answer(
        r#"{"runner": "upstream", "profile": "upstream", "latency": "1s", "faults": {"failover": 1}}"#,
    );
    assert!(answer.to_string().contains("the row of lock is deleted"), "{answer}");
}

#[test]
fn a_story_says_what_each_number_could_be_with_all_else_unchanged() {
    let answer = answer(
        r#"{"runner": "upstream", "profile": "upstream", "latency": "1s", "faults": {"pause": {"length": "8s", "count": 1}}}"#,
    );
    let (_, story) = answer.counterexample.as_ref().expect("there is a violation");
    let pause = story.ranges.iter().find(|it| it.what.contains("paused"));
    let pause = pause.expect("there is a pause");
    assert_eq!(pause.value.as_ms(), 8_000);
    assert_eq!(pause.least.as_ms(), 8_000);
    assert!(pause.most > pause.least);
    assert_eq!(pause.tried.as_ms(), 16_000);
    let text = answer.to_string();
    let (_, ranges) = text
        .split_once("In this schedule, with all else unchanged:\n")
        .expect("the story has ranges");
    assert_eq!(ranges.lines().count(), story.ranges.len(), "{text}");
    assert!(ranges.contains("a is paused for 8 s; all times from 8 s to "), "{text}");
}

#[test]
fn a_story_has_no_line_that_says_nothing() {
    for bounds in [
        r#""latency": "6s""#,
        r#""latency": "1s", "faults": {"pause": {"length": "8s", "count": 1}}"#,
    ] {
        let answer =
            answer(&format!(r#"{{"runner": "upstream", "profile": "upstream", {bounds}}}"#));
        let (_, story) = answer.counterexample.expect("there is a violation");
        for range in &story.ranges {
            let is_free = range.least.as_ms() == 0 && range.most == range.tried;
            assert!(!is_free, "{range}");
        }
        let last = story.lines.last().expect("the story has lines");
        assert!(last.words.contains("no longer believes"), "{story}");
        let refused = story.lines.iter().filter(|it| it.words.contains("lock-collision"));
        let mut times: Vec<_> = refused.map(|it| (it.time, &it.words[..1])).collect();
        let count = times.len();
        times.dedup();
        let refused_owner_stops = 1;
        assert!(count - times.len() <= refused_owner_stops, "{story}");
    }
}

#[test]
fn a_proof_says_its_bounds_and_how_many_states_were_checked() {
    let answer = answer(r#"{"runner": "upstream", "profile": "upstream", "latency": "2s"}"#);
    assert_eq!(answer.verdict, Verdict::Safe);
    let words = format!(
        "Safe within these bounds: no schedule has two owners at the same time. Bounds: messages ≤ 2 s, no pause, no message lost, no other fault. That holds for any number of clients. Checked all {} states.\n",
        answer.states
    );
    assert_eq!(answer.to_string(), words);
}

#[test]
fn every_bound_is_said_in_words_with_a_unit_and_a_number_that_agrees() {
    for (bounds, said) in [
        (r#""latency": "1s""#, "messages ≤ 1 s, no pause, no message lost, no other fault."),
        (r#""latency": "0s""#, "messages take no time, no pause"),
        (
            r#""faults": {"pause": {"length": "2.5s", "count": 1}, "lostMessage": 1, "crash": 1}"#,
            "one pause ≤ 2.5 s, one message lost, one crash, no other fault. A paused client that believes it holds the lock counts as an owner.",
        ),
        (
            r#""faults": {"pause": {"length": "1s", "count": 2}, "lostMessage": 2, "stop": 2, "restart": 1, "rowDeletion": 2}"#,
            "up to 2 pauses ≤ 1 s each, up to 2 messages lost, up to 2 rows deleted, one restart, up to 2 stops, no other fault.",
        ),
        (
            r#""faults": {"locketCrash": {"length": "2s", "count": 1}, "lostReply": 1, "failover": 2}"#,
            "up to 2 failovers (losing 1 commit), one Locket crash (down ≤ 2 s), one lost database reply, no other fault. A connection's back-off is not counted: after an outage, a client of this package connects at its next attempt, but one of grpc-go, or behind a cut link, may stay unconnected for about as long again.",
        ),
    ] {
        let question = format!(
            r#"{{"runner": "upstream", "profile": "upstream", "ttl": "3s", "retryInterval": "1s", {bounds}}}"#
        );
        let question = Question::from_json(&question).expect("the question makes sense");
        let mut search = Search::new(question, Reductions::default(), 10).expect("it makes sense");
        search.run(u64::MAX);
        let words = search.answer().expect("nothing was found").summary();
        assert!(words.starts_with("Unknown within these bounds: the search stopped at 10 states. No schedule without a fault that ends before "), "{words}");
        assert!(words.contains(said), "{words}");
    }
}

/// Neither clients nor the network of a search wait before they connect again, as real ones do.
#[test]
fn bounds_with_an_outage_that_keeps_clients_from_connecting_say_that_back_off_is_not_counted() {
    let prevents = [
        Fault::LocketCrash,
        Fault::LocketDrain,
        Fault::DatabaseCrash,
        Fault::Isolation,
        Fault::Partition,
    ];
    for fault in Fault::ALL {
        let bounds = delays(1).with_length(fault, 1, s(4));
        let mut search = Search::new(upstream(15, 5, bounds), Reductions::default(), 10).unwrap();
        search.run(u64::MAX);
        let answer = search.answer().expect("it was cut");
        let view = serde_json::to_value(answer.view()).expect("it can be written");
        for words in [&answer.summary(), view["bounds"].as_str().expect("a text")] {
            let says = words.contains(" A connection's back-off is not counted");
            assert_eq!(says, prevents.contains(&fault), "{words}");
        }
    }
}

#[test]
fn a_message_may_take_a_second_where_a_question_does_not_say() {
    let question = Question::from_json("{}").expect("the question makes sense");
    assert_eq!(question.bounds.latency.as_ms(), 1_000);
}

#[test]
fn an_answer_carries_the_scenario_and_its_story() {
    let answer = answer(
        r#"{"runner": "upstream", "profile": "upstream", "latency": "1s", "faults": {"pause": {"length": "8s", "count": 1}}}"#,
    );
    let found = answer.view();
    assert_eq!(found.two_owners_for, Some(s(1)));
    let run = locket_sim::scenario::run_text(found.scenario.unwrap_or_default());
    assert_eq!(run.expect("it is a scenario").failures, Vec::<String>::new());
    assert!(found.story.is_some_and(|it| it.lines.len() > 10));
}

const SLOW_CLOCK: &str = r#""clients": [{"ratePpm": -1000}, {}]"#;

#[test]
fn a_violation_with_a_slow_clock_is_shown_by_an_exact_run() {
    let slower = SLOW_CLOCK.replace("1000", "50000");
    let answer = answer(&format!(
        r#"{{"runner": "upstream", "profile": "upstream", "ttl": "3s", "retryInterval": "1s", "latency": "1s", {slower}}}"#
    ));
    assert_eq!(answer.verdict, Verdict::Unsafe, "{answer}");
    let (counterexample, _) = answer.counterexample.expect("there is a violation");
    assert!(counterexample.two_owners_for.as_ms() > 0);
}

#[test]
fn a_search_with_clock_rates_proves_nothing_and_says_so() {
    let answer = answer(&format!(
        r#"{{"runner": "safe", "ttl": "6s", "retryInterval": "2s", "latency": "0s", {SLOW_CLOCK}}}"#
    ));
    assert_eq!(answer.verdict, Verdict::Preview, "{answer}");
    assert_eq!(answer.view().because, Some(WhyUnknown::ClockRates));
    let summary = answer.summary();
    assert!(summary.contains("no step makes a search with clock rates exact"), "{summary}");
}

#[test]
fn what_only_the_grid_of_the_search_shows_is_no_verdict() {
    let answer = answer(&format!(
        r#"{{"runner": "upstream", "profile": "upstream", "ttl": "5s", "retryInterval": "1s", "firstAttemptDeadline": true, "latency": "3s", "faults": {{"lostMessage": 1}}, {SLOW_CLOCK}}}"#
    ));
    assert_eq!(answer.verdict, Verdict::NotFinished, "{answer}");
    assert_eq!(answer.because, Some(WhyUnknown::ClockRates));
    assert!(answer.counterexample.is_none());
    assert!(answer.to_string().contains("A clock with its own rate"), "{answer}");
}
