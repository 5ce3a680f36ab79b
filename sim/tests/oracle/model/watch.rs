//! The property.

use locket_sim::check::{Property, VisibleState};

use super::{CLIENTS_MAX, Client, Rules, World};

impl World {
    /// For how long it has been as it must not last.
    pub(crate) fn wrong_for(&self) -> u16 {
        self.wrong_for.iter().copied().max().unwrap_or_default()
    }

    /// Looks at what must not last, as a unit passes.
    pub(super) fn watch(&mut self, rules: &Rules) {
        let is_wrong: [bool; CLIENTS_MAX] =
            std::array::from_fn(|client| self.is_wrong(client, rules));
        for (wrong_for, is_wrong) in self.wrong_for.iter_mut().zip(is_wrong) {
            let lasts = (*wrong_for + 1).min(rules.counted);
            *wrong_for = if is_wrong { lasts } else { 0 };
        }
    }

    /// Notes that there is an owner now, if only for an instant: any time that it lasts would do.
    pub(super) fn note_owner(&mut self, property: Property) {
        self.had |= match property {
            Property::NoClientActs { .. } | Property::Acquired { .. } => self.believers() > 0,
            Property::PresenceGap { .. } => self.locket.row.is_some(),
            Property::FalseLoss
            | Property::NoWrongWrite
            | Property::OneOwner { .. }
            | Property::Own { .. }
            | Property::BeliefMatchesRow { .. } => false,
        };
    }

    /// True if it is as it must not last, with this client where that is about one.
    fn is_wrong(&self, client: usize, rules: &Rules) -> bool {
        let is_wanted = || self.clients.iter().any(|it| it.runner.is_alive());
        match rules.property {
            Property::FalseLoss | Property::NoWrongWrite => false,
            Property::NoClientActs { .. } => self.had && !self.acts() && is_wanted(),
            Property::OneOwner { .. } => self.believers() > 1,
            Property::Own { never, .. } => never.contains(self.state()),
            Property::Acquired { .. } => !self.had && self.believers() == 0 && is_wanted(),
            Property::PresenceGap { .. } => self.had && self.locket.row.is_none() && is_wanted(),
            Property::BeliefMatchesRow { .. } => {
                let believes = |it: &Client| it.runner.believes();
                let owner = rules.owners.get(client).copied();
                self.clients.get(client).is_some_and(believes) && self.locket.owner() != owner
            }
        }
    }

    fn state(&self) -> VisibleState {
        let bits = |is_so: &dyn Fn(&Client) -> bool| {
            let clients = (0_u8..).zip(&self.clients);
            clients.fold(0, |bits, (number, it)| bits | u8::from(is_so(it)) << number)
        };
        VisibleState {
            believers: bits(&|it| it.runner.believes()),
            running: bits(&|it| it.runner.is_alive()),
            owner: self.locket.owner(),
        }
    }

    /// True if a client believes and runs.
    fn acts(&self) -> bool {
        let acts = |it: &Client| it.runner.believes() && it.paused_for.is_none();
        self.clients.iter().any(acts)
    }

    fn believers(&self) -> usize {
        let clients = self.clients.iter();
        clients.filter(|it| it.runner.believes()).count()
    }
}
