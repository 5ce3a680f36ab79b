//! A poll that would change nothing is left out, and no other.

use std::sync::Arc;

use super::{LocketProcess, ProcessInput, ProcessOutput};
use crate::node::database::{Database, DatabaseInput, DatabaseOutput, Direct};
use crate::node::message::{IncomingCall, Query};
use crate::protocol::message::{Method, Request};
use crate::protocol::profile::Profile;
use crate::protocol::resource::{Resource, TypeCode};
use crate::protocol::row::Row;
use crate::protocol::runner::CallId;
use crate::protocol::server::Caller;
use crate::time::{Duration, Time};

/// A process that has polled an empty table, and its database.
fn process_and_database() -> (LocketProcess, Database) {
    let profile = Profile::UPSTREAM;
    let mut process = LocketProcess::new(profile, Time::ZERO);
    let mut database = Database::new(profile, 1, 1);
    poll(&mut process, &mut database, 0);
    (process, database)
}

fn at(seconds: u64) -> Time {
    Time::ZERO + Duration::from_seconds(seconds)
}

fn request(key: &str) -> Request {
    let resource = Resource {
        key: key.into(),
        owner: "a".into(),
        type_code: TypeCode::Lock,
        ..Resource::default()
    };
    Request::Lock { resource: Some(resource), ttl_in_seconds: 6 }
}

fn lock(process: &mut LocketProcess, database: &mut Database, key: &str, seconds: u64) {
    let (request, now) = (request(key), at(seconds));
    let mut ask = Direct::new(database, now);
    let _ = process.begin_call(&request, Caller::default(), now, &mut ask, &mut ());
}

/// The same call by a query. Gives back the answer, which is still on its way.
fn lock_by_query(
    process: &mut LocketProcess,
    database: &mut Database,
    key: &str,
    seconds: u64,
) -> ProcessInput {
    let call = IncomingCall {
        client: 0,
        session: 0,
        call: CallId { method: Method::Lock, request_id: None },
        request: Arc::new(request(key)),
    };
    ask(process, database, ProcessInput::Request(0, call), seconds)
}

/// An input after which a process asks the database. Gives back the answer.
fn ask(
    process: &mut LocketProcess,
    database: &mut Database,
    input: ProcessInput,
    seconds: u64,
) -> ProcessInput {
    let (mut asked, mut answers) = (Vec::new(), Vec::new());
    process.handle(input, at(seconds), &mut asked);
    let [ProcessOutput::Query(token, transaction)] = &asked[..] else {
        panic!("it asks the database: {asked:?}")
    };
    let query = Query { process: 0, token: *token, transaction: transaction.clone() };
    database.handle(DatabaseInput::Query(query), at(seconds), &mut answers);
    let Some(DatabaseOutput::Answer(answer)) = answers.pop() else {
        panic!("the database answers: {answers:?}")
    };
    ProcessInput::Answer(answer.token, answer.answer)
}

/// Says whether the poll was left out.
fn poll(process: &mut LocketProcess, database: &mut Database, seconds: u64) -> bool {
    let now = at(seconds);
    let mut ask = Direct::new(database, now);
    let would_be_left_out = process.knows_all(&ask);
    assert!(process.poll(now, &mut ask, &mut ()));
    would_be_left_out
}

fn fire(process: &mut LocketProcess, database: &mut Database, seconds: u64) {
    let now = at(seconds);
    assert!(process.fire_timers(now, &mut Direct::new(database, now), &mut ()));
}

fn timers(process: &LocketProcess) -> usize {
    process.server().map_or(0, |server| server.expiry().len())
}

#[test]
fn a_poll_after_calls_of_the_process_alone_is_left_out() {
    let (mut process, mut database) = process_and_database();
    lock(&mut process, &mut database, "k", 1);
    lock(&mut process, &mut database, "k", 2);
    assert!(poll(&mut process, &mut database, 5));
    fire(&mut process, &mut database, 8);
    assert!(poll(&mut process, &mut database, 10));
}

#[test]
fn so_is_one_after_the_answers_to_its_queries() {
    let (mut process, mut database) = process_and_database();
    for (key, seconds) in [("k", 1), ("m", 1), ("m", 3)] {
        let answer = lock_by_query(&mut process, &mut database, key, seconds);
        process.handle(answer, at(seconds), &mut Vec::new());
    }
    assert!(poll(&mut process, &mut database, 5));
    assert_eq!(timers(&process), 2);
    let timer = ProcessInput::ExpiryTimer;
    let answer = ask(&mut process, &mut database, timer, 8);
    process.handle(answer, at(8), &mut Vec::new());
    assert!(poll(&mut process, &mut database, 10));
    assert_eq!(timers(&process), 1);
}

#[test]
fn a_poll_finds_a_row_of_which_the_process_has_heard_no_answer() {
    let (mut process, mut database) = process_and_database();
    let _lost = lock_by_query(&mut process, &mut database, "k", 1);
    let answer = lock_by_query(&mut process, &mut database, "m", 1);
    process.handle(answer, at(1), &mut Vec::new());
    assert!(!poll(&mut process, &mut database, 5));
    assert_eq!(timers(&process), 2);
}

#[test]
fn a_poll_after_a_call_of_another_process_is_not() {
    let (mut process, mut database) = process_and_database();
    let mut other = LocketProcess::new(Profile::UPSTREAM, Time::ZERO);
    lock(&mut process, &mut database, "k", 1);
    lock(&mut other, &mut database, "m", 1);
    lock(&mut process, &mut database, "k", 2);
    assert!(!poll(&mut process, &mut database, 5));
    assert_eq!(timers(&process), 2);
}

// B36
#[test]
fn a_poll_finds_a_row_whose_key_was_cut() {
    let (mut process, mut database) = process_and_database();
    let key = format!("{} ", "k".repeat(255));
    lock(&mut process, &mut database, &key, 1);
    assert!(!poll(&mut process, &mut database, 5));
    assert_eq!(timers(&process), 2);
    let key = format!("{} ", "m".repeat(255));
    let answer = lock_by_query(&mut process, &mut database, &key, 6);
    process.handle(answer, at(6), &mut Vec::new());
    assert!(!poll(&mut process, &mut database, 10));
    assert_eq!(timers(&process), 4);
}

#[test]
fn a_poll_finds_a_row_that_a_timer_could_not_delete() {
    let (mut process, mut database) = process_and_database();
    lock(&mut process, &mut database, "k", 1);
    let row = database.table().row("k").expect("it was written");
    let of_another = Row { owner: Some("b".into()), ..row };
    database.handle(DatabaseInput::PutRow(of_another), at(2), &mut Vec::new());
    poll(&mut process, &mut database, 5);
    fire(&mut process, &mut database, 7);
    assert_eq!(timers(&process), 0);
    assert!(!poll(&mut process, &mut database, 10));
    assert_eq!(timers(&process), 1);
}

#[test]
fn a_poll_finds_a_row_that_a_failover_brings_back() {
    let (mut process, mut database) = process_and_database();
    lock(&mut process, &mut database, "k", 1);
    fire(&mut process, &mut database, 7);
    database.handle(DatabaseInput::FailOver(1), at(8), &mut Vec::new());
    // The table has seen as many writes as before the failover.
    let mut other = LocketProcess::new(Profile::UPSTREAM, Time::ZERO);
    lock(&mut other, &mut database, "m", 9);
    assert!(!poll(&mut process, &mut database, 10));
    assert_eq!(timers(&process), 2);
}

#[test]
fn a_process_that_starts_polls_the_whole_table() {
    let (mut process, mut database) = process_and_database();
    lock(&mut process, &mut database, "k", 1);
    process.end();
    process.start(at(5));
    assert!(!poll(&mut process, &mut database, 5));
    assert_eq!(timers(&process), 1);
}
