//! Runs the runners of [`locket_sim`] in production, on real clocks.
//!
//! A [`Driver`] stands between a runner and whatever carries its calls and wakes it. It decides
//! nothing about locks. It adds the parts that only production needs. These are two clocks that
//! disagree after a suspension, calls that are answered by number, and the end of all activity when
//! the runner has ended.
//!
//! It waits for nothing itself, so it is the same on real timers as on a virtual clock.
//! [`in_process`] drives runners against a reference server. `network` drives them, in wasm,
//! against a real Locket. The npm package's `acquire`, `presence` and `lockRunner` are loops around
//! it in JavaScript, where timers, promises and abort signals are.

mod call;
#[expect(clippy::module_inception, reason = "it is the driver")]
mod driver;
pub(crate) mod faults;
pub mod in_process;
mod keepers;
#[cfg(all(target_arch = "wasm32", feature = "grpc"))]
pub mod network;
pub mod settings;
mod steady_clock;

pub use self::call::{Call, CallNumber};
pub use self::driver::{Driver, Output, WATCH_INTERVAL};
pub use self::keepers::AlreadyKept;
pub use self::steady_clock::{Reading, SUSPENSION_MIN, SteadyClock};
