//! A scenario or a run asks a question about its own clients and faults, and names what no search
//! tries.

use locket_sim::check::{
    Bounds, Fault, OutsideKind, Question, QuestionError, Reductions, RunFaults, RunQuestion,
    WhyUnknown,
};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::{RunnerKind, Scenario};
use locket_sim::simulation::Simulation;
use locket_sim::time::{Duration, Time};

use super::rig::{STATES_MAX, answer, delays, s, search, two};

/// Two runners in a scenario's text, with more said about the second and the whole.
fn scenario(of_second: &str, of_whole: &str) -> String {
    format!(
        r#"{{"name": "two", "profile": "upstream", "seed": 7, "until": "60s",
"clients": [
{{"name": "a", "key": "k", "ttl": "6s", "retryInterval": "2s", "runner": "safe"}},
{{"name": "b", "key": "k", "ttl": "6s", "retryInterval": "2s", "runner": "safe", "value": "x"{of_second}}}
]{of_whole}}}"#
    )
}

/// A question about a scenario, with more members.
fn about(scenario: &str, members: &str) -> Result<Question, QuestionError> {
    let text = serde_json::Value::from(scenario);
    Question::from_json(&format!(r#"{{"scenario": {text}{members}}}"#))
}

#[test]
fn it_is_the_question_about_the_same_settings() {
    let asked = |of_second: &str, of_whole: &str| {
        Question::of_scenario(&scenario(of_second, of_whole)).expect("it makes sense")
    };
    assert_eq!(asked("", ""), two(RunnerKind::Safe, 6, 2, Bounds::default()));
    let other = asked(r#", "margin": "1s", "clock": {"ratePpm": -1000}"#, "");
    assert_eq!((other.clients[1].margin, other.clients[1].rate_ppm), (Some(s(1)), -1000));
    let third = r#", "process": 1}, {"name": "c", "key": "k", "ttl": "6s", "retryInterval": "2s", "runner": "upstream", "process": 2"#;
    let more = asked(third, r#", "processes": 3"#);
    assert_eq!((more.clients.len(), more.processes, more.outside), (3, 3, Vec::new()));
}

#[test]
fn a_given_bound_replaces_that_of_the_scenario_and_no_other() {
    let (none, latency) =
        (Bounds::default(), r#", "network": {"latency": {"min": "0s", "max": "1s"}}"#);
    let slow = r#", "database": {"latency": {"max": "2s"}}"#;
    let database = |seconds| Bounds { database_latency: s(seconds), ..none };
    let paused = r#", "actions": [{"at": "1s", "do": "pause", "node": "a", "for": "9s"}]"#;
    let pauses = |count: u8| none.with_length(Fault::Pause, count, s(9));
    let again = r#", "faults": {"pause": {"length": "9s", "count": 2}}"#;
    for (of_scenario, given, expected) in [
        (latency, "", delays(1)),
        (latency, r#", "latency": "0s""#, none),
        (latency, again, delays(1).with_length(Fault::Pause, 2, s(9))),
        (slow, "", database(2)),
        (slow, r#", "databaseLatency": "3s""#, database(3)),
        (paused, r#", "faults": {}"#, pauses(1)),
        (paused, again, pauses(2)),
        (paused, r#", "faults": {"pause": 0}"#, none),
        (paused, r#", "faults": {"crash": 1}"#, pauses(1).with(Fault::Crash, 1)),
    ] {
        let asked = about(&scenario("", of_scenario), given).expect("it makes sense");
        assert_eq!(asked.bounds, expected, "{of_scenario}{given}");
    }
}

#[test]
fn what_the_scenario_says_is_not_said_again() {
    let silent = r#"{"name": "m", "clients": [{"name": "a", "key": "k", "retryInterval": "5s"}]}"#;
    let saying = scenario("", r#", "processes": 1"#);
    for (field, value) in [
        ("ttl", r#""9s""#),
        ("retryInterval", r#""9s""#),
        ("profile", r#""upstream""#),
        ("processes", "2"),
    ] {
        let members = format!(r#", "{field}": {value}"#);
        assert_eq!(about(&saying, &members).expect_err("it is said twice").field, field);
    }
    let asked =
        about(silent, r#", "profile": "upstream", "processes": 2"#).expect("it does not say");
    assert_eq!((asked.profile, asked.processes), (Profile::UPSTREAM, 2));
}

#[test]
fn clients_of_a_scenario_with_one_owner_string_are_one_owner_to_a_search() {
    let asked = |of_second| Question::of_scenario(&scenario(of_second, "")).expect("it is asked");
    let owners = |of_second| asked(of_second).clients.into_iter().map(|it| it.owner);
    let shared = Some("a".to_owned());
    assert!(owners(r#", "owner": "a""#).eq([shared.clone(), shared]));
    // A name that no other client has changes no answer.
    assert!(owners(r#", "owner": "c""#).eq([None, None]));
}

/// The parts of a scenario with two runners that no search tries.
fn outside(of_second: &str, of_whole: &str) -> Vec<String> {
    let text = scenario(of_second, of_whole);
    let asked = Question::of_scenario(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    asked.outside.into_iter().map(|it| it.words).collect()
}

#[test]
fn what_no_search_tries_is_named() {
    for (of_second, of_whole, words) in [
        (r#", "kind": "presence""#, "", "b, a presence of the same key"),
        (r#", "process": 1"#, r#", "processes": 4"#, "1 more Locket process; a search has 3"),
        ("", r#", "processes": 2"#, "b, in a search with locket-1 as the process that it prefers"),
    ] {
        assert_eq!(outside(of_second, of_whole), [words], "{of_second}{of_whole}");
    }
    for (chance, words) in [
        (r#""network": {"loss": "0.1%"}"#, "messages lost by chance"),
        (r#""network": {"duplicates": "0.1%"}"#, "messages that arrive twice by chance"),
        (r#""database": {"replyLoss": "0.1%"}"#, "database replies lost by chance"),
    ] {
        assert_eq!(outside("", &format!(r#", "random": true, {chance}"#)), [words], "{chance}");
    }
    for (action, words) in [
        (r#""drop-table""#, "a dropped table"),
        (r#""put-row", "key": "k", "owner": "x""#, "a row that an operator writes"),
        (r#""suspend", "node": "locket", "for": "1s""#, "a suspend of a Locket process"),
        (r#""pause", "node": "database", "for": "1s""#, "a pause of the database"),
        (
            r#""cut", "from": "locket", "to": "database""#,
            "a cut between a Locket process and the database",
        ),
        (r#""restart", "node": "a", "owner": "x""#, "a restart with another owner"),
        (r#""lose-replies", "count": 16"#, "more than 15 lost database replies"),
        (r#""stall", "for": "2h""#, "a fault or message of more than 3,600 s"),
    ] {
        let actions = format!(r#", "actions": [{{"at": "1s", "do": {action}}}]"#);
        assert_eq!(outside("", &actions), [words], "{action}");
    }
    let own = r#"{"name": "m", "profile": {"extends": "upstream", "releaseMissing": "not-found"},
        "clients": [{"name": "a", "key": "k", "retryInterval": "5s"}]}"#;
    let asked = Question::of_scenario(own).expect("it has a runner");
    assert_eq!(asked.profile, Profile::UPSTREAM);
    assert_eq!(asked.outside[0].words, "a Locket with rules of its own");
}

#[test]
fn a_client_with_another_kind_or_key_is_named_and_the_others_are_asked_about() {
    let text = r#"{"name": "m", "clients": [
        {"name": "a", "key": "k", "ttl": "15s", "retryInterval": "5s"},
        {"name": "b", "kind": "presence", "key": "k", "ttl": "15s", "retryInterval": "5s"},
        {"name": "c", "key": "k", "ttl": "30s", "retryInterval": "5s"},
        {"name": "d", "key": "other", "retryInterval": "5s"}]}"#;
    let asked = Question::of_scenario(text).expect("it makes sense");
    assert_eq!(asked.clients.len(), 2);
    let outside: Vec<_> = asked.outside.iter().map(|it| (it.is, it.words.as_str())).collect();
    let other_kind = "b, a presence of the same key";
    let expected =
        [(OutsideKind::Never, other_kind), (OutsideKind::OtherKey, "d, with another key")];
    assert_eq!(outside, expected);
    let answer = answer(asked).to_string();
    assert!(
        answer.contains(&format!("Not searched: {other_kind}; d, with another key.")),
        "{answer}"
    );
}

#[test]
fn what_changes_no_answer_of_a_search_is_no_part_of_the_question() {
    let plain = Question::of_scenario(&scenario("", "")).expect("it makes sense");
    for (of_second, of_whole) in [
        (r#", "startAt": "1s""#, ""),
        (r#", "clock": {"offset": "1h"}"#, ""),
        ("", r#", "overrides": {"t3000.0": 1}"#),
        ("", r#", "expect": [{"at": "0s", "key": "k", "owner": null}]"#),
        ("", r#", "actions": [{"at": "1s", "do": "note", "text": "look"}]"#),
    ] {
        let asked = Question::of_scenario(&scenario(of_second, of_whole));
        assert_eq!(asked.as_ref(), Ok(&plain), "{of_second}{of_whole}");
    }
}

#[test]
fn the_actions_of_a_scenario_are_bounds() {
    let actions = r#", "until": "60s", "network": {"latency": "20ms"}, "actions": [
        {"at": "1s", "do": "pause", "node": "a", "for": "4s"},
        {"at": "6s", "do": "pause", "node": "b"},
        {"at": "15500ms", "do": "resume", "node": "b"},
        {"at": "20s", "do": "crash", "node": "locket"},
        {"at": "23s", "do": "start", "node": "locket-0"},
        {"at": "24s", "do": "cut", "from": "a", "to": "locket"},
        {"at": "30s", "do": "heal", "from": "locket-0", "to": "a"},
        {"at": "31s", "do": "lose-messages", "from": "a", "to": "locket", "count": 2},
        {"at": "32s", "do": "restart", "node": "a", "every": "2s", "until": "36s"},
        {"at": "50s", "do": "crash", "node": "database"},
        {"at": "51s", "do": "delete-row", "key": "k"},
        {"at": "51s", "do": "delete-row", "key": "other"}]"#;
    let text = scenario("", actions).replacen(r#""until": "60s","#, "", 1);
    let asked = Question::of_scenario(&text).expect("it makes sense");
    let expected = Bounds { latency: Duration::from_ms(100), ..Bounds::default() }
        .with(Fault::LostMessage, 2)
        .with_length(Fault::Partition, 1, s(6))
        .with_length(Fault::Pause, 2, Duration::from_ms(9_500))
        .with(Fault::Crash, 3)
        .with(Fault::Restart, 3)
        .with_length(Fault::LocketCrash, 1, s(3))
        .with_length(Fault::DatabaseCrash, 1, s(10))
        .with(Fault::RowDeletion, 1);
    assert_eq!((asked.bounds, asked.outside), (expected, Vec::new()));
}

#[test]
fn a_scenario_without_a_runner_that_a_search_can_try_is_an_error_with_its_place() {
    let manual = r#"{"name": "m", "clients": [{"name": "a", "key": "k"}]}"#;
    let error = Question::of_scenario(manual).expect_err("no client is a runner");
    assert_eq!((error.line, error.path.as_str()), (1, "clients"));
    let long = r#"{"name": "m", "clients": [{"name": "a", "key": "k", "ttl": "2h", "retryInterval": "5s"}]}"#;
    let error = Question::of_scenario(long).expect_err("no search is so long");
    assert!(error.message.starts_with("no search can try a (ttl: "), "{error}");
}

/// The names and texts of the shipped stories.
fn stories() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios");
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let texts = files.map(|file| {
        let path = file.expect("it can be read").path();
        let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(&path).expect("it can be read"))
    });
    texts.filter(|(_, text)| Scenario::from_json(text).is_ok()).collect()
}

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

/// The shipped stories without a runner that a search can try.
const UNSEARCHABLE: [&str; 3] = ["first-look", "operator-empties-the-owner", "ttl-that-overflows"];

#[test]
fn every_shipped_story_is_a_question_that_includes_its_own_run() {
    let mut count = 0;
    for (name, text) in stories() {
        count += 1;
        let asked = Question::of_scenario(&text);
        assert_eq!(asked.is_err(), UNSEARCHABLE.contains(&name.as_str()), "{name}: {asked:?}");
        let Ok(asked) = asked else { continue };
        asked.check().unwrap_or_else(|error| panic!("{name}: {error}"));
        let run = Simulation::from_json(&text).expect("it is valid");
        let happened = Question::of_run(&run, RunFaults::Happened).expect("it has a question");
        let left_out = asked.leaves_out(&happened);
        let wider: Vec<_> = left_out.iter().filter(|it| it.is == OutsideKind::Wider).collect();
        let by_chance = asked.outside.iter().any(|it| it.words.ends_with("by chance"));
        assert!(wider.is_empty() || by_chance, "{name}: {wider:?}");
    }
    assert_eq!(count, 66);
}

#[test]
fn no_story_is_unknown_for_want_of_states_but_those_named_here() {
    for (name, text) in stories() {
        let Ok(question) = Question::of_scenario(&text) else {
            continue;
        };
        let is_named = TOO_LONG.iter().any(|(it, _)| *it == name);
        let states_max = if is_named { QUICK } else { STATES_MAX };
        let (_, because) = search(question, Reductions::default(), states_max).judged();
        let is_cut = because == Some(WhyUnknown::TooManyStates);
        assert_eq!(is_cut, is_named, "{name}: {because:?}");
    }
}

#[test]
fn what_was_done_from_outside_is_part_of_the_run_and_not_of_its_plan() {
    let text = scenario("", "");
    let mut run = Simulation::from_json(&text).expect("it is valid");
    run.run_until(Time::from_ms(5_000)).expect("it is short");
    for act in [
        r#"{"do": "pause", "node": "a", "for": "7s"}"#,
        r#"{"do": "lose-messages", "from": "b", "to": "locket"}"#,
        r#"{"do": "drop-table"}"#,
    ] {
        run.act_json(act).expect("it can be done");
    }
    run.run_to_end().expect("it is short");
    let question = |faults, bounds| RunQuestion::new(&run, faults, bounds).expect("it has one");
    let planned = question(RunFaults::Planned, "{}");
    let words =
        |asked: &RunQuestion| asked.outside.iter().map(|it| it.words.clone()).collect::<Vec<_>>();
    assert_eq!(words(&planned), ["1 message lost", "1 pause", "a dropped table"]);
    let shorter = question(
        RunFaults::Planned,
        r#"{"faults": {"pause": {"length": "5s", "count": 1}, "lostMessage": 1}}"#,
    );
    assert_eq!(words(&shorter), ["a pause of 7 s", "a dropped table"]);
    let happened = question(RunFaults::Happened, "{}");
    assert_eq!(words(&happened), ["a dropped table"]);
    let written = happened.bounds.iter().map(|(name, bound)| format!("{name} {bound}"));
    let written: Vec<_> = written.collect();
    assert_eq!(written, ["latency 0s", "lostMessage ,1", "pause 7s,1"]);
    let list = "messages take no time, one pause ≤ 7 s, one message lost, no other fault";
    assert_eq!(happened.words, list);
}

#[test]
fn messages_that_a_cut_loses_are_the_cut_and_not_lost_messages() {
    // The second is never healed: it lasts as long as the run, which went on after its scenario.
    for (cut, length) in [(r#""at": "5s", "for": "9s""#, 9), (r#""at": "55s""#, 15)] {
        let cut = format!(r#", "actions": [{{"do": "cut", "from": "a", "to": "locket", {cut}}}]"#);
        let mut run = Simulation::from_json(&scenario("", &cut)).expect("it is valid");
        run.settle().expect("it is short");
        let happened = Question::of_run(&run, RunFaults::Happened).expect("it has one");
        let expected = Bounds::default().with_length(Fault::Partition, 1, s(length));
        assert_eq!(happened.bounds, expected, "{cut}");
    }
}
