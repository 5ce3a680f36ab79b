//! Acts from outside: their effects on nodes and links, and for how long pauses, downtimes, stalls,
//! drains and cuts last. Each ends after its longest time at the latest, and before at any instant.

use super::Explorer;
use super::conditions::Lasting;
use super::machines::Machines;
use super::moves::Move;
use super::state::State;
use super::stepping::Stepping;
use crate::check::question::faults::Fault;
use crate::check::steps::back_end;
use crate::check::steps::clients::Input;
use crate::check::steps::interned::NoStep;
use crate::environment::acts::Act;
use crate::environment::happening::{Due, Node, Others};
use crate::environment::rules::End;

impl<M: Machines> Stepping<'_, M> {
    pub(super) fn act(&mut self, act: Act) -> Result<(), NoStep> {
        if let Some(fault) = Fault::of(act) {
            self.use_up(fault);
        }
        match act {
            Act::Crash(Node::Client(client)) => self.end_life(client, Input::Crash)?,
            Act::Crash(Node::Database) => self.crash_database()?,
            Act::Crash(Node::Locket(process)) => {
                self.end_process(process, End::Crash)?;
                self.detach(process)?;
            }
            Act::Cut { .. } | Act::Pause(_) | Act::Suspend(_) => self.state.begin(act),
            Act::DeleteRow => self.ask_back_end(back_end::Input::DeleteRow)?,
            Act::Disconnect(client) => self.disconnect(client)?,
            // Clients learn at once that they have to connect elsewhere for their next call.
            Act::Drain(process) => {
                self.begin_drain_among_others(process);
                self.ask_back_end(back_end::Input::Drain(process))?;
            }
            Act::FailOver => {
                let commits = self.explorer.question.bounds.faults[Fault::Failover].lost_commits;
                self.ask_back_end(back_end::Input::FailOver(commits))?;
            }
            Act::Heal { client, process } => self.state.heal(client, process),
            // It may begin anew while it lasts.
            Act::Slow(_) => {
                self.state.end(|what| what == act);
                self.state.begin(act);
            }
            Act::Stall => self.stall()?,
            Act::Start(Node::Client(client)) => self.end_life(client, Input::Start)?,
            Act::Start(node) => self.start(node)?,
            Act::Store { client, .. } => self.explorer.give_token(self.state, client),
            Act::Stop(client) => self.input(client, Input::Signal)?,
        }
        Ok(())
    }

    /// A client crashes or starts, which ends its pause.
    fn end_life(&mut self, client: u8, input: Input) -> Result<(), NoStep> {
        self.state.wake(Node::Client(client));
        self.input(client, input)
    }

    /// The database or a Locket process starts. It may crash again at this very instant, and be down
    /// for as long once more.
    fn start(&mut self, node: Node) -> Result<(), NoStep> {
        debug_assert!(self.state.has(Act::Crash(node)), "only a node that is down starts");
        self.state.end(|what| what == Act::Crash(node));
        match node {
            Node::Locket(process) => self.ask_back_end(back_end::Input::Start(process)),
            Node::Database => self.ask_back_end(back_end::Input::StartDatabase),
            Node::Client(_) => Ok(()),
        }
    }
}

impl Act {
    /// The move that ends it; of an act that does not last, none. A connection that is slow is so for
    /// the longest time: it lets messages be late, and makes none late.
    const fn end(self) -> Option<Move> {
        Some(match self {
            Self::Cut { client, process, .. } => Move::Act(Self::Heal { client, process }),
            Self::Drain(process) => Move::Due(Due::Others(Others::EndCalls { process })),
            Self::Crash(node) => Move::Act(Self::Start(node)),
            Self::Pause(_) | Self::Suspend(_) => Move::Due(Due::Wake(self.node())),
            Self::Stall => Move::Due(Due::StallEnds),
            Self::DeleteRow
            | Self::Disconnect(_)
            | Self::FailOver
            | Self::Heal { .. }
            | Self::Slow(_)
            | Self::Start(_)
            | Self::Stop(_)
            | Self::Store { .. } => return None,
        })
    }

    /// True if it changes something although it ends at the instant at which it has begun. A crash
    /// and a drain do; of the others, each order is tried anyway.
    const fn matters_at_once(self) -> bool {
        matches!(self, Self::Crash(_) | Self::Drain(_))
    }

    /// The node that does nothing while it lasts.
    pub(super) const fn held_up(self) -> Option<Node> {
        if matches!(self, Self::Pause(_) | Self::Suspend(_)) { Some(self.node()) } else { None }
    }

    /// The fault that it is.
    pub(super) const fn fault(self) -> Fault {
        Fault::of(self).expect("what lasts is a fault")
    }

    /// The client that it is on, or whose link.
    pub(in crate::check) const fn client(self) -> Option<u8> {
        match self.node() {
            Node::Client(client) => Some(client),
            Node::Database | Node::Locket(_) => None,
        }
    }

    /// The Locket process that it is on, or whose link.
    pub(in crate::check) const fn process(self) -> Option<u8> {
        match (self, self.node()) {
            (Self::Cut { process, .. }, _) => process,
            (_, Node::Locket(process)) => Some(process),
            (_, Node::Client(_) | Node::Database) => None,
        }
    }

    /// The same of another client or process.
    pub(in crate::check) fn of(self, client: u8, process: u8) -> Self {
        let on = |node: Node| match node {
            Node::Client(_) => Node::Client(client),
            Node::Database => Node::Database,
            Node::Locket(_) => Node::Locket(process),
        };
        match self {
            Self::Cut { process: one, ways, .. } => {
                Self::Cut { client, process: one.map(|_| process), ways }
            }
            Self::Crash(node) => Self::Crash(on(node)),
            Self::Drain(_) => Self::Drain(process),
            Self::Pause(node) => Self::Pause(on(node)),
            Self::Slow(_) => Self::Slow(client),
            Self::Suspend(_) => Self::Suspend(client),
            Self::DeleteRow
            | Self::Disconnect(_)
            | Self::FailOver
            | Self::Heal { .. }
            | Self::Stall
            | Self::Start(_)
            | Self::Stop(_)
            | Self::Store { .. } => self,
        }
    }
}

impl Explorer {
    /// The ends of conditions that may come now.
    pub(super) fn ends(&self, state: &State, choices: &mut Vec<Move>) {
        // Among others a stall may have begun before anything of the client was held up.
        let has_begun_before = |what| self.has_others() && what == Act::Stall;
        let may_end =
            |it: &&Lasting| it.age > 0 || it.what.matters_at_once() || has_begun_before(it.what);
        let ending = state.can_end().filter(may_end);
        choices.extend(ending.filter_map(|it| it.what.end()));
    }

    /// In how many units each condition ends at the latest that can.
    pub(super) fn units_to_ends(&self, state: &State) -> impl Iterator<Item = u16> {
        // How long a process drains depends on its client's calls, too.
        let ends = state.can_end();
        let ends =
            ends.filter(|it| !self.lasts_any_time(it.what) && !matches!(it.what, Act::Drain(_)));
        ends.map(|it| self.longest(it.what) - it.age)
    }

    /// True if a process has been down for as long as it may.
    pub(super) fn process_has_to_start(&self, state: &State) -> bool {
        let is_process = |it: &&Lasting| matches!(it.what, Act::Crash(Node::Locket(_)));
        let mut down = state.can_end().filter(is_process);
        down.any(|it| !self.lasts_any_time(it.what) && it.age == self.longest(it.what))
    }

    /// For how long a condition may last, in units.
    const fn longest(&self, what: Act) -> u16 {
        if let Act::Drain(_) = what {
            return self.calls_of_others;
        }
        self.lengths[what.fault() as usize]
    }

    /// Lets time pass.
    pub(super) fn age_conditions(&self, state: &mut State, units: u16) {
        for (what, age) in state.lasting.ages() {
            // Whether it has begun just now counts in any case.
            let longest = match self.lasts_any_time(what) {
                true => 1,
                false => self.longest(what),
            };
            *age = (*age + units).min(longest);
        }
        let is_over = |it: &&Lasting| it.what.end().is_none() && it.age >= self.longest(it.what);
        while let Some(Lasting { what, .. }) = state.lasting.iter().find(is_over).copied() {
            state.end(|it| it == what);
        }
    }
}

impl State {
    /// The conditions that can end: no Locket process starts while the database is down (S27).
    fn can_end(&self) -> impl Iterator<Item = &Lasting> {
        let waits = |what| {
            matches!(what, Act::Crash(Node::Locket(_))) && self.has(Act::Crash(Node::Database))
        };
        self.lasting.iter().filter(move |it| !waits(it.what))
    }

    /// True if a condition lasts.
    pub(in crate::check) fn has(&self, what: Act) -> bool {
        self.lasting.has(what)
    }

    pub(super) fn begin(&mut self, what: Act) {
        debug_assert!(!self.has(what), "{what:?} does not begin twice");
        self.lasting.add(Lasting { what, age: 0 });
    }

    /// Ends conditions, however long they have lasted.
    pub(super) fn end(&mut self, is_its: impl Fn(Act) -> bool) {
        self.lasting.end(is_its);
    }

    /// True if a node does nothing until it is woken.
    pub(in crate::check) const fn is_paused(&self, node: Node) -> bool {
        self.lasting.hold_up(node)
    }

    /// A node goes on.
    pub(super) fn wake(&mut self, node: Node) {
        if self.is_paused(node) {
            self.end(|what| what.held_up() == Some(node));
        }
    }

    /// A link carries messages again, or those to all processes.
    pub(super) fn heal(&mut self, client: u8, process: Option<u8>) {
        self.end(|what| {
            let is_cut = matches!(what, Act::Cut { .. });
            is_cut && (what.client(), what.process()) == (Some(client), process)
        });
    }
}
