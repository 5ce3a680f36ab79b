//! Advice about settings: whether they are safe and of use, how much is to spare, and which other
//! settings are nearest, each by complete searches.
//!
//! Settings are of use if, while nothing goes wrong, somebody gets the lock and keeps it, and if
//! another one gets it after a crash. A lock that nobody holds is safe, too.

use std::fmt;

use super::amounts::{Seconds, count};
use super::answer::Answer;
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
    /// Whether the property of the question holds.
    pub verdict: Verdict,
    /// That in words, with its bounds.
    pub words: String,
    /// Whether an owner gives up a lock that is still its own although nothing goes wrong:
    /// [`Verdict::Violated`] if so.
    pub false_loss: Verdict,
    /// Why a verdict is a bad one: the steps that decide it.
    pub reasons: Vec<String>,
    /// By how much longer than the question says a pause may be for the property to hold still;
    /// `None` if it does not hold as it is.
    pub spare_pause: Option<SparePause>,
    /// What the settings cost.
    pub cost: Cost,
    /// The nearest settings that are safe and of use, one for each thing that can be changed; none
    /// if the question's own are.
    pub alternatives: Vec<Alternative>,
    /// The things that can be changed to no avail.
    pub excluded: Vec<Excluded>,
}

/// By how much longer a pause may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparePause {
    /// By so much.
    pub pause: Duration,
    /// Whether a step more is known to be too much. Otherwise nothing longer was tried, or a search
    /// was cut.
    pub is_exact: bool,
}

/// What settings cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// How long a lock may be without an owner after its holder has crashed: T + r, and four
    /// messages, which are the holder's last renewal, the answer that the waiter is refused with,
    /// its next attempt, and that one's answer.
    pub handover_max: Duration,
    /// Whether a search has shown that it is never longer.
    pub is_handover_proved: bool,
    /// How many renewals each runner sends an hour, at most.
    pub renewals_per_hour: u64,
}

/// Settings that are safe, with owners that keep their locks.
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

/// Other settings of which none is of use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excluded {
    /// Which they are.
    pub words: String,
    /// Whether that is known of all of them; otherwise searches were cut.
    pub is_known: bool,
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
    /// Whether the property holds.
    Settings,
    /// Whether owners keep their locks while nothing goes wrong.
    FalseLoss,
    /// Whether a crash is followed by another owner as soon as the cost says.
    Handover,
    /// With how many steps more of pause the property does not hold, beyond the first.
    Spare(Spare),
    /// Whether other settings are of use: which way.
    Way(usize),
}

/// A search for the least pause that is too much.
#[derive(Clone, Debug)]
struct Spare {
    breaking: Least,
    /// The least number of steps that is known to break the property.
    known: Option<u64>,
}

/// A thing that can be changed: other settings, nearest first, and which of them are of use.
#[derive(Clone, Debug)]
struct Way {
    /// Which they are, should none be of use.
    words: String,
    settings: Vec<Settings>,
    good: Least,
    /// How many of the questions about the settings that are asked now have a good answer.
    answered: usize,
    /// Whether a search was cut.
    is_cut: bool,
}

/// Settings that a question may have instead of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Settings {
    runner: RunnerKind,
    ttl: Duration,
    retry: Duration,
}

/// For how many times the TTL a longer pause is looked for.
const SPARE_FACTOR_MAX: u64 = 2;
/// Up to how many times the TTL is looked for one that is of use.
const TTL_FACTOR_MAX: u64 = 4;
/// How many retry intervals a TTL should have.
const RETRIES_IN_A_TTL: u64 = 3;

impl Adviser {
    /// Advice about the settings of the first client, which all others share. A search that
    /// would keep more than `states_max` states proves nothing.
    ///
    /// # Errors
    ///
    /// If the question makes no sense.
    pub fn new(question: Question, states_max: usize) -> Result<Self, QuestionError> {
        question.check()?;
        let advice = Advice {
            job: None,
            verdict: Verdict::Running,
            words: String::new(),
            false_loss: Verdict::Running,
            reasons: Vec::new(),
            spare_pause: None,
            cost: question.cost(),
            alternatives: Vec::new(),
            excluded: Vec::new(),
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
                let mut asked = self.asked()?;
                // Exact: the grid says only in which steps settings are changed.
                asked.grid = None;
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
                self.note(&search);
            }
        }
        self.search.is_none() && self.asked().is_none()
    }

    /// What is known so far; a verdict is [`Verdict::Running`] until it is.
    pub const fn advice(&self) -> &Advice {
        &self.advice
    }

    /// The next question; none if nothing is left to be asked.
    fn asked(&self) -> Option<Question> {
        match &self.step {
            Step::Settings => Some(self.question.clone()),
            Step::FalseLoss => Some(self.question.false_loss()),
            Step::Handover => Some(self.question.handover()),
            Step::Spare(spare) => {
                let steps = spare.breaking.asked()? + 1;
                Some(self.question.with_more_pause(steps))
            }
            Step::Way(way) => self.ways.get(*way)?.asked(&self.question),
        }
    }

    /// Takes the answer to what was asked.
    fn note(&mut self, search: &Search) {
        let verdict = search.verdict();
        match &mut self.step {
            Step::Settings => {
                let answer = search.answer().ok();
                self.advice.words = answer.as_ref().map(Answer::words).unwrap_or_default();
                self.advice.verdict = answer.as_ref().map_or(verdict, |it| it.verdict);
                self.advice
                    .reasons
                    .extend(answer.and_then(|it| it.reason()));
                self.step = Step::FalseLoss;
            }
            Step::FalseLoss => {
                self.advice.false_loss = verdict;
                let answer = search.answer().ok();
                self.advice
                    .reasons
                    .extend(answer.and_then(|it| it.reason()));
                self.step = if self.question.has_handover() {
                    Step::Handover
                } else {
                    self.step_after_handover()
                };
            }
            Step::Handover => {
                self.advice.cost.is_handover_proved = verdict == Verdict::Proved;
                self.step = self.step_after_handover();
            }
            Step::Spare(spare) => spare.note(verdict),
            Step::Way(way) => self.ways[*way].note(verdict, &self.question),
        }
        self.conclude();
    }

    fn step_after_handover(&self) -> Step {
        if self.advice.verdict == Verdict::Proved {
            Step::Spare(Spare::new(&self.question))
        } else {
            Step::Way(0)
        }
    }

    /// Writes down what is known, and goes on to what is not.
    fn conclude(&mut self) {
        if let Step::Spare(spare) = &self.step {
            let steps = spare.breaking.none_below();
            self.advice.spare_pause = Some(SparePause {
                pause: Duration::from_ms(steps * self.question.step().as_ms()),
                is_exact: spare.known == Some(steps),
            });
            if spare.breaking.asked().is_none() && self.advice.false_loss != Verdict::Proved {
                self.step = Step::Way(0);
            }
        }
        while let Step::Way(index) = self.step {
            let Some(way) = self.ways.get(index) else {
                return;
            };
            if way.good.asked().is_some() {
                return;
            }
            match way.found() {
                Some(settings) => {
                    let mut alternative = self.question.with(settings).alternative();
                    if let Some(job) = &self.advice.job {
                        alternative.is_settable = job.can_be(&alternative);
                    }
                    self.advice.alternatives.push(alternative);
                }
                None if !way.settings.is_empty() => self.advice.excluded.push(Excluded {
                    words: way.words.clone(),
                    is_known: !way.is_cut,
                }),
                None => {}
            }
            self.step = Step::Way(index + 1);
        }
    }
}

impl Spare {
    fn new(question: &Question) -> Self {
        let longest = SPARE_FACTOR_MAX * question.clients[0].ttl.as_ms();
        let steps = longest.div_ceil(question.step().as_ms());
        let makes_sense = |steps: &u64| question.with_more_pause(*steps).check().is_ok();
        let steps = (1..=steps).take_while(makes_sense).count();
        Self {
            // More pause allows every schedule that less of it allows.
            breaking: Least::of_rising(steps as u64),
            known: None,
        }
    }

    const fn note(&mut self, verdict: Verdict) {
        if matches!(verdict, Verdict::Violated) {
            self.known = self.breaking.asked();
        }
        self.breaking.note(!matches!(verdict, Verdict::Proved));
    }
}

impl Way {
    /// Of the settings those that make sense; `is_rising` if all behind good ones are good.
    fn new(
        question: &Question,
        words: String,
        settings: impl Iterator<Item = Settings>,
        is_rising: bool,
    ) -> Self {
        let mut settings: Vec<_> = settings
            .filter(|it| question.with(*it).check().is_ok())
            .collect();
        settings.dedup();
        let count = settings.len() as u64;
        Self {
            words,
            settings,
            good: if is_rising {
                Least::of_rising(count)
            } else {
                Least::of_any(count)
            },
            answered: 0,
            is_cut: false,
        }
    }

    fn asked(&self, question: &Question) -> Option<Question> {
        let settings = self.settings.get(self.good.asked()? as usize)?;
        let mut questions = question.with(*settings).questions().into_iter();
        questions.nth(self.answered)
    }

    fn note(&mut self, verdict: Verdict, question: &Question) {
        self.is_cut |= verdict == Verdict::NotFinished;
        let is_good = verdict == Verdict::Proved;
        self.answered += 1;
        if is_good && self.asked(question).is_some() {
            return;
        }
        self.answered = 0;
        self.good.note(is_good);
    }

    fn found(&self) -> Option<Settings> {
        let found = self.good.found()?;
        self.settings.get(found as usize).copied()
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

    /// All that settings must stand to be of use; what is quickly answered goes first.
    fn questions(&self) -> Vec<Self> {
        let mut questions = vec![self.false_loss(), self.owned()];
        questions.extend(self.has_handover().then(|| self.handover()));
        questions.push(self.clone());
        questions
    }

    /// Whether an owner gives up a lock that is still its own, though nothing goes wrong.
    fn false_loss(&self) -> Self {
        self.without_faults(Property::FalseLoss)
    }

    /// Whether somebody has the lock after the first attempts and their answers.
    fn owned(&self) -> Self {
        let messages = 2 * self.bounds.delay.as_ms();
        let within = Duration::from_ms(self.clients[0].retry.as_ms() + messages);
        self.without_faults(Property::Owned { within })
    }

    /// Whether a crash is followed by another owner as soon as the cost says.
    fn handover(&self) -> Self {
        let within = self.cost().handover_max;
        let mut question = self.without_faults(Property::Handover { within });
        question.bounds.crashes = 1;
        question
    }

    /// Whether there is another client that can become the owner after a crash.
    fn has_handover(&self) -> bool {
        self.clients.len() > 1
    }

    fn without_faults(&self, property: Property) -> Self {
        let delay = self.bounds.delay;
        Self {
            property,
            bounds: Bounds {
                delay,
                ..Bounds::default()
            },
            ..self.clone()
        }
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
        let own = self.settings();
        let (ttl, retry, grid) = (
            own.ttl.as_ms() / 1000,
            own.retry.as_ms(),
            self.step().as_ms(),
        );
        let ttls = || (ttl + 1..=ttl * TTL_FACTOR_MAX).map(Duration::from_seconds);
        let shorter = (1..retry.div_ceil(grid)).map(|steps| retry - steps * grid);
        let shorter = shorter.map(|ms| Settings {
            retry: Duration::from_ms(ms),
            ..own
        });
        let safe = |ttl: Duration, retry| Settings {
            runner: RunnerKind::Safe,
            ttl,
            retry,
        };
        let in_proportion = |ttl: Duration| {
            let most = ttl.as_ms() / RETRIES_IN_A_TTL;
            let on_grid = most - most % grid;
            safe(ttl, Duration::from_ms(on_grid))
        };
        let safes = [safe(own.ttl, own.retry), in_proportion(own.ttl)];
        let safes = safes.into_iter().chain(ttls().map(in_proportion));
        let most = Seconds(Duration::from_seconds(ttl * TTL_FACTOR_MAX));
        let longer = ttls().map(|ttl| Settings { ttl, ..own });
        vec![
            Way::new(
                self,
                format!("a longer TTL, up to {most}"),
                longer,
                self.is_safer_with_longer_ttl(),
            ),
            Way::new(
                self,
                format!(
                    "a shorter retry interval, in steps of {}",
                    Seconds(self.step())
                ),
                shorter,
                false,
            ),
            Way::new(
                self,
                format!(
                    "the safe runner with a TTL up to {most} and a retry interval of a third of it"
                ),
                safes,
                false,
            ),
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

    fn settings(&self) -> Settings {
        let ClientQuestion {
            runner, ttl, retry, ..
        } = self.clients[0];
        Settings { runner, ttl, retry }
    }

    fn with(&self, settings: Settings) -> Self {
        let mut question = self.clone();
        for client in &mut question.clients {
            (client.runner, client.ttl, client.retry) =
                (settings.runner, settings.ttl, settings.retry);
        }
        question
    }

    fn alternative(&self) -> Alternative {
        let Settings { runner, ttl, retry } = self.settings();
        Alternative {
            runner,
            ttl,
            retry,
            cost: Cost {
                is_handover_proved: self.has_handover(),
                ..self.cost()
            },
            is_settable: true,
        }
    }

    fn cost(&self) -> Cost {
        let Settings { ttl, retry, .. } = self.settings();
        let messages = 4 * self.bounds.delay.as_ms();
        Cost {
            handover_max: Duration::from_ms(ttl.as_ms() + retry.as_ms() + messages),
            is_handover_proved: false,
            renewals_per_hour: 3_600_000 / retry.as_ms().max(1),
        }
    }
}

impl Advice {
    /// Whether the settings are safe and owners keep their locks: what is wrong with either is wrong
    /// with both.
    pub fn overall(&self) -> Verdict {
        let both = [self.verdict, self.false_loss];
        let worst_first = [
            Verdict::Violated,
            Verdict::Running,
            Verdict::NotFinished,
            Verdict::NeverExercised,
            Verdict::Preview,
        ];
        let worst = worst_first.into_iter().find(|it| both.contains(it));
        worst.unwrap_or(Verdict::Proved)
    }

    /// What is known of the settings, in a line.
    pub fn summary(&self) -> String {
        let spare = self.spare_pause.map(|it| format!(" To spare: {it}."));
        let spare = spare.unwrap_or_default();
        format!("{} {}{spare}", self.words, self.false_loss_words())
    }

    const fn false_loss_words(&self) -> &'static str {
        match self.false_loss {
            Verdict::Proved => "Without a fault, no owner gives up a lock that is still its own.",
            Verdict::Violated => {
                "Without a fault, an owner can give up a lock that is still its own."
            }
            Verdict::NeverExercised
            | Verdict::NotFinished
            | Verdict::Preview
            | Verdict::Running => {
                "Unknown: whether an owner gives up a lock that is still its own without a fault."
            }
        }
    }

    /// As JSON, with times in milliseconds.
    pub fn to_json(&self) -> String {
        let mut json = Json::default();
        json.open('{').key("verdict").string(self.verdict.name());
        json.key("overall").string(self.overall().name());
        json.key("summary").string(&self.summary());
        json.key("falseLoss").string(self.false_loss.name());
        json.key("reasons").open('[');
        for reason in &self.reasons {
            json.string(reason);
        }
        json.close(']');
        if let Some(job) = &self.job {
            json.key("job");
            job.write(&mut json);
        }
        json.key("sparePause");
        json.optional_plain(self.spare_pause.map(|it| it.pause.as_ms()));
        json.key("isSparePauseExact");
        json.plain(self.spare_pause.is_some_and(|it| it.is_exact));
        self.cost.write(&mut json);
        json.key("alternatives").open('[');
        for it in &self.alternatives {
            json.open('{').key("runner").string(it.runner.name());
            json.key("ttl").plain(it.ttl.as_ms());
            json.key("retry").plain(it.retry.as_ms());
            it.cost.write(&mut json);
            json.key("isSettable").plain(it.is_settable).close('}');
        }
        json.close(']').key("excluded").open('[');
        for Excluded { words, is_known } in &self.excluded {
            json.open('{').key("words").string(words);
            json.key("isKnown").plain(is_known).close('}');
        }
        json.close(']').close('}');
        json.take()
    }
}

impl Cost {
    fn write(&self, json: &mut Json) {
        json.key("handoverMax").plain(self.handover_max.as_ms());
        json.key("isHandoverProved").plain(self.is_handover_proved);
        json.key("renewalsPerHour").plain(self.renewals_per_hour);
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = Seconds(self.handover_max);
        if self.is_handover_proved {
            write!(f, "another owner within {within} after a crash")?;
        } else {
            write!(f, "not proved: another owner within {within} after a crash")?;
        }
        write!(f, ", {}", count(self.renewals_per_hour, "renewal"))?;
        f.write_str(" an hour")
    }
}

impl fmt::Display for SparePause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let least = if self.is_exact { "" } else { "at least " };
        write!(f, "{least}{} of pause", Seconds(self.pause))
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(job) = &self.job {
            writeln!(f, "{job}.")?;
        }
        writeln!(f, "{}", self.words)?;
        writeln!(f, "{}", self.false_loss_words())?;
        for reason in &self.reasons {
            writeln!(f, "Why: {reason}.")?;
        }
        if let Some(spare) = self.spare_pause {
            writeln!(f, "To spare: {spare}.")?;
        }
        writeln!(f, "Cost: {}.", self.cost)?;
        for it in &self.alternatives {
            let (runner, ttl, retry) = (it.runner.name(), Seconds(it.ttl), Seconds(it.retry));
            let fixed = if it.is_settable {
                ""
            } else {
                "; no property sets that"
            };
            writeln!(
                f,
                "Safe instead: {runner} runner, TTL {ttl}, retry {retry}; {}{fixed}.",
                it.cost
            )?;
        }
        for Excluded { words, is_known } in &self.excluded {
            let verdict = if *is_known {
                "Not safe either"
            } else {
                "Unknown"
            };
            writeln!(f, "{verdict}: {words}.")?;
        }
        Ok(())
    }
}
