//! The moves of a state.

use locket_sim::check::Fault;

use super::{Copies, Message, Move, Rules, What, World};
use crate::oracle::locket::Due;
use crate::oracle::runner::Phase;

impl World {
    /// Everything that can happen now.
    pub(crate) fn moves(&self, rules: &Rules) -> Vec<Move> {
        let mut moves = Vec::with_capacity(16);
        self.due(&mut moves, rules);
        self.due_at_database(&mut moves, rules);
        let time_passes = moves.is_empty() && !self.must_change(rules);
        moves.extend(time_passes.then_some(Move::Pass));
        self.at_any_time(&mut moves, rules);
        self.faults_of_clients(&mut moves, rules);
        self.faults_elsewhere(&mut moves, rules);
        moves
    }

    /// The due moves, which come before time can pass.
    fn due(&self, moves: &mut Vec<Move>, rules: &Rules) {
        self.locket.due(&rules.locket, |due| {
            // A table that is down expires nothing.
            let is_possible = due != Due::Expiry || self.database_down_for.is_none();
            moves.extend(is_possible.then_some(Move::Locket(due)));
        });
        for (index, client) in self.clients.iter().enumerate() {
            if client.paused_for.is_none() {
                let connects = client.waits.is_some() && self.process_for(index).is_some();
                moves.extend(client.runner.is_due().then_some(Move::Runner(index)));
                moves.extend(connects.then_some(Move::Connect(index)));
                let is_over = client.runner.is_alive()
                    && client.unanswered_for.is_some()
                    && client.unanswered_for == rules.keepalive;
                moves.extend(is_over.then_some(Move::Ping(index)));
            }
        }
        for (index, message) in self.messages.iter().enumerate() {
            let is_late = message.age >= rules.longest(message.what);
            moves.extend((is_late && self.keeps_alive(message)).then_some(Move::Arrive(index)));
        }
    }

    /// True if no client has started, or a pause or an outage has lasted as long as it may.
    fn must_change(&self, rules: &Rules) -> bool {
        let mut clients = self.clients.iter();
        let mut processes = 0..rules.processes;
        clients.clone().all(|it| it.runner.phase == Phase::NotStarted)
            || clients.any(|it| it.paused_for == Some(rules.length(Fault::Pause)))
            || self.stalled_for == Some(rules.length(Fault::Stall))
            || self.database_down_for == Some(rules.length(Fault::DatabaseCrash))
            || self.cuts.iter().any(|it| it.age == rules.length(Fault::Partition))
            || (0..rules.processes)
                .any(|it| self.locket.paused_for(it) == Some(rules.length(Fault::LocketPause)))
            || processes.any(|it| self.is_up_again(it, rules))
    }

    /// True if a process has been down for as long as it may. It cannot start without a database.
    fn is_up_again(&self, process: usize, rules: &Rules) -> bool {
        let down = self.locket.down_for(process);
        self.database_down_for.is_none() && down >= Some(rules.length(Fault::LocketCrash))
    }

    /// Moves that may come early.
    fn at_any_time(&self, moves: &mut Vec<Move>, rules: &Rules) {
        for (index, client) in self.clients.iter().enumerate() {
            let is_new = client.runner.phase == Phase::NotStarted;
            moves.extend(is_new.then_some(Move::Start(index)));
            moves.extend(client.paused_for.map(|_| Move::Wake(index)));
        }
        self.early_at_database(moves, rules);
        moves.extend((0..self.cuts.len()).map(Move::Heal));
        let paused = (0..rules.processes).filter(|&it| self.locket.is_paused(it));
        moves.extend(paused.map(Move::WakeLocket));
        let can_start = |it: &usize| !self.locket.runs(*it) && self.database_down_for.is_none();
        let down = (0..rules.processes).filter(can_start);
        moves.extend(down.map(Move::StartLocket));
        for (index, message) in self.messages.iter().enumerate() {
            let is_early = message.age < rules.longest(message.what);
            let is_second = message.copy == Copies::Second;
            if is_early && !is_second && message.is_on_its_way() && self.keeps_alive(message) {
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
                (Fault::Disconnect, client.connection.is_some(), Move::Disconnect(index)),
                (Fault::Pause, runs && !client.has_woken, Move::Pause(index)),
                (Fault::Restart, has_ended, Move::Restart(index)),
                (Fault::Stop, runs, Move::Stop(index)),
            ] {
                moves.extend((is_possible && self.may(fault, rules)).then_some(happens));
            }
        }
    }

    fn faults_elsewhere(&self, moves: &mut Vec<Move>, rules: &Rules) {
        let may = |fault| self.may(fault, rules);
        let is_up = self.database_down_for.is_none();
        if may(Fault::RowDeletion) && self.locket.row.is_some() && is_up {
            moves.push(Move::Evict);
        }
        if may(Fault::Failover) && self.locket.can_fail_over() {
            moves.push(Move::FailOver);
        }
        if may(Fault::Stall) && self.stalled_for.is_none() && is_up {
            moves.push(Move::Stall);
        }
        if may(Fault::DatabaseCrash) && is_up {
            moves.push(Move::CrashDatabase);
        }
        for (index, question) in self.locket.questions.iter().enumerate() {
            if may(Fault::LostReply) && question.is_new_answer() {
                moves.push(Move::LoseAnswer(index));
            }
        }
        let draining = (0..rules.processes).filter(|&it| self.may_drain(it, rules));
        moves.extend(draining.map(Move::DrainLocket));
        if may(Fault::Partition) {
            self.cuts_of(rules, |cut| moves.push(Move::Cut(cut)));
        }
        if may(Fault::LocketPause) {
            let is_awake = |it: &usize| self.locket.runs(*it) && !self.locket.is_paused(*it);
            moves.extend((0..rules.processes).filter(is_awake).map(Move::PauseLocket));
        }
        if may(Fault::LocketCrash) {
            let running = (0..rules.processes).filter(|&it| self.locket.runs(it));
            moves.extend(running.map(Move::CrashLocket));
        }
        for (index, message) in self.messages.iter().enumerate() {
            // That it never arrives is decided when it is sent.
            if may(Fault::LostMessage) && message.is_new() {
                moves.push(Move::Lose(index));
            }
            if may(Fault::Duplicate) && message.is_new() {
                moves.push(Move::Twice(index));
            }
        }
    }

    /// True if a client has something to do before time passes.
    pub(super) fn has_waiting(&self, client: usize, rules: &Rules) -> bool {
        let mut due = Vec::new();
        self.due(&mut due, rules);
        let is_for_it = |message: &Message| {
            message.client == client && !matches!(message.what, What::Request(_))
        };
        let own = [Move::Connect(client), Move::Ping(client), Move::Runner(client)];
        due.iter().any(|it| {
            let arrives =
                matches!(it, Move::Arrive(message) if is_for_it(&self.messages[*message]));
            arrives || own.contains(it)
        })
    }

    pub(super) fn may(&self, fault: Fault, rules: &Rules) -> bool {
        self.used[fault as usize] < rules.allowed[fault as usize]
    }

    /// True if a message's receiver is not paused.
    fn keeps_alive(&self, message: &Message) -> bool {
        match message.what {
            What::Reply(_) | What::NoConnection => {
                self.clients[message.client].paused_for.is_none()
            }
            What::Request(_) => !self.locket.is_paused(message.process),
        }
    }
}
