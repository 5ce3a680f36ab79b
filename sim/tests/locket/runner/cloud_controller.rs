//! Claims about the Cloud Controller's loop.

use super::*;

// C34
#[test]
fn the_cloud_controller_sets_no_deadline_and_sleeps_a_second_between_attempts() {
    let mut rig = Rig::holding(cloud_controller());

    rig.at(1_000).at(31_000).ok().at(32_000);

    assert_eq!(rig.attempts(), [0, 1_000, 32_000]);
    for (_, call) in &rig.calls {
        assert_eq!((call.deadline, call.wait_for_ready), (None, false));
        assert_eq!(*call.request, lock_of_jim());
    }
}

// C34
#[test]
fn the_cloud_controller_takes_any_error_for_a_loss_and_asks_for_no_owner() {
    let mut rig = Rig::start(cloud_controller());

    rig.fail(LockError::LockCollision).at(1_000).ok();
    rig.at(2_000).at(60_000);
    assert!(rig.believes(), "a call hangs (S44)");
    rig.fail(LockError::Unavailable);

    assert!(!rig.believes());
    assert_eq!(rig.methods(), [Method::Lock; 3]);
    assert_eq!(rig.runner.exited(), None);
}

// C35
#[test]
fn the_cloud_controller_stops_at_once_and_releases_nothing() {
    for at in [500, 1_500] {
        let mut rig = Rig::holding(cloud_controller());

        rig.at(at).signal();

        assert_eq!(rig.last_event(), &Event::Exited(Ok(())));
        assert!(rig.methods().iter().all(|&method| method == Method::Lock));
        assert!(!rig.believes());
    }
}
