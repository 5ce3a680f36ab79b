//! The bound that a map of settings raises.

use serde::Deserialize;

/// The quantity that is raised until the property breaks. A step is the question's grid by
/// default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Axis {
    /// How long messages take.
    Latency,
    /// How many messages are lost; a step is one.
    LostMessage,
    /// The length of each pause of a client; one unless the question allows more.
    Pause,
}
