//! Machines on nodes, each told the time of its own clock.

pub mod clock;
