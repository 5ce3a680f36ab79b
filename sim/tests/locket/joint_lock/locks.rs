//! Claims about joint locks whose members are runners.

use super::*;

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
    let runners = keys.iter().map(|key| ((*key).to_owned(), Runner::new(settings(key))));
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
    // The second got no stop signal: it takes the lock as soon as it can, and keeps it.
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

    assert!(held(7_499));
    assert!(!held(7_500));
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
