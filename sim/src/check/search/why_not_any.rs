//! Why a safe verdict is about the clients of its question, and not about any number of them.

use serde::Serialize;

use super::why_unknown::WhyUnknown;
use super::{ProvedBy, Search};
use crate::amounts::count;
use crate::check::question::faults::Fault;
use crate::check::question::{Property, Question};
use crate::scenario::Share;
use crate::time::Duration;

/// Why a safe verdict does not hold for any number of clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum WhyNotAny {
    /// Two owners may overlap for up to `allow`. Overlaps of more clients can follow each other, and
    /// together last longer.
    Allow,
    /// No proof covers clocks that drift: the property is another than `one-owner`, and than `no-wrong-write`
    /// without a guard or with tokens, or failovers or slow connections may happen.
    Drift,
    /// A client alone breaks the rule that proves the property for any number, in a world that allows
    /// others everything.
    EachClient,
    /// Each client was not asked alone: in Rust, `Reductions::each_client` was off.
    NotAsked,
    /// Clients present one owner string, so they are one owner to Locket.
    OwnerStrings,
    /// The property is about several clients: which of them has the lock next, or your own property.
    Property,
    /// Transactions hold their rows for a while: how long a call waits depends on how many clients
    /// there are.
    RowQueues,
    /// How long a process drains, or which commits a failover loses, depends on clients with other
    /// keys, too.
    SharedFaults,
    /// The search of a client among any number of others reached its limit of states.
    TooManyStates,
}

impl Question {
    /// True if it has one client, which no client with another key can disturb.
    pub(in crate::check) fn is_alone(&self) -> bool {
        let mut faults = Fault::ALL.into_iter();
        let is_shared = |it: Fault| it.depends_on_other_keys() && it.allowed(&self.bounds) > 0;
        self.has_one_client() && !faults.any(is_shared)
    }

    const fn has_one_client(&self) -> bool {
        self.clients.len() == 1 && !self.any_clients
    }
}

impl Search {
    /// Why a safe verdict does not hold for any number of clients, or an unknown one not for clocks that
    /// drift; `None` if it does.
    pub fn why_not_any(&self) -> Option<WhyNotAny> {
        let question = self.question();
        let has_drift = self.judged().1 == Some(WhyUnknown::Drift);
        let is_safe = self.proof().is_some_and(|it| it.by == ProvedBy::AllSchedules);
        if !has_drift && (!is_safe || question.is_alone()) {
            return None;
        }
        Some(if question.has_one_client() {
            WhyNotAny::SharedFaults
        } else if question.owners().are_shared() {
            WhyNotAny::OwnerStrings
        } else if !question.property.is_of_each_client() {
            WhyNotAny::Property
        } else if question.bounds.hold_rows() {
            WhyNotAny::RowQueues
        } else if has_drift && !question.may_follow_rows() {
            WhyNotAny::Drift
        } else if !self.explorer.reductions.each_client {
            WhyNotAny::NotAsked
        } else if self.each_client.is_cut() {
            WhyNotAny::TooManyStates
        } else if matches!(question.property, Property::OneOwner { allow } if allow > Duration::ZERO)
        {
            WhyNotAny::Allow
        } else {
            WhyNotAny::EachClient
        })
    }
}

impl WhyNotAny {
    /// The reason as a sentence about the answer to a question.
    pub(in crate::check) fn words(self, question: &Question) -> String {
        let why = match self {
            Self::Allow | Self::EachClient => {
                let broken = question.property.broken_alone_words();
                format!("among others that may do everything, {broken}")
            }
            Self::Drift => {
                "the proofs are of one-owner, and of no-wrong-write without a guard or with tokens, \
                without failovers and slow connections"
                    .to_owned()
            }
            Self::NotAsked => "the searches of each client alone are off".to_owned(),
            Self::OwnerStrings => {
                "to Locket, clients that share an owner string are one client".to_owned()
            }
            Self::Property if matches!(question.property, Property::Own { .. }) => {
                "your property may be about several clients".to_owned()
            }
            Self::Property => "which client gets the lock next depends on every client".to_owned(),
            Self::RowQueues => "any number of transactions could wait for a row".to_owned(),
            Self::SharedFaults => {
                "drains and failovers depend on clients with other keys, too".to_owned()
            }
            Self::TooManyStates => {
                "the search of a client among any number of others has too many states".to_owned()
            }
        };
        if question.drift() != Share::default() {
            return format!(" There is no proof for clocks that drift: {why}.");
        }
        let clients = count(question.clients.len() as u64, "client");
        format!(" This covers {clients} only: {why}.")
    }
}
