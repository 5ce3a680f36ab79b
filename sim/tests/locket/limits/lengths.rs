//! Claims about lengths of texts.

use super::*;

// B36, S36: characters are counted and not bytes.
#[test]
fn a_key_an_owner_and_a_type_have_at_most_255_characters_and_a_value_4096() {
    type Of = fn(String) -> Resource;
    let of: [(Of, usize); 3] = [
        (|key| resource(&key, "bbs-0"), 255),
        (|owner| resource("bbs", &owner), 255),
        (|value| with_value(&value), 4_096),
    ];
    for letter in ["k", "ü", "🔒"] {
        for (resource, most) in of {
            assert_eq!(lock_once(&resource(letter.repeat(most))), Ok(Response::Lock));
            assert_eq!(lock_once(&resource(letter.repeat(most + 1))), Err(TOO_LONG));
        }
        for (length, expected) in [(255, Ok(Response::Lock)), (256, Err(TOO_LONG))] {
            let typed = lock_typed("bbs", "o", &letter.repeat(length), TypeCode::Unknown, 15);
            assert_eq!(Locket::new(Profile::DOCUMENTED).handle(&typed), expected);
        }
    }
}

#[test]
fn a_value_that_is_too_long_leaves_the_row_as_it_was_and_another_owner_collides_first() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.handle(&lock_of(with_value("first"), 15)).unwrap();
        let before = locket.rows();
        let long = with_value(&"v".repeat(4097));
        let of_another = Resource { owner: "bbs-1".into(), ..long.clone() };

        assert_eq!(locket.handle(&lock_of(long, 60)), Err(TOO_LONG));
        assert_eq!(locket.handle(&lock_of(of_another, 60)), Err(LockError::LockCollision));
        assert_eq!(locket.rows(), before);
        assert_eq!(locket.end_of("bbs"), Some(15_000));
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

// B36, B55
#[test]
fn spaces_that_are_too_many_at_the_end_are_cut_off_and_others_are_kept() {
    let cut = "k".repeat(255);
    let given = format!("{cut}   ");
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        let value = format!("{}{}", "v".repeat(4090), " ".repeat(20));
        let resource = Resource { key: " bbs ".into(), ..with_value(&value) };
        locket.handle(&lock_of(resource, 15)).unwrap();
        assert_eq!(locket.row(" bbs ").unwrap().value.unwrap(), value[..4096]);

        // A key that was cut is found by its cut form only, so a second Lock meets its own row.
        locket.lock(&given, "bbs-0", 15).unwrap();
        assert!(locket.fetch(&cut).is_ok());
        assert_eq!(locket.fetch(&given), Err(LockError::ResourceNotFound));
        assert_eq!(locket.lock(&given, "bbs-0", 15), Err(database("sql-resource-exists")));
        // An owner that was cut collides with itself.
        locket.lock("cut", &given, 15).unwrap();
        assert_eq!(locket.lock("cut", &given, 15), Err(LockError::LockCollision));
    }
}

// B36, B62: upstream's timer remembers the key as given, which no row has; the next poll reads
// the stored one.
#[test]
fn a_row_whose_key_was_cut_goes_a_ttl_after_the_next_poll_or_on_time_where_expiry_is_exact() {
    let cut = "k".repeat(255);
    for (profile, end) in [(Profile::UPSTREAM, 7_000), (Profile::DOCUMENTED, 3_000)] {
        let mut locket = Locket::new(profile);
        locket.at(1_000).lock(&format!("{cut} "), "bbs-0", 2).unwrap();
        assert_eq!(locket.end_of(&cut), Some(end));
    }
}

#[test]
fn an_operator_meets_the_same_limits_and_an_update_that_does_not_fit_changes_no_row() {
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
            locket.put(row("a", "o", 15)).unwrap();
            let changes = RowChanges { ttl: Some(1), owner: long(), ..RowChanges::default() };

            assert_eq!(locket.put(too_long.clone()), Err(TOO_LONG));
            assert_eq!(locket.update(&changes), Err(TOO_LONG));
            assert_eq!(locket.rows(), [row("a", "o", 15)]);
        }
    }
}
