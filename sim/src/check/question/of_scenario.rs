//! The question that a scenario asks: its runners, their settings and their Locket, with all that
//! happens left to the search.
//!
//! A part that a search cannot take into account is a validation error with its place in the text,
//! and never left out in silence. Names, values, the seed and the end change no answer.

use super::bounds::Bounds;
use super::keys::TOO_MANY_KEYS;
use super::limits::{CLIENTS_MAX, KEYS_MAX, PROCESSES_MAX};
use super::{ClientQuestion, Question};
use crate::protocol::profile::Profile;
use crate::scenario::{Client, ClientKind, Expectation, RUNNER_DEFAULT, RunnerKind, Scenario};
use crate::scenario::{ScenarioError, Share, Step};
use crate::time::Duration;

/// The path to what cannot be taken into account, and what to do about it.
type Refusal = (Vec<Step>, String);

impl Question {
    /// Whether a scenario can have two owners, with the latencies of the scenario and no other
    /// fault.
    ///
    /// # Errors
    ///
    /// A validation error of the scenario, or its first part that a search cannot take into
    /// account.
    pub fn of_scenario(text: &str) -> Result<Self, ScenarioError> {
        let scenario = Scenario::from_json_of_any_length(text)?;
        let refused = |(path, message): Refusal| ScenarioError::at(text, &path, message);
        if let Some(refusal) = refusal(&scenario) {
            return Err(refused(refusal));
        }
        let question = asked(&scenario);
        question.check().map_err(|error| {
            let path = vec!["clients".into()];
            refused((path, error.to_string()))
        })?;
        Ok(question)
    }
}

fn asked(scenario: &Scenario) -> Question {
    let clients = scenario.clients.iter();
    let clients = clients.map(|it| client_question(scenario, it)).collect();
    let first = ClientQuestion::new(RunnerKind::Upstream, Duration::ZERO, Duration::ZERO);
    Question {
        profile: scenario.profile,
        clients,
        bounds: Bounds {
            latency: scenario.network.latency.max,
            database_latency: scenario.database.latency.max,
            ..Bounds::default()
        },
        processes: scenario.processes,
        ..Question::one_owner(first)
    }
}

fn client_question(scenario: &Scenario, client: &Client) -> ClientQuestion {
    let owner = client.owner();
    let same = scenario.clients.iter().filter(|it| it.owner() == owner);
    ClientQuestion {
        runner: client.runner.unwrap_or(RUNNER_DEFAULT),
        kind: client.kind,
        keys: client.keys.clone(),
        key_timeout: client.key_timeout,
        // Names change no answer, and clients with names of their own are alike.
        owner: (same.count() > 1).then(|| owner.to_owned()),
        ttl: client.ttl,
        retry_interval: client.runner_settings("").retry_interval,
        margin: client.margin,
        first_attempt_deadline: client.first_attempt_deadline,
        rate_ppm: client.clock.rate_ppm,
    }
}

/// The first thing in a scenario that a search cannot take into account.
fn refusal(scenario: &Scenario) -> Option<Refusal> {
    let of_the_whole = refusal_of_the_whole(scenario);
    let of_clients = || {
        let clients = scenario.clients.iter().enumerate();
        let mut refused = clients.filter_map(|(index, client)| {
            let (field, message) = refusal_of_client(scenario, index, client)?;
            let mut path = vec!["clients".into(), client.entry.index.into()];
            path.extend(field.map(Step::from));
            Some((path, message.to_owned()))
        });
        refused.next()
    };
    let of_expectations = || {
        let mut expected = scenario.expect.iter();
        let index = expected.position(|it| !is_one_owner(it))?;
        let message = "a search has a property instead; leave this out, or expect twoOwnersFor 0s";
        Some((vec!["expect".into(), index.into()], message.to_owned()))
    };
    of_the_whole.or_else(of_clients).or_else(of_expectations)
}

fn refusal_of_the_whole(scenario: &Scenario) -> Option<Refusal> {
    let Scenario {
        network, database, ..
    } = scenario;
    let processes = format!("a search has 1 to {PROCESSES_MAX} Locket processes");
    let clients = format!("a search has 1 to {CLIENTS_MAX} clients");
    let is_preset = [Profile::DOCUMENTED, Profile::UPSTREAM].contains(&scenario.profile);
    let refusals: [(bool, &[&str], &str); 10] = [
        (
            !is_preset,
            &["profile"],
            "a search has the profiles documented and upstream",
        ),
        (
            scenario.overrides.iter().any(|it| !it.is_empty()),
            &["overrides"],
            "a search tries every decision; leave overrides out",
        ),
        (
            scenario.processes > PROCESSES_MAX,
            &["processes"],
            &processes,
        ),
        (
            network.latency.min > Duration::ZERO,
            &["network", "latency"],
            "in a search a message may also arrive at once; write a range from 0s",
        ),
        (
            network.loss != Share::default(),
            &["network", "loss"],
            "a search has no probabilities; set bounds.lostMessages instead",
        ),
        (
            network.duplicates != Share::default(),
            &["network", "duplicates"],
            "a search has no probabilities; set bounds.duplicates instead",
        ),
        (
            database.latency.min > Duration::ZERO,
            &["database", "latency"],
            "in a search a query may also arrive at once; write a range from 0s",
        ),
        (
            database.reply_loss != Share::default(),
            &["database", "replyLoss"],
            "a search has no probabilities; set bounds.lostReplies instead",
        ),
        (
            !(1..=CLIENTS_MAX).contains(&scenario.clients.len()),
            &["clients"],
            &clients,
        ),
        (
            !scenario.actions.is_empty(),
            &["actions"],
            "a search tries all faults within its bounds; leave actions out and set bounds",
        ),
    ];
    let mut refused = refusals.into_iter().filter(|(is_refused, ..)| *is_refused);
    refused.next().map(|(_, path, message)| {
        let path = path.iter().copied().map(Step::from).collect();
        (path, message.to_owned())
    })
}

/// The field and a message; no field where one is missing.
fn refusal_of_client(
    scenario: &Scenario,
    index: usize,
    client: &Client,
) -> Option<(Option<&'static str>, &'static str)> {
    let others = &scenario.clients[..index];
    let refuse = |field, message| Some((Some(field), message));
    if !client.is_runner() {
        let message = "in a search every client is a runner; add a retryInterval";
        return Some((None, message));
    }
    if client.keys.len() > KEYS_MAX {
        return refuse("keys", TOO_MANY_KEYS);
    }
    if others
        .first()
        .is_some_and(|first| !wants_the_same(first, client))
    {
        let is_joint = client.kind == ClientKind::Joint;
        let field = if is_joint { "keys" } else { "key" };
        return refuse(field, "a search has the same key or keys for all clients");
    }
    if client.start_at > Duration::ZERO {
        let message = "in a search every client may start at any time; leave this out";
        let is_own = client.start_every == Duration::ZERO;
        return refuse(if is_own { "startAt" } else { "startEvery" }, message);
    }
    if client.process != index % scenario.processes {
        let message =
            "in a search the preferred processes follow the order of the clients; leave this out";
        return Some((None, message));
    }
    None
}

/// Whether two clients want the same keys, in any order.
fn wants_the_same(one: &Client, other: &Client) -> bool {
    let (keys, others) = (one.wanted_keys(), other.wanted_keys());
    keys.len() == others.len() && keys.iter().all(|key| others.contains(key))
}

/// Whether it expects nothing but what a search asks by itself.
fn is_one_owner(expectation: &Expectation) -> bool {
    let Expectation {
        at,
        key: _,
        owner,
        believers,
        two_owners_for,
        no_owner_for,
        event,
        count,
        no_event,
    } = expectation;
    let others = (at, owner, believers, no_owner_for, event, count, no_event);
    *two_owners_for == Some(Duration::ZERO)
        && matches!(others, (None, None, None, None, None, None, None))
}
