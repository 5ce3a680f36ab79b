//! Claims about exports: each has the shape that its readers want, whatever a run's texts say.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use locket_sim::scenario::run_text;
use locket_sim::simulation::Simulation;
use locket_sim::trace::Run;
use locket_sim::trace::export::{Format, Origin, UnknownFormat, export};
use serde_json::Value;

const FIRST_LOOK: &str = include_str!("../../scenarios/first-look.json");
const FAULTY: &str = include_str!("../data/faulty.json");

/// Names and remarks made to break what they are put into, and an expectation that fails.
const HOSTILE: &str = include_str!("../data/hostile.json");

fn runs() -> Vec<(&'static str, Run)> {
    let texts = [FIRST_LOOK, FAULTY, HOSTILE];
    texts.map(|text| (text, run_text(text).unwrap())).into_iter().collect()
}

fn exported(run: &Run, text: &str, format: Format) -> String {
    export(run, Origin::Scenario(text), format)
}

#[test]
fn json_lines_are_one_object_per_event_and_one_for_the_run() {
    for (text, run) in runs() {
        let lines = exported(&run, text, Format::JsonLines);
        let lines: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), run.events.len() + 1);
        for (line, event) in lines.iter().zip(&run.events) {
            assert_eq!(line["words"], event.words(&run.names).as_str());
            assert_eq!(line["timeMs"], event.time().as_ms());
            assert_eq!(*line, serde_json::to_value(event.view(&run.names)).unwrap());
        }
        let last = lines.last().unwrap();
        assert_eq!(last["digest"], run.digest.to_string().as_str());
        assert_eq!(last["failures"].as_array().unwrap().len(), run.failures.len());
    }
}

#[test]
fn a_mermaid_diagram_is_one_statement_per_line() {
    for (text, run) in runs() {
        let diagram = exported(&run, text, Format::Mermaid);
        let mut lines = diagram.lines();
        assert_eq!(lines.next(), Some("sequenceDiagram"));
        let lines: Vec<_> = lines.collect();
        assert_eq!(lines.len(), run.names.len() + run.events.len());
        for line in lines {
            let line = line.strip_prefix("  ").unwrap();
            let of_kind = ["participant n", "Note over n", "n"];
            assert!(of_kind.iter().any(|start| line.starts_with(start)), "{line}");
            let said = line.split_once(": ").map_or("", |(_, said)| said);
            let entities = said.matches(';').count();
            assert_eq!(said.matches('#').count(), entities, "{line}");
            assert!(!said.replace("<br/>", "").contains(['<', '>', '"']), "{line}");
        }
    }
}

#[test]
fn an_arrow_of_a_mermaid_diagram_goes_from_who_sends_to_who_receives() {
    let run = run_text(FIRST_LOOK).unwrap();
    let diagram = exported(&run, FIRST_LOOK, Format::Mermaid);
    let arrows = diagram.lines().filter(|line| line.contains("->>"));
    let first: Vec<&str> = arrows.map(str::trim).take(2).collect();
    let expected = ["n2->>n1: 0.000 bbs-0 locks 'bbs' for 15 s", "n1->>n2: 0.000 bbs-0 holds it"];
    assert_eq!(first, expected);
}

#[test]
fn a_junit_report_has_a_case_per_expectation() {
    let run = run_text(HOSTILE).unwrap();
    let xml = exported(&run, HOSTILE, Format::Junit);
    assert_eq!(run.checks.len(), 3);
    assert_eq!(xml.matches("<testcase ").count(), 3);
    assert_eq!(xml.matches("<failure ").count(), 2);
    assert!(xml.contains("tests=\"3\" failures=\"2\""));
    assert!(!xml.contains(['\0', '\u{1b}']));
    assert!(!xml.contains("]]>"));
    let bare = xml.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "");
    let bare = bare.replace("&quot;", "").replace("&#10;", "").replace("&#9;", "");
    assert!(!bare.contains('&'), "{bare}");
    // Tags in pairs, or empty ones.
    let (open, close) = (bare.matches('<').count(), bare.matches('>').count());
    assert_eq!(open, close);

    let first_look = run_text(FIRST_LOOK).unwrap();
    let xml = exported(&first_look, FIRST_LOOK, Format::Junit);
    assert_eq!(xml.matches("<testcase ").count(), first_look.checks.len().max(1));
}

#[test]
fn a_rust_test_is_a_function_that_tells_the_same_run() {
    let run = run_text(FIRST_LOOK).unwrap();
    let test = exported(&run, FIRST_LOOK, Format::RustTest);
    assert!(
        test.contains("\nfn first_look_tells_the_same_run() {\n    const SCENARIO: &str = r#\"{")
    );
    assert!(test.contains(&format!("\"{}\"", run.digest)));
    assert!(test.contains("assert_eq!(run.failures, Vec::<String>::new());"));
    // It fails if nothing ran.
    assert!(!run.events.is_empty());
    assert!(test.contains(&format!("assert_eq!(run.events.len(), {});", run.events.len())));
    // It is one for cargo and for wasm-pack.
    let attribute = "\n#[wasm_bindgen_test::wasm_bindgen_test(unsupported = test)]\nfn ";
    assert_eq!(test.matches(attribute).count(), 1);
    let scenario = test.split("r#\"").nth(1).unwrap().split("\"#").next().unwrap();
    assert_eq!(run_text(scenario).unwrap().digest, run.digest);
}

#[test]
fn a_rust_test_is_ascii_and_its_raw_string_does_not_end_early() {
    let run = run_text(HOSTILE).unwrap();
    let test = exported(&run, HOSTILE, Format::RustTest);
    assert!(test.is_ascii());
    assert!(test.contains("\nfn a_b_c_d_x_end_tells_the_same_run() {"));
    let hashes =
        "#".repeat(test.split("= r").nth(1).unwrap().chars().take_while(|c| *c == '#').count());
    let start = format!("r{hashes}\"");
    let scenario = test.split(&start).nth(1).unwrap();
    let scenario = scenario.split(&format!("\"{hashes}")).next().unwrap();
    assert_eq!(run_text(scenario).unwrap(), run);
    assert!(test.contains("Make it an empty list once they are fixed"));
}

#[test]
fn a_test_of_a_run_that_was_acted_on_carries_a_link() {
    let mut simulation = Simulation::from_json(FIRST_LOOK).unwrap();
    let plain = {
        simulation.run_to_end().unwrap();
        simulation.export(Format::TypescriptTest)
    };
    assert!(plain.contains("runScenario({"));
    simulation.step_back();
    simulation.act_json(r#"{ "do": "drop-table" }"#).unwrap();
    for format in [Format::TypescriptTest, Format::RustTest] {
        let test = simulation.export(format);
        assert!(test.contains(&simulation.link()));
        assert!(test.contains(&simulation.digest().to_string()));
    }
}

#[test]
fn every_form_has_a_name_and_no_other_is_known() {
    for (name, format) in Format::ALL {
        assert_eq!(name.parse(), Ok(format));
    }
    assert_eq!("svg".parse::<Format>(), Err(UnknownFormat));
}
