//! The simulated environment: clients, Locket processes and a database on a network with
//! faults, each node with a clock of its own.
//!
//! A [`World`] is a value: it can be cloned, and the clone goes on by itself. It does one thing
//! at a time, [`World::step`], in order of time. Whenever it could go two ways it asks
//! [`Choices`](choice::Choices), and whatever happens it tells an
//! [`Observer`](event::Observer). So it knows neither scenarios nor traces, and decides nothing.
//!
//! Client runners and Locket processes are the machines of [`protocol`](crate::protocol), the same
//! that production runs; they do not know that they are here.

pub mod choice;
pub mod event;
mod event_queue;
mod link;
mod message;
pub mod network;
mod node;

mod around;
mod batch;
mod client;
mod database;
mod direct;
pub(crate) mod enabled;
mod end;
mod end_faults;
mod fault;
pub(crate) mod pending;
mod process;
mod renewals;
#[cfg(test)]
mod row_queue_tests;
mod step;
pub mod view;

use slotmap::SlotMap;

use crate::node::ConnectionKind;
use crate::node::back_end::BackEnd;
use crate::node::client::{ClientNode, ClientOutput};
use crate::node::clock::NodeClock;
use crate::node::database::{Database, DatabaseOutput};
use crate::node::locket_process::ProcessOutput;
use crate::protocol::id_source::IdSource;
use crate::protocol::lock_table::LockTable;
use crate::protocol::profile::Profile;
use crate::protocol::row::Row;
use crate::protocol::runner::{Runner, SharedSettings};
use crate::protocol::server::Server;
use crate::time::Time;
use event::{EventId, WorldEvent};
use event_queue::EventQueue;
use message::{Message, MessageId};
use network::{LinkRule, Network, NodeId};
use node::{Client, DatabaseServer, Locket, NodeState};

pub(crate) use database::TRANSACTION;
pub(crate) use direct::STEPS_MAX as FAST_STEPS_MAX;
pub use step::Step;

/// The database's number.
pub const DATABASE: NodeId = NodeId(0);

/// The most nodes of a world: a million, so that a list of them fits in memory.
pub const NODES_MAX: usize = 1_000_000;

/// The settings of a world.
#[derive(Clone, Debug, Default)]
pub struct WorldSettings {
    /// Which Locket it is.
    pub profile: Profile,
    /// Where modified ids and request ids come from.
    pub seed: u64,
    /// How many Locket processes there are.
    pub processes: usize,
    /// Who takes part.
    pub clients: Vec<ClientSettings>,
    /// The rules of links.
    pub network: Network,
    /// How many commits a failover can lose; each costs a copy of the table at every commit.
    pub lost_commits: usize,
    /// How many of a thousand answers to commits are lost on their way to the process.
    pub reply_loss_per_mille: u32,
    /// How long a transaction holds its row, from its statement until it commits. Other transactions
    /// on the key wait behind it.
    pub transaction_time: LinkRule,
}

/// A client at the start.
#[derive(Clone, Debug, Default)]
pub struct ClientSettings {
    /// Its runner; `None` for a client that is driven by hand.
    pub runner: Option<SharedSettings>,
    /// The Locket process that it calls first, and as long as that connection lives.
    pub prefers: usize,
    /// How it connects.
    pub connection: ConnectionKind,
    /// Its clock.
    pub clock: NodeClock,
}

/// The world. See the [module](self).
#[derive(Clone, Debug)]
pub struct World {
    now: Time,
    queue: EventQueue<Due>,
    /// Messages on their way.
    messages: SlotMap<MessageId, Message>,
    network: Network,
    clients: Vec<Client>,
    back_end: BackEnd,
    lockets: Vec<Locket>,
    database: DatabaseServer,
    request_ids: IdSource,
    next_event: u64,
    /// The questions that processes have asked the database at this instant.
    asked: Vec<(Number, u64)>,
    /// Lent to machines for what they give out, and empty in between.
    client_outputs: Vec<ClientOutput>,
    database_outputs: Vec<DatabaseOutput>,
    process_outputs: Vec<ProcessOutput>,
    /// The last instant, and how often more than one thing was due at it.
    ties: (Time, u32),
}

/// A client or a process by its index, where many are kept.
type Number = u32;

/// The index as it is kept.
fn number(index: usize) -> Number {
    Number::try_from(index).expect("a world has fewer nodes than that")
}

/// The index of a process as messages have it.
fn process_number(index: usize) -> u16 {
    u16::try_from(index).expect("a world has fewer processes than that")
}

/// Something that happens at its time, in the order in which things of one instant happen by
/// default. Thousands wait in the queue and move about, so it is small: 16 bytes.
#[derive(Clone, Copy, Debug)]
enum Due {
    /// Rows expire in the table.
    TableExpiry,
    /// A process's timers fire.
    ProcessTimer(Number),
    /// A process polls.
    ProcessPoll(Number),
    /// Changes of links end.
    LinkChangesEnd,
    /// The database goes on after a stall.
    StallEnds,
    /// The transaction of a process that holds a row commits.
    Commit { process: Number, token: u64 },
    /// The transaction of a process gets the row that it has waited for, if none holds that.
    Grant { process: Number, token: u64 },
    /// A transaction has taken too long for a process.
    OperationTimeout { process: Number, token: u64 },
    /// A message arrives.
    Arrival(MessageId),
    /// A paused node goes on.
    Wake {
        node: NodeId,
        /// Which of its pauses ends.
        pause: u32,
    },
    /// A client looks whether its connection lives.
    Keepalive(Number),
    /// A client's runner has something to do.
    ClientTimer(Number),
}

/// Another stream of the same seed than that of modified ids.
const fn request_ids(seed: u64) -> IdSource {
    IdSource::new(seed ^ 0x5eed_0000_0000_0000)
}

/// The nodes.
impl World {
    /// A world at time zero, in which nothing has happened.
    pub fn new(settings: WorldSettings) -> Self {
        let processes = settings.processes.max(1);
        let clients = settings.clients.len();
        assert!(processes + clients < NODES_MAX, "the caller has checked how many nodes there are");
        let database = Database::new(settings.profile, settings.seed, settings.lost_commits)
            .with_transaction_time(settings.transaction_time.latency_max);
        // Chance decides in steps of messages everywhere.
        let grain = settings.network.rule(DATABASE, DATABASE).latency_step;
        let mut world = Self {
            now: Time::ZERO,
            queue: EventQueue::new(),
            messages: SlotMap::default(),
            network: settings.network,
            clients: settings
                .clients
                .into_iter()
                .enumerate()
                .map(|(index, client)| Client {
                    state: NodeState::new(NodeId(number(1 + processes + index)), client.clock),
                    machine: ClientNode::new(
                        client.runner,
                        process_number(client.prefers.min(processes - 1)),
                        client.connection.back_off(grain),
                    ),
                    keepalive: None,
                    known: None,
                })
                .collect(),
            back_end: BackEnd::new(settings.profile, database, processes),
            lockets: (0..processes)
                .map(|index| Locket {
                    state: NodeState::new(NodeId(number(1 + index)), NodeClock::default()),
                    overdue: Vec::new(),
                    starts_later: false,
                })
                .collect(),
            database: DatabaseServer {
                state: NodeState::new(DATABASE, NodeClock::default()),
                stalled_until: Time::ZERO,
                waiting: Vec::new(),
                transaction_time: settings.transaction_time,
                transaction_time_for_now: None,
                held: 0,
                reply_loss_per_mille: settings.reply_loss_per_mille,
                commits: 0,
            },
            request_ids: request_ids(settings.seed),
            next_event: 0,
            asked: Vec::new(),
            client_outputs: Vec::new(),
            database_outputs: Vec::new(),
            process_outputs: Vec::new(),
            ties: (Time::ZERO, 0),
        };
        for process in 0..world.lockets.len() {
            world.schedule_poll(process);
        }
        world
    }

    /// Replaces the seed of a world in which nothing has happened.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.request_ids = request_ids(seed);
        self.back_end.database.reseed(seed);
    }

    /// The world's time.
    pub const fn now(&self) -> Time {
        self.now
    }

    /// When the next thing happens.
    pub fn next_time(&self) -> Option<Time> {
        self.queue.next_time()
    }

    /// The node of a Locket process.
    pub fn process(&self, process: usize) -> NodeId {
        self.lockets[process].state.id
    }

    /// The node of a client.
    pub fn client(&self, client: usize) -> NodeId {
        self.clients[client].state.id
    }

    /// How many clients there are.
    pub const fn clients(&self) -> usize {
        self.clients.len()
    }

    /// How many Locket processes there are.
    pub const fn processes(&self) -> usize {
        self.lockets.len()
    }

    /// The links.
    pub const fn network(&mut self) -> &mut Network {
        &mut self.network
    }

    /// The truth: the rows of the table, by key.
    pub fn rows(&self) -> Vec<Row> {
        self.back_end.database.table().rows()
    }

    /// The table of a world that has ended.
    pub(crate) fn into_table(self) -> LockTable {
        self.back_end.database.into_table()
    }

    /// The truth about one key.
    pub fn row(&self, key: &str) -> Option<Row> {
        self.back_end.database.table().row(key)
    }

    /// True if a key has a row with an owner.
    pub(crate) fn is_owned(&self, key: &str) -> bool {
        self.back_end.database.table().is_owned(key)
    }

    /// True if a client believes it holds its lock. A client that is down believes nothing; a
    /// paused client keeps its belief, by its clock.
    pub fn believes_held(&self, client: usize) -> bool {
        let node = &self.clients[client];
        let local = node.state.local(self.now);
        node.machine.believes_held(local)
    }

    /// True if a client believes so and runs: a paused client does not act.
    pub fn acts(&self, client: usize) -> bool {
        self.believes_held(client) && self.clients[client].state.pause.is_none()
    }

    /// When a client's belief ends by its own clock without another event; never while that clock
    /// is frozen.
    pub fn belief_ends(&self, client: usize) -> Time {
        let node = &self.clients[client];
        if node.state.suspended_since().is_some() {
            return Time::MAX;
        }
        let ends = node.machine.runner().and_then(Runner::lease_ends);
        ends.map_or(Time::MAX, |local| node.state.clock.world(local))
    }

    /// A client's runner, while there is one.
    pub fn runner(&self, client: usize) -> Option<&Runner> {
        self.clients[client].machine.runner()
    }

    /// A Locket process's server, while it runs.
    pub fn server(&self, process: usize) -> Option<&Server> {
        self.back_end.processes[process].server()
    }

    /// Lets time pass to `time`, or to the next thing that happens if that comes first.
    pub fn pass_to(&mut self, time: Time) {
        let next = self.next_time().unwrap_or(Time::MAX);
        self.now = self.now.max(time.min(next));
    }

    /// Lets a message arrive at `time`, whatever the network thinks of it.
    fn schedule_arrival(&mut self, time: Time, message: Message) {
        let message = self.messages.insert(message);
        self.queue.schedule(time, Due::Arrival(message));
    }

    /// A new event at a node, about nothing yet.
    fn new_event(&mut self, node: NodeId, cause: Option<EventId>) -> WorldEvent<()> {
        let id = EventId(self.next_event);
        self.next_event += 1;
        self.node_mut(node).last_event = Some(id);
        WorldEvent { id, time: self.now, node, cause, what: () }
    }
}
