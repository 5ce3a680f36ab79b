//! Acts from outside, and their effects on nodes and links.

use super::machines::Machines;
use super::stepping::Stepping;
use crate::check::question::faults::Fault;
use crate::check::steps::back_end;
use crate::check::steps::clients::Input;
use crate::check::steps::interned::NoStep;
use crate::environment::happening::{Act, Node};
use crate::environment::rules::End;

impl<M: Machines> Stepping<'_, M> {
    pub(super) fn act(&mut self, act: Act) -> Result<(), NoStep> {
        if let Some(fault) = Fault::of(act) {
            self.use_up(fault);
        }
        match act {
            Act::Crash(Node::Client(client)) => self.end_life(client, Input::Crash)?,
            Act::Crash(Node::Database) => self.crash_database()?,
            Act::Crash(Node::Locket(process)) => {
                self.end_process(process, End::Crash)?;
                self.detach(process)?;
            }
            Act::Cut { .. } | Act::Pause(_) | Act::Suspend(_) => self.state.begin(act),
            Act::DeleteRow => self.ask_back_end(back_end::Input::DeleteRow)?,
            Act::Disconnect(client) => self.disconnect(client)?,
            // Clients learn at once that they have to connect elsewhere for their next call.
            Act::Drain(process) => {
                self.begin_drain_among_others(process);
                self.ask_back_end(back_end::Input::Drain(process))?;
            }
            Act::FailOver => {
                let commits = self.explorer.question.bounds.faults[Fault::Failover].lost_commits;
                self.ask_back_end(back_end::Input::FailOver(commits))?;
            }
            Act::Heal { client, process } => self.state.heal(client, process),
            Act::Stall => self.stall()?,
            Act::Start(Node::Client(client)) => self.end_life(client, Input::Start)?,
            Act::Start(node) => self.start(node)?,
            Act::Store { client, .. } => self.explorer.give_token(self.state, client),
            Act::Stop(client) => self.input(client, Input::Signal)?,
        }
        Ok(())
    }

    /// A client crashes or starts, which ends its pause.
    fn end_life(&mut self, client: u8, input: Input) -> Result<(), NoStep> {
        self.state.wake(Node::Client(client));
        self.input(client, input)
    }

    /// The database or a Locket process starts. It may crash again at this very instant, and be down
    /// for as long once more.
    fn start(&mut self, node: Node) -> Result<(), NoStep> {
        debug_assert!(self.state.has(Act::Crash(node)), "only a node that is down starts");
        self.state.end(|what| what == Act::Crash(node));
        match node {
            Node::Locket(process) => self.ask_back_end(back_end::Input::Start(process)),
            Node::Database => self.ask_back_end(back_end::Input::StartDatabase),
            Node::Client(_) => Ok(()),
        }
    }
}
