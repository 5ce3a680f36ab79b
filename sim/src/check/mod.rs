//! The checker: tries every schedule within bounds, and says whether something can go wrong.
//!
//! A [`Question`] names runners, what may go wrong and what must never happen; a [`Search`]
//! answers it. What is searched is not a model of the runner and of Locket's rules but the
//! shipped machines themselves, so an answer holds for what ships. Three things make that fast:
//!
//! * States are **relative to now** and leave out what only grows, so there are finitely many,
//!   and a search that has visited all of them is a proof for runs of any length.
//! * Each machine's step from a situation is **computed once** by its own code and then looked
//!   up. A state is a few numbers of situations and the messages on their way; it is compared
//!   in full, never by a hash alone.
//! * Messages are **lazy**: one that may take up to `d` may arrive at any instant until then.
//!
//! Integer times are enough: all bounds are inclusive differences of times, whose extreme points
//! lie on the grid if the settings do, and what is due at one instant is tried in both orders.
//! Clocks that run at different rates break that argument; there, timers fire at the first
//! instant of the search's unit at which they are due, and a proof is one for that grid.
//!
//! ```
//! use locket_sim::check::{ClientQuestion, Question, Reductions, Search, Verdict};
//! use locket_sim::scenario::RunnerKind;
//! use locket_sim::time::Duration;
//!
//! let seconds = Duration::from_seconds;
//! let upstream = ClientQuestion::new(RunnerKind::Upstream, seconds(15), seconds(5));
//! let mut question = Question::one_owner(upstream);
//! question.bounds.delay = seconds(2);
//! let mut search = Search::new(question, Reductions::default(), 1_000_000)?;
//! assert_eq!(search.run(u64::MAX), Verdict::Proved);
//! # Ok::<(), locket_sim::check::QuestionError>(())
//! ```

mod of_scenario;
mod question;

mod machine;

mod lockets;
mod runners;

mod model;
mod moves;
mod state;

#[cfg(not(target_arch = "wasm32"))]
mod ahead;
mod following;
mod formula;
mod search;
mod space;
mod store;

mod play;
mod replay;
mod scenario_text;
mod schedule;
mod timing;
mod watch;

mod advice;
mod answer;
mod bosh;
mod least;
mod map;
mod map_text;
mod story;
mod text;

pub use advice::{Advice, Adviser, Alternative, Cost};
pub use answer::Answer;
pub use bosh::{BOSH_JOBS, BoshJob, BoshSetting, BoshSettings};
pub use formula::Formula;
pub use lockets::PROCESSES_MAX;
pub use map::{Axis, Cell, MapQuestion, SettingsMap};
pub use model::Reductions;
pub use question::{
    Bounds, CLIENTS_MAX, ClientQuestion, FAULT_COUNT_MAX, Finest, Property, Question, QuestionError,
};
pub use replay::{Counterexample, ReplayError};
pub use schedule::Schedule;
pub use search::{Search, Verdict};
pub use space::{Space, SpaceState};
pub use story::{Range, Story, StoryLine};
