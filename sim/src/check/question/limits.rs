//! The limits of a question. Most follow from the space that a search has for each state;
//! and the names that a question gives.

use crate::time::Duration;

/// The most clients of a question.
pub const CLIENTS_MAX: usize = NAMES.len();
/// The most Locket processes of a question.
pub const PROCESSES_MAX: usize = 3;
/// The most faults of one kind, so that their counts fit in what the search keeps for each state.
pub const FAULT_COUNT_MAX: u8 = 15;
/// The longest time that a state can hold, in units.
pub(in crate::check) const UNITS_MAX: u16 = (1 << 14) - 2;
/// The longest time of a question, so that times fit in what the search keeps for each state.
pub(in crate::check) const TIME_MAX: Duration = Duration::from_seconds(3600);

/// The key of all clients.
pub(in crate::check) const KEY: &str = "lock";
/// The names of clients.
pub(in crate::check) const NAMES: [&str; 4] = ["a", "b", "c", "d"];
