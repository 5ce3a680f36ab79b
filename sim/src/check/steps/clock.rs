//! The clock of a client, and the units of time of a question.

/// How a clock runs, and the length of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Clock {
    pub(in crate::check) unit_ms: u64,
    /// By how many millionths it runs faster than time.
    pub(in crate::check) rate_ppm: i32,
}

/// So many units are never over.
pub(in crate::check) const NEVER: u32 = u32::MAX;

/// The units until the first time that is still to come, of some times in milliseconds from now.
pub(in crate::check) fn units_to_next(ms: impl Iterator<Item = u64>, unit_ms: u64) -> u32 {
    let next = ms.filter(|ms| *ms > 0).min();
    next.map_or(NEVER, |ms| units(ms, unit_ms))
}

/// The units within which milliseconds are over.
pub(in crate::check) fn units(ms: u64, unit_ms: u64) -> u32 {
    u32::try_from(ms.div_ceil(unit_ms)).unwrap_or(NEVER - 1)
}

impl Clock {
    /// The milliseconds until the clock has advanced by this many.
    pub(in crate::check) fn ms_until(self, local: u64) -> u64 {
        match self.rate_ppm {
            0 => local,
            _ => (local * 1_000_000).div_ceil(self.rate()),
        }
    }

    /// By how many milliseconds the clock advances in some units.
    pub(in crate::check) fn local_ms(self, units: u16) -> u32 {
        let ms = u64::from(units) * self.unit_ms;
        u32::try_from(ms * self.rate() / 1_000_000).unwrap_or(u32::MAX)
    }

    fn rate(self) -> u64 {
        1_000_000_u64.saturating_add_signed(self.rate_ppm.into())
    }
}
