//! Claims about the end of a lease: the timers of one upstream process, the exact rule of the
//! documents, and what both make of TTLs beyond all measure.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod common;

use common::*;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::expiry::{Expiry, Fired};
use locket_sim::protocol::lock_table::RowChanges;
use locket_sim::protocol::message::Response;
use locket_sim::protocol::profile::{Profile, TtlOverflow};
use locket_sim::protocol::row::{Registration, Row, RowType};
use locket_sim::time::Time;

fn funky(modified_index: i64) -> Registration {
    Registration {
        key: "funky".into(),
        owner: "town".into(),
        row_type: RowType::Lock,
        modified_id: "guid".into(),
        modified_index,
        ttl_in_seconds: 25,
    }
}

fn funky_presence() -> Registration {
    Registration {
        key: "funky-presence".into(),
        owner: "town-presence".into(),
        row_type: RowType::Presence,
        ..funky(6)
    }
}

/// Timers whose attempts the database answers as the test says.
#[derive(Default)]
struct Timers {
    expiry: Expiry,
    logs: Logs,
}

impl Timers {
    fn of(rows: impl IntoIterator<Item = Registration>) -> Self {
        let mut timers = Self::default();
        for row in rows {
            timers.register(row, s(0));
        }
        timers
    }

    fn register(&mut self, row: Registration, now: Time) {
        self.expiry
            .register(row, TtlOverflow::Wrap, now, &mut self.logs);
    }

    fn finish(&mut self, fired: Fired, result: Result<bool, LockError>) {
        self.expiry.handle_attempt(fired, result, &mut self.logs);
    }

    /// Lets time pass until `now`; every deletion that is attempted succeeds. Returns them.
    fn attempts_by(&mut self, now: Time) -> Vec<Registration> {
        let mut attempts = Vec::new();
        while let Some((fired, row)) = self.expiry.poll_fired(now) {
            attempts.push(row);
            self.finish(fired, Ok(true));
        }
        attempts
    }

    /// `[presences, locks]` that were counted as expired.
    fn expired(&self) -> [u64; 2] {
        let counters = self.expiry.expired();
        [counters.presences, counters.locks]
    }
}

// One process's timers

// T95
#[test]
fn a_lease_that_ends_is_one_attempt_to_delete_its_snapshot() {
    let mut timers = Timers::of([funky(6)]);

    assert_eq!(timers.attempts_by(s(25)), [funky(6)]);
}

// T95, to the millisecond
#[test]
fn a_timer_does_not_fire_a_millisecond_early() {
    let mut timers = Timers::of([funky(6)]);

    assert_eq!(timers.attempts_by(ms(24_999)), []);
    assert_eq!(timers.expiry.deadline(Time::MAX), Some(s(25)));
}

// T96
#[test]
fn an_expired_lock_is_counted_as_a_lock() {
    let mut timers = Timers::of([funky(6)]);

    timers.attempts_by(s(25));

    assert_eq!(timers.expired(), [0, 1]);
}

// T97
#[test]
fn an_expired_presence_is_counted_as_a_presence() {
    let mut timers = Timers::of([funky_presence()]);

    timers.attempts_by(s(25));

    assert_eq!(timers.expired(), [1, 0]);
}

// B66
#[test]
fn an_expired_row_of_any_other_type_is_counted_as_a_lock() {
    let mut timers = Timers::of([Registration {
        row_type: "dog".into(),
        ..funky(6)
    }]);

    timers.attempts_by(s(25));

    assert_eq!(timers.expired(), [0, 1]);
}

// T98, T99
#[test]
fn a_registration_is_logged_with_its_type() {
    let timers = Timers::of([funky(6), funky_presence()]);

    let types: Vec<&str> = timers
        .logs
        .of("register-ttl")
        .iter()
        .map(|line| &*line.type_name)
        .collect();

    assert_eq!(types, ["lock", "presence"]);
}

// T100, B66
#[test]
fn a_deletion_that_failed_is_logged_and_not_counted() {
    let mut timers = Timers::of([funky(6)]);
    let (fired, _) = timers.expiry.poll_fired(s(25)).unwrap();

    timers.finish(fired, Err(database("Boom.")));

    let lines = timers.logs.of("failed-compare-and-release");
    assert_eq!(lines[0].error.as_deref(), Some("Boom."));
    assert_eq!(timers.expired(), [0, 0]);
}

// B67
#[test]
fn a_timer_whose_deletion_failed_is_forgotten() {
    let mut timers = Timers::of([funky(6)]);
    let (fired, _) = timers.expiry.poll_fired(s(25)).unwrap();

    timers.finish(fired, Err(database("Boom.")));

    assert!(timers.expiry.is_empty());
    assert_eq!(timers.attempts_by(s(1000)), []);
}

// B66
#[test]
fn a_row_that_is_gone_already_is_not_counted() {
    let mut timers = Timers::of([funky(6)]);
    let (fired, _) = timers.expiry.poll_fired(s(25)).unwrap();

    timers.finish(fired, Ok(false));

    assert_eq!(timers.expired(), [0, 0]);
    assert_eq!(timers.logs.messages(), ["register-ttl"]);
}

// T101, B63
#[test]
fn a_larger_index_replaces_the_timer() {
    let mut timers = Timers::of([funky(6)]);

    timers.register(funky(7), s(0));

    assert_eq!(timers.logs.count("cancelling-old-check-goroutine"), 1);
    assert_eq!(timers.attempts_by(s(25)), [funky(7)]);
}

// B62
#[test]
fn a_lease_is_measured_from_its_registration() {
    let mut timers = Timers::of([funky(6)]);

    timers.register(funky(7), s(10));

    assert_eq!(timers.attempts_by(ms(34_999)), []);
    assert_eq!(timers.attempts_by(s(35)), [funky(7)]);
}

// B63
#[test]
fn a_larger_index_with_a_shorter_ttl_ends_the_lease_sooner() {
    let shorter = Registration {
        ttl_in_seconds: 2,
        ..funky(7)
    };
    let mut timers = Timers::of([funky(6)]);

    timers.register(shorter.clone(), s(1));

    assert_eq!(timers.attempts_by(s(3)), [shorter]);
    assert_eq!(timers.attempts_by(s(100)), []);
}

// T102
#[test]
fn registrations_during_an_attempt_outlive_it() {
    let mut timers = Timers::of([funky(6)]);
    let (fired, first) = timers.expiry.poll_fired(s(25)).unwrap();

    timers.register(funky(7), s(25));
    timers.register(funky(8), s(25));
    timers.finish(fired, Ok(true));
    let later = timers.attempts_by(s(50));

    assert_eq!((first, later), (funky(6), vec![funky(8)]));
}

// B67
#[test]
fn a_registration_of_the_same_index_during_an_attempt_is_ignored() {
    let mut timers = Timers::of([funky(6)]);
    let (fired, _) = timers.expiry.poll_fired(s(25)).unwrap();

    timers.register(funky(6), s(25));
    timers.finish(fired, Ok(true));

    assert_eq!(timers.attempts_by(s(1000)), []);
}

// T103
#[test]
fn the_same_index_again_is_ignored() {
    let mut timers = Timers::of([funky(6)]);

    timers.register(funky(6), s(10));

    assert_eq!(timers.logs.count("found-expiration-goroutine-for-index"), 1);
    assert_eq!(timers.attempts_by(s(25)), [funky(6)]);
}

// T104
#[test]
fn a_smaller_index_is_ignored() {
    let mut timers = Timers::of([funky(6)]);

    timers.register(funky(5), s(10));

    assert_eq!(timers.logs.count("found-expiration-goroutine-for-index"), 1);
    assert_eq!(timers.attempts_by(s(100)), [funky(6)]);
}

// T105, B70
#[test]
fn a_smaller_index_after_the_timer_fired_is_a_new_timer() {
    let mut timers = Timers::of([funky(6)]);
    timers.attempts_by(s(25));

    timers.register(funky(5), s(25));

    assert_eq!(timers.attempts_by(s(50)), [funky(5)]);
}

// T106, B65
#[test]
fn another_id_of_the_same_key_is_a_timer_of_its_own() {
    let other = Registration {
        modified_id: "new-guid".into(),
        ..funky(6)
    };
    let mut timers = Timers::of([funky(6)]);

    timers.register(other.clone(), s(0));

    assert_eq!(timers.attempts_by(s(25)), [funky(6), other]);
}

// T107
#[test]
fn another_key_does_not_disturb_a_timer() {
    let another = Registration {
        key: "another".into(),
        ..funky(6)
    };
    let mut timers = Timers::of([funky(6)]);

    timers.register(another.clone(), s(0));
    timers.register(funky(7), s(0));

    assert_eq!(timers.attempts_by(s(25)), [another, funky(7)]);
}

// T108
#[test]
fn the_same_row_after_its_timer_fired_is_a_new_timer() {
    let mut timers = Timers::of([funky(6)]);
    timers.attempts_by(s(25));

    timers.register(funky(6), s(25));

    assert_eq!(timers.attempts_by(s(50)), [funky(6)]);
}

#[test]
fn a_timer_superseded_between_firing_and_its_attempt_makes_no_attempt() {
    let another = Registration {
        key: "another".into(),
        ..funky(6)
    };
    let mut timers = Timers::of([another.clone(), funky(6)]);
    let (fired, first) = timers.expiry.poll_fired(s(25)).unwrap();

    timers.register(funky(7), s(25));
    timers.finish(fired, Ok(true));

    assert_eq!(first, another);
    assert_eq!(timers.attempts_by(s(49)), []);
    assert_eq!(timers.attempts_by(s(50)), [funky(7)]);
}

// A whole server

#[test]
fn a_row_is_there_until_the_millisecond_in_which_its_ttl_ends() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.at(1_234).lock("bbs", "bbs-0", 15).unwrap();

        assert!(locket.at(16_233).fetch("bbs").is_ok());
        assert_eq!(
            locket.at(16_234).fetch("bbs"),
            Err(LockError::ResourceNotFound)
        );
    }
}

#[test]
fn a_renewal_moves_the_end() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.at(0).lock("bbs", "bbs-0", 15).unwrap();

        locket.at(10_000).lock("bbs", "bbs-0", 15).unwrap();

        assert_eq!(locket.end_of("bbs"), Some(25_000));
    }
}

#[test]
fn a_renewal_with_a_shorter_ttl_moves_the_end_forward() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.at(0).lock("bbs", "bbs-0", 60).unwrap();

        locket.at(1_000).lock("bbs", "bbs-0", 2).unwrap();

        assert_eq!(locket.end_of("bbs"), Some(3_000));
    }
}

#[test]
fn an_attempt_of_another_owner_does_not_move_the_end() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.at(0).lock("bbs", "bbs-0", 15).unwrap();

        let collision = locket.at(10_000).lock("bbs", "bbs-1", 60);

        assert_eq!(collision, Err(LockError::LockCollision));
        assert_eq!(locket.end_of("bbs"), Some(15_000));
    }
}

#[test]
fn a_refused_renewal_does_not_move_the_end() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.at(0).lock("bbs", "bbs-0", 15).unwrap();

        let refused = locket.at(10_000).lock("bbs", "bbs-0", 0);

        assert_eq!(refused, Err(LockError::InvalidTtl));
        assert_eq!(locket.end_of("bbs"), Some(15_000));
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

// B47, B69
#[test]
fn a_lease_that_was_given_up_does_not_end_the_next_one() {
    for profile in PRESETS {
        for next_owner in ["bbs-0", "bbs-1"] {
            let mut locket = Locket::new(profile);
            locket.at(0).lock("bbs", "bbs-0", 2).unwrap();
            locket.at(1_500).release("bbs", "bbs-0").unwrap();

            locket.at(1_500).lock("bbs", next_owner, 2).unwrap();

            assert_eq!(locket.end_of("bbs"), Some(3_500));
        }
    }
}

// B69, S1
#[test]
fn upstream_complains_of_the_next_holder_when_the_old_lease_ends() {
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

// B68
#[test]
fn a_row_whose_deletion_failed_gets_a_full_lease_from_the_next_poll() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.at(1_000).lock("bbs", "bbs-0", 2).unwrap();
    let raised = RowChanges {
        modified_index: Some(9),
        ..RowChanges::default()
    };

    // Raised behind Locket's back, the index saves the row from the timer at 3 s.
    locket.at(2_000).update(&raised).unwrap();

    assert_eq!(locket.end_of("bbs"), Some(7_000));
}

#[test]
fn upstream_does_not_see_a_ttl_that_was_changed_in_the_table() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.at(0).lock("bbs", "bbs-0", 15).unwrap();
    let lowered = RowChanges {
        ttl: Some(1),
        ..RowChanges::default()
    };

    locket.at(1_000).update(&lowered).unwrap();

    assert_eq!(locket.end_of("bbs"), Some(15_000));
}

// B72: what a database that fails over and forgets commits does.
#[test]
fn exactly_two_forgotten_renewals_let_a_live_row_expire() {
    let live_at_15_after_forgetting = |forgotten: i64| {
        let mut locket = Locket::new(Profile::UPSTREAM);
        locket
            .put(Row {
                modified_index: Some(44),
                ..row("bbs", "bbs-0", 15)
            })
            .unwrap();
        locket.at(5_001).lock("bbs", "bbs-0", 15).unwrap();
        let index = Some(45 - forgotten);
        let failover = RowChanges {
            modified_index: index,
            ..RowChanges::default()
        };
        locket.at(5_002).update(&failover).unwrap();
        locket.at(10_001).lock("bbs", "bbs-0", 15).unwrap();
        locket.at(15_001).lock("bbs", "bbs-0", 15).unwrap();
        locket.at(20_001).row("bbs").is_some()
    };

    let live = [0, 1, 2, 3, 4].map(live_at_15_after_forgetting);

    assert_eq!(live, [true, true, false, true, true]);
}

// TTLs beyond all measure

/// When a row locked at 0 with this TTL goes, in milliseconds.
fn end_with_ttl(profile: Profile, ttl: i64) -> Option<u64> {
    let mut locket = Locket::new(profile);
    locket.at(0).lock("bbs", "bbs-0", ttl).unwrap();
    locket.end_of("bbs")
}

// B74
#[test]
fn the_largest_ttl_that_upstream_can_count_lasts_as_long_as_it_says() {
    assert_eq!(
        end_with_ttl(Profile::UPSTREAM, 9_223_372_036),
        Some(9_223_372_036_000)
    );
}

// B74
#[test]
fn a_ttl_that_overflows_to_a_negative_one_ends_at_once() {
    for ttl in [9_223_372_037, 10_000_000_000, i64::MAX] {
        assert_eq!(end_with_ttl(Profile::UPSTREAM, ttl), Some(0), "{ttl}");
    }
}

// B74: 18,446,744,074 × 10⁹ − 2⁶⁴ ns = 290,448,384 ns.
#[test]
fn a_ttl_that_wraps_to_a_short_one_ends_then_rounded_up_to_the_millisecond() {
    assert_eq!(end_with_ttl(Profile::UPSTREAM, 18_446_744_074), Some(291));
}

// B74: 2⁵⁵ × 10⁹ is a multiple of 2⁶⁴.
#[test]
fn a_ttl_that_wraps_round_completely_is_a_small_one() {
    assert_eq!(end_with_ttl(Profile::UPSTREAM, (1 << 55) + 2), Some(2_000));
}

// B74
#[test]
fn a_ttl_that_ends_at_once_is_answered_as_a_success() {
    let mut locket = Locket::new(Profile::UPSTREAM);

    assert_eq!(locket.lock("bbs", "bbs-0", i64::MAX), Ok(Response::Lock));
    assert_eq!(locket.fetch("bbs"), Err(LockError::ResourceNotFound));
}

#[test]
fn the_documents_keep_every_ttl_for_as_long_as_it_says() {
    assert_eq!(
        end_with_ttl(Profile::DOCUMENTED, 9_223_372_037),
        Some(9_223_372_037_000)
    );
    assert_eq!(end_with_ttl(Profile::DOCUMENTED, i64::MAX), Some(u64::MAX));
}

#[test]
fn a_row_with_a_ttl_of_0_or_less_ends_at_once_where_expiry_is_exact() {
    for ttl in [0, -1, i64::MIN] {
        let mut locket = Locket::new(Profile::DOCUMENTED);
        locket.at(1_000).put(row("bbs", "bbs-0", ttl)).unwrap();

        assert_eq!(locket.end_of("bbs"), Some(1_000));
    }
}
