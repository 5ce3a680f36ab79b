//! Which fault an act or an action of a scenario is: the table of faults by their actions.

use super::faults::{FAULTS, Fault, On};
use crate::environment::happening::{Act, Store};
use crate::scenario::ActionKind;

impl Fault {
    /// The fault of a search that an act is, unless it ends one.
    pub(in crate::check) const fn of(act: Act) -> Option<Self> {
        let (kind, on) = act.action();
        Self::of_action(kind, on)
    }

    /// The fault that an action of a scenario is.
    pub(in crate::check) const fn of_action(kind: ActionKind, on: On) -> Option<Self> {
        BY_ACTION[kind as usize][on as usize]
    }
}

/// The fault that an action is, by the numbers of both: a search asks often.
static BY_ACTION: [[Option<Fault>; On::ALL.len()]; ActionKind::COUNT] = {
    let mut faults = [[None; On::ALL.len()]; ActionKind::COUNT];
    let mut number = 0;
    while number < FAULTS {
        let fault = Fault::ALL[number];
        if let Some((kind, on)) = fault.action() {
            faults[kind as usize][on as usize] = Some(fault);
        }
        number += 1;
    }
    faults
};

impl Act {
    /// The action of a scenario that it is.
    pub(in crate::check) const fn action(self) -> (ActionKind, On) {
        match self {
            Self::Crash(node) => (ActionKind::Crash, On::node(node)),
            Self::Cut { process, .. } => (ActionKind::Cut, On::link(process)),
            Self::DeleteRow => (ActionKind::DeleteRow, On::Database),
            Self::Disconnect(_) => (ActionKind::Disconnect, On::Client),
            Self::Drain(_) => (ActionKind::Drain, On::Locket),
            Self::FailOver => (ActionKind::FailOver, On::Database),
            Self::Heal { process, .. } => (ActionKind::Heal, On::link(process)),
            Self::Pause(node) => (ActionKind::Pause, On::node(node)),
            Self::Stall => (ActionKind::Stall, On::Database),
            Self::Start(node) => (ActionKind::Start, On::node(node)),
            Self::Store { what, .. } => {
                let kind = match what {
                    Store::Arrive => ActionKind::Arrive,
                    Store::TakeToken => ActionKind::TakeToken,
                    Store::Write => ActionKind::Write,
                };
                (kind, On::Client)
            }
            Self::Stop(_) => (ActionKind::Stop, On::Client),
            Self::Suspend(_) => (ActionKind::Suspend, On::Client),
        }
    }
}
