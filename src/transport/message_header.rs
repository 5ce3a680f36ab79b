//! An error's text in the letters that grpc-go writes into a header.

/// tonic would encode spaces too, and not every client decodes what comes as a header.
pub(super) fn percent_encoded(message: &str) -> String {
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
