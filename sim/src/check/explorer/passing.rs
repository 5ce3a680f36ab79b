//! How time passes: from one instant at which something happens, or can, to the next.

use super::Explorer;
use super::machines::Machines;
use super::state::State;
use super::stepping::Stepping;
use crate::check::question::faults::{Begins, Fault};
use crate::check::steps::clock::{Clock, NEVER, units};
use crate::check::steps::interned::NoStep;
use crate::check::steps::{back_end, clients};

impl Explorer {
    /// How much time passes until something happens or can happen; `None` if never, or if something has
    /// to happen first.
    pub(super) fn time_to_pass(&self, state: &State) -> Option<u16> {
        let deadline = self.units_to_deadline(state);
        if deadline == 0 || self.machines_force(state) {
            return None;
        }
        let facts = self.locket(state);
        let mut next = deadline.min(facts.units_to_next);
        let mut consider = |units: u32| next = next.min(units);
        for (number, client) in (0..).zip(self.each_client(state)) {
            if !self.is_suspended(state, number) {
                consider(client.units_to_next);
            }
        }
        if facts.is_busy {
            self.units_to_internal_arrivals(state).for_each(&mut consider);
            self.ms_to_commits(state).for_each(|ms| consider(units(ms, self.unit_ms)));
        }
        let to_grid = u32::from(self.grid - state.phase);
        if to_grid < next && (deadline < NEVER || self.can_be_disturbed(state)) {
            next = to_grid;
        }
        // The moment from which on the property is broken is one at which the search stops.
        let is_counted = self.is_counted(state);
        if is_counted && self.watched(state) < self.allow {
            next = next.min((self.allow - self.watched(state)).into());
        }
        if next == NEVER && is_counted {
            // For ever.
            next = self.horizon.into();
        }
        let next = (next < NEVER).then_some(next.max(1));
        next.map(|units| u16::try_from(units).unwrap_or(u16::MAX))
    }

    /// True if at any instant of the grid something may happen that is due at no fixed time, beside the
    /// arrival of a message.
    fn can_be_disturbed(&self, state: &State) -> bool {
        let is_busy = self.locket(state).is_busy;
        !state.lasting.is_empty()
            || is_busy && self.units_to_internal_arrivals(state).next().is_some()
            || is_busy && self.ms_to_commits(state).next().is_some()
            || (0..self.clients() as u8).any(|client| self.connection_may_die(state, client))
            || self.may_become_of_calls(state)
            || self.each_client(state).any(|it| it.is_new || it.tries.is_some_and(|it| it.0))
            || (0..self.clients() as u8).any(|client| self.may_take_token(state, client))
            || self.has_faults_left(state)
                && self.faults.iter().any(|fault| self.may_begin_alone(state, *fault))
    }

    /// True if a fault may begin at a time at which nothing is due.
    fn may_begin_alone(&self, state: &State, fault: Fault) -> bool {
        let mut clients = self.each_client(state);
        self.left(state, fault)
            && match fault.begins() {
                Begins::AtAnyTime | Begins::InTurn => true,
                Begins::WhileActive => clients.any(|it| it.is_alive),
                Begins::WhileAlive => clients.any(|it| it.is_alive),
                Begins::WhileConnected => clients.any(|it| it.route.is_some()),
                Begins::WhileEnded => clients.any(|it| !it.is_alive),
                Begins::WithBusiness if fault == Fault::Pause => {
                    (0..self.clients() as u8).any(|it| self.counts_pauses(state, it))
                }
                Begins::WithAMessage | Begins::WithAQuery | Begins::WithBusiness => false,
                Begins::WithARow => self.owner(state).is_some(),
            }
    }

    fn clock(&self, client: u8) -> Clock {
        self.clients_of_kind[self.kinds[usize::from(client)]].clock()
    }
}

impl<M: Machines> Stepping<'_, M> {
    /// Lets time pass, and notes whether the property is broken by that.
    pub(super) fn pass(&mut self, units: u16) -> Result<(), NoStep> {
        debug_assert!(
            !self.explorer.is_forced(self.state),
            "no time passes before what is due has happened"
        );
        let Self { explorer, state, .. } = self;
        self.outcome.lasted = explorer.watch(state, units);
        self.outcome.violated = self.outcome.lasted > explorer.allow;
        for client in 0..explorer.clients() as u8 {
            if explorer.facts(client, state).is_alive && !explorer.is_suspended(state, client) {
                let input = clients::Input::Pass(explorer.clock(client).local_ms(units));
                let accepting = explorer.locket(state).accepting;
                let index = usize::from(client);
                let step = explorer.client_step(index, state.clients[index], input, accepting)?;
                state.clients[index] = step.next;
            }
        }
        let ms = u32::try_from(u64::from(units) * explorer.unit_ms).unwrap_or(u32::MAX);
        let step = explorer.back_end_step(state.back_end, back_end::Input::Pass(ms))?;
        state.back_end = step.next;
        explorer.age_messages(state, units);
        explorer.age_conditions(state, units);
        state.phase = (state.phase + units) % explorer.grid;
        Ok(())
    }
}
