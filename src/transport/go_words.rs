//! A gRPC status in the words and letters that grpc-go and the real Locket have for it.
//!
//! prost and the real Locket's decoder find the same faults in a message and name them
//! differently; tonic and grpc-go write the same text into a header differently. A client may see
//! either difference.

use std::borrow::Cow;

use http::{HeaderMap, HeaderValue};
use tonic::Status;

const PROST: &str = "failed to decode Protobuf message: ";

/// Puts the real Locket's words in the place of ours, in an answer's headers.
pub(super) fn reword(headers: &mut HeaderMap) {
    if !headers.contains_key("grpc-message") {
        return;
    }
    let Some(status) = Status::from_header_map(headers) else {
        return;
    };
    let message = match real_words(status.message()) {
        Some(message) => Cow::Owned(message),
        None => Cow::Borrowed(status.message()),
    };
    if let Ok(message) = HeaderValue::try_from(percent_encoded(&message)) {
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

fn real_words(message: &str) -> Option<String> {
    let fault = message.strip_prefix(PROST)?;
    let (path, fault) = split_path(fault);
    let words = if let Some(types) = fault.strip_prefix("invalid wire type: ") {
        let number = wire_type_number(types.split(' ').next().unwrap_or_default());
        format!(
            "proto: wrong wireType = {number} for field {}",
            camel_case(path)
        )
    } else {
        // A length or number that goes on beyond the end; for prost that has several names.
        match fault {
            "buffer underflow" | "delimited length exceeded" | "invalid varint" => {
                "unexpected EOF".to_owned()
            }
            _ => format!("proto: {fault}"),
        }
    };
    Some(format!("grpc: error unmarshalling request: {words}"))
}

/// The field at fault, and the fault; prost names the innermost field first.
fn split_path(text: &str) -> (&str, &str) {
    let mut field = "";
    let mut rest = text;
    while let Some((step, after)) = rest.split_once(": ") {
        let Some((_, name)) = step.split_once('.') else {
            break;
        };
        if field.is_empty() {
            field = name;
        }
        rest = after;
    }
    (field, rest)
}

fn wire_type_number(name: &str) -> u8 {
    match name {
        "Varint" => 0,
        "SixtyFourBit" => 1,
        "LengthDelimited" => 2,
        "StartGroup" => 3,
        "EndGroup" => 4,
        _ => 5,
    }
}

fn camel_case(field: &str) -> String {
    let capitalized = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    field.split('_').map(capitalized).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::{FetchRequest, LockRequest};
    use prost::Message;

    fn words_for<M: Message + Default + std::fmt::Debug>(bytes: &[u8]) -> String {
        let fault = M::decode(bytes).expect_err("the message is malformed");
        real_words(&fault.to_string()).expect("prost said so")
    }

    #[test]
    fn only_what_a_header_cannot_hold_is_encoded() {
        assert_eq!(percent_encoded("a b: 100% ü\n"), "a b: 100%25 %C3%BC%0A");
    }

    #[test]
    fn a_message_cut_short_ends_unexpectedly() {
        let end = "grpc: error unmarshalling request: unexpected EOF";
        for bytes in [&[0x0a, 5, b'a'][..], &[0x0a], &[0xff], &[0x0a, 0xff]] {
            assert_eq!(words_for::<FetchRequest>(bytes), end, "{bytes:?}");
        }
    }

    #[test]
    fn a_field_of_another_wire_type_is_named() {
        let flat = words_for::<FetchRequest>(&[0x08, 1]);
        let nested = words_for::<LockRequest>(&[0x0a, 2, 0x2a, 0]);
        let expected = "grpc: error unmarshalling request: proto: wrong wireType";
        assert_eq!(
            [flat, nested],
            [
                format!("{expected} = 0 for field Key"),
                format!("{expected} = 2 for field TypeCode")
            ]
        );
    }
}
