//! The property of a question, in single states and as time passes.

use super::Explorer;
use super::state::State;
use crate::check::question::Property;
use crate::check::question::faults::Fault;
use crate::check::question::owners::Owners;
use crate::check::question::visible::VisibleState;
use crate::environment::happening::Node;

impl Property {
    /// True if what must not last is so now. `acting` says which clients believe and run, as bits;
    /// `had_owner` says whether there has been [an owner](Self::has_owner).
    pub(in crate::check) fn is_wrong(
        self,
        view: VisibleState,
        acting: impl FnOnce() -> u8,
        owners: Owners,
        had_owner: bool,
    ) -> bool {
        let VisibleState { believers, running, owner } = view;
        match self {
            Self::FalseLoss => false,
            Self::NoClientActs { .. } => had_owner && running != 0 && acting() == 0,
            Self::OneOwner { .. } => believers.count_ones() > 1,
            Self::Own { never, .. } => never.contains(view),
            Self::Acquired { .. } => !had_owner && believers == 0 && running != 0,
            Self::PresenceGap { .. } => had_owner && owner.is_none() && running != 0,
            Self::BeliefMatchesRow { .. } => view.disagreeing(owners) != 0,
            // It takes no time.
            Self::NoWrongWrite => false,
        }
    }

    /// True if it matters if the lock ever had an owner.
    const fn asks_for_owner(self) -> bool {
        self.counts_acquiring() || matches!(self, Self::PresenceGap { .. })
    }

    /// True if a lock that is taken and given up at once had an owner, where the property asks.
    pub(in crate::check) const fn counts_acquiring(self) -> bool {
        matches!(self, Self::NoClientActs { .. } | Self::Acquired { .. })
    }

    /// True if the lock has an owner, where the property asks whether it ever had.
    pub(in crate::check) const fn has_owner(self, view: VisibleState) -> bool {
        match matches!(self, Self::PresenceGap { .. }) {
            true => view.owner.is_some(),
            false => self.counts_acquiring() && view.believers != 0,
        }
    }
}

impl Explorer {
    /// The view of a state that the property sees.
    pub(in crate::check) fn view(&self, state: &State) -> VisibleState {
        let (mut believers, mut running) = (0, 0);
        for (client, facts) in self.each_client(state).enumerate() {
            believers |= u8::from(facts.believes) << client;
            running |= u8::from(facts.is_alive) << client;
        }
        VisibleState { believers, running, owner: self.owner(state) }
    }

    /// The clients that believe they hold the lock and run, as bits.
    pub(super) fn acting(&self, state: &State) -> u8 {
        let acts = |client: &u8| {
            self.facts(*client, state).believes && !state.is_paused(Node::Client(*client))
        };
        let acting = (0..self.clients() as u8).filter(acts);
        acting.fold(0, |bits, client| bits | 1 << client)
    }

    /// Lets time pass for the property; says for how long what must not last has lasted then, in
    /// units. It is counted up to the horizon.
    pub(super) fn watch(&self, state: &mut State, units: u16) -> u16 {
        let (property, view) = (self.question.property, self.view(state));
        let is_counted = self.is_counted_in(view, state);
        let lasts = |watch: u16| watch.saturating_add(units).min(self.horizon);
        if let Property::BeliefMatchesRow { .. } = property {
            for (client, watch) in state.watches.iter_mut().enumerate() {
                let disagrees = view.disagreeing(self.owners) >> client & 1 != 0;
                *watch = if disagrees { lasts(*watch) } else { 0 };
            }
        } else if is_counted {
            state.watches[0] = lasts(state.watches[0]);
        } else {
            state.watches[0] = 0;
        }
        self.watched(state)
    }

    /// True if the question is if one client among others is the last owner of its row.
    pub(super) const fn asks_for_last_owner(&self) -> bool {
        self.has_others() && self.question.property.asks_for_last_owner()
    }

    /// True if the time counts in which it is not, and believes.
    const fn counts_last_owner(&self) -> bool {
        self.has_others() && matches!(self.question.property, Property::OneOwner { .. })
    }

    /// True if the time that passes now counts as wrong.
    pub(super) fn is_counted(&self, state: &State) -> bool {
        self.is_counted_in(self.view(state), state)
    }

    fn is_counted_in(&self, view: VisibleState, state: &State) -> bool {
        if self.counts_last_owner() {
            // Another client may be an owner, too.
            return view.believers != 0 && state.had_owner;
        }
        let property = self.question.property;
        property.is_wrong(view, || self.acting(state), self.owners, state.had_owner)
    }

    /// Notes whether the lock has an owner, after everything that happens: also one that comes and
    /// goes within an instant was there.
    pub(super) fn note_owner(&self, state: &mut State) {
        if self.question.property.asks_for_owner() && !state.had_owner {
            state.had_owner = self.question.property.has_owner(self.view(state));
        }
    }

    /// True if the property is about the time in which a client is paused, whatever waits for it.
    pub(super) fn counts_pauses(&self, state: &State, client: u8) -> bool {
        let is_about_acting = matches!(
            self.question.property,
            Property::NoClientActs { .. } | Property::NoWrongWrite
        );
        is_about_acting && self.facts(client, state).believes
    }

    /// For how long what must not last has lasted, in units.
    pub(super) fn watched(&self, state: &State) -> u16 {
        state.watches.into_iter().max().unwrap_or_default()
    }

    /// True if the state, as time passes, puts the property to the test: without it nothing
    /// that was found says anything.
    pub(in crate::check) fn is_exercised(&self, state: &State) -> bool {
        let (property, view) = (self.question.property, self.view(state));
        match property {
            Property::OneOwner { .. } if self.asks_for_last_owner() => view.believers != 0,
            // A holder, and another client that wants the lock.
            Property::OneOwner { .. } => view.believers != 0 && view.running.count_ones() > 1,
            Property::FalseLoss | Property::BeliefMatchesRow { .. } | Property::NoWrongWrite => {
                view.believers != 0
            }
            // It took a while, and then a client had it; where it must take no time at all, it is
            // enough that a client has it.
            Property::NoClientActs { .. } | Property::PresenceGap { .. } => {
                self.is_counted_in(view, state) || (self.allow == 0 && state.had_owner)
            }
            Property::Acquired { .. } => property.has_owner(view),
            // A state that no such clients can be in breaks nothing.
            Property::Own { never, .. } => never.has_any_of(self.clients()),
        }
    }

    /// True if nothing can break the property any more, whatever happens: two owners take two
    /// clients that run or may start.
    pub(in crate::check) fn is_dead(&self, state: &State) -> bool {
        if !self.reductions.dead_states
            || !matches!(self.question.property, Property::OneOwner { .. })
            || self.left(state, Fault::Restart)
        {
            return false;
        }
        let may_believe = |client: &u8| {
            let facts = self.facts(*client, state);
            facts.is_new || facts.is_alive
        };
        let mut clients = (0..self.clients() as u8).filter(may_believe);
        clients.nth(1).is_none()
    }
}
