//! Claims about locks that are wanted together: the order of starts and stops, the time limit,
//! and what is said at the end.
//!
//! Beside the numbers that `common` explains, `C…` names a behaviour of cloudfoundry/locket's
//! own client. Most members here are fakes that do what the test says.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod common;

use std::hash::{DefaultHasher, Hash, Hasher};

use common::*;
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
        let mut rig = Self {
            machine,
            now: Time::ZERO,
            ids: IdSource::new(1),
        };
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
            self.machine
                .handle_timeout(self.now, &mut self.ids, &mut ());
            let next = self.machine.deadline();
            assert_ne!(next, Some(due), "time stands still at {due}");
        }
        due.is_some()
    }

    fn signal(&mut self, signal: Signal) -> &mut Self {
        self.machine
            .handle_signal(signal, self.now, &mut self.ids, &mut ());
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
        let told = self
            .machine
            .update(member, self.now, &mut self.ids, &mut (), |fake, _, _| {
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
        members
            .map(|member| member.member().signals.len())
            .collect()
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

// T134, C20
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

// T135, C20
#[test]
fn a_group_without_members_is_ready_at_once_and_waits_for_a_signal() {
    let mut rig = group(0);
    assert!(rig.machine.is_ready());
    assert_eq!(rig.machine.exited(), None);

    rig.signal(Signal::Interrupt);

    assert_eq!(rig.machine.exited(), Some(Ok(())));
}

// T136, C21
#[test]
fn a_first_member_that_fails_ends_the_group() {
    let mut rig = group(2);

    rig.end(0, boom());

    let expected = "Exit trace for group:\ntest1 exited with error: boom\n";
    assert_eq!(rig.error(), expected);
    assert_eq!(rig.starts(), [1, 0]);
}

// T137, C21
#[test]
fn a_second_member_that_fails_stops_the_first_and_ends_the_group() {
    let mut rig = group(2);

    rig.ready(0).end(1, boom());
    assert_eq!(rig.fake(0).signals, [Signal::Interrupt]);
    assert_eq!(rig.machine.exited(), None);
    rig.end(0, Ok(()));

    let expected = "Exit trace for group:\ntest2 exited with error: boom\ntest1 exited with nil\n";
    assert_eq!(rig.error(), expected);
    let of = |name: &str, result| MemberExit {
        name: name.into(),
        result,
    };
    let exits = vec![
        of("test2", Err(TimeoutError::Member("boom".to_owned()))),
        of("test1", Ok(())),
    ];
    let expected = Err(JointLockError::Members(exits));
    assert_eq!(rig.machine.exited(), Some(expected));
}

// T138, C19
#[test]
fn the_first_member_may_be_waited_for_without_limit() {
    let mut rig = group(2);

    rig.at(5).at(3600);

    assert_eq!(rig.machine.exited(), None);
    assert_eq!(rig.signals(), [0, 0]);
    rig.ready(0).ready(1);
    assert!(rig.machine.is_ready());
}

// T139, C19, S40
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
    // One that ends out of turn is not signalled, and noticed in its turn.
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
    let obedient = || Fake {
        end_on_signal: Some(Ok(())),
        ..Fake::default()
    };
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

    let told = rig
        .machine
        .update(1, s(0), &mut rig.ids, &mut (), |_, _, _| ());

    assert_eq!(told, None);
}

#[test]
fn groups_in_the_same_situation_are_equal() {
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

// The wrapper

impl Rig<TimeoutRunner<Fake>> {
    fn tell(&mut self, tell: impl FnOnce(&mut Fake)) -> &mut Self {
        self.machine
            .update(self.now, &mut self.ids, &mut (), |fake, _, _| tell(fake));
        self
    }

    fn ready(&mut self) -> &mut Self {
        self.tell(|fake| fake.ready = true)
    }

    fn end(&mut self, end: End) -> &mut Self {
        self.tell(|fake| fake.end = Some(end))
    }
}

fn wrapper_with(late_policy: LatePolicy) -> Rig<TimeoutRunner<Fake>> {
    let timeout = Some(Duration::from_seconds(10));
    Rig::start(TimeoutRunner::new(
        "test",
        Fake::default(),
        timeout,
        late_policy,
    ))
}

fn wrapper() -> Rig<TimeoutRunner<Fake>> {
    wrapper_with(LatePolicy::Abandon)
}

// T140
#[test]
fn a_wrapper_is_ready_when_its_member_is() {
    let mut rig = wrapper();
    assert!(!rig.machine.is_ready());

    rig.ready();

    assert!(rig.machine.is_ready());
    assert_eq!(rig.machine.member().starts, 1);
}

// T141, C24
#[test]
fn a_ready_wrapper_has_no_time_limit() {
    let mut rig = wrapper();

    rig.ready().at(10).at(3600);

    assert_eq!(rig.machine.exited(), None);
}

// T142
#[test]
fn a_wrapper_whose_member_is_late_ends_with_an_error() {
    let mut rig = wrapper();

    rig.at(9);
    assert_eq!(rig.machine.exited(), None);
    rig.at(10);

    assert_eq!(rig.error(), "test: failed to start in time");
    assert!(!rig.machine.is_ready());
}

// T143, T144
#[test]
fn a_wrapper_passes_its_members_error_on() {
    let mut ready = wrapper();
    ready.ready().end(boom());
    let mut waiting = wrapper();
    waiting.end(boom());

    for rig in [ready, waiting] {
        assert_eq!(rig.error(), "boom");
        assert_eq!(rig.machine.deadline(), None);
    }
}

// T145, T147
#[test]
fn a_wrapper_passes_signals_on_and_waits_for_what_comes_of_them() {
    for ready in [false, true] {
        let mut rig = wrapper();
        rig.tell(|fake| fake.ready = ready);

        rig.signal(Signal::Kill);

        assert_eq!(rig.machine.member().signals, [Signal::Kill]);
        assert_eq!(rig.machine.exited(), None);
    }
}

// T146
#[test]
fn a_signal_does_not_stop_the_time_limit() {
    let mut rig = wrapper();

    rig.signal(Signal::Kill).at(10);

    assert_eq!(rig.error(), "test: failed to start in time");
}

// T148, C22
#[test]
fn a_member_that_ends_well_before_it_was_ready_makes_the_wrapper_ready_and_end_well() {
    let mut rig = wrapper();

    rig.end(Ok(()));

    assert_eq!(rig.machine.exited(), Some(Ok(())));
    assert!(rig.machine.is_ready());
}

// C23
#[test]
fn a_late_member_of_upstream_is_not_told() {
    let mut rig = wrapper();
    rig.at(10);

    assert_eq!(rig.machine.member().signals, []);
    // Nothing that becomes of it matters any more, and no signal reaches it.
    rig.ready().signal(Signal::Kill).end(Ok(()));

    assert!(!rig.machine.is_ready());
    assert_eq!(rig.machine.member().signals, []);
    assert_eq!(rig.error(), "test: failed to start in time");
}

#[test]
fn a_late_member_can_be_interrupted_and_waited_for_instead() {
    let mut rig = wrapper_with(LatePolicy::Interrupt);

    rig.at(10);
    assert_eq!(rig.machine.member().signals, [Signal::Interrupt]);
    assert_eq!(rig.machine.exited(), None);
    rig.ready();
    assert!(!rig.machine.is_ready());
    rig.end(Ok(()));

    assert_eq!(rig.error(), "test: failed to start in time");
}

// Locks

/// A joint lock of runners with a log of what its members gave out.
struct Locks {
    rig: Rig<JointLock<Runner>>,
    calls: Vec<(usize, Call)>,
    events: Vec<(usize, Event)>,
}

const R: Duration = Duration::from_seconds(5);

/// Locks `a`, `b`, … of `jim`, 2 s for all but the first.
fn locks(
    keys: &[&str],
    settings: impl Fn(&str) -> RunnerSettings,
    late_policy: LatePolicy,
) -> Locks {
    let runners = keys
        .iter()
        .map(|key| ((*key).to_owned(), Runner::new(settings(key))));
    let timeout = Duration::from_seconds(2);
    let mut locks = Locks {
        rig: Rig::start(JointLock::new(runners, timeout, late_policy)),
        calls: Vec::new(),
        events: Vec::new(),
    };
    locks.drain();
    locks
}

fn upstream(key: &str) -> RunnerSettings {
    RunnerSettings::upstream(resource(key, "jim"), 15, R)
}

impl Locks {
    fn drain(&mut self) {
        while let Some((member, output)) = self.rig.machine.poll_output() {
            match output {
                Output::Call(call) => self.calls.push((member, call)),
                Output::Event(event) => self.events.push((member, event)),
            }
        }
    }

    /// Lets time pass, and Locket answer everything at once.
    fn run(&mut self, seconds: u64, locket: &mut Locket) -> &mut Self {
        let end = s(seconds);
        self.serve(locket);
        while self.rig.wake(end) {
            self.serve(locket);
        }
        self.rig.now = end;
        locket.at(end.as_ms());
        self
    }

    fn serve(&mut self, locket: &mut Locket) {
        self.drain();
        while !self.calls.is_empty() {
            let (member, call) = self.calls.remove(0);
            let answer = locket.at(self.rig.now.as_ms()).handle(&call.request);
            let Rig { machine, now, ids } = &mut self.rig;
            machine.handle_reply(member, call.id(), answer, *now, ids, &mut ());
            self.drain();
        }
    }

    fn signal(&mut self) -> &mut Self {
        self.rig.signal(Signal::Interrupt);
        self.drain();
        self
    }

    fn believes(&self) -> bool {
        self.rig.machine.believes_held(self.rig.now)
    }
}

// C19, C20
#[test]
fn a_joint_lock_is_held_when_all_its_locks_are_and_released_in_reverse_order() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut locks = locks(&["a", "b"], upstream, LatePolicy::Abandon);
    assert!(!locks.believes());

    locks.run(7, &mut locket);
    assert!(locks.rig.machine.is_ready() && locks.believes());
    assert_eq!(locket.holder("b").as_deref(), Some("jim"));
    locks.signal();
    assert!(!locks.believes());
    let [(member, call)] = &locks.calls[..] else {
        panic!("not one call: {:?}", locks.calls);
    };
    assert_eq!((*member, call.request.method()), (1, Method::Release));
    locks.run(8, &mut locket);

    assert_eq!(locks.rig.machine.exited(), Some(Ok(())));
    assert_eq!(locket.rows(), []);
}

#[test]
fn a_joint_lock_that_stops_is_not_believed_in_even_while_its_members_are() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut locks = locks(&["a", "b"], upstream, LatePolicy::Abandon);
    locks.run(4, &mut locket);
    locks.rig.at(5);
    assert!(locks.believes());

    // Both are renewing, and serve the signal afterwards.
    locks.signal();

    let mut members = locks.rig.machine.members().iter();
    assert!(members.all(|member| member.member().believes_held(s(5))));
    assert!(!locks.believes());
}

// S40, C23
#[test]
fn a_joint_lock_that_fails_releases_the_first_lock_and_leaks_the_second() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.at(0).lock("b", "joe", 4).unwrap();
    let mut locks = locks(&["a", "b"], upstream, LatePolicy::Abandon);

    locks.run(2, &mut locket);
    let error = locks.rig.error();
    assert!(error.contains("b exited with error: b: failed to start in time\n"));
    assert!(error.ends_with("a exited with nil\n"));
    assert_eq!(locket.holder("a"), None);
    // Nobody has told the second: it takes the lock as soon as it can, and keeps it.
    locks.run(60, &mut locket);

    assert_eq!(locket.holder("b").as_deref(), Some("jim"));
    assert!(locks.events.contains(&(1, Event::Acquired)));
    assert!(!locks.believes());
}

#[test]
fn a_joint_lock_that_interrupts_leaves_nothing_behind() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.at(0).lock("b", "joe", 4).unwrap();
    let mut locks = locks(&["a", "b"], upstream, LatePolicy::Interrupt);

    locks.run(60, &mut locket);

    let error = locks.rig.error();
    assert!(error.contains("b exited with error: b: failed to start in time\n"));
    assert_eq!(locket.rows(), []);
    assert_eq!(locks.rig.machine.deadline(), None);
}

// C21
#[test]
fn a_lost_lock_ends_the_group_and_releases_the_others() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut locks = locks(&["a", "b", "c"], upstream, LatePolicy::Abandon);
    locks.run(3, &mut locket);

    locket.release("b", "jim").unwrap();
    locket.lock("b", "joe", 15).unwrap();
    locks.run(5, &mut locket);

    let error = locks.rig.error();
    let lines: Vec<_> = error.lines().collect();
    assert_eq!(lines[0], "Exit trace for group:");
    let lost = "b exited with error: lost lock (request failed), request-uuid ";
    assert!(lines[1].starts_with(lost), "{error}");
    let expected = ["c exited with nil", "a exited with nil"];
    assert_eq!(lines[2..], expected);
    assert_eq!(locket.holder("a"), None);
    assert_eq!(locket.holder("b").as_deref(), Some("joe"));
}

#[test]
fn a_joint_lock_believes_no_longer_than_its_shortest_lease() {
    let safe = |key: &str| {
        let ttl = if key == "b" { 8 } else { 15 };
        RunnerSettings::safe(resource(key, "jim"), ttl, R)
    };
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut locks = locks(&["a", "b"], safe, LatePolicy::Interrupt);
    locks.run(0, &mut locket);

    let held = |now| locks.rig.machine.believes_held(ms(now));

    assert!(held(7_919));
    assert!(!held(7_920));
}

#[test]
fn a_reply_to_no_member_changes_nothing() {
    let mut locks = locks(&["a"], upstream, LatePolicy::Abandon);
    let before = locks.rig.machine.clone();
    let id = locks.calls[0].1.id();

    let Rig { machine, now, ids } = &mut locks.rig;
    machine.handle_reply(1, id, Ok(Response::Lock), *now, ids, &mut ());
    machine.handle_reply(2, id, Err(LockError::Unavailable), *now, ids, &mut ());

    assert_eq!(*machine, before);
}
