//! Claims about the checker, each answered by a search over every schedule.

mod check {
    mod advice;
    mod answers;
    mod any_number;
    mod clients;
    mod connections;
    mod drift;
    mod faults;
    mod figures;
    mod map;
    mod of_run;
    mod own_property;
    mod pages;
    mod presets;
    #[path = "../support/random.rs"]
    mod random;
    mod random_question;
    mod random_questions;
    mod random_rule;
    mod reductions;
    mod replay;
    mod rig;
    mod row_queues;
    mod rules;
    mod safe_runner;
    mod space_model;
    mod storage;
    mod survival;
    mod texts;
    mod truth;
}
