//! Questions about settings: searches, maps and advice under way.

use locket_sim::check::{
    Adviser, MapQuestion, Question, QuestionError, Reductions, ReplayError, RunFaults, RunQuestion,
    Search, SettingsMap, Survival,
};
use locket_sim::simulation::Simulation;
use locket_sim::time::Duration;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::failure::ArgumentFailure;
use super::text::scenario_error_to_js;
use super::views::{json, object};

/// A search for a schedule that breaks a property.
#[wasm_bindgen]
pub struct WasmSearch(Search);

#[wasm_bindgen]
impl WasmSearch {
    /// A search that keeps at most so many states.
    #[wasm_bindgen(constructor)]
    pub fn new(question: &str, states_max: usize) -> Result<Self, JsValue> {
        let question = Question::from_json(question).map_err(thrown)?;
        let search = Search::new(question, Reductions::default(), states_max).map_err(thrown)?;
        Ok(Self(search))
    }

    /// Visits up to `budget` states more. The verdict's name, `running` while there is none.
    pub fn run(&mut self, budget: u32) -> String {
        self.0.run(budget.into());
        self.0.judged().0.name().to_owned()
    }

    /// After a violation, goes on by up to `budget` states to find the longest one. Whether there
    /// is no more to find.
    #[wasm_bindgen(js_name = runToLongest)]
    pub fn run_to_longest(&mut self, budget: u32) -> bool {
        if !self.0.has_all() {
            self.0.run_to_longest(budget.into());
        }
        self.0.has_all()
    }

    /// Why the search may take long, and with what it would not, if one setting alone is the
    /// reason.
    pub fn hint(&self) -> Option<String> {
        let finest = self.0.question().finest()?;
        self.0.question().grid.is_none().then(|| finest.to_string())
    }

    /// How many states were found.
    pub fn states(&self) -> f64 {
        self.0.states() as f64
    }

    /// How many faults the states have that are being visited.
    pub fn faults(&self) -> u32 {
        self.0.reached().0
    }

    /// And at what time they are reached, in milliseconds.
    pub fn time(&self) -> f64 {
        self.0.reached().1 as f64
    }

    /// The answer so far, as JSON.
    pub fn answer(&self) -> Result<String, JsValue> {
        let answer = self.0.answer().map_err(internal_error)?;
        Ok(json(&answer.view()))
    }
}

/// The question of a run, as JSON: of a scenario, or of the run that a link leads to. `bounds` is JSON
/// and replaces those of the run, which are those that its scenario plans or those that happened.
#[wasm_bindgen(js_name = questionOfRun)]
pub fn question_of_run(
    run: &str,
    is_link: bool,
    max_steps: f64,
    happened: bool,
    bounds: &str,
) -> Result<String, JsValue> {
    let run = match is_link {
        true => Simulation::from_link_within(run, max_steps as u64),
        false => Simulation::from_json_within(run, max_steps as u64),
    };
    let faults = if happened { RunFaults::Happened } else { RunFaults::Planned };
    let question = run.and_then(|run| RunQuestion::new(&run, faults, bounds));
    Ok(json(&question.map_err(super::text::thrown)?))
}

/// A map of settings.
#[wasm_bindgen]
pub struct WasmMap(SettingsMap);

#[wasm_bindgen]
impl WasmMap {
    /// A map whose searches keep at most so many states.
    #[wasm_bindgen(constructor)]
    pub fn new(question: &str, states_max: usize) -> Result<Self, JsValue> {
        let question = MapQuestion::from_json(question, states_max).map_err(thrown)?;
        SettingsMap::new(question).map(Self).map_err(thrown)
    }

    /// Visits up to about `budget` states more. Whether the map is done.
    pub fn run(&mut self, budget: u32) -> bool {
        self.0.run(budget.into())
    }

    /// How many cells are begun.
    pub fn begun(&self) -> usize {
        self.0.cells().len()
    }

    /// The cells so far, as JSON.
    pub fn cells(&self) -> String {
        json(&self.0.view())
    }

    /// Within which bounds the cells hold.
    pub fn bounds(&self) -> String {
        self.0.bounds_words()
    }

    /// The map as text for people.
    pub fn text(&self) -> String {
        self.0.to_string()
    }

    /// How many cells there are.
    pub fn total(&self) -> usize {
        self.0.total()
    }

    /// How many steps are tried at most, which depends on all rows.
    #[wasm_bindgen(js_name = maxSteps)]
    pub fn max_steps(&self) -> u32 {
        self.0.question().max_steps
    }

    /// The bounds and clocks in the question of a cell, as JSON: with an amount of the map's axis, such
    /// as milliseconds.
    #[wasm_bindgen(js_name = cellBounds)]
    pub fn cell_bounds(&self, ttl_ms: f64, retry_interval_ms: f64, amount: f64) -> String {
        let [ttl, retry_interval] =
            [ttl_ms, retry_interval_ms].map(|ms| Duration::from_ms(ms as u64));
        let question = self.0.question();
        json(&question.cell_bounds(ttl, retry_interval, amount as u64))
    }
}

/// Which settings survive given outages.
#[wasm_bindgen]
pub struct WasmSurvival(Survival);

#[wasm_bindgen]
impl WasmSurvival {
    /// A question whose searches keep at most so many states each.
    #[wasm_bindgen(constructor)]
    pub fn new(question: &str, states_max: usize) -> Result<Self, JsValue> {
        Survival::from_json(question, states_max).map(Self).map_err(thrown)
    }

    /// Visits up to about `budget` states more. Whether all settings are tried.
    pub fn run(&mut self, budget: u32) -> bool {
        self.0.run(budget.into())
    }

    /// How many runners with a retry interval are tried.
    pub fn done(&self) -> usize {
        self.0.progress().0
    }

    /// How many there are.
    pub fn all(&self) -> usize {
        self.0.progress().1
    }

    /// The result so far, as JSON.
    pub fn view(&self) -> String {
        json(&self.0.view())
    }
}

/// Advice about settings.
#[wasm_bindgen]
pub struct WasmAdviser(Adviser);

#[wasm_bindgen]
impl WasmAdviser {
    /// Advice whose searches keep at most so many states.
    #[wasm_bindgen(constructor)]
    pub fn new(question: &str, states_max: usize) -> Result<Self, JsValue> {
        let question = Question::from_json(question).map_err(thrown)?;
        Adviser::new(question, states_max).map(Self).map_err(thrown)
    }

    /// The question is about a BOSH job in this version of its release, with these properties,
    /// which are JSON.
    #[wasm_bindgen(js_name = ofJob)]
    pub fn of_job(self, job: &str, version: &str, properties: &str) -> Result<Self, JsValue> {
        let used = super::bosh::used(job, version, properties)?;
        Ok(match used.kept() {
            Some(settings) => Self(self.0.of_job(settings)),
            None => self,
        })
    }

    /// Visits up to about `budget` states more. Whether the advice is complete.
    pub fn run(&mut self, budget: u32) -> bool {
        self.0.run(budget.into())
    }

    /// The advice so far: as JSON, and as text for people.
    pub fn advice(&self) -> JsValue {
        let advice = self.0.advice();
        object([("json", json(&advice.view()).into()), ("text", advice.to_string().into())])
    }
}

fn thrown(error: QuestionError) -> JsValue {
    if let Some(error) = error.in_scenario {
        return scenario_error_to_js(error);
    }
    ArgumentFailure::throw(&error.field, error.message)
}

/// The full world did not repeat what the search found.
fn internal_error(error: ReplayError) -> JsValue {
    js_sys::Error::new(&format!("bug in locket-wasm, please report it: {error}")).into()
}
