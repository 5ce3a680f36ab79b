//! Claims about outages and the back-off of connections, beside a sum by hand over all phases and waits.

use locket_sim::check::{Fault, Property, Question, Verdict};
use locket_sim::node::ConnectionKind;
use locket_sim::scenario::RunnerKind;

use super::rig::{Changed, assert_verdicts, delays, ms, played, s, two, upstream};

/// One outage of a Locket, in milliseconds: how long it lasts, how often a safe runner tries, and how
/// long a message takes at most.
#[derive(Clone, Copy, Debug)]
struct Outage {
    lasts: u64,
    retry: u64,
    latency: u64,
    connection: ConnectionKind,
}

/// All times are multiples of it.
const GRAIN: u64 = 500;

impl Outage {
    /// How long after the last good attempt an answer to the first one after the outage may come.
    fn worst(self) -> u64 {
        let Self { lasts, retry, latency, .. } = self;
        let grid = self.with_ttl(1).exact_grid().as_ms();
        // A Locket that crashes before an answer has arrived takes it along.
        let crashes = (grid..=retry + 2 * latency).step_by(grid as usize);
        let connects = crashes.map(|crash| {
            let first = if crash > retry { 2 * retry } else { retry };
            let back = crash + lasts;
            match self.connection {
                _ if first > back => first,
                ConnectionKind::Fetch => next(back, retry),
                ConnectionKind::Grpc => next(last_round(first, 1, back, grid), retry),
            }
        });
        connects.max().expect("it crashes at some time") + 2 * latency
    }

    /// The question whether a client with this TTL in seconds, which is its lease, may lose its lock.
    fn with_ttl(self, ttl: u64) -> Question {
        let crash = delays(0).with_length(Fault::LocketCrash, 1, ms(self.lasts));
        let mut question = two(RunnerKind::Safe, ttl, 0, crash).with_clients(1);
        question.bounds.latency = ms(self.latency);
        question.about(Property::FalseLoss).with_each(|it| {
            (it.retry_interval, it.margin) = (ms(self.retry), Some(ms(0)));
            it.connection = Some(self.connection);
        })
    }
}

/// The first attempt after this time.
const fn next(time: u64, retry: u64) -> u64 {
    (time / retry + 1) * retry
}

/// The latest round that connects after so many that have failed, the last one at `failed`.
fn last_round(failed: u64, rounds: i32, back: u64, grid: u64) -> u64 {
    let wait = (1_000.0 * 1.6_f64.powi(rounds - 1)).min(120_000.0);
    let (from, to) = if rounds == 1 { (wait, wait) } else { (wait * 0.8, wait * 1.2) };
    let steps = |ms: f64| ms / grid as f64;
    let from = if rounds <= 2 { steps(from).ceil() } else { steps(from).floor() };
    let waits = from as u64..=steps(to).ceil() as u64;
    let connects = waits.map(|it| match failed + it * grid {
        at if at > back => at,
        at => last_round(at, rounds + 1, back, grid),
    });
    connects.max().expect("there is a wait")
}

#[test]
fn the_shortest_ttl_through_an_outage_is_the_sum_of_its_worst_phase_and_waits() {
    let mut state = 7_u64;
    let mut below = |most: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    for number in 0..30 {
        let connection = [ConnectionKind::Fetch, ConnectionKind::Grpc][number % 2];
        let (lasts, retry) = (GRAIN * (1 + below(24)), GRAIN * (3 + below(8)));
        let outage = Outage { lasts, retry, latency: GRAIN * below(2), connection };
        // What the lease only just reaches comes too late.
        let enough = outage.worst() / 1_000 + 1;
        assert_verdicts([
            (outage.with_ttl(enough), Verdict::Safe),
            (outage.with_ttl(enough - 1), Verdict::Unsafe),
        ]);
    }
}

/// As measured on the real ones: of 20 lost 0 and 3 their lock.
#[test]
fn an_upstream_runner_outlasts_a_drain_of_2_s_and_not_of_4_s() {
    let drain = |seconds| {
        let drain = delays(0).with_length(Fault::LocketDrain, 1, s(seconds));
        let mut question = upstream(15, 5, drain).with_clients(1).about(Property::FalseLoss);
        question.bounds.latency = ms(100);
        question
    };
    assert_verdicts([(drain(2), Verdict::Safe)]);
    let answer = played(drain(4));
    assert_eq!(answer.verdict, Verdict::Unsafe, "{answer}");
    assert!(answer.counterexample.is_some(), "the world has waited as the search says: {answer}");
}
