//! One JSON object per line: every event, then the run as a whole.

use serde::Serialize;

use super::Run;
use crate::trace::Digest;

/// The last line.
#[derive(Serialize)]
struct Outcome<'a> {
    name: &'a str,
    digest: Digest,
    failures: &'a [String],
}

pub(super) fn export(run: &Run) -> String {
    let mut lines = String::new();
    for event in &run.events {
        add(&mut lines, &event.view(&run.names));
    }
    let outcome = Outcome { name: &run.name, digest: run.digest, failures: &run.failures };
    add(&mut lines, &outcome);
    lines
}

fn add(lines: &mut String, value: &impl Serialize) {
    // Numbers, strings, lists and objects with names: all have a form in JSON.
    lines.push_str(&serde_json::to_string(value).unwrap_or_default());
    lines.push('\n');
}
