//! The writes of a schedule. A search has no step for them: it knows when each was decided on last, and
//! by which one the property is broken.

use crate::check::explorer::Explorer;
use crate::check::explorer::moves::Move;
use crate::check::explorer::state::State;
use crate::check::explorer::storage::{WrongWrite, ends_life};
use crate::check::question::limits::CLIENTS_MAX;
use crate::environment::acts::{Act, Happening, Store};
use crate::sorted::sorted_by;
use crate::time::{Duration, Time};

/// The writes that clients may have sent, as a schedule goes on.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    /// When each client has decided on something last that has left.
    last: [Option<Place>; CLIENTS_MAX],
    /// When each client was paused, which holds up what it has decided on.
    held: [Option<Place>; CLIENTS_MAX],
    /// The write of a later holder that each client's come after.
    after: [Option<Write>; CLIENTS_MAX],
    /// Everything that is not a step, in any order.
    added: Vec<Added>,
    steps: u32,
}

/// Something that is no step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Added {
    /// After how many decisions.
    pub(super) after: usize,
    /// After how many steps.
    steps: u32,
    pub(super) at: Time,
    pub(super) act: Act,
    /// How long it takes, if it arrives at once.
    pub(super) lasts: Option<Duration>,
}

/// A place among the decisions of a schedule: after so many of them, and after so many steps. A step of
/// the storage is no decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    after: usize,
    steps: u32,
    at: Time,
}

/// A write, or a request for a token.
#[derive(Clone, Copy, Debug)]
struct Write {
    client: u8,
    decided: Place,
    arrives: Place,
}

/// A step that was taken.
pub(super) struct Taken<'a> {
    pub(super) before: &'a State,
    pub(super) after: &'a State,
    pub(super) what: Move,
    /// How many decisions there are with it, and the time after it.
    pub(super) decisions: usize,
    pub(super) now: Time,
    pub(super) unit: Duration,
    pub(super) wrong: Option<WrongWrite>,
}

impl Written {
    /// Follows a step.
    pub(super) fn follow(&mut self, explorer: &Explorer, step: &Taken<'_>) {
        self.steps += 1;
        let here = Place { after: step.decisions, steps: self.steps, at: step.now };
        let (was, is) = (explorer.deciding(step.before), explorer.deciding(step.after));
        let before = self.last;
        for (client, last) in self.last.iter_mut().enumerate() {
            let held = [step.before, step.after].map(|state| state.writes[client].is_held());
            let (was, is) = (was >> client & 1 != 0, is >> client & 1 != 0);
            match held {
                [false, true] => self.held[client] = Some(here),
                [true, false] if !ends_life(step.what, client as u8) => *last = self.held[client],
                [false, false] | [true, _] => {}
            }
            if is {
                *last = Some(here);
            } else if was && matches!(step.what, Happening::Pass(_)) {
                let at = step.now.as_ms() - step.unit.as_ms();
                let at = Time::from_ms(at);
                *last = Some(Place { at, ..here });
            }
        }
        if let Happening::Act(Act::Store { client, .. }) = step.what {
            let acts = was >> client & 1 != 0;
            let decided = before[usize::from(client)].filter(|_| !acts);
            let decided = decided.unwrap_or(here);
            self.add(Store::TakeToken, Write { client, decided, arrives: here });
        }
        self.note_late(explorer, step, here);
        if let Some(wrong) = step.wrong {
            self.add_wrong(wrong, before, here);
        }
    }

    /// Notes after which write those of a client are late from now on.
    fn note_late(&mut self, explorer: &Explorer, step: &Taken<'_>, here: Place) {
        for late in 0..explorer.clients() as u8 {
            let [was, is] = [step.before, step.after]
                .map(|state| state.writes[usize::from(late)].come_after_another());
            let is_new = (0..2).any(|of| is[of] && !was[of]);
            let writer = explorer.last_taken(step.after).filter(|_| is_new);
            if let Some(client) = writer {
                let decided = self.last[usize::from(client)].unwrap_or(here);
                self.after[usize::from(late)] = Some(Write { client, decided, arrives: here });
            }
        }
    }

    fn add_wrong(&mut self, wrong: WrongWrite, before: [Option<Place>; CLIENTS_MAX], here: Place) {
        let WrongWrite { client, after_own, was_sent_before } = wrong;
        let index = usize::from(client);
        let last = match was_sent_before {
            true => before[index],
            false => self.last[index],
        };
        let own = Write { client, decided: here, arrives: here };
        let earlier = if after_own { Some(own) } else { self.after[index] };
        if let Some(write) = earlier {
            self.add(Store::Write, write);
        }
        let decided = last.unwrap_or(here);
        self.add(Store::Write, Write { client, decided, arrives: here });
    }

    /// A write without latency arrives as it is sent.
    fn add(&mut self, what: Store, write: Write) {
        let Write { client, decided, arrives } = write;
        let at_once = decided == arrives;
        let mut add = |place: Place, what, lasts| {
            self.added.push(Added {
                after: place.after,
                steps: place.steps,
                at: place.at,
                act: Act::Store { client, what },
                lasts,
            });
        };
        add(decided, what, at_once.then_some(Duration::ZERO));
        if !at_once {
            add(arrives, Store::Arrive, None);
        }
    }

    /// Everything to insert among the decisions, the last first.
    pub(super) fn into_last_first(self) -> impl Iterator<Item = Added> {
        // At one place in the order in which they were added.
        let added = sorted_by(self.added, |a, b| (a.after, a.steps).cmp(&(b.after, b.steps)));
        added.into_iter().rev()
    }
}

/// True if a step is one of the storage, which is put in with the request before it.
pub(super) const fn is_of_storage(what: Move) -> bool {
    matches!(what, Happening::Act(Act::Store { .. }))
}
