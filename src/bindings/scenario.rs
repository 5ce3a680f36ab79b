//! Scenarios and profiles as data.

use js_sys::Array;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::profile::{Profile, Schema};
use locket_sim::protocol::row::Row;
use locket_sim::scenario::{Execution, Scenario};
use locket_sim::trace::{Event, Names, Run, answers, asks};
use locket_sim::world::event::What;
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::table::row_to_js;
use super::text::{exceeded_to_js, scenario_error_to_js};
use super::views::{object, to_js};

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

    /// The run: `{name, events, table, digest}`; without a trace, `events` is empty.
    pub fn finish(self) -> JsValue {
        run_to_js(&self.0.finish())
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

fn run_to_js(run: &Run) -> JsValue {
    let events = run
        .events
        .iter()
        .map(|event| event_to_js(event, &run.names));
    let table = run
        .table
        .iter()
        .map(|row| row_to_js(row, Schema::Documented));
    object([
        ("name", (&run.name).into()),
        ("description", (&run.description).into()),
        ("events", events.collect::<Array>().into()),
        ("table", table.collect::<Array>().into()),
        (
            "failures",
            run.failures
                .iter()
                .map(JsValue::from)
                .collect::<Array>()
                .into(),
        ),
        ("digest", run.digest.to_string().into()),
    ])
}

pub(super) fn event_to_js(event: &Event, names: &Names) -> JsValue {
    let world = match event {
        Event::Noted { .. } => None,
        Event::World(event) => Some(event),
    };
    let what = world.map(|event| &event.what);
    let (call, result) = what.map_or((None, None), call_of);
    let (path, row) = what.map_or((None, None), row_of);
    object([
        ("id", or_null(world.map(|event| event.id.0 as f64))),
        (
            "cause",
            or_null(
                world
                    .and_then(|event| event.cause)
                    .map(|cause| cause.0 as f64),
            ),
        ),
        ("timeMs", (event.time().as_ms() as f64).into()),
        ("who", event.node().map_or("", |node| names.of(node)).into()),
        ("kind", event.kind().into()),
        ("words", event.words(names).into()),
        ("runner", or_null(event.runner_kind())),
        ("method", or_null(call.map(|call| call.method().name()))),
        ("asks", or_null(call.map(asks))),
        (
            "answer",
            or_null(call.zip(result).map(|(call, result)| answers(call, result))),
        ),
        ("ok", or_null(result.map(Result::is_ok))),
        ("path", or_null(path)),
        (
            "row",
            row.map_or(JsValue::NULL, |row| row_to_js(&row, Schema::Documented)),
        ),
    ])
}

/// The request that an event is about, and its answer.
type CallOf<'a> = (Option<&'a Request>, Option<&'a Result<Response, LockError>>);

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "all other events are about no call"
)]
fn call_of(what: &What) -> CallOf<'_> {
    match what {
        What::Answered { request, result }
        | What::Handled {
            request, result, ..
        } => (Some(request), Some(result)),
        What::Called { request, .. } => (Some(request), None),
        _ => (None, None),
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "all other events are about no row"
)]
fn row_of(what: &What) -> (Option<&str>, Option<Row>) {
    match what {
        What::Expired { key, .. } => (Some(key), None),
        What::RowDeleted { path } => (Some(path), None),
        What::RowWritten(row) => (Some(row.path()), Some(row.to_row())),
        _ => (None, None),
    }
}

fn or_null<T: Into<JsValue>>(value: Option<T>) -> JsValue {
    value.map_or(JsValue::NULL, T::into)
}
