//! A schedule as a scenario, which does the same in the full simulated world.
//!
//! Latencies and losses become overrides by place, and what was done from outside actions.
//! What remains is the order of things that are due at one instant: where the world's own order
//! is another one, decisions are added until every instant ends as in the schedule. A schedule
//! that the world does not repeat would be a mistake of the checker, and is an error.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::lockets::KEY;
use super::question::{Property, Question};
use super::schedule::{Checkpoint, Deed, DeedWhat, Fate, Link, Schedule};
use crate::json::Json;
use crate::scenario::{Cast, Running, Scenario, ScenarioError};
use crate::time::{Duration, Time};
use crate::trace::Recorder;
use crate::world::choice::{Site, SiteKind};

/// A scenario that shows a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The scenario, in JSON.
    pub scenario: String,
    /// When the property is broken in it.
    pub time: Time,
    /// For how long two owners act at once in it.
    pub two_owners_for: Duration,
}

/// The world did not do what the schedule says: a mistake of the checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The scenario is not one.
    Scenario(String),
    /// It goes another way from this time on.
    Diverges(Time),
    /// A clock has a rate of its own, so timers are due between the instants of the search; the
    /// world, which is exact, does not break the property by this schedule. No mistake.
    OffGrid,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scenario(error) => write!(f, "the schedule is no scenario: {error}"),
            Self::Diverges(time) => write!(
                f,
                "the world goes another way than the schedule from {time} on; this is a mistake of the checker, please report the question"
            ),
            Self::OffGrid => write!(
                f,
                "timers of a clock with a rate of its own are due between the instants of the search, and the world does not repeat the schedule"
            ),
        }
    }
}

impl std::error::Error for ReplayError {}

impl From<ScenarioError> for ReplayError {
    fn from(error: ScenarioError) -> Self {
        Self::Scenario(error.to_string())
    }
}

/// The names of clients.
pub(super) const NAMES: [&str; 4] = ["a", "b", "c", "d"];
/// What picks the rarest answer of a thousand.
const RAREST: u32 = 999;
/// How many decisions at an instant, and how many options of each, are tried.
const TIES: u32 = 16;
const OPTIONS: u32 = 6;
/// How many decisions are added at most.
const DECISIONS_MAX: usize = 12;

impl Schedule {
    /// The schedule as a scenario that was replayed in the full world.
    ///
    /// # Errors
    ///
    /// If the world does something else: a mistake of the checker, or a matter of the grid on which
    /// it searches.
    pub fn counterexample(&self, question: &Question) -> Result<Counterexample, ReplayError> {
        let mut overrides = self.overrides(question);
        let text = |overrides: &_, end, for_ms| self.scenario(question, overrides, end, for_ms);
        let plain = Scenario::from_json(&text(&overrides, self.ends, None))?;
        let replay = Replay {
            schedule: self,
            scenario: plain,
        };
        let repeated = replay.decide_ties(&mut overrides);
        let scenario = Scenario::from_json(&text(&overrides, self.ends, None))?;
        let (end, two_owners_for) = self.aftermath(scenario, question);
        match (repeated, question.property) {
            // Timers between the instants of the search: the way may be another, if it leads there.
            (Err(ReplayError::Diverges(_)), Property::OneOwner { tolerated })
                if question.has_rates() && two_owners_for > tolerated => {}
            (Err(ReplayError::Diverges(_)), _) if question.has_rates() => {
                return Err(ReplayError::OffGrid);
            }
            (other, _) => other?,
        }
        let last = self.checkpoints.last();
        Ok(Counterexample {
            scenario: text(&overrides, end, Some(two_owners_for)),
            time: last.map_or(self.ends, |last| last.time),
            two_owners_for,
        })
    }

    /// When two owners have stopped to act at once, and for how long they did.
    fn aftermath(&self, scenario: Scenario, question: &Question) -> (Time, Duration) {
        let mut running = Running::new(Arc::new(Cast::new(scenario)));
        let mut recorder = Recorder::default();
        running.run_to(self.ends, &mut recorder);
        let latest = self.ends + question.clients[0].ttl + question.clients[0].ttl;
        let both = |running: &Running| {
            let clients = 0..running.world.clients();
            clients
                .filter(|&it| running.world.believes_held(it))
                .count()
                > 1
        };
        while both(&running) && running.world.now() < latest {
            let next = running.world.now() + question.grid;
            running.run_to(next, &mut recorder);
        }
        let end = running.world.now();
        (end, running.two_owners_for(KEY))
    }

    /// Latencies and losses, by place.
    fn overrides(&self, question: &Question) -> BTreeMap<Site, u32> {
        let mut overrides = BTreeMap::new();
        for (&(link, count), &fate) in &self.fates {
            let site = |kind| Site {
                kind,
                subject: link.subject(question.processes),
                count,
            };
            let step = Duration::from_ms(question.unit_ms()).as_ms();
            let steps = |delay: Duration| u32::try_from(delay.as_ms() / step).unwrap_or(u32::MAX);
            match fate {
                Fate::Arrives(delay) if delay > Duration::ZERO => {
                    overrides.insert(site(SiteKind::Delay), steps(delay));
                }
                Fate::Arrives(_) => {}
                Fate::Late => {
                    overrides.insert(site(SiteKind::Delay), steps(question.bounds.delay));
                }
                Fate::Lost => {
                    overrides.insert(site(SiteKind::Loss), RAREST);
                }
            }
        }
        overrides
    }
}

impl Link {
    /// The number of the link in the world, where the database comes first.
    fn subject(self, processes: usize) -> u32 {
        let client = 1 + processes as u32 + u32::from(self.client);
        let process = 1 + u32::from(self.process);
        let (from, to) = if self.is_reply {
            (process, client)
        } else {
            (client, process)
        };
        from << 16 | to
    }
}

/// A schedule to be repeated.
struct Replay<'a> {
    schedule: &'a Schedule,
    scenario: Scenario,
}

impl Replay<'_> {
    /// Adds decisions about what comes first at an instant, until all instants end as in the
    /// schedule.
    fn decide_ties(&self, overrides: &mut BTreeMap<Site, u32>) -> Result<(), ReplayError> {
        let mut reached = self.agreement(overrides);
        for _ in 0..DECISIONS_MAX {
            let Some(checkpoint) = self.schedule.checkpoints.get(reached) else {
                return Ok(());
            };
            let Some(better) = self.improve(overrides, reached) else {
                return Err(ReplayError::Diverges(checkpoint.time));
            };
            (*overrides, reached) = better;
        }
        Err(ReplayError::Diverges(self.schedule.ends))
    }

    /// One decision more, or two, with which the world goes further along the schedule. First
    /// at the instant that ends otherwise, then before it.
    fn improve(
        &self,
        overrides: &BTreeMap<Site, u32>,
        reached: usize,
    ) -> Option<(BTreeMap<Site, u32>, usize)> {
        let further = |decisions: &[(Site, u32)]| {
            let mut more = overrides.clone();
            more.extend(decisions.iter().copied());
            let agreement = self.agreement(&more);
            (agreement > reached).then_some((more, agreement))
        };
        let instants = || self.schedule.checkpoints[..=reached].iter().rev().take(4);
        for instant in instants() {
            for decision in decisions(instant.time) {
                if let Some(found) = further(&[decision]) {
                    return Some(found);
                }
            }
        }
        for instant in instants() {
            let pairs = decisions(instant.time)
                .flat_map(|one| decisions(instant.time).map(move |other| [one, other]));
            for pair in pairs.filter(|[one, other]| one.0 < other.0) {
                if let Some(found) = further(&pair) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// How many instants of the schedule end in the world as they should.
    fn agreement(&self, overrides: &BTreeMap<Site, u32>) -> usize {
        let mut scenario = self.scenario.clone();
        scenario.overrides.clone_from(overrides);
        let mut running = Running::new(Arc::new(Cast::new(scenario)));
        let mut recorder = Recorder::default();
        let checkpoints = self.schedule.checkpoints.iter();
        let mut agrees = checkpoints.map(|checkpoint| {
            running.run_to(checkpoint.time, &mut recorder);
            checkpoint.agrees(&running)
        });
        let all = self.schedule.checkpoints.len();
        agrees.position(|agrees| !agrees).unwrap_or(all)
    }
}

impl Checkpoint {
    fn agrees(&self, running: &Running) -> bool {
        let world = &running.world;
        let owner = world.row(KEY).and_then(|row| row.owner);
        let expected = self.owner.map(|client| NAMES[usize::from(client)]);
        let outlooks = (0..world.clients()).map(|client| {
            let now = world.local_time(world.client(client));
            world.runner(client).map(|runner| runner.outlook(now))
        });
        owner.as_deref() == expected && outlooks.eq(self.outlooks.iter().copied())
    }
}

/// All decisions at an instant.
fn decisions(instant: Time) -> impl Iterator<Item = (Site, u32)> {
    let subject = (instant.as_ms() & u64::from(u32::MAX)) as u32;
    (0..TIES).flat_map(move |count| {
        let site = Site {
            kind: SiteKind::Tie,
            subject,
            count,
        };
        (1..OPTIONS).map(move |picked| (site, picked))
    })
}

/// Text.
impl Schedule {
    fn scenario(
        &self,
        question: &Question,
        overrides: &BTreeMap<Site, u32>,
        end: Time,
        two_owners_for: Option<Duration>,
    ) -> String {
        let mut json = Json::default();
        json.open('{')
            .key("name")
            .string(&question.property.words());
        json.key("profile")
            .string(question.profile_name().unwrap_or_default());
        json.key("processes").plain(question.processes);
        json.key("network").open('{').key("latency").open('{');
        json.key("max").duration(question.bounds.delay);
        json.key("step")
            .duration(Duration::from_ms(question.unit_ms()))
            .close('}');
        let is_lossy = self.fates.values().any(|fate| *fate == Fate::Lost);
        if is_lossy {
            json.key("lossPerMille").plain(1);
        }
        json.close('}');
        json.key("until").moment(end);
        json.key("overrides").open('{');
        for (site, picked) in overrides {
            json.key(&site.to_string()).plain(picked);
        }
        json.close('}');
        self.write_clients(question, &mut json);
        json.key("actions").open('[');
        for deed in &self.deeds {
            deed.write(question, &mut json);
        }
        json.close(']');
        json.key("expect").open('[');
        self.write_expectations(question, two_owners_for, &mut json);
        json.close(']').close('}');
        json.take()
    }

    fn write_clients(&self, question: &Question, json: &mut Json) {
        json.key("clients").open('[');
        for (index, client) in question.clients.iter().enumerate() {
            let starts = |deed: &&Deed| deed.what == DeedWhat::Start(index as u8);
            // One that does not take part starts when all is over.
            let start = self.deeds.iter().find(starts).map(|deed| deed.at);
            let Some(start) = start else {
                json.open('{')
                    .strings(&[("name", NAMES[index]), ("key", KEY)]);
                json.close('}');
                continue;
            };
            json.open('{');
            json.strings(&[
                ("name", NAMES[index]),
                ("kind", client.kind.name()),
                ("key", KEY),
                ("runner", client.runner.name()),
            ]);
            json.key("ttl").duration(client.ttl);
            json.key("retry").duration(client.retry);
            if let Some(margin) = client.margin {
                json.key("margin").duration(margin);
            }
            if client.first_attempt_deadline {
                json.key("firstAttemptDeadline").plain(true);
            }
            json.key("start").moment(start);
            json.key("process").plain(index % question.processes);
            if client.rate_ppm != 0 {
                json.key("clock").open('{').key("ratePpm");
                json.plain(client.rate_ppm).close('}');
            }
            json.close('}');
        }
        json.close(']');
    }

    /// Where the property is broken at the end: who owns the lock, and who believes it.
    fn write_expectations(
        &self,
        question: &Question,
        two_owners_for: Option<Duration>,
        json: &mut Json,
    ) {
        let (Some(last), Some(two_owners_for)) = (self.checkpoints.last(), two_owners_for) else {
            return;
        };
        json.open('{').key("at").moment(last.time);
        json.key("key").string(KEY).key("owner");
        json.optional_string(last.owner.map(|client| NAMES[usize::from(client)]));
        json.key("believers").open('[');
        for &client in &last.believers {
            json.string(NAMES[usize::from(client)]);
        }
        json.close(']').close('}');
        if matches!(question.property, Property::OneOwner { .. }) {
            json.open('{').key("key").string(KEY);
            json.key("twoOwnersFor").duration(two_owners_for).close('}');
        }
    }
}

impl Deed {
    fn write(&self, question: &Question, json: &mut Json) {
        let client = |client: u8| NAMES[usize::from(client)].to_owned();
        let process = crate::scenario::nodes::process_name;
        let process = |number: u8| process(number.into());
        let (deed, node) = match self.what {
            DeedWhat::Crash(it) => ("crash", Some(client(it))),
            DeedWhat::CrashLocket(it) => ("crash", Some(process(it))),
            DeedWhat::Evict => ("delete-row", None),
            DeedWhat::FailOver => ("fail-over", None),
            DeedWhat::LoseAnswer => ("lose-answers", None),
            DeedWhat::Pause(it, _) => ("pause", Some(client(it))),
            DeedWhat::Restart(it) | DeedWhat::Start(it) => ("start", Some(client(it))),
            DeedWhat::StartLocket(it) => ("start", Some(process(it))),
            DeedWhat::Stop(it) => ("stop", Some(client(it))),
        };
        json.open('{').key("at").moment(self.at);
        json.key("do").string(deed);
        if let Some(node) = node {
            json.key("node").string(&node);
        }
        if self.is_first {
            json.key("first").plain(true);
        }
        match self.what {
            DeedWhat::Evict => {
                json.key("key").string(KEY);
            }
            DeedWhat::FailOver => {
                json.key("count").plain(question.bounds.failover_commits);
            }
            DeedWhat::LoseAnswer => {
                json.key("count").plain(1);
            }
            DeedWhat::Pause(_, duration) => {
                let duration = duration.unwrap_or(question.bounds.pause);
                json.key("for").duration(duration);
            }
            DeedWhat::Crash(_)
            | DeedWhat::CrashLocket(_)
            | DeedWhat::Restart(_)
            | DeedWhat::Start(_)
            | DeedWhat::StartLocket(_)
            | DeedWhat::Stop(_) => {}
        }
        json.close('}');
    }
}
