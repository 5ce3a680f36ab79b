//! Claims about Locket, its clients and their world: the rules of `protocol`, `node`, `cluster` and
//! `world`. One binary has them all, since each is linked with the whole crate.

mod accounting;
mod common;
mod database_faults;
mod expiry;
mod fast_path;
mod handler;
mod limits;
mod lock_table;
mod many_clients;
mod mysql;
mod poll;
mod profile;
mod random;
#[path = "../support/random.rs"]
mod random_numbers;
#[path = "../check/random_rule.rs"]
mod random_rule;
mod runner;
mod several_processes;
mod state;
mod whole_server;
mod world;
