//! Entries of a scenario's list of clients: one of them may stand for many clients.

use std::borrow::Cow;
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::{CLIENTS_MAX, Client, Clients, TRACE_SIZE_MAX};
use crate::time::Duration;

/// Stands for the number of a client.
pub(super) const NUMBER: &str = "{i}";

/// The entry that a client comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its place in the list.
    pub(crate) index: usize,
    /// The name and the keys as written, if the entry has a `count`.
    written: Option<Arc<Written>>,
}

#[derive(Debug, PartialEq, Eq)]
struct Written {
    name: String,
    keys: Vec<String>,
}

/// Reads the list of clients.
pub(super) fn clients<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Clients, D::Error> {
    let entries = Vec::<Client>::deserialize(deserializer)?;
    let mut clients = Clients::default();
    let mut texts = 0;
    for (index, mut entry) in entries.into_iter().enumerate() {
        // One more than a scenario may have shows that there are too many.
        let room = CLIENTS_MAX + 1 - clients.len();
        if room == 0 {
            break;
        }
        let text = entry.trace_size();
        entry.entry = entry.as_written(index);
        let before = clients.len();
        clients.list(entry, room);
        texts += text.saturating_mul((clients.len() - before) as u64);
        if texts > TRACE_SIZE_MAX {
            return Err(D::Error::custom(format!(
                "the texts of the clients fill more than {} MiB; lower a `count`",
                TRACE_SIZE_MAX >> 20
            )));
        }
    }
    clients.shrink();
    Ok(clients)
}

impl Client {
    fn as_written(&self, index: usize) -> Entry {
        let written = self.count.map(|_| {
            Arc::new(Written {
                name: self.name.clone(),
                keys: self.wanted_keys().to_vec(),
            })
        });
        Entry { index, written }
    }

    /// The client of this number of those that the entry stands for.
    pub(super) fn numbered(&self, number: usize) -> Cow<'_, Self> {
        if self.count.is_none() {
            return Cow::Borrowed(self);
        }
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let shown = number.to_string();
        let numbered = |text: &String| text.replace(NUMBER, &shown);
        Cow::Owned(Self {
            name: numbered(&self.name),
            key: self.key.as_ref().map(numbered),
            keys: self.keys.iter().map(numbered).collect(),
            owner: self.owner.as_ref().map(numbered),
            value: numbered(&self.value),
            start_at: self.start_at(number),
            entry: self.entry.clone(),
            ..*self
        })
    }

    /// When the client of this number starts.
    fn start_at(&self, number: u32) -> Duration {
        self.start_at + self.start_every.times(number)
    }

    /// When the last client starts of those that the entry stands for.
    pub(super) fn last_start(&self) -> Duration {
        self.start_at(self.count.unwrap_or(1).saturating_sub(1))
    }

    /// The keys of this client that a key means: its own, or one of its entry as written.
    pub(super) fn keys_named(&self, key: &str) -> impl Iterator<Item = &str> {
        let keys = self.wanted_keys().iter().enumerate();
        keys.filter(move |(index, own)| {
            let written = self.entry.written.as_ref();
            *own == key || written.is_some_and(|it| it.keys[*index] == key)
        })
        .map(|(_, own)| own.as_str())
    }

    /// The name of its entry, as written.
    pub(crate) fn entry_name(&self) -> &str {
        let written = self.entry.written.as_ref();
        written.map_or(&self.name, |it| &it.name)
    }
}
