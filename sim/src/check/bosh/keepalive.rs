//! The pings of a job's connection to Locket. No question depends on them: a search breaks
//! connections by its own bounds.

use std::fmt;

use super::facts::BoshFacts;
use super::value::{Properties, refused, value_of};
use crate::amounts::Thousands;
use crate::check::question::QuestionError;

/// How a job notices a dead connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keepalive {
    /// The seconds between two pings; 0 for none.
    pub time: u32,
    /// The seconds until a ping without an answer ends the connection.
    pub timeout: u32,
}

/// The values without properties.
const DEFAULT: [u32; 2] = [10, 22];
/// gRPC raises shorter times between pings to this.
const TIME_MIN: u32 = 10;
/// The timeout that gRPC takes for 0.
const TIMEOUT_OF_GRPC: u32 = 20;

impl Keepalive {
    /// The pings, if the job has properties for them and a manifest sets one.
    #[inline]
    pub(super) fn of(
        facts: &BoshFacts,
        properties: &Properties,
    ) -> Result<Option<Self>, QuestionError> {
        let Some(names) = &facts.keepalive else {
            return Ok(None);
        };
        if names.iter().all(|name| value_of(properties, name).is_none()) {
            return Ok(None);
        }
        let seconds = |index: usize| match value_of(properties, names[index]) {
            Some(text) => {
                text.parse().map_err(|_| refused(names[index], "whole seconds, such as 10", text))
            }
            None => Ok(DEFAULT[index]),
        };
        let (time, timeout) = (seconds(0)?, seconds(1)?);
        if time > timeout {
            let expected = format!("at most {timeout}, the timeout of the answer");
            return Err(refused(names[0], &expected, &time.to_string()));
        }
        Ok(Some(Self { time, timeout }))
    }
}

impl fmt::Display for Keepalive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (time, timeout) = match (self.time, self.timeout) {
            (0, _) => {
                return f.write_str(
                    "Keepalive: no pings, so a dead connection is not noticed; no question here \
                     depends on that",
                );
            }
            (time, 0) => (time.max(TIME_MIN), TIMEOUT_OF_GRPC),
            (time, timeout) => (time.max(TIME_MIN), timeout),
        };
        let noticed = Thousands(u64::from(time) + u64::from(timeout));
        write!(
            f,
            "Keepalive: a ping after {time} s without traffic, its answer within {timeout} s; a \
             dead connection is noticed within {noticed} s; no question here depends on that"
        )
    }
}
