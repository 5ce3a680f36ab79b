//! The part of a state that one client can notice.

use super::bug::{self, Bug};
use super::by_rows::ByRows;
use crate::check::explorer::conditions::Lasting;
use crate::check::explorer::message::{Body, Message};
use crate::check::explorer::moves::{Fates, Move};
use crate::check::explorer::state::State;
use crate::check::explorer::used::Used;
use crate::check::explorer::writes::{Token, Writes};
use crate::check::explorer::{Explorer, Outcome};
use crate::check::question::faults::{Does, Fault};
use crate::check::question::local::Follows;
use crate::check::steps::back_end::Timers;
use crate::check::steps::interned::NoStep;
use crate::environment::acts::{Act, Happening};
use crate::environment::happening::Node;
use crate::node::canonical::CanonicalClient;

/// The part of a state that a client can notice. The rest of it is compared by [`Rest::covers`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Seen {
    pub(super) client: CanonicalClient,
    /// Without whether the database answers, which is a [condition](Rest).
    pub(super) locket: Vec<u64>,
    pub(super) messages: Vec<String>,
    pub(super) another_was_last: bool,
}

/// The faults that a client among others meets any number of times, a bit for each.
pub(super) type AnyOf = u32;

/// The parts in which a state of one client may have more room: less was used up, and less of what
/// lasts has passed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Rest {
    pub(super) used: Used,
    pub(super) lasting: Vec<(Act, u16)>,
    /// For how long what must not last has lasted; of several clients, of this one.
    pub(super) watch: u16,
    /// True if the client has to do something before it may be paused, if it may be paused again.
    pub(super) has_woken: bool,
    pub(super) may_be_paused: bool,
    /// True if something waits for the end of the client's pause.
    pub(super) is_held_up: bool,
    /// Where only rows of Locket are followed.
    pub(super) by_rows: Option<ByRows>,
    /// The writes that the client may have sent, if there is a storage.
    pub(super) writes: Writes,
}

impl Rest {
    /// True if this one of a search of one client can do all that one of all clients can.
    pub(super) fn covers(&self, full: &Self, processes: u8, any: AnyOf) -> bool {
        let is_less = |it: Fault| self.used.of(it) <= full.used.of(it);
        let has_less = Fault::ALL.into_iter().all(is_less);
        let turns = [self, full].map(|it| it.used.of(Fault::LocketDrain));
        let turns = match any >> Fault::LocketDrain as u32 & 1 {
            0 => turns,
            _ => turns.map(|it| it % processes),
        };
        let may_pause = !self.has_woken || full.has_woken || !full.may_be_paused;
        let is_in_time = self.lasting.iter().all(|(what, age)| {
            let mut all = full.lasting.iter();
            matches!(what, Act::Drain(_)) || all.any(|it| it.0 == *what && age <= &it.1)
        });
        let may_wait = full.is_held_up || self.has_woken || !self.may_be_paused;
        let has_all = full.lasting.iter().all(|(what, _)| {
            let has_no_effect_yet = matches!(
                what,
                Act::Cut { .. }
                    | Act::Crash(Node::Database)
                    | Act::Pause(Node::Locket(_))
                    | Act::Stall
            ) || matches!(what, Act::Pause(Node::Client(_)) if !may_wait);
            has_no_effect_yet || self.lasting.iter().any(|it| it.0 == *what)
        });
        let by_rows = match (&self.by_rows, &full.by_rows) {
            (Some(one), Some(full)) => one.covers(full),
            (one, full) => one.is_none() && full.is_none(),
        };
        let writes = self.writes.cover(full.writes);
        has_less && turns[0] == turns[1] && may_pause && is_in_time && has_all && by_rows && writes
    }
}

impl Writes {
    /// True if all may happen with these of a client alone that may with those of one of all clients.
    /// Alone, others have written as soon as they have the row, so its token is not the newest any more.
    fn cover(self, full: Self) -> bool {
        let wrong = |it: Self| {
            let late = [it.is_behind, it.is_late];
            let newest = late.map(|late| late && it.has_newest);
            [late, newest, [it.is_of_former_life, it.has_lost_row]].concat()
        };
        let is_under_way = full.age == 0 || self.age == full.age;
        // Where only rows are followed, a call that waits for a connection has left.
        let is_ahead = (self.token, full.token) == (Token::Renewing, Token::Taken);
        let is_same = self.is_held == full.is_held && (self.token == full.token || is_ahead);
        let mut wrongs = wrong(self).into_iter().zip(wrong(full));
        is_under_way && is_same && wrongs.all(|(one, full)| one || !full)
    }
}

impl Explorer {
    pub(super) fn seen_by(
        &self,
        state: &State,
        client: u8,
        another_was_last: bool,
        (any, locket): (AnyOf, Follows),
    ) -> (Seen, Rest) {
        let index = usize::from(client);
        let timers = match locket {
            Follows::Rows => return self.seen_by_rows(state, client, another_was_last),
            Follows::Calls => Timers::AnyProcess,
            Follows::Processes => Timers::Each,
        };
        let is_any = |does| Fault::that(does).any(|it| any >> it as u32 & 1 != 0);
        let forgets_lives = is_any(Does::EndsProcess);
        let lives = self.back_ends.lives(state.back_end);
        let is_loose = is_any(Does::FailsPings);
        // A late reply only shows that a connection is alive.
        let is_late = |it: &Message| {
            is_loose && !it.is_current && matches!(it.body, Body::Orphaned | Body::Reply(_))
        };
        let mut noticed = state.clone();
        noticed.messages.retain(|it| it.client == client && !is_late(it));
        let mut messages: Vec<String> = noticed
            .messages
            .iter()
            .map(|it| {
                let mut body = format!("{:?}", it.body);
                if let Body::Reply(number) = it.body {
                    body = format!("{:?}", self.replies.get(number));
                }
                let flags = (it.is_current, it.is_second, it.keeps_alive);
                format!("{} {body} {flags:?} {}", it.process, it.age)
            })
            .collect();
        messages.sort_unstable();
        let of_client = |it: &&Lasting| it.what.client().is_none_or(|of| of == client);
        let lasting = state.lasting.iter().filter(of_client).map(|it| {
            let process = it.what.process().unwrap_or_default();
            (it.what.of(0, process), it.age)
        });
        let seen = Seen {
            client: self.clients_of_kind[self.kinds[index]].canonical(
                state.clients[index],
                forgets_lives.then_some(&lives[..]),
                is_loose,
            ),
            locket: self
                .back_ends
                .seen_by(state.back_end, client, forgets_lives, timers)
                .split_off(2),
            messages,
            another_was_last,
        };
        let rest = Rest {
            used: state.used,
            lasting: lasting.collect(),
            watch: state.watches[match self.shape().watches {
                1 => 0,
                _ => index,
            }],
            has_woken: state.has_woken(client),
            may_be_paused: self.left(state, Fault::Pause),
            is_held_up: self.has_business(&noticed, client),
            by_rows: None,
            writes: state.writes[index],
        };
        (seen, rest)
    }

    /// The same where only [rows](super::super::any_processes) of Locket are followed.
    fn seen_by_rows(&self, state: &State, client: u8, another_was_last: bool) -> (Seen, Rest) {
        let index = usize::from(client);
        let kind = &self.clients_of_kind[self.kinds[index]];
        let seen = Seen {
            client: kind.canonical(state.clients[index], None, true).without_connection(),
            locket: Vec::new(),
            messages: Vec::new(),
            another_was_last: false,
        };
        let mut used = state.used;
        for fault in Fault::ALL {
            if !fault.is_followed(Follows::Rows) {
                used.set(fault, 0);
            }
        }
        let by_rows = self.by_rows(state, client, another_was_last);
        let facts = self.facts(client, state);
        let lasting = state.lasting.iter().filter(|it| {
            it.what.client() == Some(client) && it.what.fault().is_followed(Follows::Rows)
        });
        let rest = Rest {
            used,
            lasting: lasting.map(|it| (it.what.of(0, 0), it.age)).collect(),
            watch: state.watches[0],
            has_woken: state.has_woken(client),
            may_be_paused: self.left(state, Fault::Pause),
            is_held_up: facts.is_due || facts.calls || !by_rows.arriving.is_empty(),
            by_rows: Some(by_rows),
            writes: state.writes[index],
        };
        (seen, rest)
    }

    /// All successors, with time in the smallest steps; with or without a bug.
    pub(super) fn next(
        &mut self,
        state: &State,
        bug: Option<Bug>,
        mut each: impl FnMut(&Self, State, Outcome),
    ) -> Result<(), NoStep> {
        let mut moves = Vec::new();
        self.choices(state, &mut moves);
        let is_left_out = |what: Move| bug.is_some_and(|it| it.leaves_out(self, state, what));
        moves.retain(|it| !matches!(it, Happening::Pass(_)) && !is_left_out(*it));
        if !self.is_forced(state) {
            moves.push(Move::Pass(self.grid));
        }
        let left = self.fates_left(state);
        for what in moves {
            let mut try_one = |fates: Fates| {
                let mut after = state.clone();
                let outcome = bug::step(self, bug, &mut after, what, fates)?;
                after.messages.iter_mut().for_each(|it| it.name = 0);
                each(self, after, outcome);
                Ok(outcome.sent)
            };
            let sent = try_one(Fates::default())?;
            for fates in Fates::others(sent, left) {
                try_one(fates)?;
            }
        }
        Ok(())
    }

    pub(super) fn words(&self, state: &State) -> Vec<u32> {
        let (mut words, mut spare) = (Vec::new(), Vec::new());
        self.encode(state, &mut words, &mut spare);
        words
    }
}
