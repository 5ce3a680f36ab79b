//! Questions for maps as JSON, for callers in other languages.
//!
//! ```json
//! {
//!   "question": { "runner": "upstream", "latency": "1s" },
//!   "ttl": ["6s", "9s", "15s"], "retryInterval": ["1s", "3s", "5s"],
//!   "axis": "pause"
//! }
//! ```

use serde::Deserialize;

use super::map_question::MapQuestion;
use crate::check::question::axis::Axis;
use crate::check::question::text::{QuestionText, read};
use crate::check::question::{ClientQuestion, QuestionError};
use crate::time::Duration;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct MapText {
    question: QuestionText,
    /// By default the question's own one, as are the columns.
    #[serde(rename = "ttl")]
    ttls: Option<Vec<Duration>>,
    #[serde(rename = "retryInterval")]
    retries: Option<Vec<Duration>>,
    axis: Axis,
    /// By default as many as it takes to reach the longest TTL.
    max_steps: Option<u32>,
}

impl MapQuestion {
    /// Reads the question for a map.
    ///
    /// # Errors
    ///
    /// The first validation error, with its path.
    pub fn from_json(text: &str, states_max: usize) -> Result<Self, QuestionError> {
        let MapText { question, ttls, retries, axis, max_steps } = read(text)?;
        // Clocks with rates of their own have no proof.
        let question = match axis {
            Axis::ClockRate => question.question_with_limits()?,
            Axis::Latency | Axis::LostMessage | Axis::Pause => question.question()?,
        };
        let own =
            |length: fn(&ClientQuestion) -> Duration| question.clients.iter().take(1).map(length);
        let ttls = ttls.unwrap_or_else(|| own(|client| client.ttl).collect());
        let retries = retries.unwrap_or_else(|| own(|client| client.retry_interval).collect());
        let longest = ttls.iter().max().copied().unwrap_or_default();
        let steps_to_longest = longest.as_ms() / question.step().as_ms().max(1);
        Ok(Self {
            question,
            ttls,
            retries,
            axis,
            max_steps: max_steps
                .unwrap_or_else(|| u32::try_from(steps_to_longest).unwrap_or(u32::MAX)),
            states_max,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_map(text: &str) -> Result<MapQuestion, QuestionError> {
        MapQuestion::from_json(text, 1000)
    }

    #[test]
    fn steps_go_up_to_the_longest_ttl_unless_said_otherwise() {
        let text = |more: &str| {
            format!(
                r#"{{"question": {{"grid": "500ms"}}, "ttl": ["3s", "6s"], "retryInterval": ["1s"], "axis": "pause"{more}}}"#
            )
        };
        assert_eq!(read_map(&text("")).unwrap().max_steps, 12);
        let few = read_map(&text(r#", "maxSteps": 3"#)).unwrap();
        assert_eq!(few.max_steps, 3);
    }

    #[test]
    fn an_error_in_a_map_has_its_path() {
        for (text, field) in [
            (r#"{"question": {"latency": "soon"}}"#, "question.latency"),
            (r#"{"question": {}, "ttl": [], "retryInterval": [], "axis": "weather"}"#, "axis"),
            (r#"{"question": {}, "ttl": ["1s", -1]}"#, "ttl[1]"),
        ] {
            assert_eq!(read_map(text).unwrap_err().field, field, "{text}");
        }
    }
}
