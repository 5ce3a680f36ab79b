//! Component states by number, and steps that are computed once.
//!
//! The state of a shipped machine counts by all that matters for its future, relative to now.
//! Machines in equal states do the same, so one of them stands for all, and what it does with an
//! input is asked of the shipped code once and then looked up. That makes the search fast without
//! a model beside the code: every step in the tables was taken by it.

/// The state of one component, by number.
pub(in crate::check) type InternedId = u32;

/// The most states of one component: a bound on their memory.
const IDS_MAX: usize = 1 << 18;

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

/// A step that cannot be had: there are more states than a number can name, or the step is only
/// looked up and it has not been computed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct NoStep;

/// The number of one more state.
pub(in crate::check) fn next_id(known: usize) -> Result<InternedId, NoStep> {
    match InternedId::try_from(known) {
        Ok(id) if known < IDS_MAX => Ok(id),
        _ => Err(NoStep),
    }
}
