//! Claims about a cluster as a value: a copy has a life of its own, and only what is asked of it and
//! the time matter.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use crate::common::*;
use locket_sim::cluster::Stats;
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::row::Row;

/// All that callers and operators can see.
fn seen(locket: &Locket) -> (Vec<Row>, Stats, Vec<Line>) {
    let mut looking = locket.clone();
    let now = looking.cluster.now();
    let stats = looking.cluster.stats(now, &mut ());
    (looking.rows(), stats, looking.logs.0)
}

/// The first state of all these tests: rows of several ages, timers and polls under way.
fn busy(profile: Profile) -> Locket {
    let mut locket = Locket::with_processes(profile, 2);
    locket.at(300).via(0).lock("a", "o", 15).unwrap();
    locket.at(1_000).via(1).lock("b", "o", 3).unwrap();
    locket.at(2_000).handle(&presence("c", "p", 9)).unwrap();
    locket.at(6_000).via(0).lock("a", "o", 15).unwrap();
    locket.release("c", "p").unwrap();
    locket
}

/// More requests, with time passing.
fn resume(locket: &mut Locket) {
    let start = locket.cluster.now().as_ms();
    for step in 1..40 {
        let process = usize::from(step % 3 == 0);
        let key = ["a", "b", "c", "d"][step % 4];
        let _ =
            locket.at(start + step as u64 * 700).via(process).lock(key, "o", 1 + step as i64 % 7);
    }
}

#[test]
fn a_copy_has_a_life_of_its_own_and_does_the_same() {
    for profile in PRESETS {
        let before = busy(profile);
        let (mut original, mut copy) = (before.clone(), before.clone());
        resume(&mut original);
        assert_eq!(seen(&before), seen(&copy));
        assert_ne!(seen(&original), seen(&copy));
        resume(&mut copy);
        assert_eq!(seen(&original), seen(&copy));
    }
}

#[test]
fn time_that_passes_in_one_step_or_in_many_leads_to_the_same_state() {
    for profile in PRESETS {
        let mut one_step = busy(profile);
        let mut many_steps = one_step.clone();

        one_step.at(100_000);
        for now in (6_000..=100_000).step_by(333) {
            many_steps.at(now);
        }
        many_steps.at(100_000);

        assert_eq!(seen(&one_step), seen(&many_steps));
    }
}
