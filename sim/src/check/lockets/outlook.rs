//! What can still become of Locket, seen from a moment, with times relative to it.

use super::{KEY, Locket};
use crate::protocol::lock_table::LockTable;
use crate::protocol::server::Server;
use crate::time::Time;

impl Locket {
    /// All that can matter from now on, relative to now. Ids count as equal or different, and
    /// indices by their distance from each other.
    pub(super) fn outlook(&mut self, polls: bool) -> Vec<u64> {
        let mut outlook = Outlook {
            now: self.now,
            words: Vec::new(),
            ids: Vec::new(),
        };
        for table in std::iter::once(&mut self.table).chain(&mut self.history) {
            outlook.add_table(table);
        }
        for server in &mut self.servers {
            match server {
                None => outlook.words.push(0),
                Some(server) => outlook.add_server(server, polls),
            }
        }
        outlook.finish()
    }
}

struct Outlook {
    now: Time,
    words: Vec<u64>,
    /// The ids seen, with the words that hold an index of each.
    ids: Vec<(String, Vec<usize>)>,
}

impl Outlook {
    fn add_table(&mut self, table: &mut LockTable) {
        let due = table.deadline(Time::MAX);
        let Some(row) = table.row(KEY) else {
            self.words.push(0);
            return;
        };
        self.words.push(1);
        self.add_owner(row.owner.as_deref());
        self.add_time(due);
        let id = row.modified_id.unwrap_or_default();
        self.add_version(id, row.modified_index.unwrap_or_default());
    }

    fn add_server(&mut self, server: &Server, polls: bool) {
        let timers = server.expiry().timers();
        self.words.push(1 + server.expiry().len() as u64);
        for (registration, due) in timers {
            self.add_owner(Some(&registration.owner));
            self.add_time(due);
            let id = registration.modified_id.to_string();
            self.add_version(id, registration.modified_index);
        }
        self.add_time(server.poll_deadline().filter(|_| polls));
    }

    fn add_owner(&mut self, owner: Option<&str>) {
        let number = owner.and_then(|owner| owner.parse::<u64>().ok());
        self.words.push(number.map_or(0, |number| number + 1));
    }

    fn add_time(&mut self, due: Option<Time>) {
        let left = due.map(|due| due.since(self.now).as_ms());
        self.words.push(left.unwrap_or(u64::MAX));
    }

    fn add_version(&mut self, id: String, index: i64) {
        let known = self.ids.iter().position(|(known, _)| *known == id);
        let class = known.unwrap_or(self.ids.len());
        if class == self.ids.len() {
            self.ids.push((id, Vec::new()));
        }
        self.words.push(class as u64);
        self.ids[class].1.push(self.words.len());
        self.words.push(index as u64);
    }

    fn finish(mut self) -> Vec<u64> {
        for (_, places) in &self.ids {
            let least = places.iter().map(|&place| self.words[place]).min();
            for &place in places {
                self.words[place] -= least.unwrap_or_default();
            }
        }
        self.words
    }
}
