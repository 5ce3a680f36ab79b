//! Equality of tables: two are equal if no observer can distinguish them, now or later.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::LockTable;
use crate::protocol::profile::FetchAllOrder;
use crate::protocol::row::Row;
use crate::time::Time;

impl LockTable {
    /// The state that an observer can distinguish, now or later, as one value. Counters that only
    /// order the rows are left out.
    fn observable(&self) -> impl Hash + Eq {
        let rows: Vec<(Row, Option<Time>)> = self
            .in_order_of_writing()
            .into_iter()
            .map(|row| (row.to_row(), row.lease.deadline()))
            .collect();
        let list: Vec<Arc<str>> =
            self.in_list_order().into_iter().map(|row| Arc::clone(&row.path)).collect();
        let shuffle =
            (self.profile.fetch_all_order == FetchAllOrder::Shuffled).then_some(self.writes);
        (self.profile, self.dropped, self.expired, rows, list, shuffle)
    }
}

impl PartialEq for LockTable {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.observable() == other.observable()
    }
}

impl Eq for LockTable {}

impl Hash for LockTable {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.observable().hash(state);
    }
}
