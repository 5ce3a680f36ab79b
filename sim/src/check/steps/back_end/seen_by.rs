//! Locket as one client can notice it, to compare a search of all clients with that of one.

use super::{BackEnd, BackEndSettings, BackEnds, InternedId, Timers};
use crate::node::canonical::OwnerNumber;
use crate::node::locket_process::LocketProcess;
use crate::node::message::{Query, Transaction};
use crate::protocol::message::Request;
use crate::time::Duration;

/// The owner string of one client is number 0, and others have none.
fn only<const CLIENT: u64>(owner: &str) -> Option<u64> {
    (owner.parse() == Ok(CLIENT)).then_some(0)
}

const OWNERS: [OwnerNumber; 4] = [only::<0>, only::<1>, only::<2>, only::<3>];

/// The row, as one client can notice it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::check) enum SeenRow {
    Absent,
    Foreign,
    /// It is the client's, and may go in so long.
    Own {
        left: Duration,
    },
}

impl BackEnds {
    pub(in crate::check) fn row_seen_by(&self, id: InternedId, client: u8) -> SeenRow {
        let back_end = &self.known[id as usize].back_end;
        let mut rows = back_end.machines.database.table().expiries_by_path().into_iter();
        let Some((row, due)) = rows.next() else {
            return SeenRow::Absent;
        };
        if OWNERS[usize::from(client)](&row.owner).is_none() {
            return SeenRow::Foreign;
        }
        let ttl = self.settings.ttl(client);
        let age = back_end.age(&self.settings, OWNERS[usize::from(client)]);
        SeenRow::Own {
            left: match due {
                Some(due) => due.since(back_end.now),
                None => Duration::from_ms(ttl.as_ms() - age.map_or(0, Duration::as_ms)),
            },
        }
    }

    /// True if a Release of a client is on its way to the database, or waits there.
    pub(in crate::check) fn has_release_of(&self, id: InternedId, client: u8) -> bool {
        let BackEnd { mail, machines, .. } = &self.known[id as usize].back_end;
        let owner = client.to_string();
        let is_asked =
            |it: &&Query| machines.processes[usize::from(it.process)].waits_for(it.token);
        let waiting = machines.database.waiting().iter().filter(is_asked);
        let travelling = mail.queries().filter(|it| machines.takes_query(it));
        waiting.chain(travelling).any(|it| releases(&it.transaction, &owner))
    }

    /// With the ages of rows.
    pub(in crate::check) fn with_ages(&self) -> Self {
        Self::new(BackEndSettings { timers: Timers::EachWithAges, ..self.settings.clone() })
    }

    /// The life of each process that is up.
    pub(in crate::check) fn lives(&self, id: InternedId) -> Vec<Option<u32>> {
        let processes = self.known[id as usize].back_end.machines.processes.iter();
        processes.map(LocketProcess::life).collect()
    }

    /// The canonical state without calls, timers and queries of others. Of their rows, only that they
    /// are there.
    pub(in crate::check) fn seen_by(
        &self,
        id: InternedId,
        client: u8,
        forgets_lives: bool,
        timers: Timers,
    ) -> Vec<u64> {
        let mut back_end = self.known[id as usize].back_end.clone();
        let owner = client.to_string();
        let all = back_end.machines.processes.clone();
        for process in &mut back_end.machines.processes {
            process.keep_questions_of(client.into(), &owner);
            if forgets_lives {
                process.forget_lives();
            }
            if timers == Timers::AnyProcess {
                process.drop_timers();
                process.keep_calls();
            }
        }
        let kept = back_end.machines.processes.clone();
        // Of a query for which no process waits any more, its owner tells whose it is.
        let is_its = |query: &Query| {
            let process = usize::from(query.process);
            let is_asked = all[process].waits_for(query.token);
            let is_poll = matches!(query.transaction, Transaction::Poll);
            kept[process].waits_for(query.token)
                || !is_asked
                    && (is_poll && timers == Timers::Each || is_of(&query.transaction, &owner))
        };
        back_end.mail.retain(|process, token| kept[usize::from(process)].waits_for(token), is_its);
        back_end.machines.database.retain_waiting(is_its);
        let settings = BackEndSettings {
            polls: self.settings.polls && timers == Timers::Each,
            timers,
            ..self.settings.clone()
        };
        back_end.canonical(&settings, OWNERS[usize::from(client)])
    }
}

fn is_of(transaction: &Transaction, owner: &str) -> bool {
    match transaction {
        Transaction::Call { request, .. } => match &**request {
            Request::Lock { resource, .. } | Request::Release { resource } => {
                resource.as_ref().is_some_and(|it| it.owner == owner)
            }
            // It names no owner, and without a process it has no effect.
            Request::Fetch { .. } | Request::FetchAll { .. } => false,
        },
        Transaction::CompareAndDelete(row) => *row.owner == *owner,
        Transaction::Poll => false,
    }
}

fn releases(transaction: &Transaction, owner: &str) -> bool {
    let Transaction::Call { request, .. } = transaction else { return false };
    matches!(**request, Request::Release { .. }) && is_of(transaction, owner)
}
