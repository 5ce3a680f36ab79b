//! Claims about the end of a lease: the timers of one upstream process, the exact rule of the
//! documents, and what both make of TTLs beyond all measure.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod overflow;
mod whole_server;

use crate::common::*;
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
        self.expiry.register(row, TtlOverflow::Wrap, now, &mut self.logs);
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

#[test]
fn a_lease_that_ends_is_one_attempt_to_delete_its_snapshot() {
    let mut timers = Timers::of([funky(6)]);

    assert_eq!(timers.attempts_by(s(25)), [funky(6)]);
}

// Exact to the millisecond.
#[test]
fn a_timer_does_not_fire_a_millisecond_early() {
    let mut timers = Timers::of([funky(6)]);

    assert_eq!(timers.attempts_by(ms(24_999)), []);
    assert_eq!(timers.expiry.deadline(Time::MAX), Some(s(25)));
}

#[test]
fn an_expired_lock_is_counted_as_a_lock() {
    let mut timers = Timers::of([funky(6)]);

    timers.attempts_by(s(25));

    assert_eq!(timers.expired(), [0, 1]);
}

#[test]
fn an_expired_presence_is_counted_as_a_presence() {
    let mut timers = Timers::of([funky_presence()]);

    timers.attempts_by(s(25));

    assert_eq!(timers.expired(), [1, 0]);
}

// B66
#[test]
fn an_expired_row_of_any_other_type_is_counted_as_a_lock() {
    let mut timers = Timers::of([Registration { row_type: "dog".into(), ..funky(6) }]);

    timers.attempts_by(s(25));

    assert_eq!(timers.expired(), [0, 1]);
}

#[test]
fn a_registration_is_logged_with_its_type() {
    let timers = Timers::of([funky(6), funky_presence()]);

    let types: Vec<&str> =
        timers.logs.of("register-ttl").iter().map(|line| &*line.type_name).collect();

    assert_eq!(types, ["lock", "presence"]);
}

// B66
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

// B63
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
    let shorter = Registration { ttl_in_seconds: 2, ..funky(7) };
    let mut timers = Timers::of([funky(6)]);

    timers.register(shorter.clone(), s(1));

    assert_eq!(timers.attempts_by(s(3)), [shorter]);
    assert_eq!(timers.attempts_by(s(100)), []);
}

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

#[test]
fn the_same_index_again_is_ignored() {
    let mut timers = Timers::of([funky(6)]);

    timers.register(funky(6), s(10));

    assert_eq!(timers.logs.count("found-expiration-goroutine-for-index"), 1);
    assert_eq!(timers.attempts_by(s(25)), [funky(6)]);
}

#[test]
fn a_smaller_index_is_ignored() {
    let mut timers = Timers::of([funky(6)]);

    timers.register(funky(5), s(10));

    assert_eq!(timers.logs.count("found-expiration-goroutine-for-index"), 1);
    assert_eq!(timers.attempts_by(s(100)), [funky(6)]);
}

// B70
#[test]
fn a_smaller_index_after_the_timer_fired_is_a_new_timer() {
    let mut timers = Timers::of([funky(6)]);
    timers.attempts_by(s(25));

    timers.register(funky(5), s(25));

    assert_eq!(timers.attempts_by(s(50)), [funky(5)]);
}

// B65
#[test]
fn another_id_of_the_same_key_is_a_timer_of_its_own() {
    let other = Registration { modified_id: "new-guid".into(), ..funky(6) };
    let mut timers = Timers::of([funky(6)]);

    timers.register(other.clone(), s(0));

    assert_eq!(timers.attempts_by(s(25)), [funky(6), other]);
}

#[test]
fn another_key_does_not_disturb_a_timer() {
    let another = Registration { key: "another".into(), ..funky(6) };
    let mut timers = Timers::of([funky(6)]);

    timers.register(another.clone(), s(0));
    timers.register(funky(7), s(0));

    assert_eq!(timers.attempts_by(s(25)), [another, funky(7)]);
}

#[test]
fn the_same_row_after_its_timer_fired_is_a_new_timer() {
    let mut timers = Timers::of([funky(6)]);
    timers.attempts_by(s(25));

    timers.register(funky(6), s(25));

    assert_eq!(timers.attempts_by(s(50)), [funky(6)]);
}

#[test]
fn a_timer_superseded_between_firing_and_its_attempt_makes_no_attempt() {
    let another = Registration { key: "another".into(), ..funky(6) };
    let mut timers = Timers::of([another.clone(), funky(6)]);
    let (fired, first) = timers.expiry.poll_fired(s(25)).unwrap();

    timers.register(funky(7), s(25));
    timers.finish(fired, Ok(true));

    assert_eq!(first, another);
    assert_eq!(timers.attempts_by(s(49)), []);
    assert_eq!(timers.attempts_by(s(50)), [funky(7)]);
}
