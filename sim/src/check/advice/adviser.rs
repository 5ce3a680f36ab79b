//! How advice is found: whether settings are safe and of use, how much is to spare, and which other
//! settings are nearest, each by complete searches.

use super::boundary_search::BoundarySearch;
use super::other_settings::Way;
use super::{Advice, Excluded, PauseMargin};
use crate::check::answer::{Answer, ClientCount};
use crate::check::explorer::Reductions;
use crate::check::question::count::Count;
use crate::check::question::faults::Fault;
use crate::check::question::{Question, QuestionError};
use crate::check::search::{Search, Verdict};
use crate::time::Duration;

/// Advice under way. Let it [`run`](Self::run) in slices until it is done.
#[derive(Clone, Debug)]
pub struct Adviser {
    question: Question,
    states_max: usize,
    /// The next question, and its search if it is under way.
    step: Step,
    search: Option<Search>,
    /// The things that can be changed.
    ways: Vec<Way>,
    /// True if searches can prove anything. If not, no other settings are searched for.
    is_provable: bool,
    advice: Advice,
}

/// The question.
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

/// A boundary search for the shortest pause that breaks the property.
#[derive(Clone, Debug)]
struct Spare {
    breaking: BoundarySearch,
    /// The smallest number of steps that is known to break the property.
    known: Option<u64>,
    /// For how many clients the longest pause is safe so far.
    clients: ClientCount,
}

/// For how many times the TTL a longer pause is looked for.
const SPARE_FACTOR_MAX: u64 = 2;

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
            verdict: Verdict::Running,
            clients: ClientCount::Of(question.clients.len()),
            words: String::new(),
            false_loss: Verdict::Running,
            reasons: Vec::new(),
            spare_pause: None,
            cost: question.cost(false),
            alternatives: Vec::new(),
            excluded: Vec::new(),
        };
        Ok(Self {
            ways: question.ways(),
            is_provable: !question.clone().in_exact_steps().is_preview(),
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
                // The grid says only in which steps settings are changed.
                let asked = self.asked()?.in_exact_steps();
                Search::new(asked, Reductions::default(), self.states_max).ok()
            });
            let Some(mut search) = search else {
                return true;
            };
            if search.run_within(&mut left) == Verdict::Running {
                self.search = Some(search);
            } else {
                self.note(&search);
            }
        }
        self.search.is_none() && self.asked().is_none()
    }

    /// The results so far; an open verdict is [`Verdict::Running`].
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
        let (verdict, _) = search.judged();
        match &mut self.step {
            Step::Settings => {
                self.advice.verdict = verdict;
                self.advice.clients = search.clients();
                let answer = search.answer().ok();
                self.advice.words = answer.as_ref().map(Answer::summary).unwrap_or_default();
                self.advice.reasons.extend(answer.and_then(|it| it.reason()));
                self.step = Step::FalseLoss;
            }
            Step::FalseLoss => {
                self.advice.false_loss = verdict;
                let answer = search.answer().ok();
                self.advice.reasons.extend(answer.and_then(|it| it.reason()));
                self.step = if self.question.has_handover() {
                    Step::Handover
                } else {
                    self.step_after_handover()
                };
            }
            Step::Handover => {
                self.advice.cost = self.question.cost(verdict == Verdict::Safe);
                self.step = self.step_after_handover();
            }
            Step::Spare(spare) => spare.note(verdict, search.clients()),
            Step::Way(way) => self.ways[*way].note(search, &self.question),
        }
        self.conclude();
    }

    fn step_after_handover(&self) -> Step {
        if self.advice.verdict == Verdict::Safe {
            Step::Spare(Spare::new(&self.question, self.advice.clients))
        } else {
            Step::Way(0)
        }
    }

    /// Writes down what is known, and goes on to what is not.
    fn conclude(&mut self) {
        if let Step::Spare(spare) = &self.step {
            let steps = spare.breaking.none_below();
            self.advice.spare_pause = Some(PauseMargin {
                pause: Duration::from_ms(steps * self.question.step().as_ms()),
                clients: spare.clients,
                is_exact: spare.known == Some(steps),
            });
            if spare.breaking.asked().is_none() && self.advice.false_loss != Verdict::Safe {
                self.step = Step::Way(0);
            }
        }
        while let Step::Way(index) = self.step {
            let Some(way) = self.ways.get(index) else {
                return;
            };
            if self.is_provable && way.good.asked().is_some() {
                return;
            }
            match way.found() {
                Some((settings, clients)) => {
                    self.advice.add(self.question.with(&settings).alternative(clients));
                }
                None if !way.settings.is_empty() => self.advice.excluded.push(Excluded {
                    summary: way.words.clone(),
                    is_known: self.is_provable && way.is_known,
                }),
                None => {}
            }
            self.step = Step::Way(index + 1);
        }
    }
}

impl Spare {
    fn new(question: &Question, clients: ClientCount) -> Self {
        let longest = SPARE_FACTOR_MAX * question.clients[0].ttl.as_ms();
        let steps = longest.div_ceil(question.step().as_ms());
        let makes_sense = |steps: &u64| question.with_more_pause(*steps).check().is_ok();
        let steps = (1..=steps).take_while(makes_sense).count();
        Self {
            // More pause allows every schedule that less of it allows.
            breaking: BoundarySearch::of_rising(steps as u64),
            known: None,
            clients,
        }
    }

    const fn note(&mut self, verdict: Verdict, clients: ClientCount) {
        match verdict {
            Verdict::Safe => self.clients = clients,
            Verdict::Unsafe => self.known = self.breaking.asked(),
            Verdict::NeverExercised
            | Verdict::NotFinished
            | Verdict::Preview
            | Verdict::Running => {}
        }
        self.breaking.note(!matches!(verdict, Verdict::Safe));
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
        let pause = &mut question.bounds.faults[Fault::Pause];
        pause.count = pause.count.max(Count::UpTo(1));
        let more = steps * self.step().as_ms();
        pause.length = Duration::from_ms(pause.length.as_ms() + more);
        question
    }
}
