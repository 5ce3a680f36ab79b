//! Claims about a reference server whose database stalls, is down, loses answers or its table.

use crate::common::*;
use locket_sim::cluster::{Finished, Handled};
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::flavor::Flavor;
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::profile::Profile;
use locket_sim::time::{Duration, Time};

fn seconds(seconds: u64) -> Time {
    Time::from_ms(seconds * 1000)
}

struct Rig {
    locket: Locket,
    now: Time,
}

impl Rig {
    fn new(profile: Profile) -> Self {
        let locket = Locket::new(profile);
        Self { locket, now: Time::ZERO }
    }

    fn at(&mut self, time: Time) -> &mut Self {
        self.now = time;
        self.locket.cluster.handle_timeout(time, &mut ());
        self
    }

    fn call(&mut self, request: &Request) -> Handled {
        self.locket.cluster.handle(0, request, WAITING, self.now, &mut ())
    }

    fn stall(&mut self, length: u64) {
        let length = Duration::from_seconds(length);
        self.locket.cluster.stall_database(length, self.now, &mut ());
    }

    /// Ends of calls, in order, with the times at which they came.
    fn finished(&mut self) -> Vec<(u64, Result<Response, LockError>)> {
        let finished = self.locket.cluster.take_finished().into_iter();
        finished.map(|Finished { at, result, .. }| (at.as_ms(), result)).collect()
    }

    fn owner(&mut self, key: &str) -> Option<String> {
        self.locket.cluster.row(key).and_then(|row| row.owner)
    }
}

fn waits(handled: &Handled) -> bool {
    matches!(handled, Handled::Waits(_))
}

#[test]
fn a_call_in_a_stall_is_answered_and_done_at_its_end() {
    for profile in PRESETS {
        let mut rig = Rig::new(profile);
        rig.stall(5);
        assert!(waits(&rig.at(seconds(1)).call(&lock("bbs", "bbs-0", 15))));
        assert_eq!(rig.at(Time::from_ms(4999)).owner("bbs"), None);
        assert_eq!(rig.finished(), []);

        rig.at(seconds(5));

        assert_eq!(rig.finished(), [(5000, Ok(Response::Lock))]);
        assert_eq!(rig.owner("bbs").as_deref(), Some("bbs-0"));
        assert_eq!(rig.at(seconds(20)).owner("bbs"), None, "its TTL counts from there");
    }
}

#[test]
fn calls_in_a_stall_are_done_in_their_order() {
    let mut rig = Rig::new(Profile::UPSTREAM);
    rig.stall(5);
    rig.call(&lock("bbs", "bbs-0", 15));
    rig.at(seconds(1)).call(&lock("bbs", "bbs-1", 15));

    rig.at(seconds(60));

    let collision = Err(LockError::LockCollision);
    assert_eq!(rig.finished(), [(5000, Ok(Response::Lock)), (5000, collision)]);
}

// B23
#[test]
fn a_call_is_given_up_after_ten_seconds_and_nothing_came_of_it() {
    let mut rig = Rig::new(Profile::UPSTREAM);
    rig.stall(11);
    rig.call(&lock("bbs", "bbs-0", 15));

    rig.at(seconds(12));

    assert_eq!(rig.finished(), [(10_000, Err(LockError::DeadlineExceeded))]);
    assert_eq!(rig.owner("bbs"), None);
}

#[test]
fn what_takes_no_database_is_answered_in_a_stall() {
    let mut rig = Rig::new(Profile::UPSTREAM);
    rig.stall(5);
    let refused = rig.call(&lock("bbs", "bbs-0", 0));
    assert_eq!(refused.answer(), Some(Err(LockError::InvalidTtl)));
}

#[test]
fn a_row_that_is_due_in_a_stall_goes_at_its_end() {
    let mut rig = Rig::new(Profile::UPSTREAM);
    rig.call(&lock("bbs", "bbs-0", 2));
    rig.at(seconds(1)).stall(5);

    assert!(rig.at(Time::from_ms(5999)).owner("bbs").is_some());
    assert_eq!(rig.at(seconds(6)).owner("bbs"), None);
}

#[test]
fn a_process_that_ends_in_a_stall_answers_nobody_and_does_nothing() {
    let mut rig = Rig::new(Profile::UPSTREAM);
    rig.stall(5);
    rig.call(&lock("bbs", "bbs-0", 15));
    rig.at(seconds(1)).locket.cluster.stop(0);

    assert_eq!(rig.finished(), [(1000, Err(LockError::Unavailable))]);
    assert_eq!(rig.at(seconds(6)).owner("bbs"), None);
}

#[test]
fn a_database_that_is_down_refuses_at_once_and_keeps_its_rows() {
    for (flavor, text) in [(Flavor::Postgres, "failed to connect to"), (Flavor::Mysql, "dial tcp")]
    {
        let mut rig = Rig::new(Profile::UPSTREAM.on(flavor));
        rig.call(&lock("bbs", "bbs-0", 60));
        assert!(rig.locket.cluster.stop_database(rig.now, &mut ()));

        let Some(Err(error)) = rig.at(seconds(1)).call(&fetch("bbs")).answer() else {
            panic!("an error")
        };
        assert!(error.message().starts_with(text), "{error}");
        assert_eq!(rig.call(&lock("bbs", "", 15)).answer(), Some(Err(LockError::InvalidOwner)));

        assert!(rig.locket.cluster.start_database(rig.now, &mut ()));
        assert!(matches!(rig.call(&fetch("bbs")).answer(), Some(Ok(Response::Fetch(_)))));
    }
}

// Seen on the real server: a deletion that fails is forgotten, and the next poll grants the TTL
// anew.
#[test]
fn a_row_that_is_due_while_the_database_is_down_gets_its_whole_ttl_again() {
    let mut rig = Rig::new(Profile::UPSTREAM);
    rig.call(&lock("bbs", "bbs-0", 4));
    rig.at(seconds(3)).locket.cluster.stop_database(seconds(3), &mut ());
    rig.at(seconds(7)).locket.cluster.start_database(seconds(7), &mut ());

    assert!(rig.at(Time::from_ms(13_999)).owner("bbs").is_some());
    assert_eq!(rig.at(seconds(14)).owner("bbs"), None);
}

#[test]
fn a_process_that_starts_while_the_database_is_down_ends_at_once() {
    let mut rig = Rig::new(Profile::UPSTREAM);
    rig.locket.cluster.stop_database(rig.now, &mut ());
    assert!(!rig.locket.cluster.restart(0, rig.now, &mut ()));
    assert!(!rig.locket.cluster.is_running(0));
}

#[test]
fn no_operator_reaches_a_database_that_is_down() {
    let mut rig = Rig::new(Profile::UPSTREAM);
    rig.call(&lock("bbs", "bbs-0", 60));
    let cluster = &mut rig.locket.cluster;
    cluster.stop_database(rig.now, &mut ());
    let refused = cluster.put_row(row("other", "a", 4), rig.now, &mut ());
    assert!(matches!(refused, Err(LockError::Database(_))), "{refused:?}");
    assert!(!cluster.delete_row("bbs", rig.now, &mut ()));
    assert!(!cluster.drop_table(rig.now, &mut ()));
    cluster.start_database(rig.now, &mut ());

    assert_eq!(rig.owner("bbs").as_deref(), Some("bbs-0"));
    assert_eq!(rig.owner("other"), None);
}

#[test]
fn a_database_that_is_down_does_not_stall_and_a_stop_ends_a_stall() {
    let mut rig = Rig::new(Profile::UPSTREAM);
    rig.stall(60);
    rig.locket.cluster.stop_database(rig.now, &mut ());
    rig.stall(60);
    rig.locket.cluster.start_database(rig.now, &mut ());

    assert!(rig.call(&lock("bbs", "bbs-0", 15)).answer().is_some());
}

#[test]
fn a_database_that_goes_down_in_a_stall_refuses_what_has_waited() {
    let mut rig = Rig::new(Profile::UPSTREAM);
    rig.stall(5);
    rig.call(&lock("bbs", "bbs-0", 15));
    rig.locket.cluster.stop_database(seconds(2), &mut ());

    let finished = rig.finished();
    assert!(matches!(finished[..], [(2000, Err(LockError::Database(_)))]), "{finished:?}");
}

#[test]
fn a_lost_answer_is_a_call_that_was_done_and_is_given_up() {
    let mut rig = Rig::new(Profile::UPSTREAM);
    rig.locket.cluster.lose_answers(1);
    assert!(waits(&rig.call(&lock("bbs", "bbs-0", 60))));
    assert_eq!(rig.owner("bbs").as_deref(), Some("bbs-0"));
    assert!(rig.call(&fetch("bbs")).answer().is_some(), "one answer, not two");

    rig.at(seconds(10));

    assert_eq!(rig.finished(), [(10_000, Err(LockError::DeadlineExceeded))]);
}

// Else a test that lets a long time pass would take as long.
#[test]
fn a_century_without_the_database_is_cheap() {
    let century = 100 * 365 * 24 * 3600;
    for is_down in [false, true] {
        let mut rig = Rig::new(Profile::UPSTREAM);
        rig.call(&lock("bbs", "bbs-0", 60));
        if is_down {
            rig.locket.cluster.stop_database(rig.now, &mut ());
        } else {
            rig.stall(century);
        }
        rig.at(seconds(century));
        rig.locket.cluster.start_database(rig.now, &mut ());
        assert!(rig.at(seconds(century + 100)).owner("bbs").is_none());
    }
}

#[test]
fn a_poll_that_waits_for_the_end_of_a_stall_is_answered_there() {
    let mut rig = Rig::new(Profile::UPSTREAM);
    rig.stall(11);
    let row = row("bbs", "bbs-0", 4);
    rig.locket.cluster.put_row(row, seconds(1), &mut ()).unwrap();

    // Registered at 11 s, not at the next tick.
    assert!(rig.at(Time::from_ms(14_999)).owner("bbs").is_some());
    assert!(rig.at(seconds(15)).owner("bbs").is_none());
}

// B29
#[test]
fn who_sees_first_that_the_table_is_gone_ends_the_calls_that_wait_with_it() {
    let mut rig = Rig::new(Profile::UPSTREAM);
    rig.stall(5);
    rig.call(&lock("bbs", "bbs-0", 15));
    rig.call(&fetch("bbs"));
    rig.locket.cluster.drop_table(seconds(1), &mut ());

    rig.at(seconds(5));

    let unrecoverable = Err(LockError::Database("sql-unrecoverable".into()));
    let unavailable = Err(LockError::Unavailable);
    assert_eq!(rig.finished(), [(5000, unrecoverable), (5000, unavailable)]);
    assert!(!rig.locket.cluster.is_running(0));
}
