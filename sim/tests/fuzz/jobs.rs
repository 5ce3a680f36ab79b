//! Properties of BOSH jobs, as manifests give them.

use locket_sim::check::{BOSH_JOBS, BoshJob, BoshLocket, BoshVersion};
use proptest::prelude::*;

use super::json::text;
use super::round::fuzz;

#[test]
fn properties_of_jobs() {
    let names = BOSH_JOBS.iter().flat_map(BoshJob::properties).collect::<Vec<_>>();
    let names = prop::sample::select(names).prop_map(str::to_owned);
    let name = prop_oneof![9 => names, 1 => text()];
    let value = prop_oneof![text(), "([0-9]{1,20}(ms|s|m|h)){0,3}", "true|false|[0-9]{1,12}"];
    let properties = prop::collection::btree_map(name, value, 0..4);
    let version = prop_oneof![text(), "v?[0-2]\\.[0-9]{1,3}(\\.[0-9])?([-+]dev)?"];
    let inputs = (prop::sample::select(BOSH_JOBS.iter().collect::<Vec<_>>()), version, properties);
    fuzz("properties_of_jobs", 500, &inputs, |(job, version, properties)| {
        let version = BoshVersion::parse(&version).unwrap_or_default();
        let what = match job.settings(version, &properties) {
            Err(error) if error.to_string().is_empty() => {
                return Err("it is refused without a word".to_owned());
            }
            Err(_) => return Ok(()),
            Ok(what) => what,
        };
        let _shown = (what.view(), BoshLocket::of(version).view());
        let _asked = what.kept().map(|it| (it.notes(), it.question().check()));
        Ok(())
    });
}
