//! Bugs in the world of one client, each of which the test of the theorem has to find.

use std::ops::Deref;

use crate::check::explorer::machines::Machines;
use crate::check::explorer::moves::{Fates, Move};
use crate::check::explorer::state::State;
use crate::check::explorer::stepping::Stepping;
use crate::check::explorer::{Explorer, Outcome, Sent};
use crate::check::question::Question;
use crate::check::steps::back_end::{self, BackEndStep};
use crate::check::steps::clients::{self, Accepting, ClientStep};
use crate::check::steps::interned::{InternedId, NoStep};
use crate::environment::happening::{Due, Others};

/// A bug in the world of one client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bug {
    /// Others never take a free row.
    NoTake,
    /// Rows of others never go.
    NoDrop,
    /// No process deletes the row of the client.
    NoExpiry,
    /// Others never renew, which a failover shows.
    NoRenewal,
    /// A process drains for ever, or as long as the client has calls.
    NoEndOfCalls,
    /// A process drains no longer than the client has calls.
    NoCallsOfOthers,
    /// All queries that waited for the end of a stall are executed with none of others between them.
    StallEndsAtOnce,
    /// A client stays connected to a process that has ended, where lives are not counted.
    NoDetach,
    /// Each client prefers the first process.
    OneProcess,
}

impl Bug {
    pub(super) const ALL: [Self; 9] = [
        Self::NoTake,
        Self::NoDrop,
        Self::NoExpiry,
        Self::NoRenewal,
        Self::NoEndOfCalls,
        Self::NoCallsOfOthers,
        Self::StallEndsAtOnce,
        Self::NoDetach,
        Self::OneProcess,
    ];

    /// Whether it can show in a question.
    pub(super) fn may_show(self, question: &Question) -> bool {
        let bounds = &question.bounds;
        match self {
            Self::NoTake | Self::NoDrop | Self::NoExpiry => true,
            Self::NoRenewal => bounds.failovers > 0,
            Self::NoEndOfCalls | Self::NoCallsOfOthers => bounds.locket_drains > 0,
            Self::StallEndsAtOnce => bounds.stalls > 0,
            Self::NoDetach => bounds.locket_crashes > 0 || bounds.locket_drains > 0,
            Self::OneProcess => question.processes > 1,
        }
    }

    /// Breaks what holds in all states.
    pub(super) fn break_bounds(self, explorer: &mut Explorer) {
        if self == Self::NoCallsOfOthers {
            explorer.calls_of_others = 0;
        }
    }

    /// Whether a move is never tried.
    pub(super) fn leaves_out(self, explorer: &Explorer, state: &State, what: Move) -> bool {
        let Move::Due(Due::Others(what)) = what else {
            return false;
        };
        match self {
            Self::NoTake => matches!(what, Others::Take { .. }),
            Self::NoDrop => matches!(what, Others::Drop { .. }),
            Self::NoExpiry => matches!(what, Others::Expire { .. }),
            Self::NoRenewal => matches!(what, Others::Renew { .. }),
            Self::NoEndOfCalls => matches!(what, Others::EndCalls { .. }),
            Self::StallEndsAtOnce => explorer.is_stall_over(state),
            Self::NoCallsOfOthers | Self::NoDetach | Self::OneProcess => false,
        }
    }
}

/// Takes a step, with a bug or without.
pub(super) fn step(
    mut explorer: &mut Explorer,
    bug: Option<Bug>,
    state: &mut State,
    what: Move,
    fates: Fates,
) -> Result<Outcome, NoStep> {
    match bug {
        Some(Bug::NoDetach) => Stepping::new(&mut NeverDetached(explorer), state, fates).take(what),
        _ => Stepping::new(&mut explorer, state, fates).take(what),
    }
}

/// An explorer in which a client does not notice that the life of its process is over.
struct NeverDetached<'a>(&'a mut Explorer);

impl Deref for NeverDetached<'_> {
    type Target = Explorer;

    fn deref(&self) -> &Explorer {
        self.0
    }
}

impl Machines for NeverDetached<'_> {
    fn client_step(
        &mut self,
        client: usize,
        id: InternedId,
        input: clients::Input,
        accepting: Accepting,
    ) -> Result<ClientStep, NoStep> {
        if matches!(input, clients::Input::Detach(_)) {
            return Ok(ClientStep::to(id));
        }
        (&mut *self.0).client_step(client, id, input, accepting)
    }

    fn back_end_step(
        &mut self,
        id: InternedId,
        input: back_end::Input,
    ) -> Result<BackEndStep, NoStep> {
        (&mut *self.0).back_end_step(id, input)
    }

    fn new_name(&mut self) -> u32 {
        (&mut *self.0).new_name()
    }

    fn log(&mut self, sent: Sent) {
        (&mut *self.0).log(sent);
    }
}
