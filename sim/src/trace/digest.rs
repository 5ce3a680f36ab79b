//! A rolling digest of events.
//!
//! xxh3 over a byte encoding of each event, seeded with the digest before it. The encoding
//! uses fixed-width little-endian numbers and length-prefixed texts, so it is the same on 32
//! and 64 bits and no two different events encode alike. It is part of what a digest means:
//! a change to it changes all digests, and is a breaking change.

use std::fmt;

use serde::{Serialize, Serializer};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::time::Time;
use crate::world::network::NodeId;

/// The digest of a sequence of events; prints as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Digest(u64);

impl Digest {
    /// Adds one event's encoding.
    pub(super) fn add(&mut self, encoding: &Encoding) {
        self.0 = xxh3_64_with_seed(&encoding.bytes, self.0);
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// An event as bytes; reusable.
#[derive(Clone, Default)]
pub(super) struct Encoding {
    bytes: Vec<u8>,
}

impl Encoding {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Begins an event: when, where and what.
    pub(super) fn begin(&mut self, time: Time, node: NodeId, tag: u8) -> &mut Self {
        let mut head = [tag; 17];
        head[..8].copy_from_slice(&time.as_ms().to_le_bytes());
        head[8..16].copy_from_slice(&u64::from(node.0).to_le_bytes());
        self.bytes.clear();
        self.bytes.extend_from_slice(&head);
        self
    }

    /// Gives back the room that it does not need.
    pub(super) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
    }

    /// Adds what was encoded before.
    pub(super) fn append(&mut self, other: &Self) -> &mut Self {
        self.bytes.extend_from_slice(&other.bytes);
        self
    }

    pub(super) fn tag(&mut self, tag: u8) -> &mut Self {
        self.bytes.push(tag);
        self
    }

    pub(super) fn number(&mut self, number: u64) -> &mut Self {
        self.bytes.extend_from_slice(&number.to_le_bytes());
        self
    }

    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.number(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }

    /// A text that is given in parts.
    pub(super) fn text_of(&mut self, parts: &[&str]) -> &mut Self {
        self.number(parts.iter().map(|part| part.len() as u64).sum());
        for part in parts {
            self.bytes.extend_from_slice(part.as_bytes());
        }
        self
    }

    pub(super) fn optional_text(&mut self, text: Option<&str>) -> &mut Self {
        let Some(text) = text else {
            return self.tag(0);
        };
        self.present(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }

    pub(super) fn optional_number(&mut self, number: Option<i64>) -> &mut Self {
        match number {
            None => self.tag(0),
            Some(number) => self.present(number.cast_unsigned()),
        }
    }

    /// The tag of something that is there, and a number: in one piece, since each piece may have
    /// to make room.
    fn present(&mut self, number: u64) -> &mut Self {
        let mut bytes = [1; 9];
        bytes[1..].copy_from_slice(&number.to_le_bytes());
        self.bytes.extend_from_slice(&bytes);
        self
    }
}
