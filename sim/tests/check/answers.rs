//! An answer tells people and programs the verdict and its counterexample.

use locket_sim::check::{Answer, Fault, Property, Question, Reductions, Verdict, WhyUnknown};
use locket_sim::scenario::RunnerKind;

use super::rig::{Changed as _, answer, delays, one_pause, played, read, s, search, two, upstream};

/// The answer of a search that is cut at once.
fn cut(question: Question) -> Answer {
    search(question, Reductions::default(), 10).answer().expect("nothing was found")
}

#[test]
fn a_violation_is_a_story_with_what_the_row_has_left() {
    let story = answer(upstream(15, 5, delays(6))).to_string();
    for line in [
        "Unsafe within these bounds: a schedule without a fault has two owners at the same time, after 15 s. Settings: upstream runner, TTL 15 s, retry 5 s, on the shipped Locket. Bounds: messages ≤ 6 s, no pause, no message lost, no other fault.\n",
        "6.000  a believes it holds the lock (the row of a has 9 s left)",
        "11.000  a locks 'lock' for 15 s and waits at most 5 s",
        "15.000  b believes it holds the lock (the row of b has 15 s left)",
        "16.000  a no longer believes it holds the lock",
        "Two owners at the same time for 1 s in this schedule.",
    ] {
        assert!(story.contains(line), "{line}\n{story}");
    }
}

#[test]
fn a_story_tells_each_thing_once_and_ends_with_the_violation() {
    for bounds in [delays(6), one_pause(1, 8)] {
        let (_, story) = answer(upstream(15, 5, bounds)).counterexample.expect("it is broken");
        for range in &story.ranges {
            let is_free = range.least.as_ms() == 0 && range.most == range.tried;
            assert!(!is_free, "{range}");
        }
        let last = story.lines.last().expect("the story has lines");
        assert!(last.words.contains("no longer believes"), "{story}");
        let told = |words: &str| story.lines.iter().any(|line| line.words.contains(words));
        assert!(told("expires") && !told("is deleted"), "{story}");
        let refused = story.lines.iter().filter(|it| it.words.contains("lock-collision"));
        let mut times: Vec<_> = refused.map(|it| (it.time, &it.words[..1])).collect();
        let count = times.len();
        times.dedup();
        let refused_owner_stops = 1;
        assert!(count - times.len() <= refused_owner_stops, "{story}");
    }
}

#[test]
fn a_story_says_what_each_number_could_be_with_all_else_unchanged() {
    let answer = answer(upstream(15, 5, one_pause(1, 8)));
    let (_, story) = answer.counterexample.as_ref().expect("there is a violation");
    let pause = story.ranges.iter().find(|it| it.what.contains("paused"));
    let pause = pause.expect("there is a pause");
    assert_eq!([pause.value, pause.least, pause.tried], [s(8), s(8), s(16)]);
    assert!(pause.most > pause.least);
    let text = answer.to_string();
    let (_, ranges) = text
        .split_once("In this schedule, with all else unchanged:\n")
        .expect("the story has ranges");
    assert_eq!(ranges.lines().count(), story.ranges.len(), "{text}");
    assert!(ranges.contains("a is paused for 8 s; all times from 8 s to "), "{text}");
}

#[test]
fn a_proof_says_its_bounds_and_how_many_states_were_checked() {
    let answer = answer(upstream(15, 5, delays(2)));
    let words = format!(
        "Safe within these bounds: no schedule has two owners at the same time. Settings: upstream runner, TTL 15 s, retry 5 s, on the shipped Locket. Bounds: messages ≤ 2 s, no pause, no message lost, no other fault. That holds for any number of clients. Checked all {} states.\n",
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
            "up to 2 failovers (losing 1 commit), one Locket crash (down ≤ 2 s), one lost database reply, no other fault. A client connects at its first attempt after an outage; with the back-off of grpc-go it may take 1.92 s more.",
        ),
        (
            r#""faults": {"pause": "20s", "lostMessage": "any", "locketCrash": "30s"}"#,
            "any number of pauses ≤ 20 s each, any number of messages lost, any number of Locket crashes (down ≤ 30 s), no other fault",
        ),
    ] {
        let words =
            cut(read(&format!(r#"{{"runner": "upstream", "ttl": "9s", {bounds}}}"#))).summary();
        assert!(words.starts_with("Unknown within these bounds: "), "{words}");
        assert!(words.contains(said), "{words}");
    }
}

#[test]
fn bounds_with_an_outage_say_how_long_after_it_clients_may_not_connect() {
    let again = "for as long again, up to 120 s, until TCP sends again what was lost.";
    let outage = "A client that backs off may connect up to 3.072 s after an outage.".to_owned();
    for fault in Fault::ALL {
        let is_outage =
            matches!(fault, Fault::LocketCrash | Fault::LocketDrain | Fault::DatabaseCrash);
        let is_cut = matches!(fault, Fault::Isolation | Fault::Partition);
        let words = is_outage
            .then(|| outage.clone())
            .or_else(|| is_cut.then(|| format!("Not counted: a cut may last {again}")));
        let question = upstream(15, 5, delays(1).with_length(fault, 1, s(4)));
        let answer = cut(question.clone());
        let view = serde_json::to_value(answer.view()).expect("it can be written");
        for said in [&answer.summary(), view["bounds"].as_str().expect("a text")] {
            let says = said.contains("after an outage") || said.contains("TCP");
            assert_eq!(says, words.is_some(), "{said}");
            assert!(words.iter().all(|it| said.contains(it)), "{said}");
        }
        let counted = cut(question.about(Property::FalseLoss)).summary();
        assert_eq!(counted.contains(&format!("A cut counts {again}")), is_cut, "{counted}");
    }
    let fetch = two(RunnerKind::Safe, 15, 5, delays(1).with_length(Fault::LocketCrash, 1, s(4)));
    let words = cut(fetch).summary();
    assert!(words.contains("A client connects at its first attempt after an outage; with the back-off of grpc-go it may take 3.072 s more."), "{words}");
}

/// The question with a clock that runs too slowly for the grid of a search.
fn slow(members: &str, rate_ppm: i32) -> Answer {
    played(read(&format!(
        r#"{{{members}, "profile": "upstream", "clients": [{{"ratePpm": {rate_ppm}}}, {{}}]}}"#
    )))
}

#[test]
fn a_violation_with_a_slow_clock_is_shown_by_an_exact_run() {
    let broken = slow(r#""runner": "upstream", "ttl": "3s", "retryInterval": "1s""#, -50_000);
    assert_eq!(broken.verdict, Verdict::Unsafe, "{broken}");
    let (counterexample, _) = broken.counterexample.expect("there is a violation");
    assert!(counterexample.two_owners_for > s(0));
}

#[test]
fn where_rows_prove_nothing_what_a_grid_shows_of_clock_rates_is_no_verdict() {
    let unknown = slow(r#""ttl": "6s", "retryInterval": "2s", "latency": "0s""#, -50_000);
    assert_eq!(unknown.verdict, Verdict::Preview, "{unknown}");
    assert_eq!(unknown.because, Some(WhyUnknown::ClockRates));
    let summary = unknown.summary();
    assert!(summary.contains("no step makes a search with clock rates exact"), "{summary}");

    let on_grid = slow(
        r#""runner": "upstream", "ttl": "3s", "retryInterval": "1s", "firstAttemptDeadline": true, "latency": "3s", "faults": {"lostMessage": 1}"#,
        -1_000,
    );
    assert_eq!(on_grid.verdict, Verdict::NotFinished, "{on_grid}");
    assert_eq!(on_grid.because, Some(WhyUnknown::ClockRates));
    assert!(on_grid.counterexample.is_none());
    assert!(on_grid.to_string().contains("A clock with its own rate"), "{on_grid}");
}
