//! Why a simulation does not do what it is asked.

use std::fmt;

use crate::scenario::{ScenarioError, StepsExceeded};

/// Why a simulation does not do what it is asked; it is as it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SimulationError {
    /// An argument cannot be taken: its name, with the path into it, and what was expected.
    Argument {
        /// The argument.
        field: String,
        /// The message.
        message: String,
    },
    /// A link that is none, or one of a version that is not known.
    Link(String),
    /// The scenario is not valid.
    Scenario(ScenarioError),
    /// It would take more steps than it may.
    Steps(StepsExceeded),
}

impl SimulationError {
    pub(super) fn argument(field: &str, message: impl Into<String>) -> Self {
        Self::Argument { field: field.to_owned(), message: message.into() }
    }
}

impl From<ScenarioError> for SimulationError {
    fn from(error: ScenarioError) -> Self {
        Self::Scenario(error)
    }
}

impl From<StepsExceeded> for SimulationError {
    fn from(exceeded: StepsExceeded) -> Self {
        Self::Steps(exceeded)
    }
}

impl fmt::Display for SimulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument { field, message } => write!(f, "{field}: {message}"),
            Self::Link(message) => write!(f, "link: {message}"),
            Self::Scenario(error) => error.fmt(f),
            Self::Steps(exceeded) => exceeded.fmt(f),
        }
    }
}

impl std::error::Error for SimulationError {}
