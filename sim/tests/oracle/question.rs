//! A question's numbers as the oracle's rules, in units.

use locket_sim::check::{ClientQuestion, Fault, Property, Question};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::{ClientKind, RunnerKind};
use locket_sim::time::Duration;

use super::locket::LocketRules;
use super::model::Rules;
use super::runner::RunnerRules;

/// Up to how many units a violation is measured. Two owners never last for ever, so they are
/// measured to their end.
const COUNTED_BEYOND: u16 = 3;
/// How often a process reads the table.
const POLL_MS: u64 = 5_000;
/// For how long a process waits for an answer of the database.
const PATIENCE_MS: u64 = 10_000;
/// For how long a call waits until it is known whether the other end answers pings.
const KEEPALIVE_MS: u64 = 32_000;

/// The rules of a question, and how many milliseconds a unit has. `polls` where they may find
/// something new.
pub(crate) fn rules(question: &Question, polls: bool) -> (Rules, u64) {
    let unit_ms = unit_ms(question, polls);
    let units = |time: Duration| u16::try_from(time.as_ms() / unit_ms).expect("it is short");
    let ms = |ms: u64| units(Duration::from_ms(ms));
    let bounds = &question.bounds;
    let within = bound(question.property);
    let clients = question.clients.iter();
    let rules = Rules {
        locket: LocketRules {
            ttls: std::array::from_fn(|owner| {
                let client = question.clients.get(owner);
                client.map_or(0, |it| units(it.ttl))
            }),
            expires_exactly: question.profile == Profile::DOCUMENTED,
            poll: (polls && question.profile != Profile::DOCUMENTED).then(|| ms(POLL_MS)),
            lost_commits: bounds.faults[Fault::Failover].lost_commits.into(),
            travels: travels(question),
            database_delay: units(bounds.database_latency),
            patience: may_exceed_patience(question).then(|| ms(PATIENCE_MS)),
        },
        processes: question.processes,
        clients: clients.map(|it| runner_rules(it, &units)).collect(),
        owners: (0..question.clients.len()).map(|it| owner(question, it)).collect(),
        property: question.property,
        counted: if matches!(question.property, Property::OneOwner { .. }) {
            u16::MAX
        } else {
            units(within) + COUNTED_BEYOND
        },
        within: units(within),
        delay: units(bounds.latency),
        lengths: Fault::ALL.map(|it| units(lasts(question, it))),
        keepalive: pings_can_fail(question).then(|| ms(KEEPALIVE_MS)),
        allowed: Fault::ALL.map(|it| bounds.faults[it].count.limit().expect("a search has counts")),
    };
    (rules, unit_ms)
}

/// The longest time of which all others are multiples.
fn unit_ms(question: &Question, polls: bool) -> u64 {
    let bounds = &question.bounds;
    let lengths = Fault::ALL.map(|it| it.longest(bounds));
    let own = [bounds.latency, bounds.database_latency, bound(question.property)];
    let of_clients = question.clients.iter();
    let of_clients = of_clients.flat_map(|it| [it.ttl, it.retry_interval, margin(it)]);
    let times = own.into_iter().chain(lengths).chain(of_clients).map(Duration::as_ms);
    let of_locket = [
        polls.then_some(POLL_MS),
        may_exceed_patience(question).then_some(PATIENCE_MS),
        pings_can_fail(question).then_some(KEEPALIVE_MS),
    ];
    times.chain(of_locket.into_iter().flatten()).fold(0, gcd)
}

/// True if a process's questions to the database can take time, or be refused.
pub(crate) fn travels(question: &Question) -> bool {
    holds_up_answers(question)
        || question.bounds.faults[Fault::DatabaseCrash].count > 0
        || question.bounds.database_latency > Duration::ZERO
}

/// True if a process can wait for an answer for as long as it waits at all.
fn may_exceed_patience(question: &Question) -> bool {
    let there_and_back = 2 * question.bounds.database_latency.as_ms();
    holds_up_answers(question) || there_and_back >= PATIENCE_MS
}

/// True if a fault delays or loses answers of the database.
fn holds_up_answers(question: &Question) -> bool {
    let bounds = &question.bounds;
    bounds.faults[Fault::Stall].count > 0
        || bounds.faults[Fault::LocketPause].count > 0
        || bounds.faults[Fault::LostReply].count > 0
}

/// True if a process can be there and answer no ping.
fn pings_can_fail(question: &Question) -> bool {
    question.bounds.faults[Fault::Partition].count > 0
        || question.bounds.faults[Fault::LocketPause].count > 0
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// By how much a safe runner shortens its lease, if it is not told: no TTL here is longer than 100
/// s.
fn margin(client: &ClientQuestion) -> Duration {
    if client.runner != RunnerKind::Safe {
        return Duration::ZERO;
    }
    client.margin.unwrap_or_else(|| {
        Duration::from_ms(match client.ttl.as_ms() {
            10_000.. => 1_000,
            5_000.. => 500,
            3_000.. => 250,
            _ => 100,
        })
    })
}

/// A cut counts for as long again where it matters when calls get through.
fn lasts(question: &Question, fault: Fault) -> Duration {
    let longest = fault.longest(&question.bounds);
    let is_cut = matches!(fault, Fault::Isolation | Fault::Partition);
    let is_of_rows =
        matches!(question.property, Property::OneOwner { .. } | Property::NoWrongWrite);
    match is_cut && !is_of_rows {
        true => longest + longest.min(Duration::from_seconds(120)),
        false => longest,
    }
}

fn runner_rules(client: &ClientQuestion, units: &dyn Fn(Duration) -> u16) -> RunnerRules {
    let (ttl, retry_interval) = (units(client.ttl), units(client.retry_interval));
    let (acquire_timeout, renew_timeout) = match client.runner {
        RunnerKind::Upstream => (retry_interval, retry_interval),
        RunnerKind::UpstreamBefore202510 => (ttl, ttl),
        // While it does not hold the lock, it waits as long as an answer grants anything.
        RunnerKind::Safe => (ttl.max(retry_interval), retry_interval),
        RunnerKind::CloudController | RunnerKind::Rule(_) => {
            panic!("the oracle does not know this runner")
        }
    };
    let is_safe = client.runner == RunnerKind::Safe;
    let has_deadlines = is_safe || client.first_attempt_deadline;
    RunnerRules {
        retry_interval,
        first_timeout: has_deadlines.then_some(acquire_timeout),
        acquire_timeout,
        renew_timeout,
        fetch_timeout: has_deadlines.then_some(renew_timeout),
        release_timeout: is_safe.then_some(retry_interval),
        lease: is_safe.then(|| ttl.saturating_sub(units(margin(client)))),
        retries_from_sending: is_safe,
        exits: client.kind == ClientKind::Lock,
    }
}

/// The first client with the owner string of this one.
pub(crate) fn owner(question: &Question, client: usize) -> u8 {
    let clients = &question.clients;
    let same = |it: &ClientQuestion| it.owner.is_some() && it.owner == clients[client].owner;
    clients.iter().position(same).unwrap_or(client) as u8
}

/// How long what must not last may last.
pub(crate) const fn bound(property: Property) -> Duration {
    match property {
        Property::FalseLoss | Property::NoWrongWrite => Duration::ZERO,
        Property::OneOwner { allow } => allow,
        Property::NoClientActs { allow }
        | Property::Own { allow, .. }
        | Property::Acquired { allow }
        | Property::PresenceGap { allow }
        | Property::BeliefMatchesRow { allow } => allow,
    }
}
