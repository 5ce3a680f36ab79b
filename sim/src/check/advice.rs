//! Advice about settings: whether they are safe, how much is to spare, and which safe settings are
//! nearest, each by complete searches.

use std::fmt;

use super::model::Reductions;
use super::question::{Question, QuestionError};
use super::search::{Search, Verdict};
use crate::json::Json;
use crate::scenario::RunnerKind;
use crate::time::Duration;

/// Advice about the settings of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What the settings of the question come to.
    pub verdict: Verdict,
    /// By how much longer than the question says a pause may be for the property to hold still,
    /// as far as was tried; `None` if it does not hold as it is.
    pub spare_pause: Option<Duration>,
    /// What the settings cost.
    pub cost: Cost,
    /// The nearest settings that are proved safe, one for each thing that can be changed; none if
    /// the question's own are.
    pub alternatives: Vec<Alternative>,
}

/// What settings cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// How long a lock may be nobody's after its holder has crashed: T + r, and four messages: the
    /// holder's last renewal, the answer that the waiter is refused with, its next attempt, and
    /// that one's answer.
    pub handover_max: Duration,
    /// How many renewals each runner sends an hour, at most.
    pub renewals_per_hour: u64,
}

/// Settings that are proved safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Which runner.
    pub runner: RunnerKind,
    /// How long the row lives.
    pub ttl: Duration,
    /// How long runners wait between attempts.
    pub retry: Duration,
    /// What they cost.
    pub cost: Cost,
}

/// How many steps of the grid are tried for a pause that can be spared.
const SPARE_STEPS_MAX: u64 = 30;
/// Up to how many times the TTL is looked for a safe one.
const TTL_FACTOR_MAX: u64 = 4;

impl Question {
    /// Advice about the settings of the first client, which all others share. A search that
    /// would keep more than `states_max` states counts as not proved.
    ///
    /// # Errors
    ///
    /// If the question makes no sense.
    pub fn advise(&self, states_max: usize) -> Result<Advice, QuestionError> {
        self.check()?;
        let verdict = self.verdict(states_max)?;
        let is_safe = verdict == Verdict::Proved;
        Ok(Advice {
            verdict,
            spare_pause: is_safe.then(|| self.spare_pause(states_max)).transpose()?,
            cost: self.cost(),
            alternatives: if is_safe {
                Vec::new()
            } else {
                self.alternatives(states_max)?
            },
        })
    }

    fn verdict(&self, states_max: usize) -> Result<Verdict, QuestionError> {
        let mut search = Search::new(self.clone(), Reductions::default(), states_max)?;
        Ok(search.run(u64::MAX))
    }

    fn spare_pause(&self, states_max: usize) -> Result<Duration, QuestionError> {
        let (grid, pause) = (self.grid.as_ms(), self.bounds.pause.as_ms());
        let mut spare = 0;
        for steps in 1..=SPARE_STEPS_MAX {
            let mut question = self.clone();
            question.bounds.pauses = question.bounds.pauses.max(1);
            question.bounds.pause = Duration::from_ms(pause + steps * grid);
            if question.verdict(states_max)? != Verdict::Proved {
                break;
            }
            spare = steps * grid;
        }
        Ok(Duration::from_ms(spare))
    }

    /// A longer TTL, a shorter retry interval, the safe runner: the nearest of each.
    fn alternatives(&self, states_max: usize) -> Result<Vec<Alternative>, QuestionError> {
        let client = &self.clients[0];
        let (ttl, retry) = (client.ttl.as_ms() / 1000, client.retry.as_ms());
        let longer = (ttl + 1..=ttl * TTL_FACTOR_MAX).map(Duration::from_seconds);
        let grid = self.grid.as_ms();
        let shorter = (1..retry.div_ceil(grid)).map(|steps| retry - steps * grid);
        let ways: [Vec<Self>; 3] = [
            longer
                .map(|ttl| self.with(client.runner, ttl, client.retry))
                .collect(),
            shorter
                .map(|retry| self.with(client.runner, client.ttl, Duration::from_ms(retry)))
                .collect(),
            vec![self.with(RunnerKind::Safe, client.ttl, client.retry)],
        ];
        let mut alternatives = Vec::new();
        for way in ways {
            for question in way {
                // The Cloud Controller's timing is its own.
                if question.check().is_ok() && question.verdict(states_max)? == Verdict::Proved {
                    alternatives.push(question.alternative());
                    break;
                }
            }
        }
        Ok(alternatives)
    }

    fn with(&self, runner: RunnerKind, ttl: Duration, retry: Duration) -> Self {
        let mut question = self.clone();
        for client in &mut question.clients {
            (client.runner, client.ttl, client.retry) = (runner, ttl, retry);
        }
        question
    }

    fn alternative(&self) -> Alternative {
        let client = &self.clients[0];
        Alternative {
            runner: client.runner,
            ttl: client.ttl,
            retry: client.retry,
            cost: self.cost(),
        }
    }

    fn cost(&self) -> Cost {
        let client = &self.clients[0];
        let messages = 4 * self.bounds.delay.as_ms();
        Cost {
            handover_max: Duration::from_ms(client.ttl.as_ms() + client.retry.as_ms() + messages),
            renewals_per_hour: 3_600_000 / client.retry.as_ms().max(1),
        }
    }
}

impl Advice {
    /// As JSON, with times in milliseconds.
    pub fn to_json(&self) -> String {
        let mut json = Json::default();
        json.open('{').key("verdict").string(self.verdict.name());
        json.key("sparePause");
        json.optional_plain(self.spare_pause.map(Duration::as_ms));
        self.cost.write(&mut json);
        json.key("alternatives").open('[');
        for it in &self.alternatives {
            json.open('{').key("runner").string(it.runner.name());
            json.key("ttl").plain(it.ttl.as_ms());
            json.key("retry").plain(it.retry.as_ms());
            it.cost.write(&mut json);
            json.close('}');
        }
        json.close(']').close('}');
        json.take()
    }
}

impl Cost {
    fn write(&self, json: &mut Json) {
        json.key("handoverMax").plain(self.handover_max.as_ms());
        json.key("renewalsPerHour").plain(self.renewals_per_hour);
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a crash is noticed within {}, {} renewals an hour",
            self.handover_max, self.renewals_per_hour
        )
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.spare_pause {
            Some(spare) => writeln!(f, "Proved safe, with {spare} of pause to spare.")?,
            None => writeln!(f, "Not proved safe: {}.", self.verdict.name())?,
        }
        writeln!(f, "Cost: {}.", self.cost)?;
        for it in &self.alternatives {
            let (runner, ttl, retry) = (it.runner.name(), it.ttl, it.retry);
            writeln!(
                f,
                "Proved safe instead: {runner} runner, TTL {ttl}, retry {retry}; {}.",
                it.cost
            )?;
        }
        Ok(())
    }
}
