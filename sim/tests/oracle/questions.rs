//! The questions of processes to the database, where these take time: a question travels, waits
//! while the database stalls, and its answer travels.

use super::locket::{Locket, LocketRules, Version};
use super::runner::{Call, Reply};

/// A question to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Question {
    pub(crate) process: usize,
    pub(crate) what: Asked,
    waits: Waits,
    pub(crate) place: Place,
}

/// The content of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Asked {
    /// A client's call, with whether the client waits for its answer, or notices it at least.
    Call { client: usize, call: Call, is_awaited: bool, is_noticed: bool },
    /// To delete the row if it is still this version.
    Deletion(Version),
    /// A list of the rows.
    Rows,
}

/// For how long the process goes on waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Waits {
    NoLonger,
    For(u16),
    /// Longer than any question here takes.
    ForEver,
}

/// The place of a question, with its age on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Place {
    ToDatabase(u16),
    /// At a database that stalls, in this order.
    Queued(usize),
    Back(Answer, u16),
    /// Its answer is lost.
    Nowhere,
}

/// The reply that a client learns, and the version of the row that it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Answer {
    pub(crate) reply: Reply,
    pub(crate) version: Option<Version>,
}

impl Question {
    pub(crate) const fn is_waited_for(&self) -> bool {
        !matches!(self.waits, Waits::NoLonger)
    }

    /// True if its process has waited for as long as it does.
    pub(crate) fn is_given_up(&self) -> bool {
        self.waits == Waits::For(0)
    }

    /// The age of what travels.
    pub(crate) const fn age(&self) -> Option<u16> {
        match self.place {
            Place::ToDatabase(age) | Place::Back(_, age) => Some(age),
            Place::Queued(_) | Place::Nowhere => None,
        }
    }

    /// True if an answer was just given, and its fate is open. A list of rows is not lost, nor a
    /// refusal: both change nothing that a client could miss.
    pub(crate) fn is_new_answer(&self) -> bool {
        match self.place {
            Place::Back(answer, 0) => answer.reply != Reply::Failure && self.what != Asked::Rows,
            Place::Back(..) | Place::Nowhere | Place::Queued(_) | Place::ToDatabase(_) => false,
        }
    }

    pub(crate) fn pass(&mut self, rules: &LocketRules) {
        if let Place::ToDatabase(age) | Place::Back(_, age) = &mut self.place {
            *age = (*age + 1).min(rules.database_delay);
        }
        if let Waits::For(left) = &mut self.waits {
            *left = left.saturating_sub(1);
        }
    }

    pub(crate) fn version(&mut self) -> Option<&mut Version> {
        match (&mut self.what, &mut self.place) {
            (Asked::Deletion(version), _) => Some(version),
            (_, Place::Back(answer, _)) => answer.version.as_mut(),
            _ => None,
        }
    }
}

impl Locket {
    /// A process asks; it waits for so long, or for ever.
    pub(crate) fn ask(&mut self, process: usize, what: Asked, patience: Option<u16>) {
        self.questions.push(Question {
            process,
            what,
            waits: patience.map_or(Waits::ForEver, Waits::For),
            place: Place::ToDatabase(0),
        });
    }

    /// A process polls, unless it waits for the last poll.
    pub(crate) fn ask_for_rows(&mut self, process: usize) {
        let is_poll = |it: &Question| (it.process, it.what) == (process, Asked::Rows);
        let mut polls = self.questions.iter().filter(|it| is_poll(it));
        if !polls.any(Question::is_waited_for) {
            self.ask(process, Asked::Rows, None);
        }
    }

    /// A question arrives at a database that stalls: it is behind all others.
    pub(crate) fn queue(&mut self, question: usize) {
        let queued = |it: &Question| match it.place {
            Place::Queued(place) => Some(place + 1),
            Place::Back(..) | Place::Nowhere | Place::ToDatabase(_) => None,
        };
        let last = self.questions.iter().filter_map(queued).max();
        self.questions[question].place = Place::Queued(last.unwrap_or_default());
    }

    /// The first question that waits at a database which stalls no longer.
    pub(crate) fn first_queued(&self) -> Option<usize> {
        let places = self.questions.iter().map(|it| it.place).enumerate();
        let queued = places.filter(|(_, place)| matches!(place, Place::Queued(_)));
        let first = queued.min_by_key(|(_, place)| *place)?;
        Some(first.0)
    }

    /// The database does what is asked for an owner, and answers.
    pub(crate) fn answer(&mut self, question: usize, owners: &[u8], rules: &LocketRules) {
        let what = self.questions[question].what;
        let is_done = match what {
            Asked::Call { client, call, .. } => match call {
                Call::Lock => self.lock(owners[client], None, rules),
                Call::Release => self.release(owners[client], rules),
                Call::Fetch => true,
            },
            Asked::Deletion(version) => {
                self.delete(version, rules);
                true
            }
            Asked::Rows => true,
        };
        let shows_row = match what {
            Asked::Call { call, .. } => call == Call::Lock && is_done,
            Asked::Deletion(_) => false,
            Asked::Rows => true,
        };
        let version = self.row.map(|row| row.version).filter(|_| shows_row);
        let reply = match is_done {
            true => Reply::Ok,
            false => Reply::Collision,
        };
        self.send_back(question, Answer { reply, version });
    }

    /// A database that is down answers a question with an error.
    pub(crate) fn refuse(&mut self, question: usize) {
        let reply = Reply::Failure;
        let version = None;
        self.send_back(question, Answer { reply, version });
    }

    /// To a process that still waits.
    fn send_back(&mut self, question: usize, answer: Answer) {
        if self.questions[question].is_waited_for() {
            self.questions[question].place = Place::Back(answer, 0);
        } else {
            self.questions.remove(question);
        }
    }

    /// An answer is lost. A process that waits for it for ever does nothing more about it: only the
    /// timer that asked still tells. To keep the question would tell apart states by how often the
    /// row has been renewed since, without end.
    pub(crate) fn lose_answer(&mut self, question: usize) {
        self.questions[question].place = Place::Nowhere;
        if self.questions[question].waits == Waits::ForEver {
            self.questions.remove(question);
        }
    }

    /// A process that has ended waits for nothing; its questions travel on.
    pub(crate) fn forget_questions(&mut self, process: usize) {
        for question in &mut self.questions {
            if question.process == process {
                question.waits = Waits::NoLonger;
            }
        }
        self.forget_answers();
    }

    /// True if a process serves a call.
    pub(crate) fn serves(&self, process: usize) -> bool {
        let is_call = |it: &Question| matches!(it.what, Asked::Call { .. });
        let mut its = self.questions.iter().filter(|it| it.process == process);
        its.any(|it| is_call(it) && it.is_waited_for())
    }

    /// A process gives up on a question.
    pub(crate) fn give_up(&mut self, question: usize) {
        self.questions[question].waits = Waits::NoLonger;
        self.forget_answers();
    }

    fn forget_answers(&mut self) {
        let is_over = |it: &Question| matches!(it.place, Place::Back(..) | Place::Nowhere);
        self.questions.retain(|it| it.is_waited_for() || !is_over(it));
    }
}
