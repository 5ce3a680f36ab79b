//! The facts about BOSH jobs and Locket, by release.

use std::collections::BTreeMap;

use locket_sim::check::{BOSH_JOBS, BoshJob, BoshLocket, BoshUse, BoshVersion, QuestionError};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::failure::ArgumentFailure;
use super::text::read_json;
use super::views::json;

/// The jobs that are known, as JSON.
#[wasm_bindgen(js_name = boshJobs)]
pub fn bosh_jobs() -> String {
    let jobs: Vec<_> = BOSH_JOBS.iter().map(BoshJob::view).collect();
    json(&jobs)
}

/// The settings of a job in a version of its release with these properties, as JSON. Without a version,
/// the newest is assumed.
#[wasm_bindgen(js_name = boshSettings)]
pub fn bosh_settings(job: &str, version: &str, properties: &str) -> Result<String, JsValue> {
    Ok(json(&used(job, version, properties)?.view()))
}

/// Locket in a version of diego, as JSON.
#[wasm_bindgen(js_name = boshLocket)]
pub fn bosh_locket(version: &str) -> Result<String, JsValue> {
    let version = BoshVersion::parse(version).map_err(thrown)?;
    Ok(json(&BoshLocket::of(version).view()))
}

/// The settings of a job, for other bindings.
pub(super) fn used(job: &str, version: &str, properties: &str) -> Result<BoshUse, JsValue> {
    let Some(job) = BoshJob::named(job) else {
        let message = "expected a job that keeps something in Locket; see boshJobs()";
        return Err(ArgumentFailure::throw("job", message.to_owned()));
    };
    let properties: BTreeMap<_, _> = read_json("properties", properties)?;
    let version = BoshVersion::parse(version).map_err(thrown)?;
    job.settings(version, &properties).map_err(thrown)
}

fn thrown(error: QuestionError) -> JsValue {
    ArgumentFailure::throw(&error.field, error.message)
}
