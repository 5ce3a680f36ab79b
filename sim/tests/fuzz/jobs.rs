//! Properties of BOSH jobs, as manifests give them.

use std::collections::BTreeMap;

use locket_sim::check::{BOSH_JOBS, BoshJob};
use proptest::prelude::*;

use super::json::text;
use super::round::fuzz;

#[test]
fn properties_of_jobs() {
    let names = BOSH_JOBS.iter().flat_map(names_of).collect::<Vec<_>>();
    let name = prop_oneof![9 => prop::sample::select(names), 1 => text()];
    let value = prop_oneof![text(), "([0-9]{1,20}(ms|s|m|h)){0,3}"];
    let properties = prop::collection::btree_map(name, value, 0..4);
    let inputs = (prop::sample::select(BOSH_JOBS.to_vec()), properties);
    fuzz("properties_of_jobs", 500, &inputs, |(job, properties)| {
        let settings = match settings(&job, &properties) {
            Err(error) if error.is_empty() => return Err("it is refused without a word".to_owned()),
            Err(_) | Ok(None) => return Ok(()),
            Ok(Some(settings)) => settings,
        };
        let _shown = (settings.view(), settings.question().check());
        Ok(())
    });
}

fn settings(
    job: &BoshJob,
    properties: &BTreeMap<String, String>,
) -> Result<Option<locket_sim::check::BoshSettings>, String> {
    job.settings(properties).map_err(|error| error.to_string())
}

fn names_of(job: &BoshJob) -> Vec<String> {
    let off = job.off.map(|(name, _)| name);
    let settings = [&job.ttl, &job.retry_interval];
    let names = settings.map(|it| it.properties.iter().chain(it.ignored).copied());
    names
        .into_iter()
        .flatten()
        .chain(off)
        .map(str::to_owned)
        .collect()
}
