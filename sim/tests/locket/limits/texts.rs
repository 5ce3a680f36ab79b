//! Claims about NUL bytes and NULL columns.

use super::*;

// NUL bytes

#[test]
fn a_nul_byte_is_refused_wherever_it_reaches_the_database() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);

        assert_eq!(locket.lock("b\0s", "bbs-0", 15), Err(NUL_BYTE));
        assert_eq!(locket.lock("bbs", "bbs\0", 15), Err(NUL_BYTE));
        assert_eq!(locket.handle(&lock_of(with_value("\0"), 15)), Err(NUL_BYTE));
        assert_eq!(locket.fetch("b\0s"), Err(NUL_BYTE));
        assert_eq!(locket.release("b\0s", "bbs-0"), Err(NUL_BYTE));
        assert_eq!(locket.put(row("b\0s", "bbs-0", 15)), Err(NUL_BYTE));
        assert_eq!(locket.rows(), []);
        // A collision comes first.
        locket.lock("bbs", "bbs-0", 15).unwrap();
        assert_eq!(locket.lock("bbs", "bbs\0", 15), Err(LockError::LockCollision));
    }
}

#[test]
fn a_nul_byte_is_refused_before_a_length() {
    let same_column = with_value(&format!("{}\0", "v".repeat(5000)));
    let later_column = Resource { owner: "o".repeat(256), ..with_value("\0") };

    assert_eq!(lock_once(&same_column), Err(NUL_BYTE));
    assert_eq!(lock_once(&later_column), Err(NUL_BYTE));
}

#[test]
fn other_control_characters_are_nothing_special() {
    assert_eq!(lock_once(&resource("a\n\t%/'\"\u{1}", "bbs-0")), Ok(Response::Lock));
}

// NULL columns

fn scan_error(index: usize, name: &str, kind: &str) -> String {
    format!(
        "sql: Scan error on column index {index}, name \"{name}\": converting NULL to {kind} is unsupported"
    )
}

fn rows_with_a_null() -> [(Row, String); 6] {
    let fits = || row("bbs", "bbs-0", 15);
    let text = |index: usize, name: &str| scan_error(index, name, "string");
    let number = |index: usize, name: &str| scan_error(index, name, "int64");
    [
        (Row { owner: None, ..fits() }, text(0, "owner")),
        (Row { value: None, ..fits() }, text(1, "value")),
        (Row { type_name: None, ..fits() }, text(2, "type")),
        (Row { modified_index: None, ..fits() }, number(3, "modified_index")),
        (Row { modified_id: None, ..fits() }, text(4, "modified_id")),
        (Row { ttl: None, ..fits() }, number(5, "ttl")),
    ]
}

// B38, S38
#[test]
fn a_row_with_a_null_makes_lock_fetch_and_release_fail_with_the_drivers_text() {
    for (broken, message) in rows_with_a_null() {
        let mut locket = Locket::new(Profile::UPSTREAM);
        locket.put(broken.clone()).unwrap();

        let error = database(message);
        assert_eq!(locket.lock("bbs", "bbs-0", 15), Err(error.clone()));
        assert_eq!(locket.fetch("bbs"), Err(error.clone()));
        assert_eq!(locket.release("bbs", "bbs-0"), Err(error));
        assert_eq!(locket.rows(), [broken]);
        let repaired = RowChanges {
            owner: Some("bbs-0".into()),
            value: Some(String::new()),
            type_name: Some("lock".into()),
            modified_index: Some(1),
            modified_id: Some("id".into()),
            ttl: Some(15),
        };
        locket.update(&repaired).unwrap();
        assert!(locket.fetch("bbs").is_ok());
    }
    // The first in the order of the query is reported.
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.put(Row { ttl: None, modified_index: None, ..row("bbs", "bbs-0", 15) }).unwrap();
    let error = locket.fetch("bbs").unwrap_err();
    assert!(error.message().contains("modified_index"), "{error}");
}

// B38, B52
#[test]
fn a_row_with_a_null_is_left_out_of_lists_with_a_log() {
    for (broken, message) in rows_with_a_null() {
        let mut locket = Locket::new(Profile::UPSTREAM);
        let has_type = broken.type_name.is_some();
        locket.put(broken).unwrap();
        locket.lock("other", "bbs-0", 15).unwrap();

        let listed = locket.listed("", TypeCode::Lock);

        assert_eq!(listed, Ok(vec!["other".to_owned()]));
        // Without a type it does not match the filter in the first place.
        let logged = locket.logs.of("failed-to-scan-lock");
        assert_eq!(logged.len(), usize::from(has_type));
        assert!(logged.iter().all(|line| line.error.as_ref() == Some(&message)));
    }
}
