//! A digest of events.
//!
//! It is the XXH64 of the [bytes](super::encode) of all events, one after another. This hash needs no
//! products of 128 bits, which are calls in WebAssembly.
//!
//! In these bytes, numbers are little-endian and have fixed widths. Texts have their lengths before
//! them. So the bytes are the same on 32 and 64 bits, and the events can be read back from them: no
//! two runs have the same bytes. They are part of what a digest means. A change to them changes all
//! digests, and is a breaking change.

use std::fmt;
use std::iter::Sum;

use serde::{Serialize, Serializer};
use xxhash_rust::xxh64::Xxh64;

use crate::time::Time;
use crate::world::network::NodeId;

/// The digest of a sequence of events; prints as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest(u64);

/// The digest of many runs, in whatever order.
impl Sum for Digest {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        Self(all.fold(0, |sum, digest| sum.wrapping_add(digest.0)))
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

/// So many bytes are hashed at once: an event alone has few.
const HASHED_MIN: usize = 1_024;

/// Events as bytes; the last ones are not hashed yet.
#[derive(Clone, Default)]
pub(super) struct Encoding {
    hash: Hash,
    bytes: Vec<u8>,
}

#[derive(Clone)]
struct Hash(Xxh64);

impl Default for Hash {
    fn default() -> Self {
        Self(Xxh64::new(0))
    }
}

impl Encoding {
    /// The digest so far.
    pub(super) fn digest(&self) -> Digest {
        let mut hash = self.hash.0.clone();
        hash.update(&self.bytes);
        Digest(hash.digest())
    }

    /// Begins an event: when, where and what.
    pub(super) fn begin(&mut self, time: Time, node: NodeId, tag: u8) -> &mut Self {
        if self.bytes.len() >= HASHED_MIN {
            self.hash.0.update(&self.bytes);
            self.bytes.clear();
        }
        let mut head = [tag; 13];
        head[..8].copy_from_slice(&time.as_ms().to_le_bytes());
        head[8..12].copy_from_slice(&node.0.to_le_bytes());
        self.bytes.extend_from_slice(&head);
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

    pub(super) fn node(&mut self, node: NodeId) -> &mut Self {
        self.bytes.extend_from_slice(&node.0.to_le_bytes());
        self
    }

    /// A part with a fixed number of bytes.
    pub(super) fn bytes<const N: usize>(&mut self, bytes: &[u8; N]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        // No text of a run has 4 GiB.
        self.bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }

    pub(super) fn optional_text(&mut self, text: Option<&str>) -> &mut Self {
        match text {
            None => self.tag(0),
            Some(text) => self.tag(1).text(text),
        }
    }

    pub(super) fn optional_number(&mut self, number: Option<i64>) -> &mut Self {
        match number {
            None => self.tag(0),
            Some(number) => self.tag(1).number(number.cast_unsigned()),
        }
    }
}
