//! The order of rows in answers.

use xxhash_rust::xxh64::xxh64;

use super::LockTable;
use crate::protocol::flavor::Flavor;
use crate::protocol::profile::FetchAllOrder;
use crate::protocol::row::StoredRow;
use crate::sorted::sorted_by;

impl LockTable {
    pub(super) fn in_order_of_writing(&self) -> Vec<&StoredRow> {
        self.in_order_of(&|row| row.written)
    }

    pub(super) fn in_order_of_path(&self) -> Vec<&StoredRow> {
        let rows = self.rows.values().map(Box::as_ref).collect();
        sorted_by(rows, |a: &&StoredRow, b| a.path.cmp(&b.path))
    }

    /// The rows in the order of the primary key.
    fn in_order_of_key(&self) -> Vec<&StoredRow> {
        let rows = self.in_order_of_path();
        if self.profile.database == Flavor::Mysql {
            return sorted_by(rows, |a, b| Flavor::compare_on_mysql(&a.path, &b.path));
        }
        rows
    }

    pub(super) fn in_list_order(&self) -> Vec<&StoredRow> {
        match self.profile.fetch_all_order {
            FetchAllOrder::Insertion => self.in_order_of(&|row| row.inserted),
            FetchAllOrder::Key => self.in_order_of_key(),
            FetchAllOrder::LastWrite => self.in_order_of_writing(),
            FetchAllOrder::Shuffled => {
                self.in_order_of(&|row| xxh64(row.path.as_bytes(), self.writes))
            }
        }
    }

    /// Rows by a number, those of one number by their last write. One sort serves all orders:
    /// each would weigh some kilobytes.
    fn in_order_of(&self, number: &dyn Fn(&StoredRow) -> u64) -> Vec<&StoredRow> {
        let rows = self.rows.values().map(AsRef::as_ref).collect();
        let place = |row: &StoredRow| (number(row), row.written);
        sorted_by(rows, |a, b| place(a).cmp(&place(b)))
    }
}
