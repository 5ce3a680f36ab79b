//! The `locks` table: which Lock, Release, Fetch and deletion the database accepts.
//!
//! Holds the rules of storage (B34…B60) and nothing of requests, processes or the network.
//! Where the profile says that expiry is exact, the table itself removes a row the moment its
//! TTL ends; else rows go only when a process's timer deletes them.
//!
//! Built for a million rows: a row is found by hashing its key, renewed in place, and due by
//! an agenda of deadlines that a renewal does not touch.

mod by_key;
mod columns;
mod exact_expiry;
mod operator;
mod order;

pub use columns::{NAME_LENGTH_MAX, VALUE_LENGTH_MAX};
pub use operator::RowChanges;

use std::fmt;
use std::sync::Arc;

use hashbrown::HashTable;
use slotmap::{SlotMap, new_key_type};

use columns::Columns;

use super::agenda::Agenda;
use super::error::{LockError, SQL_RESOURCE_NOT_FOUND};
use super::expiry::ExpiredCounters;
use super::id_source::ModifiedId;
use super::log::{Level, Log, LogRecord};
use super::operation::{Operation, Outcome};
use super::profile::{EmptyOwnerRelease, ExpiryRule, Profile, ReleaseMissing};
use super::resource::Resource;
use super::row::{Registration, RowType, StoredRow, WrittenRow};
use crate::time::Time;

/// The `locks` table.
///
/// Two tables are equal if they hold the same rows, written in the same order.
#[derive(Clone, Debug)]
pub struct LockTable {
    profile: Profile,
    /// Boxed, so that growing does not leave holes of half its size behind.
    rows: SlotMap<RowId, Box<StoredRow>>,
    by_path: HashTable<RowId>,
    /// Where expiry is exact: the rows by the end of their TTL.
    agenda: Agenda<RowId>,
    expired: ExpiredCounters,
    /// How many writes there were; orders rows.
    writes: u64,
    /// The row of the last write; `None` if the write deleted a row.
    last_written: Option<RowId>,
    /// True if `DROP TABLE` was run.
    dropped: bool,
}

new_key_type! {
    struct RowId;
}

/// A row as a write has left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KnownRow {
    id: RowId,
    written: u64,
}

impl LockTable {
    /// An empty table.
    pub fn new(profile: Profile) -> Self {
        Self {
            profile,
            rows: SlotMap::default(),
            by_path: HashTable::new(),
            agenda: Agenda::default(),
            expired: ExpiredCounters::default(),
            writes: 0,
            last_written: None,
            dropped: false,
        }
    }

    /// The switches that it follows.
    pub(crate) const fn profile(&self) -> Profile {
        self.profile
    }

    /// Runs one transaction at `now`. `new_id` is asked for an id where the row needs one.
    ///
    /// # Errors
    ///
    /// Refusals of the rules, and the database's own errors, in the words of its
    /// [flavor](crate::protocol::flavor).
    pub fn apply(
        &mut self,
        operation: Operation<'_>,
        now: Time,
        new_id: impl FnOnce() -> Result<ModifiedId, LockError>,
        log: &mut dyn Log,
    ) -> Result<Outcome, LockError> {
        self.require_table()?;
        match operation {
            Operation::CompareAndDelete(registration) => {
                self.compare_and_delete(registration, log).map(Outcome::Deleted)
            }
            Operation::Fetch { key } => {
                self.fetch(key, log).map(|row| Outcome::Fetched(Box::new(row)))
            }
            Operation::FetchAll { type_filter } => {
                Ok(Outcome::FetchedAll(self.fetch_all(type_filter, log)))
            }
            Operation::Lock { resource, ttl_in_seconds } => {
                self.lock(resource, ttl_in_seconds, now, new_id, log).map(Outcome::Locked)
            }
            Operation::Release { key, owner } => {
                self.release(key, owner, log).map(|()| Outcome::Released)
            }
        }
    }

    /// The row of the last write.
    pub(crate) fn known_row(&self) -> Option<KnownRow> {
        let id = self.last_written?;
        Some(KnownRow { id, written: self.writes })
    }

    /// Renews a row that was [not written since](Self::known_index), as the same Lock would that
    /// wrote it.
    pub(crate) fn renew_known(&mut self, known: &mut KnownRow, now: Time) {
        debug_assert!(self.known_index(*known).is_some(), "it has not been written since");
        self.write_again(known.id);
        known.written = self.writes;
        self.schedule(known.id, now);
    }

    /// The index of this row, if it has not been written since.
    pub(crate) fn known_index(&self, known: KnownRow) -> Option<i64> {
        let row = self.rows.get(known.id);
        row.filter(|row| row.written == known.written).map(|row| row.modified_index)
    }

    /// Inserts or renews (B39…B46).
    fn lock(
        &mut self,
        resource: &Resource,
        ttl: i64,
        now: Time,
        new_id: impl FnOnce() -> Result<ModifiedId, LockError>,
        log: &mut dyn Log,
    ) -> Result<Option<Box<Registration>>, LockError> {
        let type_name = resource.stored_type();
        let about = |record: LogRecord<'static>| -> LogRecord<'_> {
            LogRecord { key: &resource.key, owner: &resource.owner, type_name, ..record }
        };
        let found = self.find(&resource.key);
        if found.is_none() {
            self.refuse_ill_formed(&resource.key)?;
        }
        if let Some(id) = found {
            let row = self.rows[id].scan()?;
            if !row.owner.is_empty() && *row.owner != *resource.owner {
                log.record(&about(LogRecord::new(Level::Debug, "lock-already-exists")));
                return Err(LockError::LockCollision);
            }
        }
        let id = match found {
            Some(id) => {
                self.renew(id, resource, type_name, ttl, new_id)?;
                id
            }
            None => {
                let columns = Columns::fit(resource, type_name, self.profile.database)?;
                let id = self.insert_new(&columns, ttl, new_id()?)?;
                log.record(&about(LogRecord::new(Level::Info, "acquired-lock")));
                id
            }
        };
        self.schedule(id, now);
        let processes_expire = self.profile.expiry == ExpiryRule::UpstreamTimers;
        Ok(processes_expire.then(|| Box::new(self.registration_as_asked(id, resource))))
    }

    /// Upstream registers what was asked for, not what was stored; they differ where the
    /// database cut trailing spaces off (B36), or takes another text for the same key (B37).
    fn registration_as_asked(&self, id: RowId, resource: &Resource) -> Registration {
        let mut registration = self.rows[id].registration();
        for (given, stored) in
            [(&resource.key, &mut registration.key), (&resource.owner, &mut registration.owner)]
        {
            if **stored != **given {
                *stored = given.as_str().into();
            }
        }
        registration
    }

    fn renew(
        &mut self,
        id: RowId,
        resource: &Resource,
        type_name: &str,
        ttl: i64,
        new_id: impl FnOnce() -> Result<ModifiedId, LockError>,
    ) -> Result<(), LockError> {
        let row = &mut self.rows[id];
        // Most renewals change none of the texts, and what is stored fits.
        let is_same = *row.owner == *resource.owner
            && row.value.len() == resource.value.len()
            && *row.value == *resource.value
            && row.row_type.name() == type_name;
        let changed = match is_same {
            true => None,
            false => Some(Columns::fit(resource, type_name, self.profile.database)?),
        };
        if row.modified_id.is_empty() {
            row.modified_id = new_id()?;
        }
        if let Some(columns) = changed {
            row.take(&columns);
        }
        row.ttl = ttl;
        self.write_again(id);
        Ok(())
    }

    /// Counts a write of a row that was there before.
    fn write_again(&mut self, id: RowId) {
        let row = &mut self.rows[id];
        // 64-bit columns wrap, as seen on PostgreSQL.
        row.modified_index = row.modified_index.wrapping_add(1);
        self.writes += 1;
        row.written = self.writes;
        self.last_written = Some(id);
    }

    fn insert_new(
        &mut self,
        columns: &Columns<'_>,
        ttl: i64,
        id: ModifiedId,
    ) -> Result<RowId, LockError> {
        // A key that was cut to fit may be there already.
        if self.find(columns.path).is_some() {
            return Err(self.profile.database.lost_insert());
        }
        let path: Arc<str> = columns.path.into();
        // The owner of a presence often has the name of its key.
        let owner = match columns.owner == columns.path {
            true => Arc::clone(&path),
            false => columns.owner.into(),
        };
        Ok(self.insert(WrittenRow {
            path,
            owner,
            value: shared(columns.value),
            row_type: columns.type_name.into(),
            ttl,
            modified_id: id,
            modified_index: 1,
            nulls: None,
        }))
    }

    /// Deletes the row if `owner` holds it (B48…B50).
    fn release(&mut self, key: &str, owner: &str, log: &mut dyn Log) -> Result<(), LockError> {
        self.refuse_ill_formed(key)?;
        let found = match self.find(key) {
            Some(id) => Some((id, self.rows[id].scan()?)),
            None => None,
        };
        let missing_to = |row: &StoredRow| {
            row.owner.is_empty()
                && !owner.is_empty()
                && self.profile.empty_owner_release == EmptyOwnerRelease::Missing
        };
        let Some((id, row)) = found.filter(|(_, row)| !missing_to(row)) else {
            log.record(&LogRecord::new(Level::Debug, "lock-does-not-exist").about(key, owner, ""));
            return match self.profile.release_missing {
                ReleaseMissing::NotFound => Err(LockError::ResourceNotFound),
                ReleaseMissing::Ok => Ok(()),
                ReleaseMissing::SqlNotFound => Err(SQL_RESOURCE_NOT_FOUND),
            };
        };
        if *row.owner != *owner {
            log.record(&LogRecord::new(Level::Error, "cannot-release-lock").about(key, owner, ""));
            return Err(LockError::LockCollision);
        }
        self.remove(id);
        log.record(&LogRecord::new(Level::Info, "released-lock").about(key, owner, ""));
        Ok(())
    }

    /// Reads the row of `key`; one without an owner counts as missing (B51).
    fn fetch(&self, key: &str, log: &mut dyn Log) -> Result<Resource, LockError> {
        self.refuse_ill_formed(key)?;
        let mut failed = |cause: &str| {
            log.record(
                &LogRecord::new(Level::Error, "failed-to-fetch-lock")
                    .about(key, "", "")
                    .because(cause),
            );
        };
        let Some(id) = self.find(key) else {
            failed("sql: no rows in result set");
            return Err(LockError::ResourceNotFound);
        };
        let row = self.rows[id].scan().inspect_err(|error| failed(error.message()))?;
        if row.owner.is_empty() {
            return Err(LockError::ResourceNotFound);
        }
        // It tells the key that it was asked for.
        Ok(Resource { key: key.to_owned(), ..row.to_resource() })
    }

    /// Lists the rows of a type, all types for an empty filter (B52).
    /// A row that does not scan is left out (B38).
    fn fetch_all(&self, type_filter: &str, log: &mut dyn Log) -> Vec<Resource> {
        let mut list = Vec::new();
        let rows = self.in_list_order().into_iter();
        for row in rows.filter(|row| self.is_of_type(row, type_filter)) {
            match row.scan() {
                Ok(row) if row.is_listed() => list.push(row.to_resource()),
                Ok(_) => {}
                Err(error) => log.record(
                    &LogRecord::new(Level::Error, "failed-to-scan-lock")
                        .about("", "", type_filter)
                        .because(error.message()),
                ),
            }
        }
        list
    }

    /// Deletes the row if owner, id and index are those of the snapshot; says whether there
    /// was a row (B54).
    fn compare_and_delete(
        &mut self,
        expected: &Registration,
        log: &mut dyn Log,
    ) -> Result<bool, LockError> {
        let about = |record: LogRecord<'static>| -> LogRecord<'_> {
            record_about(record, &expected.key, &expected.owner, &expected.row_type)
        };
        let Some(id) = self.find(&expected.key) else {
            log.record(&about(LogRecord::new(Level::Debug, "lock-does-not-exist")));
            return Ok(false);
        };
        let row = self.rows[id].scan()?;
        log.record(&about(LogRecord::new(Level::Info, "fetched-lock")));
        let mismatch = if row.owner != expected.owner {
            Some("fetch-failed-owner-mismatch")
        } else if row.modified_id != expected.modified_id {
            Some("release-failed-id-mismatch")
        } else if row.modified_index != expected.modified_index {
            Some("release-failed-index-mismatch")
        } else {
            None
        };
        if let Some(message) = mismatch {
            log.record(&about(LogRecord::new(Level::Error, message)));
            return Err(LockError::LockCollision);
        }
        self.remove(id);
        log.record(&about(LogRecord::new(Level::Info, "released-lock")));
        Ok(true)
    }
}

impl WrittenRow {
    /// Takes the texts of a Lock; those that are the same stay shared.
    fn take(&mut self, columns: &Columns<'_>) {
        for (text, column) in [(columns.owner, &mut self.owner), (columns.value, &mut self.value)] {
            if **column != *text {
                *column = shared(text);
            }
        }
        if self.row_type.name() != columns.type_name {
            self.row_type = columns.type_name.into();
        }
    }
}

impl fmt::Display for LockTable {
    /// One row a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.rows() {
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

fn record_about<'a>(
    record: LogRecord<'static>,
    key: &'a Arc<str>,
    owner: &'a Arc<str>,
    row_type: &'a RowType,
) -> LogRecord<'a> {
    LogRecord { key, owner, type_name: row_type.name(), ..record }
}

/// The text as rows have it. Most values are empty, and those need no memory of their own.
fn shared(text: &str) -> Arc<str> {
    if text.is_empty() { Arc::default() } else { text.into() }
}
