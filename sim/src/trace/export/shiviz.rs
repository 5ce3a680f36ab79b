//! A log for ShiViz: each event with its node's vector clock.

use std::collections::BTreeMap;

use super::{ExportError, Run, world_event};
use crate::json::Json;
use crate::world::event::EventId;
use crate::world::network::NodeId;

/// The pattern by which ShiViz reads the log, which has one execution.
const HEADER: &str = "(?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})\n\n";
/// The most entries of clocks, over all events.
const ENTRIES_MAX: usize = 4_000_000;

type Clock = BTreeMap<NodeId, u64>;

pub(super) fn export(run: &Run) -> Result<String, ExportError> {
    if run.events.len().saturating_mul(run.names.len()) > ENTRIES_MAX {
        return Err(ExportError::TooLarge);
    }
    let hosts = hosts(run);
    let mut at_node: BTreeMap<NodeId, Clock> = BTreeMap::new();
    let mut at_event: BTreeMap<EventId, Clock> = BTreeMap::new();
    let mut text = String::from(HEADER);
    for event in &run.events {
        let Some(world) = world_event(event) else {
            continue;
        };
        let clock = at_node.entry(world.node).or_default();
        for (node, count) in world
            .cause
            .and_then(|cause| at_event.get(&cause))
            .into_iter()
            .flatten()
        {
            let known = clock.entry(*node).or_default();
            *known = (*known).max(*count);
        }
        *clock.entry(world.node).or_default() += 1;
        let mut json = Json::default();
        json.open('{');
        for (node, count) in &*clock {
            json.key(host(&hosts, *node)).plain(count);
        }
        json.close('}');
        at_event.insert(world.id, clock.clone());
        let words = event
            .words(&run.names)
            .replace(|c: char| c.is_control(), " ");
        text.extend([&event.time().to_string(), " ", &words, "\n"]);
        text.extend([host(&hosts, world.node), " ", &json.take(), "\n"]);
    }
    Ok(text)
}

/// Names without spaces, each of them once.
fn hosts(run: &Run) -> BTreeMap<NodeId, String> {
    let mut hosts: BTreeMap<NodeId, String> = BTreeMap::new();
    let mut taken = std::collections::BTreeSet::new();
    for (node, name) in run.names.iter() {
        let is_plain =
            |c: char| !(c.is_whitespace() || c.is_control() || matches!(c, '{' | '"' | '\\'));
        let name: String = name
            .chars()
            .map(|c| if is_plain(c) { c } else { '_' })
            .collect();
        let is_free = !name.is_empty() && taken.insert(name.clone());
        let name = if is_free {
            name
        } else {
            format!("{name}#{}", node.0)
        };
        hosts.insert(node, name);
    }
    hosts
}

fn host(hosts: &BTreeMap<NodeId, String>, node: NodeId) -> &str {
    hosts.get(&node).map_or("?", String::as_str)
}
