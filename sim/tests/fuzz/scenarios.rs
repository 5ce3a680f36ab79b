//! Scenario texts: read, run within a number of steps, and exported.

use locket_sim::scenario::{Execution, Scenario, ScenarioError};
use locket_sim::trace::Run;
use locket_sim::trace::export::{Format, Origin, export};

use super::json::changed;
use super::round::fuzz;
use super::shipped::scenarios;

/// The limit of a run.
const STEPS: u64 = 2_000;
/// Exports of more than these events say no more than those of fewer.
const EVENTS_MAX: usize = 2_000;

#[test]
fn scenario_texts() {
    fuzz("scenario_texts", 120, &changed(scenarios()), |text| {
        let scenario = match Scenario::from_json(&text) {
            Err(error) => return points_into(&text, &error),
            Ok(scenario) => scenario,
        };
        let (first, second) = (run(&scenario), run(&scenario));
        if first != second {
            return Err("it ran otherwise the second time".to_owned());
        }
        let Some(run) = first else { return Ok(()) };
        let mut silent = Execution::new(scenario, STEPS).without_trace();
        silent.run(u64::MAX).map_err(|_| "it takes more steps without a trace")?;
        if silent.finish().digest != run.digest {
            return Err("without a trace it has another digest".to_owned());
        }
        exports(&run, &text)
    });
}

/// An error has a place in the text, and a message.
fn points_into(text: &str, error: &ScenarioError) -> Result<(), String> {
    let line = text.split('\n').nth(error.line.wrapping_sub(1));
    let is_there = line.is_some_and(|line| (1..=line.len() + 1).contains(&error.column));
    match is_there && !error.message.is_empty() {
        true => Ok(()),
        false => Err(format!("the error is nowhere in the text: {error:?}")),
    }
}

/// `None` if it would take more steps.
fn run(scenario: &Scenario) -> Option<Run> {
    let mut execution = Execution::new(scenario.clone(), STEPS);
    execution.run(u64::MAX).ok()?;
    Some(execution.finish())
}

/// Every form has a text, and those that are JSON can be read.
fn exports(run: &Run, text: &str) -> Result<(), String> {
    if run.events.len() > EVENTS_MAX {
        return Ok(());
    }
    for (name, format) in Format::ALL {
        let exported = export(run, Origin::Scenario(text), format);
        let documents = match format {
            Format::JsonLines => exported.lines().collect(),
            Format::Junit | Format::Mermaid | Format::RustTest | Format::TypescriptTest => {
                Vec::new()
            }
        };
        for document in documents {
            let read = serde_json::from_str::<serde_json::Value>(document);
            read.map_err(|error| format!("{name} is no JSON: {error}"))?;
        }
    }
    Ok(())
}
