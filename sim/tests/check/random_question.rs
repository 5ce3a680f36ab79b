//! Random questions about anything that a search can be asked.

use locket_sim::check::{
    Bounds, ClientQuestion, Fault, Property, Question, StorageQuestion, VisibleStates, WriteLatency,
};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::{ClientKind, Guard, RunnerKind};
use locket_sim::time::Duration;

use super::random::Random;
use super::random_rule::random_rule;

pub(super) const GUARDS: [Guard; 5] =
    [Guard::ModifiedIndex, Guard::None, Guard::Owner, Guard::RenewedToken, Guard::Token];

/// The Cloud Controller's loop has no other TTL and no other interval.
const CLOUD_CONTROLLER: ClientQuestion = ClientQuestion::new(
    RunnerKind::CloudController,
    Duration::from_seconds(15),
    Duration::from_seconds(1),
);

impl Random {
    /// Mostly whole seconds, sometimes halves.
    pub(super) fn time(&mut self, least: u64, most: u64) -> Duration {
        let seconds = least + self.below(most - least + 1);
        let half = if self.below(8) == 0 { 500 } else { 0 };
        Duration::from_ms(seconds * 1000 + half)
    }

    pub(super) fn question(&mut self) -> Question {
        let clients = self.pick(&[1, 2, 2, 2, 2, 3]);
        let kind = self.pick(&[ClientKind::Lock, ClientKind::Lock, ClientKind::Presence]);
        let ttl = Duration::from_seconds(3 + self.below(5));
        let (first, ttl, kind) = match self.below(12) {
            0 => (CLOUD_CONTROLLER, CLOUD_CONTROLLER.ttl, ClientKind::Lock),
            _ => (self.client(ttl, kind), ttl, kind),
        };
        let mut question = Question::one_owner(first.clone());
        question.clients = vec![first];
        for _ in 1..clients {
            let client = match self.below(3) {
                // As in a rolling change of settings.
                0 => {
                    let other = Duration::from_seconds(3 + self.below(5));
                    let ttl = self.pick(&[ttl, other]);
                    self.client(ttl, kind)
                }
                _ => question.clients[0].clone(),
            };
            question.clients.push(client);
        }
        if self.below(12) == 0 {
            for client in question.clients.iter_mut().skip(self.below(2) as usize) {
                client.owner = Some("shared".to_owned());
                client.ttl = ttl;
            }
        }
        question.profile = self.pick(&[Profile::UPSTREAM, Profile::DOCUMENTED]);
        question.processes = self.pick(&[1, 1, 1, 2]);
        question.bounds = self.bounds();
        question.property = self.property();
        if self.below(8) == 0 && question.clients.iter().all(|it| it.owner.is_none()) {
            let guard = self.pick(&GUARDS);
            let limits = [0, 1, 2].map(|it| WriteLatency::UpTo(Duration::from_seconds(it)));
            let write_latency = self.pick(&[&limits[..], &[WriteLatency::Any]].concat());
            question.property = Property::NoWrongWrite;
            question.storage = Some(StorageQuestion { guard, write_latency });
        }
        question
    }

    pub(super) fn rule(&mut self) -> RunnerKind {
        let rule = random_rule(&mut |limit| self.below(limit));
        serde_json::from_str(&rule).expect("it is a rule")
    }

    fn client(&mut self, ttl: Duration, kind: ClientKind) -> ClientQuestion {
        let rule = self.rule();
        let runner = self.pick(&[
            rule.clone(),
            rule,
            RunnerKind::Upstream,
            RunnerKind::UpstreamBefore202510,
            RunnerKind::Safe,
        ]);
        let retry_interval = self.time(1, 3);
        let retry_interval = runner.rule().retry.every.unwrap_or(retry_interval);
        let margin = self.pick(&[0, 0, 1000]);
        ClientQuestion {
            kind,
            margin: (runner == RunnerKind::Safe).then_some(Duration::from_ms(margin)),
            first_attempt_deadline: self.below(2) == 0,
            rate_ppm: match self.below(24) {
                0 => self.pick(&[-20_000, 50_000]),
                _ => 0,
            },
            ..ClientQuestion::new(runner, ttl, retry_interval)
        }
    }

    /// At most two kinds of faults.
    fn bounds(&mut self) -> Bounds {
        let mut bounds =
            Bounds { latency: Duration::from_seconds(self.below(3)), ..Bounds::default() };
        for _ in 0..self.below(3) {
            let count = 1 + u8::from(self.below(4) == 0);
            bounds = match self.below(18) {
                0 => bounds.with(Fault::LostMessage, count),
                1 => bounds.with_length(Fault::Pause, count, self.time(1, 6)),
                2 => bounds.with(Fault::Crash, 1),
                3 => bounds.with(Fault::Restart, 1),
                4 => bounds.with(Fault::Stop, 1),
                5 => bounds.with_length(Fault::LocketCrash, count, self.time(0, 2)),
                6 => bounds.with(Fault::LostReply, 1),
                7 => bounds.with(Fault::Failover, 1),
                8 => bounds.with(Fault::Duplicate, count),
                9 => bounds.with_length(Fault::LocketPause, 1, self.time(1, 6)),
                10 => bounds.with_length(Fault::Stall, 1, self.time(1, 12)),
                11 => bounds.with_length(Fault::Partition, 1, self.time(1, 6)),
                12 => bounds.with_length(Fault::LocketDrain, count, self.time(0, 2)),
                13 => Bounds { database_latency: self.time(1, 2), ..bounds },
                14 => bounds.with(Fault::Disconnect, count),
                15 => bounds.with_length(Fault::Suspend, 1, self.time(1, 6)),
                16 => bounds.with_length(Fault::DatabaseCrash, count, self.time(0, 3)),
                _ => bounds.with(Fault::RowDeletion, 1),
            };
        }
        bounds
    }

    /// Some, which need not be the same with clients in each other's place.
    fn states(&mut self) -> VisibleStates {
        let believers = 1 + self.below(7) as u8;
        let running = self.below(8) as u8;
        let owner = self.pick(&[None, Some(0), Some(1)]);
        VisibleStates::of(|it| {
            (it.believers, it.owner) == (believers, owner) && it.running & running == running
        })
    }

    fn property(&mut self) -> Property {
        let allow = self.time(0, 9);
        match self.below(10) {
            0 => Property::FalseLoss,
            9 => Property::Own { never: self.states(), allow },
            1 => Property::NoClientActs { allow },
            2 => Property::Acquired { allow },
            3 => Property::PresenceGap { allow },
            4 => Property::BeliefMatchesRow { allow },
            5 => Property::OneOwner { allow: self.time(0, 2) },
            _ => Property::OneOwner { allow: Duration::ZERO },
        }
    }
}
