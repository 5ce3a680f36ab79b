//! What may happen by itself, and the nodes that it happens to. Its name says nothing about when it
//! happens, and does not depend on what else may.
//!
//! Clients and processes go by their numbers. Those of a world with more than a question can have
//! are not named.

/// A node that may crash, pause and start. Names have small numbers, and places in lists others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node<N = u8> {
    Client(N),
    Database,
    Locket(N),
}

impl<N> Node<N> {
    /// The same node with another kind of number, if that reaches so far.
    pub(crate) fn numbered<M: TryFrom<N>>(self) -> Option<Node<M>> {
        let number = |it| M::try_from(it).ok();
        Some(match self {
            Self::Client(it) => Node::Client(number(it)?),
            Self::Database => Node::Database,
            Self::Locket(it) => Node::Locket(number(it)?),
        })
    }
}

impl Node {
    /// Its place among those of its kind.
    pub(crate) fn place(self) -> Node<usize> {
        match self {
            Self::Client(it) => Node::Client(it.into()),
            Self::Database => Node::Database,
            Self::Locket(it) => Node::Locket(it.into()),
        }
    }
}

/// Which directions of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Directions {
    Both,
    FromLocket,
    ToLocket,
}

impl Directions {
    pub(crate) const ALL: [Self; 3] = [Self::Both, Self::FromLocket, Self::ToLocket];
}

/// How a process waits for the database. A search drops the waits that mean nothing, which a world
/// has still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// For an answer that comes, or for the sake of a client.
    Meant,
    /// For the lost answer to a deletion.
    LostDeletion,
    /// For the lost answer to a call that its client does not wait for.
    Unheard,
}

/// Something that happens by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due<M> {
    /// An answer of the database arrives at a process: which of those on their way to it, in the
    /// order in which they were asked for.
    Answer {
        process: u8,
        rank: u8,
    },
    /// A message between a client and a process arrives.
    Arrive(M),
    /// A client's call that has waited for a connection leaves.
    CallLeaves(u8),
    /// A transaction of a process that holds its row commits: which of those that the process has at
    /// the database, in the order in which they were asked.
    Commit {
        process: u8,
        rank: u8,
    },
    /// The table removes what has expired.
    Expire,
    /// A client's own connection tells it that there is no process.
    FailLocally(u8),
    /// A process gives up on a question to the database: which of those it waits for, in the order
    /// in which it asked, of those of the same kind.
    GiveUp {
        process: u8,
        place: u8,
        wait: Wait,
    },
    /// A transaction of a process gets the row that it has waited for: which of those that the process
    /// has at the database, in the order in which they were asked.
    Grant {
        process: u8,
        rank: u8,
    },
    /// Other clients do something.
    Others(Others),
    /// A client finds out whether its ping is answered.
    Ping(u8),
    Poll(u8),
    /// The timers of a process fire.
    ProcessTimer(u8),
    /// A query of a process arrives at the database: which of those on their way, in the order in
    /// which they were asked.
    Query {
        process: u8,
        rank: u8,
    },
    /// The database does not stall any more.
    StallEnds,
    /// A client starts for the first time.
    Start(u8),
    /// A client does what is due.
    Timer(u8),
    /// A pause ends.
    Wake(Node),
}

/// The effects of other clients that one client can notice, however many they are. Only a search
/// of one client among any number of others has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
    /// A process that drains has answered the last of their calls.
    EndCalls { process: u8 },
    /// The row of one of them is deleted: released, expired or by an operator.
    Drop,
    /// The row of the client in the search is deleted by the timer of a process: of any process that
    /// there may be, whenever that has registered the row.
    Expire,
    /// One of them renews its row: a commit that a failover can lose.
    Renew,
    /// One of them takes the key, which has no row.
    Take,
}

impl<M> Due<M> {
    /// The same thing, with another name of its message, if that has one.
    pub(crate) fn renamed<N>(self, name: impl FnOnce(M) -> Option<N>) -> Option<Due<N>> {
        Some(match self {
            Self::Answer { process, rank } => Due::Answer { process, rank },
            Self::Arrive(message) => Due::Arrive(name(message)?),
            Self::CallLeaves(client) => Due::CallLeaves(client),
            Self::Commit { process, rank } => Due::Commit { process, rank },
            Self::Expire => Due::Expire,
            Self::FailLocally(client) => Due::FailLocally(client),
            Self::GiveUp { process, place, wait } => Due::GiveUp { process, place, wait },
            Self::Grant { process, rank } => Due::Grant { process, rank },
            Self::Others(what) => Due::Others(what),
            Self::Ping(client) => Due::Ping(client),
            Self::Poll(process) => Due::Poll(process),
            Self::ProcessTimer(process) => Due::ProcessTimer(process),
            Self::Query { process, rank } => Due::Query { process, rank },
            Self::StallEnds => Due::StallEnds,
            Self::Start(client) => Due::Start(client),
            Self::Timer(client) => Due::Timer(client),
            Self::Wake(node) => Due::Wake(node),
        })
    }
}
