//! Claims about locks that are wanted together: the order of starts and stops, the time limit,
//! and what is said at the end.
//!
//! Beside the numbers that `common` explains, `C…` names a behaviour of cloudfoundry/locket's
//! own client. Most members here are fakes that do what the test says.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod locks;
mod timeout_runner;

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::common::*;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::id_source::IdSource;
use locket_sim::protocol::joint_lock::{
    JointLock, JointLockError, LatePolicy, Member, MemberExit, Signal, TimeoutError, TimeoutRunner,
};
use locket_sim::protocol::log::Log;
use locket_sim::protocol::message::{Method, Response};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::runner::{Call, Event, Output, RequestIds, Runner, RunnerSettings};
use locket_sim::time::{Duration, Time};

type End = Result<(), String>;

/// A member that does nothing by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Fake {
    starts: u32,
    signals: Vec<Signal>,
    ready: bool,
    end: Option<End>,
    /// How it ends at a signal, if it does.
    end_on_signal: Option<End>,
}

impl Member for Fake {
    type Error = String;

    fn start(&mut self, _: Time, _: &mut dyn RequestIds, _: &mut dyn Log) {
        self.starts += 1;
    }

    fn handle_signal(&mut self, signal: Signal, _: Time, _: &mut dyn RequestIds, _: &mut dyn Log) {
        self.signals.push(signal);
        if self.end.is_none() {
            self.end = self.end_on_signal.clone();
        }
    }

    fn handle_timeout(&mut self, _: Time, _: &mut dyn RequestIds, _: &mut dyn Log) {}

    fn deadline(&self) -> Option<Time> {
        None
    }

    fn is_ready(&self) -> bool {
        self.ready
    }

    fn exited(&self) -> Option<End> {
        self.end.clone()
    }
}

/// A group or a wrapper with a clock.
struct Rig<G> {
    machine: G,
    now: Time,
    ids: IdSource,
}

impl<G: Member> Rig<G> {
    /// Started at 0.
    fn start(machine: G) -> Self {
        let mut rig = Self { machine, now: Time::ZERO, ids: IdSource::new(1) };
        rig.machine.start(rig.now, &mut rig.ids, &mut ());
        rig
    }

    fn at(&mut self, seconds: u64) -> &mut Self {
        while self.wake(s(seconds)) {}
        self.now = s(seconds);
        self
    }

    /// Does what is due next, if that is by `end`.
    fn wake(&mut self, end: Time) -> bool {
        let due = self.machine.deadline().filter(|&due| due <= end);
        if let Some(due) = due {
            self.now = self.now.max(due);
            self.machine.handle_timeout(self.now, &mut self.ids, &mut ());
            let next = self.machine.deadline();
            assert_ne!(next, Some(due), "no time passes at {due}");
        }
        due.is_some()
    }

    fn signal(&mut self, signal: Signal) -> &mut Self {
        self.machine.handle_signal(signal, self.now, &mut self.ids, &mut ());
        self
    }

    fn error(&self) -> String {
        match self.machine.exited() {
            Some(Err(error)) => error.to_string(),
            other => panic!("did not exit with an error: {other:?}"),
        }
    }
}

impl Rig<JointLock<Fake>> {
    fn tell(&mut self, member: usize, tell: impl FnOnce(&mut Fake)) -> &mut Self {
        let told = self.machine.update(member, self.now, &mut self.ids, &mut (), |fake, _, _| {
            tell(fake);
        });
        told.expect("there is such a member");
        self
    }

    fn ready(&mut self, member: usize) -> &mut Self {
        self.tell(member, |fake| fake.ready = true)
    }

    fn end(&mut self, member: usize, end: End) -> &mut Self {
        self.tell(member, |fake| fake.end = Some(end))
    }

    fn fake(&self, member: usize) -> &Fake {
        self.machine.members()[member].member()
    }

    fn starts(&self) -> Vec<u32> {
        let members = self.machine.members().iter();
        members.map(|member| member.member().starts).collect()
    }

    fn signals(&self) -> Vec<usize> {
        let members = self.machine.members().iter();
        members.map(|member| member.member().signals.len()).collect()
    }
}

/// `test1`, `test2`, …: started, none of them ready, with 5 s for all but the first.
fn group(members: usize) -> Rig<JointLock<Fake>> {
    group_of((1..=members).map(|number| (format!("test{number}"), Fake::default())))
}

fn group_of(members: impl IntoIterator<Item = (String, Fake)>) -> Rig<JointLock<Fake>> {
    let timeout = Duration::from_seconds(5);
    Rig::start(JointLock::new(members, timeout, LatePolicy::Abandon))
}

fn boom() -> End {
    Err("boom".into())
}

// C20
#[test]
fn members_start_one_after_another_and_the_group_is_ready_when_all_are() {
    let mut rig = group(2);
    assert!(!rig.machine.is_ready());
    assert_eq!(rig.starts(), [1, 0]);

    rig.ready(0);
    assert!(!rig.machine.is_ready());
    assert_eq!(rig.starts(), [1, 1]);

    rig.ready(1);
    assert!(rig.machine.is_ready());
    assert_eq!(rig.at(3600).machine.exited(), None);
    assert_eq!(rig.starts(), [1, 1]);
    assert_eq!(rig.signals(), [0, 0]);
}

// C20
#[test]
fn a_group_without_members_is_ready_at_once_and_waits_for_a_signal() {
    let mut rig = group(0);
    assert!(rig.machine.is_ready());
    assert_eq!(rig.machine.exited(), None);

    rig.signal(Signal::Interrupt);

    assert_eq!(rig.machine.exited(), Some(Ok(())));
}

// C21
#[test]
fn a_first_member_that_fails_ends_the_group() {
    let mut rig = group(2);

    rig.end(0, boom());

    let expected = "Exit trace for group:\ntest1 exited with error: boom\n";
    assert_eq!(rig.error(), expected);
    assert_eq!(rig.starts(), [1, 0]);
}

// C21
#[test]
fn a_second_member_that_fails_stops_the_first_and_ends_the_group() {
    let mut rig = group(2);

    rig.ready(0).end(1, boom());
    assert_eq!(rig.fake(0).signals, [Signal::Interrupt]);
    assert_eq!(rig.machine.exited(), None);
    rig.end(0, Ok(()));

    let expected = "Exit trace for group:\ntest2 exited with error: boom\ntest1 exited with nil\n";
    assert_eq!(rig.error(), expected);
    let of = |name: &str, result| MemberExit { name: name.into(), result };
    let exits =
        vec![of("test2", Err(TimeoutError::Member("boom".to_owned()))), of("test1", Ok(()))];
    let expected = Err(JointLockError::Members(exits));
    assert_eq!(rig.machine.exited(), Some(expected));
}

// C19
#[test]
fn the_first_member_may_be_waited_for_without_limit() {
    let mut rig = group(2);

    rig.at(5).at(3600);

    assert_eq!(rig.machine.exited(), None);
    assert_eq!(rig.signals(), [0, 0]);
    rig.ready(0).ready(1);
    assert!(rig.machine.is_ready());
}

// C19, S40
#[test]
fn the_second_member_must_be_ready_in_time_after_its_start() {
    let mut rig = group(2);
    rig.at(100).ready(0);

    rig.at(104);
    assert_eq!(rig.signals(), [0, 0]);
    rig.at(105);
    assert_eq!(rig.fake(0).signals, [Signal::Interrupt]);
    rig.end(0, Ok(()));

    let expected = "Exit trace for group:\ntest2 exited with error: test2: failed to start in \
                    time\ntest1 exited with nil\n";
    assert_eq!(rig.error(), expected);
}

// C21
#[test]
fn a_member_that_ends_when_all_are_ready_stops_the_others_in_reverse_order() {
    let mut rig = group(4);
    rig.ready(0).ready(1).ready(2).ready(3);

    rig.end(1, boom());
    assert_eq!(rig.signals(), [0, 0, 0, 1]);
    rig.end(3, Ok(()));
    assert_eq!(rig.signals(), [0, 0, 1, 1]);
    // A member that ends out of turn is not signalled, and is noticed in its turn.
    rig.end(0, Err("bang".into()));
    assert_eq!(rig.machine.exited(), None);
    rig.end(2, Ok(()));

    let expected = "Exit trace for group:\ntest2 exited with error: boom\ntest4 exited with \
                    nil\ntest3 exited with nil\ntest1 exited with error: bang\n";
    assert_eq!(rig.error(), expected);
}

// C21
#[test]
fn a_group_whose_members_all_ended_well_ended_well_even_before_it_was_ready() {
    let mut early = group(2);
    early.ready(0).end(1, Ok(())).end(0, Ok(()));
    let mut late = group(1);
    late.ready(0).end(0, Ok(()));

    assert_eq!(early.machine.exited(), Some(Ok(())));
    assert!(!early.machine.is_ready());
    assert_eq!(late.machine.exited(), Some(Ok(())));
}

// C21
#[test]
fn members_that_were_not_started_are_not_in_the_trace() {
    let mut rig = group(3);

    rig.ready(0).end(0, boom());
    assert_eq!(rig.fake(1).signals, [Signal::Interrupt]);
    rig.end(1, Ok(()));

    assert!(!rig.error().contains("test3"));
    assert_eq!(rig.starts(), [1, 1, 0]);
}

// C20, C21
#[test]
fn a_signal_goes_to_the_started_members_in_reverse_order() {
    let mut rig = group(3);
    rig.ready(0);

    rig.signal(Signal::Terminate);
    assert_eq!(rig.signals(), [0, 1, 0]);
    rig.end(1, Ok(()));
    assert_eq!(rig.fake(0).signals, [Signal::Terminate]);
    rig.end(0, Ok(()));

    assert_eq!(rig.machine.exited(), Some(Ok(())));
    assert_eq!(rig.starts(), [1, 1, 0]);
}

#[test]
fn while_a_group_stops_only_another_signal_is_passed_on() {
    let mut rig = group(2);
    rig.ready(0).ready(1).signal(Signal::Interrupt);

    rig.signal(Signal::Interrupt).signal(Signal::Kill);
    rig.end(1, Ok(()));

    let expected = [Signal::Interrupt, Signal::Kill];
    assert_eq!(rig.fake(1).signals, expected);
    assert_eq!(rig.fake(0).signals, [Signal::Kill]);
}

#[test]
fn a_member_that_ends_at_its_signal_is_not_waited_for() {
    let obedient = || Fake { end_on_signal: Some(Ok(())), ..Fake::default() };
    let mut rig = group_of([("a".to_owned(), obedient()), ("b".to_owned(), obedient())]);
    rig.ready(0).ready(1);

    rig.signal(Signal::Interrupt);

    assert_eq!(rig.machine.exited(), Some(Ok(())));
    assert_eq!(rig.signals(), [1, 1]);
}

// C21
#[test]
fn two_members_of_one_name_are_refused_at_the_start() {
    let names = ["a", "b", "a"].map(|name| (name.to_owned(), Fake::default()));

    let rig = group_of(names);

    assert_eq!(rig.error(), "Duplicate member name: a");
    assert_eq!(rig.starts(), [0, 0, 0]);
}

#[test]
fn a_group_that_was_not_started_or_has_ended_does_nothing() {
    let timeout = Duration::from_seconds(5);
    let members = [("test1".to_owned(), Fake::default())];
    let mut group = JointLock::new(members, timeout, LatePolicy::Abandon);
    let fresh = group.clone();
    group.handle_signal(Signal::Kill, s(1), &mut IdSource::new(1), &mut ());
    group.handle_timeout(s(9), &mut IdSource::new(1), &mut ());
    assert_eq!(group, fresh);

    let mut rig = Rig::start(group);
    rig.end(0, boom());
    let ended = rig.machine.clone();
    rig.machine.start(s(1), &mut rig.ids, &mut ());
    rig.signal(Signal::Kill).at(9);
    assert_eq!(rig.machine, ended);
}

#[test]
fn there_is_no_member_of_a_number_too_large() {
    let mut rig = group(1);

    let told = rig.machine.update(1, s(0), &mut rig.ids, &mut (), |_, _, _| ());

    assert_eq!(told, None);
}

#[test]
fn groups_in_the_same_state_are_equal() {
    let hash = |machine: &JointLock<Fake>| {
        let mut hasher = DefaultHasher::new();
        machine.hash(&mut hasher);
        hasher.finish()
    };
    let mut stepwise = group(2);
    stepwise.ready(0).at(1).ready(1);
    let mut direct = group(2);
    direct.ready(0).ready(1);

    assert_eq!(stepwise.machine, direct.machine);
    assert_eq!(hash(&stepwise.machine), hash(&direct.machine));
    assert_ne!(stepwise.machine, group(2).machine);
}
