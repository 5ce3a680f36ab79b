//! Visits every state that can be reached, unless each client alone proves the property. Those with fewer faults first and of these the
//! earlier ones are first, so that the first violation is the one with the smallest schedule.
//!
//! Knows states as words and the order of visits; what follows from a state is the
//! [explorer](crate::check::explorer)'s. Natively, other cores look ahead, which changes no result.

#[cfg(not(target_arch = "wasm32"))]
mod ahead;
pub(super) mod coverage;
mod each_client;
pub(super) mod edge;
mod fewer;
pub(super) mod following;
mod found;
pub(super) mod space;
pub(super) mod store;
mod verdict;
pub(super) mod why_not_any;
pub(super) mod why_unknown;

use std::ops::ControlFlow;

use crate::check::explorer::state::State;
use crate::check::explorer::{Explorer, Reductions};
use crate::check::question::local::Local;
use crate::check::question::{Question, QuestionError};
use crate::check::steps::interned::NoStep;
use crate::time::Duration;
use coverage::{Coverage, Happened};
use each_client::EachClient;
use edge::Counts;
use following::{Followed, Scratch};
use found::Found;
use store::{Cost, NO_PARENT, Origin, hash};
pub use verdict::{Proof, ProvedBy, Verdict};

/// A search under way; a value that can be cloned.
///
/// Let it [`run`](Self::run) in slices until it says that it has ended.
#[derive(Clone, Debug)]
pub struct Search {
    /// The question. The searched one may have counts where this has any number.
    asked: Question,
    counts: Option<Counts>,
    /// Asked before any state is visited.
    each_client: EachClient,
    /// Asked after there is no room for more states: a search of fewer clients.
    fewer: Option<Box<Self>>,
    has_asked_fewer: bool,
    /// The faults and time of the violation that such a search looks for.
    last: Option<Cost>,
    pub(super) explorer: Explorer,
    found: Found,
    ended: Option<Ended>,
    /// The first violation, and the longest so far.
    first: Option<Violation>,
    longest: Option<Violation>,
    /// True if the property was put to the test at all.
    exercised: bool,
    happened: Happened,
    /// The faults and time of what is being visited.
    reached: Cost,
    visits: u64,
    /// How many states were visited with other counts.
    visits_before: u64,
    /// The states to visit next, in order.
    batch: Vec<u32>,
    scratch: Scratch,
    /// A state's words, and room for as many.
    written: (Vec<u32>, Vec<u32>),
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// Every state was visited.
    Complete,
    /// There is no room for more.
    Cut,
}

/// The property is broken: in a state, by a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Violation {
    pub(super) state: u32,
    /// The faults and time of the state.
    cost: Cost,
    /// For how long what must not last has lasted after the choice, in units.
    pub(super) lasted: u16,
}

/// How many states are taken from the frontier at once: more would be waste where a search ends.
const BATCH: u64 = 4096;

impl Search {
    /// A search for a violation that keeps at most `states_max` states.
    ///
    /// # Errors
    ///
    /// If the question makes no sense.
    pub fn new(
        question: Question,
        reductions: Reductions,
        states_max: usize,
    ) -> Result<Self, QuestionError> {
        question.check()?;
        Ok(Self::begin(question, reductions, states_max))
    }

    fn begin(question: Question, reductions: Reductions, states_max: usize) -> Self {
        let each_client = match reductions.each_client {
            true => EachClient::of(&question, states_max),
            false => EachClient::default(),
        };
        let counts = Counts::of(&question, reductions, states_max);
        let explorer = Explorer::new(question.with_counts(0), reductions);
        Self { each_client, counts, ..Self::of(explorer, question, states_max) }
    }

    /// A search of one client among any number of others.
    fn local(question: Question, local: Local, states_max: usize) -> Self {
        let explorer = Explorer::local(question.clone(), local);
        Self::of(explorer, question, states_max)
    }

    fn of(explorer: Explorer, asked: Question, states_max: usize) -> Self {
        let mut search = Self {
            asked,
            counts: None,
            each_client: EachClient::default(),
            fewer: None,
            has_asked_fewer: false,
            last: None,
            explorer: explorer.within(states_max),
            found: Found { states_max: states_max.min(u32::MAX as usize - 1), ..Found::default() },
            ended: None,
            first: None,
            longest: None,
            exercised: false,
            happened: Happened::default(),
            reached: (0, 0),
            visits: 0,
            visits_before: 0,
            batch: Vec::new(),
            scratch: Scratch::default(),
            written: (Vec::new(), Vec::new()),
        };
        let (words, spare) = &mut search.written;
        search.explorer.encode(&State::start(), words, spare);
        let origin = Origin { parent: NO_PARENT, cost: (0, 0) };
        if search.found.keep(words, hash(words), origin).is_break() {
            search.ended = Some(Ended::Cut);
        }
        search
    }

    /// Visits up to `budget` states more, unless a violation is found, and says how things stand.
    /// Natively several cores take part where there is enough to do; the result is the same with
    /// any number of them.
    pub fn run(&mut self, budget: u64) -> Verdict {
        self.visit_up_to(budget, |search| search.first.is_some());
        self.verdict()
    }

    /// The same with what is left of a budget; it uses at least one state.
    pub(in crate::check) fn run_within(&mut self, left: &mut u64) -> Verdict {
        let before = self.visits();
        let verdict = self.run(*left);
        *left = left.saturating_sub((self.visits() - before).max(1));
        verdict
    }

    /// Goes on after a violation, by up to `budget` states, to find the longest one. Says whether
    /// all states were visited, so that it is the longest there is.
    pub fn run_to_longest(&mut self, budget: u64) -> bool {
        self.visit_up_to(budget, |_| false);
        self.has_seen_all()
    }

    /// True if going on can find out no more: all was visited or there is no room, or the
    /// property is broken by something that takes no time.
    pub fn has_all(&self) -> bool {
        let takes_no_time = self.question().property.takes_no_time();
        self.has_ended() || takes_no_time && self.first.is_some()
    }

    /// True if every state was visited: then the longest violation is the longest there is. With any
    /// number of a fault that is never so.
    pub fn has_seen_all(&self) -> bool {
        let is_of_all = self.counts.is_none() && !self.has_asked_fewer;
        self.ended == Some(Ended::Complete) && (self.first.is_none() || is_of_all)
    }

    /// True if the search has nothing more to do: all states were visited, or there is no room.
    pub const fn has_ended(&self) -> bool {
        self.ended.is_some() && self.fewer.is_none()
    }

    fn visit_up_to(&mut self, budget: u64, is_enough: impl Fn(&Self) -> bool) {
        let until = self.visits().saturating_add(budget);
        while self.each_client.run(until.saturating_sub(self.visits())) {
            let mut is_unproved = self.counts.as_ref().is_some_and(Counts::is_first);
            if self.each_client.proved().is_some() {
                self.exercised = true;
                self.ended = Some(Ended::Complete);
            } else if !is_unproved {
                self.visit_all_until(until, &is_enough);
                self.ask_fewer_until(until);
            }
            let is_unbroken = self.ended == Some(Ended::Complete) && self.first.is_none();
            let is_counted = self.counts.as_ref().is_some_and(|it| !it.is_first());
            is_unproved &= !is_unbroken && !self.has_ended();
            let can_go_on = is_unproved || is_unbroken && is_counted;
            let is_raised = can_go_on && self.raise_counts().is_continue();
            if !is_raised && self.ask_once().is_break() {
                return;
            }
        }
    }

    /// Visits the states of all schedules.
    fn visit_all_until(&mut self, until: u64, is_enough: impl Fn(&Self) -> bool) {
        while self.ended.is_none() && self.visits() < until && !is_enough(self) {
            let count = BATCH.min(until - self.visits()) as usize;
            match self.found.next_batch(count, &mut self.batch) {
                Some(cost) if self.is_beyond(cost) => self.ended = Some(Ended::Cut),
                Some(cost) => self.visit_batch(cost),
                None => self.ended = Some(Ended::Complete),
            }
        }
    }

    /// How things stand.
    pub fn verdict(&self) -> Verdict {
        match self.ended {
            _ if self.first.is_some() => Verdict::Unsafe,
            None => Verdict::Running,
            Some(Ended::Cut) if self.fewer.is_some() => Verdict::Running,
            Some(Ended::Complete) if self.each_client.proved().is_some() => Verdict::Safe,
            Some(Ended::Complete) if !self.exercised => Verdict::NeverExercised,
            Some(Ended::Complete) if self.question().is_preview() => Verdict::Preview,
            Some(Ended::Complete) => Verdict::Safe,
            Some(Ended::Cut) => Verdict::NotFinished,
        }
    }

    /// How many different states were found: of all schedules, or of [each client](Self::proof)
    /// alone.
    pub fn states(&self) -> usize {
        match self.each_client.proved() {
            Some(proved) => proved.states,
            None if self.visits == 0 => self.found.store.len().max(self.each_client.states()),
            None => self.found.store.len(),
        }
    }

    /// How many states were visited so far.
    pub fn visits(&self) -> u64 {
        let of_fewer = self.fewer.as_ref().map_or(0, |it| it.visits());
        self.visits_before + self.visits + self.each_client.visits() + of_fewer
    }

    /// The proof, if the verdict is safe.
    pub fn proof(&self) -> Option<Proof> {
        let is_safe = self.verdict() == Verdict::Safe;
        let proved = self.each_client.proved();
        is_safe.then(|| Proof {
            by: match proved {
                Some(_) => ProvedBy::EachClient,
                None => ProvedBy::AllSchedules,
            },
            states: self.states(),
            any_processes: proved.is_some_and(|it| it.any_processes),
            drift: proved.map(|it| it.drift).unwrap_or_default(),
        })
    }

    /// No schedule of any number of clients breaks the property with fewer faults than this, or with
    /// as many before this time in milliseconds. That is known if each client was asked alone.
    pub fn lower_bound(&self) -> Option<(u32, u64)> {
        let of_any = self.counts.as_ref().and_then(Counts::lower_bound);
        of_any.or_else(|| self.each_client.lower_bound())
    }

    /// True if there is no proof since a client alone breaks the property, with any number of
    /// others or of faults.
    pub(super) fn is_broken_alone(&self) -> bool {
        self.counts.as_ref().is_some_and(Counts::is_broken)
    }

    /// How many faults the states have that are being visited, and at what time they are
    /// reached first, in milliseconds: everything with fewer faults, or as many and earlier,
    /// was visited. After a violation, those of the first one.
    pub fn reached(&self) -> (u32, u64) {
        if let Some(proved) = self.each_client.proved() {
            return proved.reached;
        }
        let (faults, time) = self.first.map_or(self.reached, |first| first.cost);
        let reached = (faults, u64::from(time) * self.explorer.unit_ms);
        match &self.counts {
            Some(counts) if self.first.is_none() => counts.reached(reached),
            Some(_) | None => reached,
        }
    }

    /// For how long the longest violation lasts that was found so far.
    pub fn longest(&self) -> Option<Duration> {
        let units = self.longest?.lasted;
        Some(Duration::from_ms(u64::from(units) * self.explorer.unit_ms))
    }

    /// True if the longest violation lasts as long as is counted, so that it may last longer.
    pub fn longest_is_cut(&self) -> bool {
        self.longest.is_some_and(|it| it.lasted >= self.explorer.horizon)
    }

    /// The coverage so far.
    pub fn coverage(&self) -> Coverage {
        if let Some(proved) = self.each_client.proved() {
            return proved.coverage.clone();
        }
        Coverage::of(&self.explorer, self.happened)
    }

    /// The question.
    pub const fn question(&self) -> &Question {
        &self.asked
    }

    /// Visits the states of a batch in order. Results that were computed ahead of time equal those
    /// of following them one by one, so the number of cores changes nothing.
    fn visit_batch(&mut self, cost: Cost) {
        let mut batch = std::mem::take(&mut self.batch);
        let found_before = self.first.is_some();
        #[cfg(not(target_arch = "wasm32"))]
        let ahead = ahead::look_ahead(&self.explorer, &self.found.store, &batch, cost);
        #[cfg(not(target_arch = "wasm32"))]
        let mut ahead = ahead.iter().flat_map(ahead::Ahead::states);
        let mut done = 0;
        for &state in &batch {
            done += 1;
            #[cfg(not(target_arch = "wasm32"))]
            let known = ahead.next().flatten();
            // It was reached in a better way meanwhile, and visited then.
            if !self.found.store.begin_visit(state, cost) {
                continue;
            }
            self.reached = cost;
            self.visits += 1;
            #[cfg(not(target_arch = "wasm32"))]
            if let Some(known) = known {
                let mut followers = known.followers();
                let room = followers.try_for_each(|(words, hash, cost)| {
                    let parent = state;
                    self.found.keep(words, hash, Origin { parent, cost })
                });
                self.note(state, known.followed, room);
            } else {
                self.visit(state, cost);
            }
            #[cfg(target_arch = "wasm32")]
            self.visit(state, cost);
            if self.ended.is_some() || self.first.is_some() != found_before {
                break;
            }
        }
        // After the first violation the search may go on; it begins with these.
        self.found.put_back(cost, batch.drain(done..));
        self.batch = batch;
    }

    fn visit(&mut self, state: u32, cost: Cost) {
        let Self { explorer, found, scratch, written: (words, spare), .. } = self;
        scratch.read(explorer, found.store.words(state));
        let mut room = ControlFlow::Continue(());
        let followed = scratch.follow(explorer, |explorer, child, units| {
            explorer.encode(child, words, spare);
            let time = cost.1.saturating_add(units.into());
            let cost = (explorer.faults(child), time);
            let parent = state;
            room = found.keep(words, hash(words), Origin { parent, cost });
            room
        });
        match followed {
            Ok(followed) => self.note(state, followed, room),
            Err(NoStep) => self.ended = Some(Ended::Cut),
        }
    }

    /// Notes what following a state has found out, and whether there was room for what follows.
    fn note(&mut self, state: u32, followed: Followed, room: ControlFlow<()>) {
        self.exercised |= followed.exercised;
        self.happened.join(followed.happened);
        let violation = Violation { state, cost: self.reached, lasted: followed.lasted };
        if followed.violated {
            self.first.get_or_insert(violation);
            if self.longest.is_none_or(|longest| violation.lasted > longest.lasted) {
                self.longest = Some(violation);
            }
        }
        if room.is_break() {
            self.ended = Some(Ended::Cut);
        }
    }

    /// The first violation, and the longest so far.
    pub(super) const fn violations(&self) -> (Option<Violation>, Option<Violation>) {
        (self.first, self.longest)
    }

    /// The states on the way to one.
    pub(super) fn path_to(&self, mut state: u32) -> Vec<&[u32]> {
        let mut path = Vec::new();
        while state != NO_PARENT {
            path.push(self.found.store.words(state));
            state = self.found.store.parent(state);
        }
        path.reverse();
        path
    }
}
