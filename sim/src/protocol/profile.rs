//! Which Locket is meant: the one of the documents or the one that ships.
//!
//! The published documents and the shipped server differ. Users rely on either, so a
//! [`Profile`] is a set of named switches, one for each difference that behaviour can follow,
//! and the same code serves all of them. Take a preset, or a preset with single switches
//! changed.

use std::fmt;

use serde::de::{
    self, Deserialize, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer,
};
use serde::{Deserialize as DeriveDeserialize, Serialize};

use super::flavor::Flavor;
use crate::by_name::read_by_name;

/// Declares the switches once: field, type, value in the documents, value upstream.
macro_rules! switches {
    ($( $(#[$doc:meta])* $field:ident: $type:ty = $documented:expr, $upstream:expr; )*) => {
        /// The switches that make one Locket.
        ///
        /// In JSON either a preset's name, `"documented"` or `"upstream"`, or an object whose
        /// `extends` names the preset and whose other members replace single switches:
        /// `{"extends": "upstream", "releaseMissing": "not-found"}`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct Profile {
            $( $(#[$doc])* pub $field: $type, )*
        }

        impl Profile {
            /// The published documents.
            pub const DOCUMENTED: Self = Self { $( $field: $documented, )* };

            /// The behaviour of cloudfoundry/locket today, as observed on the real server.
            pub const UPSTREAM: Self = Self { $( $field: $upstream, )* };
        }

        /// A preset with single switches changed.
        #[derive(DeriveDeserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "schema", schemars(rename = "Profile", transform = crate::schema::without_null))]
        pub(crate) struct ProfileChanges {
            /// The preset that has the other switches.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(extend("default" = "documented")))]
            extends: ProfilePreset,
            $( $(#[$doc])* $field: Option<$type>, )*
        }

        impl From<ProfileChanges> for Profile {
            fn from(changes: ProfileChanges) -> Self {
                let preset = Self::from(changes.extends);
                let base = changes.database.map_or(preset, |flavor| preset.on(flavor));
                Self { $( $field: changes.$field.unwrap_or(base.$field), )* }
            }
        }
    };
}

switches! {
    /// What happens to the transaction of a call whose caller has gone: its deadline has passed, it
    /// has stopped, or its connection is broken. It matters if the database stalls or transactions
    /// take time.
    caller_gone: CallerGone = CallerGone::Commits, CallerGone::Commits;
    /// The database under Locket, which decides when two texts are one and has its own error texts.
    /// On `mysql`, FetchAll lists by key unless `fetchAllOrder` says otherwise.
    database: Flavor = Flavor::Postgres, Flavor::Postgres;
    /// The effect of a Release by a named owner on a row whose owner is empty.
    empty_owner_release: EmptyOwnerRelease = EmptyOwnerRelease::Missing, EmptyOwnerRelease::Collision;
    /// When a row whose TTL has ended is deleted.
    expiry: ExpiryRule = ExpiryRule::Exact, ExpiryRule::UpstreamTimers;
    /// The order of FetchAll's list, which the documents leave open.
    fetch_all_order: FetchAllOrder = FetchAllOrder::Insertion, FetchAllOrder::LastWrite;
    /// When Lock checks the type, which the documented list of its errors leaves open.
    invalid_type_error: InvalidTypeError = InvalidTypeError::Undocumented, InvalidTypeError::Upstream;
    /// The gRPC code of `invalid-type`.
    invalid_type_status: InvalidTypeStatus = InvalidTypeStatus::NotFound, InvalidTypeStatus::NotFound;
    /// True if an empty key is refused with `invalid-key`.
    key_required: bool = true, false;
    /// The effect of a Lock or Release without a resource.
    nil_resource: NilResource = NilResource::Invalid, NilResource::Crash;
    /// The answer to Release of a key that has no row.
    release_missing: ReleaseMissing = ReleaseMissing::NotFound, ReleaseMissing::Ok;
    /// True if Release with an empty owner is refused with `invalid-owner`.
    release_owner_required: bool = true, false;
    /// The order of columns in the `locks` table, and which of them may be NULL.
    schema: Schema = Schema::Documented, Schema::Upstream;
    /// The effect of a TTL over 9,223,372,036 s.
    ttl_overflow: TtlOverflow = TtlOverflow::Keep, TtlOverflow::Wrap;
    /// How type codes and type strings are read.
    type_rules: TypeRules = TypeRules::Documented, TypeRules::Upstream;
}

impl Profile {
    /// This one on a database of that kind, with the order of FetchAll that it leads to.
    #[must_use]
    pub const fn on(self, database: Flavor) -> Self {
        let fetch_all_order = match database {
            Flavor::Mysql => FetchAllOrder::Key,
            Flavor::Postgres => self.fetch_all_order,
        };
        Self { database, fetch_all_order, ..self }
    }
}

/// The named profiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline, rename_all = "kebab-case"))]
pub(crate) enum ProfilePreset {
    /// The Locket of the published documents.
    #[default]
    Documented,
    /// The Locket that ships.
    Upstream,
}

read_by_name!(ProfilePreset: Documented Upstream);

impl From<ProfilePreset> for Profile {
    fn from(preset: ProfilePreset) -> Self {
        match preset {
            ProfilePreset::Documented => Self::DOCUMENTED,
            ProfilePreset::Upstream => Self::UPSTREAM,
        }
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::DOCUMENTED
    }
}

impl<'de> Deserialize<'de> for Profile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ProfileVisitor)
    }
}

struct ProfileVisitor;

impl<'de> Visitor<'de> for ProfileVisitor {
    type Value = Profile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a profile: \"documented\", \"upstream\" or an object of switches")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Profile, E> {
        match name {
            "documented" => Ok(Profile::DOCUMENTED),
            "upstream" => Ok(Profile::UPSTREAM),
            _ => Err(E::unknown_variant(name, &["documented", "upstream"])),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Profile, A::Error> {
        ProfileChanges::deserialize(MapAccessDeserializer::new(map)).map(Profile::from)
    }
}

/// Declares a switch's values with their spelling in JSON.
macro_rules! values {
    ($( $(#[$doc:meta])* $name:ident { $( $(#[$value_doc:meta])* $value:ident, )* } )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
        #[serde(rename_all = "kebab-case")]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
        pub enum $name { $( $(#[$value_doc])* $value, )* }

        read_by_name!($name: $( $value )*);
    )*};
}

values! {
    /// The transaction of a call whose caller has gone.
    CallerGone {
        /// It commits all the same, as since 2026-04-28.
        Commits,
        /// It is rolled back, and leaves the queue at its row, as before 2026-04-28.
        RollsBack,
    }
    /// Release by a real owner of a row whose owner is empty.
    EmptyOwnerRelease {
        /// It is refused with `lock-collision`, although Fetch calls the row missing and Lock calls it free.
        Collision,
        /// It treats the row as missing, as the other calls do.
        Missing,
    }
    /// When a row whose TTL has ended goes.
    ExpiryRule {
        /// At the moment when its TTL ends.
        Exact,
        /// When a timer of a running process fires; a restart grants a full TTL again.
        UpstreamTimers,
    }
    /// The order of FetchAll's list.
    FetchAllOrder {
        /// By the moment when each key was first taken.
        Insertion,
        /// By key, as the primary key of MySQL has it.
        Key,
        /// By the last write, as PostgreSQL's heap has it.
        LastWrite,
        /// Another order after every write, to find code that relies on an order.
        Shuffled,
    }
    /// How Lock ranks an invalid type among its errors.
    InvalidTypeError {
        /// After the documented checks of TTL and owner.
        Undocumented,
        /// Before all other checks.
        Upstream,
    }
    /// The gRPC code of the invalid-type error.
    InvalidTypeStatus {
        /// Code 3, as for other wrong arguments.
        InvalidArgument,
        /// Code 5, the same as for a missing resource.
        NotFound,
    }
    /// A Lock or Release without a resource.
    NilResource {
        /// The real server process crashes; here the call is answered with Internal.
        Crash,
        /// It is refused with InvalidArgument `invalid-resource`.
        Invalid,
    }
    /// Release of a key without a row.
    ReleaseMissing {
        /// NotFound `resource-not-found`, as the published documents say.
        NotFound,
        /// Success.
        Ok,
        /// Unknown `sql-resource-not-found`, as upstream did before 2019.
        SqlNotFound,
    }
    /// The `locks` table.
    Schema {
        /// path, owner, value, type, ttl, modified_id, modified_index; none may be NULL.
        Documented,
        /// path, owner, value, type, modified_index, modified_id, ttl; all but path may be NULL.
        Upstream,
    }
    /// A TTL of more than 9,223,372,036 s.
    TtlOverflow {
        /// It lasts as long as it says.
        Keep,
        /// It wraps in 64 bits of nanoseconds; most become negative and end at once.
        Wrap,
    }
    /// How type codes and type strings are read.
    TypeRules {
        /// Lock takes a code, any string or neither. FetchAll takes a code or the string of a code.
        Documented,
        /// As from 2017 to 2024: without a code, the string must be `lock` or `presence`; if both are there, they must agree.
        Legacy,
        /// Lock and FetchAll need a code; the string is ignored.
        Upstream,
    }
}
