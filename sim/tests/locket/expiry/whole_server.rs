//! Claims about expiry in a whole server: restarts, polls, failovers.

use super::*;

#[test]
fn a_lock_by_the_owner_moves_the_end_and_one_that_is_refused_does_not() {
    for profile in PRESETS {
        for (first, now, owner, ttl, end) in [
            (15, 10_000, "bbs-0", 15, 25_000),
            (60, 1_000, "bbs-0", 2, 3_000),
            (15, 10_000, "bbs-1", 60, 15_000),
            (15, 10_000, "bbs-0", 0, 15_000),
        ] {
            let mut locket = Locket::new(profile);
            locket.at(0).lock("bbs", "bbs-0", first).unwrap();

            let _ = locket.at(now).lock("bbs", owner, ttl);

            assert_eq!(locket.end_of("bbs"), Some(end));
        }
    }
}

// B71
#[test]
fn a_renewal_at_the_instant_of_expiry_comes_after_it_and_starts_over() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.at(0).lock("bbs", "bbs-0", 15).unwrap();
        let first = locket.row("bbs").unwrap();

        let renewal = locket.at(15_000).lock("bbs", "bbs-0", 15);

        assert_eq!(renewal, Ok(Response::Lock));
        let second = locket.row("bbs").unwrap();
        assert_eq!(second.modified_index, Some(1));
        assert_ne!(second.modified_id, first.modified_id);
    }
}

// B69, S1
#[test]
fn upstream_complains_of_the_next_holder_when_the_old_ttl_ends() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.at(0).lock("bbs", "bbs-0", 15).unwrap();
    locket.at(1_000).release("bbs", "bbs-0").unwrap();
    locket.at(1_400).lock("bbs", "bbs-1", 60).unwrap();

    locket.at(15_000);

    assert_eq!(locket.logs.count("fetch-failed-owner-mismatch"), 1);
    assert_eq!(locket.logs.count("failed-compare-and-release"), 1);
    assert_eq!(locket.holder("bbs").as_deref(), Some("bbs-1"));
}

#[test]
fn an_expiry_is_logged_once_with_key_owner_and_type() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.handle(&presence("cell-1", "cell", 15)).unwrap();

        locket.at(60_000);

        let lines = locket.logs.of("lock-expired");
        assert_eq!(lines.len(), 1);
        assert_eq!(
            (&*lines[0].key, &*lines[0].owner, &*lines[0].type_name),
            ("cell-1", "cell", "presence")
        );
    }
}

#[test]
fn rows_that_end_together_go_in_the_order_of_their_last_write() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        for key in ["c", "a", "b", "c"] {
            locket.at(0).lock(key, "o", 15).unwrap();
        }

        locket.at(15_000);

        let lines = locket.logs.of("lock-expired");
        let keys: Vec<&str> = lines.iter().map(|line| &*line.key).collect();
        assert_eq!(keys, ["a", "b", "c"]);
    }
}

// B72: what a database that fails over and forgets commits does.
#[test]
fn exactly_two_forgotten_renewals_let_a_live_row_expire() {
    let live_at_15_after_forgetting = |forgotten: i64| {
        let mut locket = Locket::new(Profile::UPSTREAM);
        locket.put(Row { modified_index: Some(44), ..row("bbs", "bbs-0", 15) }).unwrap();
        locket.at(5_001).lock("bbs", "bbs-0", 15).unwrap();
        let index = Some(45 - forgotten);
        let failover = RowChanges { modified_index: index, ..RowChanges::default() };
        locket.at(5_002).update(&failover).unwrap();
        locket.at(10_001).lock("bbs", "bbs-0", 15).unwrap();
        locket.at(15_001).lock("bbs", "bbs-0", 15).unwrap();
        locket.at(20_001).row("bbs").is_some()
    };

    let live = [0, 1, 2, 3, 4].map(live_at_15_after_forgetting);

    assert_eq!(live, [true, true, false, true, true]);
}
