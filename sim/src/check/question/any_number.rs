//! Questions with any number of clients, or any number of faults of a kind. A proof answers them, of
//! each client alone; no search tries all schedules of such a question.

use super::count::Count;
use super::faults::Fault;
use super::grid::Inexact;
use super::{Question, QuestionError};
use crate::scenario::Share;

impl Question {
    /// The faults that may happen any number of times.
    pub(in crate::check) fn faults_without_limit(&self) -> impl Iterator<Item = Fault> + '_ {
        let all = Fault::ALL.into_iter();
        all.filter(|it| it.allowed(&self.bounds) == Count::Any)
    }

    /// True if it has any number of clients or of some fault.
    pub(in crate::check) fn is_without_limit(&self) -> bool {
        self.any_clients || self.faults_without_limit().next().is_some()
    }

    /// The same question with this many of a fault instead of any number.
    pub(in crate::check) fn with_counts(&self, count: u8) -> Self {
        let mut question = self.clone();
        for fault in self.faults_without_limit() {
            question.bounds.faults[fault].count = Count::UpTo(count);
        }
        question
    }

    /// The error of a question without a limit where a search needs one.
    ///
    /// # Errors
    ///
    /// If it has any number of clients or of some fault.
    pub(in crate::check) fn check_limits(&self) -> Result<(), QuestionError> {
        if self.any_clients {
            let message = "expected a list; any number of clients is for a proof";
            return Err(QuestionError::new("clients", message));
        }
        match self.faults_without_limit().next() {
            Some(fault) => {
                let message = "expected a number; any number is for a proof";
                Err(QuestionError::new(fault.field(), message))
            }
            None => Ok(()),
        }
    }

    /// Notes which faults have no count, and allows those once that no proof can take any number of.
    pub(super) fn limit(&mut self, faults: impl Iterator<Item = Fault>) {
        let may_be_any = self.why_not_any_number().is_none();
        self.uncounted = faults.filter(|it| it.allowed(&self.bounds) == Count::Any).collect();
        for fault in self.uncounted.clone() {
            if !may_be_any || !fault.can_be_without_limit(self) {
                self.bounds.faults[fault].count = Count::UpTo(1);
            }
        }
    }

    /// The same question with one of each fault without a limit, if all of them were given without a count.
    pub(in crate::check) fn with_uncounted_once(&self) -> Option<Self> {
        let mut faults = self.faults_without_limit();
        faults.all(|it| self.uncounted.contains(&it)).then(|| self.with_counts(1))
    }

    /// Names the only questions that are proved for any number, if this is none of them.
    fn why_not_any_number(&self) -> Option<&'static str> {
        let has_owner = self.clients.iter().any(|it| it.owner.is_some());
        if !self.property.is_of_each_client() {
            Some("of one-owner, belief-matches-row, false-loss and no-wrong-write")
        } else if self.owners().are_shared() || self.any_clients && has_owner {
            Some("for clients with different owner strings")
        } else if self.bounds.hold_rows() {
            Some("for transactions that take no time, since any number could wait for a row")
        } else if matches!(self.inexact(), Some(Inexact::Coarse(_) | Inexact::Suspends)) {
            Some("in exact steps, and without suspends")
        } else if self.drift() != Share::default() && !self.may_follow_rows() {
            Some(
                "of one-owner, and of no-wrong-write without a guard or with tokens, without failovers and slow connections, where clocks drift",
            )
        } else if self.clients.len() < 2 && !self.any_clients {
            Some("of several clients")
        } else {
            None
        }
    }

    /// The first thing that keeps a question without a limit from being asked.
    pub(super) fn check_any_number(&self) -> Result<(), QuestionError> {
        let fault = self.faults_without_limit().next();
        let (field, number) = match (self.any_clients, fault) {
            (true, _) => ("clients", "any number of clients"),
            (false, Some(fault)) => (fault.field(), "any number"),
            (false, None) => return Ok(()),
        };
        if let Some(what) = self.why_not_any_number() {
            let message = format!("{number} is only proved {what}; give a number");
            return Err(QuestionError::new(field, &message));
        }
        let mut all = self.faults_without_limit();
        match all.find(|it| !it.can_be_without_limit(self)) {
            Some(fault) => {
                let message = "expected a number; with failovers, and of other properties than \
                    one-owner, late calls of each life of a client are counted";
                Err(QuestionError::new(fault.field(), message))
            }
            None => Ok(()),
        }
    }
}
