//! Claims about the checker, each answered by a search over every schedule.

mod check {
    mod advice;
    mod answers;
    mod any_number;
    mod bosh;
    mod cf_deployment;
    mod cores;
    mod database;
    mod database_crashes;
    mod disconnects;
    mod drains;
    mod edges;
    mod figures;
    mod map;
    mod of_run;
    mod own_property;
    mod partitions;
    mod production;
    mod random_question;
    mod random_questions;
    mod reductions;
    mod replay;
    mod rig;
    mod rolling_change;
    mod row_queues;
    mod safe_runner;
    mod same_owner;
    mod settled;
    mod slow_database;
    mod space_model;
    mod stateright;
    mod storage;
    mod survival;
    mod suspends;
    mod truth;
    mod walk;
}
