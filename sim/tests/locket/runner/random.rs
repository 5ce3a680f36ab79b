//! Random inputs to runners of random settings.
//!
//! A failure names its seed; `SEED=17 cargo test -p locket-sim-tests --test locket runner::random`
//! replays it alone.

use std::mem::{Discriminant, discriminant};

use super::rig::*;
use crate::random_numbers::{Random, number};
use crate::random_rule::random_rule;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::message::Response;
use locket_sim::protocol::resource::{Resource, TypeCode};
use locket_sim::protocol::runner::{Event, LeaseEnd, Moment, Rule, RunnerSettings};
use locket_sim::scenario::RunnerKind;
use locket_sim::time::{Duration, Time};

const STEPS: usize = 300;

impl Random {
    fn settings(&mut self) -> RunnerSettings {
        RunnerSettings {
            resource: Resource { type_code: TypeCode::Presence, ..jim() },
            ttl_in_seconds: self.pick(&[i64::MIN, -1, 0, 1, 15, i64::MAX]),
            retry_interval: Duration::from_ms(self.pick(&[0, 1, 700, 5_000, u64::MAX])),
            rule: self.rule(),
        }
    }

    fn rule(&mut self) -> Rule {
        let rule = random_rule(&mut |limit| self.below(limit));
        let mut rule = serde_json::from_str::<RunnerKind>(&rule).expect("it is a rule").rule();
        rule.retry.every = rule.retry.every.filter(|_| self.below(2) == 0);
        if let Some(lease) = &mut rule.lease {
            lease.margin = lease.margin.map(|it| self.pick(&[it, Duration::ZERO]));
        }
        rule
    }

    fn answer(&mut self) -> Result<Response, LockError> {
        let errors = [
            LockError::LockCollision,
            LockError::DeadlineExceeded,
            LockError::Unavailable,
            LockError::InvalidTtl,
            no_lock_for_you(),
        ];
        match self.below(4) {
            0 => Err(self.pick(&errors)),
            1 => held_by("joe"),
            _ => Ok(Response::Lock),
        }
    }

    /// Gives the runner some input. Says when the attempt that it may have granted was sent.
    fn input(&mut self, rig: &mut Rig) -> Option<Time> {
        match self.below(40) {
            0 => drop(rig.signal()),
            1..=4 if !rig.calls.is_empty() => {
                let (_, call) = self.pick(&rig.calls);
                let answer = self.answer();
                let current = rig.runner.call_under_way() == Some(call.id());
                rig.input(|runner, now, _, said| {
                    runner.handle_reply(call.id(), answer, now, said);
                });
                return rig.calls.last().filter(|_| current).map(|(sent, _)| *sent);
            }
            5..=19 if rig.runner.call_under_way().is_some() => {
                let sent = rig.calls.last().map(|(sent, _)| *sent);
                let answer = self.answer();
                rig.reply(answer);
                return sent;
            }
            20..=24 => rig.now = rig.now + Duration::from_ms(self.below(20_000)),
            25 => rig.now = rig.now + Duration::from_ms(self.below(u64::MAX) >> self.below(64)),
            26..=32 => rig.now = rig.runner.deadline().unwrap_or_default().max(rig.now),
            _ => drop(rig.timeout()),
        }
        None
    }
}

/// The facts by the events of a run, checked against the runner's state.
#[derive(Default)]
struct Watch {
    events: usize,
    held: bool,
    ready: bool,
    exited: bool,
    row_ends: Time,
}

impl Watch {
    fn look(&mut self, rig: &Rig, granted: Option<Time>) {
        let settings = rig.runner.settings();
        for (_, event) in &rig.events[self.events..] {
            assert!(!self.exited, "{event:?} after the exit");
            match event {
                Event::Acquired => assert!(!std::mem::replace(&mut self.held, true)),
                Event::Exited(_) => (self.held, self.exited) = (false, true),
                Event::Lost(_) => assert!(std::mem::take(&mut self.held)),
                Event::Ready => assert!(self.held && !std::mem::replace(&mut self.ready, true)),
                Event::Released(_) => assert!(!self.held),
                Event::Renewed => assert!(self.held),
                Event::Retrying { .. } => {}
                Event::Signalled => self.held = false,
            }
            if let (Event::Acquired | Event::Renewed, Some(sent)) = (event, granted) {
                let ttl = u64::try_from(settings.ttl_in_seconds).unwrap_or(0);
                self.row_ends = sent + Duration::from_seconds(ttl);
            }
        }
        self.events = rig.events.len();
        assert_eq!(rig.runner.is_ready(), self.ready);
        assert_eq!(rig.runner.exited().is_some(), self.exited);
        assert!(self.held || !rig.believes());
        match settings.rule.lease {
            Some(lease) if lease.ends == LeaseEnd::ByTimer => {
                let is_by_ttl = lease.length.is_none() && lease.from == Moment::Request;
                assert!(!rig.believes() || rig.now < self.row_ends || !is_by_ttl);
            }
            // At the very end of time no client holds a lock.
            _ => assert!(rig.believes() == self.held || rig.now == Time::MAX),
        }
        if self.exited {
            assert_eq!(rig.runner.deadline(), None);
            assert_eq!(rig.runner.call_under_way(), None);
        }
    }
}

/// Says which kinds of events came.
fn random_run(seed: u64) -> Vec<Discriminant<Event>> {
    let mut random = Random::of(seed, 0);
    let mut rig = Rig::start(random.settings());
    let mut watch = Watch::default();
    for _ in 0..STEPS {
        let calls = rig.calls.len();
        let under_way = rig.runner.call_under_way();
        let granted = random.input(&mut rig);
        watch.look(&rig, granted);
        if rig.calls.len() > calls {
            let ended = under_way.is_none() || rig.runner.call_under_way() != under_way;
            assert!(ended, "two calls at once");
            assert!(!watch.exited || calls + 1 == rig.calls.len());
        }
    }
    rig.events.iter().map(|(_, event)| discriminant(event)).collect()
}

#[test]
fn random_inputs_never_break_a_runner() {
    let one = number("SEED");
    let mut kinds = Vec::new();
    for seed in one.map_or(0..2_000, |seed| seed..seed + 1) {
        let run = std::panic::catch_unwind(|| random_run(seed));
        let seen = run.unwrap_or_else(|_| {
            panic!("seed {seed} failed; SEED={seed} replays it, see the head of this file")
        });
        for kind in seen {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    assert!(one.is_some() || kinds.len() == 8, "some kind of event never came");
}

#[test]
fn a_copy_stays_equal_through_the_same_inputs() {
    for seed in 0..100 {
        let mut random = Random::of(seed, 1);
        let mut rig = Rig::start(random.settings());
        for _ in 0..STEPS / 2 {
            random.input(&mut rig);
        }
        let (mut copy, mut same) = (rig.clone(), random.clone());
        for _ in 0..STEPS / 2 {
            random.input(&mut rig);
            same.input(&mut copy);
        }
        assert_eq!(copy.runner, rig.runner);
        assert_eq!(hash(&copy.runner), hash(&rig.runner));
        assert_eq!(copy.events, rig.events);
    }
}
