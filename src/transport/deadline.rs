//! The `grpc-timeout` header, as gRPC over HTTP/2 defines it.

use http::HeaderMap;
use locket_sim::time::Duration;

/// The longest time that the header's eight digits can say.
#[cfg(target_arch = "wasm32")]
pub(crate) const TIMEOUT_MAX: std::time::Duration =
    std::time::Duration::from_secs(99_999_999 * 3600);

/// How long the caller waits; `None` without a header, or with one that is malformed, which
/// gRPC servers ignore too.
pub(super) fn timeout(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get("grpc-timeout")?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let count: u64 = digits.parse().ok()?;
    let ms = match unit {
        "H" => count * 3_600_000,
        "M" => count * 60_000,
        "S" => count * 1_000,
        "m" => count,
        // Finer than the clock: a part of a millisecond counts as a whole one, since only
        // a timeout of nothing has passed already.
        "u" => count.div_ceil(1_000),
        "n" => count.div_ceil(1_000_000),
        _ => return None,
    };
    Some(Duration::from_ms(ms))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn timeout_of(text: &'static str) -> Option<u64> {
        let mut headers = HeaderMap::new();
        headers.insert("grpc-timeout", HeaderValue::from_static(text));
        timeout(&headers).map(Duration::as_ms)
    }

    #[test]
    fn a_timeout_is_read_in_each_unit() {
        let read = ["2H", "2M", "2S", "2m", "2000u", "1u", "1n", "0n"].map(timeout_of);
        let expected = [7_200_000, 120_000, 2_000, 2, 2, 1, 1, 0].map(Some);
        assert_eq!(read, expected);
    }

    #[test]
    fn a_malformed_timeout_is_ignored() {
        for text in ["", "5", "S", "-1S", "123456789S", "1.5S", "5x", "5 S"] {
            assert_eq!(timeout_of(text), None, "{text:?}");
        }
    }
}
