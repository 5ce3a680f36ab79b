//! Locket's processes and their database, for one key: the row, and who deletes it when.
//!
//! The database answers at once. A due event waits until the search takes it, in
//! every order.

/// The fixed part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocketRules {
    pub(crate) ttl: u16,
    /// Whether the table itself removes a row when its TTL has ended, as documented; else the
    /// timers of processes do.
    pub(crate) expires_exactly: bool,
    /// How often a process registers what it finds in the table; `None` where that is left out.
    pub(crate) poll: Option<u16>,
    /// How many commits a failover loses.
    pub(crate) lost_commits: usize,
}

/// The effect of a write on a row: a new row has a new id and index 1, a renewal the next index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    left: u16,
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
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Locket {
    pub(crate) row: Option<Row>,
    /// The row before each of the last commits that a failover can lose.
    history: Vec<Option<Row>>,
    processes: Vec<Process>,
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
        timers.push(Timer {
            version,
            left: rules.ttl,
        });
    }

    fn timers(&mut self) -> &mut [Timer] {
        match self {
            Self::Down(_) => &mut [],
            Self::Running { timers, .. } => timers,
        }
    }

    fn pass(&mut self) {
        match self {
            Self::Down(units) => *units += 1,
            Self::Running { timers, poll } => {
                timers.iter_mut().for_each(|timer| timer.left -= 1);
                *poll = poll.map(|left| left - 1);
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

    /// A Lock through a process that gets the answer of its commit or not. Whether the client owns
    /// the row.
    pub(crate) fn lock(&mut self, client: u8, through: Option<usize>, rules: &LocketRules) -> bool {
        let version = match self.row.map(|row| row.version) {
            Some(version) if version.owner != client => return false,
            Some(version) => Version {
                index: version.index + 1,
                ..version
            },
            None => Version {
                owner: client,
                id: self.new_id(),
                index: 1,
            },
        };
        self.commit(Some(Row::new(version, rules)), rules);
        if let Some(process) = through {
            self.processes[process].register(version, rules);
        }
        true
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
            let Process::Running { timers, poll } = it else {
                continue;
            };
            let timers = timers.iter().enumerate();
            let fired = timers.filter(|(_, timer)| timer.left == 0);
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
                if let Process::Running { poll, .. } = &mut self.processes[process] {
                    *poll = rules.poll;
                }
                if let Some(row) = self.row {
                    self.processes[process].register(row.version, rules);
                }
            }
        }
    }

    fn fire(&mut self, process: usize, timer: usize, rules: &LocketRules) {
        if let Process::Running { timers, .. } = &mut self.processes[process] {
            let fired = timers.remove(timer);
            if self.row.map(|row| row.version) == Some(fired.version) {
                self.commit(None, rules);
            }
        }
    }

    pub(crate) fn pass(&mut self) {
        let tables = self.row.iter_mut().chain(self.history.iter_mut().flatten());
        tables.for_each(|row| row.left = row.left.saturating_sub(1));
        self.processes.iter_mut().for_each(Process::pass);
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
        rows.map(|row| &mut row.version).chain(of_timers)
    }

    fn new_id(&mut self) -> u8 {
        let ids = self.versions().map(|version| version.id);
        ids.max().map_or(0, |id| id + 1)
    }

    /// The same as any other in which only the names of ids and the size of indices differ. A timer
    /// for an id that no row has, or can have again, deletes nothing.
    pub(crate) fn forget_names(&mut self) {
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
            left: if rules.expires_exactly { rules.ttl } else { 0 },
        }
    }
}
