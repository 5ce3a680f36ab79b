//! The rules between nodes: who learns of the end of a process, what a drain waits for, what a
//! broken connection ends, and which pings are answered.
//!
//! A world and a search keep nodes and messages each in a way of its own, and lend them to these
//! rules. The rules within a node are its machine's.

use super::happening::Ways;
use crate::node::connection::Route;

/// How a process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Crash,
    /// In order, once a drain is over.
    Stop,
}

/// Clients, Locket processes and what is on its way between them.
pub(crate) trait Nodes {
    /// A call of a client that has left, or was refused a connection.
    type Call: Copy;
    /// All such calls of a client that it waits for, the oldest first.
    type Calls: IntoIterator<Item = Self::Call>;
    /// The event that is the cause of others, where events are recorded.
    type Cause: Copy;
    /// Why a rule cannot be followed to its end.
    type Problem;

    fn clients(&self) -> usize;

    /// The process that a client believes it is connected to.
    fn route(&self, client: usize) -> Option<Route>;

    fn calls_sent(&self, client: usize) -> Self::Calls;

    /// Whether a reply to a call is on its way to its client.
    fn is_answered(&self, client: usize, call: Self::Call) -> bool;

    /// The life in which a process accepts connections.
    fn accepting(&self, process: usize) -> Option<u32>;

    /// The life in which a process finishes its calls and accepts no connection.
    fn draining(&self, process: usize) -> Option<u32>;

    /// Whether a process in this life serves a call, or one is on its way to it.
    fn has_calls(&self, process: usize, life: u32) -> bool;

    /// Whether a process is up and not paused.
    fn runs(&self, process: usize) -> bool;

    /// Whether what a client and a process send each other now passes in these directions.
    fn passes(&self, client: usize, process: usize, ways: Ways) -> bool;

    /// The cause of what a process does by itself.
    fn cause_at(&self, process: usize) -> Self::Cause;

    /// Ends a process alone: its state, its timers, and the calls that it serves.
    fn end(
        &mut self,
        process: usize,
        how: End,
        cause: Self::Cause,
    ) -> Result<Self::Cause, Self::Problem>;

    /// The machine of a process tells a client that its call has failed.
    fn refuse(&mut self, client: usize, call: Self::Call, process: usize, cause: Self::Cause);

    /// A client's connection ends on both sides, with what is on its way over it.
    fn break_connection(&mut self, client: usize, route: Route) -> Result<(), Self::Problem>;

    /// A client finds out whether its ping is answered.
    fn tell_of_ping(&mut self, client: usize, is_answered: bool) -> Result<(), Self::Problem>;

    /// A process ends, and with it its connections: each client that waits for an answer learns
    /// that its call has failed. When a process stops in order, replies on their way arrive before
    /// that.
    #[inline(never)] // In a search, a copy at each end of a process would make its module larger.
    fn end_process(
        &mut self,
        process: usize,
        how: End,
        cause: Self::Cause,
    ) -> Result<(), Self::Problem> {
        let life = self.accepting(process).or_else(|| self.draining(process));
        let cause = self.end(process, how, cause)?;
        let Some(life) = life else { return Ok(()) };
        let closed = Route { process, life };
        for client in 0..self.clients() {
            if self.route(client) != Some(closed) {
                continue;
            }
            for call in self.calls_sent(client) {
                if how == End::Crash || !self.is_answered(client, call) {
                    self.refuse(client, call, process, cause);
                }
            }
        }
        Ok(())
    }

    /// Ends a process that drains and has no call left (B90). Says whether it did.
    fn stop_if_drained(&mut self, process: usize) -> Result<bool, Self::Problem> {
        let Some(life) = self.draining(process) else {
            return Ok(false);
        };
        if self.has_calls(process, life) {
            return Ok(false);
        }
        self.end_process(process, End::Stop, self.cause_at(process))?;
        Ok(true)
    }

    /// Breaks the connection of a client while its process is up, if it has one.
    fn disconnect(&mut self, client: usize) -> Result<(), Self::Problem> {
        match self.route(client) {
            Some(route) => self.break_connection(client, route),
            None => Ok(()),
        }
    }

    /// A client looks for the answer to its ping. A process that runs and is reached answers
    /// pings, whatever becomes of single calls.
    fn ping(&mut self, client: usize) -> Result<(), Self::Problem> {
        let is_answered = self
            .route(client)
            .is_some_and(|to| self.runs(to.process) && self.passes(client, to.process, Ways::Both));
        self.tell_of_ping(client, is_answered)
    }
}
