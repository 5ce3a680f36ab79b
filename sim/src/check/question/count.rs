//! How often something may happen.

use std::cmp::Ordering;
use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer};

use crate::amounts::up_to;

/// How often something may happen within the bounds of a question. Numbers are compared with `u8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Count {
    /// At most this many times.
    UpTo(u8),
    /// Any number of times.
    Any,
}

/// How a question says that a number has no limit.
pub(in crate::check) const ANY: &str = "any";

impl Count {
    /// True if it may not happen.
    pub const fn is_never(self) -> bool {
        matches!(self, Self::UpTo(0))
    }

    /// True if one more may happen after this many. Without a limit none is counted.
    pub(in crate::check) const fn allows_after(self, used: u8) -> bool {
        match self {
            Self::UpTo(most) => used < most,
            Self::Any => true,
        }
    }

    /// How many more may happen after this many.
    pub(in crate::check) const fn left_after(self, used: u8) -> u8 {
        match self {
            Self::UpTo(most) => most - used,
            Self::Any => u8::MAX,
        }
    }

    /// In words, with its noun: `one pause`, `any number of pauses`.
    pub(in crate::check) fn words(self, one: &str, several: &str) -> String {
        match self {
            Self::UpTo(most) => up_to(most, one, several),
            Self::Any => format!("any number of {several}"),
        }
    }

    /// The limit, if it has one.
    pub const fn limit(self) -> Option<u8> {
        match self {
            Self::UpTo(most) => Some(most),
            Self::Any => None,
        }
    }
}

impl Default for Count {
    fn default() -> Self {
        Self::UpTo(0)
    }
}

impl From<u8> for Count {
    fn from(most: u8) -> Self {
        Self::UpTo(most)
    }
}

impl PartialEq<u8> for Count {
    fn eq(&self, other: &u8) -> bool {
        *self == Self::UpTo(*other)
    }
}

impl PartialOrd<u8> for Count {
    fn partial_cmp(&self, other: &u8) -> Option<Ordering> {
        self.partial_cmp(&Self::UpTo(*other))
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UpTo(most) => most.fmt(f),
            Self::Any => f.write_str(ANY),
        }
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(CountVisitor)
    }
}

struct CountVisitor;

impl Visitor<'_> for CountVisitor {
    type Value = Count;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, or \"any\"")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Count, E> {
        let most = u8::try_from(number);
        most.map(Count::UpTo).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Count, E> {
        match text {
            ANY => Ok(Count::Any),
            _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
        }
    }
}
