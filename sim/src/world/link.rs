//! A link between two nodes, and its effect on messages: how long they take, and which are lost or
//! arrive twice.

use super::choice::{Choices, Site, SiteKind};
use crate::time::Duration;

/// A node by number; the [world](super) hands them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Its place in a list of all nodes.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Sender and receiver.
pub type Link = (NodeId, NodeId);

/// Up to which number two nodes fit into 32 bits of a [`Site`]'s subject.
const SMALL_MAX: u32 = u16::MAX as u32;

impl Site {
    /// A question about one direction of a link.
    pub const fn on_link(kind: SiteKind, (NodeId(from), NodeId(to)): Link, count: u32) -> Self {
        // Saved runs name their decisions by the first form, which is not enough for many nodes.
        let subject = match from <= SMALL_MAX && to <= SMALL_MAX {
            true => (from as u64) << 16 | to as u64,
            false => (from as u64 + 1) << 32 | to as u64,
        };
        Self { kind, subject, count }
    }

    /// The link that it is about; anything for a question that is [about no link](SiteKind).
    pub(crate) const fn link(&self) -> Link {
        let (high, low) = ((self.subject >> 32) as u32, self.subject as u32);
        match high.checked_sub(1) {
            Some(from) => (NodeId(from), NodeId(low)),
            None => (NodeId(low >> 16), NodeId(low & SMALL_MAX)),
        }
    }
}

/// The fate of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It never arrives.
    Lost,
    /// It arrives after this long, and once more after the second.
    Arrives(Duration, Option<Duration>),
}

/// The effect of a link on messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LinkRule {
    /// The shortest time of a message.
    pub latency_min: Duration,
    /// The most that a message takes.
    pub latency_max: Duration,
    /// The grain of what lies between; 0 counts as 1 ms.
    pub latency_step: Duration,
    /// How many of a thousand messages are lost.
    pub loss_per_mille: u32,
    /// How many of a thousand messages arrive twice.
    pub duplicates_per_mille: u32,
}

impl LinkRule {
    /// A link on which every message takes the same time.
    pub fn fixed(latency: Duration) -> Self {
        Self { latency_min: latency, latency_max: latency, ..Self::default() }
    }

    /// True if every message arrives once and at once.
    pub(super) fn is_instant(&self) -> bool {
        self.latency_min == Duration::ZERO && self.leaves_no_choice()
    }

    /// True if every message arrives once and takes the same time.
    pub(super) fn leaves_no_choice(&self) -> bool {
        self.loss_per_mille == 0
            && self.duplicates_per_mille == 0
            && self.latency_min >= self.latency_max
    }

    /// How many different latencies there are.
    pub(super) fn latencies(&self) -> u32 {
        let span = self.latency_max.as_ms().saturating_sub(self.latency_min.as_ms());
        let steps = match (u32::try_from(span), u32::try_from(self.step())) {
            // Each message asks, and processors divide numbers of 64 bits slowly.
            (Ok(span), Ok(step)) => span / step,
            _ => u32::try_from(span / self.step()).unwrap_or(u32::MAX - 1),
        };
        steps.min(u32::MAX - 1) + 1
    }

    pub(super) fn latency(&self, index: u32) -> Duration {
        // No more than the span, of which the index counts the steps.
        self.latency_min + Duration::from_ms(self.step() * u64::from(index))
    }

    fn step(&self) -> u64 {
        self.latency_step.as_ms().max(1)
    }

    /// How long a message takes, which chance decides.
    pub(super) fn delay(&self, site: Site, choices: &mut dyn Choices) -> Duration {
        self.latency(choices.pick(site, self.latencies()))
    }

    /// The fate of a message before which so many were sent.
    pub(super) fn fate(&self, link: Link, count: u32, choices: &mut dyn Choices) -> Fate {
        if self.leaves_no_choice() {
            return Fate::Arrives(self.latency_min, None);
        }
        let delayed = Site::on_link(SiteKind::Delay, link, count);
        let mut happens = |kind, share| {
            let site = Site { kind, ..delayed };
            share > 0 && choices.fault_happens(site, share)
        };
        if happens(SiteKind::Loss, self.loss_per_mille) {
            return Fate::Lost;
        }
        let twice = happens(SiteKind::Duplicate, self.duplicates_per_mille);
        let delay = match self.latency_min < self.latency_max {
            true => self.delay(delayed, choices),
            false => self.latency_min,
        };
        // A duplicate is late by the worst that the link does.
        Fate::Arrives(delay, twice.then_some(self.latency_max.max(delay)))
    }
}
