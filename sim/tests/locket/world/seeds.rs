//! A run is decided by its choices: the same ones give the same run, and each stands alone.

use super::rig::*;
use locket_sim::time::Time;
use locket_sim::world::choice::{Recorded, Script, Site, SiteKind};
use locket_sim::world::event::WorldEvent;
use locket_sim::world::network::{LinkRule, Network};
use locket_sim::world::{World, WorldSettings};
use std::collections::BTreeMap;

/// Three runners and two processes on a bad network, for a minute.
fn world() -> World {
    let rule = LinkRule {
        latency_min: ms(1),
        latency_max: ms(2_000),
        latency_step: ms(1),
        loss_per_mille: 50,
        duplicates_per_mille: 50,
    };
    World::new(WorldSettings {
        processes: 2,
        network: Network::new(rule),
        reply_loss_per_mille: 20,
        ..settings(vec![
            client(upstream("k", "a")),
            client(safe("k", "b")),
            client(presence("c", "c")),
        ])
    })
}

/// Runs it; tells what happened and which choices were not the usual ones.
fn run(mut script: Script) -> (Vec<WorldEvent>, BTreeMap<Site, u32>) {
    let (mut world, mut events) = (world(), Vec::new());
    let mut recorded = Recorded::new(&mut script);
    for client in 0..3 {
        world.act(&mut recorded, &mut events).start_client(client);
    }
    world.run_until(Time::from_ms(60_000), &mut recorded, &mut events);
    (events, recorded.picked)
}

fn seeded(seed: u64) -> Script {
    Script { seed: Some(seed), ..Script::default() }
}

#[test]
fn a_random_run_is_replayed_by_its_seed_alone_and_by_what_was_picked() {
    for seed in 0..30 {
        let (events, picked) = run(seeded(seed));
        assert!(picked.len() > 20, "{} picked", picked.len());

        let replay = Script { seed: None, overrides: picked.clone() };
        let (replayed, picked_again) = run(replay);

        assert_eq!(run(seeded(seed)).0, events, "seed {seed}");
        assert_ne!(run(seeded(seed + 1)).0, events, "seed {seed}");
        assert_eq!(replayed, events, "seed {seed}");
        assert_eq!(picked_again, picked, "seed {seed}");
    }
}

#[test]
fn without_one_override_the_others_are_as_they_were() {
    let (_, all) = run(seeded(5));
    for removed in all.keys().step_by(7) {
        let mut overrides = all.clone();
        overrides.remove(removed);
        let fewer = Script { seed: None, overrides: overrides.clone() };

        let (_, picked) = run(fewer);

        for (site, value) in picked {
            // A tie may have fewer options than before; everything else is as it was.
            let expected = overrides.get(&site).copied();
            assert!(
                expected == Some(value) || site.kind == SiteKind::Tie && expected > Some(value),
                "{site} without {removed}"
            );
        }
    }
}

#[test]
fn with_a_seed_an_override_changes_its_own_place_alone() {
    let link = (world().client(0), world().process(0));
    let site = Site::on_link(SiteKind::Loss, link, 3);
    let (seed, before, all) = (0..)
        .map(|seed| (seed, run(seeded(seed))))
        .find(|(_, (_, all))| {
            let later = |other: &Site| other.subject == site.subject && other.count > site.count;
            !all.contains_key(&site) && all.keys().any(later)
        })
        .map(|(seed, (before, all))| (seed, before, all))
        .unwrap();
    let lost = Script { overrides: BTreeMap::from([(site, 999)]), ..seeded(seed) };
    let (after, all_after) = run(lost);

    let differs = before.iter().zip(&after).position(|(a, b)| a != b);
    let until = before[differs.unwrap()].time;
    assert!(until > Time::from_ms(10_000), "the same up to {until}");
    for (site, value) in &all {
        let other = all_after.get(site);
        let is_tie = site.kind == SiteKind::Tie;
        assert!(is_tie || other.is_none_or(|it| it == value || *it == 999));
    }
}

#[test]
fn a_run_never_hangs_at_an_instant() {
    const STEPS_MAX: u32 = 200;
    for seed in 0..20 {
        let (mut world, mut script) = (world(), seeded(seed));
        for client in 0..3 {
            world.act(&mut script, &mut ()).start_client(client);
        }
        let (mut at, mut steps) = (Time::ZERO, 0);
        while world.step(Time::from_ms(120_000), &mut script, &mut ()) {
            steps = if world.now() == at { steps + 1 } else { 1 };
            at = world.now();
            assert!(steps < STEPS_MAX, "seed {seed} hangs at {at}");
        }
    }
}

// Intervals and TTLs of nothing.
#[test]
fn settings_of_zero_do_not_stop_the_time() {
    for ttl in [0, -1, 1, i64::MAX] {
        let mut nothing = presence("k", "a");
        nothing.ttl_in_seconds = ttl;
        nothing.retry_interval = ms(0);
        let mut rig = Rig::new(settings(vec![client(nothing)]));
        rig.act(|step| step.start_client(0));
        let mut steps = 0;
        let mut script = Script::default();
        while rig.world.step(Time::from_ms(1_000), &mut script, &mut rig.events) {
            steps += 1;
            assert!(steps < 50_000, "TTL {ttl}");
        }
    }
}
