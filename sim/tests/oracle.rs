//! An oracle for the checker: a second, plain model of Locket, its clients and their network.
//!
//! It is written from the observed behaviour of Locket and its runners and shares no rule with
//! `check` or `protocol`. Times are integers. It tries one unit of time after another, and every
//! order of all events and faults within an instant, without any reduction. For random questions
//! the checker must agree with it on the verdict, the first violation (faults, then time) and how
//! long there are two owners.
//!
//! In the other direction, random runs of the full world never do what the checker has proved to be
//! impossible.
//!
//! `SEED` and `CASES` ask other questions and more of them, `SIZE` those of more states, and
//! `ABOUT='partitions pauses'` only those with these faults. A failure names the question, which
//! `QUESTION='…' cargo test -p locket-sim-tests --test oracle` asks alone.

mod oracle {
    mod by_stateright;
    mod case;
    mod chosen;
    mod compare;
    mod figures;
    mod locket;
    mod model;
    mod proved;
    mod question;
    mod questions;
    #[path = "../support/random.rs"]
    mod random;
    #[path = "../check/random_rule.rs"]
    mod random_rule;
    mod run;
    mod runner;
    mod sample;
    mod search;
    mod tell;
}
