//! Claims about what fits into the table: lengths, NUL bytes, NULL columns, the largest index,
//! and the ids that rows get.

mod common;

use common::*;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::id_source::{IdSource, ModifiedId};
use locket_sim::protocol::lock_table::RowChanges;
use locket_sim::protocol::message::Response;
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::resource::{Resource, TypeCode};
use locket_sim::protocol::row::Row;

const TOO_LONG: LockError = LockError::Database(std::borrow::Cow::Borrowed("sql-bad-request"));
const NUL_BYTE: LockError = LockError::Database(std::borrow::Cow::Borrowed(
    "sql-unknown, error code: 22021, flavor: postgres",
));

fn with_value(value: &str) -> Resource {
    Resource {
        value: value.into(),
        ..resource("bbs", "bbs-0")
    }
}

/// What Lock answers on an empty table, in both presets, which must agree.
fn lock_once(resource: &Resource) -> Result<Response, LockError> {
    let request = lock_of(resource.clone(), 15);
    let [documented, upstream] = PRESETS.map(|profile| Locket::new(profile).handle(&request));
    assert_eq!(documented, upstream);
    upstream
}

// Lengths

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
    assert_eq!(
        lock_once(&with_value(&"v".repeat(4096))),
        Ok(Response::Lock)
    );
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
    assert_eq!(
        lock_once(&resource(&"ü".repeat(255), &"🔒".repeat(255))),
        Ok(Response::Lock)
    );
    assert_eq!(
        lock_once(&with_value(&"🔒".repeat(4096))),
        Ok(Response::Lock)
    );
    assert_eq!(
        lock_once(&resource(&"ü".repeat(256), "bbs-0")),
        Err(TOO_LONG)
    );
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

    locket
        .at(1_000)
        .lock(&format!("{cut} "), "bbs-0", 2)
        .unwrap();

    assert_eq!(locket.end_of(&cut), Some(7_000));
}

#[test]
fn a_row_whose_key_was_cut_goes_on_time_where_expiry_is_exact() {
    let mut locket = Locket::new(Profile::DOCUMENTED);
    let cut = "k".repeat(255);

    locket
        .at(1_000)
        .lock(&format!("{cut} "), "bbs-0", 2)
        .unwrap();

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
        Row {
            owner: long(),
            ..fits()
        },
        Row {
            type_name: long(),
            ..fits()
        },
        Row {
            modified_id: long(),
            ..fits()
        },
        Row {
            value: Some("x".repeat(4097)),
            ..fits()
        },
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
    }
}

#[test]
fn a_nul_byte_is_refused_before_a_length() {
    let same_column = with_value(&format!("{}\0", "v".repeat(5000)));
    let later_column = Resource {
        owner: "o".repeat(256),
        ..with_value("\0")
    };

    assert_eq!(lock_once(&same_column), Err(NUL_BYTE));
    assert_eq!(lock_once(&later_column), Err(NUL_BYTE));
}

#[test]
fn a_nul_byte_in_an_owner_still_collides_first() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("bbs", "bbs-0", 15).unwrap();

        let answer = locket.lock("bbs", "bbs\0", 15);

        assert_eq!(answer, Err(LockError::LockCollision));
    }
}

#[test]
fn other_control_characters_are_nothing_special() {
    assert_eq!(
        lock_once(&resource("a\n\t%/'\"\u{1}", "bbs-0")),
        Ok(Response::Lock)
    );
}

// NULL columns

fn rows_with_a_null() -> [(Row, String); 6] {
    let fits = || row("bbs", "bbs-0", 15);
    let text = |index: usize, name: &str| {
        format!(
            "sql: Scan error on column index {index}, name \"{name}\": converting NULL to string is unsupported"
        )
    };
    let number = |index: usize, name: &str| {
        format!(
            "sql: Scan error on column index {index}, name \"{name}\": converting NULL to int64 is unsupported"
        )
    };
    [
        (
            Row {
                owner: None,
                ..fits()
            },
            text(0, "owner"),
        ),
        (
            Row {
                value: None,
                ..fits()
            },
            text(1, "value"),
        ),
        (
            Row {
                type_name: None,
                ..fits()
            },
            text(2, "type"),
        ),
        (
            Row {
                modified_index: None,
                ..fits()
            },
            number(3, "modified_index"),
        ),
        (
            Row {
                modified_id: None,
                ..fits()
            },
            text(4, "modified_id"),
        ),
        (
            Row {
                ttl: None,
                ..fits()
            },
            number(5, "ttl"),
        ),
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
    }
}

// B38
#[test]
fn the_first_null_in_the_order_of_the_query_is_reported() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let broken = Row {
        ttl: None,
        modified_index: None,
        ..row("bbs", "bbs-0", 15)
    };
    locket.put(broken).unwrap();

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
        assert!(
            logged
                .iter()
                .all(|line| line.error.as_ref() == Some(&message))
        );
    }
}

#[test]
fn a_repaired_row_works_again() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let broken = Row {
        value: None,
        ..row("bbs", "bbs-0", 15)
    };
    locket.put(broken).unwrap();

    locket
        .update(&RowChanges {
            value: Some("repaired".into()),
            ..RowChanges::default()
        })
        .unwrap();

    assert_eq!(locket.fetch("bbs").unwrap().value, "repaired");
}

// Rows without an owner

// B43, B49, B51, B53, S38
#[test]
fn a_row_without_an_owner_is_free_for_lock_and_absent_for_all_else() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.put(row("bbs", "", 15)).unwrap();

    assert_eq!(locket.fetch("bbs"), Err(LockError::ResourceNotFound));
    assert_eq!(locket.listed("", TypeCode::Lock), Ok(vec![]));
    assert_eq!(locket.cluster.stats(s(0), &mut ()).active_locks, 0);
    assert_eq!(
        locket.release("bbs", "bbs-0"),
        Err(LockError::LockCollision)
    );
    assert_eq!(locket.lock("bbs", "bbs-0", 15), Ok(Response::Lock));
}

// B75
#[test]
fn a_row_without_an_owner_never_expires() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);

        locket.put(row("bbs", "", 15)).unwrap();

        assert_eq!(locket.end_of("bbs"), None);
    }
}

#[test]
fn a_row_that_loses_its_owner_loses_its_lease_where_expiry_is_exact() {
    let mut locket = Locket::new(Profile::DOCUMENTED);
    locket.lock("bbs", "bbs-0", 15).unwrap();

    locket
        .update(&RowChanges {
            owner: Some(String::new()),
            ..RowChanges::default()
        })
        .unwrap();

    assert_eq!(locket.end_of("bbs"), None);
}

#[test]
fn a_row_that_is_taken_over_has_a_lease_again() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.put(row("bbs", "", 15)).unwrap();

        locket.at(1_000).lock("bbs", "bbs-0", 15).unwrap();

        assert_eq!(locket.end_of("bbs"), Some(16_000));
    }
}

// Index and ids

#[test]
fn the_largest_index_wraps_to_the_smallest() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket
            .put(Row {
                modified_index: Some(i64::MAX),
                ..row("bbs", "bbs-0", 15)
            })
            .unwrap();

        locket.lock("bbs", "bbs-0", 15).unwrap();

        assert_eq!(locket.row("bbs").unwrap().modified_index, Some(i64::MIN));
    }
}

// B45
#[test]
fn an_id_is_a_lower_case_guid_with_version_4_and_the_old_variant() {
    let mut ids = IdSource::new(7);
    for _ in 0..1000 {
        let id = ids.next_id().to_string();
        for (place, character) in id.chars().enumerate() {
            let expected = match place {
                8 | 13 | 18 | 23 => "-",
                14 => "4",
                19 => "4567",
                _ => "0123456789abcdef",
            };
            assert!(expected.contains(character), "{id} at {place}");
        }
        assert_eq!(id.len(), 36);
    }
}

#[test]
fn the_same_seed_gives_the_same_ids_and_another_seed_others() {
    let ids = |seed| {
        let mut ids = IdSource::new(seed);
        [(); 100].map(|()| ids.next_id().to_string())
    };

    assert_eq!(ids(1), ids(1));
    assert!(ids(1).iter().all(|id| !ids(2).contains(id)));
}

#[test]
fn ids_of_one_seed_differ() {
    let mut ids = IdSource::new(1);
    let mut given: Vec<String> = (0..1000).map(|_| ids.next_id().to_string()).collect();

    given.sort();
    given.dedup();

    assert_eq!(given.len(), 1000);
}

#[test]
fn an_id_is_the_text_that_was_written() {
    for text in [
        "",
        "roof",
        "1b4e28ba-2fa1-41d2-483f-0016d3cca427",
        "1B4E28BA-2FA1-41D2-483F-0016D3CCA427",
        "1b4e28ba2fa141d2483f0016d3cca427",
        "{1b4e28ba-2fa1-41d2-483f-0016d3cca427}",
    ] {
        assert_eq!(ModifiedId::from(text).to_string(), text);
    }
}

#[test]
fn ids_that_differ_as_text_differ() {
    assert_ne!(
        ModifiedId::from("1b4e28ba-2fa1-41d2-483f-0016d3cca427"),
        ModifiedId::from("1B4E28BA-2FA1-41D2-483F-0016D3CCA427"),
    );
}
