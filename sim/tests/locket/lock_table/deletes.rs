//! Claims about deletions of rows that are still what a timer remembers.

use super::*;

fn compare_and_delete(table: &mut LockTable) -> Result<Outcome, LockError> {
    apply(table, Operation::CompareAndDelete(&quack_registration(500, 501)))
}

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

#[test]
fn a_row_with_another_index_is_not_deleted() {
    check_a_changed_row_stays(quack_row(501, 501), "release-failed-index-mismatch");
    check_a_changed_row_stays(quack_row(499, 501), "release-failed-index-mismatch");
}

#[test]
fn a_row_with_another_id_is_not_deleted() {
    let changed = Row { modified_id: Some("nova-guid".into()), ..quack_row(500, 501) };
    check_a_changed_row_stays(changed, "release-failed-id-mismatch");
}

#[test]
fn a_row_with_another_owner_is_not_deleted() {
    let changed = Row { owner: Some("danny".into()), ..quack_row(500, 501) };
    check_a_changed_row_stays(changed, "fetch-failed-owner-mismatch");
}

// B54
#[test]
fn owner_then_id_then_index_is_the_order_of_comparison() {
    let changed = Row { modified_id: Some("nova-guid".into()), ..quack_row(501, 501) };
    check_a_changed_row_stays(changed.clone(), "release-failed-id-mismatch");
    let changed = Row { owner: Some("danny".into()), ..changed };
    check_a_changed_row_stays(changed, "fetch-failed-owner-mismatch");
}

// B54
#[test]
fn the_ttl_is_not_compared() {
    let mut table = table_of([quack_row(500, 3)]);

    assert_eq!(compare_and_delete(&mut table), Ok(Outcome::Deleted(true)));
}

#[test]
fn a_missing_row_is_nothing_to_delete() {
    let mut table = table_of([row("meow", "jim", 5)]);

    let outcome = compare_and_delete(&mut table);

    assert_eq!(outcome, Ok(Outcome::Deleted(false)));
    assert_eq!(table.len(), 1);
}
