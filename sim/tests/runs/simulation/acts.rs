//! Claims about what is done to a simulation, now and in the past.

use super::*;

#[test]
fn an_act_changes_what_comes() {
    let mut simulation = simulation(OPEN);
    simulation.run_until(at(7_000)).unwrap();
    simulation.act_json(r#"{ "do": "crash", "node": "a" }"#).unwrap();
    simulation.run_to_end().unwrap();
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
        r#""do": "lose-messages", "from": "a", "to": "locket-0", "count": 2"#,
        r#""do": "delete-row", "key": "k""#,
        r#""do": "put-row", "key": "k", "owner": "x", "ttl": "9s""#,
        r#""do": "stall", "for": "30s""#,
        r#""do": "stop", "node": "a""#,
        r#""do": "set-latency", "from": "a", "to": "locket", "latency": { "min": "5ms", "max": "2s" }"#,
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
            simulation.run_to_end().unwrap();
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
        (r#"{ "do": "crash", "node": "a", "at": "5ms" }"#, "action.at"),
        (r#"{ "do": "crash", "node": "a", "every": "5ms", "until": "9ms" }"#, "every"),
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
    simulation.run_to_end().unwrap();
    let end = (simulation.snapshot(), simulation.digest());
    simulation.seek_time(at(7_000)).unwrap();
    simulation.act_json(r#"{ "do": "crash", "node": "a" }"#).unwrap();
    assert_eq!(simulation.current_branch(), 1);
    simulation.run_to_end().unwrap();
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
    simulation.run_to_end().unwrap();
    ends.push((simulation.snapshot(), simulation.digest()));
    for (ms, act) in [
        (200_000, r#"{ "do": "pause", "node": "a", "for": "9s" }"#),
        (100_000, r#"{ "do": "crash", "node": "a" }"#),
        (150_000, r#"{ "do": "restart", "node": "locket-1" }"#),
        (50, r#"{ "do": "drop-table" }"#),
    ] {
        simulation.seek_time(at(ms)).unwrap();
        simulation.act_json(act).unwrap();
        simulation.run_to_end().unwrap();
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
    let far = Position { time: at(9), count: 0 };
    let place = locket_sim::simulation::Place { branch: 0, position: far };
    assert!(simulation.restore(place).is_err());
}
