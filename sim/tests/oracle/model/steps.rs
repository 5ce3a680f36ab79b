//! The effects of a move.

use locket_sim::check::Property;

use super::{Client, Copies, Message, Move, Rules, What, World};
use crate::oracle::questions::Asked;
use crate::oracle::runner::{Call, Did, Reply, Runner, RunnerRules};

impl World {
    /// The state after the move.
    pub(crate) fn after(&self, happens: Move, rules: &Rules) -> Self {
        let mut world = self.clone();
        world.make(happens, rules);
        world.stop_drained(rules);
        world.note_owner(rules.property);
        world.messages.sort_unstable();
        world.cuts.sort_unstable();
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
            Move::Arrive(message) => self.arrive(message, rules),
            Move::Connect(client) => self.connect(client, rules),
            Move::Ping(client) => self.ping(client),
            Move::Cut(cut) => self.cuts.push(cut),
            Move::Heal(cut) => drop(self.cuts.remove(cut)),
            Move::PauseLocket(process) => self.locket.pause(process, Some(0)),
            Move::WakeLocket(process) => self.locket.pause(process, None),
            Move::Locket(due) => self.locket.act(due, &rules.locket),
            Move::Ask(question) => self.ask(question, rules),
            Move::Answer(question) => self.answer(question, rules),
            Move::GiveUp(question) => self.give_up(question),
            Move::LoseAnswer(question) => self.locket.lose_answer(question),
            Move::Stall => self.stalled_for = Some(0),
            Move::StallEnds => self.stall_ends(rules),
            Move::CrashDatabase => self.crash_database(),
            Move::StartDatabase => self.database_down_for = None,
            Move::Start(client) => self.runner(client, rules, Runner::start),
            Move::Wake(client) => {
                let client = &mut self.clients[client];
                (client.paused_for, client.has_woken) = (None, true);
            }
            Move::StartLocket(process) => self.locket.start(process, &rules.locket),
            Move::Crash(client) => self.reset(client, Runner::CRASHED, rules),
            Move::Disconnect(client) => self.disconnect(client, rules),
            Move::Restart(client) => {
                self.reset(client, Runner::NEW, rules);
                self.runner(client, rules, Runner::start);
            }
            Move::Stop(client) => self.runner(client, rules, Runner::signal),
            Move::Pause(client) => self.clients[client].paused_for = Some(0),
            Move::CrashLocket(process) => self.crash_locket(process),
            Move::DrainLocket(process) => self.locket.drain(process),
            Move::Evict => self.locket.evict(&rules.locket),
            Move::FailOver => self.locket.fail_over(&rules.locket),
            Move::Lose(message) => drop(self.messages.remove(message)),
            Move::Twice(message) => self.double(message),
        }
        for client in 0..self.clients.len() {
            self.clients[client].has_woken &= self.has_waiting(client, rules);
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
        let asks =
            matches!(rules.property, Property::NoClientActs { .. } | Property::Acquired { .. });
        self.had |= did.gets_it && asks;
        let row_is_own = self.locket.owner() == Some(rules.owners[client]);
        if did.loses && row_is_own && rules.property == Property::FalseLoss {
            self.wrong_for[0] = 1;
        }
        if did.calls.is_some() || !self.clients[client].runner.is_calling() {
            self.forget_call(client, true, rules);
        }
        if let Some((call, waits)) = did.calls {
            if waits || self.process_for(client).is_some() {
                self.clients[client].waits = Some(call);
                self.connect(client, rules);
            } else {
                self.send(client, 0, What::NoConnection);
            }
        }
    }

    /// The process that a client's calls go to: the one it is connected to, else the first that
    /// accepts connections, from the one it prefers.
    pub(super) fn process_for(&self, client: usize) -> Option<usize> {
        let count = self.locket.processes();
        let in_order = || (0..count).map(|step| (client + step) % count);
        let avoids = self.clients[client].avoids;
        let mut in_order = in_order().filter(|it| Some(*it) != avoids).chain(in_order());
        let connected = self.clients[client].connection;
        let connected = connected.filter(|&process| self.locket.accepts(process));
        connected.or_else(|| in_order.find(|&process| self.locket.accepts(process)))
    }

    /// Sends the call that waits for a process, if there is one.
    fn connect(&mut self, client: usize, rules: &Rules) {
        if let Some(process) = self.process_for(client)
            && let Some(call) = self.clients[client].waits.take()
        {
            let it = &mut self.clients[client];
            if it.connection != Some(process) {
                it.unanswered_for = None;
            }
            it.connection = Some(process);
            let unanswered_for = it.unanswered_for.unwrap_or_default();
            it.unanswered_for = rules.keepalive.map(|_| unanswered_for);
            self.send(client, process, What::Request(call));
        }
    }

    pub(super) fn send(&mut self, client: usize, process: usize, what: What) {
        self.send_as(client, process, what, (true, true));
    }

    /// Sends what the client waits for or notices, unless the link is cut.
    pub(super) fn send_as(
        &mut self,
        client: usize,
        process: usize,
        what: What,
        (is_awaited, is_noticed): (bool, bool),
    ) {
        if !self.is_cut(client, process, what) {
            self.messages.push(Message {
                client,
                what,
                process,
                age: 0,
                is_awaited,
                is_noticed,
                copy: Copies::Only,
            });
        }
    }

    fn double(&mut self, message: usize) {
        let first = &mut self.messages[message];
        first.copy = Copies::First;
        let second = Message { copy: Copies::Second, ..*first };
        self.messages.push(second);
    }

    /// A client's call is over: what comes back is dropped, unless the client lives and can notice
    /// it. A request on its way arrives.
    pub(super) fn forget_call(&mut self, client: usize, lives: bool, rules: &Rules) {
        let notices = lives && rules.keepalive.is_some();
        self.clients[client].waits = None;
        self.forget_questions(client, notices);
        self.messages.retain_mut(|message| {
            let is_own = message.client == client;
            message.is_awaited &= !is_own;
            message.is_noticed &= !is_own || notices;
            let is_kept = match message.what {
                What::Request(_) => true,
                What::Reply(_) => message.is_noticed,
                What::NoConnection => false,
            };
            !is_own || is_kept
        });
    }

    fn reset(&mut self, client: usize, runner: Runner, rules: &Rules) {
        self.forget_call(client, false, rules);
        self.clients[client] = Client {
            runner,
            paused_for: None,
            has_woken: false,
            connection: None,
            unanswered_for: None,
            avoids: None,
            waits: None,
        };
    }

    /// Its connections break: requests on their way to it are lost, and waiting clients learn it.
    fn crash_locket(&mut self, process: usize) {
        self.locket.crash(process);
        self.messages.retain(|message| {
            let to_it = matches!(message.what, What::Request(_));
            !to_it || message.process != process
        });
        for client in 0..self.clients.len() {
            let it = &mut self.clients[client];
            if it.connection == Some(process) {
                it.connection = None;
                it.unanswered_for = None;
                if it.runner.is_calling() && it.waits.is_none() {
                    self.send(client, process, What::Reply(Reply::Failure));
                }
            }
        }
    }

    fn arrive(&mut self, message: usize, rules: &Rules) {
        let message = self.messages.remove(message);
        let Message { client, process, is_awaited, is_noticed, .. } = message;
        match message.what {
            What::Request(call) if rules.locket.travels => {
                let what = Asked::Call { client, call, is_awaited, is_noticed };
                self.locket.ask(process, what, rules.locket.patience);
            }
            What::Request(call) => {
                let reply = What::Reply(self.transact(client, call, process, rules));
                if is_awaited || is_noticed {
                    self.send_as(client, process, reply, (is_awaited, is_noticed));
                }
            }
            What::Reply(reply) if is_awaited => {
                self.notice(client, process, false);
                self.runner(client, rules, |it, rules| it.hear(reply, rules));
            }
            What::Reply(_) => {
                let still_waits = self.clients[client].runner.is_calling();
                self.notice(client, process, still_waits);
            }
            What::NoConnection => {
                self.runner(client, rules, |it, rules| it.hear(Reply::Failure, rules));
            }
        }
    }

    fn transact(&mut self, client: usize, call: Call, process: usize, rules: &Rules) -> Reply {
        let owner = rules.owners[client];
        let is_done = match call {
            Call::Lock => self.locket.lock(owner, Some(process), &rules.locket),
            Call::Release => self.locket.release(owner, &rules.locket),
            Call::Fetch => true,
        };
        if is_done { Reply::Ok } else { Reply::Collision }
    }

    fn pass(&mut self, rules: &Rules) {
        self.watch(rules);
        let keepalive = rules.keepalive;
        for (client, rules) in self.clients.iter_mut().zip(&rules.clients) {
            client.runner.pass(rules);
            client.paused_for = client.paused_for.map(|units| units + 1);
            let longest = keepalive.unwrap_or_default();
            client.unanswered_for = client.unanswered_for.map(|units| longest.min(units + 1));
        }
        self.locket.pass(&rules.locket);
        self.stalled_for = self.stalled_for.map(|units| units + 1);
        self.database_down_for = self.database_down_for.map(|units| units + 1);
        self.cuts.iter_mut().for_each(|cut| cut.age += 1);
        for message in &mut self.messages {
            message.age = (message.age + 1).min(rules.longest(message.what));
        }
    }
}
