//! Claims about what a simulation shows: truth, belief, and what is pending.

use super::*;

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
        simulation.step().unwrap();
    }
}

#[test]
fn a_call_on_its_way_is_seen() {
    let mut simulation = simulation(OPEN);
    simulation.step().unwrap();
    let pending = simulation.state().pending;
    assert!(pending.iter().any(|it| matches!(&it.what,
        PendingWhat::Arrival { request: Some(request), .. } if request.key() == "k")));
    let json: serde_json::Value = serde_json::from_str(&simulation.state_json()).unwrap();
    assert_eq!(json["nodes"][2]["name"], "a");
    assert_eq!(json["pending"].as_array().unwrap().len(), pending.len());
}
