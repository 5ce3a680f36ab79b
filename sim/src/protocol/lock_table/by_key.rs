//! Rows by key, as the database takes keys for the same.

use super::{LockTable, RowId};
use crate::protocol::error::LockError;
use crate::protocol::row::{StoredRow, WrittenRow};

const KEY_OF_EACH: &str = "each row is found by its key";

impl LockTable {
    pub(super) fn find(&self, key: &str) -> Option<RowId> {
        let flavor = self.profile.database;
        self.by_path
            .find(flavor.hash_text(key), |&id| flavor.is_same(&self.rows[id].path, key))
            .copied()
    }

    pub(super) fn is_of_type(&self, row: &StoredRow, type_filter: &str) -> bool {
        let flavor = self.profile.database;
        type_filter.is_empty() || flavor.is_same(row.row_type.name(), type_filter)
    }

    pub(super) fn refuse_ill_formed(&self, key: &str) -> Result<(), LockError> {
        let flavor = self.profile.database;
        match flavor.cannot_look_for(key) {
            true => Err(flavor.ill_formed()),
            false => Ok(()),
        }
    }

    pub(super) fn insert(&mut self, row: WrittenRow) -> RowId {
        self.writes += 1;
        let flavor = self.profile.database;
        debug_assert!(self.find(&row.path).is_none(), "a key has one row");
        let path_hash = flavor.hash_text(&row.path);
        let id = self.rows.insert(Box::new(StoredRow {
            inserted: self.writes,
            written: self.writes,
            ..row.into()
        }));
        self.last_written = Some(id);
        let rows = &self.rows;
        self.by_path.insert_unique(path_hash, id, |&id| flavor.hash_text(&rows[id].path));
        id
    }

    pub(super) fn remove(&mut self, id: RowId) -> Box<StoredRow> {
        self.writes += 1;
        self.last_written = None;
        let row = self.rows.remove(id).expect("the id was found in this table");
        if let Ok(entry) = self
            .by_path
            .find_entry(self.profile.database.hash_text(&row.path), |&other| other == id)
        {
            entry.remove();
        }
        debug_assert_eq!(self.rows.len(), self.by_path.len(), "{KEY_OF_EACH}");
        row
    }
}
