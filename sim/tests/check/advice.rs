//! Advice is what searches prove.

use locket_sim::check::{
    Adviser, ClientCount, Count, Fault, PauseMargin, Property, Question, Survival, Verdict,
};
use locket_sim::scenario::RunnerKind;
use locket_sim::time::Duration;

use super::rig::{STATES_MAX, delays, one_pause, s, two, upstream, verdict};

fn advice(question: &Question) -> locket_sim::check::Advice {
    question.advise(STATES_MAX).expect("the question makes sense")
}

#[test]
fn safe_settings_have_as_much_pause_to_spare_as_the_map_says() {
    let advice = advice(&upstream(15, 5, one_pause(1, 3)));
    assert_eq!(advice.verdict, Verdict::Safe);
    let spare = PauseMargin { pause: s(4), clients: ClientCount::Any, is_exact: true };
    assert_eq!(advice.spare_pause, Some(spare));
    assert!(advice.alternatives.is_empty());
}

#[test]
fn unsafe_settings_come_with_the_nearest_safe_ones() {
    let question = upstream(15, 5, one_pause(1, 9));
    let advice = advice(&question);
    assert_eq!(advice.verdict, Verdict::Unsafe);
    let found = advice.alternatives.iter();
    let found: Vec<_> = found.map(|it| (it.runner.clone(), it.ttl, it.retry_interval)).collect();
    assert_eq!(
        found,
        [
            (RunnerKind::Upstream, s(15), s(3)),
            (RunnerKind::Safe, s(15), s(5)),
            (RunnerKind::Upstream, s(17), s(5)),
        ]
    );
    for (ttl, retry_interval) in [(16, 5), (15, 4)] {
        let nearer = upstream(ttl, retry_interval, one_pause(1, 9));
        assert_eq!(verdict(nearer), Verdict::Unsafe);
    }
    assert!(advice.excluded.is_empty());
}

#[test]
fn advice_says_any_number_of_clients_where_that_is_proved() {
    let of = |advice: &locket_sim::check::Advice| {
        let view = serde_json::to_value(advice.view()).expect("it can be written");
        let alternatives = view["alternatives"].as_array().expect("a list").iter();
        let alternatives: Vec<_> = alternatives.map(|it| it["clients"].clone()).collect();
        let own = [&view["clients"], &view["sparePauseClients"]].map(Clone::clone);
        (own, alternatives)
    };
    let safe = advice(&upstream(15, 5, one_pause(1, 3)));
    assert_eq!(of(&safe).0, ["any", "any"]);
    let words = "That holds for any number of clients.";
    assert!(safe.to_string().contains(words), "{safe}");

    let broken = advice(&upstream(15, 5, one_pause(1, 9)));
    let (own, alternatives) = of(&broken);
    assert_eq!(own, [2.into(), serde_json::Value::Null]);
    assert_eq!(alternatives, ["any", "any", "any"]);
    let line = "the property holds for any number of clients.\n";
    assert_eq!(broken.to_string().matches(line).count(), 3, "{broken}");
}

#[test]
fn advice_does_not_say_any_number_of_clients_where_all_schedules_were_tried() {
    let mut question = upstream(15, 5, delays(1));
    question.property = Property::Acquired { allow: s(60) };
    let advice = advice(&question);
    assert_eq!(advice.verdict, Verdict::Safe);
    assert_eq!(advice.clients, ClientCount::Of(2));
    let spare = advice.spare_pause.expect("it is safe");
    assert_eq!(spare.clients, ClientCount::Of(2));
    let text = advice.to_string();
    assert!(!text.contains("any number"), "{text}");
}

/// The question without faults, about another property.
fn without_faults(question: &Question, property: Property) -> Question {
    Question {
        property,
        bounds: delays(question.bounds.latency.as_ms() / 1000),
        ..question.clone()
    }
}

#[test]
fn settings_with_which_an_owner_loses_its_lock_without_a_fault_are_not_offered() {
    for (ttl, retry_interval) in [(3, 5), (3, 1), (4, 4)] {
        let advice = advice(&upstream(ttl, retry_interval, delays(1)));
        let found = advice.alternatives.iter();
        let found: Vec<_> = found
            .map(|it| (it.runner.clone(), it.ttl.as_ms() / 1000, it.retry_interval.as_ms() / 1000))
            .collect();
        for (runner, ttl, retry_interval) in found.clone() {
            assert!(is_good(&two(runner, ttl, retry_interval, delays(1))), "{advice}");
        }
        assert!(found.contains(&(RunnerKind::Safe, 9, 3)), "{advice}");
    }
}

#[test]
fn advice_says_that_an_owner_can_lose_its_lock_without_a_fault_and_why() {
    let advice = advice(&two(RunnerKind::Safe, 3, 5, delays(1)));
    assert_eq!(advice.verdict, Verdict::Safe);
    assert_eq!(advice.false_loss, Verdict::Unsafe);
    let text = advice.to_string();
    let loss = "Without a fault, an owner can give up a lock that is still its own.";
    let why = "Why: at 2.75 s, a no longer believes it holds the lock: its lease ended";
    assert!(text.contains(loss) && text.contains(why), "{text}");
    assert!(!advice.alternatives.is_empty(), "{text}");
}

#[test]
fn a_pause_to_spare_of_which_no_end_was_found_is_at_least_that() {
    let unlimited = advice(&two(RunnerKind::Safe, 6, 2, delays(1)));
    let pause = s(12);
    assert_eq!(
        unlimited.spare_pause,
        Some(PauseMargin { pause, clients: ClientCount::Any, is_exact: false })
    );
    let text = unlimited.to_string();
    assert!(text.contains("Spare pause: at least 12 s, with any number of clients."), "{text}");

    let cut = upstream(15, 5, one_pause(1, 3)).advise(1_000);
    let cut = cut.expect("the question makes sense");
    let spare = cut.spare_pause.expect("it is proved");
    assert!(!spare.is_exact && spare.pause < s(5), "{cut}");
}

#[test]
fn advice_says_which_changes_are_of_no_use() {
    let bounds = delays(1).with(Fault::Failover, 1);
    let advice = advice(&upstream(3, 1, bounds));
    assert!(advice.alternatives.is_empty(), "{advice}");
    let text = advice.to_string();
    assert!(
        text.contains("None helps: TTLs from 4 s to 12 s; longer ones were not tried."),
        "{text}"
    );
    assert_eq!(text.matches("None helps: ").count(), advice.excluded.len(), "{text}");
}

#[test]
fn advice_rules_no_change_out_where_no_search_proves_anything() {
    let bounds = delays(1).with_length(Fault::Suspend, 1, s(1));
    let text = advice(&upstream(3, 1, bounds)).to_string();
    assert!(text.contains("Unknown: TTLs from 4 s to 12 s; longer ones were not tried."), "{text}");
    assert!(!text.contains("None helps"), "{text}");
    assert!(!text.contains("Safe instead"), "{text}");
}

#[test]
fn the_cost_of_settings_is_their_handover_and_their_requests() {
    let cost = advice(&upstream(15, 5, one_pause(1, 0))).cost;
    assert_eq!(cost.handover_max, Some(s(24)));
    assert!(cost.is_handover_proved);
    assert_eq!(cost.renewals_per_hour, 720);
    let handover = |allow| {
        let mut question = upstream(15, 5, one_pause(1, 0));
        question.bounds.faults[Fault::Crash].count = Count::UpTo(1);
        question.property = Property::NoClientActs { allow };
        verdict(question)
    };
    assert_eq!(handover(s(24)), Verdict::Safe);
    assert_eq!(handover(s(23)), Verdict::Unsafe);
}

/// True if settings are safe, and owners get the lock, keep it without a fault, and are followed by
/// others after a crash.
fn is_good(question: &Question) -> bool {
    let client = &question.clients[0];
    let (retry_interval, delay) = (client.retry_interval.as_ms(), question.bounds.latency.as_ms());
    let within = |ms| Duration::from_ms(ms);
    let owned = within(retry_interval + 2 * delay);
    let handover = within(client.ttl.as_ms() + retry_interval + 4 * delay);
    let mut crash = without_faults(question, Property::NoClientActs { allow: handover });
    crash.bounds.faults[Fault::Crash].count = Count::UpTo(1);
    let questions = [
        question.clone(),
        without_faults(question, Property::FalseLoss),
        without_faults(question, Property::Acquired { allow: owned }),
        crash,
    ];
    questions.into_iter().all(|it| verdict(it) == Verdict::Safe)
}

#[test]
fn longer_leases_are_left_out_only_where_they_are_good_too() {
    for (ttl, retry_interval, bounds) in [
        (3, 1, one_pause(0, 9)),
        (3, 1, one_pause(1, 9)),
        (4, 3, one_pause(1, 6)),
        (6, 5, one_pause(1, 4)),
        (2, 2, one_pause(3, 0)),
    ] {
        let found = advice(&upstream(ttl, retry_interval, bounds)).alternatives;
        let longer = found.iter().find(|it| it.ttl > s(ttl) && it.runner == RunnerKind::Upstream);
        let mut every =
            (ttl + 1..=ttl * 4).map(|ttl| (ttl, is_good(&upstream(ttl, retry_interval, bounds))));
        let first = every.find(|(_, is_good)| *is_good);
        assert_eq!(longer.map(|it| it.ttl), first.map(|(ttl, _)| s(ttl)), "{ttl} {retry_interval}");
        let bad_again = every.find(|(_, is_good)| !*is_good);
        assert_eq!(bad_again, None, "{ttl} {retry_interval}");
    }
}

#[test]
fn a_presence_has_pause_to_spare_too() {
    let text = r#"{ "runner": "diego-rep@2.138.0" }"#;
    let mut question = Question::from_json(text).expect("it makes sense");
    question.bounds = one_pause(1, 3);
    let advice = advice(&question);
    let spare = advice.spare_pause.expect("it is proved");
    assert!(spare.is_exact);
    let longest = spare.pause.as_ms() / 1000 + 3;
    question.bounds = one_pause(1, longest);
    assert_eq!(verdict(question.clone()), Verdict::Safe);
    question.bounds = one_pause(1, longest + 1);
    assert_eq!(verdict(question), Verdict::Unsafe);
}

/// Also where a search is cut and one of fewer clients goes on, in vain.
#[test]
fn in_slices_or_at_once_an_engine_finds_the_same() {
    const SLICE: u64 = 1_000;
    for states_max in [1_000, 20_000] {
        for question in [upstream(15, 5, one_pause(1, 3)), upstream(15, 5, one_pause(1, 9))] {
            let mut adviser = Adviser::new(question.clone(), states_max).expect("it makes sense");
            while !adviser.run(SLICE) {}
            let at_once = question.advise(states_max).expect("it makes sense");
            assert_eq!(*adviser.advice(), at_once);
        }
        let text = r#"{"retryInterval": "5s", "profile": "upstream", "faults": {"pause": "10s"}}"#;
        let mut at_once = Survival::from_json(text, states_max).expect("it makes sense");
        let mut sliced = at_once.clone();
        assert!(at_once.run(u64::MAX));
        while !sliced.run(SLICE) {}
        assert_eq!(sliced.view(), at_once.view());
    }
}
