//! Where the steps of machines come from: computed by their own code and noted, or only looked
//! up by those who share what is known.

use std::ops::Deref;

use super::{Model, Sent};
use crate::check::lockets::{LocketInput, LocketStep};
use crate::check::machine::{NoStep, SituationId};
use crate::check::runners::{RunnerInput, RunnerStep};
use crate::protocol::error::LockError;
use crate::protocol::message::Response;

/// A model, and the steps of its machines. An exclusive model computes what is not known yet; a
/// shared one says [`NoStep`] then.
pub(in crate::check) trait Machines: Deref<Target = Model> {
    fn runner_step(
        &mut self,
        client: usize,
        mind: SituationId,
        input: RunnerInput,
    ) -> Result<RunnerStep, NoStep>;

    fn locket_step(&mut self, id: SituationId, input: LocketInput) -> Result<LocketStep, NoStep>;

    /// The number that an answer has as a reply to clients.
    fn reply(&mut self, answer: &Result<Response, LockError>) -> Result<u8, NoStep>;

    /// A name for a message that is sent now.
    fn new_name(&mut self) -> u32;

    fn log(&mut self, sent: Sent);
}

impl Machines for &mut Model {
    fn runner_step(
        &mut self,
        client: usize,
        mind: SituationId,
        input: RunnerInput,
    ) -> Result<RunnerStep, NoStep> {
        let kind = self.kinds[client];
        self.runners[kind].step(mind, input)
    }

    fn locket_step(&mut self, id: SituationId, input: LocketInput) -> Result<LocketStep, NoStep> {
        self.lockets.step(id, input)
    }

    fn reply(&mut self, answer: &Result<Response, LockError>) -> Result<u8, NoStep> {
        let numbers = self.runners.iter_mut().map(|kind| kind.reply(answer));
        Ok(numbers.last().unwrap_or_default())
    }

    fn new_name(&mut self) -> u32 {
        let name = self.named;
        self.named = name.wrapping_add(1);
        name
    }

    fn log(&mut self, sent: Sent) {
        if let Some(log) = &mut self.log {
            log.push(sent);
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Machines for &Model {
    fn runner_step(
        &mut self,
        client: usize,
        mind: SituationId,
        input: RunnerInput,
    ) -> Result<RunnerStep, NoStep> {
        let kind = &self.runners[self.kinds[client]];
        kind.known_step(mind, input).ok_or(NoStep)
    }

    fn locket_step(&mut self, id: SituationId, input: LocketInput) -> Result<LocketStep, NoStep> {
        self.lockets.known_step(id, input).ok_or(NoStep)
    }

    fn reply(&mut self, answer: &Result<Response, LockError>) -> Result<u8, NoStep> {
        // Numbers of replies mean the same for all kinds.
        self.runners[0].known_reply(answer).ok_or(NoStep)
    }

    fn new_name(&mut self) -> u32 {
        0
    }

    fn log(&mut self, _: Sent) {}
}
