//! A scenario that is run step by step, forwards and backwards.
//!
//! A [`Simulation`] is at a position of a branch. It steps to the next event, goes back and seeks.
//! Its user can [act](Simulation::act) at any moment. An act in the past starts a new branch, and
//! the old branch stays.
//!
//! To go back, the simulation takes the nearest earlier snapshot and repeats the steps from there.
//! The scenario and the acts decide everything, so the result is the same.
//!
//! ```
//! use locket_sim::simulation::Simulation;
//!
//! let scenario = r#"{
//!     "name": "takeover", "until": "40s",
//!     "clients": [
//!         { "name": "a", "key": "k", "retryInterval": "5s", "runner": "upstream" },
//!         { "name": "b", "key": "k", "retryInterval": "5s", "runner": "upstream", "startAt": "1s" }
//!     ]
//! }"#;
//! let mut simulation = Simulation::from_json(scenario)?;
//! simulation.run_until(locket_sim::time::Time::from_ms(7_000))?;
//! simulation.act_json(r#"{ "do": "crash", "node": "a" }"#)?;
//! simulation.run_to_end()?;
//! assert_eq!(simulation.state().rows[0].owner.as_deref(), Some("b"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod branch;
mod branches;
mod error;
mod link;
mod minimize;
mod outside;
mod overrides;
mod player;
mod safety_margin;
mod settled;
mod snapshots;
mod state;
mod timeline;

pub use branch::Place;
pub use branches::BranchView;
pub use error::SimulationError;
pub use minimize::{Minimized, Minimizer};
pub use player::Simulation;
pub use safety_margin::{
    Harm, MarginMoment, MarginQuestion, NodeFault, SafetyMargin, SafetyMarginSearch, Unavoidable,
};
pub use state::{ExpiryView, NodeKind, NodeView, PendingKind, PendingView, RunStatus, State};
pub use timeline::{
    Belief, CallCount, Fate, Holder, Message, NoClientActs, Outage, OutageStatus, Span,
    StorageWrite, Timeline, TwoOwners,
};
