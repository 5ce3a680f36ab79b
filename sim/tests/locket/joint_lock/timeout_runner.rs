//! Claims about the wrapper that gives a member so long to become ready.

use super::*;

impl Rig<TimeoutRunner<Fake>> {
    fn tell(&mut self, tell: impl FnOnce(&mut Fake)) -> &mut Self {
        self.machine.update(self.now, &mut self.ids, &mut (), |fake, _, _| tell(fake));
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
    Rig::start(TimeoutRunner::new("test", Fake::default(), timeout, late_policy))
}

fn wrapper() -> Rig<TimeoutRunner<Fake>> {
    wrapper_with(LatePolicy::Abandon)
}

#[test]
fn a_wrapper_is_ready_when_its_member_is() {
    let mut rig = wrapper();
    assert!(!rig.machine.is_ready());

    rig.ready();

    assert!(rig.machine.is_ready());
    assert_eq!(rig.machine.member().starts, 1);
}

// C24
#[test]
fn a_ready_wrapper_has_no_time_limit() {
    let mut rig = wrapper();

    rig.ready().at(10).at(3600);

    assert_eq!(rig.machine.exited(), None);
}

#[test]
fn a_wrapper_whose_member_is_late_ends_with_an_error() {
    let mut rig = wrapper();

    rig.at(9);
    assert_eq!(rig.machine.exited(), None);
    rig.at(10);

    assert_eq!(rig.error(), "test: failed to start in time");
    assert!(!rig.machine.is_ready());
}

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

#[test]
fn a_signal_does_not_stop_the_time_limit() {
    let mut rig = wrapper();

    rig.signal(Signal::Kill).at(10);

    assert_eq!(rig.error(), "test: failed to start in time");
}

// C22
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
