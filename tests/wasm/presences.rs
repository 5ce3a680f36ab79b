//! How a cell is known to be alive.

use wasm_bindgen_test::wasm_bindgen_test;

use super::support::{LOCK, MISSING, PRESENCE, World, assert_refused};

#[wasm_bindgen_test]
fn a_presence_lapses_and_comes_back_as_a_new_row() {
    let world = World::new();
    for seconds in [0, 5, 10] {
        world.at(seconds).lock("cell-1", "cell-1", PRESENCE).unwrap();
    }
    assert_eq!(world.at_ms(24_999).keys(PRESENCE), ["cell-1"]);
    let before = world.rows()[0].clone();

    assert_eq!(world.at(25).keys(PRESENCE), [""; 0]);
    assert_refused(world.at(25).holder("cell-1"), MISSING);
    world.at(30).lock("cell-1", "cell-1", PRESENCE).unwrap();

    let after = &world.rows()[0];
    assert_eq!(world.at(30).keys(PRESENCE), ["cell-1"]);
    assert_eq!((before.modified_index, after.modified_index), (Some(3), Some(1)));
    assert_ne!(before.modified_id, after.modified_id);
}

#[wasm_bindgen_test]
fn locks_and_presences_are_listed_apart_and_counted_when_they_expire() {
    let world = World::new();
    world.at(0).lock("bbs", "bbs-0", LOCK).unwrap();
    world.at(0).lock("cell-1", "cell-1", PRESENCE).unwrap();
    assert_eq!(world.at(1).keys(LOCK), ["bbs"]);
    assert_eq!(world.at(1).keys(PRESENCE), ["cell-1"]);

    world.at(15);

    let stats = world.server.with_cluster(|cluster, now| cluster.stats(now, &mut ()));
    assert_eq!((stats.expired.locks, stats.expired.presences), (1, 1));
    assert_eq!((stats.active_locks, stats.active_presences), (0, 0));
}
