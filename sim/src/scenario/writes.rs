//! The writes to the storage of a run: those that it took or refused, and those under way.
//!
//! Knows who holds what from the rows, and who acts from the world; decides nothing about them.

use super::storage::{Guard, Storage};
use super::{ActionKind, Cast};
use crate::environment::rules::Environment as _;
use crate::protocol::runner::CallId;
use crate::time::{Duration, Time};
use crate::trace::{Recorder, RowChanges, Stored};
use crate::world::World;
use crate::world::network::NodeId;
use crate::world::view::NodeStatus;

/// A storage with its writers.
#[derive(Clone, Debug)]
pub(super) struct Writes {
    storage: Storage,
    keys: Vec<Kept>,
    /// By client.
    writers: Vec<Writer>,
    under_way: Vec<UnderWay>,
    touched: Vec<usize>,
    /// Those that will arrive, and are not planned yet.
    arriving: Vec<(Time, u64)>,
    sent: u64,
    pub(super) counts: WriteCounts,
}

/// How many writes reached a storage, and how many of them it took that were wrong, and refused that
/// were right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WriteCounts {
    pub(super) arrived: u32,
    pub(crate) wrong: u32,
    pub(crate) refused: u32,
}

/// When a client came to hold a key: later holders have larger ones. The first number counts the
/// holders of the row, the second the lives of the client.
type Term = (u64, u32);

/// The part of a storage that is about one key.
#[derive(Clone, Debug)]
struct Kept {
    key: String,
    last_owner: Option<String>,
    holders: u64,
    /// The latest holder that has written, and which client it is.
    begun: Option<(Term, usize)>,
    /// The highest index of a write.
    index: i64,
    /// The newest token.
    token: u64,
}

#[derive(Clone, Debug)]
struct Writer {
    /// The number of its key.
    key: usize,
    owner: String,
    node: NodeId,
    holder: u64,
    /// The index that its row has, or had last.
    index: i64,
    /// The life that the rest is about.
    life: u32,
    has_asked: bool,
    token: Option<Token>,
    /// The call under way, and whether it was sent after the token had come.
    call: Option<(CallId, bool)>,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    number: u64,
    /// True if a renewal has succeeded that was sent after it had come.
    is_renewed: bool,
}

#[derive(Clone, Copy, Debug)]
struct UnderWay {
    number: u64,
    client: usize,
    what: Sent,
    life: u32,
    takes: Duration,
    /// True if its client was paused before it was sent.
    is_held: bool,
}

#[derive(Clone, Copy, Debug)]
enum Sent {
    TokenRequest,
    Write { term: Term, index: i64, token: u64 },
}

impl Writes {
    /// The storage of a scenario, if it has one.
    pub(super) fn new(cast: &Cast) -> Option<Self> {
        let scenario = &cast.scenario;
        let storage = scenario.storage?;
        let writers = scenario.clients.iter().enumerate().map(|(index, client)| Writer {
            key: cast.by_key.place(&client.key).expect("the keys of all clients are there"),
            owner: client.owner().to_owned(),
            node: NodeId((1 + scenario.processes + index) as u32),
            holder: 0,
            index: 0,
            life: 0,
            has_asked: false,
            token: None,
            call: None,
        });
        Some(Self {
            storage,
            writers: writers.collect(),
            keys: cast
                .by_key
                .texts()
                .map(|key| Kept {
                    key: key.to_owned(),
                    last_owner: None,
                    holders: 0,
                    begun: None,
                    index: 0,
                    token: 0,
                })
                .collect(),
            under_way: Vec::new(),
            touched: Vec::new(),
            arriving: Vec::new(),
            sent: 0,
            counts: WriteCounts::default(),
        })
    }

    /// Those that will arrive, since the last call, and when.
    pub(super) fn take_arriving(&mut self) -> impl Iterator<Item = (Time, u64)> {
        self.arriving.drain(..)
    }

    /// Looks at rows that have changed.
    pub(super) fn update_rows(&mut self, changes: &RowChanges, world: &World) {
        for (key, kept) in self.keys.iter_mut().enumerate() {
            let has_changed =
                changes.are_all || changes.keys.iter().any(|path| **path == *kept.key);
            let row = has_changed.then(|| world.row(&kept.key)).flatten();
            let Some((owner, index)) = row.and_then(|row| Some((row.owner?, row.modified_index?)))
            else {
                continue;
            };
            let is_another = kept.last_owner.as_ref() != Some(&owner);
            kept.holders += u64::from(is_another);
            let writers = self.writers.iter_mut();
            for writer in writers.filter(|it| it.key == key && it.owner == owner) {
                writer.holder = kept.holders;
                writer.index = index;
            }
            kept.last_owner = Some(owner);
        }
    }

    /// Something has happened to a client, which is looked at next.
    pub(super) fn touch(&mut self, client: usize) {
        self.touched.push(client);
    }

    /// Looks at the clients to which something has happened.
    pub(super) fn update_touched(&mut self, world: &World, recorder: &Recorder) {
        for client in std::mem::take(&mut self.touched) {
            self.update(client, world, recorder);
        }
    }

    /// Looks at one. Its writes that a pause has held up leave as that ends.
    fn update(&mut self, client: usize, world: &World, recorder: &Recorder) {
        let node = world.client_node(client);
        let (life, call) = (node.life(), node.call().map(|(call, _)| call));
        let writer = &mut self.writers[client];
        if writer.life != life {
            (writer.life, writer.has_asked) = (life, false);
            (writer.token, writer.call) = (None, None);
        }
        let was_sent_after = writer.call.is_some_and(|(_, is_after)| is_after);
        if let Some(token) = writer.token.as_mut() {
            token.is_renewed |= was_sent_after && recorder.has_renewed(writer.node);
        }
        if writer.call.map(|(call, _)| call) != call {
            let has_token = writer.token.is_some();
            writer.call = call.map(|call| (call, has_token));
        }
        let is_paused = matches!(world.status(writer.node), NodeStatus::Paused { .. });
        if is_paused {
            return;
        }
        self.under_way.retain(|it| it.client != client || !it.is_held || it.life == life);
        for held in &mut self.under_way {
            if held.client == client && held.is_held {
                held.is_held = false;
                self.arriving.push((world.now() + held.takes, held.number));
            }
        }
    }

    /// Does an action of a client: it writes, asks for a token, or what it has sent arrives.
    pub(super) fn perform(
        &mut self,
        (kind, client): (ActionKind, usize),
        takes: Option<Duration>,
        world: &World,
        recorder: &mut Recorder,
    ) {
        if kind == ActionKind::Arrive {
            let mut under_way = self.under_way.iter();
            let first = under_way.find(|it| it.client == client && !it.is_held);
            if let Some(number) = first.map(|it| it.number) {
                self.arrive(number, world, recorder);
            }
            return;
        }
        let takes = takes.unwrap_or(self.storage.write_latency);
        self.decide(client, kind == ActionKind::TakeToken, takes, world, recorder);
    }

    /// Every client that acts decides on a write, or asks for the token that it takes.
    pub(super) fn write_all(&mut self, world: &World, recorder: &mut Recorder) {
        for client in 0..self.writers.len() {
            let writer = &self.writers[client];
            let asks = self.storage.guard.has_tokens() && !writer.has_asked;
            let may_write = asks || self.token_of(writer).is_some();
            if may_write && world.acts(client) {
                let takes = self.storage.write_latency;
                self.decide(client, asks, takes, world, recorder);
            }
        }
    }

    /// The token that a client may use: 0 where it needs none, none where it has none.
    fn token_of(&self, writer: &Writer) -> Option<u64> {
        let token = writer.token.as_ref();
        match self.storage.guard {
            Guard::ModifiedIndex | Guard::None | Guard::Owner => Some(0),
            Guard::RenewedToken => token.filter(|it| it.is_renewed).map(|it| it.number),
            Guard::Token => token.map(|it| it.number),
        }
    }

    /// A client that acts decides on a write, or asks for a token. If a pause has begun at this very
    /// instant, it had decided before, and what it sends leaves as the pause ends.
    fn decide(
        &mut self,
        client: usize,
        asks: bool,
        takes: Duration,
        world: &World,
        recorder: &mut Recorder,
    ) {
        let writer = &self.writers[client];
        let now = world.now();
        let is_held =
            matches!(world.status(writer.node), NodeStatus::Paused { since, .. } if since == now);
        let decides = world.acts(client) || is_held && world.believes_held(client);
        let (node, life) = (writer.node, writer.life);
        let token = self.token_of(writer).filter(|_| decides);
        let what = match token {
            _ if asks && decides => Some((Sent::TokenRequest, Stored::Asks)),
            Some(token) if !asks => {
                let term = (writer.holder, life);
                let index = writer.index;
                Some((Sent::Write { term, index, token }, Stored::Writes { is_held }))
            }
            _ => None,
        };
        let Some((what, event)) = what else {
            return recorder.store(now, node, Stored::Idle);
        };
        recorder.store(now, node, event);
        self.sent += 1;
        let number = self.sent;
        self.under_way.push(UnderWay { number, client, what, life, takes, is_held });
        self.writers[client].has_asked |= asks;
        if takes == Duration::ZERO && !is_held {
            self.arrive(number, world, recorder);
        } else if !is_held {
            self.arriving.push((now + takes, number));
        }
    }

    /// Something that is under way arrives, unless it has.
    pub(super) fn arrive(&mut self, number: u64, world: &World, recorder: &mut Recorder) {
        let place = self.under_way.iter().position(|it| it.number == number);
        let Some(arrived) = place.map(|place| self.under_way.remove(place)) else {
            return;
        };
        let client = arrived.client;
        let writer = &mut self.writers[client];
        let kept = &mut self.keys[writer.key];
        let event = match arrived.what {
            Sent::TokenRequest => {
                kept.token += 1;
                if arrived.life == writer.life && world.believes_held(client) {
                    writer.token = Some(Token { number: kept.token, is_renewed: false });
                }
                Stored::Token(kept.token)
            }
            Sent::Write { term, index, token } => {
                let is_taken = match self.storage.guard {
                    Guard::ModifiedIndex => index >= kept.index,
                    Guard::None => true,
                    Guard::Owner => {
                        let owner = world.row(&kept.key).and_then(|row| row.owner);
                        owner.as_ref() == Some(&writer.owner)
                    }
                    Guard::RenewedToken | Guard::Token => token == kept.token,
                };
                let later = kept.begun.filter(|(begun, _)| *begun > term);
                if is_taken {
                    kept.index = kept.index.max(index);
                    kept.begun = kept.begun.max(Some((term, client)));
                }
                let after = later.map(|(_, client)| client);
                self.counts.note(is_taken, after.is_some());
                let after = after.map(|it| self.writers[it].node);
                Stored::Arrives { is_taken, after }
            }
        };
        recorder.store(world.now(), self.writers[client].node, event);
    }
}

impl WriteCounts {
    const fn note(&mut self, is_taken: bool, is_late: bool) {
        self.arrived += 1;
        match (is_taken, is_late) {
            (true, true) => self.wrong += 1,
            (false, false) => self.refused += 1,
            (true, false) | (false, true) => {}
        }
    }
}
