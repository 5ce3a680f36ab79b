//! Other times for the steps of a schedule, for clocks of other rates. Their timers are due
//! between the instants of a search. So the same steps in the same order happen a little before or
//! after the times of the search.

use super::play::Play;
use super::replay_error::{ReplayError, diverges};
use super::schedule::{Fate, MessageName, Schedule};
use crate::check::question::Question;
use crate::environment::acts::Happening;
use crate::environment::happening::Due;
use crate::time::{Duration, Time};

/// When the things of a schedule happen that are due at no fixed time, where they cannot happen
/// when the search says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Timing {
    Early,
    Late,
    OfTheSearch,
}

impl Timing {
    pub(in crate::check) const ALL: [Self; 3] = [Self::OfTheSearch, Self::Early, Self::Late];
}

impl Schedule {
    /// The same things in the same order, timers when they are due, and everything else by
    /// `timing`.
    pub(in crate::check) fn timed(
        &self,
        question: &Question,
        timing: Timing,
    ) -> Result<Self, ReplayError> {
        let mut all_late = self.clone();
        all_late.step = Duration::from_ms(1);
        for fate in all_late.fates.values_mut() {
            if *fate != Fate::Lost {
                *fate = Fate::Late;
            }
        }
        let mut timed = all_late.clone();
        let mut play = Play::new(&all_late, question)?;
        play.is_exact = false;
        play.delay_database();
        for (number, decision) in self.decisions.iter().enumerate() {
            let at = play.time_of(decision.what, decision.at, timing);
            play.watch.reach(at, &mut play.running, &mut play.recorder);
            play.hasten(decision.what);
            play.foresee(decision);
            play.decide(decision).map_err(|what| diverges(number, at, what))?;
            timed.decisions[number].at = at;
            if let Happening::Due(Due::Arrive(name)) = decision.what {
                timed.fates.insert(name, Fate::Arrives(at));
            }
        }
        timed.database_delays = play.delays_of_database();
        // Long enough for what must not last to have lasted.
        let last = timed.decisions.last().map_or(Time::ZERO, |last| last.at);
        timed.ends = last + self.ends.since(self.decisions.last().map_or(last, |it| it.at));
        Ok(timed)
    }
}

impl Play<'_> {
    fn time_of(&self, what: Happening<MessageName>, planned: Time, timing: Timing) -> Time {
        let world = &self.running.world;
        let now = world.now();
        let at = match (what, timing) {
            (Happening::Pass(_), _) => now,
            (Happening::Due(due), _) if !self.is_arrival(what) && !matches!(due, Due::Start(_)) => {
                let wanted = self.in_world(due);
                wanted.and_then(|due| world.time_of(due)).unwrap_or(now)
            }
            (_, Timing::Early) => now,
            // Not after what comes only later in the schedule.
            (_, Timing::Late) => world.next_of_clients().unwrap_or(now),
            (_, Timing::OfTheSearch) => {
                let next = world.next_of_clients();
                next.map_or(planned, |next| next.min(planned))
            }
        };
        at.max(now)
    }
}
