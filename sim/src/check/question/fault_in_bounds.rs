//! A fault as far as bounds allow it: how often, for how long, and that in words.

use super::Question;
use super::bounds::Bounds;
use super::count::Count;
use super::faults::{Does, Extent, Fault};
use crate::amounts::{Seconds, count};
use crate::environment::acts::{Act, Counts};
use crate::node::connection::TCP_WAIT_MAX;
use crate::time::Duration;

impl Question {
    /// The acts that are faults which it allows, and that have an effect.
    pub(in crate::check) fn allowed_acts(&self) -> Vec<(Act, Fault)> {
        let with_fault = |act| Fault::of(act).map(|fault| (act, fault));
        let (clients, processes) = (self.clients.len() as u8, self.processes as u8);
        let acts = Act::all(Counts { clients, processes }).into_iter().filter_map(with_fault);
        let may_happen = |(_, fault): &(Act, Fault)| {
            let has_length = fault.longest(&self.bounds) > Duration::ZERO;
            fault.allowed(&self.bounds) > 0 && (!fault.lasts() || has_length)
        };
        acts.filter(may_happen).collect()
    }
}

impl Question {
    /// True if it counts for how long TCP takes to recover from a cut: it asks when calls get through,
    /// not only whose the lock is.
    pub(in crate::check) fn recovers(&self) -> bool {
        !self.property.asks_for_last_owner()
    }

    /// For how long a fault has effects at most.
    pub(in crate::check) fn lasts(&self, fault: Fault) -> Duration {
        let longest = fault.longest(&self.bounds);
        match self.recovers() && fault.lasts() && fault.does(Does::LosesCalls) {
            true => longest + longest.min(TCP_WAIT_MAX),
            false => longest,
        }
    }
}

impl Fault {
    /// How often it may happen.
    pub(in crate::check) fn allowed(self, bounds: &Bounds) -> Count {
        bounds.faults[self].count
    }

    /// How long one may last, or what it brings down may be down.
    pub fn longest(self, bounds: &Bounds) -> Duration {
        bounds.faults[self.longest_alike(bounds)].length
    }

    /// The fault that brings the same down for the longest time; the first of several.
    #[inline(never)]
    pub(super) fn longest_alike(self, bounds: &Bounds) -> Self {
        let Some(on) = self.brings_down() else {
            return self;
        };
        let alike = Self::ALL.into_iter();
        let alike = alike.filter(|it| it.brings_down() == Some(on));
        let longest = alike.rev().max_by_key(|it| bounds.faults[*it].length);
        longest.unwrap_or(self)
    }

    /// How much more of it some bounds allow than others, as the subject of a sentence; nothing if
    /// no more.
    pub(in crate::check) fn beyond(self, has: &Bounds, may: &Bounds) -> Option<String> {
        let (one, several) = self.nouns();
        let extent = self.extent();
        match (self.allowed(has), self.allowed(may)) {
            (Count::UpTo(has), Count::UpTo(may)) if has > may => {
                let more = has - may;
                let noun = if more == 1 { one } else { several };
                return Some(format!("{more} {noun}"));
            }
            (Count::Any, Count::UpTo(_)) => return Some(format!("more {several}")),
            (Count::UpTo(_) | Count::Any, _) => {}
        }
        if self.allowed(has) == 0 {
            return None;
        }
        match extent {
            Extent::Down | Extent::Lasts => {
                let (has, may) = (self.longest(has), self.longest(may));
                (has > may).then(|| format!("a {one} of {}", Seconds(has)))
            }
            Extent::Loses => {
                let (has, may) = (has.faults[self].lost_commits, may.faults[self].lost_commits);
                (has > may).then(|| format!("a {one} that loses {}", count(has.into(), "commit")))
            }
            Extent::Same => None,
        }
    }

    /// How often it may happen, in words; nothing if never.
    pub(in crate::check) fn words(self, bounds: &Bounds) -> Option<String> {
        let number = self.allowed(bounds);
        let (one, several) = self.nouns();
        let number = (number > 0).then(|| number.words(one, several))?;
        let each = match self.extent() {
            Extent::Down => format!(" (down ≤ {})", Seconds(self.longest(bounds))),
            Extent::Lasts => format!(" (≤ {})", Seconds(self.longest(bounds))),
            Extent::Loses => {
                let commits = bounds.faults[self].lost_commits;
                format!(" (losing {})", count(commits.into(), "commit"))
            }
            Extent::Same => String::new(),
        };
        Some(number + &each)
    }
}
