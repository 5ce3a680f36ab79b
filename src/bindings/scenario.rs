//! Scenarios and profiles as data.

use js_sys::{Array, Reflect};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::{Execution, Scenario};
use locket_sim::trace::{Event, Names};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::text::{exceeded_to_js, scenario_error_to_js};
use super::views::{parsed, to_js};

/// The run of a scenario's text, which may take that many steps. Without a trace, `events` is empty.
#[wasm_bindgen(js_name = runScenario)]
pub fn run_scenario(text: &str, trace: bool, max_steps: f64) -> Result<JsValue, JsValue> {
    let scenario = match trace {
        true => Scenario::from_json(text),
        false => Scenario::from_json_of_any_length(text),
    };
    let execution = Execution::new(scenario.map_err(scenario_error_to_js)?, max_steps as u64);
    let mut execution = match trace {
        true => execution,
        false => execution.without_trace(),
    };
    execution.run(u64::MAX).map_err(exceeded_to_js)?;
    let mut run = execution.finish();
    let events = events_to_js(&std::mem::take(&mut run.events), &run.names);
    let run = parsed(&run.view());
    // Setting a member that an object has cannot fail.
    let _ = Reflect::set(&run, &"events".into(), &events);
    Ok(run)
}

/// The presets, with every switch.
#[wasm_bindgen]
pub fn profiles() -> JsValue {
    #[derive(Serialize)]
    struct Presets {
        documented: Profile,
        upstream: Profile,
    }
    to_js(&Presets { documented: Profile::DOCUMENTED, upstream: Profile::UPSTREAM })
}

/// Events as a list. They are written and parsed some at a time, since the text of a long run would
/// fill the module's memory, which never shrinks.
pub(super) fn events_to_js(events: &[Event], names: &Names) -> Array {
    const AT_ONCE: usize = 1_000;
    let parts = events.chunks(AT_ONCE).map(|events| {
        let views: Vec<_> = events.iter().map(|event| event.view(names)).collect();
        parsed(&views)
    });
    parts.collect::<Array>().flat(1)
}
