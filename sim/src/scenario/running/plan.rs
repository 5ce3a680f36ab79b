//! The plan of a scenario, and the order of items for one time.

/// An item of the scenario's plan. At one time they happen in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Planned {
    Action(usize),
    Expectation(usize),
    StartClient(usize),
    /// A write or a request for a token arrives at the storage.
    Stored(u64),
    /// Clients that act write to the storage.
    Writes,
}

/// The order of what is planned for one time: after so many things that were done at it, or after
/// everything that happens by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(u32);

impl Rank {
    /// The smallest rank after everything.
    const AFTER_ALL: u32 = u32::MAX - 2;

    /// Runners start before the actions of their time, expectations look after them.
    pub(super) fn new(after: Option<u32>, planned: Planned) -> Self {
        let last = match planned {
            Planned::StartClient(_) | Planned::Stored(_) => Self::AFTER_ALL,
            Planned::Action(_) | Planned::Writes => Self::AFTER_ALL + 1,
            Planned::Expectation(_) => Self::AFTER_ALL + 2,
        };
        Self(after.map_or(last, |after| after.min(Self::AFTER_ALL - 1)))
    }

    /// True if its turn has come when so many things were done at its time.
    pub(super) const fn is_due_after(self, count: u32) -> bool {
        self.0 <= count
    }

    /// True if it is placed among the things of its instant.
    pub(super) const fn is_placed(self) -> bool {
        self.0 < Self::AFTER_ALL
    }
}
