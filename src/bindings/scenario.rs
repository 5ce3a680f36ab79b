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

/// A scenario's run, under way.
#[wasm_bindgen]
pub struct WasmExecution(Execution);

#[wasm_bindgen]
impl WasmExecution {
    /// Of a scenario's text; the run may take that many steps.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, trace: bool, max_steps: f64) -> Result<Self, JsValue> {
        let scenario = match trace {
            true => Scenario::from_json(text),
            false => Scenario::from_json_of_any_length(text),
        };
        let execution = Execution::new(scenario.map_err(scenario_error_to_js)?, max_steps as u64);
        Ok(Self(match trace {
            true => execution,
            false => execution.without_trace(),
        }))
    }

    /// Takes about `budget` steps more. Whether it is done.
    pub fn run(&mut self, budget: f64) -> Result<bool, JsValue> {
        self.0.run(budget as u64).map_err(exceeded_to_js)
    }

    /// How far it is.
    pub fn now(&self) -> f64 {
        self.0.now().as_ms() as f64
    }

    /// The run; without a trace, `events` is empty.
    pub fn finish(self) -> JsValue {
        let mut run = self.0.finish();
        let events = events_to_js(&std::mem::take(&mut run.events), &run.names);
        let run = parsed(&run.view());
        // Setting a member that an object has cannot fail.
        let _ = Reflect::set(&run, &"events".into(), &events);
        run
    }
}

/// The presets, with every switch.
#[wasm_bindgen]
pub fn profiles() -> JsValue {
    #[derive(Serialize)]
    struct Presets {
        documented: Profile,
        upstream: Profile,
    }
    to_js(&Presets {
        documented: Profile::DOCUMENTED,
        upstream: Profile::UPSTREAM,
    })
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
