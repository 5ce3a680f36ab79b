//! Where the steps of machines come from: computed by their own code and noted, or only looked
//! up by those who share what is known.

use std::ops::Deref;

use super::{Explorer, Sent};
use crate::check::steps::back_end::{self, BackEndStep};
use crate::check::steps::clients::{self, Accepting, ClientStep};
use crate::check::steps::interned::{InternedId, NoStep};

/// An explorer, and the steps of its machines. An exclusive one computes what is not known yet; a
/// shared one says [`NoStep`] then.
pub(in crate::check) trait Machines: Deref<Target = Explorer> {
    /// The effect of an input on a client, while these processes accept connections.
    fn client_step(
        &mut self,
        client: usize,
        id: InternedId,
        input: clients::Input,
        accepting: Accepting,
    ) -> Result<ClientStep, NoStep>;

    fn back_end_step(
        &mut self,
        id: InternedId,
        input: back_end::Input,
    ) -> Result<BackEndStep, NoStep>;

    /// A name for a message that is sent now.
    fn new_name(&mut self) -> u32;

    fn log(&mut self, sent: Sent);
}

impl Machines for &mut Explorer {
    fn client_step(
        &mut self,
        client: usize,
        id: InternedId,
        input: clients::Input,
        accepting: Accepting,
    ) -> Result<ClientStep, NoStep> {
        let kind = self.kinds[client];
        let Explorer { clients_of_kind, replies, .. } = &mut **self;
        clients_of_kind[kind].step(id, input, accepting, replies)
    }

    fn back_end_step(
        &mut self,
        id: InternedId,
        input: back_end::Input,
    ) -> Result<BackEndStep, NoStep> {
        let Explorer { back_ends, replies, .. } = &mut **self;
        back_ends.step(id, input, replies)
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
impl Machines for &Explorer {
    fn client_step(
        &mut self,
        client: usize,
        id: InternedId,
        input: clients::Input,
        accepting: Accepting,
    ) -> Result<ClientStep, NoStep> {
        let clients = &self.clients_of_kind[self.kinds[client]];
        clients.known_step(id, input, accepting).ok_or(NoStep)
    }

    fn back_end_step(
        &mut self,
        id: InternedId,
        input: back_end::Input,
    ) -> Result<BackEndStep, NoStep> {
        self.back_ends.known_step(id, input).ok_or(NoStep)
    }

    fn new_name(&mut self) -> u32 {
        0
    }

    fn log(&mut self, _: Sent) {}
}
