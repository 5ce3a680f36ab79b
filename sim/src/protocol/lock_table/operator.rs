//! The view and the actions of an operator with access to the database.

use std::sync::Arc;

use super::LockTable;
use super::columns::{NAME_LENGTH_MAX, VALUE_LENGTH_MAX, fit};
use crate::protocol::error::{LockError, SQL_UNRECOVERABLE};
use crate::protocol::profile::Schema;
use crate::protocol::resource::LOCK;
use crate::protocol::row::{Registration, Row, StoredRow, WrittenRow};
use crate::time::Time;

/// Columns to set in every row, as `UPDATE locks SET …` without WHERE; `None` leaves a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowChanges {
    /// New owner.
    pub owner: Option<String>,
    /// New value.
    pub value: Option<String>,
    /// New type string.
    pub type_name: Option<String>,
    /// The new TTL in seconds.
    pub ttl: Option<i64>,
    /// New id.
    pub modified_id: Option<String>,
    /// New index.
    pub modified_index: Option<i64>,
}

impl RowChanges {
    fn apply_to(&self, row: &mut Row) {
        fn set<T: Clone>(column: &mut Option<T>, value: &Option<T>) {
            if value.is_some() {
                column.clone_from(value);
            }
        }
        set(&mut row.owner, &self.owner);
        set(&mut row.value, &self.value);
        set(&mut row.type_name, &self.type_name);
        set(&mut row.ttl, &self.ttl);
        set(&mut row.modified_id, &self.modified_id);
        set(&mut row.modified_index, &self.modified_index);
    }
}

/// The view and the actions of an operator with access to the database.
impl LockTable {
    /// All rows, by key.
    pub fn rows(&self) -> Vec<Row> {
        self.in_order_of_path().into_iter().map(|row| row.to_row()).collect()
    }

    /// The row of `path`.
    pub fn row(&self, path: &str) -> Option<Row> {
        self.find(path).map(|id| self.rows[id].to_row())
    }

    /// True if `path` has a row with an owner, which may be `NULL` or empty.
    pub(crate) fn is_owned(&self, path: &str) -> bool {
        let row = self.find(path).map(|id| &self.rows[id]);
        row.is_some_and(|row| !row.owner.is_empty())
    }

    /// The row of the last write; `None` if the write deleted a row, or there was none yet.
    pub fn last_written(&self) -> Option<&WrittenRow> {
        let id = self.last_written?;
        self.rows.get(id).map(|row| &row.row)
    }

    /// How many rows there are, listed or not.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there is no row at all.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Counts the rows with an owner, of one type or, for an empty filter, of all (B53).
    pub fn count(&self, type_filter: &str) -> usize {
        let matches = |row: &&StoredRow| row.is_counted() && self.is_of_type(row, type_filter);
        self.rows.values().map(Box::as_ref).filter(matches).count()
    }

    /// How many writes the table has seen: unchanged means nothing to poll for.
    pub const fn writes(&self) -> u64 {
        self.writes
    }

    /// Snapshots of all listed rows, oldest write first (B75).
    pub fn registrations(&self) -> impl Iterator<Item = Registration> {
        self.in_order_of_writing()
            .into_iter()
            .filter(|row| row.is_listed())
            .map(StoredRow::registration)
    }

    /// Writes a whole row, whatever Locket thinks of it.
    ///
    /// # Errors
    ///
    /// The database's own: a value too long for its column, a NUL byte, NULL where the
    /// profile's schema has none, or no table.
    pub fn put_row(&mut self, row: Row, now: Time) -> Result<(), LockError> {
        self.require_table()?;
        let row = self.fit_row(row)?;
        if let Some(id) = self.find(&row.path) {
            self.remove(id);
        }
        let id = self.insert(row.into());
        self.schedule(id, now);
        Ok(())
    }

    /// Sets columns of all rows.
    ///
    /// # Errors
    ///
    /// As for [`put_row`](Self::put_row); then no row is changed.
    pub fn update_rows(&mut self, changes: &RowChanges, now: Time) -> Result<(), LockError> {
        self.edit_rows(|row| changes.apply_to(row), now)
    }

    /// Lets `edit` change all rows but for their paths, which stay; by key.
    ///
    /// # Errors
    ///
    /// As for [`put_row`](Self::put_row); then no row is changed.
    pub fn edit_rows(&mut self, edit: impl Fn(&mut Row), now: Time) -> Result<(), LockError> {
        self.require_table()?;
        let changed: Vec<Row> = self
            .rows()
            .into_iter()
            .map(|row| {
                let mut changed = row.clone();
                edit(&mut changed);
                self.fit_row(Row { path: row.path, ..changed })
            })
            .collect::<Result<_, _>>()?;
        for row in changed {
            let id = self.find(&row.path).expect("the row was read from this table");
            let inserted = self.remove(id).inserted;
            let id = self.insert(row.into());
            self.rows[id].inserted = inserted;
            self.schedule(id, now);
        }
        Ok(())
    }

    /// Gives a key without a row one of a client that is not simulated. No other client is
    /// its owner, no poll lists it, and it does not expire by itself.
    pub(crate) fn put_row_of_others(&mut self, key: &str) {
        let row = Row {
            path: key.to_owned(),
            owner: Some("another".to_owned()),
            value: Some(String::new()),
            type_name: Some(LOCK.to_owned()),
            ttl: Some(1),
            modified_id: Some(String::new()),
            modified_index: Some(1),
        };
        let unlisted = Some(Arc::new(row.clone()));
        self.insert(WrittenRow { nulls: unlisted, ..row.into() });
    }

    /// Deletes the row of `key`; says whether there was one.
    pub fn delete_row(&mut self, key: &str) -> bool {
        let found = self.find(key);
        found.map(|id| self.remove(id)).is_some()
    }

    /// `DROP TABLE locks`: every transaction fails from now on, until it is created again.
    pub fn drop_table(&mut self) {
        *self = Self {
            dropped: true,
            writes: self.writes + 1,
            expired: self.expired,
            ..Self::new(self.profile)
        };
    }

    /// True if an operator has dropped the table.
    pub const fn is_dropped(&self) -> bool {
        self.dropped
    }

    /// `CREATE TABLE IF NOT EXISTS locks`, which every process runs when it starts.
    pub const fn create_table(&mut self) {
        self.dropped = false;
    }

    pub(super) const fn require_table(&self) -> Result<(), LockError> {
        if self.dropped {
            return Err(SQL_UNRECOVERABLE);
        }
        Ok(())
    }

    /// Checks the columns' limits and cuts what the database cuts.
    fn fit_row(&self, row: Row) -> Result<Row, LockError> {
        let flavor = self.profile.database;
        let name = |text: Option<String>| {
            text.map(|text| fit(&text, NAME_LENGTH_MAX, flavor).map(str::to_owned)).transpose()
        };
        let row = Row {
            path: fit(&row.path, NAME_LENGTH_MAX, flavor)?.to_owned(),
            owner: name(row.owner)?,
            value: row
                .value
                .map(|text| fit(&text, VALUE_LENGTH_MAX, flavor).map(str::to_owned))
                .transpose()?,
            type_name: name(row.type_name)?,
            modified_id: name(row.modified_id)?,
            ..row
        };
        let complete = row.owner.is_some()
            && row.value.is_some()
            && row.type_name.is_some()
            && row.ttl.is_some()
            && row.modified_id.is_some()
            && row.modified_index.is_some();
        if self.profile.schema == Schema::Documented && !complete {
            return Err(flavor.not_null());
        }
        Ok(row)
    }
}
