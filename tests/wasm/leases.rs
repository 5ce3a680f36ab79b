//! How long a lock is held.

use locket_wasm::sim::time::Duration;
use tonic::{Code, Request};
use wasm_bindgen_test::wasm_bindgen_test;

use super::support::{COLLISION, LOCK, MISSING, World, assert_refused, lock_request};

#[wasm_bindgen_test]
fn a_lock_is_held_until_its_ttl_ends_and_then_gone() {
    let world = World::new();
    world.at(0).lock("bbs", "bbs-0", LOCK).unwrap();

    assert_eq!(world.at_ms(14_999).holder("bbs").unwrap(), "bbs-0");
    assert_refused(world.at_ms(15_000).holder("bbs"), MISSING);
    assert_eq!(world.rows(), []);
}

#[wasm_bindgen_test]
fn another_owner_collides_and_changes_nothing() {
    let world = World::new();
    world.at(0).lock("bbs", "bbs-0", LOCK).unwrap();
    let before = world.rows();

    assert_refused(world.at(2).lock("bbs", "bbs-1", LOCK), COLLISION);

    assert_eq!(world.rows(), before);
    assert_refused(world.at(15).holder("bbs"), MISSING);
}

#[wasm_bindgen_test]
fn a_renewal_every_5_s_holds_a_lock_for_an_hour() {
    let world = World::new();
    for seconds in (0..3600).step_by(5) {
        world.at(seconds).lock("bbs", "bbs-0", LOCK).unwrap();
    }

    assert_eq!(world.at_ms(3_609_999).holder("bbs").unwrap(), "bbs-0");
    assert_eq!(world.rows()[0].modified_index, Some(720));
    assert_refused(world.at_ms(3_610_000).holder("bbs"), MISSING);
}

#[wasm_bindgen_test]
fn who_misses_renewals_loses_the_lock_to_the_one_that_waits() {
    let world = World::new();
    world.at(0).lock("bbs", "bbs-0", LOCK).unwrap();
    world.at(5).lock("bbs", "bbs-0", LOCK).unwrap();
    for seconds in [7, 12, 17] {
        assert_refused(world.at(seconds).lock("bbs", "bbs-1", LOCK), COLLISION);
    }
    let id_before = world.rows()[0].modified_id.clone();

    world.at(22).lock("bbs", "bbs-1", LOCK).unwrap();

    assert_refused(world.at(23).lock("bbs", "bbs-0", LOCK), COLLISION);
    let row = &world.rows()[0];
    assert_eq!(row.modified_index, Some(1));
    assert_ne!(row.modified_id, id_before);
}

#[wasm_bindgen_test]
fn a_lock_that_is_released_is_free_at_once() {
    let world = World::new();
    world.at(0).lock("bbs", "bbs-0", LOCK).unwrap();
    assert_refused(world.at(1).release("bbs", "bbs-1"), COLLISION);

    world.at(1).release("bbs", "bbs-0").unwrap();

    world.at(1).lock("bbs", "bbs-1", LOCK).unwrap();
    // The timer of the first lease does not end the second.
    assert_eq!(world.at_ms(15_999).holder("bbs").unwrap(), "bbs-1");
    assert_refused(world.at(16).holder("bbs"), MISSING);
}

#[wasm_bindgen_test]
fn who_gives_up_before_the_answer_may_hold_the_lock_all_the_same() {
    let world = World::new();
    world.server.set_latency(Duration::from_ms(250));
    let mut request = Request::new(lock_request("bbs", "bbs-0", LOCK));
    request.set_timeout(std::time::Duration::from_millis(100));

    let given_up = world.at(0).send_lock(request);

    assert_refused(given_up, (Code::DeadlineExceeded, "context deadline exceeded"));
    assert_eq!(world.at_ms(14_999).holder("bbs").unwrap(), "bbs-0");
    assert_refused(world.at(15).holder("bbs"), MISSING);
}

#[wasm_bindgen_test]
fn an_answer_within_the_deadline_is_taken() {
    let world = World::new();
    world.server.set_latency(Duration::from_ms(250));
    let mut request = Request::new(lock_request("bbs", "bbs-0", LOCK));
    request.set_timeout(std::time::Duration::from_millis(250));

    world.at(0).send_lock(request).unwrap();
}
