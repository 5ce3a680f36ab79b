//! How conditions begin, last and end: after their longest time at the latest, and before at any
//! instant.

use super::Explorer;
use super::condition::{Condition, Lasting};
use super::moves::Move;
use super::state::State;
use crate::environment::happening::Node;

impl Explorer {
    /// The ends of conditions that may come now.
    pub(super) fn ends(&self, state: &State, choices: &mut Vec<Move>) {
        // Among others a stall may have begun before anything of the client was held up.
        let has_begun_before = |what| self.has_others() && what == Condition::Stalled;
        let may_end =
            |it: &&Lasting| it.age > 0 || it.what.matters_at_once() || has_begun_before(it.what);
        let ending = state.can_end().filter(may_end);
        choices.extend(ending.map(|it| it.what.end()));
    }

    /// In how many units each condition ends at the latest that can.
    pub(super) fn units_to_ends(&self, state: &State) -> impl Iterator<Item = u16> {
        // How long a process drains depends on its client's calls, too.
        let ends = state.can_end();
        let ends = ends
            .filter(|it| !self.lasts_any_time(it.what) && !matches!(it.what, Condition::Drains(_)));
        ends.map(|it| self.longest(it.what) - it.age)
    }

    /// Whether a process has been down for as long as it may.
    pub(super) fn process_has_to_start(&self, state: &State) -> bool {
        let is_process = |it: &&Lasting| matches!(it.what, Condition::Down(Node::Locket(_)));
        let mut down = state.can_end().filter(is_process);
        down.any(|it| !self.lasts_any_time(it.what) && it.age == self.longest(it.what))
    }

    /// For how long a condition may last, in units.
    const fn longest(&self, what: Condition) -> u16 {
        if let Condition::Drains(_) = what {
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
    }
}

impl State {
    /// The conditions that can end: no Locket process starts while the database is down (S27).
    fn can_end(&self) -> impl Iterator<Item = &Lasting> {
        let waits = |what| {
            matches!(what, Condition::Down(Node::Locket(_)))
                && self.has(Condition::Down(Node::Database))
        };
        self.lasting.iter().filter(move |it| !waits(it.what))
    }

    /// Whether a condition lasts.
    pub(in crate::check) fn has(&self, what: Condition) -> bool {
        self.lasting.iter().any(|it| it.what == what)
    }

    pub(super) fn begin(&mut self, what: Condition) {
        debug_assert!(!self.has(what), "{what:?} does not begin twice");
        self.lasting.add(Lasting { what, age: 0 });
    }

    /// Ends conditions, however long they have lasted.
    pub(super) fn end(&mut self, is_its: impl Fn(Condition) -> bool) {
        self.lasting.end(is_its);
    }

    /// Whether a node does nothing until it is woken.
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
            let is_cut = matches!(what, Condition::Cut { .. });
            is_cut && (what.client(), what.process()) == (Some(client), process)
        });
    }
}
