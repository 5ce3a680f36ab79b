//! Claims about scenarios, their runs and what is made of them, and about the crate itself. One
//! binary has them all, since each is linked with the whole crate.

mod digests;
mod exported;
mod exports;
mod fault_names;
mod minimize;
mod never_exercised;
mod no_client_acts;
mod rooms;
mod safety_margin;
mod scenario;
mod settled;
mod simulation;
mod steps;
mod storage;
mod stories;
mod sweep;
mod timeline;
