//! The questions that users see first have an answer: those of the shipped stories and of the page of
//! production settings. None is unknown because there are too many states.

use locket_sim::check::{Question, Search, WhyUnknown};
use locket_sim::scenario::Scenario;

/// The limit of the command line.
const STATES_MAX: usize = 5_000_000;
/// The limit for stories that are known to exceed any.
const QUICK: usize = 100_000;

/// Stories that no search finishes, with the reason.
const TOO_LONG: [(&str, &str); 3] = [
    (
        "incident-rolling-restart-and-failover",
        "a failover breaks each client alone, and three clients with three processes have too many states",
    ),
    (
        "incident-vm-suspended",
        "no search with suspends proves anything, so each client is not asked alone",
    ),
    ("retry-storm", "requests of three clients queue at a row, so no client is asked alone"),
];

/// The names and texts of the shipped stories.
fn stories() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios");
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let files = files.map(|file| file.expect("it can be read").path());
    let files = files.filter(|file| file.extension().is_some_and(|it| it == "json"));
    let read = files.map(|file| {
        let text = std::fs::read_to_string(&file).expect("it can be read");
        let name = file.file_stem().expect("it has a name");
        (name.to_string_lossy().into_owned(), text)
    });
    read.filter(|(_, text)| Scenario::from_json(text).is_ok()).collect()
}

#[test]
fn no_story_is_unknown_for_want_of_states_but_those_named_here() {
    let mut asked = 0;
    for (name, text) in stories() {
        let Ok(question) = Question::of_scenario(&text) else {
            continue;
        };
        let is_named = TOO_LONG.iter().any(|(it, _)| *it == name);
        let states_max = if is_named { QUICK } else { STATES_MAX };
        let mut search = Search::new(question, Default::default(), states_max)
            .expect("the question makes sense");
        search.run(u64::MAX);
        let (_, because) = search.judged();
        let is_cut = because == Some(WhyUnknown::TooManyStates);
        assert_eq!(is_cut, is_named, "{name}: {because:?}");
        asked += 1;
    }
    assert!(asked > 40, "{asked}");
}

#[test]
fn no_row_of_the_settings_and_edges_pages_is_unknown() {
    for page in [
        include_str!("../../../docs/reference/settings.md"),
        include_str!("../../../docs/reference/edges.md"),
    ] {
        assert!(page.contains("safe |"), "{page}");
        assert!(!page.to_lowercase().contains("unknown"), "{page}");
    }
}
