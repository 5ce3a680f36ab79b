//! The visible part of a state: which clients believe they hold the lock, which run, and which owns
//! the row. And sets of visible states, for properties that users define.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error};

use super::limits::CLIENTS_MAX;
use super::owners::Owners;

/// The visible part of a state. Clients are bits, by their number in the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VisibleState {
    /// The clients that believe they hold the lock; a paused client keeps its belief.
    pub believers: u8,
    /// The clients whose runner has started and not ended.
    pub running: u8,
    /// The client that the row says is the owner; of clients with the same owner string the first.
    pub owner: Option<u8>,
}

impl VisibleState {
    /// True if a client believes it holds the lock.
    pub const fn believes(self, client: u8) -> bool {
        self.believers >> client & 1 != 0
    }

    /// True if the runner of a client has started and not ended.
    pub const fn runs(self, client: u8) -> bool {
        self.running >> client & 1 != 0
    }

    /// The clients that believe they hold the lock while the row is not theirs.
    pub(in crate::check) fn disagreeing(self, owners: Owners) -> u8 {
        self.believers & !owners.of_row(self.owner)
    }

    /// Every one that there can be.
    fn all() -> impl Iterator<Item = Self> {
        (0..COUNT as u16).map(|number| Self {
            believers: (number & BITS) as u8,
            running: (number >> CLIENTS_MAX & BITS) as u8,
            owner: (number >> (2 * CLIENTS_MAX)).checked_sub(1).map(|it| it as u8),
        })
    }

    fn number(self) -> usize {
        let owner = self.owner.map_or(0, |owner| usize::from(owner) + 1);
        owner << (2 * CLIENTS_MAX)
            | usize::from(self.running) << CLIENTS_MAX
            | usize::from(self.believers)
    }

    /// The same with two clients in each other's place.
    fn swapped(self, one: u8, other: u8) -> Self {
        let swap = |bits: u8| {
            let differ = (bits >> one ^ bits >> other) & 1;
            bits ^ (differ << one | differ << other)
        };
        let owner = self.owner.map(|owner| match owner {
            _ if owner == one => other,
            _ if owner == other => one,
            _ => owner,
        });
        Self { believers: swap(self.believers), running: swap(self.running), owner }
    }
}

/// All clients.
const BITS: u16 = (1 << CLIENTS_MAX) - 1;
/// The number of visible states: the row has no owner or one of the clients.
const COUNT: usize = (CLIENTS_MAX + 1) << (2 * CLIENTS_MAX);
const WORDS: usize = COUNT / 64;
/// The number of hexadecimal digits of a word in JSON.
const DIGITS: usize = 16;

/// A set of visible states.
///
/// ```
/// use locket_sim::check::VisibleStates;
///
/// let a_alone = VisibleStates::of(|state| state.believers == 1 && state.running == 1);
/// ```
///
/// In JSON it is a text of hexadecimal digits: 16 for each 64 visible states, the first one in the
/// lowest bit. The number of a visible state has the believing clients in its lowest four bits and
/// the running clients in the next four. Above them it has 0 for no owner, or one more than the
/// number of the row's owner.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct VisibleStates([u64; WORDS]);

impl VisibleStates {
    /// Those for which `is_one` returns true. It is called once for each.
    pub fn of(is_one: impl Fn(VisibleState) -> bool) -> Self {
        let mut words = [0; WORDS];
        for state in VisibleState::all().filter(|it| is_one(*it)) {
            let number = state.number();
            words[number / 64] |= 1 << (number % 64);
        }
        Self(words)
    }

    /// True if a visible state is one of them.
    pub fn contains(&self, state: VisibleState) -> bool {
        let number = state.number();
        self.0[number / 64] >> (number % 64) & 1 != 0
    }

    /// True if one of them is of so many clients.
    pub(in crate::check) fn has_any_of(&self, clients: usize) -> bool {
        let fits = |it: &VisibleState| {
            let owners = it.owner.map_or(0, |owner| 1 << owner);
            (it.believers | it.running | owners) >> clients == 0
        };
        self.0 != [0; WORDS] && VisibleState::all().filter(fits).any(|it| self.contains(it))
    }

    /// True if they are the same with two clients in each other's place.
    pub(in crate::check) fn are_same_with_swapped(&self, one: u8, other: u8) -> bool {
        *self == Self::of(|state| self.contains(state.swapped(one, other)))
    }
}

impl fmt::Debug for VisibleStates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count: u32 = self.0.iter().map(|word| word.count_ones()).sum();
        write!(f, "{count} of {COUNT} visible states")
    }
}

impl fmt::Display for VisibleStates {
    /// The set as JSON has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|word| write!(f, "{word:016x}"))
    }
}

impl<'de> Deserialize<'de> for VisibleStates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <&str>::deserialize(deserializer)?;
        let wrong = || D::Error::custom(format!("expected {} hexadecimal digits", WORDS * DIGITS));
        if text.len() != WORDS * DIGITS || !text.bytes().all(|it| it.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let mut words = [0; WORDS];
        for (number, word) in words.iter_mut().enumerate() {
            let digits = &text[number * DIGITS..(number + 1) * DIGITS];
            *word = u64::from_str_radix(digits, 16).map_err(|_| wrong())?;
        }
        Ok(Self(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_visible_state_has_its_own_number() {
        for (number, state) in VisibleState::all().enumerate() {
            assert_eq!(state.number(), number);
        }
    }

    #[test]
    fn a_set_that_names_a_client_is_another_with_it_in_anothers_place() {
        let any_two = VisibleStates::of(|it| it.believers.count_ones() == 2);
        let first = VisibleStates::of(|it| it.believes(0) && it.owner == Some(1));
        assert!(any_two.are_same_with_swapped(0, 1));
        assert!(!first.are_same_with_swapped(0, 1));
        assert!(first.are_same_with_swapped(2, 3));
    }
}
