//! For how long what must not last has lasted in the world, measured between all instants at
//! which anything changes.

use crate::check::question::limits::{KEY, NAMES};
use crate::check::question::owners::Owners;
use crate::check::question::visible::VisibleState;
use crate::check::question::{Property, Question};
use crate::protocol::runner;
use crate::scenario::Running;
use crate::time::{Duration, Time};
use crate::trace::{Event, Recorder};
use crate::world::event::What;

/// The clients that believe they hold the lock, as bits.
pub(in crate::check) fn believers(running: &Running) -> u8 {
    let world = &running.world;
    bits(running, &|client| world.believes_held(client))
}

/// A bit set of the clients that believe they hold the lock and run.
fn acting(running: &Running) -> u8 {
    let world = &running.world;
    bits(running, &|client| world.acts(client))
}

/// A bit set of the clients that satisfy `is_so`.
fn bits(running: &Running, is_so: &dyn Fn(usize) -> bool) -> u8 {
    let clients = 0..running.world.clients();
    let clients = clients.filter(|client| is_so(*client));
    clients.fold(0, |bits, client| bits | 1 << client)
}

/// The client of this name, by number: it is the owner of the same name.
pub(in crate::check) fn owner_number(name: &str) -> Option<u64> {
    let client = NAMES.iter().position(|it| *it == name);
    client.map(|client| client as u64)
}

/// A property, watched while a run goes on.
#[derive(Clone, Debug)]
pub(in crate::check) struct Watch {
    property: Property,
    owners: Owners,
    had_owner: bool,
    /// How many events it has looked at.
    seen: usize,
    /// For how long it has lasted: for each client where each is looked at by itself, else in the
    /// first place.
    lasted: [Duration; NAMES.len()],
    longest: Duration,
}

impl Watch {
    pub(in crate::check) fn new(question: &Question) -> Self {
        Self {
            property: question.property,
            owners: question.owners(),
            had_owner: false,
            seen: 0,
            lasted: [Duration::ZERO; NAMES.len()],
            longest: Duration::ZERO,
        }
    }

    /// The visible state of the world, for the property.
    pub(in crate::check) fn view(&self, running: &Running) -> VisibleState {
        let world = &running.world;
        let is_alive = |client| {
            let runner = world.runner(client);
            runner.is_some_and(|runner| runner.exited().is_none())
        };
        let owner = world.row(KEY).and_then(|row| owner_number(&row.owner?));
        VisibleState {
            believers: believers(running),
            running: bits(running, &is_alive),
            owner: owner.map(|owner| owner as u8),
        }
    }

    /// The longest that it has lasted without a break.
    pub(in crate::check) const fn longest(&self) -> Duration {
        self.longest
    }

    /// Lets the run go on until just before anything happens at `time`.
    pub(in crate::check) fn reach(
        &mut self,
        time: Time,
        running: &mut Running,
        recorder: &mut Recorder,
    ) {
        let before = Time::from_ms(time.as_ms().saturating_sub(1));
        while running.world.now() < time {
            let now = running.world.now();
            // The rest of this instant, and beliefs that end by a clock alone.
            running.run_to(now, recorder);
            let clients = 0..running.world.clients();
            let ends = clients.map(|client| running.world.belief_ends(client));
            let next = ends.chain(running.world.next_time());
            let next = next.filter(|next| *next > now).min();
            let next = next.map_or(time, |next| next.min(time));
            self.note_owner(running, recorder);
            self.pass(self.view(running), acting(running), next.since(now));
            if next == time {
                running.run_to(before, recorder);
                running.pass_to(time);
            } else {
                running.pass_to(next);
            }
        }
    }

    /// Looks whether the lock has an owner, or had one since the last look: also one that comes and
    /// goes within an instant was there.
    pub(in crate::check) fn note_owner(&mut self, running: &Running, recorder: &Recorder) {
        let events = recorder.events();
        let mut new = events[self.seen..].iter();
        self.seen = events.len();
        self.had_owner |= self.property.has_owner(self.view(running))
            || (self.property.counts_acquiring() && new.any(is_acquired));
    }

    fn pass(&mut self, view: VisibleState, acting: u8, time: Duration) {
        if let Property::BeliefMatchesRow { .. } = self.property {
            for (client, lasted) in self.lasted.iter_mut().enumerate() {
                let disagrees = view.disagreeing(self.owners) >> client & 1 != 0;
                *lasted = if disagrees { *lasted + time } else { Duration::ZERO };
            }
        } else if self.property.is_wrong(view, || acting, self.owners, self.had_owner) {
            self.lasted[0] = self.lasted[0] + time;
        } else {
            self.lasted[0] = Duration::ZERO;
        }
        let lasted = self.lasted.into_iter().max();
        self.longest = self.longest.max(lasted.unwrap_or_default());
    }
}

/// True if a client takes its lock.
fn is_acquired(event: &Event) -> bool {
    let Event::World(it) = event else {
        return false;
    };
    matches!(it.what, What::Runner(runner::Event::Acquired))
}
