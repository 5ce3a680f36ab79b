//! Questions about settings: searches, maps and advice.

use locket_sim::check::{
    Adviser, MapQuestion, Question, QuestionError, Reductions, ReplayError, RunFaults, RunQuestion,
    Search, SettingsMap, Survival, Verdict,
};
use locket_sim::simulation::Simulation;
use locket_sim::time::Duration;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::failure::ArgumentFailure;
use super::text::scenario_error_to_js;
use super::views::json;
use super::work::{Slices, Work};

/// A search for a schedule that breaks a property, and after it for the longest one.
struct Exploration {
    search: Search,
    wants_longest: bool,
    /// True if it looks for the longest.
    is_broken: bool,
}

/// A search limited to this many states.
#[wasm_bindgen]
pub fn search(question: &str, states_max: usize, wants_longest: bool) -> Result<Work, JsValue> {
    let question = Question::from_json(question).map_err(thrown)?;
    let search = Search::new(question, Reductions::default(), states_max).map_err(thrown)?;
    Ok(Work::of(Exploration { search, wants_longest, is_broken: false }))
}

impl Slices for Exploration {
    fn run(&mut self, budget: u64) -> Result<bool, JsValue> {
        if self.is_broken {
            self.search.run_to_longest(budget);
        } else if self.search.run(budget) == Verdict::Running {
            return Ok(false);
        } else {
            self.is_broken = self.wants_longest && self.search.judged().0 == Verdict::Unsafe;
        }
        Ok(!self.is_broken || self.search.has_all())
    }

    fn progress(&self) -> String {
        let (faults, time) = self.search.reached();
        let states = self.search.states();
        let question = self.search.question();
        // Why it may take long, and with what it would not, if one setting alone is the reason.
        let finest = question.grid.is_none().then(|| question.finest()).flatten();
        let hint = json(&finest.map(|it| it.to_string()));
        format!(r#"{{"states":{states},"faults":{faults},"timeMs":{time},"hint":{hint}}}"#)
    }

    fn result(&self) -> Result<String, JsValue> {
        let answer = self.search.answer().map_err(internal_error)?;
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

/// A map of settings; each search is limited to this many states.
#[wasm_bindgen(js_name = settingsMap)]
pub fn settings_map(question: &str, states_max: usize) -> Result<Work, JsValue> {
    map_of(question, states_max).map(Work::of)
}

/// How many steps a map tries at most, which depends on all rows.
#[wasm_bindgen(js_name = mapSteps)]
pub fn map_steps(question: &str) -> Result<u32, JsValue> {
    Ok(map_of(question, 1)?.question().max_steps)
}

/// The bounds in the question of a cell of a map, as JSON: with an amount of the map's axis, such as
/// milliseconds.
#[wasm_bindgen(js_name = cellBounds)]
pub fn cell_bounds(
    question: &str,
    ttl_ms: f64,
    retry_interval_ms: f64,
    amount: f64,
) -> Result<String, JsValue> {
    let [ttl, retry_interval] = [ttl_ms, retry_interval_ms].map(|ms| Duration::from_ms(ms as u64));
    let map = map_of(question, 1)?;
    Ok(json(&map.question().cell_bounds(ttl, retry_interval, amount as u64)))
}

fn map_of(question: &str, states_max: usize) -> Result<SettingsMap, JsValue> {
    let question = MapQuestion::from_json(question, states_max).map_err(thrown)?;
    SettingsMap::new(question).map_err(thrown)
}

impl Slices for SettingsMap {
    fn run(&mut self, budget: u64) -> Result<bool, JsValue> {
        Ok(self.run(budget))
    }

    fn progress(&self) -> String {
        format!(r#"{{"cells":{},"total":{}}}"#, self.cells().len(), self.total())
    }

    fn result(&self) -> Result<String, JsValue> {
        Ok(json(&(self.view(), self.bounds_words(), self.to_string())))
    }
}

/// Which settings survive given outages; each search is limited to this many states.
#[wasm_bindgen]
pub fn survival(question: &str, states_max: usize) -> Result<Work, JsValue> {
    Survival::from_json(question, states_max).map(Work::of).map_err(thrown)
}

impl Slices for Survival {
    fn run(&mut self, budget: u64) -> Result<bool, JsValue> {
        Ok(self.run(budget))
    }

    fn progress(&self) -> String {
        let (done, all) = self.progress();
        format!(r#"{{"done":{done},"all":{all}}}"#)
    }

    fn result(&self) -> Result<String, JsValue> {
        Ok(json(&self.view()))
    }
}

/// Advice about settings; each search is limited to this many states.
#[wasm_bindgen]
pub fn advice(question: &str, states_max: usize) -> Result<Work, JsValue> {
    let question = Question::from_json(question).map_err(thrown)?;
    Adviser::new(question, states_max).map(Work::of).map_err(thrown)
}

impl Slices for Adviser {
    fn run(&mut self, budget: u64) -> Result<bool, JsValue> {
        Ok(self.run(budget))
    }

    fn progress(&self) -> String {
        format!(r#"{{"alternatives":{}}}"#, self.advice().alternatives.len())
    }

    fn result(&self) -> Result<String, JsValue> {
        let advice = self.advice();
        Ok(json(&(advice.view(), advice.to_string())))
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
