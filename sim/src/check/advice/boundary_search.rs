//! A boundary search: the smallest number for which a condition holds, one query at a time.

/// Finds the smallest number below an end for which a condition holds.
#[derive(Clone, Debug)]
pub(in crate::check) struct BoundarySearch {
    /// It holds for no smaller number.
    low: u64,
    /// It holds for this number, unless it is the end.
    high: u64,
    end: u64,
    /// How many numbers are skipped before the next query; always 0 if `may_skip` is false.
    skip: u64,
    may_skip: bool,
}

impl BoundarySearch {
    /// For a condition that holds for all numbers above the smallest: needs few queries.
    pub(in crate::check) const fn of_rising(end: u64) -> Self {
        Self { low: 0, high: end, end, skip: 0, may_skip: true }
    }

    /// For any condition: asks for one number after the other.
    pub(in crate::check) const fn of_any(end: u64) -> Self {
        Self { may_skip: false, ..Self::of_rising(end) }
    }

    /// The next number to ask for; `None` if the search is done.
    pub(in crate::check) const fn asked(&self) -> Option<u64> {
        if self.low == self.high {
            return None;
        }
        if self.high < self.end {
            return Some(self.low + (self.high - self.low) / 2);
        }
        let far = self.low + self.skip;
        Some(if far < self.end { far } else { self.end - 1 })
    }

    /// Takes the answer for [`Self::asked`].
    pub(in crate::check) const fn note(&mut self, holds: bool) {
        let Some(asked) = self.asked() else {
            return;
        };
        if holds {
            self.high = asked;
        } else {
            self.low = asked + 1;
            if self.may_skip {
                self.skip = self.skip * 2 + 1;
            }
        }
    }

    /// It is known to hold for no number below this one.
    pub(in crate::check) const fn none_below(&self) -> u64 {
        self.low
    }

    /// The smallest number for which it holds, once the search is done; `None` if it holds for
    /// none.
    pub(in crate::check) fn found(&self) -> Option<u64> {
        (self.low == self.high && self.high < self.end).then_some(self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result, and the number of queries.
    fn found(mut search: BoundarySearch, holds: impl Fn(u64) -> bool) -> (Option<u64>, u32) {
        let mut count = 0;
        while let Some(asked) = search.asked() {
            search.note(holds(asked));
            count += 1;
        }
        (search.found(), count)
    }

    #[test]
    fn the_least_number_is_found_wherever_it_is() {
        for end in 0..40 {
            for first in 0..=end {
                let expected = (first < end).then_some(first);
                for search in [BoundarySearch::of_rising(end), BoundarySearch::of_any(end)] {
                    let (least, _) = found(search, |number| number >= first);
                    assert_eq!(least, expected, "{first} of {end}");
                }
            }
        }
    }

    #[test]
    fn few_numbers_are_asked_where_all_above_hold_too() {
        let (_, asked) = found(BoundarySearch::of_rising(1_000), |number| number >= 700);
        assert!(asked < 22, "{asked}");
    }
}
