//! How long each message between a process and a slow database takes in a schedule.
//!
//! A schedule says when such a message arrives, but not which of the world's messages it is. So the
//! schedule is first played in a world in which each of them takes as long as it may, unless it is
//! hastened: that shows how long each has to take.

use std::collections::BTreeMap;

use super::play::Play;
use super::replay_error::{ReplayError, diverges};
use super::schedule::{MessageName, Schedule};
use crate::check::question::Question;
use crate::environment::acts::Happening;
use crate::environment::happening::Due;
use crate::time::Duration;
use crate::world::choice::{Site, SiteKind};
use crate::world::network::{Link, LinkRule};
use crate::world::pending::LinkMessage;
use crate::world::{DATABASE, TRANSACTION};

impl Schedule {
    /// The schedule with the delays of the messages between processes and the database.
    pub(in crate::check) fn with_database_delays(
        &self,
        question: &Question,
    ) -> Result<Self, ReplayError> {
        let mut delayed = self.clone();
        if question.bounds.slow_database() || question.bounds.hold_rows() {
            let mut play = Play::new(self, question)?;
            play.delay_database();
            for (number, decision) in self.decisions.iter().enumerate() {
                let at = decision.at;
                play.watch.reach(at, &mut play.running, &mut play.recorder);
                play.hasten(decision.what);
                play.foresee(decision);
                play.foresee_connections(number);
                play.decide(decision).map_err(|what| diverges(number, at, what))?;
            }
            delayed.database_delays = play.delays_of_database();
        }
        Ok(delayed)
    }
}

impl Play<'_> {
    /// Every message between a process and the database takes as long as it may, unless it is
    /// [hastened](Self::hasten).
    pub(in crate::check) fn delay_database(&mut self) {
        let longest = self.question.bounds.database_latency;
        let rule = LinkRule { latency_min: longest, latency_max: longest, ..LinkRule::default() };
        if self.question.bounds.slow_database() {
            for (from, to) in self.links_of_database() {
                self.running.world.network().set_rule(from, to, rule);
            }
        }
        let longest = LinkRule::fixed(self.question.bounds.transaction_time);
        self.running.world.hold_rows_for(longest);
    }

    /// A message that is on its way for as long as it may be arrives now.
    pub(in crate::check) fn hasten(&mut self, what: Happening<MessageName>) {
        let Happening::Due(due) = what else {
            return;
        };
        if let Due::Commit { .. } = due {
            return self.hasten_commit(due);
        }
        let arrival = self.in_world(due).filter(|_| self.is_arrival(what));
        let hastened = arrival.and_then(|it| self.running.world.hasten(it));
        let Some((LinkMessage { from, to, number }, until)) = hastened else {
            return;
        };
        if from == DATABASE || to == DATABASE {
            let now = self.running.world.now();
            let longest = self.question.bounds.database_latency.as_ms();
            let taken = Duration::from_ms(longest.saturating_sub(until.since(now).as_ms()));
            let site = Site::on_link(SiteKind::Delay, (from, to), number);
            self.database_delays.insert(site, self.steps(taken));
        }
    }

    /// A transaction that holds its row for as long as it may commits now.
    fn hasten_commit(&mut self, due: Due<MessageName>) {
        let wanted = self.in_world(due);
        let hastened = wanted.and_then(|it| self.running.world.hasten_commit(it));
        if let Some((number, early)) = hastened {
            let longest = self.question.bounds.transaction_time.as_ms();
            let taken = Duration::from_ms(longest.saturating_sub(early.as_ms()));
            let site = Site::on_link(SiteKind::Delay, TRANSACTION, number);
            self.database_delays.insert(site, self.steps(taken));
        }
    }

    /// True if it is the arrival of a message, which may come early.
    pub(in crate::check) const fn is_arrival(&self, what: Happening<MessageName>) -> bool {
        let is_slow = self.question.bounds.slow_database();
        match what {
            Happening::Due(Due::Arrive(_)) => true,
            Happening::Due(Due::Answer { .. } | Due::Query { .. }) => is_slow,
            Happening::Act(_) | Happening::Due(_) | Happening::Pass(_) => false,
        }
    }

    /// The delays so far in steps, without those of no time.
    pub(in crate::check) fn delays_of_database(&mut self) -> BTreeMap<Site, u32> {
        let longest = self.steps(self.question.bounds.database_latency);
        let mut delays = BTreeMap::new();
        let longest_transaction = self.steps(self.question.bounds.transaction_time);
        for number in 0..self.running.world.transactions() {
            let site = Site::on_link(SiteKind::Delay, TRANSACTION, number);
            let taken = self.database_delays.get(&site).copied();
            delays.insert(site, taken.unwrap_or(longest_transaction));
        }
        let links = match self.question.bounds.slow_database() {
            true => self.links_of_database(),
            false => Vec::new(),
        };
        for link @ (from, to) in links {
            for number in 0..self.running.world.network().sent(from, to) {
                let site = Site::on_link(SiteKind::Delay, link, number);
                let taken = self.database_delays.get(&site).copied();
                delays.insert(site, taken.unwrap_or(longest));
            }
        }
        delays.retain(|_, steps| *steps > 0);
        delays
    }

    fn steps(&self, delay: Duration) -> u32 {
        let steps = delay.as_ms() / self.schedule.step.as_ms().max(1);
        u32::try_from(steps).unwrap_or(u32::MAX)
    }

    fn links_of_database(&self) -> Vec<Link> {
        let processes = 0..self.question.processes;
        let nodes = processes.map(|it| self.running.world.process(it));
        nodes.flat_map(|it| [(it, DATABASE), (DATABASE, it)]).collect()
    }
}
