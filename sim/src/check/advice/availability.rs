//! Whether healthy owners keep what they hold while Locket restarts, a deploy rolls, or the database
//! fails over or stalls. Clients have no faults here.

use serde::Serialize;

use crate::check::answer::Answer;
use crate::check::answer::replay_error::ReplayError;
use crate::check::answer::story::{Story, StoryLine};
use crate::check::answer::view::VerdictView;
use crate::check::explorer::Reductions;
use crate::check::question::bounds::Bounds;
use crate::check::question::count::Count;
use crate::check::question::faults::Fault;
use crate::check::question::limits::PROCESSES_MAX;
use crate::check::question::text::{QuestionText, read};
use crate::check::question::{Property, Question, QuestionError};
use crate::check::search::why_unknown::WhyUnknown;
use crate::check::search::{Search, Verdict};
use crate::scenario::ClientKind;
use crate::time::Duration;

/// How long a Locket process is down, of a question that says nothing of it.
const DOWNTIME: Duration = Duration::from_seconds(5);
/// How long the database stalls, of a question that says nothing of it.
const STALL: Duration = Duration::from_seconds(10);
/// How many Locket processes a rolling deploy has, of a question that says nothing of it.
const PROCESSES_OF_DEPLOY: usize = 2;
/// The most Locket processes of a search with two clients, so that it has few states.
const PROCESSES_OF_TWO_MAX: usize = 2;

/// An event in operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum AvailabilityEvent {
    /// A Locket process crashes and restarts.
    Restart,
    /// Each Locket process drains and restarts, one after the other.
    RollingDeploy,
    /// The database fails over.
    Failover,
    /// The database stalls.
    Stall,
}

/// A property of availability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum AvailabilityProperty {
    /// It is broken if an owner gives up while the row is its own.
    FalseLoss,
    /// It is broken if two owners exist at the same time.
    OneOwner,
    /// It is broken if a presence has no row.
    PresenceGap,
}

/// The questions about availability under way. Let them [`run`](Self::run) in slices until all are
/// answered.
#[derive(Clone, Debug)]
pub struct Availability {
    asked: Vec<(AvailabilityEvent, Question)>,
    states_max: usize,
    search: Option<Search>,
    checks: Vec<AvailabilityCheck>,
}

/// The answer to one of the questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AvailabilityCheck {
    /// The event.
    pub event: AvailabilityEvent,
    /// The property.
    pub property: AvailabilityProperty,
    /// How long its violation may last, if it says so.
    #[serde(rename = "allowMs")]
    pub allow: Option<Duration>,
    /// The number of Locket processes in the search.
    pub processes: usize,
    /// The number of clients in the search.
    pub clients: usize,
    /// The latency and the faults, as those of a run.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub faults: Vec<(&'static str, String)>,
    /// The verdict.
    pub verdict: VerdictView,
    /// The reason of an unknown verdict.
    pub because: Option<WhyUnknown>,
    /// The verdict of the search, with its bounds.
    pub summary: String,
    /// The bounds, as a sentence.
    pub bounds: String,
    /// The number of different states found.
    pub states: usize,
    /// The decisive steps of the counterexample, in their order; none without one.
    pub steps: Vec<StoryLine>,
}

impl Availability {
    /// The questions about the settings, the number of Locket processes and the faults of a question,
    /// whose searches keep at most `states_max` states each.
    ///
    /// # Errors
    ///
    /// The first validation error, with its path.
    pub fn from_json(text: &str, states_max: usize) -> Result<Self, QuestionError> {
        let text: QuestionText = read(text)?;
        let processes = text.processes();
        let question = text.question()?;
        let asked = AvailabilityEvent::ALL.into_iter().flat_map(|event| {
            let properties = question.properties_of(event, processes);
            properties.into_iter().map(move |it| (event, it))
        });
        let asked: Vec<_> = asked.collect();
        asked.iter().try_for_each(|(_, it)| it.check())?;
        Ok(Self { asked, states_max, search: None, checks: Vec::new() })
    }

    /// Visits up to about `budget` states more. Says whether all questions are answered.
    ///
    /// # Errors
    ///
    /// The full world does not repeat a counterexample, which is a bug in the checker.
    pub fn run(&mut self, budget: u64) -> Result<bool, ReplayError> {
        let mut left = budget;
        while left > 0 {
            let Some(mut search) = self.search.take().or_else(|| self.next()) else {
                return Ok(true);
            };
            if search.run_within(&mut left) == Verdict::Running {
                self.search = Some(search);
            } else {
                let check = self.check(&search.answer()?);
                self.checks.push(check);
            }
        }
        Ok(self.checks.len() == self.asked.len())
    }

    /// The event that is being asked about.
    pub fn event(&self) -> Option<AvailabilityEvent> {
        self.asked.get(self.checks.len()).map(|(event, _)| *event)
    }

    /// The answers so far.
    pub fn checks(&self) -> &[AvailabilityCheck] {
        &self.checks
    }

    fn next(&self) -> Option<Search> {
        let (_, question) = self.asked.get(self.checks.len())?;
        // Each question was checked.
        Search::new(question.clone(), Reductions::default(), self.states_max).ok()
    }

    fn check(&self, answer: &Answer) -> AvailabilityCheck {
        let (event, question) = &self.asked[self.checks.len()];
        let (property, allow) = if let Property::OneOwner { allow } = question.property {
            (AvailabilityProperty::OneOwner, Some(allow))
        } else if let Property::PresenceGap { allow } = question.property {
            (AvailabilityProperty::PresenceGap, Some(allow))
        } else {
            (AvailabilityProperty::FalseLoss, None)
        };
        let story = answer.counterexample.as_ref().map(|(_, story)| story);
        AvailabilityCheck {
            event: *event,
            property,
            allow,
            processes: question.processes,
            clients: question.clients.len(),
            faults: question.bounds.list(&question.bounds),
            verdict: answer.verdict.into(),
            because: answer.because,
            summary: answer.summary(),
            bounds: question.bounds_words(),
            states: answer.states,
            steps: story.map(Story::deciding).unwrap_or_default(),
        }
    }
}

impl AvailabilityEvent {
    /// All events, in the order of their report.
    const ALL: [Self; 4] = [Self::Restart, Self::RollingDeploy, Self::Failover, Self::Stall];
}

impl Question {
    /// One client alone is asked whether it gives up what it has. The second question is about two
    /// owners, or about the row of a presence.
    fn properties_of(&self, event: AvailabilityEvent, processes: Option<usize>) -> Vec<Self> {
        let usual = match event {
            AvailabilityEvent::RollingDeploy => PROCESSES_OF_DEPLOY,
            AvailabilityEvent::Failover | AvailabilityEvent::Restart | AvailabilityEvent::Stall => {
                1
            }
        };
        let processes = processes.unwrap_or(usual).min(PROCESSES_MAX);
        // During a stall, the calls that each process waits for multiply the states.
        let few = match event {
            AvailabilityEvent::Stall => 1,
            AvailabilityEvent::Failover
            | AvailabilityEvent::Restart
            | AvailabilityEvent::RollingDeploy => processes,
        };
        let clients = &self.clients;
        let alone = Self {
            clients: clients[..1].to_vec(),
            any_clients: false,
            property: Property::FalseLoss,
            grid: None,
            ..self.clone()
        };
        let property = self.safety();
        let is_presence = matches!(property, Property::PresenceGap { .. });
        let (few, count) = match is_presence {
            true => (few, 1),
            // Two owners need a second client, whose states multiply those of each process.
            false => (few.min(PROCESSES_OF_TWO_MAX), clients.len()),
        };
        let has_safety = is_presence || clients.len() > 1;
        let safety = has_safety.then(|| Self {
            clients: clients[..count].to_vec(),
            property,
            ..alone.with_event(event, few)
        });
        let mut asked = vec![alone.with_event(event, processes)];
        asked.extend(safety);
        asked
    }

    /// The question's own property, if it is about two owners, or about the row of a presence.
    fn safety(&self) -> Property {
        let is_presence = self.clients[0].kind == ClientKind::Presence;
        let is_own = match is_presence {
            true => matches!(self.property, Property::PresenceGap { .. }),
            false => matches!(self.property, Property::OneOwner { .. }),
        };
        let allow = Duration::ZERO;
        match (is_own, is_presence) {
            (true, _) => self.property,
            (false, true) => Property::PresenceGap { allow },
            (false, false) => Property::OneOwner { allow },
        }
    }

    /// The same with an event in place of all faults. Its bounds are those of the question.
    fn with_event(&self, event: AvailabilityEvent, processes: usize) -> Self {
        let bounds = Bounds { latency: self.bounds.latency, ..Bounds::default() };
        let (fault, usual) = match event {
            AvailabilityEvent::Restart => (Fault::LocketCrash, DOWNTIME),
            AvailabilityEvent::RollingDeploy => (Fault::LocketDrain, DOWNTIME),
            AvailabilityEvent::Failover => (Fault::Failover, Duration::ZERO),
            AvailabilityEvent::Stall => (Fault::Stall, STALL),
        };
        let count = match event {
            AvailabilityEvent::RollingDeploy => Count::UpTo(processes as u8),
            AvailabilityEvent::Restart | AvailabilityEvent::Failover | AvailabilityEvent::Stall => {
                let own = fault.allowed(&self.bounds).limit();
                Count::UpTo(own.unwrap_or_default().max(1))
            }
        };
        let length = match fault.longest(&self.bounds) {
            Duration::ZERO => usual,
            own => own,
        };
        let mut bounds = bounds.with_length(fault, count, length);
        let lost_commits = &mut bounds.faults[fault].lost_commits;
        *lost_commits = (*lost_commits).max(self.bounds.faults[fault].lost_commits);
        Self { bounds, processes, ..self.clone() }
    }
}
