//! Partitions: the link between a client and a process passes nothing for a while, in one
//! direction or in both. Neither end notices it at once; a client's pings fail in the end.

use super::Explorer;
use super::machines::Machines;
use super::moves::Move;
use super::state::{Body, Cut, Message, State};
use super::stepping::Stepping;
use crate::check::question::bounds::Fault;
use crate::environment::happening::{Act, Ways};

impl Explorer {
    /// The cuts that may begin or end now.
    pub(super) fn partition_moves(&self, state: &State, choices: &mut Vec<Move>) {
        // A cut of no time changes no order that is not tried anyway.
        let cuts = state.cuts.iter().filter(|cut| cut.age > 0);
        choices.extend(cuts.map(
            |&Cut {
                 client, process, ..
             }| { Move::Act(Act::Heal { client, process }) },
        ));
        if !self.left(state, Fault::Partition) || self.partition == 0 {
            return;
        }
        for client in 0..self.clients() as u8 {
            for process in 0..self.question.processes as u8 {
                let is_link = |cut: &Cut| cut.client == client && cut.process == process;
                let is_cut = state.cuts.iter().any(is_link);
                if !is_cut && self.may_carry(state, client, process) {
                    let cut = |ways| Act::Cut {
                        client,
                        process,
                        ways,
                    };
                    choices.extend(Ways::ALL.map(|ways| Move::Act(cut(ways))));
                }
            }
        }
    }

    /// Whether a message may be sent over a link at this instant, or a ping. A cut that begins
    /// earlier can do no more: until then nothing is lost, and less of it is left.
    fn may_carry(&self, state: &State, client: u8, process: u8) -> bool {
        let index = usize::from(client);
        let it = state.clients[index];
        let facts = self.facts(index, it.id);
        let reaches = |message: &Message| {
            message.client == client
                && match message.body {
                    Body::Request(_) | Body::Orphaned | Body::Held(_) => message.process == process,
                    Body::FailedLocally | Body::Reply(_) => true,
                }
        };
        facts.is_new
            || facts.call_waits
            || facts.due_ms == Some(0)
            || facts.ping_ms == Some(0)
            || state.messages.iter().any(reaches)
            || self.left(state, Fault::Restart)
            || self.left(state, Fault::Stop)
            || self.left(state, Fault::LocketCrash)
            || self.left(state, Fault::LocketDrain)
    }

    /// Whether a client waits for the answer to its ping, and the time is up.
    pub(super) fn ping_is_due(&self, client: usize, state: &State) -> bool {
        let it = state.clients[client];
        it.paused_for.is_none() && self.facts(client, it.id).ping_ms == Some(0)
    }
}

impl State {
    /// Whether what is sent over a link is lost.
    pub(super) fn is_cut(&self, client: u8, process: u8, is_reply: bool) -> bool {
        self.cuts.iter().any(|cut| {
            let passes = match cut.ways {
                Ways::Both => false,
                Ways::FromLocket => !is_reply,
                Ways::ToLocket => is_reply,
            };
            cut.client == client && cut.process == process && !passes
        })
    }
}

impl<M: Machines> Stepping<'_, M> {
    pub(super) fn cut(&mut self, client: u8, process: u8, ways: Ways) {
        let is_link = |cut: &Cut| cut.client == client && cut.process == process;
        debug_assert!(
            !self.state.cuts.iter().any(is_link),
            "a link that is cut is not cut again"
        );
        self.state.cuts.push(Cut {
            client,
            process,
            ways,
            age: 0,
        });
    }

    pub(super) fn heal(&mut self, client: u8, process: u8) {
        let cuts = &mut self.state.cuts;
        cuts.retain(|cut| (cut.client, cut.process) != (client, process));
    }
}
