//! Questions with any number of clients, or any number of faults of a kind. A proof answers them, of
//! each client alone; no search tries all schedules of such a question.

use super::count::Count;
use super::faults::Fault;
use super::{Question, QuestionError};

impl Question {
    /// The faults that may happen any number of times.
    pub(in crate::check) fn faults_without_limit(&self) -> impl Iterator<Item = Fault> + '_ {
        let all = Fault::ALL.into_iter();
        all.filter(|it| it.allowed(&self.bounds) == Count::Any)
    }

    /// Whether it has any number of clients or of some fault.
    pub(in crate::check) fn is_without_limit(&self) -> bool {
        self.any_clients || self.faults_without_limit().next().is_some()
    }

    /// The same with so many instead of any number of a fault.
    pub(in crate::check) fn with_counts(&self, count: u8) -> Self {
        let mut question = self.clone();
        for fault in self.faults_without_limit() {
            *fault.count(&mut question.bounds) = Count::UpTo(count);
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

    /// The first thing that keeps a question without a limit from being asked.
    pub(super) fn check_any_number(&self) -> Result<(), QuestionError> {
        let fault = self.faults_without_limit().next();
        let (field, number) = match (self.any_clients, fault) {
            (true, _) => ("clients", "any number of clients"),
            (false, Some(fault)) => (fault.field(), "any number"),
            (false, None) => return Ok(()),
        };
        let wrong = |message: &str| Err(QuestionError::new(field, message));
        let needs = |what: &str| wrong(&format!("{number} is only proved {what}; give a number"));
        if !self.property.is_of_each_client() {
            return needs("of one-owner, belief-matches-row and false-loss");
        }
        let has_owner = self.clients.iter().any(|it| it.owner.is_some());
        if self.owners().are_shared() || self.any_clients && has_owner {
            return needs("for clients with different owner strings");
        }
        if self.is_preview() {
            return needs("in exact steps, and for clocks that run alike");
        }
        if self.clients.len() < 2 && !self.any_clients {
            return needs("of several clients");
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
