//! One JSON object per line: every event, then the run as a whole.

use super::{Run, world_event};
use crate::json::Json;

pub(super) fn export(run: &Run) -> String {
    let mut lines = String::new();
    for event in &run.events {
        let world = world_event(event);
        let mut json = Json::default();
        json.open('{').key("id");
        json.optional_plain(world.map(|event| event.id.0));
        let cause = world.and_then(|event| event.cause);
        json.key("cause").optional_plain(cause.map(|cause| cause.0));
        json.key("timeMs").plain(event.time().as_ms());
        let who = event.node().map_or("", |node| run.names.of(node));
        let words = event.words(&run.names);
        json.strings(&[("who", who), ("kind", event.kind()), ("words", &words)]);
        json.key("runner").optional_string(event.runner_kind());
        lines.push_str(&json.close('}').take());
        lines.push('\n');
    }
    let mut json = Json::default();
    json.open('{').strings(&[("name", &run.name)]);
    json.key("digest").string(&run.digest.to_string());
    json.key("failures").open('[');
    for failure in &run.failures {
        json.string(failure);
    }
    lines.push_str(&json.close(']').close('}').take());
    lines.push('\n');
    lines
}
