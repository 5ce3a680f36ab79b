//! Claims about simulations: stepping, going back, branches, acts, calls and links.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use locket_sim::protocol::error::LockError;
use locket_sim::protocol::message::Response;
use locket_sim::scenario::{Position, Scenario, run_text};
use locket_sim::simulation::{CallAnswer, Simulation, SimulationError};
use locket_sim::time::Time;
use locket_sim::world::choice::{Site, SiteKind};
use locket_sim::world::view::{NodeStatus, PendingWhat};

const FIRST_LOOK: &str = include_str!("../scenarios/first-look.json");
const FAULTY: &str = include_str!("data/faulty.json");

/// Two runners and a client `me` whose calls somebody else makes.
const OPEN: &str = r#"{
    "name": "open", "profile": "upstream", "until": "1m",
    "network": { "latency": "10ms" },
    "clients": [
        { "name": "a", "key": "k", "retry": "5s" },
        { "name": "b", "key": "k", "retry": "5s", "start": "1s" },
        { "name": "me", "key": "mine" }
    ]
}"#;

fn faulty(seed: u64) -> String {
    FAULTY.replacen('{', &format!("{{\"seed\":{seed},"), 1)
}

fn simulation(text: &str) -> Simulation {
    Simulation::from_json(text).unwrap()
}

fn at(ms: u64) -> Time {
    Time::from_ms(ms)
}

// Stepping

#[test]
fn stepping_to_the_end_tells_what_a_run_tells() {
    for text in [FIRST_LOOK.to_owned(), OPEN.to_owned(), faulty(0), faulty(7)] {
        let mut simulation = simulation(&text);
        while simulation.step() {}
        assert_eq!(simulation.to_run(), run_text(&text).unwrap());
        assert_eq!(simulation.now(), simulation.end());
    }
}

#[test]
fn a_step_makes_something_happen() {
    let mut simulation = simulation(&faulty(3));
    let mut events = 0;
    while simulation.step() {
        assert!(simulation.events().len() > events);
        events = simulation.events().len();
    }
}

#[test]
fn back_and_forward_by_the_same_steps_is_the_same_place() {
    let mut simulation = simulation(&faulty(1));
    for _ in 0..200 {
        assert!(simulation.step());
    }
    let here = (
        simulation.position(),
        simulation.digest(),
        simulation.state(),
    );
    let events = simulation.events().to_vec();
    for count in [1, 2, 17, 100, 199, 200] {
        for _ in 0..count {
            assert!(simulation.step_back());
        }
        assert!(simulation.events().len() < events.len());
        for _ in 0..count {
            assert!(simulation.step());
        }
        let there = (
            simulation.position(),
            simulation.digest(),
            simulation.state(),
        );
        assert_eq!(there, here, "{count}");
        assert_eq!(simulation.events(), events, "{count}");
    }
}

#[test]
fn all_steps_back_lead_to_the_start() {
    let mut simulation = simulation(&faulty(2));
    simulation.run_to_end();
    while simulation.step_back() {}
    assert_eq!(simulation.position(), Position::START);
    assert!(simulation.events().is_empty());
    assert_eq!(simulation.digest(), Default::default());
}

#[test]
fn a_sought_time_or_event_is_found_from_both_sides() {
    let text = faulty(5);
    let mut simulation = simulation(&text);
    let run = run_text(&text).unwrap();
    let times = [0, 1, 15_000, 299_999, 40_000, 300_000, 123_456, 7];
    for ms in times {
        simulation.seek_time(at(ms)).unwrap();
        let happened = run.events.iter().filter(|event| event.time() <= at(ms));
        assert_eq!(simulation.events().len(), happened.count(), "{ms}");
        assert_eq!(simulation.now(), at(ms));
    }
    for count in [0, 1, 500, 30, run.events.len(), 2, run.events.len() + 9] {
        simulation.seek_event(count);
        let found = simulation.events().len();
        assert!(found >= count.min(run.events.len()), "{count} {found}");
        assert_eq!(simulation.events(), &run.events[..found]);
        let before = simulation.snapshot();
        if count > 0 && count <= run.events.len() {
            simulation.step_back();
            assert!(
                simulation.events().len() < count,
                "the first moment with {count}"
            );
            simulation.restore(before).unwrap();
        }
    }
}

#[test]
fn time_goes_on_after_the_end_but_steps_do_not() {
    let mut simulation = simulation(OPEN);
    simulation.run_to_end();
    assert!(!simulation.step());
    let events = simulation.events().len();
    simulation.run_until(at(120_000)).unwrap();
    assert!(simulation.events().len() > events);
    assert_eq!(simulation.now(), at(120_000));
    assert!(!simulation.step());
}

#[test]
fn a_time_too_far_away_is_refused_and_nothing_changes() {
    let mut simulation = simulation(OPEN);
    simulation.step();
    let here = simulation.snapshot();
    let refused = simulation.run_until(Time::MAX);
    assert!(matches!(refused, Err(SimulationError::Argument { field, .. }) if field == "time"));
    assert_eq!(simulation.snapshot(), here);
}

// Acting

#[test]
fn an_act_changes_what_comes() {
    let mut simulation = simulation(OPEN);
    simulation.run_until(at(7_000)).unwrap();
    simulation
        .act_json(r#"{ "do": "crash", "node": "a" }"#)
        .unwrap();
    simulation.run_to_end();
    assert_eq!(simulation.state().rows[0].owner.as_deref(), Some("b"));
    assert_ne!(simulation.digest(), run_text(OPEN).unwrap().digest);
    assert_eq!(simulation.branches().len(), 1);
}

#[test]
fn an_act_is_what_the_same_action_of_a_scenario_is() {
    let acts = [
        r#""do": "crash", "node": "a""#,
        r#""do": "pause", "node": "a", "for": "20s""#,
        r#""do": "cut", "from": "a", "to": "locket""#,
        r#""do": "drop", "from": "a", "to": "locket-0", "count": 2"#,
        r#""do": "delete-row", "key": "k""#,
        r#""do": "put-row", "key": "k", "owner": "x", "ttl": "9s""#,
        r#""do": "stall", "for": "30s""#,
        r#""do": "stop", "node": "a""#,
        r#""do": "latency", "from": "a", "to": "locket", "latency": { "min": 5, "max": "2s" }"#,
        r#""do": "restart", "node": "a", "owner": "c""#,
    ];
    for act in acts {
        let planned = format!(r#""actions": [{{ "at": "7.5s", {act} }}], "until""#);
        let planned = run_text(&OPEN.replacen("\"until\"", &planned, 1)).unwrap();
        let mut simulation = simulation(OPEN);
        simulation.run_until(at(7_500)).unwrap();
        simulation.act_json(&format!("{{ {act} }}")).unwrap();
        // And the way through a link.
        let mut linked = Simulation::from_link(&simulation.link()).unwrap();
        for simulation in [&mut simulation, &mut linked] {
            simulation.run_to_end();
            assert_eq!(simulation.digest(), planned.digest, "{act}");
        }
    }
}

#[test]
fn an_act_that_means_nothing_is_refused() {
    let mut simulation = simulation(OPEN);
    for (act, field) in [
        (r#"{ "do": "crash", "node": "nobody" }"#, "node"),
        (r#"{ "do": "crash" }"#, "node"),
        (r#"{ "do": "explode" }"#, "action.do"),
        (r#"{ "do": "crash", "node": "a", "at": 5 }"#, "action.at"),
        (
            r#"{ "do": "crash", "node": "a", "every": 5, "until": 9 }"#,
            "every",
        ),
        (r#"{ "do": "note", "text": 7 }"#, "action.text"),
        ("", "action"),
        ("[[[", "action.[0]"),
    ] {
        match simulation.act_json(act) {
            Err(SimulationError::Argument { field: found, .. }) => assert_eq!(found, field),
            other => panic!("{act}: {other:?}"),
        }
    }
    assert_eq!(simulation.position(), Position::START);
}

#[test]
fn acting_in_the_past_starts_a_branch_and_loses_nothing() {
    let mut simulation = simulation(OPEN);
    simulation.run_to_end();
    let end = (simulation.snapshot(), simulation.digest());
    simulation.seek_time(at(7_000)).unwrap();
    simulation
        .act_json(r#"{ "do": "crash", "node": "a" }"#)
        .unwrap();
    assert_eq!(simulation.current_branch(), 1);
    simulation.run_to_end();
    let crashed = (simulation.snapshot(), simulation.digest());
    assert_ne!(end.1, crashed.1);

    for _ in 0..2 {
        for (place, digest) in [end, crashed] {
            simulation.restore(place).unwrap();
            assert_eq!(simulation.snapshot(), place);
            assert_eq!(simulation.digest(), digest);
        }
    }
    let from = simulation.branches()[1].from.unwrap();
    assert_eq!((from.branch, from.position.time), (0, at(7_000)));
}

#[test]
fn branches_of_branches_are_gone_to_and_fro() {
    let mut simulation = simulation(&faulty(9));
    let mut ends = Vec::new();
    simulation.run_to_end();
    ends.push((simulation.snapshot(), simulation.digest()));
    for (ms, act) in [
        (200_000, r#"{ "do": "pause", "node": "a", "for": "9s" }"#),
        (100_000, r#"{ "do": "crash", "node": "a" }"#),
        (150_000, r#"{ "do": "restart", "node": "locket-1" }"#),
        (50, r#"{ "do": "drop-table" }"#),
    ] {
        simulation.seek_time(at(ms)).unwrap();
        simulation.act_json(act).unwrap();
        simulation.run_to_end();
        ends.push((simulation.snapshot(), simulation.digest()));
    }
    assert_eq!(simulation.branches().len(), 5);
    for round in 0..5 {
        for offset in 0..ends.len() {
            let (place, digest) = ends[(offset * (round + 1) + round) % ends.len()];
            simulation.switch_to(place.branch).unwrap();
            simulation.restore(place).unwrap();
            assert_eq!(simulation.digest(), digest);
            simulation.seek_time(at(123_456)).unwrap();
        }
    }
}

#[test]
fn a_branch_that_is_not_there_is_refused() {
    let mut simulation = simulation(OPEN);
    assert!(simulation.switch_to(1).is_err());
    assert!(simulation.switch_to(usize::MAX).is_err());
    let far = Position {
        time: at(9),
        count: 0,
    };
    let place = locket_sim::simulation::Place {
        branch: 0,
        position: far,
    };
    assert!(simulation.restore(place).is_err());
}

// Looking

#[test]
fn truth_and_belief_are_told_apart() {
    let mut simulation = simulation(OPEN);
    simulation.run_until(at(7_000)).unwrap();
    simulation
        .act_json(r#"{ "do": "delete-row", "key": "k" }"#)
        .unwrap();
    simulation
        .act_json(r#"{ "do": "pause", "node": "a" }"#)
        .unwrap();
    let state = simulation.state();
    assert!(state.rows.is_empty());
    let a = state.nodes.iter().find(|node| node.name == "a").unwrap();
    assert!(a.believes);
    assert!(matches!(a.status, NodeStatus::Paused { .. }));
}

#[test]
fn what_is_pending_is_in_order_and_comes_next() {
    let mut simulation = simulation(&faulty(4));
    for _ in 0..200 {
        let pending = simulation.state().pending;
        assert!(pending.is_sorted_by_key(|it| it.time));
        assert!(pending.iter().all(|it| it.time >= simulation.now()));
        simulation.step();
    }
}

#[test]
fn a_call_on_its_way_is_seen() {
    let mut simulation = simulation(OPEN);
    simulation.step();
    let pending = simulation.state().pending;
    assert!(pending.iter().any(|it| matches!(&it.what,
        PendingWhat::Arrival { request: Some(request), .. } if request.key() == "k")));
    let json: serde_json::Value = serde_json::from_str(&simulation.state_json()).unwrap();
    assert_eq!(json["nodes"][2]["name"], "a");
    assert_eq!(json["pending"].as_array().unwrap().len(), pending.len());
}

// Calls

const LOCK: &str =
    r#"{"client":"me","method":"lock","key":"k","owner":"me","typeCode":1,"ttl":15}"#;

#[test]
fn a_call_is_answered_while_the_simulation_goes_on() {
    let mut simulation = simulation(OPEN);
    simulation.run_until(at(2_000)).unwrap();
    let call = simulation.call_json(LOCK).unwrap();
    assert_eq!(simulation.answer(call), CallAnswer::UnderWay);
    simulation.run_until(at(2_019)).unwrap();
    assert_eq!(simulation.answer(call), CallAnswer::UnderWay);
    simulation.run_until(at(2_020)).unwrap();
    let collision = Err(LockError::LockCollision);
    assert_eq!(simulation.answer(call), CallAnswer::Answered(&collision));

    let call = simulation
        .call_json(&LOCK.replace("\"k\"", "\"mine\""))
        .unwrap();
    simulation.run_until(at(3_000)).unwrap();
    assert_eq!(
        simulation.answer(call),
        CallAnswer::Answered(&Ok(Response::Lock))
    );
}

#[test]
fn a_call_with_a_timeout_is_given_up() {
    let mut simulation = simulation(OPEN);
    simulation
        .act_json(r#"{ "do": "cut", "from": "me", "to": "locket" }"#)
        .unwrap();
    let call = LOCK.replace("\"ttl\"", "\"timeout\":\"3s\",\"ttl\"");
    let call = simulation.call_json(&call).unwrap();
    simulation.run_until(at(2_999)).unwrap();
    assert_eq!(simulation.answer(call), CallAnswer::UnderWay);
    simulation.run_until(at(3_000)).unwrap();
    let late = Err(LockError::DeadlineExceeded);
    assert_eq!(simulation.answer(call), CallAnswer::Answered(&late));
}

#[test]
fn a_caller_that_crashes_hears_nothing() {
    let mut simulation = simulation(OPEN);
    let call = simulation.call_json(LOCK).unwrap();
    simulation
        .act_json(r#"{ "do": "crash", "node": "me" }"#)
        .unwrap();
    simulation.run_to_end();
    assert_eq!(simulation.answer(call), CallAnswer::Crashed);
    assert!(simulation.call_json(LOCK).is_err());
}

#[test]
fn who_cannot_call_is_refused() {
    let mut simulation = simulation(OPEN);
    assert!(simulation.call_json(&LOCK.replacen("me", "a", 1)).is_err());
    assert!(
        simulation
            .call_json(&LOCK.replacen("me", "nobody", 1))
            .is_err()
    );
    assert!(simulation.call_json("{}").is_err());
    simulation.call_json(LOCK).unwrap();
    assert!(simulation.call_json(LOCK).is_err(), "one call at a time");
}

// Links

#[test]
fn any_random_run_is_replayed_from_its_link() {
    for seed in 0..50 {
        let mut simulation = simulation(&faulty(seed));
        for _ in 0..seed * 5 {
            simulation.step();
        }
        simulation
            .act_json(r#"{ "do": "pause", "node": "a", "for": "7s" }"#)
            .unwrap();
        let call = FAULTY.contains("\"me\"");
        assert!(!call);
        simulation
            .run_until(simulation.now() + locket_sim::time::Duration::from_ms(3_333))
            .unwrap();
        simulation
            .act_json(r#"{ "do": "note", "text": "here \" \n é" }"#)
            .unwrap();
        let mut linked = Simulation::from_link(&simulation.link()).unwrap();
        assert!(linked.is_faithful());
        assert_eq!(linked.position(), simulation.position());
        assert_eq!(linked.state(), simulation.state());
        simulation.run_to_end();
        linked.run_to_end();
        assert_eq!(linked.to_run(), simulation.to_run());
        assert_eq!(linked.link(), simulation.link());
    }
}

#[test]
fn a_call_is_part_of_a_link() {
    let mut simulation = simulation(OPEN);
    simulation.run_until(at(30)).unwrap();
    simulation
        .call_json(&LOCK.replace("\"k\"", "\"k\",\"value\":\"v\",\"timeout\":900"))
        .unwrap();
    simulation.run_until(at(10_000)).unwrap();
    let linked = Simulation::from_link(&simulation.link()).unwrap();
    assert_eq!(linked.digest(), simulation.digest());
    assert_eq!(linked.events(), simulation.events());
}

#[test]
fn a_hostile_link_is_an_error() {
    let link = simulation(OPEN).link();
    for text in [
        "",
        "l1",
        "l1.",
        "l1.e30",
        "l2.e30",
        "x",
        "l1.\u{0}",
        "l1.====",
        "é",
        "l1.e30Ke30",
    ] {
        assert!(Simulation::from_link(text).is_err(), "{text:?}");
    }
    for end in 0..link.len() {
        // A shorter one may by chance be whole, but never panics.
        let _ = Simulation::from_link(&link[..end]);
    }
    assert!(matches!(
        Simulation::from_link(&link.replacen("l1.", "l7.", 1)),
        Err(SimulationError::Link(message)) if message.contains("version")
    ));
}

#[test]
fn a_link_whose_acts_lie_is_read_all_the_same() {
    use base64::Engine as _;
    let encode = |header: &str| {
        let payload = format!("{header}\n{OPEN}")
            .replace("\n        ", "")
            .replace("\n    ", "");
        let encoded = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(payload);
        format!("l1.{encoded}")
    };
    let note = r#"{"at":5,"count":4000000000,"act":{"at":5,"do":"note","text":"x"}}"#;
    let link = encode(&format!(
        r#"{{"acts":[{note}],"at":20000,"count":9,"digest":"0"}}"#
    ));
    let simulation = Simulation::from_link(&link).unwrap();
    assert!(!simulation.is_faithful());
    assert_eq!(simulation.now(), at(20_000));

    let twice = format!(r#"{{"acts":[{note},{note}],"at":20000,"count":9,"digest":"0"}}"#);
    assert!(Simulation::from_link(&encode(&twice)).is_err());
    let both = r#"{"acts":[{"at":5,"count":1}],"at":1,"count":1,"digest":""}"#;
    assert!(Simulation::from_link(&encode(both)).is_err());
    let far = r#"{"at":18446744073709551614,"count":1,"digest":""}"#;
    assert!(Simulation::from_link(&encode(far)).is_err());
}

// Seeds

/// The digests of a thousand random runs of a faulty scenario, as one number. Node and Chromium
/// compute the same from the same file.
#[test]
fn a_thousand_random_runs_have_their_recorded_digest() {
    let recorded = include_str!("data/faulty.digest").trim();
    let mut scenario = Scenario::from_json(FAULTY).unwrap();
    let mut all = 0_u64;
    for seed in 0..1_000 {
        scenario.seed = seed;
        let digest = scenario.run().digest.to_string();
        let digest = u64::from_str_radix(&digest, 16).unwrap();
        all = all.wrapping_mul(0x0000_0100_0000_01b3) ^ digest;
    }
    assert_eq!(format!("{all:016x}"), recorded);
}

// What was decided

#[test]
fn a_random_run_is_told_again_by_its_overrides_without_the_seed_deciding() {
    for seed in 0..20 {
        let mut random = simulation(&faulty(seed));
        random.run_to_end();
        let overrides = random.overrides();
        assert!(overrides.len() > 20, "{} decided", overrides.len());

        let mut plain = random.scenario().clone();
        plain.random = false;
        plain.overrides = overrides;
        assert_eq!(plain.run().digest, random.digest(), "seed {seed}");
    }
}

#[test]
fn the_overrides_are_those_up_to_here_with_what_was_done_from_outside() {
    let mut random = simulation(&faulty(3));
    random.run_until(at(60_000)).unwrap();
    let first = random.overrides();
    random
        .act_json(r#"{ "do": "crash", "node": "a" }"#)
        .unwrap();
    random.run_to_end();
    let all = random.overrides();

    assert!(first.len() < all.len());
    assert!(
        first
            .iter()
            .all(|(site, picked)| all.get(site) == Some(picked))
    );
    let mut plain = serde_json::from_str::<serde_json::Value>(&faulty(3)).unwrap();
    plain["random"] = false.into();
    plain["overrides"] = serde_json::from_str(&random.overrides_json()).unwrap();
    let mut plain = simulation(&plain.to_string());
    plain.run_until(at(60_000)).unwrap();
    plain.act_json(r#"{ "do": "crash", "node": "a" }"#).unwrap();
    plain.run_to_end();
    assert_eq!(plain.digest(), random.digest());
}

#[test]
fn a_lost_message_that_is_taken_from_the_overrides_arrives() {
    let mut random = simulation(&faulty(3));
    random.run_to_end();
    let mut fewer = random.scenario().clone();
    fewer.random = false;
    fewer.overrides = random.overrides();
    let is_loss = |site: &&Site| site.kind == SiteKind::Loss;
    let first = *fewer.overrides.keys().find(is_loss).unwrap();
    fewer.overrides.remove(&first);

    assert_ne!(fewer.run().digest, random.digest());
}
