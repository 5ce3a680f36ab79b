//! Advice about settings: whether they are safe, how much is to spare, and which safe settings are
//! nearest, each by complete searches.

use std::fmt;

use super::bosh::BoshSettings;
use super::least::Least;
use super::model::Reductions;
use super::question::{Bounds, ClientQuestion, Property, Question, QuestionError};
use super::search::{Search, Verdict};
use crate::json::Json;
use crate::scenario::RunnerKind;
use crate::time::Duration;

/// Advice about the settings of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The job of a BOSH release whose settings these are, if they are one's.
    pub job: Option<BoshSettings>,
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
    /// Whether they can be set: a job of a BOSH release may have some of them fixed.
    pub is_settable: bool,
}

/// Advice under way. Let it [`run`](Self::run) in slices until it is done.
#[derive(Clone, Debug)]
pub struct Adviser {
    question: Question,
    states_max: usize,
    /// What is asked next, and the search for it if it is under way.
    step: Step,
    search: Option<Search>,
    /// The things that can be changed.
    ways: Vec<Way>,
    advice: Advice,
}

/// What is asked.
#[derive(Clone, Debug)]
enum Step {
    /// Whether the settings are safe.
    Settings,
    /// With how many steps more of pause they are not, beyond the first.
    Spare(Least),
    /// Whether other settings are: which way.
    Way(usize),
}

/// A thing that can be changed: other settings, nearest first, and which of them are safe.
#[derive(Clone, Debug)]
struct Way {
    settings: Vec<Question>,
    safe: Least,
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
            job: None,
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

    /// The same advice, which says in addition what a manifest can do about the job whose
    /// settings these are.
    #[must_use]
    pub fn of_job(mut self, settings: BoshSettings) -> Self {
        self.advice.job = Some(settings);
        self
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
        match &self.step {
            Step::Settings => Some(self.question.clone()),
            Step::Spare(breaking) => Some(self.question.with_more_pause(breaking.asked()? + 1)),
            Step::Way(way) => {
                let way = self.ways.get(*way)?;
                way.settings.get(way.safe.asked()? as usize).cloned()
            }
        }
    }

    /// Takes the answer to what was asked.
    fn note(&mut self, verdict: Verdict) {
        let is_proved = verdict == Verdict::Proved;
        match &mut self.step {
            Step::Settings => {
                self.advice.verdict = verdict;
                self.step = if is_proved {
                    let makes_sense =
                        |steps: &u64| self.question.with_more_pause(*steps).check().is_ok();
                    let steps = (1..=SPARE_STEPS_MAX).take_while(makes_sense).count();
                    // More pause allows every schedule that less of it allows.
                    Step::Spare(Least::of_rising(steps as u64))
                } else {
                    Step::Way(0)
                };
            }
            Step::Spare(breaking) => breaking.note(!is_proved),
            Step::Way(way) => self.ways[*way].safe.note(is_proved),
        }
        self.conclude();
    }

    /// Writes down what is known, and goes on to what is not.
    fn conclude(&mut self) {
        if let Step::Spare(breaking) = &self.step {
            let steps = breaking.none_below();
            let spare = steps * self.question.step().as_ms();
            self.advice.spare_pause = Some(Duration::from_ms(spare));
        }
        while let Step::Way(index) = self.step {
            let Some(way) = self.ways.get(index) else {
                return;
            };
            if way.safe.asked().is_some() {
                return;
            }
            if let Some(found) = way.safe.found() {
                let mut alternative = way.settings[found as usize].alternative();
                if let Some(job) = &self.advice.job {
                    alternative.is_settable = job.can_be(&alternative);
                }
                self.advice.alternatives.push(alternative);
            }
            self.step = Step::Way(index + 1);
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

    fn with_more_pause(&self, steps: u64) -> Self {
        let mut question = self.clone();
        let bounds = &mut question.bounds;
        bounds.pauses = bounds.pauses.max(1);
        let more = steps * self.step().as_ms();
        bounds.pause = Duration::from_ms(bounds.pause.as_ms() + more);
        question
    }

    /// A longer TTL, a shorter retry interval, the safe runner: nearest first, and only what
    /// makes sense. The Cloud Controller's timing is its own.
    fn ways(&self) -> Vec<Way> {
        let client = &self.clients[0];
        let (ttl, retry) = (client.ttl.as_ms() / 1000, client.retry.as_ms());
        let grid = self.step().as_ms();
        let longer = (ttl + 1..=ttl * TTL_FACTOR_MAX).map(Duration::from_seconds);
        let shorter = (1..retry.div_ceil(grid)).map(|steps| retry - steps * grid);
        let longer = longer.map(|ttl| self.with(client.runner, ttl, client.retry));
        let shorter =
            shorter.map(|retry| self.with(client.runner, client.ttl, Duration::from_ms(retry)));
        let safe = self.with(RunnerKind::Safe, client.ttl, client.retry);
        vec![
            Way::new(longer, self.is_safer_with_longer_ttl()),
            Way::new(shorter, false),
            Way::new([safe].into_iter(), false),
        ]
    }

    /// Whether safe settings are known to stay safe with a longer TTL, so that not every one
    /// has to be tried.
    ///
    /// Upstream's runners time their attempts without regard to the TTL, and begin whenever they
    /// like. So if two of them, A and then B, ever act at once, they can with a shorter TTL too.
    /// Let A begin with the attempt that got it the lock, and B with its first one that
    /// Locket granted after that, each message on its way as long as it was; B's answer comes at
    /// once, or as soon as A knows that it is an owner, up to the longest delay. B was granted
    /// the lock when A's row had expired, and a shorter-lived row has expired by then, too;
    /// until then A was alone and was never refused. So both act, and nothing has gone wrong that
    /// had not before. This says nothing of runners that heed their TTL, of other properties, or
    /// of what deletes rows before their time.
    fn is_safer_with_longer_ttl(&self) -> bool {
        let Bounds {
            delay,
            losses,
            pauses,
            pause,
            ..
        } = self.bounds;
        let plain = Bounds {
            delay,
            losses,
            pauses,
            pause,
            ..Bounds::default()
        };
        let is_plain = |client: &ClientQuestion| {
            *client == ClientQuestion::new(RunnerKind::Upstream, client.ttl, client.retry)
        };
        let tolerated = Duration::ZERO;
        self.property == Property::OneOwner { tolerated }
            && self.bounds == plain
            && self.is_symmetric()
            && !self.polls
            && self.clients.iter().all(is_plain)
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
            is_settable: true,
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

impl Way {
    /// Of the settings those that make sense; `is_rising` if all behind safe ones are safe.
    fn new(settings: impl Iterator<Item = Question>, is_rising: bool) -> Self {
        let settings: Vec<_> = settings.filter(|it| it.check().is_ok()).collect();
        let count = settings.len() as u64;
        Self {
            settings,
            safe: if is_rising {
                Least::of_rising(count)
            } else {
                Least::of_any(count)
            },
        }
    }
}

impl Advice {
    /// As JSON, with times in milliseconds.
    pub fn to_json(&self) -> String {
        let mut json = Json::default();
        json.open('{').key("verdict").string(self.verdict.name());
        if let Some(job) = &self.job {
            json.key("job");
            job.write(&mut json);
        }
        json.key("sparePause");
        json.optional_plain(self.spare_pause.map(Duration::as_ms));
        self.cost.write(&mut json);
        json.key("alternatives").open('[');
        for it in &self.alternatives {
            json.open('{').key("runner").string(it.runner.name());
            json.key("ttl").plain(it.ttl.as_ms());
            json.key("retry").plain(it.retry.as_ms());
            it.cost.write(&mut json);
            json.key("isSettable").plain(it.is_settable).close('}');
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
        if let Some(job) = &self.job {
            writeln!(f, "{job}.")?;
        }
        match self.spare_pause {
            Some(spare) => writeln!(f, "Proved safe, with {spare} of pause to spare.")?,
            None => writeln!(f, "Not proved safe: {}.", self.verdict.name())?,
        }
        writeln!(f, "Cost: {}.", self.cost)?;
        for it in &self.alternatives {
            let (runner, ttl, retry) = (it.runner.name(), it.ttl, it.retry);
            writeln!(
                f,
                "Proved safe instead: {runner} runner, TTL {ttl}, retry {retry}; {}{}.",
                it.cost,
                if it.is_settable {
                    ""
                } else {
                    "; no property sets that"
                }
            )?;
        }
        Ok(())
    }
}
