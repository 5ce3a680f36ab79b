//! Upstream's expiry: in-memory timers of one process (B61…B74).
//!
//! Each timer belongs to a key and a modified id, and remembers the row as it was registered.
//! When it fires, the process asks the database to delete the row if it still is that row.
//! Nothing here survives a restart, and nothing knows the table.
//!
//! ```
//! use locket_sim::protocol::expiry::Expiry;
//! # use locket_sim::protocol::profile::TtlOverflow;
//! # use locket_sim::protocol::row::{Registration, RowType};
//! # use locket_sim::time::Time;
//! # let row = Registration {
//! #     key: "bbs".into(), owner: "bbs-0".into(), row_type: RowType::Lock,
//! #     modified_id: "id".into(), modified_index: 1, ttl_in_seconds: 15,
//! # };
//! let mut expiry = Expiry::default();
//! expiry.register(row.clone(), TtlOverflow::Keep, Time::ZERO, &mut ());
//! assert_eq!(expiry.deadline(Time::MAX), Some(Time::from_ms(15_000)));
//! let (fired, registration) = expiry.poll_fired(Time::from_ms(15_000)).expect("it is due");
//! assert_eq!(registration, row);
//! expiry.handle_attempt(fired, Ok(true), &mut ());
//! assert_eq!(expiry.expired().locks, 1);
//! ```

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use slotmap::{SlotMap, new_key_type};

use super::agenda::{Agenda, Alarm, HasAlarm};
use super::error::LockError;
use super::id_source::ModifiedId;
use super::log::{Level, Log, LogRecord};
use super::profile::TtlOverflow;
use super::row::{Registration, RowType, WrittenRow};
use crate::sorted::sorted_by;
use crate::time::{Duration, Time};

/// How many rows expired since the start of the process that removed them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ExpiredCounters {
    /// Rows of type `presence` (`PresenceExpired`).
    pub presences: u64,
    /// Rows of any other type (`LocksExpired`).
    pub locks: u64,
}

impl ExpiredCounters {
    pub(super) const fn count(&mut self, row_type: &RowType) {
        match row_type {
            RowType::Presence => self.presences += 1,
            RowType::Lock | RowType::Other(_) => self.locks += 1,
        }
    }

    pub(crate) const fn add(&mut self, other: Self) {
        self.presences += other.presences;
        self.locks += other.locks;
    }
}

/// The longest TTL whose nanoseconds Locket can count, in seconds.
pub const TTL_SECONDS_MAX: i64 = i64::MAX / 1_000_000_000;

/// How long a TTL of `ttl_in_seconds` lasts. 0 or less ends at once.
pub(super) fn lease_length(ttl_in_seconds: i64, overflow: TtlOverflow) -> Duration {
    let seconds = u64::try_from(ttl_in_seconds).unwrap_or(0);
    match overflow {
        TtlOverflow::Keep => Duration::from_seconds(seconds),
        TtlOverflow::Wrap => {
            let nanoseconds = ttl_in_seconds.wrapping_mul(1_000_000_000);
            // Up to a whole millisecond: a timer may be late, never early.
            Duration::from_ms(u64::try_from(nanoseconds).unwrap_or(0).div_ceil(1_000_000))
        }
    }
}

/// A timer that fired and whose attempt to delete the row is not answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fired {
    timer: TimerId,
    modified_index: i64,
}

new_key_type! {
    struct TimerId;
}

/// Names a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KnownTimer(TimerId);

/// The timers of one process.
///
/// After every [`register`](Self::register) and [`handle_attempt`](Self::handle_attempt) ask
/// [`deadline`](Self::deadline) again. Two are equal if the same timers are due at the same
/// times in the same order.
#[derive(Clone, Debug, Default)]
pub struct Expiry {
    /// Boxed, so that growing does not leave holes of half its size behind.
    timers: SlotMap<TimerId, Box<Timer>>,
    by_key_and_id: HashTable<TimerId>,
    agenda: Agenda<TimerId>,
    /// Fired at `fired_at`, their attempts not begun.
    fired: VecDeque<Fired>,
    fired_at: Time,
    expired: ExpiredCounters,
    registrations: u64,
}

#[derive(Clone, Debug)]
struct Timer {
    registration: Registration,
    /// No deadline while its attempt is under way.
    alarm: Alarm,
    /// Orders timers that are due at the same time.
    registered: u64,
}

impl HasAlarm for Box<Timer> {
    fn alarm(&mut self) -> &mut Alarm {
        &mut self.alarm
    }

    fn order(&self) -> u64 {
        self.registered
    }
}

impl Expiry {
    /// Starts a timer for a row, measured from `now` (B62), unless one of the same key and id
    /// stands for an equal or larger index (B64). A smaller index is superseded (B63).
    pub fn register(
        &mut self,
        row: Registration,
        overflow: TtlOverflow,
        now: Time,
        log: &mut dyn Log,
    ) {
        log.record(&record(Level::Debug, "register-ttl", &row));
        let known = self.find(&row);
        self.registrations += 1;
        let id = match known {
            Some(id) => {
                let timer = &mut self.timers[id];
                match timer.registration.modified_index.cmp(&row.modified_index) {
                    Ordering::Less => {
                        if timer.alarm.deadline().is_some() {
                            log.record(&record(
                                Level::Debug,
                                "cancelling-old-check-goroutine",
                                &row,
                            ));
                        }
                        timer.registration = row;
                    }
                    Ordering::Equal | Ordering::Greater => {
                        log.record(&record(
                            Level::Debug,
                            "found-expiration-goroutine-for-index",
                            &row,
                        ));
                        return;
                    }
                }
                id
            }
            None => {
                let id = self.timers.insert(Box::new(Timer {
                    registration: row,
                    alarm: Alarm::default(),
                    registered: self.registrations,
                }));
                let timers = &self.timers;
                self.by_key_and_id
                    .insert_unique(timers[id].hash_key(), id, |&id| timers[id].hash_key());
                debug_assert_eq!(
                    timers.len(),
                    self.by_key_and_id.len(),
                    "a life of a row has one timer"
                );
                id
            }
        };
        self.set(id, overflow, now);
    }

    /// Sets a timer for its registration, the last one.
    fn set(&mut self, id: TimerId, overflow: TtlOverflow, now: Time) {
        let timer = &mut self.timers[id];
        timer.registered = self.registrations;
        let deadline = now + lease_length(timer.registration.ttl_in_seconds, overflow);
        self.agenda.schedule(id, &mut timer.alarm, deadline);
    }

    /// The timer of a row as it was just written.
    pub(crate) fn known_timer(&self, row: &WrittenRow) -> Option<KnownTimer> {
        let hash = hash(&row.path, &row.modified_id);
        let same_row = |&id: &TimerId| {
            let known = &self.timers[id].registration;
            Arc::ptr_eq(&known.key, &row.path)
                && Arc::ptr_eq(&known.owner, &row.owner)
                && known.modified_id == row.modified_id
                && known.modified_index == row.modified_index
        };
        self.by_key_and_id.find(hash, same_row).copied().map(KnownTimer)
    }

    /// True if the timer stands for this version of its row, and no attempt is under way.
    pub(crate) fn is_current(&self, known: KnownTimer, modified_index: i64) -> bool {
        self.timers.get(known.0).is_some_and(|timer| {
            timer.registration.modified_index == modified_index && timer.alarm.deadline().is_some()
        })
    }

    /// Registers the next version of its row, with the same texts and the same TTL.
    pub(crate) fn renew_known(&mut self, known: KnownTimer, overflow: TtlOverflow, now: Time) {
        self.registrations += 1;
        let index = &mut self.timers[known.0].registration.modified_index;
        *index = index.wrapping_add(1);
        self.set(known.0, overflow, now);
    }

    /// When the timer of a row fires, if one stands for it as it is now: one for an earlier write
    /// of it deletes nothing.
    pub fn expires_at(&self, row: &Registration) -> Option<Time> {
        let id = self.find(row)?;
        let timer = &self.timers[id];
        let is_current = timer.registration.modified_index == row.modified_index;
        timer.alarm.deadline().filter(|_| is_current)
    }

    /// When the next timer fires, if that is not after `limit`.
    pub fn deadline(&mut self, limit: Time) -> Option<Time> {
        if !self.fired.is_empty() {
            return Some(self.fired_at);
        }
        self.agenda.earliest(&mut self.timers, limit)
    }

    /// True if certainly no timer fires before `time`; cheap enough to ask at every call.
    pub fn is_idle_before(&self, time: Time) -> bool {
        self.fired.is_empty() && self.agenda.is_idle_before(time)
    }

    /// When timers fire, in no order.
    pub(crate) fn deadlines(&self) -> impl Iterator<Item = Time> {
        self.timers.values().filter_map(|timer| timer.alarm.deadline())
    }

    /// One timer that has fired by `now`, with the row to delete if it still is that row.
    /// Call until `None`, and answer each with [`handle_attempt`](Self::handle_attempt).
    pub fn poll_fired(&mut self, now: Time) -> Option<(Fired, Registration)> {
        loop {
            let Some(fired) = self.fired.pop_front() else {
                let (due, ids) = self.agenda.take_due(&mut self.timers, now)?;
                let fire = |timer| Fired {
                    timer,
                    modified_index: self.timers[timer].registration.modified_index,
                };
                self.fired = ids.into_iter().map(fire).collect();
                self.fired_at = due;
                continue;
            };
            // Superseded since it fired: cancelled before its attempt, as if by a faster renewal.
            let row = self.timers.get(fired.timer).map(|timer| &timer.registration);
            if let Some(row) = row.filter(|row| row.modified_index == fired.modified_index) {
                return Some((fired, row.clone()));
            }
        }
    }

    /// Takes the database's answer to the attempt of a fired timer. In any case the timer
    /// is dropped, unless a newer index was registered meanwhile.
    pub fn handle_attempt(
        &mut self,
        fired: Fired,
        result: Result<bool, LockError>,
        log: &mut dyn Log,
    ) {
        let Some(timer) = self.timers.get(fired.timer) else {
            return;
        };
        let row = &timer.registration;
        match &result {
            Ok(true) => {
                self.expired.count(&row.row_type);
                log.record(&record(Level::Info, "lock-expired", row));
            }
            Ok(false) => {}
            Err(error) => {
                log.record(
                    &record(Level::Error, "failed-compare-and-release", row)
                        .because(error.message()),
                );
            }
        }
        if row.modified_index == fired.modified_index {
            self.forget(fired.timer);
        }
    }

    /// The row that a fired timer wants deleted, until its attempt is answered.
    pub fn registration(&self, fired: Fired) -> Option<&Registration> {
        self.timers.get(fired.timer).map(|timer| &timer.registration)
    }

    /// The row of a fired timer, and the version of it that the timer wants deleted.
    pub(crate) fn attempted(&self, fired: Fired) -> Option<(&Registration, i64)> {
        Some((self.registration(fired)?, fired.modified_index))
    }

    /// The timers with what they would delete and when they fire, in the order of their
    /// registration; one whose attempt is under way has no time.
    pub fn timers(&self) -> impl Iterator<Item = (&Registration, Option<Time>)> {
        let timers: Vec<&Timer> = self.timers.values().map(Box::as_ref).collect();
        sorted_by(timers, |a, b| a.registered.cmp(&b.registered))
            .into_iter()
            .map(|timer| (&timer.registration, timer.alarm.deadline()))
    }

    /// How many rows this process's timers deleted.
    pub const fn expired(&self) -> ExpiredCounters {
        self.expired
    }

    /// How many timers run.
    pub fn len(&self) -> usize {
        self.timers.len()
    }

    /// True if no timer runs.
    pub fn is_empty(&self) -> bool {
        self.timers.is_empty()
    }

    fn forget(&mut self, id: TimerId) {
        if let Some(timer) = self.timers.remove(id)
            && let Ok(entry) = self.by_key_and_id.find_entry(timer.hash_key(), |&other| other == id)
        {
            entry.remove();
        }
    }

    fn find(&self, row: &Registration) -> Option<TimerId> {
        let hash = hash(&row.key, &row.modified_id);
        let same_row = |&id: &TimerId| {
            let known = &self.timers[id].registration;
            known.key == row.key && known.modified_id == row.modified_id
        };
        self.by_key_and_id.find(hash, same_row).copied()
    }
}

impl Timer {
    fn hash_key(&self) -> u64 {
        hash(&self.registration.key, &self.registration.modified_id)
    }
}

fn hash(key: &str, id: &ModifiedId) -> u64 {
    FxBuildHasher.hash_one((key, id))
}

fn record<'a>(level: Level, message: &'static str, row: &'a Registration) -> LogRecord<'a> {
    LogRecord::new(level, message).about(&row.key, &row.owner, row.row_type.name())
}
