//! Requests and answers of Locket's four calls, as the rules see them.
//!
//! Wire types are converted to these at the edge; nothing here knows protobuf.

use serde::Serialize;

use super::resource::{Resource, TypeCode};

/// Locket's calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum Method {
    /// Reads one resource.
    Fetch,
    /// Lists the resources of one type.
    FetchAll,
    /// Takes or renews a resource.
    Lock,
    /// Gives a resource up.
    Release,
}

impl Method {
    /// Every method, in the order in which counters are listed.
    pub const ALL: [Self; 4] = [Self::Fetch, Self::FetchAll, Self::Lock, Self::Release];

    /// The name on the wire and in metrics: `Lock`, `Release`, `Fetch`, `FetchAll`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fetch => "Fetch",
            Self::FetchAll => "FetchAll",
            Self::Lock => "Lock",
            Self::Release => "Release",
        }
    }
}

/// One call's input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// Read the resource of one key.
    Fetch {
        /// The key to look up.
        key: String,
    },
    /// List the resources of one type.
    FetchAll {
        /// The deprecated type string.
        type_name: String,
        /// The type's code.
        type_code: TypeCode,
    },
    /// Take or renew a resource.
    Lock {
        /// The key, its owner and its value; `None` when the message carries no resource.
        resource: Option<Resource>,
        /// The TTL in seconds; every accepted Lock starts it anew.
        ttl_in_seconds: i64,
    },
    /// Give a resource up; only key and owner matter.
    Release {
        /// The key and its owner; `None` when the message carries no resource.
        resource: Option<Resource>,
    },
}

impl Request {
    /// Which call this is.
    pub const fn method(&self) -> Method {
        match self {
            Self::Fetch { .. } => Method::Fetch,
            Self::FetchAll { .. } => Method::FetchAll,
            Self::Lock { .. } => Method::Lock,
            Self::Release { .. } => Method::Release,
        }
    }

    /// The key that logs name; empty for FetchAll and for a missing resource.
    pub fn key(&self) -> &str {
        match self {
            Self::Fetch { key } => key,
            Self::FetchAll { .. } => "",
            Self::Lock { resource, .. } | Self::Release { resource } => {
                resource.as_ref().map_or("", |resource| &resource.key)
            }
        }
    }

    /// The owner that logs name; empty where the call carries none.
    pub fn owner(&self) -> &str {
        match self {
            Self::Fetch { .. } | Self::FetchAll { .. } => "",
            Self::Lock { resource, .. } | Self::Release { resource } => {
                resource.as_ref().map_or("", |resource| &resource.owner)
            }
        }
    }
}

/// One call's successful answer. It is passed on often, so what is large and rare in it is boxed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Response {
    /// The resource that was asked for.
    Fetch(Box<Resource>),
    /// The resources of that type; possibly none.
    FetchAll(Vec<Resource>),
    /// Held until the TTL ends. Whether it was new, renewed or taken over is not told.
    Lock,
    /// Given up.
    Release,
}
