//! Claims about runners against Locket itself.

use super::*;

// C18, S2
#[test]
fn a_waiter_takes_over_within_an_interval_of_the_expiry() {
    for phase in (0..5_000).step_by(50) {
        let mut locket = Locket::new(Profile::UPSTREAM);
        let settings = RunnerSettings::upstream(resource("test", "waiter"), TTL, R);
        let mut waiter = Rig::start(settings);
        // With a crash before the renewal at 5 s, 10 s to 20 s pass from the crash.
        locket.at(0).handle(&lock_of_jim()).unwrap();
        waiter.at(phase).served_by(&mut locket);

        while !waiter.believes() {
            let next = waiter.runner.deadline().unwrap();
            waiter.at(next.as_ms()).served_by(&mut locket);
        }

        let taken = waiter.now.as_ms();
        assert!((15_000..20_000).contains(&taken), "taken at {taken}");
    }
}

// C18, S1
#[test]
fn a_waiter_takes_over_within_an_interval_of_a_release() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut holder = Rig::start(upstream());
    let mut waiter = Rig::start(RunnerSettings::upstream(resource("test", "joe"), TTL, R));
    holder.served_by(&mut locket);
    waiter.served_by(&mut locket);

    holder.at(700).signal().served_by(&mut locket);
    waiter.at(5_000).served_by(&mut locket);

    assert_eq!(locket.holder("test").as_deref(), Some("joe"));
    assert!(waiter.believes() && !holder.believes());
    assert_eq!(holder.runner.exited(), Some(&Ok(())));
}

// S12
#[test]
fn upstream_never_learns_of_a_lock_that_it_lost_and_regained_in_a_pause() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut rig = Rig::start(upstream());
    rig.served_by(&mut locket);
    let id = locket.row("test").unwrap().modified_id;

    // In the meantime another client takes it and gives it up.
    locket.at(16_000).lock("test", "joe", 15).unwrap();
    locket.at(19_000).release("test", "joe").unwrap();
    rig.paused_until(20_000).served_by(&mut locket);

    assert_ne!(locket.row("test").unwrap().modified_id, id);
    let expected = [Event::Acquired, Event::Ready, Event::Renewed];
    let events: Vec<_> = rig.events.into_iter().map(|(_, event)| event).collect();
    assert_eq!(events, expected);
}

// S45
#[test]
fn a_presence_that_lapsed_comes_back_as_a_new_row() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut rig = Rig::start(presence_of(upstream()));
    rig.served_by(&mut locket);

    rig.at(5_000).fail(LockError::Unavailable);
    rig.at(10_000).fail(LockError::Unavailable);
    rig.at(15_000).fail(LockError::Unavailable);
    assert_eq!(locket.at(15_000).holder("test"), None);
    rig.at(20_000).served_by(&mut locket);

    assert_eq!(locket.row("test").unwrap().modified_index, Some(1));
    assert!(rig.believes());
}

// S42
#[test]
fn an_evicted_holder_believes_until_its_next_renewal() {
    for settings in [upstream(), safe()] {
        let mut locket = Locket::new(Profile::UPSTREAM);
        let mut rig = Rig::start(settings);
        rig.served_by(&mut locket).at(5_000).served_by(&mut locket);

        locket.at(5_100).release("test", "jim").unwrap();
        locket.at(5_200).lock("test", "joe", 3600).unwrap();

        assert!(rig.at(9_999).believes());
        rig.at(10_000).served_by(&mut locket);
        assert!(!rig.believes());
        assert!(rig.error().contains("AlreadyExists"));
    }
}
