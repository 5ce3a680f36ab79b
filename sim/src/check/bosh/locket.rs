//! The facts about the shipped Locket, by version of diego, which has it.

use super::version::BoshVersion;

/// The behaviour of Locket from one version of diego on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocketRow {
    /// The first version.
    pub since: BoshVersion,
    /// The day of that version.
    pub date: &'static str,
    /// Where this is written, as in [`BoshRow`](super::facts::BoshRow).
    pub source: &'static str,
    /// Whether it undoes the work of a call whose caller gave up; `None` if that is not known.
    pub cancels: Option<bool>,
    /// Whether the first version follows only from dates, as in
    /// [`BoshRow`](super::facts::BoshRow).
    pub is_assumed: bool,
}

static ROWS: [LocketRow; 3] = [
    row([1, 6, 2], "2017-02-06", "diego-release jobs/locket/spec 390d5ad", Some(true)),
    // It was published within a day of the change.
    row([2, 138, 0], "2026-06-03", DETACHED, None),
    LocketRow { is_assumed: true, ..row([2, 139, 0], "2026-06-30", DETACHED, Some(false)) },
];

/// Written on 2026-04-28, merged on 2026-06-02.
pub(super) const DETACHED: &str = "locket handlers/handler.go 1aa8a6e";

const fn row(
    [major, minor, patch]: [u32; 3],
    date: &'static str,
    source: &'static str,
    cancels: Option<bool>,
) -> LocketRow {
    LocketRow {
        since: BoshVersion::new(major, minor, patch),
        date,
        source,
        cancels,
        is_assumed: false,
    }
}

/// Locket in a version of diego.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoshLocket {
    /// The version; without one, the newest is assumed.
    pub version: Option<BoshVersion>,
    /// The row in force; `None` before Locket.
    pub row: Option<&'static LocketRow>,
}

impl BoshLocket {
    /// Locket in this version, or in the newest without one.
    #[inline]
    pub fn of(version: Option<BoshVersion>) -> Self {
        let is_in_force = |row: &&LocketRow| version.is_none_or(|it| row.since <= it);
        Self { version, row: ROWS.iter().rev().find(is_in_force) }
    }
}
