//! The conditions of a useful lock: without a fault, a client gets it and keeps it, and another
//! client gets it after a crash. A lock without any owner is safe, too.

use super::Cost;
use crate::check::question::bounds::Bounds;
use crate::check::question::count::Count;
use crate::check::question::faults::Fault;
use crate::check::question::{ClientQuestion, Property, Question};
use crate::time::Duration;

impl Question {
    /// What useful settings must satisfy; the quickest check goes first.
    pub(in crate::check) fn questions(&self) -> Vec<Self> {
        let mut questions = vec![self.false_loss(), self.owned()];
        questions.extend(self.has_handover().then(|| self.handover()));
        questions.push(self.clone());
        questions
    }

    /// Whether an owner gives up a lock that is still its own, though nothing goes wrong.
    pub(in crate::check) fn false_loss(&self) -> Self {
        self.without_faults(Property::FalseLoss)
    }

    /// Whether a client has the lock after the first attempts and their answers.
    fn owned(&self) -> Self {
        let messages = 2 * self.bounds.latency.as_ms();
        let allow = Duration::from_ms(self.clients[0].retry_interval.as_ms() + messages);
        self.without_faults(Property::Acquired { allow })
    }

    /// Whether a crash is followed by another owner as soon as the cost says.
    pub(in crate::check) fn handover(&self) -> Self {
        let allow = self.handover_max();
        let mut question = self.without_faults(Property::NoClientActs { allow });
        question.bounds.faults[Fault::Crash].count = Count::UpTo(1);
        question
    }

    /// True if there is another client that can become the owner after a crash.
    pub(in crate::check) fn has_handover(&self) -> bool {
        self.clients.len() > 1 || self.any_clients
    }

    fn without_faults(&self, property: Property) -> Self {
        let latency = self.bounds.latency;
        let mut clients = self.clients.clone();
        if self.any_clients {
            clients.push(clients[0].clone());
        }
        Self {
            property,
            clients,
            any_clients: false,
            bounds: Bounds { latency, ..Bounds::default() },
            ..self.clone()
        }
    }

    fn handover_max(&self) -> Duration {
        let messages = 4 * self.bounds.latency.as_ms();
        let longest = |time: fn(&ClientQuestion) -> Duration| {
            self.clients.iter().map(time).max().unwrap_or_default()
        };
        let retry = longest(|it| it.runner.rule().longest_retry(it.retry_interval));
        Duration::from_ms(longest(|it| it.ttl).as_ms() + retry.as_ms() + messages)
    }

    /// The cost, if a search has shown how long another client may wait, or has not.
    pub(in crate::check) fn cost(&self, is_handover_proved: bool) -> Cost {
        let retry_interval = self.clients[0].retry_interval;
        Cost {
            handover_max: self.has_handover().then(|| self.handover_max()),
            is_handover_proved: self.has_handover() && is_handover_proved,
            renewals_per_hour: 3_600_000 / retry_interval.as_ms().max(1),
        }
    }
}
