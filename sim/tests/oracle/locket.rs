//! Locket's processes and their database, for one key: the row, and who deletes it when.
//!
//! The database answers at once, or questions to it [travel](super::questions). A due event waits
//! until the search takes it, in every order.

use super::model::CLIENTS_MAX;
use super::questions::{Asked, Question};

/// The fixed part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocketRules {
    /// The TTL of each owner.
    pub(crate) ttls: [u16; CLIENTS_MAX],
    /// True if the table itself removes a row when its TTL has ended, as documented; else the
    /// timers of processes do.
    pub(crate) expires_exactly: bool,
    /// How often a process registers what it finds in the table; `None` where that is left out.
    pub(crate) poll: Option<u16>,
    /// How many commits a failover loses.
    pub(crate) lost_commits: usize,
    /// True if questions to the database travel.
    pub(crate) travels: bool,
    /// How long a question to the database may travel, and how long its answer.
    pub(crate) database_delay: u16,
    /// How long a process waits for the answer to a call; `None` where no answer takes so long.
    pub(crate) patience: Option<u16>,
}

/// The effect of a write on a row: a new row has a new id and index 1, a renewal the next index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Version {
    pub(crate) owner: u8,
    id: u8,
    index: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    pub(crate) version: Version,
    /// Until the table removes it, where it does.
    left: u16,
}

/// A timer of a process: deletes the row if it is still this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Timer {
    version: Version,
    /// `None` once it has fired, until the database has answered.
    left: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Process {
    /// For so long.
    Down(u16),
    Running {
        /// One for each id.
        timers: Vec<Timer>,
        /// Until the next poll.
        poll: Option<u16>,
        /// How long the poll is overdue, without the ticks that were missed.
        overdue: u16,
        paused_for: Option<u16>,
        /// True if it accepts no connection, and stops once it has no call.
        drains: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Locket {
    pub(crate) row: Option<Row>,
    /// The row before each of the last commits that a failover can lose.
    history: Vec<Option<Row>>,
    processes: Vec<Process>,
    /// The questions of processes to the database.
    pub(crate) questions: Vec<Question>,
}

/// Something that is due by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Due {
    /// The table removes the row.
    Expiry,
    /// The process's timer of this place fires.
    Timer { process: usize, timer: usize },
    /// The process polls.
    Poll(usize),
}

impl Process {
    /// It polls at once.
    fn new(rules: &LocketRules) -> Self {
        Self::Running {
            timers: Vec::new(),
            poll: rules.poll.map(|_| 0),
            overdue: 0,
            paused_for: None,
            drains: false,
        }
    }

    /// A timer for an equal or later index of the same id stays as it is.
    fn register(&mut self, version: Version, rules: &LocketRules) {
        let Self::Running { timers, .. } = self else {
            return;
        };
        if rules.expires_exactly {
            return;
        }
        let known = |timer: &Timer| timer.version.id == version.id;
        match timers.iter().position(known) {
            Some(at) if timers[at].version.index >= version.index => return,
            Some(at) => drop(timers.remove(at)),
            None => {}
        }
        timers.push(Timer { version, left: Some(rules.ttls[usize::from(version.owner)]) });
    }

    /// The database has answered the attempt of a timer.
    fn end_attempt(&mut self, version: Version) {
        if let Self::Running { timers, .. } = self {
            timers.retain(|it| it.left.is_some() || it.version != version);
        }
    }

    fn timers(&mut self) -> &mut [Timer] {
        match self {
            Self::Down(_) => &mut [],
            Self::Running { timers, .. } => timers,
        }
    }

    fn pass(&mut self, rules: &LocketRules) {
        match self {
            Self::Down(units) => *units += 1,
            Self::Running { timers, poll, overdue, paused_for, .. } => {
                let left = timers.iter_mut().filter_map(|timer| timer.left.as_mut());
                left.for_each(|left| *left = left.saturating_sub(1));
                match (poll, rules.poll) {
                    (Some(0), Some(tick)) => *overdue = (*overdue + 1) % tick,
                    (Some(left), _) => *left -= 1,
                    (None, _) => {}
                }
                *paused_for = paused_for.map(|units| units + 1);
            }
        }
    }
}

impl Locket {
    pub(crate) fn new(processes: usize, rules: &LocketRules) -> Self {
        Self {
            row: None,
            history: Vec::new(),
            processes: vec![Process::new(rules); processes],
            questions: Vec::new(),
        }
    }

    pub(crate) fn owner(&self) -> Option<u8> {
        self.row.map(|row| row.version.owner)
    }

    pub(crate) const fn processes(&self) -> usize {
        self.processes.len()
    }

    /// For how long a process has been down; `None` if it runs.
    pub(crate) fn down_for(&self, process: usize) -> Option<u16> {
        match self.processes[process] {
            Process::Down(units) => Some(units),
            Process::Running { .. } => None,
        }
    }

    pub(crate) fn runs(&self, process: usize) -> bool {
        self.down_for(process).is_none()
    }

    pub(crate) fn drains(&self, process: usize) -> bool {
        matches!(self.processes[process], Process::Running { drains: true, .. })
    }

    /// True if a client can connect to a process.
    pub(crate) fn accepts(&self, process: usize) -> bool {
        self.runs(process) && !self.drains(process)
    }

    pub(crate) fn paused_for(&self, process: usize) -> Option<u16> {
        match self.processes[process] {
            Process::Running { paused_for, .. } => paused_for,
            Process::Down(_) => None,
        }
    }

    pub(crate) fn is_paused(&self, process: usize) -> bool {
        self.paused_for(process).is_some()
    }

    /// Pauses a process for so long so far, or wakes it.
    pub(crate) fn pause(&mut self, process: usize, units: Option<u16>) {
        if let Process::Running { paused_for, .. } = &mut self.processes[process] {
            *paused_for = units;
        }
    }

    pub(crate) fn drain(&mut self, process: usize) {
        if let Process::Running { drains, .. } = &mut self.processes[process] {
            *drains = true;
        }
    }

    /// A Lock through a process that gets the answer of its commit or not. Whether the client owns
    /// the row.
    pub(crate) fn lock(&mut self, client: u8, through: Option<usize>, rules: &LocketRules) -> bool {
        let version = match self.row.map(|row| row.version) {
            Some(version) if version.owner != client => return false,
            Some(version) => Version { index: version.index + 1, ..version },
            None => Version { owner: client, id: self.new_id(), index: 1 },
        };
        self.commit(Some(Row::new(version, rules)), rules);
        if let Some(process) = through {
            self.register(process, version, rules);
        }
        true
    }

    /// A process learns of a version of the row.
    pub(crate) fn register(&mut self, process: usize, version: Version, rules: &LocketRules) {
        self.processes[process].register(version, rules);
    }

    /// A process learns that its attempt to delete a row is over.
    pub(crate) fn end_attempt(&mut self, process: usize, version: Version) {
        self.processes[process].end_attempt(version);
    }

    /// A row goes if it is still this version.
    pub(crate) fn delete(&mut self, version: Version, rules: &LocketRules) {
        if self.row.map(|row| row.version) == Some(version) {
            self.commit(None, rules);
        }
    }

    /// A Release. Whether the row, if there is one, was the client's.
    pub(crate) fn release(&mut self, client: u8, rules: &LocketRules) -> bool {
        match self.owner() {
            Some(owner) if owner != client => return false,
            Some(_) => self.commit(None, rules),
            None => {}
        }
        true
    }

    /// An operator deletes the row.
    pub(crate) fn evict(&mut self, rules: &LocketRules) {
        self.commit(None, rules);
    }

    pub(crate) fn can_fail_over(&self) -> bool {
        !self.history.is_empty()
    }

    /// The database goes on as it was before its last commits.
    pub(crate) fn fail_over(&mut self, rules: &LocketRules) {
        let kept = self.history.len().saturating_sub(rules.lost_commits);
        self.row = self.history[kept];
        self.history.truncate(kept);
    }

    /// Timers go with a process, rows stay.
    pub(crate) fn crash(&mut self, process: usize) {
        self.processes[process] = Process::Down(0);
        self.forget_questions(process);
    }

    pub(crate) fn start(&mut self, process: usize, rules: &LocketRules) {
        self.processes[process] = Process::new(rules);
    }

    /// All that is due.
    pub(crate) fn due(&self, rules: &LocketRules, mut each: impl FnMut(Due)) {
        if rules.expires_exactly && self.row.is_some_and(|row| row.left == 0) {
            each(Due::Expiry);
        }
        for (process, it) in self.processes.iter().enumerate() {
            let Process::Running { timers, poll, paused_for: None, .. } = it else {
                continue;
            };
            let timers = timers.iter().enumerate();
            let fired = timers.filter(|(_, timer)| timer.left == Some(0));
            fired.for_each(|(timer, _)| each(Due::Timer { process, timer }));
            if *poll == Some(0) {
                each(Due::Poll(process));
            }
        }
    }

    pub(crate) fn act(&mut self, due: Due, rules: &LocketRules) {
        match due {
            Due::Expiry => self.commit(None, rules),
            Due::Timer { process, timer } => self.fire(process, timer, rules),
            Due::Poll(process) => {
                if let Process::Running { poll, overdue, .. } = &mut self.processes[process] {
                    *poll = rules.poll.map(|tick| tick - *overdue);
                    *overdue = 0;
                }
                if rules.travels {
                    self.ask_for_rows(process);
                } else if let Some(row) = self.row {
                    self.register(process, row.version, rules);
                }
            }
        }
    }

    fn fire(&mut self, process: usize, timer: usize, rules: &LocketRules) {
        let Process::Running { timers, .. } = &mut self.processes[process] else {
            return;
        };
        if rules.travels {
            timers[timer].left = None;
            let deletion = Asked::Deletion(timers[timer].version);
            self.ask(process, deletion, None);
        } else {
            let fired = timers.remove(timer);
            self.delete(fired.version, rules);
        }
    }

    pub(crate) fn pass(&mut self, rules: &LocketRules) {
        for question in &mut self.questions {
            question.pass(rules);
        }
        let tables = self.row.iter_mut().chain(self.history.iter_mut().flatten());
        tables.for_each(|row| row.left = row.left.saturating_sub(1));
        self.processes.iter_mut().for_each(|it| it.pass(rules));
    }

    fn commit(&mut self, row: Option<Row>, rules: &LocketRules) {
        self.history.push(self.row);
        if self.history.len() > rules.lost_commits {
            self.history.remove(0);
        }
        self.row = row;
    }

    fn versions(&mut self) -> impl Iterator<Item = &mut Version> {
        let rows = self.row.iter_mut().chain(self.history.iter_mut().flatten());
        let timers = self.processes.iter_mut().flat_map(Process::timers);
        let of_timers = timers.map(|timer| &mut timer.version);
        let of_questions = self.questions.iter_mut().filter_map(Question::version);
        rows.map(|row| &mut row.version).chain(of_timers).chain(of_questions)
    }

    fn new_id(&mut self) -> u8 {
        let ids = self.versions().map(|version| version.id);
        ids.max().map_or(0, |id| id + 1)
    }

    /// The same as any other in which only the names of ids and the size of indices differ. A timer
    /// for an id that no row has, or can have again, deletes nothing.
    pub(crate) fn forget_names(&mut self) {
        self.questions.sort_unstable();
        let rows = self.row.iter().chain(self.history.iter().flatten());
        let ids: Vec<u8> = rows.map(|row| row.version.id).collect();
        for process in &mut self.processes {
            if let Process::Running { timers, .. } = process {
                timers.retain(|it| ids.contains(&it.version.id));
            }
        }
        let mut known: Vec<(u8, u16)> = Vec::new();
        for version in self.versions() {
            match known.iter_mut().find(|(id, _)| *id == version.id) {
                Some((_, least)) => *least = version.index.min(*least),
                None => known.push((version.id, version.index)),
            }
        }
        for version in self.versions() {
            let place = known.iter().position(|(id, _)| *id == version.id);
            let place = place.unwrap_or_default();
            version.index -= known[place].1 - 1;
            version.id = place as u8;
        }
    }
}

impl Row {
    fn new(version: Version, rules: &LocketRules) -> Self {
        Self {
            version,
            left: if rules.expires_exactly { rules.ttls[usize::from(version.owner)] } else { 0 },
        }
    }
}
