//! Where modified ids come from: a seeded source, so that a run can be repeated.

use std::fmt;
use std::sync::Arc;

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;
use uuid::Uuid;

/// The id that a row gets when it is created and keeps through all renewals.
///
/// Ids of this package are kept as 16 bytes, ids that an operator wrote into the table
/// as text. A text that spells an id is that id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ModifiedId {
    /// A lower-case hyphenated GUID.
    Guid(Uuid),
    /// Any other text; empty means "none yet".
    Text(Arc<str>),
}

impl ModifiedId {
    /// True if the row has no id yet and gets one at the next Lock (B44).
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Text(text) if text.is_empty())
    }
}

impl From<&str> for ModifiedId {
    fn from(text: &str) -> Self {
        match Uuid::try_parse(text) {
            Ok(id) if *id.hyphenated().encode_lower(&mut Uuid::encode_buffer()) == *text => {
                Self::Guid(id)
            }
            _ => Self::Text(text.into()),
        }
    }
}

impl fmt::Display for ModifiedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Guid(id) => f.write_str(id.hyphenated().encode_lower(&mut Uuid::encode_buffer())),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Gives out modified ids; the same seed gives the same ids.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdSource {
    seed: u64,
    given_out: u64,
}

impl IdSource {
    /// A source that repeats itself for the same `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { seed, given_out: 0 }
    }

    /// Leaves out the next id, at which nothing looks.
    pub(crate) const fn skip(&mut self) {
        self.given_out += 1;
    }

    /// The next id: version nibble 4, variant bits 01, as upstream's library sets them (B45).
    pub fn next_id(&mut self) -> ModifiedId {
        let mut rng = Pcg64::new(self.seed.into(), self.given_out.into());
        self.given_out += 1;
        let mut bytes = [0; 16];
        rng.fill_bytes(&mut bytes);
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x40;
        ModifiedId::Guid(Uuid::from_bytes(bytes))
    }
}
