//! A simulated day of 1,000 presences and two clients that want one lock, and an hour of 100,000
//! clients, natively. `day.mjs` does the day through the npm package.
//!
//!     cargo bench --bench day

#![allow(clippy::print_stdout, reason = "figures are for the person who runs this")]
#![allow(missing_docs, reason = "a program, not an interface")]

use std::time::Instant;

use locket_wasm::sim::scenario::run_text_without_trace;

const PRESENCES: usize = 1_000;
/// The clients of the hour: as many as a scenario may have.
const MANY: usize = 100_000;

fn main() {
    // The second run finds the memory as the first one left it.
    run(1);
    run(1);
    let after_an_hour = peak_memory();
    let started = Instant::now();
    let digest = run(24);
    println!("day {:.3} s", started.elapsed().as_secs_f64());
    println!("digest of the day: {digest}");
    let grown = peak_memory().zip(after_an_hour);
    if let Some((after_a_day, after_an_hour)) = grown {
        println!("day-memory {after_a_day} KiB");
        println!("day-memory-growth {} KiB", after_a_day - after_an_hour);
    }
    run_many("4m");
    run_many("4m");
    let after_minutes = peak_memory();
    let started = Instant::now();
    run_many("1h");
    println!("many-hour {:.3} s", started.elapsed().as_secs_f64());
    let grown = peak_memory().zip(after_minutes);
    if let Some((after_an_hour, after_minutes)) = grown {
        println!("many-memory {after_an_hour} KiB");
        println!("many-memory-growth {} KiB", after_an_hour - after_minutes);
    }
}

/// Runs presences that start within 100 s, so that 20 renew at each instant.
fn run_many(until: &str) {
    let text = format!(
        r#"{{"name":"many","profile":"upstream","until":"{until}","clients":[{{"name":"cell-{{i}}","count":{MANY},"kind":"presence","key":"cell-{{i}}","retryInterval":"5s","runner":"upstream","startEvery":"1ms"}}]}}"#
    );
    let run = run_text_without_trace(&text).expect("the scenario is right");
    assert_eq!(run.table.len(), MANY);
}

/// Runs that many hours; the digest.
fn run(hours: usize) -> String {
    let run = run_text_without_trace(&scenario(hours)).expect("the scenario is right");
    assert_eq!(run.table.len(), PRESENCES + 1);
    run.digest.to_string()
}

/// Presences start 5 ms after each other, so that each instant is one's own; `day.mjs` has the
/// same.
fn scenario(hours: usize) -> String {
    let presences = (0..PRESENCES).map(|index| {
        format!(
            r#"{{"name":"cell-{index}","kind":"presence","key":"cell-{index}","retryInterval":"5s","runner":"upstream","startAt":"{}ms"}}"#,
            index * 5
        )
    });
    let locks = (0..2).map(|index| {
        format!(r#"{{"name":"bbs-{index}","key":"bbs","retryInterval":"5s","runner":"upstream","startAt":"{index}ms"}}"#)
    });
    let clients: Vec<String> = presences.chain(locks).collect();
    format!(
        r#"{{"name":"a day","profile":"upstream","until":"{hours}h","clients":[{}]}}"#,
        clients.join(",")
    )
}

/// The most memory that the process ever had, in KiB, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}
