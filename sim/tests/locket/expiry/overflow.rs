//! Claims about TTLs beyond all measure.

use super::*;

/// When a row locked at 0 with this TTL goes, in milliseconds.
fn end_with_ttl(profile: Profile, ttl: i64) -> Option<u64> {
    let mut locket = Locket::new(profile);
    locket.at(0).lock("bbs", "bbs-0", ttl).unwrap();
    locket.end_of("bbs")
}

// B74
#[test]
fn the_largest_ttl_that_upstream_can_count_lasts_as_long_as_it_says() {
    assert_eq!(end_with_ttl(Profile::UPSTREAM, 9_223_372_036), Some(9_223_372_036_000));
}

// B74
#[test]
fn a_ttl_that_overflows_to_a_negative_one_ends_at_once() {
    for ttl in [9_223_372_037, 10_000_000_000, i64::MAX] {
        assert_eq!(end_with_ttl(Profile::UPSTREAM, ttl), Some(0), "{ttl}");
    }
}

// B74: 18,446,744,074 × 10⁹ − 2⁶⁴ ns = 290,448,384 ns.
#[test]
fn a_ttl_that_wraps_to_a_short_one_ends_then_rounded_up_to_the_millisecond() {
    assert_eq!(end_with_ttl(Profile::UPSTREAM, 18_446_744_074), Some(291));
}

// B74: 2⁵⁵ × 10⁹ is a multiple of 2⁶⁴.
#[test]
fn a_ttl_that_wraps_round_completely_is_a_small_one() {
    assert_eq!(end_with_ttl(Profile::UPSTREAM, (1 << 55) + 2), Some(2_000));
}

// B74
#[test]
fn a_ttl_that_ends_at_once_is_answered_as_a_success() {
    let mut locket = Locket::new(Profile::UPSTREAM);

    assert_eq!(locket.lock("bbs", "bbs-0", i64::MAX), Ok(Response::Lock));
    assert_eq!(locket.fetch("bbs"), Err(LockError::ResourceNotFound));
}

#[test]
fn the_documents_keep_every_ttl_for_as_long_as_it_says() {
    assert_eq!(end_with_ttl(Profile::DOCUMENTED, 9_223_372_037), Some(9_223_372_037_000));
    let end_of_time = Time::MAX.as_ms();
    assert_eq!(end_with_ttl(Profile::DOCUMENTED, i64::MAX), Some(end_of_time));
}

#[test]
fn a_row_with_a_ttl_of_0_or_less_ends_at_once_where_expiry_is_exact() {
    for ttl in [0, -1, i64::MIN] {
        let mut locket = Locket::new(Profile::DOCUMENTED);
        locket.at(1_000).put(row("bbs", "bbs-0", ttl)).unwrap();

        assert_eq!(locket.end_of("bbs"), Some(1_000));
    }
}
