//! The effects of operators, of copies, and of owners that are not unique.

use super::rig::*;
use locket_sim::protocol::message::Request;
use locket_sim::protocol::row::Row;

fn fetch() -> Request {
    Request::Fetch { key: "k".into() }
}

fn release(owner: &str) -> Request {
    Request::Release { resource: Some(resource("k", owner)) }
}

/// A row as an operator edits it, and what calls answer then.
fn answers_to(row: Row) -> Vec<String> {
    let mut rig = Rig::new(settings(vec![by_hand()]));
    rig.act(|step| step.put_row(row)).unwrap();
    for request in [fetch(), release("a"), lock("k", "a")] {
        rig.act(|step| step.call(0, request, None));
        rig.run_to(0);
    }
    rig.answers(rig.a()).into_iter().map(|(_, answer)| answer).collect()
}

fn row() -> Row {
    Row {
        path: "k".into(),
        owner: Some("a".into()),
        value: Some(String::new()),
        type_name: Some("lock".into()),
        ttl: Some(15),
        modified_id: Some("id".into()),
        modified_index: Some(1),
    }
}

// S38
#[test]
fn a_row_without_an_owner_is_nobodys_and_anybodys() {
    let empty = Row { owner: Some(String::new()), ..row() };

    assert_eq!(answers_to(row()), ["Fetch", "Release", "Lock"]);
    assert_eq!(answers_to(empty), ["NotFound", "AlreadyExists", "Lock"]);
}

// S38
#[test]
fn a_null_makes_a_key_unusable() {
    for broken in [
        Row { owner: None, ..row() },
        Row { ttl: None, ..row() },
        Row { modified_index: None, ..row() },
    ] {
        assert_eq!(answers_to(broken), ["Unknown", "Unknown", "Unknown"]);
    }
}

// S42
#[test]
fn a_deleted_row_is_free_before_its_holder_knows() {
    let mut rig = Rig::holder_and(vec![client(upstream("k", "b"))]);
    rig.run_to(1_000);
    assert!(rig.act(|step| step.delete_row("k")));
    assert!(!rig.act(|step| step.delete_row("k")));
    rig.act(|step| step.start_client(1));
    rig.run_to(4_999);
    assert_eq!(rig.believers(), [0, 1]);
    rig.run_to(5_000);
    assert_eq!(rig.believers(), [1]);
}

// S5
#[test]
fn two_processes_with_one_owner_both_hold_its_lock() {
    let mut rig = Rig::holder_and(vec![client(upstream("k", "a"))]);
    rig.run_to(2_000);
    rig.act(|step| step.start_client(1));
    rig.run_to(60_000);

    assert_eq!(rig.believers(), [0, 1]);
    assert_eq!(rig.world.row("k").unwrap().modified_index, Some(25));
    rig.act(|step| step.signal_client(1));
    rig.run_to(60_001);
    assert_eq!(rig.owner("k"), None, "one's Release deletes the other's row");
    assert_eq!(rig.believers(), [0]);
}

// S45, C10
#[test]
fn a_presence_comes_back_by_itself_under_a_new_row() {
    let mut rig = Rig::new(settings(vec![client(presence("k", "a"))]));
    rig.act(|step| step.start_client(0));
    let (a, locket) = (rig.a(), rig.locket());
    rig.run_to(6_000);
    let id = rig.world.row("k").unwrap().modified_id;
    rig.act(|step| step.cut(a, locket, true));
    rig.run_to(26_000);
    rig.heal(a, locket);
    rig.run_to(31_000);

    assert_eq!(rig.acquired(a), [0, 30_000]);
    assert_eq!(rig.expired(), [20_000]);
    assert_ne!(rig.world.row("k").unwrap().modified_id, id);
}
