//! The facts about Cloud Foundry's own jobs and the shipped Locket, by release, and the settings
//! that a job has in a manifest.
//!
//! Facts have dates: the runner, the retry interval, the properties that count and the switches
//! have changed, and so has the server. [`jobs`] is the only table of them; each row has its source. This module
//! asks no question and knows nothing of YAML.

pub(super) mod facts;
pub(super) mod jobs;
pub(super) mod keepalive;
pub(super) mod locket;
pub(super) mod rows;
pub(super) mod settings;
pub(super) mod value;
pub(super) mod version;
pub(super) mod view;
pub(super) mod words;
