//! The question of a map, and that of each cell: what the axis raises, and by how much.

use crate::check::question::Question;
use crate::check::question::axis::Axis;
use crate::check::question::count::Count;
use crate::check::question::faults::Fault;
use crate::time::Duration;

/// The question of each cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapQuestion {
    /// All else; TTL, retry interval and what the axis says are replaced in each cell.
    pub question: Question,
    /// The rows.
    pub ttls: Vec<Duration>,
    /// The columns.
    pub retries: Vec<Duration>,
    /// The quantity that is raised until the property breaks.
    pub axis: Axis,
    /// How many steps of the axis are tried at most.
    pub max_steps: u32,
    /// The most states of one search.
    pub states_max: usize,
}

impl MapQuestion {
    /// The question of a cell with such an amount of the axis: milliseconds, or losses.
    /// Its steps are as short as an exact answer takes: the grid of the map's
    /// question says only how long a step of the axis is.
    pub fn of_cell(&self, ttl: Duration, retry_interval: Duration, amount: u64) -> Question {
        let mut question = self.question.clone().in_exact_steps();
        for client in &mut question.clients {
            (client.ttl, client.retry_interval) = (ttl, retry_interval);
        }
        match self.axis {
            Axis::Latency => question.bounds.latency = Duration::from_ms(amount),
            Axis::LostMessage => {
                let most = u8::try_from(amount).unwrap_or(u8::MAX);
                question.bounds.faults[Fault::LostMessage].count = Count::UpTo(most);
            }
            Axis::Pause => {
                let pause = &mut question.bounds.faults[Fault::Pause];
                pause.length = Duration::from_ms(amount);
                pause.count = match amount {
                    0 => Count::default(),
                    _ => pause.count.max(Count::UpTo(1)),
                };
            }
        }
        question
    }

    /// The bounds in [that question](Self::of_cell), by their names.
    pub fn cell_bounds(
        &self,
        ttl: Duration,
        retry_interval: Duration,
        amount: u64,
    ) -> Vec<(&'static str, String)> {
        let question = self.of_cell(ttl, retry_interval, amount);
        question.bounds.list(&self.question.bounds)
    }

    /// So many steps of the axis as an amount of it.
    pub(super) const fn amount(&self, steps: u32) -> u64 {
        let step = match self.axis {
            Axis::LostMessage => 1,
            Axis::Latency | Axis::Pause => self.question.step().as_ms(),
        };
        step.saturating_mul(steps as u64)
    }

    /// The same in words.
    pub(super) fn value(&self, steps: u32) -> String {
        let amount = self.amount(steps);
        match self.axis {
            Axis::LostMessage => amount.to_string(),
            Axis::Latency | Axis::Pause => Duration::from_ms(amount).to_string(),
        }
    }
}
