//! Links between clients and processes: cuts, and how a client notices a dead connection.

use super::{Cut, Rules, What, World};

impl World {
    /// All cuts that can begin.
    pub(super) fn cuts_of(&self, rules: &Rules, mut each: impl FnMut(Cut)) {
        for client in 0..self.clients.len() {
            for process in 0..rules.processes {
                let is_link = |it: &Cut| (it.client, it.process) == (client, process);
                if self.cuts.iter().any(is_link) {
                    continue;
                }
                for (to_locket, from_locket) in [(true, true), (true, false), (false, true)] {
                    each(Cut { client, process, to_locket, from_locket, age: 0 });
                }
            }
        }
    }

    /// True if what is sent is lost.
    pub(super) fn is_cut(&self, client: usize, process: usize, what: What) -> bool {
        self.cuts.iter().any(|it| {
            let blocks = match what {
                What::Request(_) => it.to_locket,
                What::Reply(_) => it.from_locket,
                What::NoConnection => false,
            };
            blocks && (it.client, it.process) == (client, process)
        })
    }

    /// A connection breaks: what is on its way over it is lost, and the client learns that its call
    /// has failed. A call that waits for a process goes on waiting.
    pub(super) fn disconnect(&mut self, client: usize, rules: &Rules) {
        let waits = self.clients[client].waits.take();
        self.forget_call(client, false, rules);
        self.messages.retain(|it| it.client != client);
        let it = &mut self.clients[client];
        it.connection = None;
        it.unanswered_for = None;
        it.waits = waits;
        if it.runner.is_calling() && waits.is_none() {
            self.send(client, 0, What::NoConnection);
        }
    }

    /// A client gets an answer of a process: a sign of life of its connection.
    pub(super) fn notice(&mut self, client: usize, process: usize, still_waits: bool) {
        let it = &mut self.clients[client];
        if it.connection == Some(process) {
            it.unanswered_for = it.unanswered_for.filter(|_| still_waits).map(|_| 0);
            it.avoids = None;
        }
    }

    /// A process answers pings if it runs and both directions pass.
    pub(super) fn ping(&mut self, client: usize) {
        let Some(process) = self.clients[client].connection else {
            return;
        };
        let is_link = |it: &Cut| (it.client, it.process) == (client, process);
        let is_answered = !self.locket.is_paused(process) && !self.cuts.iter().any(is_link);
        let it = &mut self.clients[client];
        let waits = it.runner.is_calling();
        if is_answered {
            it.unanswered_for = waits.then_some(0);
            return;
        }
        it.unanswered_for = None;
        it.connection = None;
        it.avoids = Some(process);
        if waits {
            self.send(client, 0, What::NoConnection);
        }
    }
}
