//! Claims about safety margins: the shortest fault, moment by moment, that gives two owners.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use locket_sim::check::{Bounds, ClientQuestion, Question, Reductions, Search, Verdict};
use locket_sim::scenario::RunnerKind;
use locket_sim::simulation::{
    MarginQuestion, NodeFault, SafetyMargin, Simulation, SimulationError,
};
use locket_sim::time::{Duration, Time};

const PAUSED: &str = include_str!("../scenarios/holder-paused-longer-than-its-lease.json");
const SAFE: &str = include_str!("../scenarios/safe-runner-paused-longer-than-its-lease.json");
const SLOW_FIRST: &str = include_str!("../scenarios/first-attempt-has-no-deadline.json");
const COLLISION: &str = include_str!("../scenarios/collision-while-the-holder-renews.json");
const FIRST_LOOK: &str = include_str!("../scenarios/first-look.json");
const SUSPENDED: &str = include_str!("../scenarios/machine-suspended-longer-than-its-lease.json");

const fn s(seconds: u64) -> Duration {
    Duration::from_seconds(seconds)
}

const fn at(ms: u64) -> Time {
    Time::from_ms(ms)
}

fn asked(simulation: &Simulation, question: MarginQuestion) -> SafetyMargin {
    let mut search = simulation.safety_margin(question).unwrap();
    assert_eq!(search.run(u64::MAX), Ok(true));
    assert_eq!(search.profile().moments.len() as u64, search.moments());
    search.profile().clone()
}

fn profile_with(scenario: &str, question: MarginQuestion) -> SafetyMargin {
    asked(&Simulation::from_json(scenario).unwrap(), question)
}

fn profile(scenario: &str) -> SafetyMargin {
    profile_with(scenario, MarginQuestion::default())
}

/// How many seconds of the fault are enough, moment by moment.
fn seconds(profile: &SafetyMargin) -> Vec<Option<u64>> {
    let smallest = profile.moments.iter().map(|it| it.smallest);
    smallest.map(|it| Some(it?.as_ms() / 1000)).collect()
}

// The result

#[test]
fn each_second_of_a_pause_leaves_a_second_less_until_two_owners() {
    let profile = profile(PAUSED);
    let during: Vec<_> = (7..=23).map(|second| seconds(&profile)[second]).collect();
    let falling: Vec<_> = (1..=17).rev().map(Some).collect();
    assert_eq!(during, falling);
    let nodes = profile.moments[7..=23].iter().map(|it| it.node.as_deref());
    assert!(nodes.eq([Some("bbs-0"); 17]));
}

#[test]
fn a_renewal_restores_the_margin() {
    let profile = profile(COLLISION);
    // Right before the renewals at 5 s and 10 s, and a second later.
    let seconds = seconds(&profile);
    assert_eq!((seconds[5], seconds[6]), (Some(13), Some(17)));
    assert_eq!((seconds[10], seconds[11]), (Some(13), Some(17)));
}

#[test]
fn the_point_of_no_return_is_when_waking_up_comes_too_late_to_renew() {
    let profile = profile(PAUSED);
    // The holder's renewal takes 100 ms to Locket, where the other's Lock arrives at 23.1 s.
    assert_eq!(profile.point_of_no_return, Some(at(23_001)));
    assert_eq!(profile.two_owners_at, Some(at(23_200)));
}

/// The scenario itself confirms the point of no return.
#[test]
fn a_pause_that_ends_before_the_point_of_no_return_harms_nobody() {
    for (length, has_two_owners) in [("17000ms", false), ("17001ms", true)] {
        let ended = PAUSED.replace(r#""for": "20s""#, &format!(r#""for": "{length}""#));
        let timeline = Simulation::from_json(&ended).unwrap().timeline().unwrap();
        let mut spans = timeline.two_owners.iter().map(|it| it.span);
        assert_eq!(
            spans.any(|span| span.from < span.to),
            has_two_owners,
            "{length}"
        );
    }
}

#[test]
fn a_reply_that_is_on_its_way_cannot_be_called_back() {
    let profile = profile(SLOW_FIRST);
    assert_eq!(profile.point_of_no_return, Some(at(1_001)));
    assert_eq!(profile.two_owners_at, Some(at(21_000)));
    assert_eq!(
        seconds(&profile)[1],
        None,
        "the slow link would have healed"
    );
}

#[test]
fn no_fault_is_needed_while_there_are_two_owners_and_only_then() {
    let profile = profile(PAUSED);
    let seconds = seconds(&profile);
    assert_eq!(seconds[24..=26], [Some(0); 3]);
    assert_eq!(seconds[27..], [None; 2]);
}

#[test]
fn short_pauses_never_give_a_runner_that_renews_a_rival() {
    let question = MarginQuestion {
        longest: s(12),
        ..MarginQuestion::default()
    };
    let profile = profile_with(COLLISION, question);
    assert!(seconds(&profile).iter().all(Option::is_none));
    assert_eq!(profile.point_of_no_return, None);
    assert_eq!(profile.two_owners_at, None);
}

#[test]
fn no_pause_and_no_cut_gives_the_safe_runner_a_rival() {
    for fault in [NodeFault::Pause, NodeFault::Cut] {
        let question = MarginQuestion {
            fault,
            ..MarginQuestion::default()
        };
        let profile = profile_with(SAFE, question);
        assert!(seconds(&profile).iter().all(Option::is_none), "{fault:?}");
        assert_eq!(profile.point_of_no_return, None);
    }
}

#[test]
fn a_cut_gives_two_owners_if_attempts_last_as_long_as_the_lease() {
    let question = MarginQuestion {
        fault: NodeFault::Cut,
        ..MarginQuestion::default()
    };
    let today = profile_with(COLLISION, question);
    assert!(seconds(&today).iter().all(Option::is_none));
    let runner = r#""retryInterval": "5s", "runner": "upstream-before-2025-10""#;
    let before = COLLISION.replace(r#""retryInterval": "5s", "runner": "upstream""#, runner);
    let before = profile_with(&before, question);
    // From right before the renewal at 5 s, whose answer is waited for until 20 s: the other
    // one's row is there at 17 s.
    assert_eq!(before.moments[5].node.as_deref(), Some("bbs-0"));
    assert!(before.moments[5].smallest.is_some());
}

#[test]
fn a_suspension_gives_even_the_safe_runner_a_rival() {
    let question = MarginQuestion {
        fault: NodeFault::Suspend,
        ..MarginQuestion::default()
    };
    let suspended = profile_with(SUSPENDED, question);
    assert!(suspended.point_of_no_return.is_some());
    let safe = profile_with(SAFE, question);
    assert!(seconds(&safe).iter().any(Option::is_some));
}

// Against the checker, which tries every schedule in another way

#[test]
fn the_least_pause_of_all_moments_and_phases_is_the_checkers() {
    for (ttl, retry_interval) in [(15, 5), (8, 2), (6, 3)] {
        let found = (0..retry_interval)
            .filter_map(|phase| least(ttl, retry_interval, phase))
            .min();
        let breaks = |pause| {
            let client = ClientQuestion::new(RunnerKind::Upstream, s(ttl), s(retry_interval));
            let question = Question {
                bounds: Bounds {
                    pauses: 1,
                    pause: s(pause),
                    ..Bounds::default()
                },
                profile: locket_sim::protocol::profile::Profile::UPSTREAM,
                ..Question::one_owner(client)
            };
            let mut search = Search::new(question, Reductions::default(), 1_000_000).unwrap();
            search.run(u64::MAX) == Verdict::Unsafe
        };
        let smallest = (1..=2 * ttl).find(|&pause| breaks(pause));
        assert_eq!(found, smallest, "{ttl} s, {retry_interval} s");
    }
}

/// The shortest pause that suffices at any moment if the second runner starts so much later.
fn least(ttl: u64, retry_interval: u64, phase: u64) -> Option<u64> {
    let scenario = format!(
        r#"{{ "name": "phase", "profile": "upstream", "until": "{ttl}s",
            "clients": [
                {{ "name": "a", "key": "k", "ttl": "{ttl}s", "retryInterval": "{retry_interval}s", "runner": "upstream" }},
                {{ "name": "b", "key": "k", "ttl": "{ttl}s", "retryInterval": "{retry_interval}s", "runner": "upstream", "startAt": "{}ms" }}
            ] }}"#,
        1000 * phase + 1
    );
    seconds(&profile(&scenario)).into_iter().flatten().min()
}

// Its arguments

#[test]
fn what_was_done_from_outside_counts_and_what_comes_later_does_not() {
    let mut simulation = Simulation::from_json(COLLISION).unwrap();
    simulation.run_until(at(6_000)).unwrap();
    simulation
        .act_json(r#"{ "do": "pause", "node": "bbs-0" }"#)
        .unwrap();
    let profile = asked(&simulation, MarginQuestion::default());
    let seconds = seconds(&profile);
    assert_eq!(seconds[6..=8], [Some(17), Some(16), Some(15)]);
}

#[test]
fn the_place_of_the_simulation_does_not_matter() {
    let mut simulation = Simulation::from_json(PAUSED).unwrap();
    let before = asked(&simulation, MarginQuestion::default());
    simulation.seek_time(at(24_000)).unwrap();
    assert_eq!(asked(&simulation, MarginQuestion::default()), before);
    assert_eq!(simulation.now(), at(24_000));
}

#[test]
fn slices_do_not_change_what_is_found() {
    let simulation = Simulation::from_json(PAUSED).unwrap();
    let mut search = simulation.safety_margin(MarginQuestion::default()).unwrap();
    let mut slices = 0;
    while !search.run(100).unwrap() {
        slices += 1;
    }
    assert!(slices > 100);
    assert_eq!(*search.profile(), profile(PAUSED));
}

#[test]
fn what_cannot_be_answered_is_refused_with_its_reason() {
    let refused = |scenario: &str, question| {
        let simulation = Simulation::from_json(scenario).unwrap();
        match simulation.safety_margin(question).map(drop).unwrap_err() {
            SimulationError::Argument { field, .. } => field,
            other @ (SimulationError::Link(_)
            | SimulationError::Scenario(_)
            | SimulationError::Steps(_)) => other.to_string(),
        }
    };
    let usual = MarginQuestion::default();
    let (step, grain, longest) = (s(0), s(0), s(0));
    assert_eq!(refused(PAUSED, MarginQuestion { step, ..usual }), "step");
    assert_eq!(refused(PAUSED, MarginQuestion { grain, ..usual }), "grain");
    assert_eq!(
        refused(PAUSED, MarginQuestion { longest, ..usual }),
        "longest"
    );
    let step = Duration::from_ms(1);
    assert_eq!(refused(PAUSED, MarginQuestion { step, ..usual }), "step");
    assert_eq!(refused(FIRST_LOOK, usual), "scenario");
}

#[test]
fn a_profile_is_told_in_words() {
    let profile = profile(PAUSED);
    let text = profile.to_string();
    assert!(
        text.contains("   23.000 s  █████████████████████████████   bbs-0 paused for 1 s\n"),
        "{text}"
    );
    assert!(text.contains("point of no return: 23.001 s"), "{text}");
}
