//! Claims about the poll: every 5 s an upstream process reads the table and registers what it
//! finds.

use crate::common::*;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::row::{Registration, RowType};
use locket_sim::protocol::server::Server;
use locket_sim::time::Time;

fn two_rows() -> [Registration; 2] {
    [
        Registration {
            key: "key1".into(),
            owner: "owner1".into(),
            row_type: RowType::Lock,
            modified_id: "guid1".into(),
            modified_index: 3_587_584_357_348,
            ttl_in_seconds: 25,
        },
        Registration {
            key: "key2".into(),
            owner: "owner2".into(),
            row_type: RowType::Presence,
            modified_id: "guid2".into(),
            modified_index: 2346,
            ttl_in_seconds: 437,
        },
    ]
}

fn poll(server: &mut Server, now: Time, logs: &mut Logs) {
    server.begin_poll(now);
    server.handle_polled_rows(Ok(two_rows().into_iter()), now, logs);
}

fn failing_poll(server: &mut Server, now: Time, logs: &mut Logs) {
    let nothing: Result<std::iter::Empty<Registration>, LockError> = Err(database("Boom."));
    server.begin_poll(now);
    server.handle_polled_rows(nothing, now, logs);
}

fn registered(logs: &Logs) -> Vec<&str> {
    let lines = logs.of("register-ttl");
    lines.into_iter().map(|line| &*line.key).collect()
}

// B75
#[test]
fn a_process_polls_when_it_starts_and_registers_all_rows_in_their_order() {
    let mut server = Server::new(Profile::UPSTREAM, s(3));
    let mut logs = Logs::default();
    assert_eq!(server.poll_deadline(), Some(s(3)));

    poll(&mut server, s(3), &mut logs);

    assert_eq!(registered(&logs), ["key1", "key2"]);
    assert_eq!(server.expiry().len(), 2);
}

// "with filter ''" means rows of all types.
#[test]
fn a_poll_finds_rows_of_all_types() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut dog = row("dog", "jake", 10);
    dog.type_name = Some("dog".into());

    locket.at(1_000).put(dog).unwrap();

    assert_eq!(locket.end_of("dog"), Some(15_000));
}

// B76
#[test]
fn a_process_polls_again_every_5_seconds() {
    let mut server = Server::new(Profile::UPSTREAM, s(0));
    let mut logs = Logs::default();
    poll(&mut server, s(0), &mut logs);
    assert_eq!(server.poll_deadline(), Some(s(5)));

    poll(&mut server, s(5), &mut logs);

    assert_eq!(registered(&logs), ["key1", "key2", "key1", "key2"]);
    assert_eq!(server.poll_deadline(), Some(s(10)));
}

// B76
#[test]
fn a_row_that_is_known_already_is_not_registered_anew_by_a_poll() {
    let mut server = Server::new(Profile::UPSTREAM, s(0));
    poll(&mut server, s(0), &mut Logs::default());

    poll(&mut server, s(5), &mut Logs::default());

    assert_eq!(server.deadline(Time::MAX), Some(s(25)));
}

// B75, B76
#[test]
fn a_late_poll_does_not_shift_the_rhythm() {
    let mut server = Server::new(Profile::UPSTREAM, s(0));
    poll(&mut server, s(0), &mut Logs::default());

    poll(&mut server, ms(12_345), &mut Logs::default());

    assert_eq!(server.poll_deadline(), Some(s(15)));
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

#[test]
fn a_poll_that_fails_is_logged_and_the_next_one_comes_all_the_same() {
    let mut server = Server::new(Profile::UPSTREAM, s(0));
    let mut logs = Logs::default();

    failing_poll(&mut server, s(0), &mut logs);
    assert_eq!(server.poll_deadline(), Some(s(5)));
    failing_poll(&mut server, s(5), &mut logs);

    let lines = logs.of("failed-fetching-locks");
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0].error.as_deref(), Some("Boom."));
}

// B29
#[test]
fn a_poll_that_finds_no_table_does_not_stop_the_process() {
    let mut server = Server::new(Profile::UPSTREAM, s(0));
    let nothing: Result<std::iter::Empty<Registration>, LockError> =
        Err(database("sql-unrecoverable"));

    server.begin_poll(s(0));
    server.handle_polled_rows(nothing, s(0), &mut ());

    assert!(!server.exits());
}

#[test]
fn a_process_does_not_poll_where_the_table_expires_its_rows_itself() {
    let server = Server::new(Profile::DOCUMENTED, s(0));

    assert_eq!(server.poll_deadline(), None);
}

// B52, B75
#[test]
fn a_poll_leaves_out_rows_without_an_owner() {
    let mut locket = Locket::new(Profile::UPSTREAM);

    locket.put(row("free", "", 1)).unwrap();

    assert_eq!(locket.end_of("free"), None);
}

// B38, B75
#[test]
fn a_poll_leaves_out_rows_that_do_not_scan() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut broken = row("broken", "o", 1);
    broken.value = None;

    locket.put(broken).unwrap();

    assert_eq!(locket.end_of("broken"), None);
}

// Quiet times

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
fn a_quiet_century_is_not_ticked_through() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.at(0).lock("bbs", "bbs-0", 15).unwrap();

    locket.at(CENTURY_MS);

    assert_eq!(locket.holder("bbs"), None);
    assert_eq!(locket.cluster.deadline(), None);
}

#[test]
fn a_lease_of_a_century_takes_a_handful_of_steps() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let ttl = (CENTURY_MS / 1000).try_into().unwrap();
    locket.at(0).lock("bbs", "bbs-0", ttl).unwrap();

    let steps = steps_until_quiet(&mut locket);

    assert!(steps <= 5, "{steps} steps");
    assert_eq!(locket.holder("bbs"), None);
}

#[test]
fn a_row_that_an_operator_puts_is_found_by_the_next_poll_of_the_rhythm() {
    let mut locket = Locket::new(Profile::UPSTREAM);

    locket.at(7_300).put(row("bbs", "bbs-0", 2)).unwrap();

    assert_eq!(locket.end_of("bbs"), Some(12_000));
}

#[test]
fn the_rhythm_of_the_polls_outlives_a_quiet_century() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.at(0).lock("bbs", "bbs-0", 15).unwrap();

    locket.at(CENTURY_MS + 7_300).put(row("bbs", "bbs-0", 2)).unwrap();

    assert_eq!(locket.end_of("bbs"), Some(CENTURY_MS + 12_000));
}

#[test]
fn the_rhythm_ends_with_time_itself() {
    let mut server = Server::new(Profile::UPSTREAM, s(0));

    server.skip_polls_before(Time::MAX);

    assert_eq!(server.poll_deadline(), Some(Time::MAX));
}

#[test]
fn the_rhythm_counts_from_the_start_of_the_process() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.at(1_700).restart(0);

    locket.at(27_000).put(row("bbs", "bbs-0", 2)).unwrap();

    assert_eq!(locket.end_of("bbs"), Some(33_700));
}

// The order within an instant: timers, polls, then the request.
#[test]
fn a_poll_at_the_instant_of_a_write_comes_before_it() {
    let mut locket = Locket::new(Profile::UPSTREAM);

    locket.at(10_000).put(row("bbs", "bbs-0", 2)).unwrap();

    assert_eq!(locket.end_of("bbs"), Some(17_000));
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
