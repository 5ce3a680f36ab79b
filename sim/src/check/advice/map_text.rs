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
        let question = question.question()?;
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
