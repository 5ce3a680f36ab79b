//! What travels between Locket processes and their database, where something can come between.

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
    Answer {
        process: u16,
        token: u64,
        answer: message::Answer,
    },
    Query {
        query: Query,
        /// Whether it has arrived, and waits at a database that stalls.
        waits: bool,
    },
}

/// What others ask about such a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct InternalFacts {
    /// The process that it comes from or goes to.
    pub(in crate::check) process: u8,
    /// Which of the messages it is that travel between the two in that direction, in the order
    /// in which they were asked.
    pub(in crate::check) rank: u8,
    pub(in crate::check) is_query: bool,
    /// Whether it has arrived, and waits at a database that stalls.
    pub(in crate::check) waits: bool,
}

impl BackEnd {
    /// A call arrives at a process.
    pub(super) fn take_request(
        &mut self,
        process: u8,
        client: u8,
        tag: u8,
        request: Request,
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
        self.tell_process(process, ProcessInput::Request(life, call))
    }

    pub(super) fn tell_process(&mut self, process: u8, input: ProcessInput) -> Option<Answer> {
        let (now, mut outputs, mut answer) = (self.now, Vec::new(), None);
        self.processes[usize::from(process)].handle(input, now, &mut outputs);
        for output in outputs {
            match output {
                ProcessOutput::Handled(call, result) => {
                    debug_assert!(answer.is_none(), "an input answers one call");
                    answer = Some((call.client as u8, call.client_life as u8, result));
                }
                ProcessOutput::Query(token, transaction) => self.internal.push(Internal::Query {
                    query: Query {
                        process: process.into(),
                        token,
                        transaction,
                    },
                    waits: false,
                }),
                ProcessOutput::Exited | ProcessOutput::Expired { .. } => {}
            }
        }
        self.forget_answers();
        answer
    }

    /// A message arrives.
    pub(super) fn arrive(&mut self, place: u8, reception: Reception) -> Option<Answer> {
        match self.internal.remove(usize::from(place)) {
            Internal::Answer {
                process,
                token,
                answer,
            } => self.tell_process(process as u8, ProcessInput::Answer(token, answer)),
            Internal::Query { query, .. } if reception == Reception::Waits => {
                self.internal.push(Internal::Query { query, waits: true });
                None
            }
            Internal::Query { query, .. } => {
                self.query(query);
                None
            }
        }
    }

    fn query(&mut self, query: Query) {
        let (now, mut outputs) = (self.now, Vec::new());
        self.database
            .handle(DatabaseInput::Query(query), now, &mut outputs);
        let answers = outputs.into_iter().filter_map(|output| match output {
            DatabaseOutput::Answer {
                process,
                token,
                answer,
            } => Some(Internal::Answer {
                process,
                token,
                answer,
            }),
            _ => None,
        });
        self.internal.extend(answers);
        self.forget_answers();
    }

    /// The queries that wait are answered in their order. If a process has given up on one, or is
    /// gone, its transaction is rolled back: it had not come to its end.
    pub(super) fn stall_ends(&mut self) {
        let is_waiting = |it: &mut Internal| matches!(it, Internal::Query { waits: true, .. });
        let waiting: Vec<_> = self.internal.extract_if(.., is_waiting).collect();
        for waiting in waiting {
            if let Internal::Query { query, .. } = waiting
                && self.processes[usize::from(query.process)].waits_for(query.token)
            {
                self.query(query);
            }
        }
    }

    pub(super) fn give_up(&mut self, process: u8, place: u8) -> Option<Answer> {
        let mut questions = self.processes[usize::from(process)].questions();
        let (token, ..) = questions.nth(place.into())?;
        drop(questions);
        self.tell_process(process, ProcessInput::OperationTimer(token))
    }

    /// Answers that nobody waits for any more are dropped whenever they come.
    pub(super) fn forget_answers(&mut self) {
        let processes = &self.processes;
        self.internal.retain(|message| match *message {
            Internal::Answer { process, token, .. } => {
                processes[usize::from(process)].waits_for(token)
            }
            Internal::Query { .. } => true,
        });
    }
}

/// What others see of it.
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
                Internal::Query { query, waits } => {
                    let place = self.place(query.process, query.token);
                    canonical.add_query(query, place, *waits);
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
            Internal::Answer { process, token, .. } => (false, *process, *token),
            Internal::Query { query, .. } => (true, query.process, query.token),
        };
        let facts = self.internal.iter().map(|message| {
            let (is_query, process, token) = name(message);
            let before = |other: &&Internal| {
                let (other_is_query, other_process, asked) = name(other);
                let waits = matches!(other, Internal::Query { waits: true, .. });
                (other_is_query, other_process) == (is_query, process) && asked < token && !waits
            };
            InternalFacts {
                process: process as u8,
                rank: self.internal.iter().filter(before).count() as u8,
                is_query,
                waits: matches!(message, Internal::Query { waits: true, .. }),
            }
        });
        facts.collect()
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
