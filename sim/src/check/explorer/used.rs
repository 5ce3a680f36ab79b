//! How often each fault has happened.

use crate::check::question::faults::{FAULTS, Fault};
use crate::check::question::limits::FAULT_COUNT_MAX;

/// A count for each fault, four bits each, so that it is copied and counted in a few instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::check) struct Used(u128);

/// How many words it takes.
pub(super) const USED_WORDS: usize = FAULTS.div_ceil(8);
const _: () = assert!(FAULT_COUNT_MAX == 0xf && USED_WORDS <= 4);

impl Used {
    pub(in crate::check) const fn of(self, fault: Fault) -> u8 {
        (self.0 >> (4 * fault as u32)) as u8 & FAULT_COUNT_MAX
    }

    pub(in crate::check) fn set(&mut self, fault: Fault, count: u8) {
        debug_assert!(count <= FAULT_COUNT_MAX, "a count fits in its bits");
        let place = 4 * fault as u32;
        self.0 = self.0 & !(u128::from(FAULT_COUNT_MAX) << place) | u128::from(count) << place;
    }

    /// How many faults have happened.
    pub(in crate::check) fn total(self) -> u32 {
        const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        const ONES: u64 = 0x0101_0101_0101_0101;
        let sum = |half: u64| ((half & LOW) + (half >> 4 & LOW)).wrapping_mul(ONES) >> 56;
        (sum(self.0 as u64) + sum((self.0 >> 64) as u64)) as u32
    }

    pub(super) fn words(self) -> [u32; USED_WORDS] {
        std::array::from_fn(|word| (self.0 >> (32 * word)) as u32)
    }

    /// Reads them.
    pub(super) fn from_words(words: [u32; USED_WORDS]) -> Self {
        let words = words.into_iter().rev();
        Self(words.fold(0, |all, word| all << 32 | u128::from(word)))
    }

    /// Which of the words are not 0 once each of these faults has happened.
    pub(super) fn words_of(faults: impl Iterator<Item = Fault>) -> [bool; USED_WORDS] {
        let mut used = Self::default();
        faults.for_each(|it| used.set(it, FAULT_COUNT_MAX));
        used.words().map(|word| word != 0)
    }
}
