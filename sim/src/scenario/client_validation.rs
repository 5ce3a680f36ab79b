//! Validation errors of a client whose text has the right form.

use super::client::Client;
use super::entry::NUMBER;
use crate::node::clock::{RATE_PPM_MAX, RATE_PPM_MIN};
use crate::time::Duration;

impl Client {
    /// Its validation error, if it has one: the field and a message.
    pub(super) fn validation_error(
        &self,
        name_is_taken: bool,
        processes: usize,
    ) -> Option<(&'static str, String)> {
        if let Some(error) = self.count_error() {
            return Some(error);
        }
        if name_is_taken {
            return Some(("name", format!("another node is already named {:?}", self.name)));
        }
        if !self.ttl.as_ms().is_multiple_of(1000) {
            return Some(("ttl", "expected whole seconds: Locket has no fractions".into()));
        }
        let times = self.kind_of_runner().check_times(self.ttl, self.interval());
        if let Some(message) = times.err().filter(|_| self.is_runner()) {
            return Some(("runner", message));
        }
        if self.process >= processes {
            return Some((
                "process",
                format!("there are {processes} Locket processes, counted from 0"),
            ));
        }
        if !(RATE_PPM_MIN..=RATE_PPM_MAX).contains(&self.clock.rate_ppm) {
            return Some((
                "clock",
                format!("expected a ratePpm from {RATE_PPM_MIN} to {RATE_PPM_MAX}"),
            ));
        }
        None
    }

    /// The validation error of its `count` and `startEvery`.
    fn count_error(&self) -> Option<(&'static str, String)> {
        let wrong = |field, message: String| Some((field, message));
        let has_number = self.entry_name().contains(NUMBER);
        match self.count {
            Some(0) => wrong("count", "expected at least 1 client".into()),
            Some(count @ 2..) if !has_number => wrong(
                "name",
                format!(
                    "{count} clients need a name each; write {NUMBER} for the number of the client, such as cell-{NUMBER}"
                ),
            ),
            None if self.start_every > Duration::ZERO => {
                wrong("startEvery", "means nothing to a single client; add a `count`".into())
            }
            _ => None,
        }
    }
}
