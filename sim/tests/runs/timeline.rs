//! Claims about a branch over its whole time: what a diagram draws.

use locket_sim::protocol::message::Method;
use locket_sim::scenario;
use locket_sim::simulation::{CallCount, Fate, Simulation, Timeline};
use locket_sim::time::Time;

const UNDEADLINED: &str = include_str!("../../scenarios/first-attempt-has-no-deadline.json");
const LOST: &str = include_str!("../../scenarios/one-lost-renewal-today.json");
const CRASH: &str = include_str!("../../scenarios/holder-crashes.json");
const SAFE_PAUSED: &str =
    include_str!("../../scenarios/safe-runner-paused-longer-than-its-lease.json");
const LOCKETS_DOWN: &str = include_str!("../../scenarios/all-locket-processes-are-down.json");

fn simulation(scenario: &str) -> Simulation {
    Simulation::from_json(scenario).expect("the scenario is valid")
}

fn timeline(scenario: &str) -> Timeline {
    simulation(scenario).timeline().expect("it takes few steps")
}

fn seconds(from: Time, to: Time) -> (u64, u64) {
    (from.as_ms() / 1000, to.as_ms() / 1000)
}

#[test]
fn a_timeline_tells_the_same_run_as_a_run_does() {
    let run = scenario::run_text(UNDEADLINED).unwrap();
    let timeline = timeline(UNDEADLINED);
    assert_eq!(timeline.digest, run.digest);
    assert_eq!(timeline.events, run.events);
    assert_eq!(timeline.failures, run.failures);
}

#[test]
fn it_tells_what_is_to_come_and_does_not_move_the_simulation() {
    let mut simulation = simulation(UNDEADLINED);
    simulation.run_until(Time::from_ms(3_000)).unwrap();
    let here = simulation.position();
    let timeline = simulation.timeline().unwrap();
    assert_eq!(timeline.end, Time::from_ms(28_000));
    assert_eq!(simulation.position(), here);
    assert!(simulation.events().len() < timeline.events.len());
}

#[test]
fn so_far_it_tells_what_has_happened_and_no_more() {
    let mut simulation = simulation(UNDEADLINED);
    while simulation.step().unwrap() {
        let timeline = simulation.timeline_so_far().unwrap();
        assert_eq!(timeline.events, simulation.events());
        assert_eq!(timeline.digest, simulation.digest());
        assert_eq!(timeline.end, simulation.now());
        let spans = timeline.holders.iter().map(|it| it.span);
        let spans = spans.chain(timeline.beliefs.iter().map(|it| it.span));
        assert!(spans.into_iter().all(|span| span.to <= simulation.now()));
    }
    simulation.run_to_end().unwrap();
    assert_eq!(simulation.timeline_so_far(), simulation.timeline());
}

#[test]
fn it_counts_calls_by_what_became_of_them() {
    // Three calls of the holder, of which the last is lost. The other client calls each 5 s until it
    // holds the lock, and asks once who does.
    let of = |method, sent, refused, failed| CallCount { method, sent, refused, failed };
    let calls = [of(Method::Lock, 8, 4, 1), of(Method::Fetch, 1, 0, 0)];
    assert_eq!(timeline(LOST).calls, calls);
}

#[test]
fn it_tells_of_what_was_done_from_outside() {
    let mut simulation = simulation(UNDEADLINED);
    simulation.run_until(Time::from_ms(18_000)).unwrap();
    let crash = r#"{ "do": "crash", "node": "bbs-1" }"#;
    simulation.act_json(crash).unwrap();
    let timeline = simulation.timeline().unwrap();
    let outages: Vec<_> = timeline.outages.iter().map(|it| it.span).collect();
    assert_eq!(outages.len(), 1);
    assert_eq!(seconds(outages[0].from, outages[0].to), (18, 28));
}

#[test]
fn truth_and_belief_are_told_apart() {
    let timeline = timeline(UNDEADLINED);
    let holders: Vec<_> = timeline
        .holders
        .iter()
        .map(|it| (it.owner.as_str(), seconds(it.span.from, it.span.to)))
        .collect();
    assert_eq!(holders, [("bbs-0", (1, 16)), ("bbs-1", (17, 28))]);
    let beliefs: Vec<_> =
        timeline.beliefs.iter().map(|it| seconds(it.span.from, it.span.to)).collect();
    assert_eq!(beliefs, [(21, 26), (17, 28)]);
}

#[test]
fn two_owners_are_told_from_the_first_moment_to_the_last() {
    let timeline = timeline(UNDEADLINED);
    let [both] = &timeline.two_owners[..] else {
        panic!("{:?}", timeline.two_owners);
    };
    assert_eq!(seconds(both.span.from, both.span.to), (21, 26));
    assert_eq!(both.clients, ["bbs-1", "bbs-0"]);
}

#[test]
fn a_belief_that_ends_by_a_clock_ends_there_though_nothing_happens() {
    let timeline = timeline(SAFE_PAUSED);
    assert!(timeline.two_owners.is_empty(), "{:?}", timeline.two_owners);
    assert!(timeline.beliefs.len() > 1);
}

#[test]
fn a_slow_answer_is_under_way_for_as_long_as_it_takes() {
    let timeline = timeline(UNDEADLINED);
    let slow =
        timeline.messages.iter().find(|message| message.arrives == Some(Time::from_ms(21_000)));
    let slow = slow.expect("the answer to bbs-0's first Lock");
    assert_eq!(slow.sent, Time::from_ms(1_000));
    assert!(slow.is_answer);
}

#[test]
fn a_lost_message_is_told_with_the_event_that_sent_it() {
    let timeline = timeline(LOST);
    let lost = timeline.messages.iter().find(|message| message.fate == Fate::Lost).unwrap();
    assert_eq!(lost.arrives, None);
    assert!(lost.cause.is_some());
}

#[test]
fn a_message_to_a_node_that_is_down_is_told_as_refused() {
    let timeline = timeline(
        r#"{ "name": "n", "until": "9s", "network": { "latency": "2s" }, "clients": [{ "name": "a", "key": "k" }],
             "actions": [{ "at": "1s", "do": "lock", "node": "a" }, { "at": "2s", "do": "crash", "node": "locket-0" }] }"#,
    );
    let fates: Vec<_> = timeline
        .messages
        .iter()
        .map(|message| (message.fate, message.arrives.map(Time::as_ms)))
        .collect();
    assert_eq!(fates[0], (Fate::Refused, Some(3_000)));
}

#[test]
fn a_crash_ends_a_belief_and_not_the_row() {
    let timeline = timeline(CRASH);
    let crash = timeline.outages[0].span.from;
    let mut believed = timeline.beliefs.iter();
    assert!(believed.any(|it| it.span.to == crash));
    let mut held = timeline.holders.iter().map(|it| it.span);
    assert!(held.any(|span| span.from < crash && span.to > crash));
}

#[test]
fn a_state_tells_when_a_row_goes_by_itself() {
    for profile in ["documented", "upstream"] {
        let scenario = format!(
            r#"{{ "name": "n", "profile": "{profile}", "until": "30s",
                 "clients": [{{ "name": "a", "key": "k", "ttl": "15s" }}],
                 "actions": [{{ "at": "1s", "do": "lock", "node": "a" }}, {{ "at": "4s", "do": "lock", "node": "a" }}] }}"#
        );
        let mut simulation = simulation(&scenario);
        simulation.run_until(Time::from_ms(2_000)).unwrap();
        let ends = |simulation: &Simulation| simulation.state().expiries[0].ends;
        assert_eq!(ends(&simulation), Some(Time::from_ms(16_000)), "{profile}");
        simulation.run_until(Time::from_ms(5_000)).unwrap();
        assert_eq!(ends(&simulation), Some(Time::from_ms(19_000)), "{profile}");
    }
}

#[test]
fn nobody_has_a_timer_while_all_processes_are_down() {
    let mut simulation = simulation(LOCKETS_DOWN);
    let mut seen = false;
    while simulation.step().unwrap() {
        let state = simulation.state();
        seen |= state.expiries.iter().any(|it| it.ends.is_none());
    }
    assert!(seen);
}
