//! What all machines under exploration share: situations by number, and steps that are
//! computed once.
//!
//! A situation of a shipped machine is everything that matters for its future, relative to
//! now. Machines in the same situation do the same, so one of them stands for all, and what it
//! does with an input is asked of the shipped code once and then looked up. That makes the
//! search fast without a model beside the code: every step in the tables was taken by it.

/// A situation of one kind of machine, by number.
pub(super) type SituationId = u16;

/// The steps known from one situation, by the number of the input. A situation sees a handful
/// of different inputs: a list is the fastest table.
#[derive(Clone, Debug)]
pub(super) struct Steps<T>(Vec<(u32, T)>);

impl<T> Default for Steps<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy> Steps<T> {
    pub(super) fn get(&self, input: u32) -> Option<T> {
        let known = self.0.iter().find(|(known, _)| *known == input);
        known.map(|(_, step)| *step)
    }

    pub(super) fn insert(&mut self, input: u32, step: T) {
        self.0.push((input, step));
    }
}

/// A step that cannot be had: there are more situations than a number can name, or the step is
/// only looked up and nobody has computed it yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoStep;

/// The number of one more situation.
pub(super) fn next_id(known: usize) -> Result<SituationId, NoStep> {
    match SituationId::try_from(known) {
        Ok(id) if id < SituationId::MAX => Ok(id),
        _ => Err(NoStep),
    }
}
