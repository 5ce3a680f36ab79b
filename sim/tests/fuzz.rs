//! Fuzzing of what is read from texts: scenarios, links, questions, properties of jobs.
//!
//! Whatever the text, nothing panics and nothing goes on without end; an error is a value that
//! says what it is; what was taken can be written and read again; and the same text twice gives
//! the same run. A short round runs with every test, a long one by `make fuzz`.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

#[path = "check/random_question.rs"]
mod random_question;

mod fuzz {
    mod jobs;
    mod json;
    mod links;
    mod operations;
    mod question_texts;
    mod questions;
    mod round;
    mod scenarios;
    mod shipped;
    mod simulations;
    mod times;
}
