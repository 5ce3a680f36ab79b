//! The answer of a search, as text for people and as JSON.

pub(super) mod database_delays;
pub(super) mod play;
pub(super) mod replay;
pub(super) mod replay_error;
pub(super) mod scenario_text;
pub(super) mod schedule;
pub(super) mod story;
pub(super) mod timing;
pub(super) mod view;
pub(super) mod watch;
mod written;

use std::fmt;

use serde::Serialize;

use crate::amounts::{Seconds, count};
use crate::check::question::Question;
use crate::check::question::grid::Inexact;
use crate::check::search::coverage::Coverage;
use crate::check::search::edge::Edge;
use crate::check::search::why_not_any::WhyNotAny;
use crate::check::search::why_unknown::WhyUnknown;
use crate::check::search::{Proof, ProvedBy, Search, Verdict, Violation};
use crate::scenario::Share;
use crate::time::{Duration, Time};
use replay::Counterexample;
use replay_error::ReplayError;
use schedule::NoSchedule;
use story::Story;

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The question.
    pub question: Question,
    /// The verdict.
    pub verdict: Verdict,
    /// How many different states were found.
    pub states: usize,
    /// The faults and the time in milliseconds up to which everything was visited.
    pub reached: (u32, u64),
    /// The coverage of the search.
    pub coverage: Coverage,
    /// The counterexample with the fewest faults, and of these the earliest, if there is one.
    pub counterexample: Option<(Counterexample, Story)>,
    /// The visited counterexample with the longest violation.
    pub longest: Option<Counterexample>,
    /// True if nothing breaks it for longer: everything was visited, in steps as fine as that
    /// takes.
    pub has_longest: bool,
    /// Why the verdict is unknown, if it is.
    pub because: Option<WhyUnknown>,
    /// The proof, if the verdict is safe.
    pub proof: Option<Proof>,
    /// For how many clients the verdict holds; those that the question is about if it is unknown.
    pub clients: ClientCount,
    /// Why a safe verdict does not hold for any number of clients.
    pub not_any_because: Option<WhyNotAny>,
    /// No schedule of any number of clients breaks the property with fewer faults than this, or with
    /// as many before this time in milliseconds. That is known if each client was asked alone.
    pub lower_bound: Option<(u32, u64)>,
    /// Up to how many of the faults that may happen any number of times the question is safe, if
    /// that is not so for any number.
    pub edge: Option<Edge>,
}

/// A number of clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum ClientCount {
    /// Any number of clients, each with the settings of one of the question.
    Any,
    /// Any number of clients that share no key, each with the settings of the
    /// question's one.
    AnyWithoutSharedKeys,
    /// The clients of the question.
    #[serde(untagged)]
    Of(usize),
}

impl ClientCount {
    /// In words, if it has no limit.
    pub(super) const fn without_limit(self) -> Option<&'static str> {
        match self {
            Self::Any => Some("any number of clients"),
            Self::AnyWithoutSharedKeys => Some("any number of clients that share no key"),
            Self::Of(_) => None,
        }
    }
}

impl Search {
    /// The answer so far.
    ///
    /// # Errors
    ///
    /// The full world does not repeat the counterexample, which is a bug in the checker.
    pub fn answer(&self) -> Result<Answer, ReplayError> {
        let (first, longest) = self.violations();
        let counterexample = first.map(|it| self.counterexample(it)).transpose();
        let is_off_grid = self.is_off_grid(&counterexample);
        let (verdict, because) = self.judged_if(is_off_grid);
        let counterexample = if is_off_grid { None } else { counterexample? };
        let longest = longest.filter(|longest| first != Some(*longest) && !is_off_grid);
        let longest = longest.map(|it| self.counterexample(it)).transpose();
        let longest =
            if self.question().has_rates() { longest.unwrap_or_default() } else { longest? };
        // Measured in the world, the timers of such a clock may make the first one the longer.
        let first_lasted = counterexample.as_ref().map(|it| it.lasted);
        let longest = longest.filter(|it| first_lasted <= Some(it.lasted));
        Ok(Answer {
            question: self.question().clone(),
            verdict,
            states: self.states(),
            reached: self.reached(),
            coverage: self.coverage(),
            longest: longest.or_else(|| counterexample.clone()),
            has_longest: self.has_seen_all()
                && !self.longest_is_cut()
                && !self.question().is_preview(),
            counterexample: counterexample.map(|it| {
                let story = it.story();
                (it, story)
            }),
            because,
            proof: self.proof(),
            clients: self.clients(),
            not_any_because: self.why_not_any(),
            lower_bound: self.lower_bound(),
            edge: self.edge(),
        })
    }

    /// For how many clients the verdict holds; those that the question is about if it is unknown.
    pub fn clients(&self) -> ClientCount {
        match self.proof().map(|proof| proof.by) {
            Some(ProvedBy::EachClient) => ClientCount::Any,
            None if self.question().any_clients => ClientCount::Any,
            Some(ProvedBy::AllSchedules) if self.question().is_alone() => {
                ClientCount::AnyWithoutSharedKeys
            }
            Some(ProvedBy::AllSchedules) | None => ClientCount::Of(self.question().clients.len()),
        }
    }

    /// The verdict of the [answer](Self::answer), and the reason if it is unknown. That is the
    /// search's own [verdict](Self::verdict) but where the property is broken on its grid only.
    pub fn judged(&self) -> (Verdict, Option<WhyUnknown>) {
        // Without clock rates the world repeats every schedule.
        let first = self.violations().0.filter(|_| self.question().has_rates());
        let counterexample = first.map(|it| self.counterexample(it)).transpose();
        self.judged_if(self.is_off_grid(&counterexample))
    }

    fn judged_if(&self, is_off_grid: bool) -> (Verdict, Option<WhyUnknown>) {
        if is_off_grid {
            return (Verdict::NotFinished, Some(WhyUnknown::ClockRates));
        }
        let verdict = self.verdict();
        let is_broken = verdict == Verdict::NotFinished && self.is_broken_alone();
        let because = match is_broken {
            true => Some(WhyUnknown::EachClient),
            false => WhyUnknown::of(verdict, self.question()),
        };
        (verdict, because)
    }

    /// True if the world, which is exact, does not repeat the schedule: timers of a clock with a
    /// rate of its own are due between the instants of the search.
    fn is_off_grid(&self, counterexample: &Result<Option<Counterexample>, ReplayError>) -> bool {
        let is_unrepeated =
            matches!(counterexample, Err(ReplayError::Diverges { .. } | ReplayError::Holds));
        self.question().has_rates() && is_unrepeated
    }

    fn counterexample(&self, violation: Violation) -> Result<Counterexample, ReplayError> {
        let schedule = self.schedule_of(violation);
        let schedule = schedule.map_err(|NoSchedule| ReplayError::NoSchedule)?;
        schedule.counterexample(&self.explorer.question)
    }
}

impl Answer {
    /// The verdict in words: what it is, within which bounds, and how much was tried.
    pub fn summary(&self) -> String {
        let verdict = self.verdict_words();
        let settings = self.question.settings_words();
        let bounds = self.question.bounds_words();
        let tried = match self.verdict {
            Verdict::Preview | Verdict::Safe => {
                format!(" Checked all {}.", count(self.states as u64, "state"))
            }
            Verdict::NeverExercised | Verdict::NotFinished | Verdict::Running | Verdict::Unsafe => {
                String::new()
            }
        };
        let finest = self.finest_words();
        let at_least = self.lower_bound_words();
        let any_number = self.clients.without_limit();
        let any_number = any_number.filter(|_| self.verdict == Verdict::Safe);
        let drifting = self.free_drift_words();
        let clients = match (any_number, self.not_any_because) {
            (Some(any_number), _) if self.proof.is_some_and(|it| it.any_processes) => {
                format!(" That holds for {any_number}, and of Locket processes{drifting}.")
            }
            (Some(any_number), _) => format!(" That holds for {any_number}."),
            (None, Some(why)) => why.words(&self.question),
            (None, None) => String::new(),
        };
        let edge = self.edge.as_ref().map(Edge::words).unwrap_or_default();
        format!("{verdict}{edge}{at_least} {settings} {bounds}{clients}{tried}{finest}")
    }

    /// The drift of clocks that the proof covers without being asked.
    fn free_drift_words(&self) -> String {
        let none = Share::default();
        let drift = self.proof.map_or(none, |it| it.drift);
        match drift == none || self.question.drift() != none {
            true => String::new(),
            false => format!(", also if clocks drift by up to {}", drift.words()),
        }
    }

    /// The bound for any number of clients, where the search itself came less far.
    fn lower_bound_words(&self) -> String {
        let is_cut =
            matches!(self.because, Some(WhyUnknown::EachClient | WhyUnknown::TooManyStates));
        let known = self.lower_bound.filter(|it| is_cut && *it > self.reached);
        let Some((faults, time)) = known else {
            return String::new();
        };
        let time = Seconds(Duration::from_ms(time));
        let breaks = self.question.property.words();
        match faults {
            0 => format!(
                " With any number of clients, no schedule without a fault that ends before {time} {breaks}."
            ),
            _ => {
                let faults = count(faults.into(), "fault");
                format!(
                    " With any number of clients, no schedule with fewer than {faults} {breaks}, and none with {faults} that ends before {time}."
                )
            }
        }
    }

    fn verdict_words(&self) -> String {
        let breaks = self.question.property.words();
        let states = count(self.states as u64, "state");
        let (faults, time) = self.reached;
        let time = Seconds(Duration::from_ms(time));
        let with_faults = match faults {
            0 => "without a fault".to_owned(),
            faults => format!("with {}", count(faults.into(), "fault")),
        };
        match self.verdict {
            Verdict::NeverExercised => format!(
                "No verdict within these bounds: none of {states} tests whether a schedule {breaks}. Add a client or a fault, or ask about another property."
            ),
            Verdict::NotFinished if self.because == Some(WhyUnknown::ClockRates) => format!(
                "Unknown within these bounds: on the search's grid a schedule {breaks}, but an exact run does not show it. A clock with its own rate has timers that are due between the steps of the grid."
            ),
            Verdict::NotFinished if self.because == Some(WhyUnknown::EachClient) => format!(
                "Unknown within these bounds: among others that may do everything, {}. No schedule that {breaks} was found.",
                self.question.property.broken_alone_words()
            ),
            Verdict::NotFinished if faults == 0 => format!(
                "Unknown within these bounds: the search stopped at {states}. No schedule without a fault that ends before {time} {breaks}."
            ),
            Verdict::NotFinished => format!(
                "Unknown within these bounds: the search stopped at {states}. No schedule with fewer than {} {breaks}, and none {with_faults} that ends before {time}.",
                count(faults.into(), "fault")
            ),
            Verdict::Preview if self.because == Some(WhyUnknown::Drift) => {
                format!(
                    "Unknown within these bounds: no schedule {breaks} if clocks run at the same rate."
                )
            }
            Verdict::Preview => format!(
                "Preview within these bounds: no schedule in steps of {} {breaks}{}.",
                Seconds(self.question.grid()),
                self.inexact_words()
            ),
            Verdict::Safe => format!("Safe within these bounds: no schedule {breaks}."),
            Verdict::Running => format!("Searching: {states} so far."),
            Verdict::Unsafe => format!(
                "Unsafe within these bounds: a schedule {with_faults} {breaks}, after {time}.{}{}",
                self.longest_words(),
                self.coarse_words()
            ),
        }
    }

    fn longest_words(&self) -> String {
        let (Some((first, _)), Some(longest)) = (&self.counterexample, &self.longest) else {
            return String::new();
        };
        let lasted = Seconds(longest.lasted);
        if self.has_longest && longest.lasted > Duration::ZERO {
            format!(" At the longest that lasts {lasted}.")
        } else if longest.lasted > first.lasted {
            format!(" The longest that was seen lasts {lasted}; not every schedule was tried.")
        } else {
            String::new()
        }
    }

    /// A violation in coarse steps is one, but need be neither the smallest nor the longest.
    fn coarse_words(&self) -> String {
        let grid = Seconds(self.question.grid());
        match self.question.inexact() {
            Some(Inexact::Drift) => {
                " Clocks that drift may break it earlier, or for longer.".to_owned()
            }
            Some(why) => format!(" Tried in steps of {grid} only; {why}."),
            None => String::new(),
        }
    }

    fn inexact_words(&self) -> String {
        let inexact = self.question.inexact();
        inexact.map(|why| format!("; {why}")).unwrap_or_default()
    }

    /// Which setting makes the search long, if the search ended before it was done.
    fn finest_words(&self) -> String {
        match self.question.finest() {
            Some(finest) if self.verdict == Verdict::NotFinished => format!(" {finest}"),
            Some(_) | None => String::new(),
        }
    }

    /// The step that decides that the property is broken, and before it the last one of each
    /// other client: why the answer is a bad one.
    pub(super) fn reason(&self) -> Option<String> {
        let (counterexample, story) = self.counterexample.as_ref()?;
        let words: Vec<String> = story
            .decisive(counterexample.time, self.question.property)
            .iter()
            .map(|line| {
                let at = Seconds(line.time.since(Time::ZERO));
                format!("at {at}, {}", line.words)
            })
            .collect();
        (!words.is_empty()).then(|| words.join("; "))
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.summary())?;
        match &self.counterexample {
            Some((_, story)) => write!(f, "{story}"),
            None => Ok(()),
        }
    }
}
