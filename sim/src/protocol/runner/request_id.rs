//! Where the ids of requests come from: the caller, since nothing here has entropy.

use std::borrow::Cow;
use std::fmt;

use uuid::Uuid;

use crate::protocol::id_source::{IdSource, ModifiedId};
use crate::time::Duration;

/// The `uuid` that an attempt carries: a fresh one for each (C3, C7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(Uuid);

impl RequestId {
    /// The id of these 16 bytes, taken as they are.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Uuid::from_bytes(bytes))
    }

    /// The id that a UUID's text spells.
    ///
    /// # Errors
    ///
    /// The text is no UUID.
    pub fn parse(text: &str) -> Result<Self, RequestIdError> {
        let id = Uuid::try_parse(text);
        id.map(Self).map_err(|_| RequestIdError("the request id is no UUID".into()))
    }

    /// A part of a time, from none to all of it, in whole milliseconds, up to 49 days: another one for
    /// each id and for each owner, and as random as the id.
    pub fn part_of(self, time: Duration, owner: &str) -> Duration {
        // Ids of a test count, for each client anew.
        let mix = |mixed: u64, byte| (mixed ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = owner.bytes().fold(self.0.as_u64_pair().1, mix);
        Duration::from_ms(((mixed >> 32) * (time.as_ms().min(u32::MAX.into()) + 1)) >> 32)
    }
}

impl fmt::Display for RequestId {
    /// Lower-case hyphenated.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.hyphenated())
    }
}

/// Why there is no id for a request; ends the runner that wanted one (C16).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RequestIdError(pub Cow<'static, str>);

impl fmt::Display for RequestIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RequestIdError {}

/// Gives out request ids.
///
/// Ids that differ let a runner tell a late reply from the one it waits for. A caller that gives
/// out the same id twice, say an exploration that must not count requests, has to drop replies to
/// calls that are over.
pub trait RequestIds {
    /// The id of one more request.
    ///
    /// # Errors
    ///
    /// Why there is none, for instance because randomness has run out.
    fn next_request_id(&mut self) -> Result<RequestId, RequestIdError>;
}

impl<F: FnMut() -> Result<RequestId, RequestIdError>> RequestIds for F {
    fn next_request_id(&mut self) -> Result<RequestId, RequestIdError> {
        self()
    }
}

/// Upstream makes modified ids and request ids with the same library.
impl RequestIds for IdSource {
    fn next_request_id(&mut self) -> Result<RequestId, RequestIdError> {
        match self.next_id() {
            ModifiedId::Guid(id) => Ok(RequestId(id)),
            ModifiedId::Text(text) => Err(RequestIdError(text.to_string().into())),
        }
    }
}
