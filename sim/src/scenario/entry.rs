//! Entries of a scenario's list of clients: one of them may stand for many clients.

use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::{CLIENTS_MAX, Client, TRACE_SIZE_MAX};

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

/// Reads the list of clients, one for each that an entry stands for.
pub(super) fn clients<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Client>, D::Error> {
    let entries = Vec::<Client>::deserialize(deserializer)?;
    let mut clients = Vec::with_capacity(entries.len());
    let mut texts = 0;
    for (index, entry) in entries.into_iter().enumerate() {
        // One more than a scenario may have shows that there are too many.
        let room = CLIENTS_MAX + 1 - clients.len();
        let numbers = 0..entry.count.unwrap_or(1).max(1);
        let numbers = numbers.take(room);
        texts += entry.trace_size().saturating_mul(numbers.len() as u64);
        if texts > TRACE_SIZE_MAX {
            return Err(D::Error::custom(format!(
                "the texts of the clients fill more than {} MiB; lower a `count`",
                TRACE_SIZE_MAX >> 20
            )));
        }
        if numbers.len() == 0 {
            break;
        }
        clients.reserve_exact(numbers.len());
        entry.expand(index, numbers, &mut clients);
    }
    Ok(clients)
}

impl Client {
    /// Adds the clients of these numbers that this entry stands for.
    fn expand(self, index: usize, numbers: impl Iterator<Item = u32>, clients: &mut Vec<Self>) {
        let written = self.count.map(|_| {
            Arc::new(Written {
                name: self.name.clone(),
                keys: self.wanted_keys().to_vec(),
            })
        });
        let entry = Entry { index, written };
        match self.count {
            None => clients.push(Self { entry, ..self }),
            Some(_) => clients.extend(numbers.map(|it| self.numbered(it, entry.clone()))),
        }
    }

    /// The client of this number of those that the entry stands for.
    fn numbered(&self, number: u32, entry: Entry) -> Self {
        let number_text = number.to_string();
        let numbered = |text: &String| text.replace(NUMBER, &number_text);
        Self {
            name: numbered(&self.name),
            key: self.key.as_ref().map(numbered),
            keys: self.keys.iter().map(numbered).collect(),
            owner: self.owner.as_ref().map(numbered),
            value: numbered(&self.value),
            start_at: self.start_at + self.start_every.times(number),
            entry,
            ..self.clone()
        }
    }

    /// Whether a name means this client: its own name, or that of its entry as written.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name == name || self.entry_name() == name
    }

    /// The keys of this client that a key means: its own, or one of its entry as written.
    pub(super) fn keys_named<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
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
