//! The trace-event format of Chrome's tracing and Perfetto. Each node has a thread with a slice per
//! event. A long slice shows that a client believes it holds its lock, and an arrow leads from a
//! cause to its effect at another node.

use super::{ById, Run, world_event};
use crate::json::Json;
use crate::time::Time;
use crate::trace::{Names, RunnerKind};
use crate::world::event::{What, WorldEvent};
use crate::world::network::NodeId;

/// Beside each node's thread there is one for what it believes.
const BELIEF: u32 = 100_000;
/// The thread of the author's notes.
const NOTES: u32 = 200_000;

pub(super) fn export(run: &Run) -> String {
    let by_id = ById::new(run);
    let mut json = Json::default();
    json.open('{').key("displayTimeUnit").string("ms");
    json.key("traceEvents").open('[');
    name_process(&mut json, &run.name);
    for (node, name) in run.names.iter() {
        name_thread(&mut json, node.0, name);
    }
    let mut since = vec![None; run.names.len()];
    for event in &run.events {
        let words = event.words(&run.names);
        let Some(world) = world_event(event) else {
            begin(&mut json, "X", &words, event.time(), NOTES);
            json.key("dur").plain(1).close('}');
            continue;
        };
        let thread = world.node.0;
        begin(&mut json, "X", &words, event.time(), thread);
        json.key("dur")
            .plain(1)
            .key("cat")
            .string(&event.kind().to_string());
        json.key("args").open('{').key("id").plain(world.id.0);
        json.key("cause")
            .optional_plain(world.cause.map(|cause| cause.0));
        json.close('}').close('}');
        if let Some(cause) = by_id.cause_elsewhere(world) {
            arrow(&mut json, cause, world);
        }
        let Some(since) = since.get_mut(world.node.index()) else {
            continue;
        };
        match (event.runner_kind(), &world.what) {
            (Some(RunnerKind::Acquired), _) => *since = since.or(Some(event.time())),
            (Some(RunnerKind::Exited | RunnerKind::Lost | RunnerKind::Signalled), _)
            | (_, What::Crashed) => {
                believed(
                    &mut json,
                    &run.names,
                    world.node,
                    since.take(),
                    event.time(),
                );
            }
            _ => {}
        }
    }
    let end = run.events.last().map_or(Time::ZERO, |event| event.time());
    for (node, _) in run.names.iter() {
        let since = since.get_mut(node.index()).and_then(Option::take);
        believed(&mut json, &run.names, node, since, end);
    }
    json.close(']').close('}').take()
}

/// An event without its end.
fn begin(json: &mut Json, phase: &str, name: &str, time: Time, thread: u32) {
    json.open('{').strings(&[("ph", phase), ("name", name)]);
    // Microseconds.
    let microseconds = u128::from(time.as_ms()) * 1000;
    json.key("ts").plain(microseconds);
    json.key("pid").plain(1).key("tid").plain(thread);
}

fn arrow(json: &mut Json, cause: &WorldEvent, effect: &WorldEvent) {
    for (phase, event) in [("s", cause), ("f", effect)] {
        begin(json, phase, "leads to", event.time, event.node.0);
        json.strings(&[("cat", "cause"), ("bp", "e")]);
        json.key("id").plain(effect.id.0).close('}');
    }
}

fn believed(json: &mut Json, names: &Names, node: NodeId, since: Option<Time>, until: Time) {
    let Some(since) = since else { return };
    begin(
        json,
        "X",
        &format!("believes it holds the {}", names.thing(node)),
        since,
        BELIEF + node.0,
    );
    let length = u128::from(until.since(since).as_ms()) * 1000;
    json.key("dur")
        .plain(length)
        .key("cat")
        .string("belief")
        .close('}');
}

fn name_process(json: &mut Json, name: &str) {
    json.open('{')
        .strings(&[("ph", "M"), ("name", "process_name")]);
    json.key("pid").plain(1).key("args").open('{');
    json.key("name").string(name).close('}').close('}');
}

fn name_thread(json: &mut Json, thread: u32, name: &str) {
    json.open('{')
        .strings(&[("ph", "M"), ("name", "thread_name")]);
    json.key("pid")
        .plain(1)
        .key("tid")
        .plain(thread)
        .key("args")
        .open('{');
    json.key("name").string(name).close('}').close('}');
}
