//! The property of a question, and how it is read.

use serde::{Deserialize, Deserializer, de::Error};

use super::visible::VisibleStates;
use crate::amounts::Seconds;
use crate::by_name::read_by_name;
use crate::time::Duration;

/// The property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(rename_all = "kebab-case", tag = "is", deny_unknown_fields)
)]
pub enum Property {
    /// A runner gives its lock up although the row is still its own.
    FalseLoss,
    /// For longer than `allow`, no client believes that it holds the lock and runs, after one did
    /// and while a client wants it. A paused client believes, but does not run.
    NoClientActs {
        /// How long it may last.
        allow: Duration,
    },
    /// Two or more clients believe, without a break, for longer than `allow`, that they hold the lock.
    OneOwner {
        /// How long it may last.
        #[cfg_attr(feature = "schema", schemars(default))]
        allow: Duration,
    },
    /// A state for which `never` is true lasts longer than `allow`. The search asks `never`
    /// once about every possible state, before it begins.
    Own {
        /// The states.
        never: VisibleStates,
        /// How long it may last.
        #[cfg_attr(feature = "schema", schemars(default))]
        allow: Duration,
    },
    /// A client wants the lock, and for `allow` from the start on no client holds it.
    Acquired {
        /// How long it may last.
        allow: Duration,
    },
    /// The presence has no row for longer than `allow`, after it had one and while a client wants
    /// it.
    PresenceGap {
        /// How long it may last.
        allow: Duration,
    },
    /// A client believes for longer than `allow` that it holds the lock, while the row is not its
    /// own.
    BeliefMatchesRow {
        /// How long it may last.
        allow: Duration,
    },
    /// The storage takes a write of a client after one of a later holder.
    NoWrongWrite,
}

impl Property {
    /// True if it holds for any number of clients if each of them keeps a rule about itself among the
    /// others. `no-client-acts`, `acquired` and `presence-gap` are about which client is next: one more may
    /// take the row and crash before it knows. `own` may be about several clients.
    pub(in crate::check) const fn is_of_each_client(self) -> bool {
        match self {
            Self::FalseLoss
            | Self::OneOwner { .. }
            | Self::BeliefMatchesRow { .. }
            | Self::NoWrongWrite => true,
            Self::NoClientActs { .. }
            | Self::Own { .. }
            | Self::Acquired { .. }
            | Self::PresenceGap { .. } => false,
        }
    }

    /// True if the rule of each client is about the last owner of a row.
    pub(in crate::check) const fn asks_for_last_owner(self) -> bool {
        matches!(self, Self::OneOwner { .. } | Self::NoWrongWrite)
    }

    /// True if it is about the storage that holders write to.
    pub(in crate::check) const fn is_about_storage(self) -> bool {
        matches!(self, Self::NoWrongWrite)
    }

    /// True if what must not be takes no time.
    pub(in crate::check) const fn takes_no_time(self) -> bool {
        matches!(self, Self::FalseLoss | Self::NoWrongWrite)
    }

    /// The violation by a schedule, as a verb: `has two owners at the same time`.
    pub fn words(self) -> String {
        match self {
            Self::FalseLoss => {
                "makes an owner give up a lock whose row is still its own".to_owned()
            }
            Self::NoClientActs { allow } => format!(
                "leaves the lock for more than {} without a client that believes it holds it and runs",
                Seconds(allow)
            ),
            Self::OneOwner { allow } if allow > Duration::ZERO => {
                format!("has two or more owners, without a break, for more than {}", Seconds(allow))
            }
            Self::OneOwner { .. } => "has two owners at the same time".to_owned(),
            Self::Own { allow, .. } if allow > Duration::ZERO => {
                format!("breaks your property for more than {}", Seconds(allow))
            }
            Self::Own { .. } => "breaks your property".to_owned(),
            Self::Acquired { allow } => {
                format!("leaves the lock without a first owner for more than {}", Seconds(allow))
            }
            Self::PresenceGap { allow } => {
                format!("leaves the presence without a row for more than {}", Seconds(allow))
            }
            Self::BeliefMatchesRow { allow } => {
                format!("has an owner for more than {} whose row is not its own", Seconds(allow))
            }
            Self::NoWrongWrite => {
                "has a write that the storage takes after one of a later holder".to_owned()
            }
        }
    }

    /// The violation of the rule of each client, as a sentence about one of them.
    pub(in crate::check) fn broken_alone_words(self) -> String {
        let Self::OneOwner { allow } = self else {
            return format!("a schedule of one client {}", self.words());
        };
        let overlaps = match allow > Duration::ZERO {
            true => ", and overlaps of several clients can follow each other",
            false => "",
        };
        format!("a client can believe that it holds the lock after another had it{overlaps}")
    }

    /// How long what must not last may last.
    pub(in crate::check) const fn bound(self) -> Duration {
        match self {
            Self::FalseLoss | Self::NoWrongWrite => Duration::ZERO,
            Self::OneOwner { allow }
            | Self::NoClientActs { allow }
            | Self::Own { allow, .. }
            | Self::Acquired { allow }
            | Self::PresenceGap { allow }
            | Self::BeliefMatchesRow { allow } => allow,
        }
    }
}

/// A property as it is read. serde's own reader of such an enum would buffer it first, and be ten
/// times as large.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PropertyText {
    is: Name,
    allow: Option<Duration>,
    never: Option<VisibleStates>,
}

#[derive(Clone, Copy)]
enum Name {
    FalseLoss,
    NoClientActs,
    OneOwner,
    Own,
    Acquired,
    PresenceGap,
    BeliefMatchesRow,
    NoWrongWrite,
}

read_by_name!(Name:
    FalseLoss NoClientActs OneOwner Own Acquired PresenceGap BeliefMatchesRow NoWrongWrite
);

impl<'de> Deserialize<'de> for Property {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let PropertyText { is, allow, never } = Deserialize::deserialize(deserializer)?;
        if never.is_some() && !matches!(is, Name::Own) {
            return Err(Error::unknown_field("never", &["is", "allow"]));
        }
        let given = allow.ok_or_else(|| Error::missing_field("allow"));
        let or_none = allow.unwrap_or_default();
        Ok(match is {
            Name::FalseLoss | Name::NoWrongWrite if allow.is_some() => {
                return Err(Error::unknown_field("allow", &["is"]));
            }
            Name::FalseLoss => Self::FalseLoss,
            Name::NoWrongWrite => Self::NoWrongWrite,
            Name::NoClientActs => Self::NoClientActs { allow: given? },
            Name::OneOwner => Self::OneOwner { allow: or_none },
            Name::Own => Self::Own {
                never: never.ok_or_else(|| Error::missing_field("never"))?,
                allow: or_none,
            },
            Name::Acquired => Self::Acquired { allow: given? },
            Name::PresenceGap => Self::PresenceGap { allow: given? },
            Name::BeliefMatchesRow => Self::BeliefMatchesRow { allow: given? },
        })
    }
}
