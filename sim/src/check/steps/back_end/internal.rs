//! The messages between Locket processes and their database, where an event can come between.

use std::sync::Arc;

use super::{Answer, BackEnd, Reception};
use crate::node::canonical::CanonicalLocket;
use crate::node::database::{DatabaseInput, DatabaseOutput};
use crate::node::locket_process::{ProcessInput, ProcessOutput};
use crate::node::message::{self, ClientCall, IncomingCall, Query};
use crate::protocol::message::Request;
use crate::protocol::runner::CallId;

/// A message between a process and the database.
#[derive(Clone, Debug)]
pub(super) enum Internal {
    /// An answer on its way.
    Answer {
        process: u16,
        token: u64,
        answer: message::Answer,
    },
    /// A query that has arrived, and waits at a database that stalls.
    Query(Query),
}

/// The facts about such a message that other modules need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct InternalFacts {
    /// The process that it comes from or goes to.
    pub(in crate::check) process: u8,
    pub(in crate::check) is_answer: bool,
    /// Which of the answers on their way to the process it is, in the order in which they were
    /// asked for.
    pub(in crate::check) rank: u8,
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
            client_life: tag.into(),
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
                    Some((call.client as u8, call.client_life as u8, result))
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
        if reception == Reception::Waits {
            self.internal.push(Internal::Query(query));
            return None;
        }
        let (now, mut outputs, mut answer) = (self.now, Vec::new(), None);
        self.database
            .handle(DatabaseInput::Query(query), now, &mut outputs);
        for output in outputs {
            let DatabaseOutput::Answer {
                process,
                token,
                answer: it,
            } = output
            else {
                continue;
            };
            if reception == Reception::AnswerLost {
                continue;
            }
            if reception == Reception::AnswerTravels {
                self.internal.push(Internal::Answer {
                    process,
                    token,
                    answer: it,
                });
            } else {
                answer =
                    self.tell_process(process as u8, ProcessInput::Answer(token, it), reception);
            }
        }
        answer
    }

    /// An answer arrives at its process.
    pub(super) fn arrive(&mut self, place: u8) -> Option<Answer> {
        match self.internal.remove(usize::from(place)) {
            Internal::Answer {
                process,
                token,
                answer,
            } => {
                let input = ProcessInput::Answer(token, answer);
                self.tell_process(process as u8, input, Reception::Answered)
            }
            Internal::Query(_) => None,
        }
    }

    /// The waiting queries are answered in their order. If a process has given up on one, or has
    /// ended, its transaction is rolled back, because it is not committed. The answers to the
    /// transactions with a bit in `lost` are lost.
    pub(super) fn stall_ends(&mut self, lost: u16) {
        let is_query = |it: &mut Internal| matches!(it, Internal::Query(_));
        let waiting: Vec<_> = self.internal.extract_if(.., is_query).collect();
        let mut bit = 1_u16;
        for waiting in waiting {
            if let Internal::Query(query) = waiting
                && self.is_waited_for(&query)
            {
                let is_lost = is_transaction(&query) && lost & bit != 0;
                bit <<= u32::from(is_transaction(&query));
                let reception = match is_lost {
                    true => Reception::AnswerLost,
                    false => Reception::AnswerTravels,
                };
                self.ask(query, reception);
            }
        }
    }

    fn is_waited_for(&self, query: &Query) -> bool {
        self.processes[usize::from(query.process)].waits_for(query.token)
    }

    pub(super) fn give_up(&mut self, process: u8, place: u8) -> Option<Answer> {
        let token = {
            let mut questions = self.processes[usize::from(process)].questions();
            questions.nth(place.into())?.0
        };
        let input = ProcessInput::OperationTimer(token);
        self.tell_process(process, input, Reception::Answered)
    }

    /// Answers to calls that are over are dropped whenever they come.
    pub(super) fn forget_answers(&mut self) {
        let processes = &self.processes;
        self.internal.retain(|message| match *message {
            Internal::Answer { process, token, .. } => {
                processes[usize::from(process)].waits_for(token)
            }
            Internal::Query(_) => true,
        });
    }
}

/// The view of other modules.
impl BackEnd {
    pub(super) fn add_internal(&self, canonical: &mut CanonicalLocket) {
        for message in &self.internal {
            match message {
                Internal::Answer {
                    process,
                    token,
                    answer,
                } => {
                    let place = self.place(*process, *token).unwrap_or_default();
                    canonical.add_answer(*process, place, answer);
                }
                Internal::Query(query) => {
                    canonical.add_query(query, self.place(query.process, query.token));
                }
            }
        }
    }

    /// The place of a question among those that a process waits for.
    fn place(&self, process: u16, token: u64) -> Option<usize> {
        let mut questions = self.processes[usize::from(process)].questions();
        questions.position(|(asked, ..)| asked == token)
    }

    pub(super) fn internal_facts(&self) -> Vec<InternalFacts> {
        let name = |message: &Internal| match message {
            Internal::Answer { process, token, .. } => (true, *process, *token),
            Internal::Query(query) => (false, query.process, query.token),
        };
        let facts = self.internal.iter().map(|message| {
            let (is_answer, process, token) = name(message);
            let before = |other: &&Internal| {
                let (other_is_answer, to, asked) = name(other);
                (other_is_answer, to) == (is_answer, process) && asked < token
            };
            InternalFacts {
                process: process as u8,
                is_answer,
                rank: self.internal.iter().filter(before).count() as u8,
            }
        });
        facts.collect()
    }

    /// How many queries wait that are transactions to be committed.
    pub(super) fn waiting(&self) -> u8 {
        let waits = |message: &&Internal| match message {
            Internal::Answer { .. } => false,
            Internal::Query(query) => is_transaction(query) && self.is_waited_for(query),
        };
        self.internal.iter().filter(waits).count() as u8
    }

    pub(super) fn operations(&self) -> Vec<(u8, u8, u64)> {
        let mut operations = Vec::new();
        for (process, node) in (0..).zip(&self.processes) {
            for (place, (.., deadline)) in (0..).zip(node.questions()) {
                operations.push((process, place, deadline.since(self.now).as_ms()));
            }
        }
        operations
    }
}

/// Whether a query is a transaction, whose answer can be lost, and not a list of rows.
fn is_transaction(query: &Query) -> bool {
    query.transaction.operation().is_some()
}
