//! Transactions that wait for a row, beside those of a real PostgreSQL, each by a `psql` of its own, as
//! `tests/vectors/row-queue/postgres.json` has them: retries of 1 s, and transactions of 1.1 s.
//!
//! PostgreSQL does not keep the order of those that wait once the row is updated. So the order is that
//! of the record, and all else is the world's: who holds the row when, who finds what, and who waits
//! for too long.

use serde::Deserialize;

use super::choice::{Script, Site, SiteKind};
use super::event::{What, WorldEvent};
use super::network::LinkRule;
use super::{ClientSettings, Due, World, WorldSettings};
use crate::node::locket_process::Reason;
use crate::protocol::message::Request;
use crate::protocol::profile::Profile;
use crate::protocol::resource::{Resource, TypeCode};
use crate::time::{Duration, Time};

/// How far times may be from those of the record, in milliseconds of some 19 s: statements take time
/// there, and each transaction begins a little after the one before it.
const TOLERANCE_MS: u64 = 200;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    transaction_ms: u64,
    /// In the order of their beginning.
    attempts: Vec<Attempt>,
}

#[derive(Deserialize)]
struct Attempt {
    owner: String,
    at: u64,
    granted: u64,
    ended: u64,
    outcome: String,
}

fn record() -> Record {
    let text = include_str!("../../../tests/vectors/row-queue/postgres.json");
    serde_json::from_str(text).expect("the record is JSON")
}

/// Each attempt is the call of a client of its own.
fn world(record: &Record) -> World {
    let by_hand = ClientSettings::default();
    World::new(WorldSettings {
        profile: Profile::UPSTREAM,
        processes: 1,
        clients: vec![by_hand; record.attempts.len()],
        transaction_time: LinkRule::fixed(Duration::from_ms(record.transaction_ms)),
        ..WorldSettings::default()
    })
}

fn lock(owner: &str) -> Request {
    let resource = Resource {
        key: "k".to_owned(),
        owner: owner.to_owned(),
        type_code: TypeCode::Lock,
        ..Resource::default()
    };
    Request::Lock { resource: Some(resource), ttl_in_seconds: 15 }
}

/// Of the transactions that may get the row now, the place of that which is the first in the record.
fn next_in_record(world: &World, record: &Record) -> Option<u32> {
    let client = |wanted: u64| {
        let mut questions = world.back_end.processes[0].questions();
        let (_, reason, _) = questions.find(|(token, ..)| *token == wanted)?;
        match reason {
            Reason::Call(call) => Some(call.client as usize),
            Reason::Expiry(_) | Reason::Poll => None,
        }
    };
    let may_get_it = |token: u64| {
        let mut waiting = world.back_end.database.waiting_for_rows();
        waiting.any(|it| it.query.token == token)
    };
    let due = world.queue.entries();
    let due = due.filter(|(time, _)| *time == world.now());
    let grants = due.enumerate().filter_map(|(place, (_, due))| {
        let Due::Grant { token, .. } = due else {
            return None;
        };
        may_get_it(*token).then_some((client(*token)?, place))
    });
    let first = grants.min_by_key(|(client, _)| record.attempts[*client].granted);
    first.map(|(_, place)| place as u32)
}

fn run_to(world: &mut World, until: Time, record: &Record, events: &mut Vec<WorldEvent>) {
    loop {
        let mut script = Script::default();
        if let Some(place) = next_in_record(world, record) {
            let site = Site {
                kind: SiteKind::Tie,
                subject: world.now().as_ms(),
                count: world.ties_at(world.now()),
            };
            script.overrides.insert(site, place);
        }
        if !world.step(until, &mut script, events) {
            break;
        }
    }
    world.now = until;
}

fn outcome(what: &What) -> Option<&'static str> {
    let What::Answered { result, .. } = what else {
        return None;
    };
    Some(match result {
        Ok(_) => "granted",
        Err(error) => error.code().name(),
    })
}

#[test]
fn transactions_wait_for_a_row_as_in_postgresql() {
    let record = record();
    let mut world = world(&record);
    let mut events = Vec::new();
    for (client, attempt) in record.attempts.iter().enumerate() {
        run_to(&mut world, Time::from_ms(attempt.at), &record, &mut events);
        let request = lock(&attempt.owner);
        let mut script = Script::default();
        world.act(&mut script, &mut events).call(client, request, None);
    }
    run_to(&mut world, Time::from_ms(30_000), &record, &mut events);

    for (client, attempt) in record.attempts.iter().enumerate() {
        let expected = match attempt.outcome.as_str() {
            "inserted" | "updated" => "granted",
            "collision" => "AlreadyExists",
            "exists" => "Unknown",
            _ => "DeadlineExceeded",
        };
        let its = events.iter().filter(|it| it.node == world.client(client));
        let answers = its.filter_map(|it| Some((outcome(&it.what)?, it.time.as_ms())));
        let answers: Vec<_> = answers.collect();
        let about = format!("{} at {} ms: {answers:?}", attempt.owner, attempt.at);
        assert_eq!(answers.len(), 1, "{about}");
        let (found, at) = answers[0];
        assert_eq!(found, expected, "{about}");
        assert!(at.abs_diff(attempt.ended) <= TOLERANCE_MS, "{about}, there {}", attempt.ended);
    }
}
