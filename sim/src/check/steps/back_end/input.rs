//! The inputs of Locket under exploration.

use crate::protocol::message::Method;

/// An input of Locket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Input {
    /// An answer of the database arrives at a process: which of those on their way to it, in the
    /// order in which they were asked for.
    Answer { process: u8, rank: u8 },
    /// A transaction that holds its row commits: which of those that its process has at the database.
    Commit { process: u8, rank: u8, reception: Reception },
    /// A process ends: it crashes, or has drained.
    Crash(u8),
    /// The database crashes, and refuses the queries that wait there.
    CrashDatabase,
    /// An operator deletes the row.
    DeleteRow,
    /// A process begins to drain: it accepts no connection.
    Drain(u8),
    /// The table removes what has expired.
    Expire,
    /// The database fails over to a replica that lacks its last commits.
    FailOver(u8),
    /// A process drops a call that its client has given up, by its place among its questions.
    Forget { process: u8, place: u8 },
    /// A process gives up on a question to the database, by its place among those it waits for.
    GiveUp { process: u8, place: u8 },
    /// A transaction gets its row: which of those that its process has at the database.
    Grant { process: u8, rank: u8 },
    /// A client that is not in the search has the row from now on, or has it no longer.
    Others { has_row: bool },
    /// Time passes, in milliseconds.
    Pass(u32),
    /// A process polls.
    Poll(u8, Reception),
    /// A call arrives.
    Request {
        process: u8,
        client: u8,
        method: Method,
        /// Tells the calls of a client apart that a process waits for.
        tag: u8,
        reception: Reception,
    },
    /// The database stalls.
    Stall,
    /// The database does not stall any more: the queries that wait there are answered.
    StallEnds(Reception),
    /// The first of the queries that wait at a stalled database is answered; without one the stall is
    /// over.
    StallEndsByOne(Reception),
    /// A query that has travelled arrives at the database: which of those of its process.
    Query { process: u8, rank: u8, reception: Reception },
    /// A process starts.
    Start(u8),
    /// The database is up again.
    StartDatabase,
    /// A process's timers fire.
    Timer(u8, Reception),
}

/// The path of a process's transactions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct Reception {
    pub(in crate::check) way: Way,
    /// The transactions whose answers are lost: a bit for each, in their order.
    pub(in crate::check) lost: u16,
}

impl Input {
    /// The path of the transactions that follow of it. Of an input without them, answers travel: those
    /// of a database that crashes.
    pub(super) fn reception(self) -> Reception {
        let (Self::Commit { reception, .. }
        | Self::Poll(_, reception)
        | Self::Query { reception, .. }
        | Self::Request { reception, .. }
        | Self::StallEnds(reception)
        | Self::StallEndsByOne(reception)
        | Self::Timer(_, reception)) = self
        else {
            return Reception::default();
        };
        reception
    }
}

/// Where a query takes no time, it arrives when it is sent: an event in between could as well come
/// before the input that caused the query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::check) enum Way {
    /// The answer arrives at once.
    Answered,
    /// The answer travels.
    #[default]
    AnswerTravels,
    /// The query travels.
    QueryTravels,
}
