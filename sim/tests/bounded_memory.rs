//! Memory of a long run: what it takes at the start is what it takes later.
//!
//! A file of its own, since the system tells the memory of a process and not of a test.

#![cfg(target_os = "linux")]

use locket_sim::scenario::run_text_without_trace;

const CLIENTS: usize = 20_000;

fn run_presences(minutes: u32) {
    let text = format!(
        r#"{{ "name": "presences", "profile": "upstream", "until": "{minutes}m", "clients": [{{
            "name": "cell-{{i}}", "count": {CLIENTS}, "kind": "presence", "key": "cell-{{i}}",
            "retryInterval": "5s", "runner": "upstream", "startEvery": "1ms" }}] }}"#
    );
    let run = run_text_without_trace(&text).unwrap();
    assert_eq!(run.table.len(), CLIENTS);
}

/// The most memory that the process ever had, in KiB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
}

#[test]
fn the_memory_of_many_presences_does_not_grow_with_time() {
    run_presences(1);
    let after_a_minute = peak_memory();
    run_presences(4);
    let grown = peak_memory() - after_a_minute;
    // An event of each of their 720,000 further renewals would take a hundred times as much.
    assert!(grown < 4 << 10, "{grown} KiB on {after_a_minute} KiB");
}
