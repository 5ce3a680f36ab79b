//! The map of settings, by complete searches, says what is known.

use locket_sim::check::{Axis, Bounds, MapQuestion, SettingsMap};

use super::rig::{STATES_MAX, delays, s, upstream};

fn map(bounds: Bounds, axis: Axis, ttls: std::ops::RangeInclusive<u64>) -> SettingsMap {
    let question = MapQuestion {
        question: upstream(15, 5, bounds),
        ttls: ttls.map(s).collect(),
        retries: (1..=5).map(s).collect(),
        axis,
        steps_max: 20,
        states_max: STATES_MAX,
    };
    SettingsMap::new(question).expect("every cell makes sense")
}

/// The fewest steps that break each cell, row by row.
fn breaks_at(map: &SettingsMap) -> Vec<Option<u32>> {
    map.cells().iter().map(|cell| cell.breaks_at).collect()
}

#[test]
fn the_map_of_smallest_pauses_agrees_with_the_formula_in_every_cell() {
    let mut map = map(delays(1), Axis::Pause, 3..=14);
    assert!(map.run(u64::MAX));
    assert_eq!(map.cells().len(), 60);
    for cell in map.cells() {
        assert!(cell.is_complete);
        assert_eq!(cell.breaks_at, cell.formula, "{cell:?}");
        assert_eq!(
            cell.safe_up_to,
            cell.breaks_at.and_then(|steps| steps.checked_sub(1)),
            "{cell:?}"
        );
    }
    assert!(
        map.to_string()
            .contains("T 12s    10s     8s     7s     6s     5s"),
        "{map}"
    );
}

#[test]
fn a_map_in_slices_is_the_map_in_one_go() {
    let mut whole = map(delays(0), Axis::Delay, 3..=4);
    let mut sliced = whole.clone();
    assert!(whole.run(u64::MAX));
    while !sliced.run(5) {}
    assert_eq!(sliced.cells(), whole.cells());
}

#[test]
fn more_of_anything_never_makes_settings_safer() {
    for axis in [Axis::Delay, Axis::Losses, Axis::Pause, Axis::ClockRate] {
        let mut map = map(delays(1), axis, 4..=5);
        assert!(map.run(u64::MAX));
        for row in breaks_at(&map).chunks(5) {
            // A longer retry interval does not help either: the same faults break it, or fewer.
            let steps = row.iter().map(|steps| steps.unwrap_or(u32::MAX));
            assert!(steps.is_sorted_by(|a, b| a >= b), "{axis:?} {row:?}");
        }
    }
}

#[test]
fn a_cell_whose_search_was_cut_is_not_called_safe() {
    let question = MapQuestion {
        question: upstream(15, 5, delays(1)),
        ttls: vec![s(15)],
        retries: vec![s(5)],
        axis: Axis::Pause,
        steps_max: 20,
        states_max: 100,
    };
    let mut map = SettingsMap::new(question).expect("every cell makes sense");
    assert!(map.run(u64::MAX));
    assert!(!map.cells()[0].is_complete);
    assert!(map.to_string().contains('?'), "{map}");
}
