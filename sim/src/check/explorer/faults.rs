//! Acts from outside, and their effects on clients and Locket processes.

use super::database::runs;
use super::machines::Machines;
use super::state::Process;
use super::stepping::Stepping;
use crate::check::question::bounds::Fault;
use crate::check::steps::back_end;
use crate::check::steps::clients::Input;
use crate::check::steps::interned::NoStep;
use crate::environment::happening::{Act, Node};
use crate::environment::nodes::{End, Nodes as _};

/// The fault that it is, unless it ends one.
const fn fault_of(act: Act) -> Option<Fault> {
    Some(match act {
        Act::Crash(Node::Client(_)) => Fault::Crash,
        Act::Crash(Node::Locket(_)) => Fault::LocketCrash,
        Act::Cut { .. } => Fault::Partition,
        Act::DeleteRow(_) => Fault::RowDeletion,
        Act::Disconnect(_) => Fault::Disconnect,
        Act::Drain(_) => Fault::LocketDrain,
        Act::FailOver => Fault::Failover,
        Act::Heal { .. } | Act::Start(Node::Locket(_)) => return None,
        Act::Pause(Node::Client(_)) => Fault::Pause,
        Act::Pause(Node::Locket(_)) => Fault::LocketPause,
        Act::Stall => Fault::Stall,
        Act::Start(Node::Client(_)) => Fault::Restart,
        Act::Stop(_) => Fault::Stop,
    })
}

impl<M: Machines> Stepping<'_, M> {
    pub(super) fn act(&mut self, act: Act) -> Result<(), NoStep> {
        if let Some(fault) = fault_of(act) {
            self.use_up(fault);
        }
        match act {
            Act::Crash(Node::Client(client)) => self.end_life(client, Input::Crash)?,
            Act::Crash(Node::Locket(process)) => {
                self.end_process(process.into(), End::Crash, ())?
            }
            Act::Cut {
                client,
                process,
                ways,
            } => self.cut(client, process, ways),
            Act::DeleteRow(key) => self.ask_back_end(back_end::Input::DeleteRow(key))?,
            Act::Disconnect(client) => self.disconnect(client.into())?,
            // Clients learn at once that they have to connect elsewhere for their next call.
            Act::Drain(process) => self.ask_back_end(back_end::Input::Drain(process))?,
            Act::FailOver => {
                let commits = self.explorer.question.bounds.lost_commits;
                self.ask_back_end(back_end::Input::FailOver(commits))?;
            }
            Act::Heal { client, process } => self.heal(client, process),
            Act::Pause(node) => self.pause(node),
            Act::Stall => self.stall(),
            Act::Start(Node::Client(client)) => self.end_life(client, Input::Start)?,
            Act::Start(Node::Locket(process)) => self.start_locket(process)?,
            Act::Stop(client) => self.input(client, Input::Signal)?,
        }
        Ok(())
    }

    fn pause(&mut self, node: Node) {
        match node {
            Node::Client(client) => {
                let paused_for = &mut self.state.clients[usize::from(client)].paused_for;
                debug_assert_eq!(*paused_for, None, "a paused client is not paused again");
                *paused_for = Some(0);
            }
            Node::Locket(process) => {
                debug_assert!(
                    runs(self.state, process),
                    "a paused process is not paused again"
                );
                self.state.processes[usize::from(process)] = Process::Paused(0);
            }
        }
    }

    /// A node goes on.
    pub(super) fn wake(&mut self, node: Node) {
        match node {
            Node::Client(client) => self.state.clients[usize::from(client)].paused_for = None,
            Node::Locket(process) => {
                self.state.processes[usize::from(process)] = Process::Runs;
            }
        }
    }

    /// A client crashes or starts, which ends its pause.
    fn end_life(&mut self, client: u8, input: Input) -> Result<(), NoStep> {
        self.state.clients[usize::from(client)].paused_for = None;
        self.input(client, input)
    }

    /// It may crash again at this very instant, and be down for as long once more.
    fn start_locket(&mut self, process: u8) -> Result<(), NoStep> {
        debug_assert!(
            matches!(self.state.processes[usize::from(process)], Process::Down(_)),
            "only a process that is down starts"
        );
        self.ask_back_end(back_end::Input::Start(process))?;
        self.state.processes[usize::from(process)] = Process::Runs;
        Ok(())
    }
}
