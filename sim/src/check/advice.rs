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

/// Advice under way. Let it [`run`](Self::run) in slices until it is done.
#[derive(Clone, Debug)]
pub struct Adviser {
    question: Question,
    states_max: usize,
    /// What is asked next, and the search for it if it is under way.
    step: Step,
    search: Option<Search>,
    /// Other settings to be tried, nearest first, for each thing that can be changed.
    ways: Vec<Vec<Question>>,
    advice: Advice,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Whether the settings are safe.
    Settings,
    /// Whether they are with so many steps more of pause.
    Spare(u64),
    /// Whether other settings are: which way, and how far on it.
    Way(usize, usize),
}

/// How many steps of the grid are tried for a pause that can be spared.
const SPARE_STEPS_MAX: u64 = 30;
/// Up to how many times the TTL is looked for a safe one.
const TTL_FACTOR_MAX: u64 = 4;

impl Adviser {
    /// Advice about the settings of the first client, which all others share. A search that
    /// would keep more than `states_max` states counts as not proved.
    ///
    /// # Errors
    ///
    /// If the question makes no sense.
    pub fn new(question: Question, states_max: usize) -> Result<Self, QuestionError> {
        question.check()?;
        let advice = Advice {
            verdict: Verdict::Running,
            spare_pause: None,
            cost: question.cost(),
            alternatives: Vec::new(),
        };
        Ok(Self {
            ways: question.ways(),
            question,
            states_max,
            step: Step::Settings,
            search: None,
            advice,
        })
    }

    /// Visits up to about `budget` states more. Says whether the advice is complete.
    pub fn run(&mut self, budget: u64) -> bool {
        let mut left = budget;
        while left > 0 {
            let search = self.search.take().or_else(|| {
                let asked = self.asked()?;
                Search::new(asked, Reductions::default(), self.states_max).ok()
            });
            let Some(mut search) = search else {
                return true;
            };
            let before = search.visits();
            let verdict = search.run(left);
            left = left.saturating_sub((search.visits() - before).max(1));
            if verdict == Verdict::Running {
                self.search = Some(search);
            } else {
                self.note(verdict);
            }
        }
        self.search.is_none() && self.asked().is_none()
    }

    /// What is known so far; its verdict is [`Verdict::Running`] until something is.
    pub const fn advice(&self) -> &Advice {
        &self.advice
    }

    /// The next question; none if nothing is left to be asked.
    fn asked(&self) -> Option<Question> {
        match self.step {
            Step::Settings => Some(self.question.clone()),
            Step::Spare(steps) => {
                let mut question = self.question.clone();
                let bounds = &mut question.bounds;
                bounds.pauses = bounds.pauses.max(1);
                let more = steps * question.grid.as_ms();
                bounds.pause = Duration::from_ms(bounds.pause.as_ms() + more);
                (steps <= SPARE_STEPS_MAX && question.check().is_ok()).then_some(question)
            }
            Step::Way(way, index) => self.ways.get(way)?.get(index).cloned(),
        }
    }

    /// Takes the answer to what was asked.
    fn note(&mut self, verdict: Verdict) {
        let is_proved = verdict == Verdict::Proved;
        self.step = match self.step {
            Step::Settings => {
                self.advice.verdict = verdict;
                self.advice.spare_pause = is_proved.then_some(Duration::ZERO);
                if is_proved {
                    Step::Spare(1)
                } else {
                    self.on_way(0, 0)
                }
            }
            Step::Spare(steps) if is_proved => {
                let spare = steps * self.question.grid.as_ms();
                self.advice.spare_pause = Some(Duration::from_ms(spare));
                Step::Spare(steps + 1)
            }
            Step::Spare(_) => Step::Spare(SPARE_STEPS_MAX + 1),
            Step::Way(way, index) if is_proved => {
                let alternative = self.ways[way][index].alternative();
                self.advice.alternatives.push(alternative);
                self.on_way(way + 1, 0)
            }
            Step::Way(way, index) => self.on_way(way, index + 1),
        };
    }

    /// The first settings from there on, on this way or a later one.
    fn on_way(&self, way: usize, index: usize) -> Step {
        match self.ways.get(way) {
            Some(settings) if index >= settings.len() => self.on_way(way + 1, 0),
            _ => Step::Way(way, index),
        }
    }
}

impl Question {
    /// All of the advice of an [`Adviser`] at once.
    ///
    /// # Errors
    ///
    /// If the question makes no sense.
    pub fn advise(&self, states_max: usize) -> Result<Advice, QuestionError> {
        let mut adviser = Adviser::new(self.clone(), states_max)?;
        adviser.run(u64::MAX);
        Ok(adviser.advice)
    }

    /// A longer TTL, a shorter retry interval, the safe runner: nearest first, and only what
    /// makes sense. The Cloud Controller's timing is its own.
    fn ways(&self) -> Vec<Vec<Self>> {
        let client = &self.clients[0];
        let (ttl, retry) = (client.ttl.as_ms() / 1000, client.retry.as_ms());
        let grid = self.grid.as_ms();
        let longer = (ttl + 1..=ttl * TTL_FACTOR_MAX).map(Duration::from_seconds);
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
        let makes_sense = |question: &Self| question.check().is_ok();
        let ways = ways.into_iter();
        ways.map(|way| way.into_iter().filter(makes_sense).collect())
            .collect()
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
