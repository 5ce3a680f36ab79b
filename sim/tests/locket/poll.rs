//! Claims about the poll: every 5 s an upstream process reads the table and registers what it
//! finds.

use crate::common::*;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::row::{Registration, Row, RowType};
use locket_sim::protocol::server::Server;
use locket_sim::time::Time;

fn stored(key: &str, ttl_in_seconds: i64) -> Registration {
    Registration {
        key: key.into(),
        owner: "owner".into(),
        row_type: RowType::Lock,
        modified_id: "guid".into(),
        modified_index: 3_587_584_357_348,
        ttl_in_seconds,
    }
}

fn poll(server: &mut Server, now: Time, logs: &mut Logs) {
    server.begin_poll(now);
    let rows = [stored("key1", 25), stored("key2", 437)];
    server.handle_polled_rows(Ok(rows.into_iter()), now, logs);
}

fn failing_poll(server: &mut Server, error: &'static str, now: Time, logs: &mut Logs) {
    let nothing: Result<std::iter::Empty<Registration>, LockError> = Err(database(error));
    server.begin_poll(now);
    server.handle_polled_rows(nothing, now, logs);
}

fn registered(logs: &Logs) -> Vec<&str> {
    let lines = logs.of("register-ttl");
    lines.into_iter().map(|line| &*line.key).collect()
}

// B75, B76
#[test]
fn a_process_polls_when_it_starts_and_every_5_seconds_and_a_known_row_keeps_its_timer() {
    let mut server = Server::new(Profile::UPSTREAM, s(3));
    // A late poll does not shift the rhythm.
    for (due, now, next) in [(3, s(3), 8), (8, s(8), 13), (13, ms(15_345), 18)] {
        let mut logs = Logs::default();
        assert_eq!(server.poll_deadline(), Some(s(due)));

        poll(&mut server, now, &mut logs);

        assert_eq!(registered(&logs), ["key1", "key2"]);
        assert_eq!(server.poll_deadline(), Some(s(next)));
        assert_eq!(server.deadline(Time::MAX), Some(s(28)));
    }
    assert_eq!(Server::new(Profile::DOCUMENTED, s(0)).poll_deadline(), None);
}

// B60, B64
#[test]
fn a_registration_that_arrives_late_does_not_shorten_the_lease() {
    let mut server = Server::new(Profile::UPSTREAM, s(0));
    for (index, now) in [(8, s(5)), (7, s(4))] {
        let row = Registration { modified_index: index, ..stored("key", 15) };
        server.handle_polled_rows(Ok([row].into_iter()), now, &mut ());
    }

    assert_eq!(server.deadline(Time::MAX), Some(s(20)));
}

// B77: upstream emits the counts every 60 s; here they are state that is read. So the counts must
// be 1, 2, 3 and 4 when a minute's rows have expired. The table must be listed again each time,
// which shows in the registration of a row that stays.
#[test]
fn expired_rows_are_counted_up_and_the_table_is_listed_again_each_time() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.at(0).put(row("witness", "o", 100_000)).unwrap();

    for minute in 1..=4 {
        let start = (minute - 1) * 60_000;
        locket.at(start).lock("lock", "o", 60).unwrap();
        locket.handle(&presence("presence", "o", 60)).unwrap();
        locket.logs = Logs::default();

        locket.at(minute * 60_000);

        let stats = locket.cluster.stats(s(minute * 60), &mut ());
        assert_eq!((stats.expired.locks, stats.expired.presences), (minute, minute));
        assert!(registered(&locket.logs).contains(&"witness"));
    }
}

// B29
#[test]
fn a_poll_that_fails_is_logged_and_the_next_one_comes_all_the_same() {
    let mut server = Server::new(Profile::UPSTREAM, s(0));
    let mut logs = Logs::default();

    failing_poll(&mut server, "Boom.", s(0), &mut logs);
    assert_eq!(server.poll_deadline(), Some(s(5)));
    failing_poll(&mut server, "sql-unrecoverable", s(5), &mut logs);

    let lines = logs.of("failed-fetching-locks");
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0].error.as_deref(), Some("Boom."));
    assert!(!server.exits());
}

/// Puts a row that no process knows, at a time.
fn end_of_put(locket: &mut Locket, at: u64, row: Row) -> Option<u64> {
    let key = row.path.clone();
    locket.at(at).put(row).expect("the row fits");
    locket.end_of(&key)
}

// B38, B52, B75
#[test]
fn the_next_poll_finds_rows_of_all_types_that_have_an_owner_and_scan() {
    let row = || row("bbs", "bbs-0", 2);
    for (at, row, end) in [
        (7_300, row(), Some(12_000)),
        (7_300, Row { type_name: Some("dog".into()), ..row() }, Some(12_000)),
        (7_300, Row { owner: Some(String::new()), ..row() }, None),
        (7_300, Row { value: None, ..row() }, None),
        // A poll at the instant of a write comes before it.
        (10_000, row(), Some(17_000)),
    ] {
        let mut locket = Locket::new(Profile::UPSTREAM);
        assert_eq!(end_of_put(&mut locket, at, row.clone()), end, "{row}");
    }
}

#[test]
fn the_rhythm_counts_from_the_start_of_the_process() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.at(1_700).restart(0);

    assert_eq!(end_of_put(&mut locket, 27_000, row("bbs", "bbs-0", 2)), Some(33_700));
}

/// How often something happens by itself until all is quiet.
fn steps_until_quiet(locket: &mut Locket) -> usize {
    let mut steps = 0;
    while let Some(due) = locket.cluster.deadline() {
        locket.at(due.as_ms());
        steps += 1;
        assert!(steps < 1000, "it never gets quiet");
    }
    steps
}

const CENTURY_MS: u64 = 100 * 365 * 24 * 3_600_000;

#[test]
fn a_quiet_century_is_not_ticked_through_and_the_rhythm_of_the_polls_outlives_it() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.at(0).lock("bbs", "bbs-0", 15).expect("it is free");

    locket.at(CENTURY_MS);

    assert_eq!(locket.holder("bbs"), None);
    assert_eq!(locket.cluster.deadline(), None);
    let end = end_of_put(&mut locket, CENTURY_MS + 7_300, row("bbs", "bbs-0", 2));
    assert_eq!(end, Some(CENTURY_MS + 12_000));
}

#[test]
fn a_lease_of_a_century_takes_a_handful_of_steps() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let ttl = (CENTURY_MS / 1000) as i64;
    locket.at(0).lock("bbs", "bbs-0", ttl).expect("it is free");

    let steps = steps_until_quiet(&mut locket);

    assert!(steps <= 5, "{steps} steps");
    assert_eq!(locket.holder("bbs"), None);
}

#[test]
fn the_rhythm_ends_with_time_itself() {
    let mut server = Server::new(Profile::UPSTREAM, s(0));

    server.skip_polls_before(Time::MAX);

    assert_eq!(server.poll_deadline(), Some(Time::MAX));
}

// The order within an instant: timers, polls, then the request.
#[test]
fn a_poll_at_the_instant_of_a_failed_deletion_comes_after_it() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.at(0).put(row("bbs", "bbs-0", 5)).unwrap();
    // Registered at 5 s; its timer and a poll meet at 10 s.
    let mut changed = row("bbs", "bbs-0", 5);
    changed.modified_id = Some("another".into());
    changed.ttl = Some(1);

    locket.at(6_000).put(changed).unwrap();

    assert_eq!(locket.end_of("bbs"), Some(11_000));
    locket.at(10_000);
    assert_eq!(locket.logs.count("release-failed-id-mismatch"), 1);
}
