//! Memory of a long run: what it takes at the start is what it takes later.
//!
//! A binary of its own, since the system tells the memory of a process and not of a test.

#![cfg(target_os = "linux")]

use locket_sim::scenario::run_text_without_trace;

const CLIENTS: usize = 20_000;

fn run_presences(seconds: u32) {
    let text = format!(
        r#"{{ "name": "presences", "profile": "upstream", "until": "{seconds}s", "clients": [{{
            "name": "cell-{{i}}", "count": {CLIENTS}, "kind": "presence", "key": "cell-{{i}}",
            "retryInterval": "5s", "runner": "upstream" }}] }}"#
    );
    let run = run_text_without_trace(&text).expect("the scenario is right");
    assert_eq!(run.table.len(), CLIENTS);
}

/// The most memory that the process ever had, in KiB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let mut lines = status.lines();
    let peak = lines.find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    peak.and_then(|kib| kib.parse().ok()).expect("Linux tells the peak in kB")
}

#[test]
fn the_memory_of_many_presences_does_not_grow_with_time() {
    run_presences(20);
    let at_first = peak_memory();
    run_presences(100);
    let grown = peak_memory() - at_first;
    // One event of each of their 320,000 further renewals would take ten times as much.
    assert!(grown < 4 << 10, "{grown} KiB on {at_first} KiB");
}
