//! The headers of a request that grpc-go reads beside the call's name: the deadline, and metadata
//! in binary.

use http::{HeaderMap, HeaderValue};

use super::deadline;

/// A header with such a name has base64 as its value.
const BINARY: &str = "-bin";

/// The error of grpc-go's server for a malformed header; of several, the last counts.
pub(super) fn malformed(headers: &HeaderMap) -> Option<String> {
    let problems = headers.iter().filter_map(|(name, value)| {
        let name = name.as_str();
        match name {
            deadline::NAME => deadline::malformed(value),
            _ if name.ends_with(BINARY) => malformed_binary(name, value),
            _ => None,
        }
    });
    problems.last()
}

fn malformed_binary(name: &str, value: &HeaderValue) -> Option<String> {
    let at = illegal_base64(value.as_bytes())?;
    let value = String::from_utf8_lossy(value.as_bytes());
    Some(format!(
        "malformed binary metadata {value:?} in header {name:?}: illegal base64 data at input byte {at}"
    ))
}

/// Where Go's decoder stops. Only a text of whole groups of four may have padding.
fn illegal_base64(text: &[u8]) -> Option<usize> {
    let is_whole = text.len().is_multiple_of(4);
    let is_sextet = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let Some(at) = text.iter().position(|byte| !is_sextet(byte)) else {
        // One character of a group is less than a byte.
        return (text.len() % 4 == 1).then(|| text.len() - 1);
    };
    if text[at] != b'=' || !is_whole {
        return Some(at);
    }
    let end = match at % 4 {
        0 | 1 => return Some(at),
        2 if text[at + 1] != b'=' => return Some(at),
        2 => at + 2,
        _ => at + 1,
    };
    (end < text.len()).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_as_go_reads_it() {
        let cases: [(&str, Option<usize>); 16] = [
            ("", None),
            ("aGk=", None),
            ("aGk", None),
            ("aA==", None),
            ("aA", None),
            ("aGkh", None),
            ("a", Some(0)),
            ("aGkha", Some(4)),
            ("!!!", Some(0)),
            ("aG-h", Some(2)),
            ("aA=", Some(2)),
            ("aA=h", Some(2)),
            ("=aGk", Some(0)),
            ("a===", Some(1)),
            ("aA==aGkh", Some(4)),
            ("aGk=aGkh", Some(4)),
        ];
        for (text, expected) in cases {
            assert_eq!(illegal_base64(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn of_two_malformed_headers_the_last_counts() {
        let mut headers = HeaderMap::new();
        headers.insert("trace-bin", HeaderValue::from_static("%"));
        headers.insert(deadline::NAME, HeaderValue::from_static("5x"));
        let problem = malformed(&headers).expect("both are malformed");
        assert!(problem.starts_with("malformed grpc-timeout"), "{problem}");
    }
}
