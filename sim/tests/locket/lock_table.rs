//! Claims about the `locks` table: which transactions it accepts, what they leave behind, and what
//! the process logs.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use crate::common::*;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::id_source::ModifiedId;
use locket_sim::protocol::lock_table::LockTable;
use locket_sim::protocol::log::Level;
use locket_sim::protocol::operation::{Operation, Outcome};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::resource::{Resource, TypeCode};
use locket_sim::protocol::row::{Registration, Row, RowType};

type Done = Result<Outcome, LockError>;

fn table_of(rows: impl IntoIterator<Item = Row>) -> LockTable {
    let mut table = LockTable::new(Profile::UPSTREAM);
    for row in rows {
        table.put_row(row, s(0)).unwrap();
    }
    table
}

fn apply(table: &mut LockTable, operation: Operation<'_>) -> Done {
    table.apply(operation, s(0), || Ok("new-guid".into()), &mut ())
}

fn quack(type_name: &str, type_code: TypeCode) -> Resource {
    Resource {
        value: "i can do anything".into(),
        type_name: type_name.into(),
        type_code,
        ..resource("quack", "iamthelizardking")
    }
}

/// A row of `quack` with the id that the table gives to new rows.
fn quack_row(modified_index: i64, ttl: i64) -> Row {
    Row {
        value: Some("i can do anything".into()),
        modified_id: Some("new-guid".into()),
        modified_index: Some(modified_index),
        ..row("quack", "iamthelizardking", ttl)
    }
}

fn without_owner(modified_id: &str, modified_index: i64) -> Row {
    let (owner, modified_id) = (Some(String::new()), Some(modified_id.into()));
    Row { owner, modified_id, ..quack_row(modified_index, 0) }
}

fn registration(modified_id: &str, modified_index: i64, ttl_in_seconds: i64) -> Registration {
    Registration {
        key: "quack".into(),
        owner: "iamthelizardking".into(),
        row_type: RowType::Lock,
        modified_id: modified_id.into(),
        modified_index,
        ttl_in_seconds,
    }
}

fn locked(registration: Registration) -> Done {
    Ok(Outcome::Locked(Some(registration.into())))
}

fn lock_10(resource: &Resource) -> Operation<'_> {
    Operation::Lock { resource, ttl_in_seconds: 10 }
}

const NO_LINE: [(Level, &str); 0] = [];

/// One transaction on a table with at most one row: its outcome, the row that it leaves, and the
/// lines that it logs.
#[track_caller]
fn check<const N: usize>(
    before: Option<Row>,
    operation: Operation<'_>,
    outcome: Done,
    after: Option<Row>,
    lines: [(Level, &str); N],
) {
    let mut table = table_of(before);
    let mut logs = Logs::default();
    let done = table.apply(operation, s(0), || Ok("new-guid".into()), &mut logs);
    assert_eq!((done, table.rows()), (outcome, after.into_iter().collect()));
    let logged: Vec<_> = logs.0.iter().map(|line| (line.level, line.message)).collect();
    assert_eq!(logged, lines);
}

// B40, B41, B42, B43, B44, B28
#[test]
fn a_lock_inserts_takes_over_in_place_renews_or_collides() {
    let by_code = quack("", TypeCode::Lock);
    let acquired = [(Level::Info, "acquired-lock")];

    for resource in [&by_code, &quack("lock", TypeCode::Unknown)] {
        let inserted = locked(registration("new-guid", 1, 10));
        check(None, lock_10(resource), inserted, Some(quack_row(1, 10)), acquired);
    }
    for (free, id) in [("", "new-guid"), ("kept", "kept")] {
        let taken = Row { modified_id: Some(id.into()), ..quack_row(301, 10) };
        let outcome = locked(registration(id, 301, 10));
        check(Some(without_owner(free, 300)), lock_10(&by_code), outcome, Some(taken), NO_LINE);
    }
    let renewed = Row { modified_id: Some("old".into()), ..quack_row(2, 10) };
    let before = Row { modified_index: Some(1), ttl: Some(3), ..renewed.clone() };
    let outcome = locked(registration("old", 2, 10));
    check(Some(before), lock_10(&by_code), outcome, Some(renewed), NO_LINE);

    let changed = Resource { value: "changed".into(), ..quack("", TypeCode::Presence) };
    let after = Row {
        value: Some("changed".into()),
        type_name: Some("presence".into()),
        ..quack_row(2, 10)
    };
    let outcome =
        locked(Registration { row_type: RowType::Presence, ..registration("new-guid", 2, 10) });
    check(Some(quack_row(1, 3)), lock_10(&changed), outcome, Some(after), NO_LINE);

    let other = Resource { owner: "jim".into(), value: "other".into(), ..by_code };
    let held = Some(quack_row(1, 10));
    let line = [(Level::Debug, "lock-already-exists")];
    check(held.clone(), lock_10(&other), Err(LockError::LockCollision), held, line);
}

// B44
#[test]
fn a_lock_that_gets_no_id_fails_and_stores_nothing() {
    let resource = quack("lock", TypeCode::Lock);
    for before in [vec![], vec![without_owner("", 300)]] {
        let mut table = table_of(before.clone());
        let no_id = || -> Result<ModifiedId, _> { Err(database("no-entropy")) };

        let outcome = table.apply(lock_10(&resource), s(0), no_id, &mut ());

        assert_eq!((outcome, table.rows()), (Err(database("no-entropy")), before));
    }
}

// B48, B49, B50
#[test]
fn a_release_deletes_the_row_of_its_owner_and_no_other() {
    let release = |owner| Operation::Release { key: "quack", owner };
    let row = Some(quack_row(500, 501));
    let (released, collision) = (|| Ok(Outcome::Released), Err(LockError::LockCollision));
    let line = [(Level::Info, "released-lock")];
    check(row.clone(), release("iamthelizardking"), released(), None, line);
    check(Some(without_owner("id", 1)), release(""), released(), None, line);
    check(row.clone(), release("jim"), collision, row, [(Level::Error, "cannot-release-lock")]);
    check(None, release("jim"), released(), None, [(Level::Debug, "lock-does-not-exist")]);
}

// B54: owner, id and index are compared in this order, and the TTL is not.
#[test]
fn a_timer_deletes_its_row_unless_the_row_has_changed() {
    let registration = registration("new-guid", 500, 501);
    let operation = Operation::CompareAndDelete(&registration);
    for ttl in [501, 3] {
        let mut table = table_of([quack_row(500, ttl)]);
        assert_eq!(apply(&mut table, operation), Ok(Outcome::Deleted(true)));
        assert!(table.is_empty());
    }
    let mut table = table_of([row("meow", "jim", 5)]);
    assert_eq!(apply(&mut table, operation), Ok(Outcome::Deleted(false)));
    assert_eq!(table.len(), 1);

    let other_id = |index| Row { modified_id: Some("nova".into()), ..quack_row(index, 501) };
    let other_owner = |row| Row { owner: Some("danny".into()), ..row };
    for (changed, reason) in [
        (quack_row(501, 501), "release-failed-index-mismatch"),
        (quack_row(499, 501), "release-failed-index-mismatch"),
        (other_id(500), "release-failed-id-mismatch"),
        (other_id(501), "release-failed-id-mismatch"),
        (other_owner(quack_row(500, 501)), "fetch-failed-owner-mismatch"),
        (other_owner(other_id(501)), "fetch-failed-owner-mismatch"),
    ] {
        let mut table = table_of([changed.clone()]);
        let mut logs = Logs::default();
        let outcome = table.apply(operation, s(0), || Ok("new-guid".into()), &mut logs);
        assert_eq!((outcome, table.rows()), (Err(LockError::LockCollision), vec![changed]));
        assert_eq!(logs.messages(), ["fetched-lock", reason]);
    }
}

// B33
#[test]
fn a_row_reads_with_its_type_and_the_code_that_belongs_to_it() {
    for (type_name, type_code) in [
        ("For Days", TypeCode::Unknown),
        ("lock", TypeCode::Lock),
        ("presence", TypeCode::Presence),
    ] {
        let mut table = table_of([Row { type_name: Some(type_name.into()), ..quack_row(1, 5) }]);
        let outcome = apply(&mut table, Operation::Fetch { key: "quack" });
        assert_eq!(outcome, Ok(Outcome::Fetched(quack(type_name, type_code).into())));
    }
}

// B51
#[test]
fn a_fetch_without_a_row_or_an_owner_is_not_found_and_a_missing_row_is_logged() {
    let fetch = Operation::Fetch { key: "quack" };
    let line = [(Level::Error, "failed-to-fetch-lock")];
    check(None, fetch, Err(LockError::ResourceNotFound), None, line);
    let free = Some(without_owner("id", 1));
    check(free.clone(), fetch, Err(LockError::ResourceNotFound), free, NO_LINE);
}

// B37
#[test]
fn keys_and_owners_differ_by_case() {
    let mut table = table_of([row("bbs", "jim", 10)]);
    for (key, owner, locks) in [("BBS", "jim", true), ("bbs", "JIM", false)] {
        let resource = resource(key, owner);
        assert_eq!(apply(&mut table, lock_10(&resource)).is_ok(), locks);
    }
    assert_eq!(table.len(), 2);
}

// B52, B53
#[test]
fn lists_and_counts_have_the_rows_of_a_type_that_have_an_owner() {
    let typed =
        |path, owner, name: &str| Row { type_name: Some(name.into()), ..row(path, owner, 20) };
    let free = Row { modified_id: Some(String::new()), ..typed("test2", "", "") };
    let readable = [typed("test1", "jake", "dog"), free, typed("test3", "finn", "presence")];
    for (filter, expected) in
        [("", &["test1", "test3"][..]), ("presence", &["test3"]), ("lock", &[])]
    {
        let mut table = table_of(readable.clone());
        let outcome = apply(&mut table, Operation::FetchAll { type_filter: filter });
        let Ok(Outcome::FetchedAll(list)) = outcome else { panic!("{outcome:?}") };
        let mut keys: Vec<_> = list.iter().map(|found| &*found.key).collect();
        keys.sort_unstable();
        assert_eq!(keys, expected);
        assert_eq!(table.count(filter), expected.len());
    }
    // What does not scan is counted if it has an owner.
    let without_value = Row { value: None, ..typed("test4", "bmo", "dog") };
    let ownerless = Row { owner: None, ..typed("test5", "", "dog") };
    assert_eq!(table_of([without_value, ownerless]).count("dog"), 1);
}

#[test]
fn the_table_prints_one_row_a_line() {
    let ownerless = Row { owner: None, ..row("a", "", 5) };

    let table = table_of([row("b", "jim", 10), ownerless]);

    let text = "'a' owner=NULL type=lock ttl=5 index=1\n'b' owner=jim type=lock ttl=10 index=1\n";
    assert_eq!(table.to_string(), text);
}
