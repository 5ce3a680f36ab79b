//! Claims about the `locks` table: which transactions it accepts and what they leave behind.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod common;

use common::*;
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
    apply(
        table,
        Operation::Lock {
            resource,
            ttl_in_seconds,
        },
    )
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

// T60
#[test]
fn a_new_row_of_a_code_has_that_type_and_index_1() {
    let mut table = table();

    let outcome = lock_10(&mut table, &quack("", TypeCode::Lock));

    assert_eq!(
        outcome,
        Ok(Outcome::Locked(quack_registration(1, 10).into()))
    );
    assert_eq!(table.rows(), [quack_row(1, 10)]);
}

// T61
#[test]
fn a_new_row_of_a_type_string_is_the_same() {
    let mut table = table();

    let outcome = lock_10(&mut table, &quack("lock", TypeCode::Unknown));

    assert_eq!(
        outcome,
        Ok(Outcome::Locked(quack_registration(1, 10).into()))
    );
    assert_eq!(table.rows(), [quack_row(1, 10)]);
}

// T62
#[test]
fn a_lock_that_gets_no_id_fails_and_stores_nothing() {
    let mut table = table();
    let resource = quack("lock", TypeCode::Lock);
    let operation = Operation::Lock {
        resource: &resource,
        ttl_in_seconds: 10,
    };
    let no_id = || Err(database("no-entropy"));

    let outcome = table.apply(operation, s(0), no_id, &mut ());

    assert_eq!(outcome, Err(database("no-entropy")));
    assert!(table.is_empty());
}

// T62, B44
#[test]
fn a_takeover_that_gets_no_id_leaves_the_row_alone() {
    let free = Row {
        owner: Some(String::new()),
        modified_id: Some(String::new()),
        ..quack_row(300, 5)
    };
    let mut table = table_of([free.clone()]);
    let resource = quack("lock", TypeCode::Lock);
    let operation = Operation::Lock {
        resource: &resource,
        ttl_in_seconds: 10,
    };
    let no_id = || Err(database("no-entropy"));

    let outcome = table.apply(operation, s(0), no_id, &mut ());

    assert_eq!(outcome, Err(database("no-entropy")));
    assert_eq!(table.rows(), [free]);
}

// T63, B43
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

    assert_eq!(
        outcome,
        Ok(Outcome::Locked(quack_registration(301, 10).into()))
    );
    assert_eq!(table.rows(), [quack_row(301, 10)]);
}

// B43, B44
#[test]
fn a_takeover_keeps_an_id_that_is_there() {
    let free = Row {
        owner: Some(String::new()),
        modified_id: Some("kept".into()),
        ..quack_row(300, 0)
    };
    let mut table = table_of([free]);

    lock_10(&mut table, &quack("", TypeCode::Lock)).unwrap();

    assert_eq!(table.rows()[0].modified_id.as_deref(), Some("kept"));
}

// T64, B41
#[test]
fn another_owner_collides_and_changes_nothing() {
    let mut table = table();
    let resource = quack("", TypeCode::Lock);
    lock_10(&mut table, &resource).unwrap();
    let other = Resource {
        owner: "jim".into(),
        value: "other".into(),
        ..resource
    };

    let outcome = lock_10(&mut table, &other);

    assert_eq!(outcome, Err(LockError::LockCollision));
    assert_eq!(table.rows(), [quack_row(1, 10)]);
}

// T65
#[test]
fn a_renewal_raises_the_index_and_keeps_the_id() {
    let mut table = table();
    let resource = quack("", TypeCode::Lock);
    lock_10(&mut table, &resource).unwrap();
    let operation = Operation::Lock {
        resource: &resource,
        ttl_in_seconds: 10,
    };
    let another_id = || Ok(ModifiedId::from("another-guid"));

    let outcome = table.apply(operation, s(0), another_id, &mut ());

    assert_eq!(
        outcome,
        Ok(Outcome::Locked(quack_registration(2, 10).into()))
    );
    assert_eq!(table.rows(), [quack_row(2, 10)]);
}

// B42
#[test]
fn a_renewal_replaces_value_type_and_ttl() {
    let mut table = table_of([quack_row(1, 10)]);
    let changed = Resource {
        value: "changed".into(),
        ..quack("", TypeCode::Presence)
    };

    let ttl_in_seconds = 3;
    apply(
        &mut table,
        Operation::Lock {
            resource: &changed,
            ttl_in_seconds,
        },
    )
    .unwrap();

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
    let operation = Operation::Lock {
        resource: &resource,
        ttl_in_seconds: 10,
    };

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
    let operation = Operation::Lock {
        resource: &resource,
        ttl_in_seconds: 10,
    };

    let logs = logs_of(&mut table, operation);

    assert_eq!(logs.messages(), ["lock-already-exists"]);
    assert_eq!(logs.0[0].level, Level::Debug);
}

// Release

fn release_quack<'a>(owner: &'a str) -> Operation<'a> {
    let key = "quack";
    Operation::Release { key, owner }
}

// T67
#[test]
fn the_owner_releases_its_row() {
    let mut table = table_of([quack_row(500, 501)]);

    let outcome = apply(&mut table, release_quack("iamthelizardking"));

    assert_eq!(outcome, Ok(Outcome::Released));
    assert!(table.is_empty());
}

// T68
#[test]
fn a_release_by_another_owner_collides_and_keeps_the_row() {
    let mut table = table_of([quack_row(500, 501)]);

    let outcome = apply(&mut table, release_quack("not jim"));

    assert_eq!(outcome, Err(LockError::LockCollision));
    assert_eq!(table.rows(), [quack_row(500, 501)]);
}

// T70
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
    let free = Row {
        owner: Some(String::new()),
        ..quack_row(1, 10)
    };
    let mut table = table_of([free]);

    let outcome = apply(&mut table, release_quack(""));

    assert_eq!(outcome, Ok(Outcome::Released));
    assert!(table.is_empty());
}

// Fetch

/// The type fields of what Fetch reads from a row of a type.
fn fetched_type(type_name: &str) -> (String, TypeCode) {
    let mut table = table_of([Row {
        path: "test".into(),
        owner: Some("jim".into()),
        value: Some("locks stuff for days".into()),
        type_name: Some(type_name.into()),
        ttl: Some(5),
        modified_id: Some("modified-id".into()),
        modified_index: Some(434),
    }]);
    let outcome = apply(&mut table, Operation::Fetch { key: "test" });
    let Ok(Outcome::Fetched(resource)) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(resource.key, "test");
    assert_eq!(resource.owner, "jim");
    assert_eq!(resource.value, "locks stuff for days");
    (resource.type_name, resource.type_code)
}

// T71, B33
#[test]
fn a_row_of_any_other_type_reads_without_a_code() {
    assert_eq!(
        fetched_type("For Days"),
        ("For Days".into(), TypeCode::Unknown)
    );
}

// T72
#[test]
fn a_row_of_type_lock_reads_with_its_code() {
    assert_eq!(fetched_type("lock"), ("lock".into(), TypeCode::Lock));
}

// T73
#[test]
fn a_row_of_type_presence_reads_with_its_code() {
    assert_eq!(
        fetched_type("presence"),
        ("presence".into(), TypeCode::Presence)
    );
}

// T74, T75
#[test]
fn what_was_locked_by_code_reads_with_code_and_string() {
    for code in [TypeCode::Lock, TypeCode::Presence] {
        let mut table = table();
        lock_10(&mut table, &quack("", code)).unwrap();

        let outcome = apply(&mut table, Operation::Fetch { key: "quack" });

        let expected = quack(code.name().unwrap(), code);
        assert_eq!(outcome, Ok(Outcome::Fetched(expected.into())));
    }
}

// T77
#[test]
fn a_missing_row_is_not_found() {
    let outcome = apply(&mut table(), Operation::Fetch { key: "test" });

    assert_eq!(outcome, Err(LockError::ResourceNotFound));
}

// T78
#[test]
fn a_row_without_an_owner_is_not_found() {
    let mut table = table_of([row("test", "", 5)]);

    let outcome = apply(&mut table, Operation::Fetch { key: "test" });

    assert_eq!(outcome, Err(LockError::ResourceNotFound));
}

// B51
#[test]
fn a_fetch_that_finds_no_row_is_logged_as_an_error() {
    let logs = logs_of(&mut table(), Operation::Fetch { key: "test" });

    assert_eq!(logs.messages(), ["failed-to-fetch-lock"]);
    assert_eq!((logs.0[0].level, &*logs.0[0].key), (Level::Error, "test"));
}

// B37
#[test]
fn keys_and_owners_differ_by_case() {
    let mut table = table();
    lock_10(&mut table, &resource("bbs", "jim")).unwrap();

    lock_10(&mut table, &resource("BBS", "jim")).unwrap();
    let collision = lock_10(&mut table, &resource("bbs", "JIM"));

    assert_eq!(table.len(), 2);
    assert_eq!(collision, Err(LockError::LockCollision));
}

// FetchAll

fn typed_row(path: &str, owner: &str, type_name: &str) -> Row {
    Row {
        type_name: Some(type_name.into()),
        ..row(path, owner, 20)
    }
}

fn three_rows() -> LockTable {
    table_of([
        typed_row("test1", "jake", "dog"),
        Row {
            modified_id: Some(String::new()),
            ..typed_row("test2", "", "")
        },
        typed_row("test3", "finn", "presence"),
    ])
}

fn list(table: &mut LockTable, type_filter: &str) -> Vec<(String, TypeCode)> {
    let outcome = apply(table, Operation::FetchAll { type_filter });
    let Ok(Outcome::FetchedAll(list)) = outcome else {
        panic!("{outcome:?}");
    };
    let list = list.into_iter();
    list.map(|found| (found.key, found.type_code)).collect()
}

// T79
#[test]
fn an_empty_filter_lists_every_row_with_an_owner() {
    let mut found = list(&mut three_rows(), "");
    found.sort();

    let expected = [
        ("test1".into(), TypeCode::Unknown),
        ("test3".into(), TypeCode::Presence),
    ];
    assert_eq!(found, expected);
}

// T80
#[test]
fn a_filter_lists_the_rows_of_that_type() {
    let found = list(&mut three_rows(), "presence");

    assert_eq!(found, [("test3".into(), TypeCode::Presence)]);
}

// B52
#[test]
fn a_list_of_nothing_is_empty() {
    assert_eq!(list(&mut three_rows(), "lock"), []);
}

// Compare and delete

fn compare_and_delete(table: &mut LockTable) -> Result<Outcome, LockError> {
    apply(
        table,
        Operation::CompareAndDelete(&quack_registration(500, 501)),
    )
}

// T82
#[test]
fn a_row_that_did_not_change_is_deleted() {
    let mut table = table_of([quack_row(500, 501)]);

    let outcome = compare_and_delete(&mut table);

    assert_eq!(outcome, Ok(Outcome::Deleted(true)));
    assert!(table.is_empty());
}

/// That a row that changed since its snapshot stays, and why.
fn check_a_changed_row_stays(changed: Row, reason: &'static str) {
    let mut table = table_of([changed.clone()]);
    let snapshot = quack_registration(500, 501);

    let outcome = apply(&mut table, Operation::CompareAndDelete(&snapshot));
    let logs = logs_of(&mut table, Operation::CompareAndDelete(&snapshot));

    assert_eq!(outcome, Err(LockError::LockCollision));
    assert_eq!(table.rows(), [changed]);
    assert_eq!(logs.messages(), ["fetched-lock", reason]);
}

// T83
#[test]
fn a_row_with_another_index_is_not_deleted() {
    check_a_changed_row_stays(quack_row(501, 501), "release-failed-index-mismatch");
    check_a_changed_row_stays(quack_row(499, 501), "release-failed-index-mismatch");
}

// T84
#[test]
fn a_row_with_another_id_is_not_deleted() {
    let changed = Row {
        modified_id: Some("nova-guid".into()),
        ..quack_row(500, 501)
    };
    check_a_changed_row_stays(changed, "release-failed-id-mismatch");
}

// T85
#[test]
fn a_row_with_another_owner_is_not_deleted() {
    let changed = Row {
        owner: Some("danny".into()),
        ..quack_row(500, 501)
    };
    check_a_changed_row_stays(changed, "fetch-failed-owner-mismatch");
}

// B54
#[test]
fn owner_then_id_then_index_is_the_order_of_comparison() {
    let changed = Row {
        modified_id: Some("nova-guid".into()),
        ..quack_row(501, 501)
    };
    check_a_changed_row_stays(changed.clone(), "release-failed-id-mismatch");
    let changed = Row {
        owner: Some("danny".into()),
        ..changed
    };
    check_a_changed_row_stays(changed, "fetch-failed-owner-mismatch");
}

// B54
#[test]
fn the_ttl_is_not_compared() {
    let mut table = table_of([quack_row(500, 3)]);

    assert_eq!(compare_and_delete(&mut table), Ok(Outcome::Deleted(true)));
}

// T87
#[test]
fn a_missing_row_is_nothing_to_delete() {
    let mut table = table_of([row("meow", "jim", 5)]);

    let outcome = compare_and_delete(&mut table);

    assert_eq!(outcome, Ok(Outcome::Deleted(false)));
    assert_eq!(table.len(), 1);
}

// Count

fn counted() -> LockTable {
    table_of([
        typed_row("test1", "jake", "dog"),
        typed_row("test2", "", "dog"),
        typed_row("test3", "finn", "human"),
    ])
}

// T88
#[test]
fn every_row_with_an_owner_is_counted() {
    assert_eq!(counted().count(""), 2);
}

// T89
#[test]
fn the_rows_of_one_type_are_counted() {
    assert_eq!(counted().count("dog"), 1);
}

// B53
#[test]
fn a_row_that_does_not_scan_is_counted_if_it_has_an_owner() {
    let without_value = Row {
        value: None,
        ..typed_row("test4", "bmo", "dog")
    };
    let without_owner = Row {
        owner: None,
        ..typed_row("test5", "", "dog")
    };

    let table = table_of([without_value, without_owner]);

    assert_eq!(table.count("dog"), 1);
}

// For readers

#[test]
fn the_table_prints_one_row_a_line() {
    let without_owner = Row {
        owner: None,
        ..row("a", "", 5)
    };

    let table = table_of([row("b", "jim", 10), without_owner]);

    assert_eq!(
        table.to_string(),
        "a owner=NULL type=lock ttl=5 index=1\nb owner=jim type=lock ttl=10 index=1\n"
    );
}
