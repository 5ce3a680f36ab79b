//! The messages between Locket processes and their database, where an event can come between.

use super::{Answer, BackEnd, Reception, Way};
use crate::node::back_end::Delivery;
use crate::node::canonical::CanonicalLocket;
use crate::node::database::DatabaseInput;
use crate::node::locket_process::{LocketProcess, ProcessInput, Reason};
use crate::node::message::{self, DatabaseAnswer, IncomingCall, Query};
use crate::protocol::error::LockError;
use crate::protocol::message::Response;
use crate::protocol::operation::Outcome;
use crate::time::{Duration, Time};

/// Keeps the messages between processes and the database that are on their way.
#[derive(Clone, Debug, Default)]
pub(super) struct Mail {
    now: Time,
    reception: Reception,
    /// In the order of their places: which was sent first does not matter on their way.
    messages: Vec<Internal>,
    /// How many transactions the database has answered since the last input.
    transactions: u8,
    /// The answer to a call since then.
    answer: Option<Answer>,
}

/// A message between a process and the database.
#[derive(Clone, Debug)]
struct Internal {
    sent: Time,
    content: Content,
}

/// The content of such a message.
#[derive(Clone, Debug)]
enum Content {
    /// An answer on its way.
    Answer(DatabaseAnswer),
    /// A query on its way.
    Query(Query),
}

/// Where a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::check) enum Stage {
    /// An answer, on its way.
    Answer,
    /// A query, on its way.
    Query,
}

/// The facts about such a message that other modules need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct InternalFacts {
    /// The process that it comes from or goes to.
    pub(in crate::check) process: u8,
    pub(in crate::check) stage: Stage,
    /// Which of the messages of its stage and process it is, in the order in which the process has
    /// asked.
    pub(in crate::check) rank: u8,
    /// In how many milliseconds it arrives at the latest.
    pub(in crate::check) left_ms: u64,
}

impl Internal {
    fn place(&self) -> (Stage, u16, u64) {
        match &self.content {
            Content::Answer(answer) => (Stage::Answer, answer.process, answer.token),
            Content::Query(query) => (Stage::Query, query.process, query.token),
        }
    }

    /// The process and the token of its question.
    fn question(&self) -> (u16, u64) {
        let (_, process, token) = self.place();
        (process, token)
    }

    /// In how long it arrives at the latest, of so long from its sending.
    fn left(&self, latency: Duration, now: Time) -> Duration {
        (self.sent + latency).since(now)
    }
}

/// The facts about what a process has asked the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct OperationFacts {
    pub(in crate::check) process: u8,
    /// Its place among what the process has asked.
    pub(in crate::check) place: u8,
    /// When the process gives up on it, in milliseconds from now.
    pub(in crate::check) due_ms: u64,
    pub(in crate::check) lost: Option<Lost>,
}

/// An answer that is lost, and what it was to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Lost {
    Call { client: u8, tag: u8 },
    Deletion,
}

impl Delivery for Mail {
    fn query(&mut self, query: Query) -> Option<Query> {
        if self.reception.way != Way::QueryTravels {
            return Some(query);
        }
        self.send(Content::Query(query));
        None
    }

    fn answer(&mut self, answer: DatabaseAnswer) -> Option<DatabaseAnswer> {
        let is_lost = answer.can_be_lost && self.reception.lost >> self.transactions & 1 != 0;
        self.transactions += u8::from(answer.can_be_lost);
        if is_lost {
            return None;
        }
        if self.reception.way == Way::Answered {
            return Some(answer);
        }
        self.send(Content::Answer(answer));
        None
    }

    fn handled(&mut self, call: IncomingCall, result: Result<Response, LockError>) {
        debug_assert!(self.answer.is_none(), "an input answers one call");
        self.answer = Some((call.client as u8, call.session as u8, result));
    }

    fn exited(&mut self, _: usize) {
        debug_assert!(false, "no call of a search kills its process, and no table is dropped");
    }
}

impl Mail {
    /// An input comes, after which messages take this path.
    pub(super) fn begin(&mut self, now: Time, reception: Reception) {
        (self.now, self.reception) = (now, reception);
        (self.transactions, self.answer) = (0, None);
    }

    /// How many transactions the database has answered since the last input.
    pub(super) const fn transactions(&self) -> u8 {
        self.transactions
    }

    /// Takes the answer to a call since the last input.
    pub(super) const fn take_answer_to_call(&mut self) -> Option<Answer> {
        self.answer.take()
    }

    fn send(&mut self, content: Content) {
        let sent = self.now;
        let message = Internal { sent, content };
        let after = |it: &Internal| it.place() <= message.place();
        let place = self.messages.partition_point(after);
        self.messages.insert(place, message);
    }

    fn take(&mut self, stage: Stage, process: u8, rank: u8) -> Option<Content> {
        let places = self.messages.iter().map(Internal::place).enumerate();
        let mut its = places.filter(|(_, (at, of, _))| (*at, *of) == (stage, process.into()));
        let (place, _) = its.nth(rank.into())?;
        Some(self.messages.remove(place).content)
    }

    /// The queries on their way.
    #[cfg(test)]
    pub(super) fn queries(&self) -> impl Iterator<Item = &Query> {
        self.messages.iter().filter_map(|message| match &message.content {
            Content::Query(query) => Some(query),
            Content::Answer(_) => None,
        })
    }

    /// Drops other answers, by the process and the token of its question, and other queries.
    #[cfg(test)]
    pub(super) fn retain(
        &mut self,
        is_answer_kept: impl Fn(u16, u64) -> bool,
        is_query_kept: impl Fn(&Query) -> bool,
    ) {
        self.messages.retain(|message| match &message.content {
            Content::Answer(answer) => is_answer_kept(answer.process, answer.token),
            Content::Query(query) => is_query_kept(query),
        });
    }

    /// Answers to calls that are over are dropped whenever they come.
    pub(super) fn forget_answers(&mut self, processes: &[LocketProcess]) {
        self.messages.retain(|message| match &message.content {
            Content::Answer(answer) => {
                processes[usize::from(answer.process)].waits_for(answer.token)
            }
            Content::Query(_) => true,
        });
    }
}

impl BackEnd {
    /// A message arrives that was on its way: which of those of its process.
    pub(super) fn arrive(&mut self, stage: Stage, process: u8, rank: u8) {
        match self.mail.take(stage, process, rank) {
            Some(Content::Answer(DatabaseAnswer { token, answer, .. })) => {
                self.deliver_to_process(process, ProcessInput::Answer(token, answer));
            }
            Some(Content::Query(query)) if self.machines.takes_query(&query) => {
                self.send_to_database(DatabaseInput::Query(query));
            }
            Some(Content::Query(_)) => {}
            None => debug_assert!(false, "a message arrives that is not on its way"),
        }
    }

    /// Ends the waits for lost answers to deletions that can mean nothing any more: no row stands
    /// as it was, nor could after a failover, so no poll finds it.
    pub(super) fn end_stale_waits(&mut self) {
        let mut stale = Vec::new();
        for (process, node) in (0_u16..).zip(&self.machines.processes) {
            for (token, reason, _) in node.questions() {
                let version = node.server().zip(reason.expiry());
                let version = version.and_then(|(server, fired)| server.expiry().attempted(fired));
                let Some((row, index)) = version else {
                    continue;
                };
                let version = (row.modified_id.to_string(), index);
                if self.is_lost(process, token)
                    && !self.machines.database.could_have(&row.key, &version)
                {
                    stale.push((process, token));
                }
            }
        }
        let mut outputs = Vec::new();
        for (process, token) in stale {
            let kept = message::Answer::unwritten(Ok(Outcome::Deleted(false)));
            let input = ProcessInput::Answer(token, kept);
            self.machines.processes[usize::from(process)].handle(input, self.now, &mut outputs);
        }
        debug_assert!(outputs.is_empty(), "the end of a stale wait says nothing");
    }
}

/// The view of other modules.
impl BackEnd {
    pub(super) fn add_internal(&self, latency: Duration, canonical: &mut CanonicalLocket<'_>) {
        for message in &self.mail.messages {
            let left = message.left(latency, self.now);
            let (process, token) = message.question();
            let place = self.place(process, token);
            match &message.content {
                Content::Answer(it) => {
                    canonical.add_answer(process, place.unwrap_or_default(), &it.answer, left);
                }
                Content::Query(query) => canonical.add_query(query, place, Some(left)),
            }
        }
        for query in self.machines.database.waiting() {
            let place = self.place(query.process, query.token);
            canonical.add_query(query, place, None);
        }
    }

    /// The token of a question by its place among those that a process waits for.
    pub(super) fn token(&self, process: u8, place: u8) -> Option<u64> {
        let mut questions = self.machines.processes[usize::from(process)].questions();
        Some(questions.nth(place.into())?.0)
    }

    pub(super) fn place(&self, process: u16, token: u64) -> Option<usize> {
        let mut questions = self.machines.processes[usize::from(process)].questions();
        questions.position(|(asked, ..)| asked == token)
    }

    pub(super) fn internal_facts(&self, latency: Duration) -> Vec<InternalFacts> {
        let facts = self.mail.messages.iter().map(|message| {
            let (stage, to, token) = message.place();
            let before = |other: &&Internal| {
                let (other_stage, other_to, asked) = other.place();
                (other_stage, other_to) == (stage, to) && asked < token
            };
            InternalFacts {
                process: message.question().0 as u8,
                stage,
                rank: self.mail.messages.iter().filter(before).count() as u8,
                left_ms: message.left(latency, self.now).as_ms(),
            }
        });
        facts.collect()
    }

    pub(super) fn operations(&self) -> Vec<OperationFacts> {
        let mut operations = Vec::new();
        for (process, node) in (0..).zip(&self.machines.processes) {
            for (place, (token, reason, deadline)) in (0..).zip(node.questions()) {
                let lost = match reason {
                    Reason::Call(call) => {
                        Some(Lost::Call { client: call.client as u8, tag: call.session as u8 })
                    }
                    Reason::Expiry(_) => Some(Lost::Deletion),
                    Reason::Poll => None,
                };
                operations.push(OperationFacts {
                    process,
                    place,
                    due_ms: deadline.since(self.now).as_ms(),
                    lost: lost.filter(|_| self.is_lost(process.into(), token)),
                });
            }
        }
        operations
    }

    /// True if neither a question is at the database nor its answer on its way.
    fn is_lost(&self, process: u16, token: u64) -> bool {
        let is_about = |message: &Internal| message.question() == (process, token);
        !self.mail.messages.iter().any(is_about)
            && !self.machines.waits_at_database(process.into(), token)
    }
}
