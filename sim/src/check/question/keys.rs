//! The keys of a question: one for all clients, or those that each keeps together in an order of its
//! own.

use super::limits::{CLIENTS_MAX, KEY, KEYS_MAX};
use super::{ClientQuestion, Question};
use crate::environment::acts::Counts;
use crate::scenario::ClientKind;

/// A message of errors.
pub(super) const TOO_MANY_KEYS: &str = "a search has joint locks of 2 keys";
const _: () = assert!(KEYS_MAX == 2, "the message names the number");

/// For each client, the number of the key of each member.
pub(in crate::check) type KeyOfMember = [[u8; KEYS_MAX]; CLIENTS_MAX];

impl Question {
    /// The keys, in the order of the first client.
    pub(in crate::check) fn keys(&self) -> Vec<String> {
        match self.clients.first() {
            Some(client) if self.is_joint() => client.keys.clone(),
            _ => vec![KEY.to_owned()],
        }
    }

    /// How many clients, processes and keys there are.
    pub(in crate::check) fn counts(&self) -> Counts {
        Counts {
            clients: self.clients.len() as u8,
            processes: self.processes as u8,
            keys: self.keys().len() as u8,
        }
    }

    /// Whether clients keep several keys together.
    pub(in crate::check) fn is_joint(&self) -> bool {
        let first = self.clients.first();
        first.is_some_and(|client| client.kind == ClientKind::Joint)
    }

    /// The number of the key of each member.
    pub(in crate::check) fn key_of_member(&self) -> KeyOfMember {
        let keys = self.keys();
        let number = |client: &ClientQuestion, member: usize| {
            let key = client.keys.get(member)?;
            keys.iter().position(|known| known == key)
        };
        std::array::from_fn(|client| {
            std::array::from_fn(|member| {
                let client = self.clients.get(client);
                let number = client.and_then(|client| number(client, member));
                number.unwrap_or_default() as u8
            })
        })
    }

    /// The first thing that is wrong with the keys of a client: its field and a message.
    pub(super) fn keys_error(&self, client: &ClientQuestion) -> Option<(&'static str, String)> {
        let wrong = |field, message: String| Some((field, message));
        if client.kind != ClientKind::Joint {
            let only = "only a client of kind joint has this member".to_owned();
            let timeout = client.key_timeout.map(|_| "keyTimeout");
            let field = (!client.keys.is_empty()).then_some("keys").or(timeout);
            return field.and_then(|field| wrong(field, only));
        }
        let keys = &client.keys;
        if keys.len() < 2 {
            return wrong("keys", "a joint lock needs at least 2 keys".to_owned());
        }
        if keys.len() > KEYS_MAX {
            return wrong("keys", TOO_MANY_KEYS.to_owned());
        }
        let twice = |(index, key): (usize, &String)| keys[..index].contains(key);
        if keys.iter().enumerate().any(twice) {
            return wrong("keys", "expected each key once".to_owned());
        }
        let first = &self.clients[0].keys;
        if first.iter().any(|key| !keys.contains(key)) {
            let message = "expected the same keys for all clients, each in any order".to_owned();
            return wrong("keys", message);
        }
        None
    }
}

/// The owner of all rows, if they have one.
pub(in crate::check) fn owner_of_all(owners: &[Option<u8>]) -> Option<u8> {
    let first = owners.first().copied().flatten();
    first.filter(|_| owners.iter().all(|owner| *owner == first))
}
