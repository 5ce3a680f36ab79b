//! What must never happen, as seen in single states and as time passes.

use super::Model;
use crate::check::question::Property;
use crate::check::runners::CREATED;
use crate::check::state::{Client, Fault, State};

impl Model {
    /// Looks whether what must not last lasts too long, if time passes now.
    pub(super) fn watch(&self, state: &mut State, units: u16) -> bool {
        if !self.is_wrong(state) {
            state.watch = 0;
            state.had_owner |= self.has_owner(state);
            return false;
        }
        let lasted = u64::from(state.watch) + u64::from(units);
        state.watch = u16::try_from(lasted).unwrap_or(u16::MAX);
        lasted > self.tolerated
    }

    /// Whether somebody holds the lock, where the property asks whether somebody ever did.
    pub(super) fn has_owner(&self, state: &State) -> bool {
        match self.question.property {
            Property::FalseLoss | Property::OneOwner { .. } | Property::RowAgrees { .. } => false,
            Property::Handover { .. } | Property::Owned { .. } => self.believers(state) > 0,
            Property::PresenceGap { .. } => self.lockets.facts(state.locket).owner.is_some(),
        }
    }

    /// Whether what must not last is so now.
    pub(super) fn is_wrong(&self, state: &State) -> bool {
        let clients = || state.clients[..self.clients()].iter().enumerate();
        let wanted = || clients().any(|(index, client)| self.is_alive(index, *client));
        let owner = self.lockets.facts(state.locket).owner;
        match self.question.property {
            Property::FalseLoss => false,
            Property::Handover { .. } => state.had_owner && self.believers(state) == 0 && wanted(),
            Property::OneOwner { .. } => self.believers(state) > 1,
            Property::Owned { .. } => !state.had_owner && self.believers(state) == 0 && wanted(),
            Property::PresenceGap { .. } => state.had_owner && owner.is_none() && wanted(),
            Property::RowAgrees { .. } => clients()
                .any(|(index, client)| self.believes(index, *client) && owner != Some(index as u8)),
        }
    }

    /// Whether the state, as time passes, puts the property to the test: without it nothing
    /// that was found says anything.
    pub(in crate::check) fn is_exercised(&self, state: &State) -> bool {
        let clients = || state.clients[..self.clients()].iter().enumerate();
        let alive = clients().filter(|(index, client)| self.is_alive(*index, **client));
        match self.question.property {
            // A holder, and somebody else who wants it.
            Property::OneOwner { .. } => self.believers(state) > 0 && alive.count() > 1,
            Property::FalseLoss | Property::RowAgrees { .. } => self.believers(state) > 0,
            // It took a while, and then somebody had it; where it must take no time at all, it is
            // enough that somebody has it.
            Property::Handover { .. } | Property::PresenceGap { .. } => {
                self.is_wrong(state) || (self.tolerated == 0 && state.had_owner)
            }
            Property::Owned { .. } => self.has_owner(state),
        }
    }

    /// Whether nothing can break the property any more, whatever happens.
    pub(in crate::check) fn is_dead(&self, state: &State) -> bool {
        if !self.reductions.dead_states
            || !matches!(self.question.property, Property::OneOwner { .. })
            || self.left(state, Fault::Restart)
        {
            return false;
        }
        let clients = state.clients[..self.clients()].iter().enumerate();
        let may_believe = |&(index, client): &(usize, &Client)| {
            client.mind == CREATED || self.is_alive(index, *client)
        };
        clients.filter(may_believe).count() < 2
    }
}
