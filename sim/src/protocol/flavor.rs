//! The database under Locket: when two texts are one text to it, and its error texts.
//!
//! The rules of MySQL were observed on MariaDB 10.11. Its default collation was
//! `utf8mb4_general_ci`: each character weighs what its capital without accents weighs, all
//! characters beyond the basic plane weigh the same, and spaces at the end weigh nothing. Of the
//! accents, those of Latin letters up to U+017F are known here; other letters are compared
//! without regard to case only.

use std::cmp::Ordering;
use std::hash::{BuildHasher as _, Hash as _, Hasher as _};

use rustc_hash::FxBuildHasher;
use serde::Serialize;

use super::error::LockError;
use crate::by_name::read_by_name;

/// The kind of database, by the name that Locket has for it in its errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum Flavor {
    /// MySQL or MariaDB: `bbs`, `BBS` and `bbs ` are one key, and so are `e` and `é`.
    Mysql,
    /// PostgreSQL: a text is equal to itself only.
    Postgres,
}

read_by_name!(Flavor: Mysql Postgres);

impl Flavor {
    /// True if the database takes two texts for one. Owners are compared by Locket, not by it.
    pub fn is_same(self, a: &str, b: &str) -> bool {
        match self {
            Self::Mysql => a == b || Self::compare_on_mysql(a, b).is_eq(),
            Self::Postgres => a == b,
        }
    }

    /// In which order MySQL has two texts in a key. The shorter one counts as if it went on with
    /// spaces.
    #[inline(never)]
    pub(super) fn compare_on_mysql(a: &str, b: &str) -> Ordering {
        let (mut a, mut b) = (weights(a), weights(b));
        loop {
            let (left, right) = (a.next(), b.next());
            if left.is_none() && right.is_none() {
                return Ordering::Equal;
            }
            let order = left.unwrap_or(' ').cmp(&right.unwrap_or(' '));
            if order.is_ne() {
                return order;
            }
        }
    }

    /// Equal for texts that are one.
    pub(super) fn hash_text(self, text: &str) -> u64 {
        match self {
            Self::Mysql => hash_weights(text),
            Self::Postgres => FxBuildHasher.hash_one(text),
        }
    }

    /// True if the database refuses even to look for a text.
    pub(super) fn cannot_look_for(self, text: &str) -> bool {
        self == Self::Postgres && text.as_bytes().contains(&0)
    }

    /// True if the database cannot store a text. Bytes that are no UTF-8 are recognized
    /// here as a text of NUL bytes only, which MySQL otherwise takes.
    pub(super) fn cannot_store(self, text: &str) -> bool {
        match self {
            Self::Mysql => !text.is_empty() && text.bytes().all(|byte| byte == 0),
            Self::Postgres => self.cannot_look_for(text),
        }
    }
}

/// The message. The codes of MySQL are those of its manual; only lengths were observed there.
impl Flavor {
    /// A text cannot be stored as it is.
    pub(super) const fn ill_formed(self) -> LockError {
        LockError::database(match self {
            Self::Mysql => "sql-unknown, error code: 1366, flavor: mysql",
            Self::Postgres => "sql-unknown, error code: 22021, flavor: postgres",
        })
    }

    /// A column that takes no NULL was to become one.
    pub(super) const fn not_null(self) -> LockError {
        LockError::database(match self {
            Self::Mysql => "sql-unknown, error code: 1048, flavor: mysql",
            Self::Postgres => "sql-unknown, error code: 23502, flavor: postgres",
        })
    }

    /// Another transaction has inserted the key first. On MySQL that is a deadlock, which Locket
    /// tries again after 500 ms, to find the lock taken (B58).
    pub(crate) const fn lost_insert(self) -> LockError {
        match self {
            Self::Mysql => LockError::LockCollision,
            Self::Postgres => LockError::database("sql-resource-exists"),
        }
    }

    /// No process listens at the database's address.
    pub(crate) const fn unreachable(self) -> LockError {
        LockError::database(match self {
            Self::Mysql => "dial tcp 127.0.0.1:3306: connect: connection refused",
            Self::Postgres => {
                "failed to connect to `user=locket database=locket`: 127.0.0.1:5432 (127.0.0.1): \
                 dial error: dial tcp 127.0.0.1:5432: connect: connection refused"
            }
        })
    }
}

#[inline(never)]
fn hash_weights(text: &str) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    weights(text).for_each(|weight| weight.hash(&mut hasher));
    hasher.finish()
}

fn weights(text: &str) -> impl Iterator<Item = char> {
    text.trim_end_matches(' ').chars().map(weight)
}

fn weight(character: char) -> char {
    match character {
        '\u{10000}'.. => char::REPLACEMENT_CHARACTER,
        'À'..='ſ' => without_accent(character).unwrap_or_else(|| capital(character)),
        _ => capital(character),
    }
}

fn capital(character: char) -> char {
    let mut capitals = character.to_uppercase();
    match (capitals.next(), capitals.next()) {
        (Some(capital), None) => capital,
        _ => character,
    }
}

/// The capital that a Latin letter with an accent is to the collation.
const fn without_accent(character: char) -> Option<char> {
    Some(match character {
        'À'..='Å' | 'à'..='å' | 'Ā'..='ą' => 'A',
        'Ç' | 'ç' | 'Ć'..='č' => 'C',
        'Ď' | 'ď' => 'D',
        'È'..='Ë' | 'è'..='ë' | 'Ē'..='ě' => 'E',
        'Ĝ'..='ģ' => 'G',
        'Ĥ' | 'ĥ' => 'H',
        'Ì'..='Ï' | 'ì'..='ï' | 'Ĩ'..='ı' => 'I',
        'Ĵ' | 'ĵ' => 'J',
        'Ķ' | 'ķ' => 'K',
        'Ĺ'..='ľ' => 'L',
        'Ñ' | 'ñ' | 'Ń'..='ň' => 'N',
        'Ò'..='Ö' | 'ò'..='ö' | 'Ō'..='ő' => 'O',
        'Ŕ'..='ř' => 'R',
        'ß' | 'Ś'..='š' | 'ſ' => 'S',
        'Ţ'..='ť' => 'T',
        'Ù'..='Ü' | 'ù'..='ü' | 'Ũ'..='ų' => 'U',
        'Ŵ' | 'ŵ' => 'W',
        'Ý' | 'ý' | 'ÿ' | 'Ŷ'..='Ÿ' => 'Y',
        'Ź'..='ž' => 'Z',
        _ => return None,
    })
}
