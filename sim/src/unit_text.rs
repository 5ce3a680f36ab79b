//! Values that people write as a text with a unit, such as `15s` or `30%`, in JSON.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{self, Deserializer, Visitor};

/// Reads a value from a JSON string. A bare number is refused by `bare`, which says what the unit
/// could be. `expected` describes the value for errors about other JSON types.
pub(crate) fn deserialize<'de, T, D>(
    deserializer: D,
    expected: &'static str,
    bare: fn(u64) -> String,
) -> Result<T, D::Error>
where
    T: FromStr<Err: fmt::Display>,
    D: Deserializer<'de>,
{
    let value = PhantomData;
    deserializer.deserialize_any(UnitTextVisitor { expected, bare, value })
}

struct UnitTextVisitor<T> {
    expected: &'static str,
    bare: fn(u64) -> String,
    value: PhantomData<T>,
}

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for UnitTextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
        Err(E::custom((self.bare)(number)))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}
