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
    /// The name and the key as written, if the entry has a `count`.
    written: Option<Arc<Written>>,
}

#[derive(Debug, PartialEq, Eq)]
struct Written {
    name: String,
    key: String,
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
        let written = || Written { name: self.name.clone(), key: self.key.clone() };
        let written = self.count.map(|_| Arc::new(written()));
        Entry { index, written }
    }

    /// The client of this number of those that the entry stands for.
    pub(super) fn numbered(&self, number: usize) -> Cow<'_, Self> {
        if self.count.is_none() {
            return Cow::Borrowed(self);
        }
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let shown = number.to_string();
        let numbered = |text: &String| with_number(text, &shown);
        Cow::Owned(Self {
            name: numbered(&self.name),
            key: numbered(&self.key),
            owner: self.owner.as_ref().map(numbered),
            value: numbered(&self.value),
            start_at: self.start_at(number),
            entry: self.entry.clone(),
            runner: self.runner.clone(),
            ..*self
        })
    }

    /// The name of the client of this number.
    pub(super) fn name_of(&self, number: u32) -> Cow<'_, str> {
        match self.count {
            None => Cow::Borrowed(&self.name),
            Some(_) => Cow::Owned(with_number(&self.name, &number.to_string())),
        }
    }

    /// When the client of this number starts.
    pub(super) fn start_at(&self, number: u32) -> Duration {
        self.start_at + self.start_every.times(number)
    }

    /// When the last client starts of those that the entry stands for.
    pub(super) fn last_start(&self) -> Duration {
        self.start_at(self.count.unwrap_or(1).saturating_sub(1))
    }

    /// True if a key means the key of this client: it is that, or the one of its entry as written.
    pub(super) fn has_key(&self, key: &str) -> bool {
        let written = self.entry.written.as_ref();
        self.key == key || written.is_some_and(|it| it.key == key)
    }

    /// The name of its entry, as written.
    pub(crate) fn entry_name(&self) -> &str {
        let written = self.entry.written.as_ref();
        written.map_or(&self.name, |it| &it.name)
    }
}

/// A text with the number of a client. As `replace` does it, which prepares a search for each of the
/// short texts of 100,000 clients.
fn with_number(text: &str, number: &str) -> String {
    let mut made = String::with_capacity(text.len() + usize::from(!text.is_empty()) * number.len());
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte == b'{') {
        let (before, from) = rest.split_at(at);
        made.push_str(before);
        // The bracket may begin something else.
        let (shown, after) = match from.strip_prefix(NUMBER) {
            Some(after) => (number, after),
            None => from.split_at(1),
        };
        made.push_str(shown);
        rest = after;
    }
    made.push_str(rest);
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_where_the_text_has_its_sign() {
        for text in ["", "a", "{i}", "a-{i}", "{i}{i}", "{{i}}", "{i", "{", "i}", "é{i}{é}{i"] {
            assert_eq!(with_number(text, "17"), text.replace(NUMBER, "17"), "{text}");
        }
    }
}
