//! A scenario that is run step by step.

use js_sys::Array;
use locket_sim::scenario::Position;
use locket_sim::simulation::{Place, Simulation};
use locket_sim::time::Time;
use locket_sim::trace::export::UnknownFormat;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::failure::ArgumentFailure;
use super::scenario::events_to_js;
use super::text::thrown;
use super::views::{json, object};

/// A simulation.
#[wasm_bindgen]
pub struct WasmSimulation(Simulation);

#[wasm_bindgen]
impl WasmSimulation {
    /// At the start of a scenario, limited to this many steps.
    #[wasm_bindgen(constructor)]
    pub fn new(scenario: &str, max_steps: f64) -> Result<Self, JsValue> {
        let simulation = Simulation::from_json_within(scenario, max_steps as u64);
        simulation.map(Self).map_err(thrown)
    }

    /// Where a link points.
    #[wasm_bindgen(js_name = fromLink)]
    pub fn from_link(link: &str, max_steps: f64) -> Result<Self, JsValue> {
        let simulation = Simulation::from_link_within(link, max_steps as u64);
        simulation.map(Self).map_err(thrown)
    }

    /// Until something has happened, but not beyond `limit`; says whether something has.
    #[wasm_bindgen(js_name = stepUntil)]
    pub fn step_until(&mut self, limit: f64) -> Result<bool, JsValue> {
        self.0.step_until(time(limit)).map_err(thrown)
    }

    #[wasm_bindgen(js_name = stepBack)]
    pub fn step_back(&mut self) -> bool {
        self.0.step_back()
    }

    #[wasm_bindgen(js_name = seekEvent)]
    pub fn seek_event(&mut self, count: usize) -> Result<(), JsValue> {
        self.0.seek_event(count).map_err(thrown)
    }

    #[wasm_bindgen(js_name = seekTime)]
    pub fn seek_time(&mut self, ms: f64) -> Result<(), JsValue> {
        self.0.seek_time(time(ms)).map_err(thrown)
    }

    pub fn now(&self) -> f64 {
        self.0.now().as_ms() as f64
    }

    /// The number of steps at the current time.
    pub fn count(&self) -> u32 {
        self.0.position().count
    }

    pub fn end(&self) -> f64 {
        self.0.end().as_ms() as f64
    }

    pub fn name(&self) -> String {
        self.0.scenario().name.clone()
    }

    pub fn source(&self) -> String {
        self.0.source().to_owned()
    }

    #[wasm_bindgen(js_name = eventCount)]
    pub fn event_count(&self) -> usize {
        self.0.events().len()
    }

    /// The events from this one on.
    pub fn events(&self, from: usize) -> Array {
        let events = self.0.events().get(from..).unwrap_or_default();
        events_to_js(events, self.0.names())
    }

    /// As JSON.
    pub fn state(&self) -> String {
        json(&self.0.state())
    }

    /// The branch over its whole time: events, and the rest as JSON.
    pub fn timeline(&self, so_far: bool) -> Result<JsValue, JsValue> {
        let timeline = match so_far {
            true => self.0.timeline_so_far(),
            false => self.0.timeline(),
        };
        let timeline = timeline.map_err(thrown)?;
        let events = events_to_js(&timeline.events, self.0.names());
        Ok(object([("events", events.into()), ("json", json(&timeline).into())]))
    }

    pub fn settle(&mut self) -> Result<bool, JsValue> {
        self.0.settle().map_err(thrown)
    }

    #[wasm_bindgen(js_name = hasSettled)]
    pub fn has_settled(&self) -> bool {
        self.0.has_settled()
    }

    pub fn digest(&self) -> String {
        self.0.digest().to_string()
    }

    pub fn failures(&self) -> Vec<String> {
        self.0.failures()
    }

    pub fn act(&mut self, action: &str) -> Result<(), JsValue> {
        self.0.act_json(action).map_err(thrown)
    }

    pub fn branch(&self) -> usize {
        self.0.current_branch()
    }

    /// As JSON.
    pub fn branches(&self) -> String {
        json(&self.0.branches())
    }

    #[wasm_bindgen(js_name = startBranch)]
    pub fn start_branch(&mut self) -> usize {
        self.0.start_branch()
    }

    #[wasm_bindgen(js_name = switchTo)]
    pub fn switch_to(&mut self, branch: usize) -> Result<(), JsValue> {
        self.0.switch_to(branch).map_err(thrown)
    }

    pub fn restore(&mut self, branch: usize, ms: f64, count: u32) -> Result<(), JsValue> {
        let position = Position { time: time(ms), count };
        self.0.restore(Place { branch, position }).map_err(thrown)
    }

    pub fn link(&self) -> String {
        self.0.link()
    }

    #[wasm_bindgen(js_name = isFaithful)]
    pub fn is_faithful(&self) -> bool {
        self.0.is_faithful()
    }

    pub fn export(&self, format: &str) -> Result<String, JsValue> {
        let known = format.parse().map(|format| self.0.export(format));
        known.map_err(|error: UnknownFormat| ArgumentFailure::throw("format", error.to_string()))
    }
}

/// JavaScript has checked that it is a whole number.
fn time(ms: f64) -> Time {
    Time::from_ms(ms as u64)
}
