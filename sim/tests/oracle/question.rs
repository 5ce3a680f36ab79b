//! A question's numbers as the oracle's rules, in units.

use locket_sim::check::{self, ClientQuestion, Question};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::{ClientKind, RunnerKind};
use locket_sim::time::Duration;

use super::locket::LocketRules;
use super::model::{FAULTS, Fault, Property, Rules};
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
    let (property, within) = (property(question.property), bound(question.property));
    let clients = question.clients.iter();
    let rules = Rules {
        locket: LocketRules {
            ttl: units(question.clients[0].ttl),
            expires_exactly: question.profile == Profile::DOCUMENTED,
            poll: (polls && question.profile != Profile::DOCUMENTED).then(|| ms(POLL_MS)),
            lost_commits: bounds.lost_commits.into(),
            travels: travels(question),
            database_delay: units(bounds.database_latency),
            patience: may_exceed_patience(question).then(|| ms(PATIENCE_MS)),
        },
        processes: question.processes,
        clients: clients.map(|it| runner_rules(it, &units)).collect(),
        owners: (0..question.clients.len())
            .map(|it| owner(question, it))
            .collect(),
        property,
        counted: if property == Property::OneOwner {
            u16::MAX
        } else {
            units(within) + COUNTED_BEYOND
        },
        within: units(within),
        delay: units(bounds.latency),
        pause: units(bounds.pause),
        locket_downtime: units(bounds.locket_downtime),
        stall: units(bounds.stall),
        database_downtime: units(bounds.database_downtime),
        locket_pause: units(bounds.locket_pause),
        partition: units(bounds.partition),
        keepalive: pings_can_fail(question).then(|| ms(KEEPALIVE_MS)),
        allowed: allowed(question),
    };
    (rules, unit_ms)
}

/// The longest time of which all others are multiples.
fn unit_ms(question: &Question, polls: bool) -> u64 {
    let bounds = &question.bounds;
    let within = bound(question.property);
    let own = [
        bounds.latency,
        bounds.pause,
        bounds.locket_downtime,
        bounds.database_latency,
        bounds.stall,
        bounds.database_downtime,
        bounds.locket_pause,
        bounds.partition,
        within,
    ];
    let of_clients = question.clients.iter();
    let of_clients = of_clients.flat_map(|it| [it.ttl, it.retry_interval, margin(it)]);
    let times = own.into_iter().chain(of_clients).map(Duration::as_ms);
    let of_locket = [
        polls.then_some(POLL_MS),
        may_exceed_patience(question).then_some(PATIENCE_MS),
        pings_can_fail(question).then_some(KEEPALIVE_MS),
    ];
    times.chain(of_locket.into_iter().flatten()).fold(0, gcd)
}

/// Whether a process's questions to the database can take time, or be refused.
pub(crate) fn travels(question: &Question) -> bool {
    holds_up_answers(question)
        || question.bounds.database_crashes > 0
        || question.bounds.database_latency > Duration::ZERO
}

/// Whether a process can wait for an answer for as long as it waits at all.
fn may_exceed_patience(question: &Question) -> bool {
    let there_and_back = 2 * question.bounds.database_latency.as_ms();
    holds_up_answers(question) || there_and_back >= PATIENCE_MS
}

/// Whether a fault delays or loses answers of the database.
fn holds_up_answers(question: &Question) -> bool {
    let bounds = &question.bounds;
    bounds.stalls > 0 || bounds.locket_pauses > 0 || bounds.lost_replies > 0
}

/// Whether a process can be there and answer no ping.
fn pings_can_fail(question: &Question) -> bool {
    question.bounds.partitions > 0 || question.bounds.locket_pauses > 0
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

fn runner_rules(client: &ClientQuestion, units: &dyn Fn(Duration) -> u16) -> RunnerRules {
    let (ttl, retry_interval) = (units(client.ttl), units(client.retry_interval));
    let (acquire_timeout, renew_timeout) = match client.runner {
        RunnerKind::Upstream => (retry_interval, retry_interval),
        RunnerKind::UpstreamBefore202510 => (ttl, ttl),
        // While it does not hold the lock, it waits as long as an answer grants anything.
        RunnerKind::Safe => (ttl.max(retry_interval), retry_interval),
        RunnerKind::CloudController => panic!("the oracle does not know this runner"),
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

const fn property(property: check::Property) -> Property {
    match property {
        check::Property::FalseLoss => Property::FalseLoss,
        check::Property::Handover { .. } => Property::Handover,
        check::Property::OneOwner { .. } => Property::OneOwner,
        check::Property::Own { never, .. } => Property::Own(never),
        check::Property::Acquired { .. } => Property::Owned,
        check::Property::PresenceGap { .. } => Property::PresenceGap,
        check::Property::BeliefMatchesRow { .. } => Property::RowAgrees,
    }
}

/// The first client with the owner string of this one.
pub(crate) fn owner(question: &Question, client: usize) -> u8 {
    let clients = &question.clients;
    let same = |it: &ClientQuestion| it.owner.is_some() && it.owner == clients[client].owner;
    clients.iter().position(same).unwrap_or(client) as u8
}

/// How long what must not last may last.
pub(crate) const fn bound(property: check::Property) -> Duration {
    match property {
        check::Property::FalseLoss => Duration::ZERO,
        check::Property::OneOwner { allow } => allow,
        check::Property::Handover { allow }
        | check::Property::Own { allow, .. }
        | check::Property::Acquired { allow }
        | check::Property::PresenceGap { allow }
        | check::Property::BeliefMatchesRow { allow } => allow,
    }
}

fn allowed(question: &Question) -> [u8; FAULTS] {
    let bounds = &question.bounds;
    let mut allowed = [0; FAULTS];
    for (fault, count) in [
        (Fault::Crash, bounds.crashes),
        (Fault::DatabaseCrash, bounds.database_crashes),
        (Fault::Drain, bounds.locket_drains),
        (Fault::Disconnect, bounds.disconnects),
        (Fault::Duplicate, bounds.duplicates),
        (Fault::Eviction, bounds.row_deletions),
        (Fault::Failover, bounds.failovers),
        (Fault::LocketCrash, bounds.locket_crashes),
        (Fault::LocketPause, bounds.locket_pauses),
        (Fault::Loss, bounds.lost_messages),
        (Fault::LostAnswer, bounds.lost_replies),
        (Fault::Partition, bounds.partitions),
        (Fault::Pause, bounds.pauses),
        (Fault::Restart, bounds.restarts),
        (Fault::Stall, bounds.stalls),
        (Fault::Stop, bounds.stops),
    ] {
        allowed[fault as usize] = count.limit().expect("a search has counts");
    }
    allowed
}
