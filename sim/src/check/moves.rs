//! The ways on from a state.

/// One thing that can happen. Clients, processes and messages are named by their place in the
/// state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// A client crashes.
    Crash(u8),
    /// A Locket process crashes.
    CrashLocket(u8),
    /// A message arrives.
    Deliver(u8),
    /// An operator deletes the row.
    Evict,
    /// The table removes what has expired.
    Expire,
    /// The database fails over.
    FailOver,
    /// A call that has waited for a connection leaves.
    Leave(u8),
    /// A process gives up on a call whose answer from the database was lost.
    GiveUp(u8),
    /// A request arrives, and the database's answer to it is lost.
    LoseAnswer(u8),
    /// Nothing happens for some units of time.
    Pass(u16),
    /// A client stands still from here on.
    Pause(u8),
    /// A process polls.
    Poll(u8),
    /// A process's timers fire.
    ProcessTimer(u8),
    /// A client that is down or has ended starts again.
    Restart(u8),
    /// A client starts.
    Start(u8),
    /// A process starts.
    StartLocket(u8),
    /// A client is told to stop.
    Stop(u8),
    /// A client does what is due.
    Timer(u8),
    /// A client that stood still goes on.
    Wake(u8),
}

/// A thing that happens, and which of the messages that it sends are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) what: Move,
    /// A bit for each message, in the order in which they are sent.
    pub(super) lost: u8,
}

impl Choice {
    /// The choices that differ in what is lost, of a thing that sends so many messages; at most
    /// so many may be lost.
    pub(super) fn losing(what: Move, sent: u8, losses_left: u8) -> impl Iterator<Item = Self> {
        (1_u8..1 << sent)
            .filter(move |lost| lost.count_ones() <= losses_left.into())
            .map(move |lost| Self { what, lost })
    }
}
