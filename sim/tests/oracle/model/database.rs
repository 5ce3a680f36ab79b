//! Questions to a database that takes time, as the world has them.

use super::{Move, Rules, What, World};
use crate::oracle::questions::{Asked, Place, Question};
use crate::oracle::runner::Reply;

impl World {
    /// Arrivals and ends of patience that come before time passes.
    pub(super) fn due_at_database(&self, moves: &mut Vec<Move>, rules: &Rules) {
        for (index, question) in self.locket.questions.iter().enumerate() {
            if question.age() == Some(rules.locket.database_delay) {
                moves.extend(self.arrival(index, question));
            }
            let runs = !self.locket.is_paused(question.process);
            let gives_up = runs && question.is_given_up();
            moves.extend(gives_up.then_some(Move::GiveUp(index)));
        }
    }

    /// Arrivals that may come early.
    pub(super) fn early_at_database(&self, moves: &mut Vec<Move>, rules: &Rules) {
        for (index, question) in self.locket.questions.iter().enumerate() {
            if question.age() < Some(rules.locket.database_delay) {
                moves.extend(self.arrival(index, question));
            }
        }
        moves.extend(self.stalled_for.map(|_| Move::StallEnds));
        moves.extend(self.database_down_for.map(|_| Move::StartDatabase));
    }

    pub(super) fn ask(&mut self, question: usize, rules: &Rules) {
        match (self.database_down_for, self.stalled_for) {
            (Some(_), _) => self.locket.refuse(question),
            (None, Some(_)) => self.locket.queue(question),
            (None, None) => self.locket.answer(question, &rules.owners, &rules.locket),
        }
    }

    /// A process learns what has become of a question.
    pub(super) fn answer(&mut self, question: usize, rules: &Rules) {
        let question = self.locket.questions.remove(question);
        let Place::Back(answer, _) = question.place else {
            return;
        };
        if let Asked::Deletion(version) = question.what {
            self.locket.end_attempt(question.process, version);
        }
        if let Some(version) = answer.version {
            let process = question.process;
            self.locket.register(process, version, &rules.locket);
        }
        self.reply(question, answer.reply);
    }

    pub(super) fn give_up(&mut self, question: usize) {
        let given_up = self.locket.questions[question];
        self.locket.give_up(question);
        self.reply(given_up, Reply::Failure);
    }

    /// In their order. A question is rolled back if its process waits no longer.
    pub(super) fn stall_ends(&mut self, rules: &Rules) {
        self.stalled_for = None;
        while let Some(first) = self.locket.first_queued() {
            if self.locket.questions[first].is_waited_for() {
                self.locket.answer(first, &rules.owners, &rules.locket);
            } else {
                self.locket.questions.remove(first);
            }
        }
    }

    /// It refuses all that waits there, and from now on everything; it stalls no more.
    pub(super) fn crash_database(&mut self) {
        self.database_down_for = Some(0);
        self.stalled_for = None;
        while let Some(first) = self.locket.first_queued() {
            self.locket.refuse(first);
        }
    }

    /// A client waits for none of its calls, and may notice no answer either.
    pub(super) fn forget_questions(&mut self, of: usize, notices: bool) {
        for question in &mut self.locket.questions {
            if let Asked::Call { client, is_awaited, is_noticed, .. } = &mut question.what {
                *is_awaited &= *client != of;
                *is_noticed &= *client != of || notices;
            }
        }
    }

    /// To the client of a call, if it waits or notices.
    fn reply(&mut self, question: Question, reply: Reply) {
        let Asked::Call { client, is_awaited, is_noticed, .. } = question.what else {
            return;
        };
        if is_awaited || is_noticed {
            self.send_as(client, question.process, What::Reply(reply), (is_awaited, is_noticed));
        }
    }

    /// The arrival of what travels, unless its receiver is paused.
    fn arrival(&self, index: usize, question: &Question) -> Option<Move> {
        match question.place {
            Place::ToDatabase(_) => Some(Move::Ask(index)),
            Place::Back(..) if self.locket.is_paused(question.process) => None,
            Place::Back(..) => Some(Move::Answer(index)),
            Place::Nowhere | Place::Queued(_) => None,
        }
    }
}
