//! The `grpc-timeout` header, as gRPC over HTTP/2 defines it.

use http::{HeaderMap, HeaderValue};
use locket_sim::time::Duration;

/// The header's name.
pub(super) const NAME: &str = "grpc-timeout";

/// How long the caller waits; `None` without a header, or with one that is malformed.
pub(super) fn timeout(headers: &HeaderMap) -> Option<Duration> {
    parse(headers.get(NAME)?).ok()
}

/// The error of grpc-go's server for a malformed value, which it does not serve.
pub(super) fn malformed(value: &HeaderValue) -> Option<String> {
    let problem = parse(value).err()?;
    Some(format!("malformed grpc-timeout: {problem}"))
}

fn parse(value: &HeaderValue) -> Result<Duration, String> {
    let text = String::from_utf8_lossy(value.as_bytes());
    let problem = |what| format!("transport: timeout {what}: {text:?}");
    let Some((at, unit)) = text.char_indices().next_back().filter(|&(at, _)| at > 0) else {
        return Err(problem("string is too short"));
    };
    if value.len() > LENGTH_MAX {
        return Err(problem("string is too long"));
    }
    let (milliseconds, parts) = match unit {
        'H' => (3_600_000, 1),
        'M' => (60_000, 1),
        'S' => (1_000, 1),
        'm' => (1, 1),
        'u' => (1, 1_000),
        'n' => (1, 1_000_000),
        _ => return Err(problem("unit is not recognized")),
    };
    let digits = &text[..at];
    let invalid = || format!("strconv.ParseUint: parsing {digits:?}: invalid syntax");
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(invalid());
    }
    let count: u64 = digits.parse().map_err(|_| invalid())?;
    // Finer than the clock: a part of a millisecond counts as a whole one, since only a
    // timeout of nothing has passed already.
    Ok(Duration::from_ms((count * milliseconds).div_ceil(parts)))
}

/// Eight digits and a unit.
const LENGTH_MAX: usize = 9;

#[cfg(test)]
mod tests {
    use super::*;

    fn timeout_of(text: &'static str) -> Option<u64> {
        let mut headers = HeaderMap::new();
        headers.insert("grpc-timeout", HeaderValue::from_static(text));
        timeout(&headers).map(Duration::as_ms)
    }

    #[test]
    fn a_timeout_is_read_in_each_unit() {
        let read = ["99999999H", "2M", "2S", "2m", "2000u", "1u", "1n", "0n"].map(timeout_of);
        let expected = [359_999_996_400_000, 120_000, 2_000, 2, 2, 1, 1, 0].map(Some);
        assert_eq!(read, expected);
    }

    #[test]
    fn a_malformed_timeout_is_refused_in_the_words_of_grpc_go() {
        for (text, expected) in [
            ("", "transport: timeout string is too short: \"\""),
            ("5", "transport: timeout string is too short: \"5\""),
            ("123456789S", "transport: timeout string is too long: \"123456789S\""),
            ("5x", "transport: timeout unit is not recognized: \"5x\""),
            ("-1S", "strconv.ParseUint: parsing \"-1\": invalid syntax"),
            ("1.5S", "strconv.ParseUint: parsing \"1.5\": invalid syntax"),
        ] {
            assert_eq!(
                malformed(&HeaderValue::from_static(text)),
                Some(format!("malformed grpc-timeout: {expected}")),
                "{text:?}"
            );
            assert_eq!(timeout_of(text), None, "{text:?}");
        }
    }
}
