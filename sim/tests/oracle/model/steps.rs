//! The effects of a move.

use super::{Client, Copies, Message, Move, Property, Rules, What, World};
use crate::oracle::runner::{Call, Did, Reply, Runner, RunnerRules};

impl World {
    /// The state after the move.
    pub(crate) fn after(&self, happens: Move, rules: &Rules) -> Self {
        let mut world = self.clone();
        world.make(happens, rules);
        world.note_owner(rules.property);
        world.messages.sort_unstable();
        world.locket.forget_names();
        world
    }

    fn make(&mut self, happens: Move, rules: &Rules) {
        if let Some(fault) = happens.fault() {
            self.used[fault as usize] += 1;
        }
        match happens {
            Move::Pass => self.pass(rules),
            Move::Runner(client) => self.runner(client, rules, Runner::act),
            Move::Arrive(message) => self.arrive(message, true, rules),
            Move::Connect(client) => self.connect(client),
            Move::Locket(due) => self.locket.act(due, &rules.locket),
            Move::Start(client) => self.runner(client, rules, Runner::start),
            Move::Wake(client) => self.clients[client].paused_for = None,
            Move::StartLocket(process) => self.locket.start(process, &rules.locket),
            Move::Crash(client) => self.reset(client, Runner::CRASHED),
            Move::Restart(client) => {
                self.reset(client, Runner::NEW);
                self.runner(client, rules, Runner::start);
            }
            Move::Stop(client) => self.runner(client, rules, Runner::signal),
            Move::Pause(client) => self.clients[client].paused_for = Some(0),
            Move::CrashLocket(process) => self.crash_locket(process),
            Move::Evict => self.locket.evict(&rules.locket),
            Move::FailOver => self.locket.fail_over(&rules.locket),
            Move::Lose(message) => drop(self.messages.remove(message)),
            Move::LoseAnswer(message) => self.arrive(message, false, rules),
            Move::Twice(message) => self.double(message),
        }
    }

    /// Gives a runner an input, and takes what it does.
    fn runner(
        &mut self,
        client: usize,
        rules: &Rules,
        input: impl FnOnce(&mut Runner, &RunnerRules) -> Did,
    ) {
        let did = input(&mut self.clients[client].runner, &rules.clients[client]);
        let row_is_own = self.locket.owner() == Some(rules.owners[client]);
        if did.loses && row_is_own && rules.property == Property::FalseLoss {
            self.wrong_for[0] = 1;
        }
        if did.calls.is_some() || !self.clients[client].runner.is_calling() {
            self.forget_call(client);
        }
        if let Some((call, waits)) = did.calls {
            if waits || self.process_for(client).is_some() {
                self.clients[client].waits = Some(call);
                self.connect(client);
            } else {
                self.send(client, 0, What::NoConnection);
            }
        }
    }

    /// The process that a client's calls go to: the one it is connected to, else the first that
    /// runs, from the one it prefers.
    pub(super) fn process_for(&self, client: usize) -> Option<usize> {
        let count = self.locket.processes();
        let mut in_order = (0..count).map(|step| (client + step) % count);
        let connected = self.clients[client].connection;
        connected.or_else(|| in_order.find(|&process| self.locket.runs(process)))
    }

    /// Sends the call that waits for a process, if there is one.
    fn connect(&mut self, client: usize) {
        if let Some(process) = self.process_for(client)
            && let Some(call) = self.clients[client].waits.take()
        {
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
            copy: Copies::Only,
        });
    }

    fn double(&mut self, message: usize) {
        let first = &mut self.messages[message];
        first.copy = Copies::First;
        let second = Message {
            copy: Copies::Second,
            ..*first
        };
        self.messages.push(second);
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

    /// Its connections break: requests on their way to it are lost, and waiting clients learn it.
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
        let owner = rules.owners[client];
        let is_done = match call {
            Call::Lock => self.locket.lock(owner, heard_by, &rules.locket),
            Call::Release => self.locket.release(owner, &rules.locket),
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
}
