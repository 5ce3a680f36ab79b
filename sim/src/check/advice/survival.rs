//! The inverse question: which settings survive given outages. Settings that are given are fixed, the
//! others are searched for: each runner, each retry interval, and for both the shortest TTL.
//!
//! TTLs are doubled until one survives, up to the longest of a question. If even that breaks, its
//! counterexample is the reason why none helps. Then the shortest is found between the last two.

use std::fmt;

use serde::Serialize;

use super::boundary_search::BoundarySearch;
use super::{Alternative, Excluded};
use crate::amounts::Seconds;
use crate::check::answer::{Answer, ClientCount};
use crate::check::explorer::Reductions;
use crate::check::question::count::Count;
use crate::check::question::faults::Fault;
use crate::check::question::limits::TIME_MAX;
use crate::check::question::text::{Given, QuestionText, read};
use crate::check::question::{Property, Question, QuestionError};
use crate::check::search::{Search, Verdict};
use crate::scenario::{ClientKind, RunnerKind};
use crate::time::Duration;

/// The retry intervals that are tried where none is given, in seconds, beside one that outlasts all
/// outages.
const RETRY_INTERVALS: [u64; 5] = [2, 5, 10, 15, 30];

/// A search for settings that survive outages, under way. Let it [`run`](Self::run) in slices until it is
/// done.
#[derive(Clone, Debug)]
pub struct Survival {
    bounds: String,
    property: Property,
    states_max: usize,
    tries: Vec<Try>,
    /// How many of them are done.
    done: usize,
    search: Option<Search>,
    settings: Vec<Surviving>,
    impossible: Vec<Excluded>,
}

/// A runner and a retry interval, for which the shortest TTL is searched.
#[derive(Clone, Debug)]
struct Try {
    /// The question with them, and its own TTL if that is given.
    question: Question,
    /// The TTLs in seconds, from this one on.
    shortest: u64,
    ttls: BoundarySearch,
    /// How many of the questions about the TTL of now have a good answer, and for how many clients.
    answered: usize,
    clients: ClientCount,
    /// The shortest TTL so far with which all of them have one, and for how many clients.
    good: Option<(u64, ClientCount)>,
    /// The longest TTL that is known to break.
    breaks: Option<u64>,
}

/// Settings that survive outages, with their cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SurvivingSettings"))]
pub struct Surviving {
    /// The settings.
    pub settings: Alternative,
    /// True if a second less of TTL is known to break, so that there is no shorter one.
    pub is_shortest: bool,
}

impl Survival {
    /// Reads a question with its outages as faults, each of which happens once where it has no count: a
    /// drain once for each process. The property is `false-loss` by default, and of a presence that it
    /// always has its row. Two owners must never exist, whatever the property.
    ///
    /// # Errors
    ///
    /// The first validation error, with its path.
    pub fn from_json(text: &str, states_max: usize) -> Result<Self, QuestionError> {
        let text: QuestionText = read(text)?;
        let given = text.given();
        let drains_once = text.is_counted(Fault::LocketDrain);
        let mut question = text.question_with_limits()?;
        if question.outages().next().is_none() {
            let message = "expected an outage to survive, such as {\"locketCrash\": \"60s\"}";
            return Err(QuestionError::new("faults", message));
        }
        if !given.property {
            question.property = match question.clients[0].kind {
                ClientKind::Presence => Property::PresenceGap { allow: Duration::ZERO },
                ClientKind::Lock => Property::FalseLoss,
            };
        }
        let drains = &mut question.bounds.faults[Fault::LocketDrain].count;
        if *drains > 0 && !drains_once {
            *drains = Count::UpTo(question.processes as u8);
        }
        question.check()?;
        Ok(Self {
            bounds: question.bounds_words(),
            property: question.property,
            states_max,
            tries: question.tries(given),
            done: 0,
            search: None,
            settings: Vec::new(),
            impossible: Vec::new(),
        })
    }

    /// Visits up to about `budget` states more. Says whether all settings are tried.
    pub fn run(&mut self, budget: u64) -> bool {
        let mut left = budget;
        while left > 0 && self.done < self.tries.len() {
            let next = self.search.take().or_else(|| self.next());
            let Some(mut search) = next else {
                self.note(Verdict::Unsafe, None);
                continue;
            };
            if search.run_within(&mut left) == Verdict::Running {
                self.search = Some(search);
            } else {
                self.note(search.judged().0, Some(&search));
            }
        }
        self.done == self.tries.len()
    }

    /// True if it is about a presence, which has no other owner.
    const fn is_about_row(&self) -> bool {
        matches!(self.property, Property::PresenceGap { .. })
    }

    /// How many runners with a retry interval are tried, of how many.
    pub const fn progress(&self) -> (usize, usize) {
        (self.done, self.tries.len())
    }

    fn next(&self) -> Option<Search> {
        let question = self.tries[self.done].asked()?;
        Search::new(question, Reductions::default(), self.states_max).ok()
    }

    /// Takes the answer to what was asked. Settings that make no question break.
    fn note(&mut self, verdict: Verdict, search: Option<&Search>) {
        let it = &mut self.tries[self.done];
        let clients = search.map_or(ClientCount::Any, Search::clients);
        let ttl = it.ttl();
        if !it.note(verdict, clients) {
            return;
        }
        self.done += 1;
        match it.good {
            Some((ttl, clients)) => {
                let is_shortest = ttl == 1 || it.breaks == Some(ttl - 1);
                let settings = it.with_ttl(ttl).alternative(clients);
                self.settings.push(Surviving { settings, is_shortest });
            }
            None => {
                let answer = search.and_then(|search| search.answer().ok());
                let reason = answer.as_ref().and_then(Answer::reason);
                let is_known = verdict == Verdict::Unsafe;
                let why = reason.unwrap_or_else(|| "no search proves them".to_owned());
                let summary = format!("{}: {why}", settings_words(&it.with_ttl(ttl)));
                self.impossible.push(Excluded { summary, is_known });
            }
        }
    }

    /// The trade-offs: no other settings are cheaper in both ways. The cheapest first, by the time until
    /// another owner, then by the renewals.
    pub fn settings(&self) -> Vec<Surviving> {
        let price = |it: &Surviving| {
            let cost = it.settings.cost;
            (cost.handover_max, cost.renewals_per_hour)
        };
        let beats = |other: &Surviving, it: &Surviving| {
            let ((wait, renewals), (own_wait, own_renewals)) = (price(other), price(it));
            wait <= own_wait && renewals <= own_renewals && price(other) != price(it)
        };
        let all = self.settings.iter();
        let best = all.filter(|it| !self.settings.iter().any(|other| beats(other, it)));
        crate::sorted::sorted_by(best.cloned().collect(), |a, b| price(a).cmp(&price(b)))
    }

    /// The result as it is written.
    #[inline]
    pub fn view(&self) -> SurvivalView<'_> {
        SurvivalView {
            bounds: &self.bounds,
            settings: self.settings(),
            impossible: &self.impossible,
            text: self.to_string(),
        }
    }
}

impl Try {
    /// The TTL that is asked now, in seconds.
    fn ttl(&self) -> u64 {
        self.shortest + self.ttls.asked().unwrap_or_default()
    }

    fn with_ttl(&self, seconds: u64) -> Question {
        let mut question = self.question.clone();
        for client in &mut question.clients {
            client.ttl = Duration::from_seconds(seconds);
        }
        question
    }

    fn asked(&self) -> Option<Question> {
        let goals = self.with_ttl(self.ttl()).goals();
        goals.into_iter().nth(self.answered)
    }

    /// Says whether all is known about this try.
    fn note(&mut self, verdict: Verdict, number: ClientCount) -> bool {
        let (ttl, is_good) = (self.ttl(), verdict == Verdict::Safe);
        if is_good {
            // Of a client alone, and without the outages, no number of clients is asked.
            let Question { bounds, clients, .. } = &self.question;
            let counts = |it: Question| it.clients.len() == clients.len() && it.bounds == *bounds;
            if number != ClientCount::Any && self.asked().is_some_and(counts) {
                self.clients = number;
            }
            self.answered += 1;
            if self.asked().is_some() {
                return false;
            }
            self.good = Some((ttl, self.clients));
        }
        if verdict == Verdict::Unsafe {
            self.breaks = self.breaks.max(Some(ttl));
        }
        (self.answered, self.clients) = (0, ClientCount::Any);
        self.ttls.note(is_good);
        // Longer TTLs have more states.
        let is_cut = verdict == Verdict::NotFinished && self.good.is_none();
        is_cut || self.ttls.asked().is_none()
    }
}

impl Question {
    /// The faults that may happen.
    fn outages(&self) -> impl Iterator<Item = Fault> + '_ {
        let all = Fault::ALL.into_iter();
        all.filter(|it| it.allowed(&self.bounds) > 0)
    }

    /// All that is tried, for settings that are not given.
    fn tries(&self, given: Given) -> Vec<Try> {
        let own = &self.clients[0].runner;
        let mut runners = vec![own.clone()];
        if !given.runner && *own != RunnerKind::Safe {
            runners.push(RunnerKind::Safe);
        }
        let outages = self.outages().map(|it| it.longest(&self.bounds).as_ms());
        let beyond = outages.sum::<u64>() + 2 * self.bounds.latency.as_ms();
        let mut retries: Vec<u64> = RETRY_INTERVALS.map(|it| it * 1000).to_vec();
        retries.push(beyond.next_multiple_of(1000) + 1000);
        if given.retry_interval || own.rule().retry.every.is_some() {
            retries = vec![self.clients[0].retry_interval.as_ms()];
        }
        let mut tries = Vec::new();
        for runner in runners {
            for retry_interval in &retries {
                let mut question = self.clone();
                question.clients.truncate(1);
                let client = &mut question.clients[0];
                (client.runner, client.retry_interval) =
                    (runner.clone(), Duration::from_ms(*retry_interval));
                // Each presence has a key of its own.
                if client.kind == ClientKind::Lock {
                    let other = client.clone();
                    question.clients.push(other);
                }
                let (shortest, end) = match given.ttl {
                    true => (self.clients[0].ttl.as_ms() / 1000, 1),
                    false => (1, question.ttls_until()),
                };
                tries.push(Try {
                    question,
                    shortest,
                    ttls: BoundarySearch::of_rising(end),
                    answered: 0,
                    clients: ClientCount::Any,
                    good: None,
                    breaks: None,
                });
            }
        }
        tries
    }

    /// The longest TTL of a question with these times, in seconds.
    fn ttls_until(&self) -> u64 {
        let fits = |seconds: &u64| {
            let mut question = self.clone();
            for client in &mut question.clients {
                client.ttl = Duration::from_seconds(*seconds);
            }
            question.goals().iter().all(|it| it.check().is_ok())
        };
        let halves = std::iter::successors(Some(TIME_MAX.as_ms() / 1000), |it| Some(it / 2));
        let mut possible = halves.take_while(|it| *it > 0);
        possible.find(fits).unwrap_or(1)
    }

    /// What surviving settings must satisfy; the check that fails most often goes first.
    fn goals(&self) -> Vec<Self> {
        let allow = Duration::ZERO;
        // A client that gives up alone does so among others, too, and is found sooner.
        let is_alone = self.property == Property::FalseLoss && self.clients.len() > 1;
        let alone = is_alone.then(|| Self { clients: self.clients[..1].to_vec(), ..self.clone() });
        let mut goals: Vec<Self> = alone.into_iter().chain([self.clone()]).collect();
        let is_lock = self.clients[0].kind == ClientKind::Lock;
        if is_lock && self.property != (Property::OneOwner { allow }) {
            goals.push(Self { property: Property::OneOwner { allow }, ..self.clone() });
        }
        let mut of_use = self.questions();
        of_use.pop();
        if !is_lock {
            of_use.truncate(2);
        }
        goals.extend(of_use);
        goals
    }
}

/// `safe runner, TTL 66 s, retry 5 s`
fn settings_words(question: &Question) -> String {
    let client = &question.clients[0];
    let (ttl, retry_interval) = (Seconds(client.ttl), Seconds(client.retry_interval));
    let runner = client.runner.name();
    format!("{runner} runner, TTL {ttl}, retry {retry_interval}")
}

impl fmt::Display for Survival {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.bounds)?;
        let never = Property::OneOwner { allow: Duration::ZERO };
        let own = format!("no schedule {}", self.property.words());
        let words = match self.property == never || self.is_about_row() {
            true => own,
            false => format!("{own}, and none {}", never.words()),
        };
        match self.settings().as_slice() {
            [] => writeln!(f, "No settings survive it, of those that were tried.")?,
            _ => writeln!(f, "With these settings {words}:")?,
        }
        for Surviving { settings: it, is_shortest } in self.settings() {
            let (ttl, retry_interval) = (Seconds(it.ttl), Seconds(it.retry_interval));
            let any = it.clients.without_limit();
            let clients = any.map(|any| format!("; for {any}")).unwrap_or_default();
            let shortest = if is_shortest { "; no shorter TTL" } else { "" };
            let runner = it.runner.name();
            writeln!(
                f,
                "  {runner} runner, TTL {ttl}, retry {retry_interval}; {}{clients}{shortest}",
                it.cost
            )?;
        }
        for Excluded { summary, is_known } in &self.impossible {
            let verdict = if *is_known { "Breaks" } else { "Unknown" };
            writeln!(f, "{verdict}: {summary}.")?;
        }
        Ok(())
    }
}

/// The settings that survive outages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Survival"))]
pub struct SurvivalView<'a> {
    /// The latency and the outages, as a sentence.
    pub bounds: &'a str,
    /// The surviving trade-offs: no other settings are cheaper in both ways. The cheapest is first: by
    /// the time without an owner, then by the renewals.
    pub settings: Vec<Surviving>,
    /// The settings that do not survive, with the reason: a runner, a retry interval and the longest TTL
    /// that was tried.
    pub impossible: &'a [Excluded],
    /// The result as text for people.
    pub text: String,
}
