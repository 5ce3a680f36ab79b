//! Claims about safety margins: the shortest fault, moment by moment, that gives two owners.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use super::stories::shipped;
use locket_sim::check::{Bounds, ClientQuestion, Fault, Question, Reductions, Search, Verdict};
use locket_sim::scenario::RunnerKind;
use locket_sim::simulation::{
    Harm, MarginQuestion, NodeFault, NodeKind, RunStatus, SafetyMargin, Simulation,
    SimulationError, Span, Timeline,
};
use locket_sim::time::{Duration, Time};

const PAUSED: &str = include_str!("../../scenarios/holder-paused-longer-than-its-ttl.json");
const SAFE: &str = include_str!("../../scenarios/safe-runner-paused-longer-than-its-lease.json");
const SLOW_FIRST: &str = include_str!("../../scenarios/first-attempt-has-no-deadline.json");
const COLLISION: &str = include_str!("../../scenarios/collision-while-the-holder-renews.json");
const FIRST_LOOK: &str = include_str!("../../scenarios/first-look.json");
const SUSPENDED: &str = include_str!("../../scenarios/machine-suspended-longer-than-its-ttl.json");

const ONE_OWNER_TWICE: &str = include_str!("../../scenarios/two-processes-with-one-owner.json");

const fn s(seconds: u64) -> Duration {
    Duration::from_seconds(seconds)
}

const fn at(ms: u64) -> Time {
    Time::from_ms(ms)
}

fn asked(simulation: &Simulation, question: MarginQuestion) -> SafetyMargin {
    let mut search = simulation.safety_margin(question).unwrap();
    assert_eq!(search.run(u64::MAX), Ok(true));
    assert_eq!(search.known() as u64, search.moments());
    search.profile().clone()
}

fn profile_with(scenario: &str, question: MarginQuestion) -> SafetyMargin {
    asked(&Simulation::from_json(scenario).unwrap(), question)
}

fn profile(scenario: &str) -> SafetyMargin {
    profile_with(scenario, MarginQuestion::default())
}

/// How many seconds of the fault are enough, right before the events of each moment.
fn seconds(profile: &SafetyMargin) -> Vec<Option<u64>> {
    let moments = profile.moments.iter().filter(|it| !it.is_after);
    let smallest = moments.map(|it| it.smallest);
    smallest.map(|it| Some(it?.as_ms() / 1000)).collect()
}

// The result

/// The pause of the story with another length.
fn paused_for(length: &str) -> String {
    PAUSED.replace(r#""for": "20s""#, &format!(r#""for": "{length}""#))
}

#[test]
fn a_pause_in_force_goes_on_so_none_is_needed_where_it_leads_to_two_owners() {
    let profile = profile(PAUSED);
    assert_eq!(seconds(&profile)[6], Some(18), "right before it begins");
    assert_eq!(seconds(&profile)[7..=26], [Some(0); 20]);
}

#[test]
fn each_second_of_a_pause_leaves_a_second_less_until_two_owners() {
    let profile = profile(&paused_for("10s"));
    let during = profile.moments.iter();
    let during = during.filter(|it| (6_001..16_000).contains(&it.at.as_ms()));
    let lengths: Vec<_> = during.clone().map(|it| it.smallest).collect();
    let falling: Vec<_> = (9..=17).rev().map(|it| Some(s(it))).collect();
    assert_eq!(lengths, falling);
    for moment in during {
        assert_eq!(moment.node.as_deref(), Some("bbs-0"));
        assert!(moment.lasts_already, "it is paused already: {moment:?}");
    }
    assert!(profile.to_string().contains("bbs-0 paused for 17 s more"));
}

#[test]
fn a_link_that_is_cut_stays_cut_and_its_end_is_put_off_by_a_longer_cut() {
    let cut = |length: &str| {
        let action = r#"{ "at": "6s", "do": "cut", "from": "bbs-0", "to": "locket-0""#;
        COLLISION.replace(r#""actions": ["#, &format!(r#""actions": [{action}{length} }},"#))
    };
    let question = MarginQuestion { fault: NodeFault::Isolation, ..MarginQuestion::default() };
    let old = |scenario: String| {
        scenario.replace(r#""runner": "upstream""#, r#""runner": "upstream-before-2025-10""#)
    };
    // As long as it is cut, the holder of that age believes.
    let forever = profile_with(&old(cut("")), question);
    assert_eq!(seconds(&forever)[7], Some(0), "{forever}");
    let short = profile_with(&old(cut(r#", "for": "2s""#)), question);
    let during = short.moments.iter().find(|it| it.at == at(7_000)).unwrap();
    assert_ne!(during.smallest, Some(Duration::ZERO));
    assert_eq!(during.node.as_deref(), Some("bbs-0"));
    assert!(during.lasts_already);
}

#[test]
fn a_planned_end_of_a_fault_comes_as_planned() {
    let resumed = paused_for("20s")
        .replace(r#", "for": "20s" }"#, r#" }, { "at": "12s", "do": "resume", "node": "bbs-0" }"#);
    let profile = profile(&resumed);
    assert_eq!(seconds(&profile)[7..=11], [17, 16, 15, 14, 13].map(Some));
    assert_eq!(profile.point_of_no_return, None);
}

#[test]
fn a_renewal_restores_the_margin() {
    let profile = profile(COLLISION);
    // Right before the renewals at 5 s and 10 s, and a second later.
    let seconds = seconds(&profile);
    assert_eq!((seconds[5], seconds[6]), (Some(13), Some(17)));
    assert_eq!((seconds[10], seconds[11]), (Some(13), Some(17)));
}

/// The scenario itself confirms the point of no return.
#[test]
fn a_pause_that_ends_before_the_point_of_no_return_harms_nobody() {
    for (length, has_two_owners) in [("17000ms", false), ("17001ms", true)] {
        let ended = PAUSED.replace(r#""for": "20s""#, &format!(r#""for": "{length}""#));
        let timeline = Simulation::from_json(&ended).unwrap().timeline().unwrap();
        let mut spans = timeline.two_owners.iter().map(|it| it.span);
        assert_eq!(spans.any(|span| span.from < span.to), has_two_owners, "{length}");
    }
}

#[test]
fn a_reply_that_is_on_its_way_cannot_be_called_back() {
    let profile = profile(SLOW_FIRST);
    assert_eq!(profile.point_of_no_return, Some(at(1_000)));
    assert_eq!(profile.harm_at, Some(at(21_000)));
    assert_eq!(seconds(&profile)[1], Some(0), "the link stays slow");
}

#[test]
fn no_pause_and_no_cut_gives_the_safe_runner_a_rival() {
    for fault in [NodeFault::Pause, NodeFault::Isolation] {
        let profile = profile_with(SAFE, MarginQuestion { fault, ..MarginQuestion::default() });
        assert!(seconds(&profile).iter().all(Option::is_none), "{fault:?}");
        assert_eq!(profile.to_string().contains("TCP"), fault == NodeFault::Isolation);
        assert_eq!(profile.point_of_no_return, None);
    }
}

#[test]
fn a_cut_gives_two_owners_if_attempts_last_as_long_as_the_lease() {
    let question = MarginQuestion { fault: NodeFault::Isolation, ..MarginQuestion::default() };
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
    let question = MarginQuestion { fault: NodeFault::Suspend, ..MarginQuestion::default() };
    let suspended = profile_with(SUSPENDED, question);
    assert!(suspended.point_of_no_return.is_some());
    let safe = profile_with(SAFE, question);
    assert!(seconds(&safe).iter().any(Option::is_some));
}

// Presences

/// Two cells, of which the second starts later.
const CELLS: &str = r#"{ "name": "cells", "profile": "upstream", "until": "20s",
    "network": { "latency": "100ms" },
    "clients": [
        { "name": "cell-1", "kind": "presence", "key": "cell-1", "ttl": "6s", "retryInterval": "2s", "runner": "upstream" },
        { "name": "cell-2", "kind": "presence", "key": "cell-2", "ttl": "6s", "retryInterval": "2s", "runner": "upstream", "startAt": "1s" }
    ] }"#;

/// When a presence was missing after it had been there.
fn gaps(timeline: &Timeline, key: &str) -> Vec<Span> {
    let there: Vec<Span> =
        timeline.holders.iter().filter(|it| it.key == key).map(|it| it.span).collect();
    let ends = there.iter().map(|it| it.to);
    let begins = there.iter().skip(1).map(|it| it.from);
    let gaps = ends.zip(begins.chain([timeline.end]));
    gaps.map(|(from, to)| Span { from, to }).filter(|it| it.from < it.to).collect()
}

#[test]
fn the_shortest_cut_from_each_moment_loses_the_presence_and_one_millisecond_less_does_not() {
    let question = MarginQuestion {
        fault: NodeFault::Isolation,
        longest: s(8),
        grain: Duration::from_ms(1),
        step: Duration::from_ms(1_737),
    };
    let simulation = Simulation::from_json(CELLS).unwrap();
    let search = simulation.safety_margin(question).unwrap();
    let mut search = search.of_node("cell-1").unwrap();
    search.run(u64::MAX).unwrap();
    let profile = search.profile();
    assert_eq!(profile.harm, Harm::PresenceGap);
    let loses = |at: Time, length: u64| {
        let mut simulation = Simulation::from_json(CELLS).unwrap();
        simulation.seek_time(at).unwrap();
        let cut = format!(
            r#"{{ "do": "cut", "from": "cell-1", "to": "locket-0", "for": "{length}ms" }}"#
        );
        simulation.act_json(&cut).unwrap();
        simulation.run_until(at + s(20)).unwrap();
        !gaps(&simulation.timeline().unwrap(), "cell-1").is_empty()
    };
    let moments = profile.moments.iter().filter(|it| it.at > at(2_000));
    let mut tried = 0;
    for moment in moments {
        let length = moment.smallest.unwrap().as_ms();
        assert!(loses(moment.at, length), "{moment:?}");
        assert!(!loses(moment.at, length - 1), "{moment:?}");
        tried += 1;
    }
    assert!(tried > 8, "{tried}");
}

#[test]
fn a_cell_that_is_named_is_the_only_one_with_the_fault() {
    let question = MarginQuestion { fault: NodeFault::Isolation, ..MarginQuestion::default() };
    let simulation = Simulation::from_json(CELLS).unwrap();
    let margin = |name: &str| {
        let mut search = simulation.safety_margin(question).unwrap().of_node(name)?;
        search.run(u64::MAX).unwrap();
        Ok(search.profile().clone())
    };
    for name in ["cell-1", "cell-2"] {
        let profile: SafetyMargin = margin(name).unwrap();
        let nodes = profile.moments.iter().filter_map(|it| it.node.as_deref());
        assert!(nodes.clone().count() > 5, "{name}: {profile}");
        assert!(nodes.clone().all(|node| node == name), "{name}");
    }
    let unknown: Result<SafetyMargin, _> = margin("cell-3");
    assert!(matches!(unknown, Err(SimulationError::Argument { field, .. }) if field == "node"));
}

#[test]
fn a_presence_that_is_released_or_has_not_been_announced_is_not_missing() {
    let stopped =
        CELLS.replace("] }", r#"], "actions": [{ "at": "9s", "do": "stop", "node": "cell-1" }] }"#);
    let profile = profile(&stopped);
    assert_eq!(profile.harm_at, None);
    assert!(profile.moments.iter().all(|it| it.smallest != Some(s(0))));
}

// Against the checker, which tries every schedule in another way

#[test]
fn the_least_pause_of_all_moments_and_phases_is_the_checkers() {
    for (ttl, retry_interval) in [(15, 5), (8, 2), (6, 3)] {
        let found = (0..retry_interval).filter_map(|phase| least(ttl, retry_interval, phase)).min();
        let breaks = |pause| {
            let client = ClientQuestion::new(RunnerKind::Upstream, s(ttl), s(retry_interval));
            let question = Question {
                bounds: Bounds::default().with_length(Fault::Pause, 1, s(pause)),
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
    simulation.act_json(r#"{ "do": "pause", "node": "bbs-0", "for": "12s" }"#).unwrap();
    let profile = asked(&simulation, MarginQuestion::default());
    let seconds = seconds(&profile);
    assert_eq!(seconds[6..=8], [Some(17), Some(16), Some(15)]);
}

/// The story's branch with this act at that time.
fn branch(time: u64, act: &str) -> SafetyMargin {
    let mut simulation = Simulation::from_json(PAUSED).unwrap();
    simulation.run_until(at(time)).unwrap();
    simulation.act_json(act).unwrap();
    asked(&simulation, MarginQuestion::default())
}

#[test]
fn what_a_user_does_against_a_fault_counts_before_it_is_done() {
    let resumed = branch(20_000, r#"{ "do": "resume", "node": "bbs-0" }"#);
    assert_eq!(seconds(&resumed)[7..=9], [Some(17), Some(16), Some(15)]);
    assert!(resumed.unavoidable.is_empty());
}

#[test]
fn a_branch_in_which_an_act_prevents_two_owners_has_no_point_of_no_return() {
    for act in [r#"{ "do": "crash", "node": "bbs-0" }"#, r#"{ "do": "stop", "node": "bbs-1" }"#] {
        let rescued = branch(23_050, act);
        assert_eq!(rescued.harm_at, None, "{act}");
        assert_eq!(rescued.unavoidable, [], "{act}");
        assert_eq!(rescued.point_of_no_return, None, "{act}");
    }
}

#[test]
fn two_owners_are_unavoidable_until_one_of_them_ends_to_the_event() {
    let spans = |profile: &SafetyMargin| {
        let spans = profile.unavoidable.iter();
        spans.map(|it| (it.from, it.to)).collect::<Vec<_>>()
    };
    let ends = Some(at(26_200));
    assert_eq!(spans(&profile(PAUSED)), [(at(23_001), ends)]);
    let crashed = branch(23_300, r#"{ "do": "crash", "node": "bbs-0" }"#);
    assert_eq!(spans(&crashed), [(at(23_001), Some(at(23_300)))]);
    let last = crashed.moments.iter().rfind(|it| it.at == at(23_300));
    assert_eq!(last.map(|it| (it.is_after, it.smallest)), Some((true, None)));
}

#[test]
fn two_owners_that_are_over_and_do_not_come_back_are_avoidable_from_their_end_on() {
    let mut simulation = Simulation::from_json(ONE_OWNER_TWICE).unwrap();
    simulation.seek_time(at(13_850)).unwrap();
    let crash = r#"{ "do": "crash", "node": "bbs-1" }"#;
    simulation.act_json(crash).unwrap();
    let profile = asked(&simulation, MarginQuestion::default());
    let ends: Vec<_> = profile.unavoidable.iter().map(|it| it.to).collect();
    assert_eq!(ends, [Some(at(13_000))]);
}

/// Each statement about a story's run holds in this run.
#[test]
fn no_margin_contradicts_its_run() {
    let mut asked_about = 0;
    for (name, text) in shipped() {
        let simulation = Simulation::from_json(&text).unwrap();
        let (usual, mut end) = (MarginQuestion::default(), Simulation::from_json(&text).unwrap());
        let is_slow = simulation.end() > at(120_000) || simulation.scenario().clients.len() > 6;
        let Some(mut search) = simulation.safety_margin(usual).ok().filter(|_| !is_slow) else {
            continue;
        };
        search.run(u64::MAX).unwrap();
        asked_about += 1;
        end.run_to_end().unwrap();
        check_against_run(&name, search.profile(), &mut end);
    }
    assert!(asked_about > 20, "{asked_about}");
}

fn check_against_run(name: &str, profile: &SafetyMargin, run: &mut Simulation) {
    let timeline = run.timeline().unwrap();
    let spans = &profile.unavoidable;
    let is_unavoidable = |time: Time| {
        let mut spans = spans.iter();
        spans.any(|it| it.from <= time && it.to.is_none_or(|to| time < to))
    };
    let harmed: Vec<Span> = match profile.harm {
        Harm::PresenceGap => {
            let nodes = run.state().nodes.into_iter();
            let keys = nodes.filter(|it| it.is_runner && it.kind == NodeKind::Presence);
            let keys = keys.filter_map(|it| it.key);
            keys.flat_map(|key| gaps(&timeline, &key)).collect()
        }
        Harm::TwoOwners => timeline.two_owners.iter().map(|it| it.span).collect(),
    };
    let harm = || harmed.iter().copied();
    for span in harm().filter(|it| it.from < it.to) {
        assert!(is_unavoidable(span.from), "{name}: {span:?} of {spans:?}");
        let last = at(span.to.as_ms() - 1);
        assert!(is_unavoidable(last), "{name}: {span:?} of {spans:?}");
    }
    for span in spans.iter().filter(|it| it.to.is_some()) {
        let is_in = |it: &Span| it.from >= span.from && Some(it.to) <= span.to;
        assert!(harm().any(|it| is_in(&it)), "{name}: {span:?} came true never");
    }
    for moment in &profile.moments {
        let Some(node) = &moment.node else { continue };
        let time = moment.at.as_ms() - u64::from(!moment.is_after && moment.at > at(0));
        run.seek_time(at(time)).unwrap();
        let nodes = run.state().nodes;
        let state = nodes.iter().find(|it| it.name == *node).unwrap();
        assert_eq!(moment.lasts_already, state.status == RunStatus::Paused, "{name}: {moment:?}");
    }
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
    assert_eq!(refused(PAUSED, MarginQuestion { longest, ..usual }), "longest");
    let step = Duration::from_ms(1);
    assert_eq!(refused(PAUSED, MarginQuestion { step, ..usual }), "step");
    assert_eq!(refused(FIRST_LOOK, usual), "scenario");
}

#[test]
fn a_profile_is_told_in_words() {
    let profile = profile(PAUSED);
    let text = profile.to_string();
    assert!(
        text.contains("    5.000 s  █████████████████               bbs-0 paused for 13 s\n"),
        "{text}"
    );
    assert!(text.contains("point of no return: 23.001 s"), "{text}");
}
