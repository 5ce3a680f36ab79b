//! Claims about what a simulation shows: truth, belief, and what is pending.

use super::*;

#[test]
fn truth_and_belief_are_told_apart() {
    let mut simulation = simulation(OPEN);
    simulation.run_until(at(7_000)).unwrap();
    simulation.act_json(r#"{ "do": "delete-row", "key": "k" }"#).unwrap();
    simulation.act_json(r#"{ "do": "pause", "node": "a" }"#).unwrap();
    let state = simulation.state();
    assert!(state.rows.is_empty());
    let a = state.nodes.iter().find(|node| node.name == "a").unwrap();
    assert!(a.believes);
    assert!(a.status == RunStatus::Paused);
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
    let mut calls = pending.iter().filter_map(|it| it.asks.as_deref());
    assert!(calls.any(|asks| asks.contains('k')), "{pending:?}");
}
