//! Expiry where the table deletes rows exactly when their TTL ends.

use super::{LockTable, RowId, record_about};
use crate::protocol::expiry::{ExpiredCounters, lease_length};
use crate::protocol::log::{Level, Log, LogRecord};
use crate::protocol::profile::ExpiryRule;
use crate::protocol::row::Registration;
use crate::time::Time;

impl LockTable {
    /// When the next row expires, if that is not after `limit`; never where expiry is
    /// left to processes.
    pub fn deadline(&mut self, limit: Time) -> Option<Time> {
        self.agenda.earliest(&mut self.rows, limit)
    }

    /// True if certainly no row expires before `time`; cheap enough for every write.
    pub fn is_idle_before(&self, time: Time) -> bool {
        self.agenda.is_idle_before(time)
    }

    /// Removes the rows whose TTL has ended at `now`, in order of time and, at one time, in
    /// the order in which they were last written.
    pub fn handle_timeout(&mut self, now: Time, log: &mut dyn Log) {
        while let Some((_, due)) = self.agenda.take_due(&mut self.rows, now) {
            for id in due {
                let row = self.remove(id);
                self.expired.count(&row.row_type);
                log.record(&record_about(
                    LogRecord::new(Level::Info, "lock-expired"),
                    &row.path,
                    &row.owner,
                    &row.row_type,
                ));
            }
        }
    }

    /// The rows by key, with the time each expires; `None` where expiry is left to processes.
    pub fn expiries_by_path(&self) -> Vec<(Registration, Option<Time>)> {
        let rows = self.in_order_of_path().into_iter();
        rows.map(|row| (row.registration(), row.alarm.deadline())).collect()
    }

    /// How many rows will expire.
    pub fn expiries(&self) -> usize {
        self.deadlines().count()
    }

    /// When rows expire, in no order.
    pub(crate) fn deadlines(&self) -> impl Iterator<Item = Time> {
        self.rows.values().filter_map(|row| row.alarm.deadline())
    }

    /// How many rows went by themselves.
    pub const fn expired(&self) -> ExpiredCounters {
        self.expired
    }

    /// Starts the row's TTL again, where expiry is exact and the row expires.
    pub(super) fn schedule(&mut self, id: RowId, now: Time) {
        let row = &mut self.rows[id];
        if self.profile.expiry != ExpiryRule::Exact {
            return;
        }
        if !row.is_listed() {
            row.alarm.cancel();
            return;
        }
        let deadline = now + lease_length(row.ttl, self.profile.ttl_overflow);
        self.agenda.schedule(id, &mut row.alarm, deadline);
    }
}
