//! Claims about the `locks` table: which transactions it accepts and what they leave behind.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod deletes;
mod reads;

use crate::common::*;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::id_source::ModifiedId;
use locket_sim::protocol::lock_table::LockTable;
use locket_sim::protocol::log::Level;
use locket_sim::protocol::operation::{Operation, Outcome};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::resource::{Resource, TypeCode};
use locket_sim::protocol::row::{Registration, Row, RowType};

const NEW_GUID: &str = "new-guid";

fn table() -> LockTable {
    LockTable::new(Profile::UPSTREAM)
}

fn table_of(rows: impl IntoIterator<Item = Row>) -> LockTable {
    let mut table = table();
    for row in rows {
        table.put_row(row, s(0)).unwrap();
    }
    table
}

fn apply(table: &mut LockTable, operation: Operation<'_>) -> Result<Outcome, LockError> {
    table.apply(operation, s(0), || Ok(NEW_GUID.into()), &mut ())
}

fn lock_10(table: &mut LockTable, resource: &Resource) -> Result<Outcome, LockError> {
    let ttl_in_seconds = 10;
    apply(table, Operation::Lock { resource, ttl_in_seconds })
}

fn logs_of(table: &mut LockTable, operation: Operation<'_>) -> Logs {
    let mut logs = Logs::default();
    let _ = table.apply(operation, s(0), || Ok(NEW_GUID.into()), &mut logs);
    logs
}

fn quack(type_name: &str, type_code: TypeCode) -> Resource {
    Resource {
        key: "quack".into(),
        owner: "iamthelizardking".into(),
        value: "i can do anything".into(),
        type_name: type_name.into(),
        type_code,
    }
}

fn quack_row(modified_index: i64, ttl: i64) -> Row {
    Row {
        path: "quack".into(),
        owner: Some("iamthelizardking".into()),
        value: Some("i can do anything".into()),
        type_name: Some("lock".into()),
        ttl: Some(ttl),
        modified_id: Some(NEW_GUID.into()),
        modified_index: Some(modified_index),
    }
}

fn quack_registration(modified_index: i64, ttl_in_seconds: i64) -> Registration {
    Registration {
        key: "quack".into(),
        owner: "iamthelizardking".into(),
        row_type: RowType::Lock,
        modified_id: NEW_GUID.into(),
        modified_index,
        ttl_in_seconds,
    }
}

// Lock

#[test]
fn a_new_row_of_a_code_has_that_type_and_index_1() {
    let mut table = table();

    let outcome = lock_10(&mut table, &quack("", TypeCode::Lock));

    assert_eq!(outcome, Ok(Outcome::Locked(Some(quack_registration(1, 10).into()))));
    assert_eq!(table.rows(), [quack_row(1, 10)]);
}

#[test]
fn a_new_row_of_a_type_string_is_the_same() {
    let mut table = table();

    let outcome = lock_10(&mut table, &quack("lock", TypeCode::Unknown));

    assert_eq!(outcome, Ok(Outcome::Locked(Some(quack_registration(1, 10).into()))));
    assert_eq!(table.rows(), [quack_row(1, 10)]);
}

#[test]
fn a_lock_that_gets_no_id_fails_and_stores_nothing() {
    let mut table = table();
    let resource = quack("lock", TypeCode::Lock);
    let operation = Operation::Lock { resource: &resource, ttl_in_seconds: 10 };
    let no_id = || Err(database("no-entropy"));

    let outcome = table.apply(operation, s(0), no_id, &mut ());

    assert_eq!(outcome, Err(database("no-entropy")));
    assert!(table.is_empty());
}

// B44
#[test]
fn a_takeover_that_gets_no_id_leaves_the_row_alone() {
    let free =
        Row { owner: Some(String::new()), modified_id: Some(String::new()), ..quack_row(300, 5) };
    let mut table = table_of([free.clone()]);
    let resource = quack("lock", TypeCode::Lock);
    let operation = Operation::Lock { resource: &resource, ttl_in_seconds: 10 };
    let no_id = || Err(database("no-entropy"));

    let outcome = table.apply(operation, s(0), no_id, &mut ());

    assert_eq!(outcome, Err(database("no-entropy")));
    assert_eq!(table.rows(), [free]);
}

// B43
#[test]
fn a_row_without_an_owner_is_taken_over_in_place() {
    let free = Row {
        owner: Some(String::new()),
        value: Some(String::new()),
        modified_id: Some(String::new()),
        ..quack_row(300, 0)
    };
    let mut table = table_of([free]);

    let outcome = lock_10(&mut table, &quack("", TypeCode::Lock));

    assert_eq!(outcome, Ok(Outcome::Locked(Some(quack_registration(301, 10).into()))));
    assert_eq!(table.rows(), [quack_row(301, 10)]);
}

// B43, B44
#[test]
fn a_takeover_keeps_an_id_that_is_there() {
    let free =
        Row { owner: Some(String::new()), modified_id: Some("kept".into()), ..quack_row(300, 0) };
    let mut table = table_of([free]);

    lock_10(&mut table, &quack("", TypeCode::Lock)).unwrap();

    assert_eq!(table.rows()[0].modified_id.as_deref(), Some("kept"));
}

// B41
#[test]
fn another_owner_collides_and_changes_nothing() {
    let mut table = table();
    let resource = quack("", TypeCode::Lock);
    lock_10(&mut table, &resource).unwrap();
    let other = Resource { owner: "jim".into(), value: "other".into(), ..resource };

    let outcome = lock_10(&mut table, &other);

    assert_eq!(outcome, Err(LockError::LockCollision));
    assert_eq!(table.rows(), [quack_row(1, 10)]);
}

#[test]
fn a_renewal_raises_the_index_and_keeps_the_id() {
    let mut table = table();
    let resource = quack("", TypeCode::Lock);
    lock_10(&mut table, &resource).unwrap();
    let operation = Operation::Lock { resource: &resource, ttl_in_seconds: 10 };
    let another_id = || Ok(ModifiedId::from("another-guid"));

    let outcome = table.apply(operation, s(0), another_id, &mut ());

    assert_eq!(outcome, Ok(Outcome::Locked(Some(quack_registration(2, 10).into()))));
    assert_eq!(table.rows(), [quack_row(2, 10)]);
}

// B42
#[test]
fn a_renewal_replaces_value_type_and_ttl() {
    let mut table = table_of([quack_row(1, 10)]);
    let changed = Resource { value: "changed".into(), ..quack("", TypeCode::Presence) };

    let ttl_in_seconds = 3;
    apply(&mut table, Operation::Lock { resource: &changed, ttl_in_seconds }).unwrap();

    let expected = Row {
        value: Some("changed".into()),
        type_name: Some("presence".into()),
        ..quack_row(2, 3)
    };
    assert_eq!(table.rows(), [expected]);
}

// B40
#[test]
fn only_a_new_row_is_logged_as_acquired() {
    let mut table = table();
    let resource = quack("", TypeCode::Lock);
    let operation = Operation::Lock { resource: &resource, ttl_in_seconds: 10 };

    let first = logs_of(&mut table, operation).messages();
    let renewal = logs_of(&mut table, operation).messages();

    assert_eq!(first, ["acquired-lock"]);
    assert_eq!(renewal, Vec::<&str>::new());
}

// B28
#[test]
fn the_table_logs_a_collision_for_developers_only() {
    let mut table = table_of([quack_row(1, 10)]);
    let resource = resource("quack", "jim");
    let operation = Operation::Lock { resource: &resource, ttl_in_seconds: 10 };

    let logs = logs_of(&mut table, operation);

    assert_eq!(logs.messages(), ["lock-already-exists"]);
    assert_eq!(logs.0[0].level, Level::Debug);
}

// Release

fn release_quack<'a>(owner: &'a str) -> Operation<'a> {
    let key = "quack";
    Operation::Release { key, owner }
}

#[test]
fn the_owner_releases_its_row() {
    let mut table = table_of([quack_row(500, 501)]);

    let outcome = apply(&mut table, release_quack("iamthelizardking"));

    assert_eq!(outcome, Ok(Outcome::Released));
    assert!(table.is_empty());
}

#[test]
fn a_release_by_another_owner_collides_and_keeps_the_row() {
    let mut table = table_of([quack_row(500, 501)]);

    let outcome = apply(&mut table, release_quack("not jim"));

    assert_eq!(outcome, Err(LockError::LockCollision));
    assert_eq!(table.rows(), [quack_row(500, 501)]);
}

#[test]
fn a_release_of_a_missing_row_succeeds() {
    let outcome = apply(&mut table(), release_quack("jim"));

    assert_eq!(outcome, Ok(Outcome::Released));
}

// B48, B49, B50
#[test]
fn every_release_is_logged_by_what_came_of_it() {
    let mut table = table_of([quack_row(500, 501)]);

    let logged = ["not jim", "iamthelizardking", "jim"].map(|owner| {
        let line = logs_of(&mut table, release_quack(owner)).0.remove(0);
        (line.level, line.message)
    });

    assert_eq!(
        logged,
        [
            (Level::Error, "cannot-release-lock"),
            (Level::Info, "released-lock"),
            (Level::Debug, "lock-does-not-exist"),
        ]
    );
}

// B49
#[test]
fn an_empty_owner_releases_a_row_without_an_owner() {
    let free = Row { owner: Some(String::new()), ..quack_row(1, 10) };
    let mut table = table_of([free]);

    let outcome = apply(&mut table, release_quack(""));

    assert_eq!(outcome, Ok(Outcome::Released));
    assert!(table.is_empty());
}

// For readers

#[test]
fn the_table_prints_one_row_a_line() {
    let without_owner = Row { owner: None, ..row("a", "", 5) };

    let table = table_of([row("b", "jim", 10), without_owner]);

    assert_eq!(
        table.to_string(),
        "a owner=NULL type=lock ttl=5 index=1\nb owner=jim type=lock ttl=10 index=1\n"
    );
}
