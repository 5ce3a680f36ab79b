//! The map of settings, by complete searches, says what is known.

use std::ops::RangeInclusive;

use locket_sim::check::{
    Axis, Bounds, ClientCount, Fault, MapQuestion, Property, Question, QuestionError, SettingsMap,
    Verdict, WhyUnknown,
};
use locket_sim::scenario::RunnerKind;

use super::rig::{Changed, ONE_OWNER, STATES_MAX, delays, s, search_with, two, upstream, verdict};

const AXES: [Axis; 3] = [Axis::Latency, Axis::LostMessage, Axis::Pause];

/// A map with retry intervals from 1 s to 5 s, which is not run yet.
fn map_of(
    question: Question,
    axis: Axis,
    ttls: RangeInclusive<u64>,
    max_steps: u32,
) -> SettingsMap {
    let question = MapQuestion {
        question,
        ttls: ttls.map(s).collect(),
        retries: (1..=5).map(s).collect(),
        axis,
        max_steps,
        states_max: STATES_MAX,
    };
    SettingsMap::new(question).expect("every cell makes sense")
}

fn done(mut map: SettingsMap) -> SettingsMap {
    assert!(map.run(u64::MAX));
    map
}

fn map(bounds: Bounds, axis: Axis, ttls: RangeInclusive<u64>) -> SettingsMap {
    done(map_of(upstream(15, 5, bounds), axis, ttls, 20))
}

#[test]
fn more_of_anything_never_makes_settings_safer() {
    for axis in AXES {
        for row in map(delays(1), axis, 4..=5).cells().chunks(5) {
            // A longer retry interval does not help either: the same faults break it, or fewer.
            let steps = row.iter().map(|cell| cell.breaks_at.unwrap_or(u32::MAX));
            assert!(steps.is_sorted_by(|a, b| a >= b), "{axis:?} {row:?}");
        }
    }
}

#[test]
fn every_step_below_the_edge_is_safe_and_every_step_above_it_is_not() {
    const STEPS_MAX: u32 = 3;
    for axis in AXES {
        for runner in [RunnerKind::Upstream, RunnerKind::Safe] {
            let map = done(map_of(two(runner, 15, 5, delays(0)), axis, 4..=4, STEPS_MAX));
            for cell in &map.cells()[..2] {
                let steps = 0..=STEPS_MAX;
                let breaks = steps.map(|it| verdict(map.question_of(cell, it)) == Verdict::Unsafe);
                let breaks: Vec<bool> = breaks.collect();
                let edge = breaks.iter().position(|it| *it);
                assert!(breaks.is_sorted(), "{cell:?} {breaks:?}");
                assert_eq!(cell.breaks_at, edge.map(|it| it as u32), "{cell:?}");
                let safe = edge.unwrap_or(breaks.len()).checked_sub(1);
                assert_eq!(cell.safe_up_to, safe.map(|it| it as u32), "{cell:?}");
            }
        }
    }
}

#[test]
fn a_map_in_slices_on_several_cores_and_by_rows_is_the_map_in_one_go() {
    for axis in [Axis::Latency, Axis::Pause] {
        let map =
            |ttls| map_of(two(RunnerKind::UpstreamBefore202510, 15, 5, delays(1)), axis, ttls, 2);
        let whole = done(map(3..=5));
        let (mut sliced, mut shared) = (map(3..=5), map(3..=5));
        while !sliced.run(5) {}
        shared.complete();
        assert!(shared.is_done());
        let rows: Vec<_> = (3..=5).flat_map(|ttl| done(map(ttl..=ttl)).cells().to_vec()).collect();
        assert_eq!(
            [sliced.cells(), shared.cells(), &rows],
            [whole.cells(), whole.cells(), whole.cells()]
        );
    }
}

#[test]
fn what_never_breaks_is_proved_at_once() {
    let map = done(map_of(two(RunnerKind::Safe, 15, 5, delays(0)), Axis::Pause, 4..=4, 6));
    for cell in map.cells() {
        assert_eq!((cell.safe_up_to, cell.breaks_at), (Some(6), None));
        let search = search_with(map.question_of(cell, 6), Default::default());
        assert_eq!(cell.states, search.states());
    }
}

#[test]
fn a_cell_says_for_how_many_clients_its_values_are_safe() {
    let clients = |property: Property| {
        let question = two(RunnerKind::Safe, 15, 5, delays(0)).about(property);
        let map = done(map_of(question, Axis::Pause, 4..=4, 6));
        let view = serde_json::to_value(map.view()).expect("it can be written");
        let of = map.cells()[0].clients;
        (of, view[0]["clients"].clone())
    };
    let any = clients(ONE_OWNER);
    assert_eq!(any, (Some(ClientCount::Any), "any".into()));
    let all = clients(Property::Acquired { allow: s(60) });
    assert_eq!(all, (Some(ClientCount::Of(2)), 2.into()));

    let never_safe = map(delays(5), Axis::Pause, 3..=3);
    assert_eq!(never_safe.cells()[4].safe_up_to, None);
    assert_eq!(never_safe.cells()[4].clients, None);
}

#[test]
fn a_map_of_pauses_asks_about_as_many_of_them_as_its_question() {
    let edge = |pauses: u8| {
        let bounds = delays(1).with(Fault::Pause, pauses);
        let map = map(bounds, Axis::Pause, 15..=15);
        let cell = map.cells()[4];
        let steps = cell.breaks_at.expect("a long pause breaks it");
        assert_eq!(map.question_of(&cell, steps).bounds.faults[Fault::Pause].count, pauses.max(1));
        (steps, map.bounds_words())
    };
    let (one, words) = edge(1);
    assert_eq!(edge(0), (one, words.clone()));
    assert!(words.contains("one pause ≤ the value of the cell"), "{words}");
    let (two, words) = edge(2);
    assert!(two < one, "{two} {one}");
    let up_to = "up to 2 pauses ≤ the value of the cell each";
    assert!(words.contains(up_to), "{words}");
}

#[test]
fn a_cell_whose_search_was_cut_is_not_called_safe() {
    let question = MapQuestion {
        question: upstream(15, 5, delays(1)),
        ttls: vec![s(15)],
        retries: vec![s(5)],
        axis: Axis::Pause,
        max_steps: 20,
        states_max: 100,
    };
    let map = done(SettingsMap::new(question).expect("every cell makes sense"));
    assert_eq!(map.cells()[0].because(), Some(WhyUnknown::TooManyStates));
    assert!(map.to_string().contains('?'), "{map}");
}

#[test]
fn a_cell_whose_property_nothing_tests_is_unknown() {
    // Two owners take two clients.
    let map = done(map_of(upstream(15, 5, delays(0)).with_clients(1), Axis::Pause, 4..=4, 2));
    for cell in map.cells() {
        assert_eq!(cell.because(), Some(WhyUnknown::NeverExercised), "{cell:?}");
    }
    assert!(map.to_string().contains("T 4s      ?"), "{map}");
}

fn read_map(text: &str) -> Result<MapQuestion, QuestionError> {
    MapQuestion::from_json(text, 1000)
}

#[test]
fn steps_go_up_to_the_longest_ttl_unless_said_otherwise() {
    let text = |more: &str| {
        format!(
            r#"{{"question": {{"grid": "500ms"}}, "ttl": ["3s", "6s"], "retryInterval": ["1s"], "axis": "pause"{more}}}"#
        )
    };
    assert_eq!(read_map(&text("")).unwrap().max_steps, 12);
    let few = read_map(&text(r#", "maxSteps": 3"#)).unwrap();
    assert_eq!(few.max_steps, 3);
}

#[test]
fn an_error_in_a_map_has_its_path() {
    for (text, field) in [
        (r#"{"question": {"latency": "soon"}}"#, "question.latency"),
        (r#"{"question": {}, "ttl": [], "retryInterval": [], "axis": "weather"}"#, "axis"),
        (r#"{"question": {}, "ttl": ["1s", -1]}"#, "ttl[1]"),
    ] {
        assert_eq!(read_map(text).unwrap_err().field, field, "{text}");
    }
}
