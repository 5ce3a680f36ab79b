//! A fault is one file: what else names one is a rule about that very fault, and stands here with its
//! reason. All other code asks the table of faults.

use std::collections::BTreeMap;

use super::rooms::{code, files, source};

/// The files that name faults, and which.
const NAMED: [(&str, &str); 25] = [
    // The faults that advice and a map raise.
    ("advice/adviser.rs", "Pause"),
    ("advice/map_question.rs", "LostMessage Pause"),
    ("advice/other_settings.rs", "LostMessage Pause"),
    ("advice/survival.rs", "LocketDrain"),
    ("advice/usefulness.rs", "Crash"),
    // When a walk ends what is down; how many commits are lost.
    ("answer/replay.rs", "DatabaseCrash LocketCrash"),
    ("answer/scenario_text.rs", "Failover"),
    ("explorer/faults.rs", "Failover"),
    // The fates of what is sent, and connections that end.
    ("explorer.rs", "Disconnect Duplicate Failover LocketCrash LostMessage LostReply"),
    ("explorer/message.rs", "LocketPause SlowConnection"),
    ("explorer/stepping.rs", "LocketDrain LostReply"),
    ("explorer/transit.rs", "Duplicate LostMessage"),
    ("search/coverage.rs", "Duplicate LostMessage LostReply"),
    // Rules of a search, each about one of them: what holds up calls and answers, whose turn a drain
    // is, and what a client does after it.
    ("explorer/any_count.rs", "LocketPause LostMessage Pause"),
    ("explorer/any_processes.rs", "Duplicate LocketPause Stall"),
    ("explorer/database.rs", "LocketDrain LocketPause"),
    ("explorer/end.rs", "LocketDrain"),
    ("explorer/others.rs", "Stall"),
    ("explorer/passing.rs", "Pause"),
    ("explorer/property.rs", "Restart"),
    ("question/bounds.rs", "DatabaseCrash Failover"),
    ("question/local.rs", "Failover Restart"),
    // The bounds that a sentence always says.
    ("question/bounds_words.rs", "LostMessage Pause"),
    // The actions of a run that stand for a fault in another way than by its own action.
    ("question/run_faults.rs", "Disconnect Failover LocketCrash LostReply RowDeletion"),
    ("question/run_links.rs", "Duplicate LostMessage LostReply Partition"),
];

/// The faults that code names.
fn fault_names(code: &str) -> Vec<&str> {
    let after = code.split("Fault::").skip(1);
    let names = after.filter_map(|rest| rest.split(|it: char| !it.is_alphanumeric()).next());
    let mut names: Vec<_> = names
        .filter(|name| name.chars().any(char::is_lowercase))
        .filter(|name| name.starts_with(char::is_uppercase))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[test]
fn a_fault_is_named_in_its_file_the_list_and_where_a_rule_is_about_it() {
    let check = source().join("check");
    let mut found = BTreeMap::new();
    for file in files(&check) {
        let place = file.strip_prefix(&check).expect("it is in there");
        let place = place.display().to_string();
        let is_own = place.starts_with("question/faults") || place.contains("projection");
        let code = code(&file);
        let names = fault_names(&code);
        if !is_own && !names.is_empty() {
            found.insert(place, names.join(" "));
        }
    }
    let named = NAMED.map(|(place, names)| (place.to_owned(), names.to_owned()));
    assert_eq!(found, BTreeMap::from(named));
}
