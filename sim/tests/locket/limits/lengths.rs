//! Claims about lengths of texts.

use super::*;

// B36
#[test]
fn a_key_has_at_most_255_characters() {
    let key = |length| resource(&"k".repeat(length), "bbs-0");

    assert_eq!(lock_once(&key(255)), Ok(Response::Lock));
    assert_eq!(lock_once(&key(256)), Err(TOO_LONG));
}

// B36
#[test]
fn an_owner_has_at_most_255_characters() {
    let owner = |length| resource("bbs", &"o".repeat(length));

    assert_eq!(lock_once(&owner(255)), Ok(Response::Lock));
    assert_eq!(lock_once(&owner(256)), Err(TOO_LONG));
}

// B36, S36
#[test]
fn a_value_has_at_most_4096_characters() {
    assert_eq!(lock_once(&with_value(&"v".repeat(4096))), Ok(Response::Lock));
    assert_eq!(lock_once(&with_value(&"v".repeat(4097))), Err(TOO_LONG));
}

// B36
#[test]
fn a_type_has_at_most_255_characters() {
    let lock_type = |length| {
        let type_name = "t".repeat(length);
        let request = lock_typed("bbs", "bbs-0", &type_name, TypeCode::Unknown, 15);
        Locket::new(Profile::DOCUMENTED).handle(&request)
    };

    assert_eq!(lock_type(255), Ok(Response::Lock));
    assert_eq!(lock_type(256), Err(TOO_LONG));
}

// B36
#[test]
fn characters_are_counted_and_not_bytes() {
    assert_eq!(lock_once(&resource(&"ü".repeat(255), &"🔒".repeat(255))), Ok(Response::Lock));
    assert_eq!(lock_once(&with_value(&"🔒".repeat(4096))), Ok(Response::Lock));
    assert_eq!(lock_once(&resource(&"ü".repeat(256), "bbs-0")), Err(TOO_LONG));
}

#[test]
fn a_value_that_is_too_long_leaves_the_row_as_it_was() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.handle(&lock_of(with_value("first"), 15)).unwrap();
        let before = locket.rows();

        let renewal = locket.handle(&lock_of(with_value(&"v".repeat(4097)), 60));

        assert_eq!(renewal, Err(TOO_LONG));
        assert_eq!(locket.rows(), before);
        assert_eq!(locket.end_of("bbs"), Some(15_000));
    }
}

#[test]
fn a_collision_is_noticed_before_a_value_that_is_too_long() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("bbs", "bbs-1", 15).unwrap();

        let answer = locket.handle(&lock_of(with_value(&"v".repeat(4097)), 15));

        assert_eq!(answer, Err(LockError::LockCollision));
    }
}

// B36
#[test]
fn a_key_that_is_too_long_is_merely_not_found() {
    let key = "k".repeat(256);
    let mut locket = Locket::new(Profile::UPSTREAM);

    assert_eq!(locket.fetch(&key), Err(LockError::ResourceNotFound));
    assert_eq!(locket.release(&key, "bbs-0"), Ok(Response::Release));
}

// B36
#[test]
fn spaces_that_are_too_many_at_the_end_are_cut_off() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        let value = format!("{}{}", "v".repeat(4090), " ".repeat(20));

        locket.handle(&lock_of(with_value(&value), 15)).unwrap();

        let stored = locket.row("bbs").unwrap().value.unwrap();
        assert_eq!(stored, value[..4096]);
    }
}

// B36
#[test]
fn spaces_within_the_length_are_kept() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);

        locket.lock(" bbs ", "bbs-0", 15).unwrap();

        assert_eq!(locket.holder(" bbs ").as_deref(), Some("bbs-0"));
    }
}

// B36
#[test]
fn a_key_that_was_cut_is_found_by_its_cut_form_only() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        let cut = "k".repeat(255);
        let given = format!("{cut}   ");

        locket.lock(&given, "bbs-0", 15).unwrap();

        assert!(locket.fetch(&cut).is_ok());
        assert_eq!(locket.fetch(&given), Err(LockError::ResourceNotFound));
    }
}

// B36, B55
#[test]
fn a_second_lock_of_a_key_that_was_cut_meets_its_own_row() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        let given = format!("{}   ", "k".repeat(255));
        locket.lock(&given, "bbs-0", 15).unwrap();

        let again = locket.lock(&given, "bbs-0", 15);

        assert_eq!(again, Err(database("sql-resource-exists")));
    }
}

// B36, B62: upstream's timer remembers the key as given, which no row has; the next poll reads
// the stored one.
#[test]
fn a_row_whose_key_was_cut_goes_a_ttl_after_the_next_poll() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let cut = "k".repeat(255);

    locket.at(1_000).lock(&format!("{cut} "), "bbs-0", 2).unwrap();

    assert_eq!(locket.end_of(&cut), Some(7_000));
}

#[test]
fn a_row_whose_key_was_cut_goes_on_time_where_expiry_is_exact() {
    let mut locket = Locket::new(Profile::DOCUMENTED);
    let cut = "k".repeat(255);

    locket.at(1_000).lock(&format!("{cut} "), "bbs-0", 2).unwrap();

    assert_eq!(locket.end_of(&cut), Some(3_000));
}

// B36
#[test]
fn an_owner_that_was_cut_collides_with_itself() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        let given = format!("{} ", "o".repeat(255));
        locket.lock("bbs", &given, 15).unwrap();

        let renewal = locket.lock("bbs", &given, 15);

        assert_eq!(renewal, Err(LockError::LockCollision));
    }
}

#[test]
fn an_operator_meets_the_same_limits() {
    let long = || Some("x".repeat(256));
    let fits = || row("bbs", "bbs-0", 15);
    for too_long in [
        row(&"x".repeat(256), "bbs-0", 15),
        Row { owner: long(), ..fits() },
        Row { type_name: long(), ..fits() },
        Row { modified_id: long(), ..fits() },
        Row { value: Some("x".repeat(4097)), ..fits() },
    ] {
        for profile in PRESETS {
            let mut locket = Locket::new(profile);
            assert_eq!(locket.put(too_long.clone()), Err(TOO_LONG));
            assert_eq!(locket.rows(), []);
        }
    }
}

#[test]
fn an_update_that_does_not_fit_changes_no_row() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.put(row("a", "o", 15)).unwrap();
        let before = locket.rows();

        let answer = locket.update(&RowChanges {
            ttl: Some(1),
            owner: Some("o".repeat(256)),
            ..RowChanges::default()
        });

        assert_eq!(answer, Err(TOO_LONG));
        assert_eq!(locket.rows(), before);
    }
}
