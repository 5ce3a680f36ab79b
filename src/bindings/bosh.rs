//! The settings of BOSH jobs.

use std::collections::BTreeMap;

use locket_sim::check::{BOSH_JOBS, BoshJob, BoshSettings};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::failure::ArgumentFailure;
use super::text::read_json;
use super::views::json;

/// The jobs whose settings are known, as JSON.
#[wasm_bindgen(js_name = boshJobs)]
pub fn bosh_jobs() -> String {
    let jobs: Vec<_> = BOSH_JOBS.iter().map(BoshJob::view).collect();
    json(&jobs)
}

/// The settings of a job with these properties, both as JSON; `undefined` if it keeps nothing in
/// Locket.
#[wasm_bindgen(js_name = boshSettings)]
pub fn bosh_settings(job: &str, properties: &str) -> Result<Option<String>, JsValue> {
    let settings = settings(job, properties)?;
    Ok(settings.map(|settings| json(&settings.view())))
}

/// The same for other bindings.
pub(super) fn settings(job: &str, properties: &str) -> Result<Option<BoshSettings>, JsValue> {
    let Some(job) = BoshJob::named(job) else {
        let message = "expected a job that keeps something in Locket; see boshJobs()";
        return Err(ArgumentFailure::throw("job", message.to_owned()));
    };
    let properties: BTreeMap<_, _> = read_json("properties", properties)?;
    let settings = job.settings(&properties);
    settings.map_err(|error| ArgumentFailure::throw(&error.field, error.message))
}
