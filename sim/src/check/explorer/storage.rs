//! Writes to a storage. A write is wrong if the storage accepts it after one of a later holder.
//!
//! No write is a step of its own. A state says for each client whether a write may be under way that it
//! has decided on, and every such write is tried at every instant:
//!
//! * A client that acts has always just decided on one. The last one before it ceases to act is the
//!   latest, and can do all that earlier ones can.
//! * A write that arrives and is not wrong only makes earlier holders late. So it does that at once.
//! * A pause that begins while a client acts holds up a write, which leaves as the pause ends.
//! * A token is the newest one or not; its number does not matter. A client takes one at any instant
//!   from when it has asked, which is a step.
//! * The guard `modified-index` refuses nothing here but the write of a former life whose row was
//!   renewed since. Where a wrong write is possible without a guard, one is possible if both holders
//!   write once. The row of the later one begins again at 1, and no index is lower. The world compares
//!   the numbers.
//!
//! One client among others: another is taken to have written at the instant at which it has the row,
//! with a token that it has taken and renewed for at that instant. That is when the client's own token
//! is not the newest any more; a token that it takes later is.

use super::Explorer;
use super::moves::Move;
use super::state::State;
use super::writes::Token;
use crate::check::steps::clients::ClientStep;
use crate::environment::acts::{Act, Store};
use crate::environment::happening::Node;
use crate::protocol::message::Method;
use crate::scenario::Guard;

/// A storage, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StorageRules {
    pub(super) guard: Guard,
    /// The longest that a write takes; none if that has no limit.
    pub(super) latency: Option<u16>,
}

/// A write that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct WrongWrite {
    pub(in crate::check) client: u8,
    /// True if it comes after one that the client itself has decided on in a later life.
    pub(in crate::check) after_own: bool,
    /// True if it was sent before the step that breaks the property.
    pub(in crate::check) was_sent_before: bool,
}

impl Explorer {
    /// The clients that decide on something now, as bits: on a write, or to ask for a token.
    pub(in crate::check) fn deciding(&self, state: &State) -> u8 {
        let Some(StorageRules { guard, .. }) = self.storage else {
            return 0;
        };
        let acting = self.acting(state);
        let decides = |client: &usize| match (guard, state.writes[*client].token) {
            (Guard::RenewedToken, token) => !matches!(token, Token::Taken | Token::Renewing),
            (Guard::ModifiedIndex | Guard::None | Guard::Owner | Guard::Token, _) => true,
        };
        let deciding = (0..self.clients()).filter(|it| acting >> it & 1 != 0);
        let deciding = deciding.filter(decides);
        deciding.fold(0, |bits, client| bits | 1 << client)
    }

    /// True if a client may have asked for the token that it takes, and it has not come.
    pub(super) fn may_take_token(&self, state: &State, client: u8) -> bool {
        let writes = &state.writes[usize::from(client)];
        self.storage.is_some_and(|it| it.guard.has_tokens())
            && writes.token == Token::None
            && writes.is_under_way()
            && self.facts(client, state).believes
    }

    pub(super) fn token_moves(&self, state: &State, choices: &mut Vec<Move>) {
        let clients = 0..self.clients() as u8;
        let takers = clients.filter(|it| self.may_take_token(state, *it));
        choices.extend(takers.map(|client| {
            let what = Store::TakeToken;
            Move::Act(Act::Store { client, what })
        }));
    }

    /// A client is given the newest token.
    pub(super) fn give_token(&self, state: &mut State, client: u8) {
        for writes in &mut state.writes {
            writes.has_newest = false;
        }
        let writes = &mut state.writes[usize::from(client)];
        (writes.token, writes.has_newest) = (Token::Taken, true);
        (writes.age, writes.is_held) = (0, false);
    }

    /// Notes whether a client has renewed since its token came.
    pub(super) fn note_renewal(&self, state: &mut State, client: u8, step: &ClientStep) {
        let writes = &mut state.writes[usize::from(client)];
        match writes.token {
            Token::Renewing if step.renewed => writes.token = Token::Renewed,
            Token::Taken if step.leaving.is_some_and(|it| it.method == Method::Lock) => {
                writes.token = Token::Renewing;
            }
            Token::None | Token::Taken | Token::Renewing | Token::Renewed => {}
        }
    }

    /// True if a write of a client may arrive now, and the storage takes it.
    fn is_taken(&self, state: &State, client: u8) -> bool {
        let writes = state.writes[usize::from(client)];
        let guard = self.storage.map(|it| it.guard);
        writes.is_under_way()
            && match guard {
                None => false,
                Some(Guard::ModifiedIndex | Guard::None) => true,
                Some(Guard::Owner) => self.owner(state) == Some(client),
                Some(Guard::RenewedToken | Guard::Token) => {
                    writes.token != Token::None && writes.has_newest
                }
            }
    }

    /// Notes what a step means for writes; says which of them may be wrong, if one may. Before the
    /// step these clients were [deciding](Self::deciding).
    pub(super) fn note_writes(
        &self,
        state: &mut State,
        before: u8,
        what: Move,
    ) -> Option<WrongWrite> {
        let storage = self.storage?;
        for writes in &mut state.writes {
            writes.step(storage.latency);
        }
        self.note_holders(state);
        // A client that decides on another may have got the row again, and with it the owner's.
        let sent_before = self.late_write(state, true);
        let wrong = self.note_decisions(state, before, what, storage);
        let taken = self.last_taken(state).map(|it| state.writes[usize::from(it)].sent_at);
        for writes in &mut state.writes {
            writes.come_after(taken.unwrap_or_default());
        }
        rank_places(state);
        let wrong = sent_before.or(wrong);
        wrong.or_else(|| self.late_write(state, false))
    }

    /// A late write that the storage takes.
    fn late_write(&self, state: &State, was_sent_before: bool) -> Option<WrongWrite> {
        let mut clients = 0..self.clients() as u8;
        let is_late = |client: &u8| {
            state.writes[usize::from(*client)].is_late && self.is_taken(state, *client)
        };
        clients.find(is_late).map(|client| WrongWrite { client, after_own: false, was_sent_before })
    }

    /// Notes who has got the row.
    fn note_holders(&self, state: &mut State) {
        let last = state.writes.iter().map(|it| it.place.max(it.sent_at));
        let last = last.max().unwrap_or_default();
        for client in 0..self.clients() as u8 {
            let has_row = self.owner(state) == Some(client);
            let writes = &mut state.writes[usize::from(client)];
            let is_last = match self.local {
                // Others that have had the row since are not in the search.
                Some(_) => !writes.is_behind && writes.place > 0,
                None => writes.place > 0 && writes.place == last,
            };
            if has_row && !is_last {
                (writes.place, writes.is_behind) = (last + 1, false);
            }
        }
        let writes = &mut state.writes[0];
        if self.local.is_some() && state.had_owner && !writes.is_behind {
            (writes.is_behind, writes.has_newest) = (true, false);
            writes.is_late = writes.sent_at > 0;
        }
    }

    /// Notes which clients have decided on something, and how long ago.
    fn note_decisions(
        &self,
        state: &mut State,
        before: u8,
        what: Move,
        storage: StorageRules,
    ) -> Option<WrongWrite> {
        let now = self.deciding(state);
        let mut wrong = None;
        for client in 0..self.clients() as u8 {
            let [decided, decides] = [before, now].map(|bits| bits >> client & 1 != 0);
            let has_row = self.owner(state) == Some(client);
            let is_taken = self.is_taken(state, client);
            let is_paused = state.is_paused(Node::Client(client));
            let writes = &mut state.writes[usize::from(client)];
            writes.has_lost_row |= storage.guard == Guard::ModifiedIndex && !has_row;
            if what == Move::Act(Act::Start(Node::Client(client))) {
                writes.start_anew(storage.guard.has_tokens());
            }
            if let Move::Pass(units) = what {
                // The last decision was just before the time at which it ceased to act.
                writes.pass(if decided { 1 } else { units }, storage.latency);
            }
            if decides {
                let is_higher = storage.guard == Guard::ModifiedIndex && !writes.has_lost_row;
                if writes.is_of_former_life && is_taken && !is_higher {
                    wrong = Some(WrongWrite { client, after_own: true, was_sent_before: true });
                }
                writes.decide(has_row);
            } else if is_paused {
                let begins = matches!(what, Move::Act(Act::Pause(_) | Act::Suspend(_)));
                if decided && begins {
                    writes.hold();
                }
            } else if writes.is_held {
                writes.resume(ends_life(what, client));
            }
        }
        wrong
    }

    /// The latest holder of whose writes one may arrive now, if the storage takes it and it is not late.
    pub(in crate::check) fn last_taken(&self, state: &State) -> Option<u8> {
        let clients = 0..self.clients() as u8;
        let taken = clients.filter(|&client| {
            !state.writes[usize::from(client)].is_late && self.is_taken(state, client)
        });
        taken.max_by_key(|&client| state.writes[usize::from(client)].sent_at)
    }
}

/// Numbers the places of holders from 1 on, without gaps.
fn rank_places(state: &mut State) {
    let mut used = 0_u32;
    for writes in &state.writes {
        used |= 1 << writes.place | 1 << writes.sent_at;
    }
    let rank = |place: u8| (used >> 1 & ((1 << place) - 1)).count_ones() as u8;
    for writes in &mut state.writes {
        (writes.place, writes.sent_at) = (rank(writes.place), rank(writes.sent_at));
    }
}

/// True if a step ends the life of a client, and with it what its pause holds up.
pub(in crate::check) fn ends_life(what: Move, client: u8) -> bool {
    let node = Node::Client(client);
    [Act::Crash(node), Act::Start(node)].map(Move::Act).contains(&what)
}
