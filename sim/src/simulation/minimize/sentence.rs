//! Decisions as sentences.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::amounts::Seconds;
use crate::scenario::{Cast, Running};
use crate::time::Duration;
use crate::trace::Recorder;
use crate::world::choice::{Site, SiteKind};
use crate::world::{DATABASE, TRANSACTION};

/// The unusual decisions in a run of a scenario, each with its time.
pub(super) fn story(cast: &Arc<Cast>) -> Vec<String> {
    let end = cast.scenario.end();
    let mut running = Running::recording(Arc::clone(cast));
    let mut recorder = Recorder::default();
    let (mut known, mut story) = (BTreeSet::new(), Vec::new());
    while running.tick(end, &mut recorder) {
        recorder.forget_events();
        if running.picked().len() == known.len() {
            continue;
        }
        let now = running.world.now();
        for (&site, &picked) in running.picked() {
            if known.insert(site) {
                story.push(format!("{now} s: {}", sentence(cast, site, picked)));
            }
        }
    }
    story
}

fn sentence(cast: &Cast, site: Site, picked: u32) -> String {
    let number = u64::from(site.count) + 1;
    let (from, to) = site.link();
    let message = || {
        let (from, to) = (cast.names.of(from), cast.names.of(to));
        format!("message {number} from {from} to {to}")
    };
    match site.kind {
        SiteKind::CommitAnswer => format!("the answer to commit {number} is lost"),
        SiteKind::Delay => {
            let scenario = &cast.scenario;
            let is_transaction = (from, to) == TRANSACTION;
            let latency = match from == DATABASE || to == DATABASE {
                _ if is_transaction => scenario.database.transaction_time,
                true => scenario.database.latency,
                false => scenario.network.latency,
            };
            let step = latency.step.as_ms().max(1);
            let late = Seconds(Duration::from_ms(step.saturating_mul(picked.into())));
            if is_transaction {
                return format!("transaction {number} holds its row for {late} longer");
            }
            format!("{} takes {late} longer than its link needs", message())
        }
        SiteKind::Duplicate => format!("{} arrives twice", message()),
        SiteKind::Loss => format!("{} is lost", message()),
        SiteKind::Tie => {
            let others = if picked == 1 { "another" } else { "others" };
            format!("the usual order of simultaneous events changes: one goes before {others}")
        }
    }
}
