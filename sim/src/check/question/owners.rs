//! Which clients present the same owner string, so that Locket takes them for one.

use super::Question;
use super::limits::CLIENTS_MAX;

/// For each client the first that presents the same owner string. Rows name owners by that one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Owners([u8; CLIENTS_MAX]);

impl Question {
    /// Which clients present the same owner string. Clients without one have their own.
    pub(in crate::check) fn owners(&self) -> Owners {
        let clients = &self.clients;
        Owners(std::array::from_fn(|client| {
            let owner = clients.get(client).and_then(|it| it.owner.as_ref());
            let first =
                owner.and_then(|_| clients.iter().position(|it| it.owner.as_ref() == owner));
            first.unwrap_or(client) as u8
        }))
    }
}

impl Owners {
    /// The first client with the owner string of this one.
    pub(in crate::check) const fn first(self, client: u8) -> u8 {
        self.0[client as usize]
    }

    /// The clients that a row of this owner belongs to, as bits.
    pub(in crate::check) fn of_row(self, owner: Option<u8>) -> u8 {
        let clients = (0..CLIENTS_MAX).filter(|&client| Some(self.0[client]) == owner);
        clients.fold(0, |bits, client| bits | 1 << client)
    }

    /// True if other clients present the owner string of this one.
    pub(in crate::check) fn is_shared(self, client: usize) -> bool {
        self.0.iter().filter(|&&it| it == self.0[client]).count() > 1
    }

    /// True if any two clients present the same owner string.
    pub(in crate::check) fn are_shared(self) -> bool {
        (0..CLIENTS_MAX).any(|client| self.is_shared(client))
    }
}
