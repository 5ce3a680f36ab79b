//! Claims about a cluster as a value: it can be copied, compared and hashed, and equal states
//! have equal futures. Stepping back and trying all orders of events rest on that.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::common::*;
use locket_sim::cluster::Cluster;
use locket_sim::protocol::profile::{FetchAllOrder, Profile};
use locket_sim::protocol::resource::TypeCode;

fn hash(cluster: &Cluster) -> u64 {
    let mut hasher = DefaultHasher::new();
    cluster.hash(&mut hasher);
    hasher.finish()
}

fn check_equal(one: &Cluster, other: &Cluster) {
    assert_eq!(one, other);
    assert_eq!(hash(one), hash(other));
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
fn a_copy_is_equal_and_has_a_life_of_its_own() {
    for profile in PRESETS {
        let before = busy(profile);
        let (mut original, mut copy) = (before.clone(), before.clone());
        check_equal(&original.cluster, &copy.cluster);

        resume(&mut original);
        assert_eq!(before.cluster, copy.cluster);
        assert_ne!(original.cluster, copy.cluster);
        resume(&mut copy);

        check_equal(&original.cluster, &copy.cluster);
        assert_eq!(original.logs.0, copy.logs.0);
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

        check_equal(&one_step.cluster, &many_steps.cluster);
        assert_eq!(one_step.logs.0, many_steps.logs.0);
    }
}

#[test]
fn looking_changes_nothing() {
    for profile in PRESETS {
        let mut looked_at = busy(profile);
        let before = looked_at.cluster.clone();

        looked_at.rows();
        looked_at.cluster.deadline();
        looked_at.cluster.stats(before.now(), &mut ());

        check_equal(&looked_at.cluster, &before);
    }
}

#[test]
fn a_row_that_came_and_went_leaves_no_trace_once_a_poll_has_passed() {
    for profile in PRESETS {
        let mut touched = Locket::with_processes(profile, 2);
        let mut untouched = touched.clone();

        touched.at(7_000).put(row("guest", "o", 15)).unwrap();
        touched.cluster.delete_row("guest", ms(7_100), &mut ());
        touched.at(60_000);
        untouched.at(60_000);

        check_equal(&touched.cluster, &untouched.cluster);
    }
}

#[test]
fn a_lease_that_was_shortened_and_prolonged_is_as_if_it_had_not_been() {
    // Index and request counters tell the two apart, so both renew as often.
    for profile in PRESETS {
        let [one, other] = [[60, 2, 20], [5, 30, 20]].map(|ttls| {
            let mut locket = Locket::new(profile);
            for ttl in ttls {
                locket.at(1_000).lock("a", "o", ttl).unwrap();
            }
            locket.cluster
        });

        check_equal(&one, &other);
    }
}

#[test]
fn the_start_of_a_process_matters_only_where_it_polls() {
    for profile in PRESETS {
        let [one, other] = [1_000, 2_300].map(|start| {
            let mut locket = Locket::new(profile);
            locket.at(start).restart(0);
            locket.at(10_000);
            locket.cluster
        });

        assert_eq!(one == other, profile == Profile::DOCUMENTED);
    }
}

#[test]
fn what_can_be_told_apart_is_not_equal() {
    for profile in PRESETS {
        let base = busy(profile);
        let differ: [fn(&mut Locket); 8] = [
            |locket| _ = locket.at(6_001),
            |locket| _ = locket.stop(1),
            |locket| _ = locket.fetch("a"),
            |locket| _ = locket.lock("a", "o", 15),
            |locket| _ = locket.put(row("d", "o", 15)),
            |locket| _ = locket.release("a", "o"),
            |locket| _ = locket.cluster.drop_table(ms(6_000), &mut ()),
            |locket| _ = locket.cluster.add_process(ms(6_000), &mut ()),
        ];

        for (index, differ) in differ.into_iter().enumerate() {
            let mut other = base.clone();
            differ(&mut other);
            assert_ne!(base.cluster, other.cluster, "{index}");
        }
    }
}

#[test]
fn the_seed_and_the_profile_are_part_of_the_state() {
    let clusters = [
        Cluster::new(Profile::DOCUMENTED, 1),
        Cluster::new(Profile::DOCUMENTED, 2),
        Cluster::new(Profile::UPSTREAM, 1),
    ];

    assert_ne!(clusters[0], clusters[1]);
    assert_ne!(clusters[0], clusters[2]);
}

#[test]
fn the_order_of_insertion_is_part_of_the_state_where_lists_show_it() {
    let listed = |keys: [&str; 2]| {
        let mut locket = Locket::new(Profile {
            fetch_all_order: FetchAllOrder::Insertion,
            ..Profile::DOCUMENTED
        });
        for key in keys {
            locket.put(row(key, "o", 15)).unwrap();
        }
        // Written in the same order from here on, yet listed in another.
        locket.update(&Default::default()).unwrap();
        let list = locket.listed("", TypeCode::Lock).unwrap();
        (list, locket.cluster)
    };

    let (one, one_cluster) = listed(["a", "b"]);
    let (other, other_cluster) = listed(["b", "a"]);

    assert_ne!(one, other);
    assert_ne!(one_cluster, other_cluster);
}
