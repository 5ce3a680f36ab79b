//! Claims about the end of a TTL: the timers of one upstream process, the exact rule of the
//! documents, and what both make of TTLs beyond all measure.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

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

// B66, to the millisecond.
#[test]
fn a_timer_fires_once_and_what_it_deletes_is_counted_by_type() {
    let dog = Registration { row_type: "dog".into(), ..funky(6) };
    for (row, expired, name) in
        [(funky(6), [0, 1], "lock"), (funky_presence(), [1, 0], "presence"), (dog, [0, 1], "dog")]
    {
        let mut timers = Timers::of([row.clone()]);
        assert_eq!(timers.logs.of("register-ttl")[0].type_name, name);
        assert_eq!(timers.attempts_by(ms(24_999)), []);
        assert_eq!(timers.expiry.deadline(Time::MAX), Some(s(25)));
        assert_eq!(timers.attempts_by(s(25)), [row]);
        assert_eq!(timers.expired(), expired);
        assert_eq!(timers.attempts_by(s(1000)), []);
    }
}

// B66, B67
#[test]
fn a_deletion_that_failed_or_found_nothing_is_forgotten_and_not_counted() {
    for (result, error) in [(Err(database("Boom.")), Some("Boom.")), (Ok(false), None)] {
        let mut timers = Timers::of([funky(6)]);
        let (fired, _) = timers.expiry.poll_fired(s(25)).unwrap();

        timers.finish(fired, result);

        let failed = timers.logs.of("failed-compare-and-release");
        assert_eq!(failed.iter().map(|line| line.error.as_deref()).next().flatten(), error);
        assert_eq!(timers.logs.messages().len(), 1 + usize::from(error.is_some()));
        assert_eq!((timers.expired(), timers.expiry.is_empty()), ([0, 0], true));
        assert_eq!(timers.attempts_by(s(1000)), []);
    }
}

// B62, B63, B65
#[test]
fn only_a_larger_index_of_the_same_key_and_id_replaces_a_timer() {
    let with_ttl = |ttl_in_seconds| Registration { ttl_in_seconds, ..funky(7) };
    let other_id = Registration { modified_id: "new-guid".into(), ..funky(6) };
    let other_key = Registration { key: "another".into(), ..funky(6) };
    let (replaced, ignored) =
        ("cancelling-old-check-goroutine", "found-expiration-goroutine-for-index");
    for (next, now, message, attempts) in [
        (funky(7), 0, Some(replaced), vec![(25, funky(7))]),
        (funky(7), 10, Some(replaced), vec![(35, funky(7))]),
        (with_ttl(2), 1, Some(replaced), vec![(3, with_ttl(2))]),
        (funky(6), 10, Some(ignored), vec![(25, funky(6))]),
        (funky(5), 10, Some(ignored), vec![(25, funky(6))]),
        (other_id.clone(), 0, None, vec![(25, funky(6)), (25, other_id)]),
        (other_key.clone(), 1, None, vec![(25, funky(6)), (26, other_key)]),
    ] {
        let mut timers = Timers::of([funky(6)]);
        timers.register(next, s(now));

        let said = [replaced, ignored].into_iter().find(|text| timers.logs.count(text) > 0);
        assert_eq!(said, message);
        let fired =
            |second| timers.attempts_by(s(second)).into_iter().map(move |row| (second, row));
        assert_eq!((0..100).flat_map(fired).collect::<Vec<_>>(), attempts);
    }
}

// B70
#[test]
fn after_a_timer_fired_any_index_is_a_new_timer() {
    for index in [5, 6] {
        let mut timers = Timers::of([funky(6)]);
        timers.attempts_by(s(25));

        timers.register(funky(index), s(25));

        assert_eq!(timers.attempts_by(ms(49_999)), []);
        assert_eq!(timers.attempts_by(s(50)), [funky(index)]);
    }
}

// B67
#[test]
fn during_an_attempt_only_a_larger_index_is_a_new_timer() {
    for (indexes, later) in [(&[7, 8][..], vec![funky(8)]), (&[6], vec![])] {
        let mut timers = Timers::of([funky(6)]);
        let (fired, first) = timers.expiry.poll_fired(s(25)).unwrap();

        for index in indexes {
            timers.register(funky(*index), s(25));
        }
        timers.finish(fired, Ok(true));

        assert_eq!((first, timers.attempts_by(s(1000))), (funky(6), later));
    }
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

// TTLs beyond all measure

// B74: a TTL that overflows to a negative one ends at once, and one that wraps then, rounded up:
// 18,446,744,074 * 10^9 - 2^64 ns = 290,448,384 ns, and 2^55 * 10^9 is a multiple of 2^64.
#[test]
fn upstream_counts_a_ttl_in_64_bits_of_nanoseconds_and_the_documents_keep_it() {
    let largest = 9_223_372_036;
    for (profile, ttl, end) in [
        (Profile::UPSTREAM, largest, 9_223_372_036_000),
        (Profile::UPSTREAM, largest + 1, 0),
        (Profile::UPSTREAM, 10_000_000_000, 0),
        (Profile::UPSTREAM, i64::MAX, 0),
        (Profile::UPSTREAM, 18_446_744_074, 291),
        (Profile::UPSTREAM, (1 << 55) + 2, 2_000),
        (Profile::DOCUMENTED, largest + 1, 9_223_372_037_000),
        (Profile::DOCUMENTED, i64::MAX, Time::MAX.as_ms()),
    ] {
        let mut locket = Locket::new(profile);
        assert_eq!(locket.lock("bbs", "bbs-0", ttl), Ok(Response::Lock));
        assert_eq!(locket.end_of("bbs"), Some(end), "{ttl}");
        assert_eq!(locket.fetch("bbs").is_ok(), end > 0);
    }
}

#[test]
fn a_row_with_a_ttl_of_0_or_less_ends_at_once_where_expiry_is_exact() {
    for ttl in [0, -1, i64::MIN] {
        let mut locket = Locket::new(Profile::DOCUMENTED);
        locket.at(1_000).put(row("bbs", "bbs-0", ttl)).unwrap();

        assert_eq!(locket.end_of("bbs"), Some(1_000));
    }
}
