//! The messages between Locket processes and their database, where an event can come between.

use std::sync::Arc;

use super::{Answer, BackEnd, Reception, Way};
use crate::node::canonical::CanonicalLocket;
use crate::node::database::{DatabaseInput, DatabaseOutput};
use crate::node::locket_process::{ProcessInput, ProcessOutput, Reason};
use crate::node::message::{self, ClientCall, IncomingCall, Query};
use crate::protocol::message::Request;
use crate::protocol::operation::Outcome;
use crate::protocol::runner::CallId;
use crate::time::{Duration, Time};

/// A message between a process and the database.
#[derive(Clone, Debug)]
pub(super) struct Internal {
    sent: Time,
    content: Content,
}

/// The content of such a message.
#[derive(Clone, Debug)]
enum Content {
    /// An answer on its way.
    Answer {
        process: u16,
        token: u64,
        answer: message::Answer,
    },
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

/// For an input that asks the database nothing.
const AT_ONCE: Reception = Reception {
    way: Way::Answered,
    lost: 0,
};

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
    /// The order of messages does not matter on their way.
    fn place(&self) -> (Stage, u16, u64) {
        match &self.content {
            Content::Answer { process, token, .. } => (Stage::Answer, *process, *token),
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

impl BackEnd {
    /// A call arrives at a process.
    pub(super) fn take_request(
        &mut self,
        process: u8,
        (client, tag): (u8, u8),
        request: Request,
        reception: Reception,
    ) -> Option<Answer> {
        let life = self.processes[usize::from(process)].life()?;
        let method = request.method();
        let call = IncomingCall {
            client: client.into(),
            session: tag.into(),
            call: ClientCall {
                member: 0,
                id: CallId {
                    method,
                    request_id: None,
                },
            },
            request: Arc::new(request),
        };
        self.tell_process(process, ProcessInput::Request(life, call), reception)
    }

    pub(super) fn tell_process(
        &mut self,
        process: u8,
        input: ProcessInput,
        reception: Reception,
    ) -> Option<Answer> {
        let (now, mut outputs, mut answer) = (self.now, Vec::new(), None);
        self.processes[usize::from(process)].handle(input, now, &mut outputs);
        for output in outputs {
            let handled = match output {
                ProcessOutput::Handled(call, result) => {
                    Some((call.client as u8, call.session as u8, result))
                }
                ProcessOutput::Query(token, transaction) => self.ask(
                    Query {
                        process: process.into(),
                        token,
                        transaction,
                    },
                    reception,
                ),
                ProcessOutput::Exited | ProcessOutput::Expired { .. } => None,
            };
            debug_assert!(
                handled.is_none() || answer.is_none(),
                "an input answers one call"
            );
            answer = answer.or(handled);
        }
        self.forget_answers();
        answer
    }

    /// A query arrives at the database.
    fn ask(&mut self, query: Query, reception: Reception) -> Option<Answer> {
        if reception.way == Way::QueryTravels {
            self.send(Content::Query(query));
            return None;
        }
        self.tell_database(DatabaseInput::Query(query), reception)
    }

    pub(super) fn tell_database(
        &mut self,
        input: DatabaseInput,
        reception: Reception,
    ) -> Option<Answer> {
        let mut outputs = Vec::new();
        self.database.handle(input, self.now, &mut outputs);
        self.take_outputs(outputs, reception)
    }

    /// Takes the answers of the database to processes; gives back the answer to a call if that comes
    /// of them.
    fn take_outputs(
        &mut self,
        outputs: Vec<DatabaseOutput>,
        reception: Reception,
    ) -> Option<Answer> {
        let mut answered = None;
        for output in outputs {
            let can_be_lost = matches!(
                &output,
                DatabaseOutput::Answer { answer, .. } if answer.is_to_transaction()
            );
            let is_lost = can_be_lost && reception.lost >> self.transactions & 1 != 0;
            self.transactions += u8::from(can_be_lost);
            let (DatabaseOutput::Answer {
                process,
                token,
                answer,
            }
            | DatabaseOutput::RefusesConnection {
                process,
                token,
                answer,
            }) = output
            else {
                continue;
            };
            // The process may have given up or ended since its query left.
            let is_waited_for = self.processes[usize::from(process)].waits_for(token);
            if is_lost || !is_waited_for {
                continue;
            }
            if reception.way == Way::Answered {
                let input = ProcessInput::Answer(token, answer);
                answered = self.tell_process(process as u8, input, reception);
            } else {
                self.send(Content::Answer {
                    process,
                    token,
                    answer,
                });
            }
        }
        answered
    }

    fn send(&mut self, content: Content) {
        let sent = self.now;
        let message = Internal { sent, content };
        let after = |it: &Internal| it.place() <= message.place();
        let place = self.internal.partition_point(after);
        self.internal.insert(place, message);
    }

    /// An answer arrives at its process.
    pub(super) fn answer(&mut self, process: u8, rank: u8) -> Option<Answer> {
        let Content::Answer { token, answer, .. } = self.take(Stage::Answer, process, rank)? else {
            return None;
        };
        self.tell_process(process, ProcessInput::Answer(token, answer), AT_ONCE)
    }

    /// A query that has travelled arrives at the database.
    pub(super) fn query(&mut self, process: u8, rank: u8, reception: Reception) -> Option<Answer> {
        let Content::Query(query) = self.take(Stage::Query, process, rank)? else {
            return None;
        };
        self.tell_database(DatabaseInput::Query(query), reception)
    }

    fn take(&mut self, stage: Stage, process: u8, rank: u8) -> Option<Content> {
        let is_its = |it: &Internal| {
            let (at, of, _) = it.place();
            (at, of) == (stage, process.into())
        };
        let mut places = self.internal.iter().enumerate();
        let place = places
            .by_ref()
            .filter(|(_, it)| is_its(it))
            .nth(rank.into());
        let (place, _) = place?;
        Some(self.internal.remove(place).content)
    }

    /// The waiting queries are answered.
    pub(super) fn stall_ends(&mut self, reception: Reception) -> Option<Answer> {
        let (processes, mut outputs) = (&self.processes, Vec::new());
        let is_waited_for =
            |query: &Query| processes[usize::from(query.process)].waits_for(query.token);
        self.database
            .end_stall(is_waited_for, self.now, &mut outputs);
        self.take_outputs(outputs, reception)
    }

    /// The first waiting query is answered.
    pub(super) fn stall_ends_by_one(&mut self, reception: Reception) -> Option<Answer> {
        let (processes, mut outputs) = (&self.processes, Vec::new());
        let is_waited_for =
            |query: &Query| processes[usize::from(query.process)].waits_for(query.token);
        self.database
            .end_stall_by_one(is_waited_for, self.now, &mut outputs);
        self.take_outputs(outputs, reception)
    }

    /// Ends the waits for lost answers to deletions that can mean nothing any more: no row stands
    /// as it was, nor could after a failover, so no poll finds it.
    pub(super) fn end_vain_waits(&mut self) {
        let mut vain = Vec::new();
        for (process, node) in (0_u16..).zip(&self.processes) {
            for (token, reason, _) in node.questions() {
                let version = node.server().zip(reason.expiry());
                let version = version.and_then(|(server, fired)| server.expiry().attempted(fired));
                let Some((row, index)) = version else {
                    continue;
                };
                let version = (row.modified_id.to_string(), index);
                if self.is_lost(process, token) && !self.database.could_have(&row.key, &version) {
                    vain.push((process, token));
                }
            }
        }
        let mut outputs = Vec::new();
        for (process, token) in vain {
            let kept = message::Answer::Outcome(Ok(Outcome::Deleted(false)));
            let input = ProcessInput::Answer(token, kept);
            self.processes[usize::from(process)].handle(input, self.now, &mut outputs);
        }
        debug_assert!(outputs.is_empty(), "the end of a wait in vain says nothing");
    }

    pub(super) fn forget(&mut self, process: u8, place: u8) {
        let node = &mut self.processes[usize::from(process)];
        let token = node.questions().nth(place.into()).map(|it| it.0);
        if let Some(token) = token {
            node.forget(token);
        }
    }

    pub(super) fn give_up(&mut self, process: u8, place: u8) -> Option<Answer> {
        let token = {
            let mut questions = self.processes[usize::from(process)].questions();
            questions.nth(place.into())?.0
        };
        let input = ProcessInput::OperationTimer(token);
        self.tell_process(process, input, AT_ONCE)
    }

    /// Drops other answers, by the process and the token of its question, and other queries.
    #[cfg(test)]
    pub(super) fn keep_messages(
        &mut self,
        is_answer_kept: impl Fn(u16, u64) -> bool,
        is_query_kept: impl Fn(&Query) -> bool,
    ) {
        self.internal.retain(|message| match &message.content {
            Content::Answer { process, token, .. } => is_answer_kept(*process, *token),
            Content::Query(query) => is_query_kept(query),
        });
    }

    /// Answers to calls that are over are dropped whenever they come.
    pub(super) fn forget_answers(&mut self) {
        let processes = &self.processes;
        self.internal.retain(|message| match message.content {
            Content::Answer { process, token, .. } => {
                processes[usize::from(process)].waits_for(token)
            }
            Content::Query(_) => true,
        });
    }
}

/// The view of other modules.
impl BackEnd {
    pub(super) fn add_internal(&self, latency: Duration, canonical: &mut CanonicalLocket<'_>) {
        for message in &self.internal {
            let left = message.left(latency, self.now);
            let (process, token) = message.question();
            let place = self.place(process, token);
            match &message.content {
                Content::Answer { answer, .. } => {
                    canonical.add_answer(process, place.unwrap_or_default(), answer, left);
                }
                Content::Query(query) => canonical.add_query(query, place, Some(left)),
            }
        }
        for query in self.database.waiting() {
            let place = self.place(query.process, query.token);
            canonical.add_query(query, place, None);
        }
    }

    /// The place of a question among those that a process waits for.
    fn place(&self, process: u16, token: u64) -> Option<usize> {
        let mut questions = self.processes[usize::from(process)].questions();
        questions.position(|(asked, ..)| asked == token)
    }

    pub(super) fn internal_facts(&self, latency: Duration) -> Vec<InternalFacts> {
        let facts = self.internal.iter().map(|message| {
            let (stage, to, token) = message.place();
            let before = |other: &&Internal| {
                let (other_stage, other_to, asked) = other.place();
                (other_stage, other_to) == (stage, to) && asked < token
            };
            InternalFacts {
                process: message.question().0 as u8,
                stage,
                rank: self.internal.iter().filter(before).count() as u8,
                left_ms: message.left(latency, self.now).as_ms(),
            }
        });
        facts.collect()
    }

    pub(super) fn operations(&self) -> Vec<OperationFacts> {
        let mut operations = Vec::new();
        for (process, node) in (0..).zip(&self.processes) {
            for (place, (token, reason, deadline)) in (0..).zip(node.questions()) {
                let lost = match reason {
                    Reason::Call(call) => Some(Lost::Call {
                        client: call.client as u8,
                        tag: call.session as u8,
                    }),
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

    /// Whether neither a question is at the database nor its answer on its way.
    fn is_lost(&self, process: u16, token: u64) -> bool {
        let is_about = |message: &Internal| message.question() == (process, token);
        let waits = |query: &Query| (query.process, query.token) == (process, token);
        !self.internal.iter().any(is_about) && !self.database.waiting().iter().any(waits)
    }
}
