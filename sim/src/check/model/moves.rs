//! The ways on from a state.

use super::state::Ways;

/// One thing that can happen. Clients, processes and messages are named by their place in the
/// state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Move {
    /// A client crashes.
    Crash(u8),
    /// A Locket process crashes.
    CrashLocket(u8),
    /// The link between a client and a process is cut.
    Cut { client: u8, process: u8, ways: Ways },
    /// A message arrives.
    Deliver(u8),
    /// A Locket process begins to drain.
    DrainLocket(u8),
    /// An operator deletes the row.
    Evict,
    /// The table removes what has expired.
    Expire,
    /// The database fails over.
    FailOver,
    /// A cut link, by its place, passes messages again.
    Heal(u8),
    /// A call that has waited for a connection leaves.
    Leave(u8),
    /// A process gives up on a call whose answer from the database was lost.
    GiveUpOn(u8),
    /// A process gives up on a question to the database, by its place among those it waits for.
    GiveUp { process: u8, place: u8 },
    /// An answer of the database arrives at its process.
    Internal(u8),
    /// A request arrives, and the database's answer to it is lost.
    LoseAnswer(u8),
    /// Nothing happens for some units of time.
    Pass(u16),
    /// A client is paused.
    Pause(u8),
    /// A Locket process is paused.
    PauseLocket(u8),
    /// A client finds out whether its ping is answered.
    Ping(u8),
    /// A process polls.
    Poll(u8),
    /// A process's timers fire.
    ProcessTimer(u8),
    /// A client that is down or has ended starts again.
    Restart(u8),
    /// The database stalls from here on.
    Stall,
    /// The database goes on. Of the transactions that waited, in their order, the answers to those
    /// with a bit here are lost.
    StallEnds(u16),
    /// A client starts.
    Start(u8),
    /// A process starts.
    StartLocket(u8),
    /// A client receives the stop signal.
    Stop(u8),
    /// A client does what is due.
    Timer(u8),
    /// A paused client resumes.
    Wake(u8),
    /// A paused Locket process resumes.
    WakeLocket(u8),
}

/// A thing that happens, and what becomes of the messages that it sends: a bit for each, in the
/// order in which they are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct Fates {
    /// Those that are lost.
    pub(in crate::check) lost: u8,
    /// Those that arrive twice.
    pub(in crate::check) twice: u8,
}

impl Fates {
    /// All fates but the usual one of a thing that sends so many messages, if at most so many may
    /// be lost and arrive twice.
    pub(in crate::check) fn others(
        sent: u8,
        lost_messages: u8,
        duplicates: u8,
    ) -> impl Iterator<Item = Self> {
        let all = 0_u8..1 << sent;
        let pairs = all.clone().flat_map(move |lost| {
            let twice = all.clone().filter(move |twice| twice & lost == 0);
            twice.map(move |twice| Self { lost, twice })
        });
        pairs.skip(1).filter(move |it| {
            it.lost.count_ones() <= lost_messages.into()
                && it.twice.count_ones() <= duplicates.into()
        })
    }
}
