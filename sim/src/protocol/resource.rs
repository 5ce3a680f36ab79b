//! A resource, its type, and the mapping between the two ways to name a type.
//!
//! Knows nothing of storage; see [`lock_table`](super::lock_table) for rows.

/// The kind of a resource (`TypeCode` of the wire contract).
///
/// Open, as on the wire: any number reaches the server, and the server does the rejecting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypeCode {
    /// 0: not given, or a type that has no code.
    #[default]
    Unknown,
    /// 1: one owner does some work.
    Lock,
    /// 2: an owner is alive.
    Presence,
    /// Any other number; no rule gives it a meaning.
    Other(i32),
}

impl TypeCode {
    /// The code that a type string stands for: exact and case-sensitive, else
    /// [`TypeCode::Unknown`].
    pub fn from_name(name: &str) -> Self {
        match name {
            LOCK => Self::Lock,
            PRESENCE => Self::Presence,
            _ => Self::Unknown,
        }
    }

    /// The canonical type string, where the code has one.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Lock => Some(LOCK),
            Self::Presence => Some(PRESENCE),
            Self::Unknown | Self::Other(_) => None,
        }
    }

    /// True if the code is a member of the wire contract's enum.
    pub const fn is_member(self) -> bool {
        !matches!(self, Self::Other(_))
    }
}

impl From<i32> for TypeCode {
    fn from(code: i32) -> Self {
        match code {
            0 => Self::Unknown,
            1 => Self::Lock,
            2 => Self::Presence,
            other => Self::Other(other),
        }
    }
}

impl From<TypeCode> for i32 {
    fn from(code: TypeCode) -> Self {
        match code {
            TypeCode::Unknown => 0,
            TypeCode::Lock => 1,
            TypeCode::Presence => 2,
            TypeCode::Other(other) => other,
        }
    }
}

/// A lock or a presence as requests and replies carry it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Resource {
    /// Identifies the resource; at most 255 characters.
    pub key: String,
    /// Who holds or wants it; compared for equality and nothing else; at most 255 characters.
    pub owner: String,
    /// Free text stored beside the key; at most 4096 characters.
    pub value: String,
    /// The deprecated type string; every reply about a lock or presence still fills it.
    pub type_name: String,
    /// The type's code.
    pub type_code: TypeCode,
}

impl Resource {
    /// The type string that is stored for this resource: the code's canonical one, and only
    /// where the code has none the resource's own, verbatim.
    pub fn stored_type(&self) -> &str {
        self.type_code.name().unwrap_or(&self.type_name)
    }
}

/// Canonical type string of [`TypeCode::Lock`].
pub const LOCK: &str = "lock";
/// Canonical type string of [`TypeCode::Presence`].
pub const PRESENCE: &str = "presence";
