//! The fate of leases when Locket's own processes stop and start.

use tonic::Code;
use wasm_bindgen_test::wasm_bindgen_test;

use super::support::{COLLISION, LOCK, MISSING, World, assert_refused};

#[wasm_bindgen_test]
fn a_restart_grants_every_lock_its_full_ttl_again() {
    let world = World::new();
    world.at(0).lock("bbs", "bbs-0", LOCK).unwrap();

    world.at(10);
    world.server.with_cluster(|cluster, now| cluster.restart(0, now, &mut ()));

    assert_eq!(world.at_ms(24_999).holder("bbs").unwrap(), "bbs-0");
    assert_refused(world.at(25).holder("bbs"), MISSING);
}

#[wasm_bindgen_test]
fn a_stopped_process_answers_nobody_and_expires_nothing() {
    let world = World::new();
    world.at(0).lock("bbs", "bbs-0", LOCK).unwrap();

    world.server.with_cluster(|cluster, _| cluster.stop(0));

    let status = world.at(60).holder("bbs").expect_err("no process runs");
    assert_eq!(status.code(), Code::Unavailable);
    assert_eq!(world.rows().len(), 1);
}

#[wasm_bindgen_test]
fn two_processes_share_the_table_and_one_expires_what_the_other_took() {
    let world = World::new();
    let second = world.server.with_cluster(|cluster, now| cluster.add_process(now, &mut ()));
    world.at(1).lock("bbs", "bbs-0", LOCK).unwrap();
    assert_refused(world.caller(second).lock("bbs", "bbs-1", LOCK), COLLISION);

    world.server.with_cluster(|cluster, _| cluster.stop(0));

    // The second process finds the row at 5 s, and counts its TTL from there.
    let mut caller = {
        world.at_ms(19_999);
        world.caller(second)
    };
    assert_eq!(caller.holder("bbs").unwrap(), "bbs-0");
    world.at(20);
    assert_refused(caller.holder("bbs"), MISSING);
}
