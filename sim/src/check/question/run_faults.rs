//! The faults of a run as bounds: how many there are of each, and the longest; and what no search
//! tries.
//!
//! A bound allows at least as much as the run has: a fault without an effect counts, and a length is
//! rounded up to a step in which a search is quick.

use super::bounds::Bounds;
use super::count::Count;
use super::faults::{Fault, On};
use super::limits::{FAULT_COUNT_MAX, TIME_MAX};
use super::outside::Outside;
use crate::amounts::Seconds;
use crate::protocol::profile::NilResource;
use crate::scenario::nodes::{Node, Nodes};
use crate::scenario::{Action, ActionKind, Scenario, Share};
use crate::time::{Duration, Time};
use crate::world::event::Flight;

/// The actions of a run.
pub(super) struct Actions<'a> {
    pub(super) scenario: &'a Scenario,
    nodes: Nodes,
    actions: Vec<Action>,
    end: Time,
}

impl<'a> Actions<'a> {
    pub(super) fn new(scenario: &'a Scenario, actions: Vec<Action>, end: Time) -> Self {
        let last = actions.iter().map(|it| Time::ZERO + it.at).max();
        let end = end.max(last.unwrap_or_default());
        Self { scenario, nodes: scenario.nodes(), actions, end }
    }

    /// How long it takes from an action until one that undoes it, or until the end of the run.
    #[inline(never)]
    pub(super) fn until_undone(
        &self,
        action: &Action,
        undoes: impl Fn(&Action) -> bool,
    ) -> Duration {
        let later = self.actions.iter().filter(|it| it.at >= action.at && undoes(it));
        let undone = later.map(|it| Time::ZERO + it.at).min();
        undone.unwrap_or(self.end).since(Time::ZERO + action.at)
    }
}

/// The bounds, and the parts of the run outside of all bounds. The messages of the run show what
/// chance and the user of a simulation decided; without them the scenario alone is asked.
pub(super) fn bounds(
    actions: &Actions<'_>,
    members: &[usize],
    flights: Option<&[Flight]>,
) -> (Bounds, Vec<Outside>) {
    let mut faults = Tally {
        run: actions,
        members,
        is_planned: flights.is_none(),
        bounds: Bounds::default(),
        cuts: Vec::new(),
        outside: Vec::new(),
    };
    for action in &actions.actions {
        faults.note(action);
    }
    let time = actions.scenario.database.transaction_time;
    faults.last(|it| &mut it.transaction_time, time.max);
    match flights {
        None => faults.note_rules(),
        Some(flights) => faults.note_flights(flights),
    }
    (faults.bounds, faults.outside)
}

/// The faults that were counted so far.
pub(super) struct Tally<'a> {
    pub(super) run: &'a Actions<'a>,
    /// The clients of the question.
    pub(super) members: &'a [usize],
    /// True if messages are lost and late as the scenario says, and not as they were in a run.
    pub(super) is_planned: bool,
    pub(super) bounds: Bounds,
    /// The cut links with their times; messages on them do not count as lost.
    pub(super) cuts: Vec<(Node, Node, Time, Time)>,
    pub(super) outside: Vec<Outside>,
}

// The small methods are not inlined, which would make the module of the package larger.

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the first match lists all actions, and the others look at some of them"
)]
impl Tally<'_> {
    fn note(&mut self, action: &Action) {
        let times = action.repetitions();
        match action.kind {
            ActionKind::Cut
            | ActionKind::LoseMessages
            | ActionKind::SetLatency
            | ActionKind::SetLoss => {
                self.note_links(action, times);
            }
            ActionKind::DeleteRow => {
                let rows = u64::from(self.is_of_its_key(action));
                self.count(Fault::RowDeletion, rows * times);
            }
            ActionKind::DropTable => self.never("a dropped table"),
            ActionKind::FailOver => {
                let lost = action.lost_commits.unwrap_or(1).min(u8::MAX.into()) as u8;
                let bound = &mut self.bounds.faults[Fault::Failover];
                bound.lost_commits = bound.lost_commits.max(lost);
                self.count(Fault::Failover, times);
            }
            ActionKind::LoseReplies if self.is_planned => {
                let replies = u64::from(action.count.unwrap_or(1));
                self.count(Fault::LostReply, replies * times);
            }
            ActionKind::PutRow if self.is_of_its_key(action) => {
                self.never("a row that an operator writes");
            }
            ActionKind::SetTransactionTime => {
                let time = action.transaction_time.unwrap_or_default();
                self.last(|it| &mut it.transaction_time, time.max);
            }
            ActionKind::Stall => {
                self.note_fault((action.kind, On::Database), Node::Database, action, times);
            }
            ActionKind::Arrive
            | ActionKind::Fetch
            | ActionKind::FetchAll
            | ActionKind::Heal
            | ActionKind::LoseReplies
            | ActionKind::Note
            | ActionKind::PutRow
            | ActionKind::Resume
            | ActionKind::TakeToken
            | ActionKind::Write => {}
            ActionKind::Crash
            | ActionKind::Disconnect
            | ActionKind::Drain
            | ActionKind::Lock
            | ActionKind::LockWithoutResource
            | ActionKind::Pause
            | ActionKind::Release
            | ActionKind::Restart
            | ActionKind::Start
            | ActionKind::Stop
            | ActionKind::Suspend => {
                for node in self.named(action.node.as_deref()) {
                    match node {
                        Node::Client(client) if self.members.contains(&client) => {
                            self.note_client(client, action, times);
                        }
                        Node::Client(client) => self.note_other(client, action, times),
                        Node::Database => self.note_database(action, times),
                        Node::Process(process) => self.note_process(process, action, times),
                    }
                }
            }
        }
    }

    /// A fault of a client of the question.
    fn note_client(&mut self, client: usize, action: &Action, times: u64) {
        let node = Node::Client(client);
        if action.kind != ActionKind::Restart {
            return self.note_fault((action.kind, On::Client), node, action, times);
        }
        if action.owner.is_some() {
            self.never("a restart with another owner");
        }
        for kind in [ActionKind::Crash, ActionKind::Start] {
            self.note_fault((kind, On::Client), node, action, times);
        }
    }

    /// An action on a node, if it is a fault.
    fn note_fault(
        &mut self,
        (kind, on): (ActionKind, On),
        node: Node,
        action: &Action,
        times: u64,
    ) {
        let Some(fault) = Fault::of_action(kind, on) else {
            return;
        };
        self.count(fault, times);
        if fault.ends_by_start() {
            self.lasts(fault, self.down(action, node));
        } else if fault.lasts() {
            let length = match on {
                On::Client => self.paused_in_a_row(action),
                On::Database | On::Link | On::Locket => self.paused(action),
            };
            self.lasts(fault, length);
        }
    }

    /// An action of a client that is none of the question's.
    fn note_other(&mut self, client: usize, action: &Action, times: u64) {
        let clients = &self.run.scenario.clients;
        let rivals = self.members.iter().map(|&it| clients.at(it));
        let own = clients.at(client);
        // A call of user code names its key, and an action means the client's own.
        let key = action.key.as_ref().unwrap_or(&own.key);
        let is_rival = rivals.clone().any(|it| it.key == *key);
        let owner = action.owner.as_deref().unwrap_or_else(|| own.owner());
        match action.kind {
            ActionKind::Lock if is_rival => {
                let words = format!("a lock that {} takes by hand", own.name);
                self.never(&words);
            }
            ActionKind::LockWithoutResource
                if self.run.scenario.profile.nil_resource == NilResource::Crash =>
            {
                self.count(Fault::LocketCrash, times);
                let down = self.run.end.since(Time::ZERO + action.at);
                self.lasts(Fault::LocketCrash, down);
            }
            // To its runner the row is deleted, as by an operator.
            ActionKind::Release if is_rival && rivals.clone().any(|it| it.owner() == owner) => {
                self.count(Fault::RowDeletion, times);
            }
            _ => {}
        }
    }

    fn note_database(&mut self, action: &Action, times: u64) {
        match action.kind {
            ActionKind::Pause | ActionKind::Suspend => self.never("a pause of the database"),
            kind => self.note_fault((down_by(kind), On::Database), Node::Database, action, times),
        }
    }

    fn note_process(&mut self, process: usize, action: &Action, times: u64) {
        match action.kind {
            ActionKind::Disconnect => {
                let clients = self.members.len() as u64;
                self.count(Fault::Disconnect, clients * times);
            }
            ActionKind::Suspend => self.never("a suspend of a Locket process"),
            kind => {
                let is_drain = kind == ActionKind::Drain;
                if is_drain && process > 0 && !self.drains_before(process - 1, action.at) {
                    self.never("a drain of Locket processes in another order than theirs");
                }
                let node = Node::Process(process);
                self.note_fault((down_by(kind), On::Locket), node, action, times);
            }
        }
    }

    /// True if a process drains at this time or earlier.
    fn drains_before(&self, process: usize, at: Duration) -> bool {
        let mut drains = self.run.actions.iter().filter(|it| it.kind == ActionKind::Drain);
        drains.any(|it| {
            it.at <= at && self.named(it.node.as_deref()).contains(&Node::Process(process))
        })
    }

    /// How long a node is down from this action on.
    fn down(&self, action: &Action, node: Node) -> Duration {
        if action.kind == ActionKind::Restart {
            return Duration::ZERO;
        }
        let starts = |it: &Action| {
            let is_start = matches!(it.kind, ActionKind::Restart | ActionKind::Start);
            is_start && self.named(it.node.as_deref()).contains(&node)
        };
        self.run.until_undone(action, starts)
    }

    /// How long a pause lasts that this action begins.
    fn paused(&self, action: &Action) -> Duration {
        let resumes = |it: &Action| it.kind == ActionKind::Resume && it.node == action.node;
        let length = action.duration;
        length.unwrap_or_else(|| self.run.until_undone(action, resumes))
    }

    /// The same of a client, with the pauses that it follows at once: those are one longer pause.
    fn paused_in_a_row(&self, action: &Action) -> Duration {
        let own = self.paused(action);
        let nodes = self.named(action.node.as_deref());
        let is_same = |it: &&Action| {
            let meets =
                it.at < action.at && (it.last() + self.paused(it)) >= Time::ZERO + action.at;
            let mut its = self.named(it.node.as_deref()).into_iter();
            it.kind == action.kind && meets && its.any(|node| nodes.contains(&node))
        };
        let before = self.run.actions.iter().find(is_same);
        let before = before.map(|it| self.paused_in_a_row(it));
        let times = match action.every.is_some_and(|every| every <= own) {
            true => action.repetitions(),
            false => 1,
        };
        let own = own.as_ms().saturating_mul(times);
        Duration::from_ms(own.saturating_add(before.unwrap_or_default().as_ms()))
    }

    /// Allows this many more, as far as a search counts.
    #[inline(never)]
    pub(super) fn count(&mut self, fault: Fault, more: u64) {
        let count = &mut self.bounds.faults[fault].count;
        let most = u64::from(FAULT_COUNT_MAX);
        let all = u64::from(count.limit().unwrap_or_default()).saturating_add(more);
        *count = Count::UpTo(all.min(most) as u8);
        if all > most {
            let (_, several) = fault.nouns();
            self.never(&format!("more than {most} {several}"));
        }
    }

    /// Allows that a fault lasts so long.
    #[inline(never)]
    pub(super) fn lasts(&mut self, fault: Fault, length: Duration) {
        let length = self.as_searched(length);
        let longest = &mut self.bounds.faults[fault].length;
        *longest = (*longest).max(length);
    }

    /// Allows that a message takes so long.
    pub(super) fn last(&mut self, place: fn(&mut Bounds) -> &mut Duration, length: Duration) {
        let length = self.as_searched(length);
        let place = place(&mut self.bounds);
        *place = (*place).max(length);
    }

    /// A length, as far as a search goes.
    #[inline(never)]
    fn as_searched(&mut self, length: Duration) -> Duration {
        if length > TIME_MAX {
            self.never(&format!("a fault or message of more than {}", Seconds(TIME_MAX)));
        }
        rounded_up(length.min(TIME_MAX))
    }

    #[inline(never)]
    pub(super) fn never(&mut self, words: &str) {
        if self.outside.iter().all(|it| it.words != words) {
            self.outside.push(Outside::never(words));
        }
    }

    pub(super) fn never_by_chance(&mut self, what: &str, share: Share) {
        if share != Share::default() {
            self.never(&format!("{what} by chance"));
        }
    }

    #[inline(never)]
    pub(super) fn named(&self, name: Option<&str>) -> Vec<Node> {
        name.map(|name| self.run.nodes.resolve(name)).unwrap_or_default()
    }

    /// True if an action names the key of the question.
    fn is_of_its_key(&self, action: &Action) -> bool {
        let mut named = action.key.iter().flat_map(|it| self.run.scenario.keys_named(it));
        let first = self.members.first().map(|&it| self.run.scenario.clients.at(it));
        first.is_some_and(|first| named.any(|it| it == first.key))
    }
}

/// A restart of a process or of the database is a crash, after which it starts at once.
fn down_by(kind: ActionKind) -> ActionKind {
    match kind == ActionKind::Restart {
        true => ActionKind::Crash,
        false => kind,
    }
}

/// In steps in which a search is quick: 100 ms, or whole seconds.
fn rounded_up(length: Duration) -> Duration {
    let ms = length.as_ms();
    let step = if ms > 1_000 && !ms.is_multiple_of(100) { 1_000 } else { 100 };
    Duration::from_ms(ms.next_multiple_of(step))
}
