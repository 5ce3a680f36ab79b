//! A status's text in the letters that grpc-go writes into a header.

use http::{HeaderMap, HeaderValue};
use tonic::Status;

/// Writes the text of an answer's status, if it has one, as grpc-go does.
pub(super) fn write_as_go(headers: &mut HeaderMap) {
    if !headers.contains_key("grpc-message") {
        return;
    }
    let Some(status) = Status::from_header_map(headers) else {
        return;
    };
    if let Ok(message) = HeaderValue::try_from(percent_encoded(status.message())) {
        headers.insert("grpc-message", message);
    }
}

/// tonic encodes spaces too, and not every client decodes what comes as a header.
fn percent_encoded(message: &str) -> String {
    let mut encoded = String::with_capacity(message.len());
    for byte in message.bytes() {
        match byte {
            b' '..=b'~' if byte != b'%' => encoded.push(byte.into()),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_header_cannot_hold_is_encoded() {
        assert_eq!(percent_encoded("a b: 100% ü\n"), "a b: 100%25 %C3%BC%0A");
    }
}
