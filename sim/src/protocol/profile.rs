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

        /// A profile as an object: a preset and what to change in it.
        #[derive(DeriveDeserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct Changes {
            #[serde(default)]
            extends: Preset,
            $( $field: Option<$type>, )*
        }

        impl From<Changes> for Profile {
            fn from(changes: Changes) -> Self {
                let preset = Self::from(changes.extends);
                let base = changes.database.map_or(preset, |flavor| preset.on(flavor));
                Self { $( $field: changes.$field.unwrap_or(base.$field), )* }
            }
        }
    };
}

switches! {
    /// B36, B37, B58: what the database under Locket takes for one text, and its error texts. With
    /// `mysql`, FetchAll's list is by key unless its own switch says otherwise.
    database: Flavor = Flavor::Postgres, Flavor::Postgres;
    /// D10: what Release by a real owner does to a row whose owner is empty.
    empty_owner_release: EmptyOwnerRelease = EmptyOwnerRelease::Missing, EmptyOwnerRelease::Collision;
    /// D19: when a row whose TTL has ended goes.
    expiry: ExpiryRule = ExpiryRule::Exact, ExpiryRule::UpstreamTimers;
    /// D24: the order of FetchAll's list, which the documents leave open.
    fetch_all_order: FetchAllOrder = FetchAllOrder::Insertion, FetchAllOrder::LastWrite;
    /// D5, D6: how Lock ranks the invalid-type error that its documented list does not name.
    invalid_type_error: InvalidTypeError = InvalidTypeError::Undocumented, InvalidTypeError::Upstream;
    /// D7: the gRPC code of the invalid-type error.
    invalid_type_status: InvalidTypeStatus = InvalidTypeStatus::NotFound, InvalidTypeStatus::NotFound;
    /// D8: whether an empty key is refused (`invalid-key`).
    key_required: bool = true, false;
    /// D11: what a Lock or Release without a resource does.
    nil_resource: NilResource = NilResource::Invalid, NilResource::Crash;
    /// The answer to Release of a key without a row.
    release_missing: ReleaseMissing = ReleaseMissing::NotFound, ReleaseMissing::Ok;
    /// D9: whether Release with an empty owner is refused (`invalid-owner`).
    release_owner_required: bool = true, false;
    /// D12, D13: column order and nullability of the `locks` table.
    schema: Schema = Schema::Documented, Schema::Upstream;
    /// D20: what happens to a TTL beyond the range of upstream's timers.
    ttl_overflow: TtlOverflow = TtlOverflow::Keep, TtlOverflow::Wrap;
    /// D2, D3, D4: how type codes and type strings are read.
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
        Self {
            database,
            fetch_all_order,
            ..self
        }
    }
}

/// The named profiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, DeriveDeserialize)]
#[serde(rename_all = "kebab-case")]
enum Preset {
    #[default]
    Documented,
    Upstream,
}

impl From<Preset> for Profile {
    fn from(preset: Preset) -> Self {
        match preset {
            Preset::Documented => Self::DOCUMENTED,
            Preset::Upstream => Self::UPSTREAM,
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
        Changes::deserialize(MapAccessDeserializer::new(map)).map(Profile::from)
    }
}

/// Declares a switch's values with their spelling in JSON.
macro_rules! values {
    ($( $(#[$doc:meta])* $name:ident { $( $(#[$value_doc:meta])* $value:ident, )* } )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, DeriveDeserialize, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $( $(#[$value_doc])* $value, )* }
    )*};
}

values! {
    /// Release by a real owner of a row whose owner is empty.
    EmptyOwnerRelease {
        /// lock-collision, although Fetch calls the row missing and Lock calls it free (B49).
        Collision,
        /// The row counts as missing here too.
        Missing,
    }
    /// When a row whose TTL has ended goes.
    ExpiryRule {
        /// The moment its TTL ends.
        Exact,
        /// When a timer of a running process fires; a restart grants a full TTL again (B57…B81).
        UpstreamTimers,
    }
    /// The order of FetchAll's list.
    FetchAllOrder {
        /// As the keys were first taken.
        Insertion,
        /// By key, as the primary key of MySQL gives it.
        Key,
        /// Last written last, as PostgreSQL's heap gives it.
        LastWrite,
        /// Another order after every write, to find code that relies on one.
        Shuffled,
    }
    /// How Lock ranks an invalid type among its errors.
    InvalidTypeError {
        /// Checked after the documented errors, TTL and owner.
        Undocumented,
        /// Checked before everything else (B14).
        Upstream,
    }
    /// The gRPC code of the invalid-type error.
    InvalidTypeStatus {
        /// 3, as for other wrong arguments.
        InvalidArgument,
        /// 5, the same as for a missing resource (B11).
        NotFound,
    }
    /// A Lock or Release without a resource.
    NilResource {
        /// Kills the server process that receives it (B18).
        Crash,
        /// Refused with InvalidArgument `invalid-resource`.
        Invalid,
    }
    /// Release of a key without a row.
    ReleaseMissing {
        /// NotFound `resource-not-found`, the documents' web copy.
        NotFound,
        /// Success (B48).
        Ok,
        /// Unknown `sql-resource-not-found`, upstream before 2019.
        SqlNotFound,
    }
    /// The `locks` table.
    Schema {
        /// path, owner, value, type, ttl, modified_id, modified_index; no NULLs.
        Documented,
        /// path, owner, value, type, modified_index, modified_id, ttl; all but path nullable (B34).
        Upstream,
    }
    /// A TTL of more than 9,223,372,036 s.
    TtlOverflow {
        /// Lasts as long as it says.
        Keep,
        /// Multiplied to nanoseconds in 64 bits, so that most become negative and end at once
        /// (B74).
        Wrap,
    }
    /// How type codes and type strings are read.
    TypeRules {
        /// Lock takes a code, any string or neither; FetchAll a code or the string of one.
        Documented,
        /// 2017 to 2024: no code needs the string `lock` or `presence`; both must agree.
        Legacy,
        /// Lock and FetchAll need a code; the string is ignored (B14, B16, B21).
        Upstream,
    }
}
