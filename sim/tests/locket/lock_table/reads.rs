//! Claims about what is read: Fetch, FetchAll and counts.

use super::*;

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

// B33
#[test]
fn a_row_of_any_other_type_reads_without_a_code() {
    assert_eq!(fetched_type("For Days"), ("For Days".into(), TypeCode::Unknown));
}

#[test]
fn a_row_of_type_lock_reads_with_its_code() {
    assert_eq!(fetched_type("lock"), ("lock".into(), TypeCode::Lock));
}

#[test]
fn a_row_of_type_presence_reads_with_its_code() {
    assert_eq!(fetched_type("presence"), ("presence".into(), TypeCode::Presence));
}

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

#[test]
fn a_missing_row_is_not_found() {
    let outcome = apply(&mut table(), Operation::Fetch { key: "test" });

    assert_eq!(outcome, Err(LockError::ResourceNotFound));
}

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
    Row { type_name: Some(type_name.into()), ..row(path, owner, 20) }
}

fn three_rows() -> LockTable {
    table_of([
        typed_row("test1", "jake", "dog"),
        Row { modified_id: Some(String::new()), ..typed_row("test2", "", "") },
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

#[test]
fn an_empty_filter_lists_every_row_with_an_owner() {
    let mut found = list(&mut three_rows(), "");
    found.sort();

    let expected = [("test1".into(), TypeCode::Unknown), ("test3".into(), TypeCode::Presence)];
    assert_eq!(found, expected);
}

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

// Count

fn counted() -> LockTable {
    table_of([
        typed_row("test1", "jake", "dog"),
        typed_row("test2", "", "dog"),
        typed_row("test3", "finn", "human"),
    ])
}

#[test]
fn every_row_with_an_owner_is_counted() {
    assert_eq!(counted().count(""), 2);
}

#[test]
fn the_rows_of_one_type_are_counted() {
    assert_eq!(counted().count("dog"), 1);
}

// B53
#[test]
fn a_row_that_does_not_scan_is_counted_if_it_has_an_owner() {
    let without_value = Row { value: None, ..typed_row("test4", "bmo", "dog") };
    let without_owner = Row { owner: None, ..typed_row("test5", "", "dog") };

    let table = table_of([without_value, without_owner]);

    assert_eq!(table.count("dog"), 1);
}
