//! Bugs planted in the search of one client; the test of the theorem has to find each.

use crate::check::explorer::message::{Body, Message};
use crate::check::explorer::moves::{Fates, Move};
use crate::check::explorer::state::State;
use crate::check::explorer::stepping::Stepping;
use crate::check::explorer::{Explorer, Outcome};
use crate::check::question::Question;
use crate::check::question::faults::Fault;
use crate::check::question::local::Follows;
use crate::check::steps::interned::NoStep;
use crate::environment::acts::Act;
use crate::environment::happening::{Due, Node, Others};
use crate::protocol::message::Method;

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
    /// No call fails, where only rows are followed.
    NoFailure,
    /// There, an answer arrives at once or never.
    NoLateAnswer,
    /// There, a Lock is executed at once or never.
    NoLateLock,
    /// There, a Release is executed at once or never.
    NoLateRelease,
    /// There, a Release is executed within the latency, also where a process or the database holds it up.
    NoHeldRelease,
    /// There, a Lock is executed once.
    NoSecondLock,
    /// Others that have had the row have written nothing.
    NoWriteOfOthers,
}

impl Bug {
    /// With a question in which each was found: that one is asked first.
    pub(super) const ALL: [(Self, u64); 16] = [
        (Self::NoTake, 1),
        (Self::NoDrop, 1),
        (Self::NoExpiry, 8),
        (Self::NoRenewal, 3),
        (Self::NoEndOfCalls, 41),
        (Self::NoCallsOfOthers, 179),
        (Self::StallEndsAtOnce, 816),
        (Self::NoDetach, 41),
        (Self::OneProcess, 11),
        (Self::NoFailure, 8),
        (Self::NoLateAnswer, 8),
        (Self::NoLateLock, 8),
        (Self::NoLateRelease, 35),
        (Self::NoHeldRelease, 858),
        (Self::NoSecondLock, 449),
        (Self::NoWriteOfOthers, 8),
    ];

    /// True if it can show in a question.
    pub(super) fn may_show(self, question: &Question) -> bool {
        let bounds = &question.bounds;
        match self {
            Self::NoTake | Self::NoDrop | Self::NoExpiry => true,
            Self::NoRenewal => bounds.allow(Fault::Failover),
            Self::NoEndOfCalls | Self::NoCallsOfOthers => bounds.allow(Fault::LocketDrain),
            Self::StallEndsAtOnce => bounds.allow(Fault::Stall),
            Self::NoDetach => bounds.allow(Fault::LocketCrash) || bounds.allow(Fault::LocketDrain),
            Self::OneProcess => question.processes > 1,
            Self::NoFailure | Self::NoLateAnswer | Self::NoLateLock => follows_rows(question),
            Self::NoLateRelease => bounds.allow(Fault::Stop) && follows_rows(question),
            Self::NoHeldRelease => {
                let held = bounds.allow(Fault::Stall) || bounds.allow(Fault::LocketPause);
                held && bounds.allow(Fault::Stop) && follows_rows(question)
            }
            Self::NoSecondLock => bounds.allow(Fault::Duplicate) && follows_rows(question),
            Self::NoWriteOfOthers => question.property.is_about_storage(),
        }
    }

    /// Breaks what holds in all states.
    pub(super) fn break_bounds(self, explorer: &mut Explorer) {
        if self == Self::NoCallsOfOthers {
            explorer.calls_of_others = 0;
        }
        if self == Self::NoHeldRelease {
            explorer.transit.to_rows = Some(explorer.delay);
        }
    }

    /// True if a move is never tried.
    pub(super) fn leaves_out(self, explorer: &Explorer, state: &State, what: Move) -> bool {
        let what = match what {
            Move::Due(Due::FailLocally(_)) => {
                return self == Self::NoFailure && !explorer.follows_calls();
            }
            Move::Due(Due::Others(what)) => what,
            Move::Act(_) | Move::Due(_) | Move::Pass(_) => return false,
        };
        let is_never_done = matches!(
            (self, what),
            (Self::NoTake, Others::Take)
                | (Self::NoDrop, Others::Drop)
                | (Self::NoExpiry, Others::Expire)
                | (Self::NoRenewal, Others::Renew)
                | (Self::NoEndOfCalls, Others::EndCalls { .. })
        );
        is_never_done || self == Self::StallEndsAtOnce && explorer.is_stall_over(state)
    }

    /// Takes away a message of which more could become after a step.
    fn drops(self, what: Move, message: &Message) -> bool {
        match message.body {
            Body::Reply(_) => self == Self::NoLateAnswer && matches!(what, Move::Pass(_)),
            Body::Request(Method::Lock) => match what {
                Move::Due(Due::Arrive(_)) => self == Self::NoSecondLock,
                Move::Pass(_) => self == Self::NoLateLock,
                Move::Act(_) | Move::Due(_) => false,
            },
            Body::Request(_) => self == Self::NoLateRelease && matches!(what, Move::Pass(_)),
            Body::FailedLocally | Body::Held(_) | Body::Orphaned => false,
        }
    }
}

/// True if a search follows only the rows.
fn follows_rows(question: &Question) -> bool {
    let locals = question.locals();
    locals.iter().any(|of_key| of_key[0].1.locket == Follows::Rows)
}

const fn ends_process(what: Move) -> bool {
    matches!(
        what,
        Move::Act(Act::Crash(Node::Locket(_))) | Move::Due(Due::Others(Others::EndCalls { .. }))
    )
}

/// Takes a step, with a bug or without.
pub(super) fn step(
    mut explorer: &mut Explorer,
    bug: Option<Bug>,
    state: &mut State,
    what: Move,
    fates: Fates,
) -> Result<Outcome, NoStep> {
    let client = state.clients[0];
    let outcome = Stepping::new(&mut explorer, state, fates).take(what)?;
    match bug {
        Some(Bug::NoDetach) if ends_process(what) => state.clients[0] = client,
        Some(Bug::NoWriteOfOthers) => {
            (state.writes[0].is_behind, state.writes[0].is_late) = (false, false);
        }
        Some(bug) if !explorer.follows_calls() => {
            state.messages.retain(|it| !bug.drops(what, it));
        }
        Some(_) | None => {}
    }
    Ok(outcome)
}
