//! The oracle says what is known from elsewhere: figures of a throw-away model and of production.

use super::case::Case;
use super::search::Found;

/// Two upstream runners, or others, with a TTL and a retry interval in seconds.
fn found(runner: &str, ttl: u64, retry_interval: u64, bounds: &str) -> Found {
    let text = format!(
        r#"{{"runner": "{runner}", "ttl": "{ttl}s", "retryInterval": "{retry_interval}s", {bounds}}}"#
    );
    Case::new(&text, false).oracle(1_000_000).expect("there is room")
}

/// True if two owners are possible if messages take up to 1 s and one runner pauses for up to so
/// long.
fn breaks(ttl: u64, retry_interval: u64, pause: u64) -> bool {
    let bounds =
        format!(r#""latency": "1s", "faults": {{"pause": {{"length": "{pause}s", "count": 1}}}}"#);
    found("upstream", ttl, retry_interval, &bounds).first.is_some()
}

#[test]
fn the_oracle_knows_the_smallest_pauses_that_make_two_owners() {
    for (ttl, smallest) in (3..).zip([[1, 0, 0], [2, 0, 0], [3, 1, 0]]) {
        for (retry_interval, pause) in (1..).zip(smallest) {
            assert!(breaks(ttl, retry_interval, pause), "{ttl} {retry_interval}");
            let less = pause.checked_sub(1);
            assert!(
                !less.is_some_and(|less| breaks(ttl, retry_interval, less)),
                "{ttl} {retry_interval}"
            );
        }
    }
}

#[test]
fn the_oracle_knows_for_how_long_two_act_after_one_lost_renewal_before_october_2025() {
    let found =
        found("upstream-before-2025-10", 15, 5, r#""latency": "0s", "faults": {"lostMessage": 1}"#);
    // A unit is 5 s.
    assert_eq!((found.longest, found.first.map(|it| it.cost.0)), (1, Some(1)));
}

#[test]
fn the_oracle_knows_that_an_eviction_between_reply_and_next_request_makes_two_owners() {
    for retry_interval in [1, 2] {
        let found = found(
            "upstream",
            3,
            retry_interval,
            r#""latency": "0s", "faults": {"rowDeletion": 1}"#,
        );
        assert_eq!(found.first.map(|it| it.cost), Some((1, 0)));
        // Until the next renewal.
        assert_eq!(u64::from(found.longest), retry_interval);
    }
}
