//! The inputs of Locket under exploration.

use crate::protocol::message::Method;

/// An input of Locket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Input {
    /// An answer of the database arrives at a process: which of those on their way to it, in the
    /// order in which they were asked for.
    Answer { process: u8, rank: u8 },
    /// A process ends: it crashes, or has drained.
    Crash(u8),
    /// An operator deletes the row of a key.
    DeleteRow(u8),
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
    /// Time passes, in milliseconds.
    Pass(u32),
    /// A process polls.
    Poll(u8, Reception),
    /// A call arrives.
    Request {
        process: u8,
        client: u8,
        key: u8,
        method: Method,
        /// Tells the calls of a client apart that a process waits for.
        tag: u8,
        reception: Reception,
    },
    /// The database does not stall any more, or crashes: the queries that wait there are answered.
    StallEnds(Reception),
    /// A query that has travelled arrives at the database: which of those of its process.
    Query {
        process: u8,
        rank: u8,
        reception: Reception,
    },
    /// A process starts.
    Start(u8),
    /// A process's timers fire.
    Timer(u8, Reception),
}

/// The path of a process's transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Reception {
    pub(in crate::check) way: Way,
    /// Whether the database is down, so that it refuses them.
    pub(in crate::check) is_refused: bool,
    /// The transactions whose answers are lost: a bit for each, in their order.
    pub(in crate::check) lost: u16,
}

/// Where a query takes no time, it arrives when it is sent: an event in between could as well come
/// before the input that caused the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Way {
    /// The answer arrives at once.
    Answered,
    /// The answer travels.
    AnswerTravels,
    /// The query travels.
    QueryTravels,
    /// The database stalls: the query waits.
    Waits,
}
