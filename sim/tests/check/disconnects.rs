//! Connections that break while Locket is up.

use locket_sim::check::{Bounds, Fault, Property, Question, Reductions, Search, Verdict};
use locket_sim::scenario::{RunnerKind, Scenario};

use super::rig::{STATES_MAX, delays, s, two, verdict};

fn breaks(disconnects: u8, latency: u64) -> Bounds {
    delays(latency).with(Fault::Disconnect, disconnects)
}

/// One client with a TTL of 15 s and a retry interval of 5 s.
fn alone(runner: RunnerKind, property: Property, bounds: Bounds) -> Question {
    let mut question = two(runner, 15, 5, bounds);
    question.clients.truncate(1);
    Question { property, ..question }
}

#[test]
fn a_connection_that_breaks_during_a_renewal_takes_upstreams_lock_and_not_the_safe_runners() {
    let loses =
        |runner, disconnects| verdict(alone(runner, Property::FalseLoss, breaks(disconnects, 1)));
    assert_eq!(loses(RunnerKind::Upstream, 0), Verdict::Safe);
    assert_eq!(loses(RunnerKind::Upstream, 1), Verdict::Unsafe);
    assert_eq!(loses(RunnerKind::Safe, 1), Verdict::Safe);
}

#[test]
fn a_lock_that_was_committed_before_its_connection_broke_is_the_clients_at_its_next_attempt() {
    // The first attempt fails after its commit, and the next one comes a retry interval later. A
    // lost message costs the same, and the safe runner's wait for its answer.
    let acquires = |allow, bounds| {
        let property = Property::Acquired { allow: s(allow) };
        verdict(alone(RunnerKind::Safe, property, bounds))
    };
    assert_eq!(acquires(6, breaks(1, 0)), Verdict::Safe);
    assert_eq!(acquires(4, breaks(1, 0)), Verdict::Unsafe);
}

#[test]
fn a_paused_client_hears_of_its_broken_connection_when_it_goes_on() {
    let scenario = r#"{
        "name": "a pause",
        "network": {"latency": "1s"},
        "clients": [{"name": "a", "key": "lock", "ttl": "15s", "retryInterval": "5s"}],
        "actions": [
            {"at": "500ms", "do": "pause", "node": "a", "for": "3s"},
            {"at": "1500ms", "do": "disconnect", "node": "a"}
        ],
        "until": "4s"
    }"#;
    let run = Scenario::from_json(scenario).expect("it is one").run();
    let of_a = run.events.iter().filter_map(|event| {
        let words = event.words(&run.names);
        (words.starts_with("a's") || words.contains("Unavailable")).then(|| (event.time(), words))
    });
    let heard: Vec<_> = of_a.collect();
    assert_eq!(heard.len(), 2, "{heard:?}");
    assert_eq!(heard[0].0.as_ms(), 1_500, "{heard:?}");
    assert_eq!(heard[1].0.as_ms(), 3_500, "{heard:?}");
}

#[test]
fn a_counterexample_with_a_broken_connection_is_a_scenario_that_disconnects() {
    let question = alone(RunnerKind::Upstream, Property::FalseLoss, breaks(1, 1));
    let search = Search::new(question, Reductions::default(), STATES_MAX);
    let mut search = search.expect("the question makes sense");
    search.run(u64::MAX);
    let answer = search.answer().expect("the world repeats what was found");
    let (counterexample, story) = answer.counterexample.expect("it is broken");
    let scenario = &counterexample.scenario;
    assert!(scenario.contains(r#""do":"disconnect""#), "{scenario}");
    let run = Scenario::from_json(scenario).expect("it is one").run();
    assert_eq!(run.failures, Vec::<String>::new());
    let words: Vec<&str> = story.lines.iter().map(|it| it.words.as_str()).collect();
    assert!(words.contains(&"a's connection to locket-0 breaks"), "{words:?}");
}
