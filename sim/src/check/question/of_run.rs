//! The question of a run: its runners, their settings and their Locket, with the faults of the run as
//! bounds. The search decides when they happen, and to whom.
//!
//! A question has the clients of one key, the one with the most rivals.
//! [`Question::outside`] names the parts that no search tries; none is left out in silence. Names,
//! values, the seed, the end, expectations and the moments of starts change no answer.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::bounds::Bounds;
use super::limits::{CLIENTS_MAX, PROCESSES_MAX};
use super::outside::{Outside, OutsideKind};
use super::run_faults::{self, Actions};
use super::storage::StorageQuestion;
use super::{ClientQuestion, Property, Question};
use crate::protocol::profile::{ExpiryRule, Profile};
use crate::scenario::{Client, Scenario, ScenarioError};
use crate::simulation::{Simulation, SimulationError};
use crate::world::event::Flight;

/// Which faults of a run are the bounds of its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunFaults {
    /// Those that happened in it, also what was done from outside and decided by chance.
    Happened,
    /// Those that its scenario plans.
    Planned,
}

/// The error of a scenario without a client that a search can try.
fn nothing_to_search(scenario: &Scenario) -> String {
    let mut runners = scenario.clients.iter().filter(|it| it.is_runner());
    let why = runners.find_map(|it| Some((it.name.clone(), why_not(scenario, &it)?)));
    match why {
        Some((name, why)) => format!("no search can try {name} ({why})"),
        None => "no client is a runner, so there is nothing to search; give one a retryInterval"
            .to_owned(),
    }
}

impl Question {
    /// Whether a scenario can have two owners, with the faults that it plans.
    ///
    /// # Errors
    ///
    /// A validation error of the scenario, or that it has no client that a search can try.
    pub fn of_scenario(text: &str) -> Result<Self, ScenarioError> {
        let scenario = Scenario::from_json_of_any_length(text)?;
        let actions = Actions::new(&scenario, scenario.actions.clone(), scenario.end());
        let wrong = |message: String| ScenarioError::at(text, &["clients".into()], message);
        let question = asked(&scenario, &actions, None);
        let question = question.ok_or_else(|| wrong(nothing_to_search(&scenario)))?;
        question.check().map_err(|error| wrong(error.message))?;
        Ok(question)
    }

    /// Whether the clients of a run can have two owners, with its faults.
    ///
    /// # Errors
    ///
    /// It has no client that a search can try, or would take more steps than it may.
    pub fn of_run(run: &Simulation, faults: RunFaults) -> Result<Self, SimulationError> {
        let scenario = run.scenario();
        let wrong =
            |message: String| SimulationError::Argument { field: "scenario".to_owned(), message };
        let question = match faults {
            RunFaults::Planned => {
                let actions = Actions::new(scenario, scenario.actions.clone(), scenario.end());
                asked(scenario, &actions, None)
            }
            RunFaults::Happened => {
                let (flights, end) = run.flights()?;
                let actions = Actions::new(scenario, run.actions(), end);
                asked(scenario, &actions, Some(&flights))
            }
        };
        let question = question.ok_or_else(|| wrong(nothing_to_search(scenario)))?;
        question.check().map_err(|error| wrong(error.to_string()))?;
        Ok(question)
    }
}

/// The question about the clients of one key; none if no client is a runner that a search can try.
fn asked(
    scenario: &Scenario,
    actions: &Actions<'_>,
    flights: Option<&[Flight]>,
) -> Option<Question> {
    let members = members(scenario);
    let clients: Vec<ClientQuestion> = members
        .iter()
        .map(|&it| client_question(scenario, &members, &scenario.clients.at(it)))
        .collect();
    let first = clients.first()?.clone();
    let (bounds, mut outside) = run_faults::bounds(actions, &members, flights);
    outside.extend(of_the_whole(scenario));
    outside.extend(left_out(scenario, &members));
    let one_owner = Question::one_owner(first);
    let question = Question {
        property: match scenario.storage {
            Some(_) => Property::NoWrongWrite,
            None => one_owner.property,
        },
        profile: preset(scenario.profile),
        clients,
        bounds,
        processes: scenario.processes.min(PROCESSES_MAX),
        storage: scenario.storage.map(StorageQuestion::from),
        outside,
        ..one_owner
    };
    Some(question)
}

/// The clients of the question: of the runners that want the same key, the largest group.
fn members(scenario: &Scenario) -> Vec<usize> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, client) in scenario.clients.iter().enumerate() {
        if client.is_runner() && why_not(scenario, &client).is_none() {
            let group = format!("{:?} {}", client.key, client.kind.name());
            groups.entry(group).or_default().push(index);
        }
    }
    let groups = groups.into_values();
    let largest = groups.max_by_key(|group| (group.len(), Reverse(group.first().copied())));
    in_order_of_processes(scenario, largest.unwrap_or_default())
}

/// Client `i` of a question prefers the process `i` modulo their number: as many as can, in an order
/// in which they do.
fn in_order_of_processes(scenario: &Scenario, mut group: Vec<usize>) -> Vec<usize> {
    let processes = scenario.processes.min(PROCESSES_MAX);
    let mut ordered = Vec::new();
    while ordered.len() < CLIENTS_MAX && !group.is_empty() {
        let wanted = ordered.len() % processes;
        let fits = |&it: &usize| scenario.clients.at(it).process == wanted;
        let next = group.iter().position(fits).unwrap_or(0);
        ordered.push(group.remove(next));
    }
    ordered
}

/// Why a search cannot have such a client, if it cannot.
fn why_not(scenario: &Scenario, client: &Client) -> Option<String> {
    let client = client_question(scenario, &[], client);
    let alone = Question {
        bounds: Bounds::default(),
        clients: vec![client.clone()],
        ..Question::one_owner(client)
    };
    alone.check().err().map(|error| error.to_string())
}

fn client_question(scenario: &Scenario, members: &[usize], client: &Client) -> ClientQuestion {
    let owner = client.owner();
    let members = members.iter().map(|&it| scenario.clients.at(it));
    ClientQuestion {
        runner: client.kind_of_runner().clone(),
        kind: client.kind,
        // Names change no answer, and clients with names of their own are alike.
        owner: (members.filter(|it| it.owner() == owner).count() > 1).then(|| owner.to_owned()),
        ttl: client.ttl,
        retry_interval: client.runner_settings("").retry_interval,
        margin: client.margin,
        first_attempt_deadline: client.first_attempt_deadline,
        connection: client.connection,
        rate_ppm: client.clock.rate_ppm,
    }
}

/// The nearest Locket that a search knows.
fn preset(profile: Profile) -> Profile {
    match profile.expiry {
        ExpiryRule::Exact => Profile::DOCUMENTED,
        ExpiryRule::UpstreamTimers => Profile::UPSTREAM,
    }
}

fn of_the_whole(scenario: &Scenario) -> Vec<Outside> {
    let Scenario { profile, processes, .. } = scenario;
    let is_own = preset(*profile) != *profile;
    let has_more = *processes > PROCESSES_MAX;
    let own = is_own.then(|| "a Locket with rules of its own".to_owned());
    let more = has_more.then(|| {
        let more = processes - PROCESSES_MAX;
        let noun = if more == 1 { "process" } else { "processes" };
        format!("{more} more Locket {noun}; a search has {PROCESSES_MAX}")
    });
    own.into_iter().chain(more).map(Outside::never).collect()
}

/// The runners that are no part of the question, with the reason, and those whose preferred process
/// is another.
fn left_out(scenario: &Scenario, members: &[usize]) -> Vec<Outside> {
    let mut reasons: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut others = Vec::new();
    let Some(first) = members.first().map(|&it| scenario.clients.at(it)) else {
        return Vec::new();
    };
    for (index, client) in scenario.clients.iter().enumerate() {
        let place = members.iter().position(|&it| it == index);
        let reason = match place {
            Some(place) => other_process(scenario, &client, place),
            None if !client.is_runner() => None,
            None if client.key != first.key => {
                others.push(index);
                None
            }
            None => Some(reason(scenario, &first, &client)),
        };
        if let Some(reason) = reason {
            reasons.entry(reason).or_default().push(index);
        }
    }
    let named =
        |clients: &[usize], reason: &str| format!("{}, {reason}", listed(scenario, clients));
    let reasons = reasons.iter();
    let mut left_out: Vec<Outside> =
        reasons.map(|(reason, clients)| Outside::never(named(clients, reason))).collect();
    if !others.is_empty() {
        left_out
            .push(Outside { is: OutsideKind::OtherKey, words: named(&others, "with another key") });
    }
    left_out
}

fn other_process(scenario: &Scenario, client: &Client, place: usize) -> Option<String> {
    let wanted = place % scenario.processes.min(PROCESSES_MAX);
    let is_other = client.process != wanted;
    is_other.then(|| format!("in a search with locket-{wanted} as the process that it prefers"))
}

/// Why a rival is no part of the question.
fn reason(scenario: &Scenario, first: &Client, client: &Client) -> String {
    if let Some(why) = why_not(scenario, client) {
        return format!("which no search can try ({why})");
    }
    if client.kind != first.kind {
        format!("a {} of the same key", client.kind.name())
    } else {
        format!("beyond the {CLIENTS_MAX} clients of a search")
    }
}

fn listed(scenario: &Scenario, clients: &[usize]) -> String {
    let name = |client: &usize| scenario.clients.at(*client).name.clone();
    match clients {
        [] => String::new(),
        [one] => name(one),
        [one, other] => format!("{} and {}", name(one), name(other)),
        [one, others @ ..] => format!("{} and {} others", name(one), others.len()),
    }
}
