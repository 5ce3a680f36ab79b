//! Several locks that are wanted together, taken one after another (C19…C24).
//!
//! An ordered group: each member starts when the one before it is ready, and as soon as one
//! ends, the others are stopped in reverse order, which makes runners release. The first lock
//! may be waited for without limit; each of the others must be had within a timeout, so that
//! no client holds one lock and waits for the next for ever.
//!
//! Knows of its members only what [`Member`] says; they may be runners, other groups or
//! something made up.

mod canonical;
mod error;
mod member;
mod timeout_runner;

pub use self::canonical::CanonicalJointLock;
pub use self::error::{JointLockError, MemberExit};
pub use self::member::{Member, Signal};
pub use self::timeout_runner::{LatePolicy, TimeoutError, TimeoutRunner};

use super::error::LockError;
use super::log::Log;
use super::message::Response;
use super::runner::{CallId, Output, RequestIds, Runner};
use crate::time::{Duration, Time};

/// A group of members of which each needs the one before it.
///
/// It owns its members. Start it, signal it and handle its timeouts as of any [`Member`]. All other
/// inputs and queries of a member go through [`update`](Self::update). Runners also have
/// [`handle_reply`](Self::handle_reply) and [`poll_output`](Self::poll_output).
///
/// After every input, take the outputs of all members and ask for the deadline again. A member that
/// was abandoned goes on giving outputs after the group has ended; a caller that ends the process
/// with the group drops both.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JointLock<M: Member> {
    members: Vec<TimeoutRunner<M>>,
    /// How many members have been started.
    started: usize,
    phase: Phase<M::Error>,
    ready: bool,
    /// Members that have ended and were noticed, in that order.
    ended: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Phase<E> {
    Created,
    Exited(Result<(), JointLockError<E>>),
    Running,
    Stopping(Stop),
}

/// How far the group is in stopping its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Stop {
    signal: Signal,
    /// The members before this number are still to be stopped.
    remaining: usize,
    /// Whether the last of them has been signalled.
    is_signalled: bool,
}

impl<M: Member> JointLock<M> {
    /// A group of named members in the order of their start, none of them started. All but the
    /// first have `timeout` to become ready.
    pub fn new(
        members: impl IntoIterator<Item = (String, M)>,
        timeout: Duration,
        late_policy: LatePolicy,
    ) -> Self {
        let wrap = |(index, (name, member))| {
            let timeout = (index > 0).then_some(timeout);
            TimeoutRunner::new(name, member, timeout, late_policy)
        };
        Self {
            members: members.into_iter().enumerate().map(wrap).collect(),
            started: 0,
            phase: Phase::Created,
            ready: false,
            ended: Vec::new(),
        }
    }

    /// The members in the order of their start.
    pub fn members(&self) -> &[TimeoutRunner<M>] {
        &self.members
    }

    /// Gives an input to a member, or takes an output from it. `None` if there is no member of
    /// that number.
    pub fn update<T>(
        &mut self,
        member: usize,
        now: Time,
        ids: &mut dyn RequestIds,
        log: &mut dyn Log,
        input: impl FnOnce(&mut M, &mut dyn RequestIds, &mut dyn Log) -> T,
    ) -> Option<T> {
        let output = self.members.get_mut(member)?.update(now, ids, log, input);
        self.settle(now, ids, log);
        Some(output)
    }

    /// Does what follows from the members' state until nothing more does.
    fn settle(&mut self, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log) {
        loop {
            let goes_on = match self.phase {
                Phase::Created | Phase::Exited(_) => false,
                Phase::Running => self.run(now, ids, log),
                Phase::Stopping(stop) => self.stop(stop, now, ids, log),
            };
            if !goes_on {
                return;
            }
        }
    }

    /// One step of starting and watching; whether there was one. An end counts before a start:
    /// upstream takes either when both are there.
    fn run(&mut self, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log) -> bool {
        let started = &mut self.members[..self.started];
        if let Some(ended) = started.iter().position(|member| member.exited().is_some()) {
            self.ended.push(ended);
            self.begin_stop(Signal::Interrupt);
            return true;
        }
        if self.ready || !started.last().is_none_or(|last| last.is_ready()) {
            return false;
        }
        match self.members.get_mut(self.started) {
            Some(next) => {
                self.started += 1;
                next.start(now, ids, log);
            }
            None => self.ready = true,
        }
        true
    }

    fn begin_stop(&mut self, signal: Signal) {
        self.phase = Phase::Stopping(Stop { signal, remaining: self.started, is_signalled: false });
    }

    /// One step of stopping; whether there was one. Each member is waited for before the next
    /// is signalled.
    fn stop(&mut self, stop: Stop, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log) -> bool {
        let Some(last) = stop.remaining.checked_sub(1) else {
            self.phase = Phase::Exited(self.result());
            return false;
        };
        let member = &mut self.members[last];
        if !stop.is_signalled {
            // A member that has ended does not notice.
            member.handle_signal(stop.signal, now, ids, log);
            self.phase = Phase::Stopping(Stop { is_signalled: true, ..stop });
            return true;
        }
        if member.exited().is_none() {
            return false;
        }
        if !self.ended.contains(&last) {
            self.ended.push(last);
        }
        self.phase = Phase::Stopping(Stop { remaining: last, is_signalled: false, ..stop });
        true
    }

    /// Good if every member ended well, even before it was ready (C21).
    fn result(&self) -> Result<(), JointLockError<M::Error>> {
        let exit_of = |&index: &usize| {
            let member = &self.members[index];
            Some(MemberExit { name: member.name().to_owned(), result: member.exited()? })
        };
        let exits: Vec<_> = self.ended.iter().filter_map(exit_of).collect();
        if exits.iter().all(|exit| exit.result.is_ok()) {
            return Ok(());
        }
        Err(JointLockError::Members(exits))
    }

    fn duplicate_name(&self) -> Option<&str> {
        let names: Vec<_> = self.members.iter().map(TimeoutRunner::name).collect();
        let mut seen = names.iter().enumerate();
        seen.find_map(|(index, name)| names[..index].contains(name).then_some(*name))
    }
}

impl<M: Member> Member for JointLock<M> {
    type Error = JointLockError<M::Error>;

    fn start(&mut self, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log) {
        if self.phase == Phase::Created {
            self.phase = match self.duplicate_name() {
                Some(name) => Phase::Exited(Err(JointLockError::DuplicateName(name.to_owned()))),
                None => Phase::Running,
            };
            self.settle(now, ids, log);
        }
    }

    /// Stops the group. While it stops, another signal goes to the member that is being waited
    /// for, and the same one again does nothing.
    fn handle_signal(
        &mut self,
        signal: Signal,
        now: Time,
        ids: &mut dyn RequestIds,
        log: &mut dyn Log,
    ) {
        match self.phase {
            Phase::Created | Phase::Exited(_) => {}
            Phase::Running => self.begin_stop(signal),
            Phase::Stopping(stop) if stop.signal == signal => {}
            Phase::Stopping(stop) => {
                self.phase = Phase::Stopping(Stop { signal, is_signalled: false, ..stop });
            }
        }
        self.settle(now, ids, log);
    }

    fn handle_timeout(&mut self, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log) {
        for member in &mut self.members {
            member.handle_timeout(now, ids, log);
        }
        self.settle(now, ids, log);
    }

    fn deadline(&self) -> Option<Time> {
        self.members.iter().filter_map(Member::deadline).min()
    }

    fn is_ready(&self) -> bool {
        self.ready
    }

    fn exited(&self) -> Option<Result<(), Self::Error>> {
        match &self.phase {
            Phase::Exited(result) => Some(result.clone()),
            Phase::Created | Phase::Running | Phase::Stopping(_) => None,
        }
    }
}

/// Locks that are wanted together.
impl JointLock<Runner> {
    /// Takes the reply to a call of a member.
    pub fn handle_reply(
        &mut self,
        member: usize,
        call: CallId,
        result: Result<Response, LockError>,
        now: Time,
        ids: &mut dyn RequestIds,
        log: &mut dyn Log,
    ) {
        self.update(member, now, ids, log, |runner, _, log| {
            runner.handle_reply(call, result, now, log);
        });
    }

    /// The next output of a member, with the member's number.
    pub fn poll_output(&mut self) -> Option<(usize, Output)> {
        let mut members = self.members.iter_mut().enumerate();
        members.find_map(|(index, member)| Some((index, member.poll_output()?)))
    }

    /// Whether at `now` all locks are believed to be held and the group has not begun to stop.
    pub fn believes_held(&self, now: Time) -> bool {
        let mut members = self.members.iter();
        self.ready
            && self.phase == Phase::Running
            && members.all(|member| member.member().believes_held(now))
    }
}
