//! Component states by number, and steps that are computed once.
//!
//! The state of a shipped machine counts by all that matters for its future, relative to now.
//! Machines in equal states do the same, so one of them stands for all, and what it does with an
//! input is asked of the shipped code once and then looked up. That makes the search fast without
//! a model beside the code: every step in the tables was taken by it.

/// The state of one component, by number.
pub(in crate::check) type InternedId = u32;

/// The most states of a component, by the limit of the states of a search: one takes the memory of
/// some ten of these.
#[derive(Clone, Copy, Debug)]
pub(in crate::check) struct IdsMax(usize);

impl IdsMax {
    pub(in crate::check) const fn of(states_max: usize) -> Self {
        Self(states_max / 8 + FEW)
    }
}

/// So many take little memory.
const FEW: usize = 4096;

impl Default for IdsMax {
    /// Without a search.
    fn default() -> Self {
        Self(1 << 18)
    }
}

/// The steps known from one state, by input. A state sees a handful of different inputs: a list is
/// the fastest table.
#[derive(Clone, Debug)]
pub(in crate::check) struct Steps<I, T>(Vec<(I, T)>);

impl<I, T> Default for Steps<I, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<I: Eq, T: Copy> Steps<I, T> {
    pub(in crate::check) fn get(&self, input: I) -> Option<T> {
        let known = self.0.iter().find(|(known, _)| *known == input);
        known.map(|(_, step)| *step)
    }

    pub(in crate::check) fn insert(&mut self, input: I, step: T) {
        self.0.push((input, step));
    }
}

/// A step that cannot be had: there are more states than there is room for, or the step is only
/// looked up and it has not been computed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct NoStep;

/// The number of one more state.
pub(in crate::check) fn next_id(known: usize, max: IdsMax) -> Result<InternedId, NoStep> {
    match InternedId::try_from(known) {
        Ok(id) if known < max.0 => Ok(id),
        _ => Err(NoStep),
    }
}
