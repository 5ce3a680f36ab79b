//! One simulated minute of 1,000 presences and two clients that want one lock: locket-sim, and
//! beside it the same clients and a small Locket under turmoil.
//!
//! Both sides have the same requests at the same milliseconds, a TTL of 15 s and a renewal every
//! 5 s. A message takes 5 ms each way; the grain is 1 ms, with one thread and a fixed seed. The
//! numbers of granted leases are compared.
//!
//! Not the same, each to turmoil's advantage:
//!
//! * Its clients are tasks of one host. With a host each, as the nodes of locket-sim are, it takes
//!   hours: it looks at every pair of hosts at every tick.
//! * Its messages are datagrams of a few dozen bytes, and its server is a hash table. It has no
//!   database that is asked over a link of its own, no clocks of nodes, no digest of what has
//!   happened.
//! * Its clients wait and renew; they keep no account of their lease and give no deadline to a
//!   call.
//!
//! To locket-sim's: its messages are values without an encoding, and it runs state machines only,
//! where turmoil runs any program that is written for tokio.
//!
//!     cargo run --release

mod small_locket;

use std::time::Instant;

use locket_sim::scenario::run_text_without_trace;

pub(crate) const PRESENCES: u64 = 1_000;
pub(crate) const CONTENDERS: u64 = 2;
/// Presences start one after the other, so that their renewals fill the interval.
pub(crate) const START_STEP_MS: u64 = 4;
pub(crate) const TTL_MS: u64 = 15_000;
pub(crate) const RENEWAL_INTERVAL_MS: u64 = 5_000;
pub(crate) const LATENCY_MS: u64 = 5;
pub(crate) const MINUTE_MS: u64 = 60_000;

const RUNS: usize = 5;

fn main() {
    let mut ours = Vec::new();
    let mut turmoils = Vec::new();
    // In turn, so that a busy machine slows both.
    for _ in 0..RUNS {
        let (seconds, granted) = timed(locket_sim_minute);
        let (peer_seconds, peer_granted) = timed(small_locket::minute);
        assert_eq!(granted, peer_granted, "the two granted different leases");
        ours.push(seconds);
        turmoils.push(peer_seconds);
    }
    let (ours, turmoil) = (median(ours), median(turmoils));
    println!("minute {ours:.4} s");
    println!("minute-turmoil {turmoil:.4} s");
    println!("minute-turmoil-ratio {:.1} x", turmoil / ours);
}

/// Runs it, from nothing to the end; how many leases were granted.
fn locket_sim_minute() -> i64 {
    let run = run_text_without_trace(&scenario()).expect("the scenario is right");
    // A row counts its renewals, and none of these is ever taken over.
    run.table.iter().filter_map(|row| row.modified_index).sum()
}

fn scenario() -> String {
    let presences = (0..PRESENCES).map(|index| {
        let start = index * START_STEP_MS;
        format!(
            r#"{{"name":"cell-{index}","kind":"presence","key":"cell-{index}","retryInterval":"{RENEWAL_INTERVAL_MS}ms","runner":"upstream","startAt":"{start}ms"}}"#
        )
    });
    let contenders = (0..CONTENDERS).map(|index| {
        format!(
            r#"{{"name":"bbs-{index}","key":"bbs","retryInterval":"{RENEWAL_INTERVAL_MS}ms","runner":"upstream","startAt":"{index}ms"}}"#
        )
    });
    let clients: Vec<String> = presences.chain(contenders).collect();
    format!(
        r#"{{"name":"a minute","profile":"upstream","until":"{MINUTE_MS}ms","network":{{"latency":"{LATENCY_MS}ms"}},"clients":[{}]}}"#,
        clients.join(",")
    )
}

fn timed(run: impl Fn() -> i64) -> (f64, i64) {
    let started = Instant::now();
    let granted = run();
    (started.elapsed().as_secs_f64(), granted)
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
