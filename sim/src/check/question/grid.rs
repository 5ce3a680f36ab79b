//! The grid on which a question is searched: the step of time that an exact answer takes, and the
//! setting that makes it fine. Knows the times of a question and nothing of how they are searched.

use super::faults::{Does, Fault};
use std::fmt;

use super::Question;
use crate::amounts::Seconds;
use crate::node::connection::KEEPALIVE;
use crate::node::connection::back_off::FIRST;
use crate::protocol::server::{OPERATION_TIMEOUT, POLL_INTERVAL};
use crate::scenario::{RunnerKind, Share};
use crate::time::Duration;

/// From how many times finer a grid on a search takes much longer.
const FINE_FACTOR: u64 = 5;

impl Question {
    /// The longest step that divides every time, the given grid included.
    pub(in crate::check) fn unit_ms(&self) -> u64 {
        gcd(self.exact_grid().as_ms(), self.grid().as_ms())
    }

    /// The step of time at which messages arrive and faults begin and end.
    pub fn grid(&self) -> Duration {
        self.grid.unwrap_or_else(|| self.exact_grid())
    }

    /// The same question with a grid as long as an exact answer takes, if any does.
    #[must_use]
    pub(in crate::check) fn in_exact_steps(self) -> Self {
        Self { grid: None, ..self }
    }

    /// True if the grid is coarser than an exact answer takes: a violation is one all the same,
    /// but a schedule that breaks the property between the steps is not found. With suspends, with
    /// clock rates and with drift every grid is; see the [module](crate::check).
    pub fn is_preview(&self) -> bool {
        self.inexact().is_some()
    }

    /// Why a search does not prove anything, if it does not.
    pub(in crate::check) fn inexact(&self) -> Option<Inexact> {
        let grid = self.grid().as_ms().max(1);
        let is_coarse = !self.exact_grid().as_ms().is_multiple_of(grid);
        [
            (is_coarse, Inexact::Coarse(self.exact_grid())),
            (self.has_suspends(), Inexact::Suspends),
            (self.has_rates(), Inexact::ClockRates),
            (self.drift() != Share::default(), Inexact::Drift),
        ]
        .into_iter()
        .find_map(|(is_so, why)| is_so.then_some(why))
    }

    fn has_suspends(&self) -> bool {
        Fault::that(Does::FreezesClock)
            .any(|it| self.bounds.allow(it) && self.bounds.faults[it].length > Duration::ZERO)
    }

    /// The longest step of time that divides every setting and bound. All bounds of time are
    /// inclusive, so on its multiples a search finds what it would find in continuous time; see
    /// the [module](crate::check).
    pub fn exact_grid(&self) -> Duration {
        let times = self.times().into_iter();
        Duration::from_ms(times.map(|(_, time)| time.as_ms()).fold(0, gcd))
    }

    /// Every time that the question depends on, with the name of its field.
    fn times(&self) -> Vec<(&'static str, Duration)> {
        let fixed = [
            ("polls", POLL_INTERVAL, self.polls_matter()),
            ("operations", OPERATION_TIMEOUT, self.bounds.exceed_operation_timeout()),
            ("keepalive", KEEPALIVE, self.bounds.allow_any_that(Does::FailsPings)),
            ("backOff", FIRST, self.has_back_off()),
        ];
        let fixed = fixed.into_iter().filter(|(_, _, matters)| *matters);
        self.given_times().into_iter().chain(fixed.map(|(name, time, _)| (name, time))).collect()
    }

    /// Those of its settings and bounds.
    pub(super) fn given_times(&self) -> Vec<(&'static str, Duration)> {
        let mut times: Vec<_> = self.bounds.times().collect();
        times.extend(self.write_latency().map(|it| ("storage.writeLatency", it)));
        for client in &self.clients {
            let settings = client.runner_settings();
            times.push(("ttl", client.ttl));
            times.push(("retryInterval", settings.retry_interval));
            times.extend(settings.margin().map(|margin| ("margin", margin)));
            if let RunnerKind::Rule(own) = &client.runner {
                times.extend(own.times());
            }
        }
        times
    }

    /// The setting or bound that makes the exact grid much finer, if one alone does, and the
    /// nearest values with which it would not.
    pub fn finest(&self) -> Option<FinestGrid> {
        let times = self.times();
        let grid = self.exact_grid();
        let without = |left_out: &str| {
            let others = times.iter().filter(|(field, _)| *field != left_out);
            others.map(|(_, time)| time.as_ms()).fold(0, gcd)
        };
        let given = self.given_times().into_iter().filter(|(_, time)| *time > Duration::ZERO);
        let (field, value) = given.max_by_key(|(field, _)| without(field))?;
        // Steps of a second are coarse enough, and nearer.
        let coarser = without(field);
        let in_seconds = gcd(coarser, 1_000);
        let is_coarse = |step: &u64| *step >= FINE_FACTOR * grid.as_ms();
        let coarser = [in_seconds, coarser].into_iter().find(is_coarse)?;
        let below = value.as_ms() / coarser * coarser;
        Some(FinestGrid {
            field,
            value,
            grid,
            below: Duration::from_ms(below),
            above: Duration::from_ms(below + coarser),
            coarser: Duration::from_ms(coarser),
        })
    }

    /// For how long it is counted how long something lasts. Nothing that ends takes as long: all
    /// leases end, and all who may try again do, several times over.
    pub(in crate::check) fn horizon(&self) -> Duration {
        let longest = self.times().into_iter().map(|(_, time)| time.as_ms()).max();
        let bounds = self.bounds.times();
        // The query and its answer.
        let answer = self.bounds.database_latency.as_ms();
        let around: u64 = bounds.map(|(_, time)| time.as_ms()).sum::<u64>() + answer;
        let once = longest.unwrap_or_default() + around;
        Duration::from_ms(self.property.bound().as_ms() + 4 * once)
    }

    /// The step in which a bound is raised, where it is asked how large it may be.
    pub(in crate::check) const fn step(&self) -> Duration {
        match self.grid {
            Some(grid) => grid,
            None => Duration::from_seconds(1),
        }
    }
}

/// Why a search does not prove anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Inexact {
    /// A clock has a rate of its own: its timers are due between the steps of any grid.
    ClockRates,
    /// An exact answer takes steps of this length.
    Coarse(Duration),
    /// Clocks may drift, and all schedules are tried with clocks that run alike.
    Drift,
    /// How long a timer takes depends on when a suspend begins and ends.
    Suspends,
}

impl fmt::Display for Inexact {
    /// The reason as the second part of a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClockRates => f.write_str("no step makes a search with clock rates exact"),
            Self::Coarse(exact) => write!(f, "an exact answer takes steps of {}", Seconds(*exact)),
            Self::Drift => f.write_str("clocks may drift"),
            Self::Suspends => f.write_str("no step makes a search with suspends exact"),
        }
    }
}

/// A setting or bound that makes a search long, since it has no large step in common with the
/// others; see [`Question::finest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinestGrid {
    /// Its field.
    pub field: &'static str,
    /// Its value.
    pub value: Duration,
    /// The exact grid with it.
    pub grid: Duration,
    /// The nearest smaller value with which the grid would be coarser.
    pub below: Duration,
    /// The nearest larger one.
    pub above: Duration,
    /// The exact grid with one of these.
    pub coarser: Duration,
}

impl fmt::Display for FinestGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.field.rsplit('.').next().unwrap_or(self.field);
        write!(
            f,
            "With {name} {} the search takes steps of {}; with {} or {} they would be {}.",
            Seconds(self.value),
            Seconds(self.grid),
            Seconds(self.below),
            Seconds(self.above),
            Seconds(self.coarser)
        )
    }
}

pub(super) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
