//! Fuzzing of what is read from texts: scenarios, links, questions.
//!
//! With any text, no call panics and every call ends. An error is a value with its message. An
//! accepted text can be written and read again. The same text twice gives the same run.
//!
//! A short round runs with every test, a long one by `make fuzz`.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod fuzz {
    mod json;
    mod links;
    mod operations;
    mod question_texts;
    mod round;
    mod scenarios;
    mod shipped;
    mod simulations;
    mod times;
}
