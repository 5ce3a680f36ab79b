//! How time passes: from one instant at which something happens, or can, to the next.

use super::Explorer;
use super::machines::Machines;
use super::state::{Body, Message, Process, State};
use super::stepping::Stepping;
use crate::check::question::bounds::Fault;
use crate::check::steps::interned::NoStep;
use crate::check::steps::{back_end, clients};

impl Explorer {
    /// How much time passes until something happens or can happen; `None` if never.
    pub(super) fn time_to_pass(&self, state: &State) -> Option<u16> {
        let mut next = u64::MAX;
        let mut consider = |units: u64| next = next.min(units);
        let units = |ms: u64| ms.div_ceil(self.unit_ms);
        for (index, client) in state.clients[..self.clients()].iter().enumerate() {
            if let Some(paused_for) = client.paused_for {
                consider((self.pause - paused_for).into());
            }
            let facts = self.facts(index, client.id);
            let timers = [facts.due_ms, facts.ping_ms].into_iter().flatten();
            for ms in timers.filter(|&ms| ms > 0) {
                consider(units(self.world_ms(index, ms)));
            }
        }
        let facts = self.locket(state);
        let processes = facts.timer_ms.iter().chain(&facts.poll_ms);
        let of_locket = processes.chain([&facts.expiry_ms]);
        of_locket
            .flatten()
            .filter(|ms| **ms > 0)
            .for_each(|&ms| consider(units(ms)));
        let operations = facts.operations.iter().filter(|it| it.due_ms > 0);
        operations.for_each(|it| consider(units(it.due_ms)));
        for process in &state.processes {
            match process {
                Process::Down(units) => consider((self.locket_downtime - units).into()),
                Process::Paused(units) => consider((self.locket_pause - units).into()),
                Process::Runs => {}
            }
        }
        if let Some(stalled_for) = state.stalled_for {
            consider((self.stall - stalled_for).into());
        }
        for message in &state.messages {
            if let Some(units) = self.units_to_arrival(state, message) {
                consider(units.into());
            }
        }
        self.units_to_internal_arrivals(state)
            .for_each(&mut consider);
        for cut in &state.cuts {
            consider((self.partition - cut.age).into());
        }
        if self.can_be_disturbed(state) {
            consider((self.grid - state.phase).into());
        }
        // The moment from which on the property is broken is one at which the search stops.
        if self.is_wrong(state) && self.watched(state) < self.allow {
            consider((self.allow - self.watched(state)).into());
        }
        if next == u64::MAX && self.is_wrong(state) {
            // For ever.
            next = self.horizon.into();
        }
        let next = (next < u64::MAX).then_some(next.max(1));
        next.map(|units| u16::try_from(units).unwrap_or(u16::MAX))
    }

    /// Whether at any instant of the grid something may happen that is due at no fixed time.
    pub(super) fn can_be_disturbed(&self, state: &State) -> bool {
        let clients = state.clients[..self.clients()].iter().enumerate();
        let mut clients = clients.map(|(index, it)| (self.facts(index, it.id), it.paused_for));
        let left = |fault| self.left(state, fault);
        let arrives = |message: &Message| {
            matches!(
                message.body,
                Body::Orphaned | Body::Reply(_) | Body::Request(_)
            ) && self.units_to_arrival(state, message).is_some()
        };
        state.messages.iter().any(arrives)
            || self.units_to_internal_arrivals(state).next().is_some()
            || !state.cuts.is_empty()
            || clients.any(|(facts, paused_for)| {
                facts.is_new
                    || paused_for.is_some()
                    || facts.route.is_some() && left(Fault::Disconnect)
                    || facts.is_active && left(Fault::Crash)
                    || facts.is_alive && left(Fault::Stop)
                    || !facts.is_alive && left(Fault::Restart)
            })
            || state.processes.iter().any(|it| *it != Process::Runs)
            || state.stalled_for.is_some()
            || left(Fault::LocketCrash)
            || left(Fault::LocketDrain)
            || left(Fault::Failover)
            || left(Fault::RowDeletion) && self.locket(state).rows != 0
    }

    /// Milliseconds of the world until a client's clock has advanced by `local`.
    pub(super) fn world_ms(&self, client: usize, local: u64) -> u64 {
        let rate = self.question.clients[client].rate_ppm;
        if rate == 0 {
            return local;
        }
        let rate = 1_000_000_u64.saturating_add_signed(rate.into());
        (local * 1_000_000).div_ceil(rate)
    }

    /// Milliseconds by which a client's clock advances in some units of the world's time.
    pub(super) fn local_ms(&self, client: usize, units: u16) -> u32 {
        let ms = u64::from(units) * self.unit_ms;
        let rate = self.question.clients[client].rate_ppm;
        let rate = 1_000_000_u64.saturating_add_signed(rate.into());
        u32::try_from(ms * rate / 1_000_000).unwrap_or(u32::MAX)
    }
}

impl<M: Machines> Stepping<'_, M> {
    /// Lets time pass, and notes whether the property is broken by that.
    pub(super) fn pass(&mut self, units: u16) -> Result<(), NoStep> {
        debug_assert!(
            !self.explorer.is_forced(self.state),
            "no time passes before what is due has happened"
        );
        let Self {
            explorer, state, ..
        } = self;
        self.outcome.lasted = explorer.watch(state, units);
        self.outcome.violated = self.outcome.lasted > explorer.allow;
        for index in 0..explorer.clients() {
            let client = state.clients[index];
            if let Some(paused_for) = &mut state.clients[index].paused_for {
                *paused_for = (*paused_for + units).min(explorer.pause);
            }
            if explorer.facts(index, client.id).is_active {
                let input = clients::Input::Pass(explorer.local_ms(index, units));
                let accepting = explorer.locket(state).accepting;
                let step = explorer.client_step(index, client.id, input, accepting)?;
                state.clients[index].id = step.next;
            }
        }
        let ms = u32::try_from(u64::from(units) * explorer.unit_ms).unwrap_or(u32::MAX);
        let step = explorer.back_end_step(state.back_end, back_end::Input::Pass(ms))?;
        state.back_end = step.next;
        for process in &mut state.processes {
            match process {
                Process::Down(age) => *age = (*age + units).min(explorer.locket_downtime),
                Process::Paused(age) => *age = (*age + units).min(explorer.locket_pause),
                Process::Runs => {}
            }
        }
        if let Some(stalled_for) = &mut state.stalled_for {
            *stalled_for = (*stalled_for + units).min(explorer.stall);
        }
        for message in &mut state.messages {
            let longest = match message.body {
                Body::Orphaned | Body::Reply(_) | Body::Request(_) => explorer.delay,
                Body::FailedLocally | Body::Held(_) => 0,
            };
            message.age = message.age.saturating_add(units).min(longest);
        }
        for cut in &mut state.cuts {
            cut.age = (cut.age + units).min(explorer.partition);
        }
        state.phase = (state.phase + units) % explorer.grid;
        Ok(())
    }
}
