//! Clients, network and Locket together: what can happen in a state, in every order, and what
//! follows.
//!
//! Times are in units that divide every time of a question; one move lets one unit pass. Time stands
//! still while anything is due.

use super::locket::{Due, Locket, LocketRules};
use super::runner::{Call, Did, Phase, Reply, Runner, RunnerRules};

/// The rules with a question's numbers.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) locket: LocketRules,
    pub(crate) processes: usize,
    pub(crate) clients: Vec<RunnerRules>,
    pub(crate) property: Property,
    /// How long what must not last may last.
    pub(crate) within: u16,
    /// Up to how long it is counted how long it lasts.
    pub(crate) counted: u16,
    /// How long a message may take.
    pub(crate) delay: u16,
    pub(crate) pause: u16,
    pub(crate) locket_down: u16,
    /// How long a process waits for an answer of the database.
    pub(crate) patience: u16,
    /// How often each fault may happen.
    pub(crate) allowed: [u8; FAULTS],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Property {
    FalseLoss,
    Handover,
    OneOwner,
    Owned,
    PresenceGap,
    RowAgrees,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Crash,
    Eviction,
    Failover,
    LocketCrash,
    Loss,
    LostAnswer,
    Pause,
    Restart,
    Stop,
}

pub(crate) const FAULTS: usize = 9;
/// The most clients.
const CLIENTS_MAX: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) clients: Vec<Client>,
    pub(crate) locket: Locket,
    /// In a fixed order: that of their sending does not matter.
    messages: Vec<Message>,
    used: [u8; FAULTS],
    /// Whether somebody has held the lock, or a row was there, where the property asks.
    had: bool,
    /// For how long it has been as it must not last, by client where that is about one.
    wrong_for: [u16; CLIENTS_MAX],
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    pub(crate) runner: Runner,
    paused_for: Option<u16>,
    connection: Option<usize>,
    /// A call that waits for a process to connect to.
    waits: Option<Call>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Message {
    client: usize,
    what: What,
    process: usize,
    age: u16,
    /// Whether the client waits for what comes of it.
    is_awaited: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum What {
    Request(Call),
    Reply(Reply),
    /// A process waits for the database, whose answer is lost.
    Held,
    /// The client's own word that there is no process to connect to.
    NoConnection,
}

/// Something that can happen. Messages are named by their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Move {
    /// A unit of time.
    Pass,
    // What happens by itself.
    Runner(usize),
    Arrive(usize),
    /// A client that was paused sends the call that has waited.
    Connect(usize),
    Locket(Due),
    // What may happen at any time.
    Start(usize),
    Wake(usize),
    StartLocket(usize),
    // Faults.
    Crash(usize),
    Restart(usize),
    Stop(usize),
    Pause(usize),
    CrashLocket(usize),
    Evict,
    FailOver,
    /// A message that was just sent is lost.
    Lose(usize),
    /// A request arrives, and its process does not hear what the database did.
    LoseAnswer(usize),
}

impl World {
    pub(crate) fn new(rules: &Rules) -> Self {
        let client = Client {
            runner: Runner::NEW,
            paused_for: None,
            connection: None,
            waits: None,
        };
        Self {
            clients: vec![client; rules.clients.len()],
            locket: Locket::new(rules.processes, &rules.locket),
            messages: Vec::new(),
            used: [0; FAULTS],
            had: false,
            wrong_for: [0; CLIENTS_MAX],
        }
    }

    /// How many faults it took.
    pub(crate) fn faults(&self) -> u32 {
        self.used.iter().map(|&count| u32::from(count)).sum()
    }

    /// For how long it has been as it must not last.
    pub(crate) fn wrong_for(&self) -> u16 {
        self.wrong_for.iter().copied().max().unwrap_or_default()
    }

    fn may(&self, fault: Fault, rules: &Rules) -> bool {
        self.used[fault as usize] < rules.allowed[fault as usize]
    }

    /// Everything that can happen now.
    pub(crate) fn moves(&self, rules: &Rules) -> Vec<Move> {
        let mut moves = self.due(rules);
        let must_wait = !moves.is_empty();
        self.at_any_time(&mut moves, rules);
        self.faults_of_clients(&mut moves, rules);
        self.faults_elsewhere(&mut moves, rules);
        if !must_wait && !self.must_change(rules) {
            moves.push(Move::Pass);
        }
        moves
    }

    /// What has to happen before time can pass, by itself.
    fn due(&self, rules: &Rules) -> Vec<Move> {
        let mut moves = Vec::with_capacity(16);
        self.locket
            .due(&rules.locket, |due| moves.push(Move::Locket(due)));
        for (index, client) in self.clients.iter().enumerate() {
            if client.paused_for.is_some() {
                continue;
            }
            moves.extend(client.runner.is_due().then_some(Move::Runner(index)));
            let connects = client.waits.is_some() && self.process_for(index).is_some();
            moves.extend(connects.then_some(Move::Connect(index)));
        }
        let late = |message: &Message| message.age >= rules.longest(message.what);
        let messages = self.messages.iter().enumerate();
        let due = messages.filter(|(_, it)| late(it) && self.is_heard(it));
        moves.extend(due.map(|(index, _)| Move::Arrive(index)));
        moves
    }

    /// Whether nobody has started, or a pause or an outage has lasted as long as it may.
    fn must_change(&self, rules: &Rules) -> bool {
        let mut clients = self.clients.iter();
        let mut processes = 0..rules.processes;
        clients.all(|it| it.runner.phase == Phase::NotStarted)
            || self
                .clients
                .iter()
                .any(|it| it.paused_for == Some(rules.pause))
            || processes.any(|it| self.locket.down_for(it) == Some(rules.locket_down))
    }

    fn at_any_time(&self, moves: &mut Vec<Move>, rules: &Rules) {
        for (index, client) in self.clients.iter().enumerate() {
            if client.runner.phase == Phase::NotStarted {
                moves.push(Move::Start(index));
            }
            moves.extend(client.paused_for.map(|_| Move::Wake(index)));
        }
        for process in 0..rules.processes {
            if !self.locket.runs(process) {
                moves.push(Move::StartLocket(process));
            }
        }
        for (index, message) in self.messages.iter().enumerate() {
            let is_early = message.age < rules.longest(message.what);
            if is_early && message.is_on_its_way() && self.is_heard(message) {
                moves.push(Move::Arrive(index));
            }
        }
    }

    fn faults_of_clients(&self, moves: &mut Vec<Move>, rules: &Rules) {
        for (index, client) in self.clients.iter().enumerate() {
            let is_alive = client.runner.is_alive();
            let runs = is_alive && client.paused_for.is_none();
            let has_ended = !is_alive && client.runner.phase != Phase::NotStarted;
            for (fault, is_possible, happens) in [
                (Fault::Crash, is_alive, Move::Crash(index)),
                (Fault::Pause, runs, Move::Pause(index)),
                (Fault::Restart, has_ended, Move::Restart(index)),
                (Fault::Stop, runs, Move::Stop(index)),
            ] {
                moves.extend((is_possible && self.may(fault, rules)).then_some(happens));
            }
        }
    }

    fn faults_elsewhere(&self, moves: &mut Vec<Move>, rules: &Rules) {
        if self.may(Fault::Eviction, rules) && self.locket.row.is_some() {
            moves.push(Move::Evict);
        }
        if self.may(Fault::Failover, rules) && self.locket.can_fail_over() {
            moves.push(Move::FailOver);
        }
        for process in 0..rules.processes {
            if self.may(Fault::LocketCrash, rules) && self.locket.runs(process) {
                moves.push(Move::CrashLocket(process));
            }
        }
        for (index, message) in self.messages.iter().enumerate() {
            let is_new = message.age == 0 && message.is_on_its_way();
            if is_new && self.may(Fault::Loss, rules) {
                moves.push(Move::Lose(index));
            }
            let is_request = matches!(message.what, What::Request(_));
            if is_request && self.may(Fault::LostAnswer, rules) {
                moves.push(Move::LoseAnswer(index));
            }
        }
    }

    /// Whether a message's receiver runs: a paused client hears nothing.
    fn is_heard(&self, message: &Message) -> bool {
        let is_to_client = matches!(message.what, What::Reply(_) | What::NoConnection);
        !is_to_client || self.clients[message.client].paused_for.is_none()
    }

    /// What becomes of the world.
    pub(crate) fn after(&self, happens: Move, rules: &Rules) -> Self {
        let mut world = self.clone();
        world.make(happens, rules);
        world.note_owner(rules);
        world.messages.sort_unstable();
        world.locket.forget_names();
        world
    }

    fn make(&mut self, happens: Move, rules: &Rules) {
        match happens {
            Move::Pass => self.pass(rules),
            Move::Runner(client) => self.runner(client, rules, Runner::act),
            Move::Arrive(message) => self.arrive(message, true, rules),
            Move::Connect(client) => self.connect(client),
            Move::Locket(due) => self.locket.act(due, &rules.locket),
            Move::Start(client) => self.runner(client, rules, Runner::start),
            Move::Wake(client) => self.clients[client].paused_for = None,
            Move::StartLocket(process) => {
                self.locket.start(process, &rules.locket);
                // Who waits for it connects; a paused client does when it goes on.
                for client in 0..self.clients.len() {
                    if self.clients[client].paused_for.is_none() {
                        self.connect(client);
                    }
                }
            }
            Move::Crash(client) => {
                self.use_up(Fault::Crash);
                self.reset(client, Runner::CRASHED);
            }
            Move::Restart(client) => {
                self.use_up(Fault::Restart);
                self.reset(client, Runner::NEW);
                self.runner(client, rules, Runner::start);
            }
            Move::Stop(client) => {
                self.use_up(Fault::Stop);
                self.runner(client, rules, Runner::signal);
            }
            Move::Pause(client) => {
                self.use_up(Fault::Pause);
                self.clients[client].paused_for = Some(0);
            }
            Move::CrashLocket(process) => {
                self.use_up(Fault::LocketCrash);
                self.crash_locket(process);
            }
            Move::Evict => {
                self.use_up(Fault::Eviction);
                self.locket.evict(&rules.locket);
            }
            Move::FailOver => {
                self.use_up(Fault::Failover);
                self.locket.fail_over(&rules.locket);
            }
            Move::Lose(message) => {
                self.use_up(Fault::Loss);
                self.messages.remove(message);
            }
            Move::LoseAnswer(message) => {
                self.use_up(Fault::LostAnswer);
                self.arrive(message, false, rules);
            }
        }
    }

    const fn use_up(&mut self, fault: Fault) {
        self.used[fault as usize] += 1;
    }

    /// Gives a runner an input, and takes what it does.
    fn runner(
        &mut self,
        client: usize,
        rules: &Rules,
        input: impl FnOnce(&mut Runner, &RunnerRules) -> Did,
    ) {
        let did = input(&mut self.clients[client].runner, &rules.clients[client]);
        let row_is_own = self.locket.owner() == Some(client as u8);
        if did.loses && row_is_own && rules.property == Property::FalseLoss {
            self.wrong_for[0] = 1;
        }
        if did.calls.is_some() || !self.clients[client].runner.is_calling() {
            self.forget_call(client);
        }
        if let Some((call, waits)) = did.calls {
            match self.process_for(client) {
                Some(_) => {
                    self.clients[client].waits = Some(call);
                    self.connect(client);
                }
                None if waits => self.clients[client].waits = Some(call),
                None => self.send(client, 0, What::NoConnection),
            }
        }
    }

    /// The process that a client's calls go to: the one it is connected to, else the first that
    /// runs, from the one it prefers.
    fn process_for(&self, client: usize) -> Option<usize> {
        let count = self.locket.processes();
        let mut in_order = (0..count).map(|step| (client + step) % count);
        let connected = self.clients[client].connection;
        connected.or_else(|| in_order.find(|&process| self.locket.runs(process)))
    }

    fn connect(&mut self, client: usize) {
        let process = self.process_for(client);
        let call = self.clients[client].waits.take();
        if let (Some(process), Some(call)) = (process, call) {
            self.clients[client].connection = Some(process);
            self.send(client, process, What::Request(call));
        }
    }

    fn send(&mut self, client: usize, process: usize, what: What) {
        self.messages.push(Message {
            client,
            what,
            process,
            age: 0,
            is_awaited: true,
        });
    }

    /// A client's call is over: what comes back is dropped, a request on its way arrives.
    fn forget_call(&mut self, client: usize) {
        self.clients[client].waits = None;
        self.messages.retain_mut(|message| {
            let is_own = message.client == client;
            message.is_awaited &= !is_own;
            !is_own || matches!(message.what, What::Request(_))
        });
    }

    fn reset(&mut self, client: usize, runner: Runner) {
        self.forget_call(client);
        self.clients[client] = Client {
            runner,
            paused_for: None,
            connection: None,
            waits: None,
        };
    }

    /// Its connections break: requests on their way to it are gone, and who waits is told.
    fn crash_locket(&mut self, process: usize) {
        self.locket.crash(process);
        self.messages.retain(|message| {
            let to_it = matches!(message.what, What::Request(_) | What::Held);
            !to_it || message.process != process
        });
        for client in 0..self.clients.len() {
            let it = &mut self.clients[client];
            if it.connection == Some(process) {
                it.connection = None;
                if it.runner.is_calling() {
                    self.send(client, process, What::Reply(Reply::Failure));
                }
            }
        }
    }

    fn arrive(&mut self, message: usize, database_answers: bool, rules: &Rules) {
        let message = self.messages.remove(message);
        let Message {
            client, process, ..
        } = message;
        match message.what {
            What::Request(call) => {
                let heard_by = database_answers.then_some(process);
                let reply = self.transact(client, call, heard_by, rules);
                let answer = if database_answers {
                    What::Reply(reply)
                } else {
                    What::Held
                };
                if message.is_awaited {
                    self.send(client, process, answer);
                }
            }
            What::Reply(reply) => self.runner(client, rules, |it, rules| it.hear(reply, rules)),
            What::Held => self.send(client, process, What::Reply(Reply::Failure)),
            What::NoConnection => {
                self.runner(client, rules, |it, rules| it.hear(Reply::Failure, rules));
            }
        }
    }

    fn transact(
        &mut self,
        client: usize,
        call: Call,
        heard_by: Option<usize>,
        rules: &Rules,
    ) -> Reply {
        let is_done = match call {
            Call::Lock => self.locket.lock(client as u8, heard_by, &rules.locket),
            Call::Release => self.locket.release(client as u8, &rules.locket),
            Call::Fetch => true,
        };
        if is_done { Reply::Ok } else { Reply::Collision }
    }

    fn pass(&mut self, rules: &Rules) {
        self.watch(rules);
        for (client, rules) in self.clients.iter_mut().zip(&rules.clients) {
            client.runner.pass(rules);
            client.paused_for = client.paused_for.map(|units| units + 1);
        }
        self.locket.pass();
        for message in &mut self.messages {
            message.age = (message.age + 1).min(rules.longest(message.what));
        }
    }

    /// Looks at what must not last, as a unit passes.
    fn watch(&mut self, rules: &Rules) {
        let is_wrong = |client: usize| match rules.property {
            Property::RowAgrees => self.disagrees(client),
            _ => client == 0 && self.is_wrong(rules.property),
        };
        let is_wrong: [bool; CLIENTS_MAX] = std::array::from_fn(is_wrong);
        for (wrong_for, is_wrong) in self.wrong_for.iter_mut().zip(is_wrong) {
            let lasts = (*wrong_for + 1).min(rules.counted);
            *wrong_for = if is_wrong { lasts } else { 0 };
        }
    }

    /// Notes that there is an owner now, if only for an instant: any time that it lasts would do.
    fn note_owner(&mut self, rules: &Rules) {
        self.had |= match rules.property {
            Property::Handover | Property::Owned => self.believers() > 0,
            Property::PresenceGap => self.locket.row.is_some(),
            Property::FalseLoss | Property::OneOwner | Property::RowAgrees => false,
        };
    }

    fn is_wrong(&self, property: Property) -> bool {
        let is_wanted = self.clients.iter().any(|it| it.runner.is_alive());
        match property {
            Property::Handover => self.had && self.believers() == 0 && is_wanted,
            Property::OneOwner => self.believers() > 1,
            Property::Owned => !self.had && self.believers() == 0 && is_wanted,
            Property::PresenceGap => self.had && self.locket.row.is_none() && is_wanted,
            Property::FalseLoss | Property::RowAgrees => false,
        }
    }

    /// Whether a client believes what the row does not say.
    fn disagrees(&self, client: usize) -> bool {
        let it = self.clients.get(client);
        it.is_some_and(|it| it.runner.believes()) && self.locket.owner() != Some(client as u8)
    }

    fn believers(&self) -> usize {
        let clients = self.clients.iter();
        clients.filter(|it| it.runner.believes()).count()
    }
}

impl World {
    /// A move in words: messages by what they are.
    pub(crate) fn words(&self, happens: Move) -> String {
        match happens {
            Move::Arrive(message) | Move::Lose(message) | Move::LoseAnswer(message) => {
                format!("{happens:?} {:?}", self.messages[message])
            }
            other => format!("{other:?}"),
        }
    }
}

impl Message {
    const fn is_on_its_way(&self) -> bool {
        matches!(self.what, What::Request(_) | What::Reply(_))
    }
}

impl Rules {
    /// How long a message may take.
    const fn longest(&self, what: What) -> u16 {
        match what {
            What::Request(_) | What::Reply(_) => self.delay,
            What::Held => self.patience,
            What::NoConnection => 0,
        }
    }
}
