//! Values that JSON names in words with dashes, read by one function for all types: one for each, at
//! every place where it may stand, would weigh a kilobyte in a wasm module.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, VariantAccess as _, Visitor};

/// Names the values of a type, all of which are listed, and reads one by its name.
macro_rules! read_by_name {
    ($vis:vis $name:ident: $( $value:ident )*) => {
        impl $name {
            /// Its name in JSON.
            $vis const fn name(self) -> &'static str {
                use $crate::by_name::{text, with_dashes, with_dashes_length};
                match self {
                    $( Self::$value => {
                        const VALUE: &str = stringify!($value);
                        const NAME: [u8; with_dashes_length(VALUE)] = with_dashes(VALUE);
                        text(&NAME)
                    } )*
                }
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                const VALUES: &[$name] = &[$( $name::$value, )*];
                const NAMES: &[&str] = &[$( $name::$value.name(), )*];
                $crate::by_name::by_name(deserializer, NAMES).map(|place| VALUES[place])
            }
        }
    };
}

pub(crate) use read_by_name;

/// How long a name is in words with dashes.
pub(crate) const fn with_dashes_length(name: &str) -> usize {
    let (name, mut length, mut at) = (name.as_bytes(), name.len(), 1);
    while at < name.len() {
        length += name[at].is_ascii_uppercase() as usize;
        at += 1;
    }
    length
}

/// A name in words with dashes: `RollsBack` as `rolls-back`.
pub(crate) const fn with_dashes<const LENGTH: usize>(name: &str) -> [u8; LENGTH] {
    let (name, mut words) = (name.as_bytes(), [b'-'; LENGTH]);
    let (mut from, mut to) = (0, 0);
    while from < name.len() {
        to += (from > 0 && name[from].is_ascii_uppercase()) as usize;
        words[to] = name[from].to_ascii_lowercase();
        (from, to) = (from + 1, to + 1);
    }
    words
}

pub(crate) const fn text(bytes: &'static [u8]) -> &'static str {
    match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("the name of a value is ASCII"),
    }
}

/// Reads one of some names; its place among them.
#[inline(never)]
pub(crate) fn by_name<'de, D: Deserializer<'de>>(
    deserializer: D,
    names: &'static [&'static str],
) -> Result<usize, D::Error> {
    deserializer.deserialize_enum("", names, Name(names))
}

#[derive(Clone, Copy)]
struct Name(&'static [&'static str]);

impl<'de> Visitor<'de> for Name {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("variant identifier")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<usize, A::Error> {
        let (place, variant) = data.variant_seed(self)?;
        variant.unit_variant()?;
        Ok(place)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        let place = self.0.iter().position(|it| *it == name);
        place.ok_or_else(|| E::unknown_variant(name, self.0))
    }
}

impl<'de> DeserializeSeed<'de> for Name {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}
