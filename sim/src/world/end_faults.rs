//! The end of all faults at a moment.

use super::network::Network;
use super::step::Step;
use super::{DATABASE, Due};
use crate::node::database::DatabaseInput;

impl Step<'_> {
    /// Ends every current fault: paused nodes resume, Locket processes and the database start, a
    /// stall ends, no further answer is lost, and links are as given.
    ///
    /// Earlier effects stay: a crashed client is down, a deleted row stays deleted, and
    /// a message on its way arrives at its time.
    pub fn end_faults(&mut self, links: Network) {
        self.world.network = links;
        self.send_to_database(DatabaseInput::KeepAnswers, None);
        self.world.database.reply_loss_per_mille = 0;
        self.restore_transaction_time();
        self.start_database();
        self.resume(DATABASE);
        for process in 0..self.world.processes() {
            self.start_process(process);
            self.resume(self.world.process(process));
        }
        for client in 0..self.world.clients() {
            self.resume(self.world.client(client));
        }
        let now = self.world.now;
        if self.world.database.stalled_until > now {
            self.world.database.stalled_until = now;
            self.world.queue.schedule(now, Due::StallEnds);
        }
    }
}
