//! Strings that are not UTF-8, as the real Locket takes them.
//!
//! Nobody checks strings on their way to the database there: what is wrong with a request besides
//! is said first, and a field that is ignored may hold anything. prost refuses such a message as
//! a whole. PostgreSQL refuses such a text with the very error that it has for a NUL byte, so
//! NUL bytes take its place before prost sees it, and the rules do the rest.

/// What a message holds.
#[derive(Clone, Copy)]
struct Shape {
    /// Numbers of string fields, from the first to the last.
    texts: (u64, u64),
    /// Number of the field that is a resource.
    resource: Option<u64>,
}

const RESOURCE: Shape = Shape {
    texts: (1, 4),
    resource: None,
};
const WITH_RESOURCE: Shape = Shape {
    texts: (0, 0),
    resource: Some(1),
};
const WITH_TEXT: Shape = Shape {
    texts: (1, 1),
    resource: None,
};

/// Fills every string of a request that is not UTF-8 with NUL bytes. Leaves a message as it is
/// from where it is malformed.
pub(super) fn fill_with_nul(method: &str, message: &mut [u8]) {
    let shape = match method {
        "Fetch" | "FetchAll" => WITH_TEXT,
        _ => WITH_RESOURCE,
    };
    fill(shape, message);
}

fn fill(shape: Shape, message: &mut [u8]) -> Option<()> {
    let mut at = 0;
    while at < message.len() {
        let tag = varint(message, &mut at)?;
        match tag & 7 {
            0 => {
                varint(message, &mut at)?;
            }
            1 => at = at.checked_add(8)?,
            2 => {
                let length = usize::try_from(varint(message, &mut at)?).ok()?;
                let end = at.checked_add(length)?;
                let content = message.get_mut(at..end)?;
                let field = tag >> 3;
                let is_text = (shape.texts.0..=shape.texts.1).contains(&field);
                if shape.resource == Some(field) {
                    fill(RESOURCE, content);
                } else if is_text && std::str::from_utf8(content).is_err() {
                    content.fill(0);
                }
                at = end;
            }
            5 => at = at.checked_add(4)?,
            _ => return None,
        }
    }
    Some(())
}

fn varint(message: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = *message.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::{FetchAllRequest, FetchRequest, LockRequest, Resource};
    use prost::Message;

    fn filled(method: &str, message: &[u8]) -> Vec<u8> {
        let mut message = message.to_vec();
        fill_with_nul(method, &mut message);
        message
    }

    #[test]
    fn a_string_that_is_not_utf_8_becomes_nul_bytes_of_its_length() {
        let lock = filled("Lock", b"\x0a\x09\x0a\x01k\x12\x02\xff\xfe\x28\x01\x10\x05");
        let lock = LockRequest::decode(&*lock).expect("it is valid now");
        let resource = lock.resource.expect("it is there");
        assert_eq!((&*resource.key, &*resource.owner), ("k", "\0\0"));

        let fetch = FetchRequest::decode(&*filled("Fetch", b"\x0a\x01\xff"));
        assert_eq!(fetch.expect("it is valid now").key, "\0");
        assert!(FetchAllRequest::decode(&*filled("FetchAll", b"\x0a\x01\xff\x10\x01")).is_ok());
    }

    #[test]
    fn a_valid_message_stays_as_it_is() {
        let resource = Resource {
            key: "ключ🔒".repeat(50),
            owner: "o\0".into(),
            type_code: -1,
            ..Resource::default()
        };
        let message = LockRequest {
            resource: Some(resource),
            ttl_in_seconds: i64::MIN,
        };
        let bytes = message.encode_to_vec();
        assert_eq!(filled("Lock", &bytes), bytes);
    }

    #[test]
    fn what_is_malformed_or_unknown_stays_as_it_is() {
        let messages: [&[u8]; 7] = [
            b"",
            b"\xff",
            b"\x0a\x05a",
            b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\xff",
            b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\x0b\xff",
            b"\x7a\x01\xff\x09\0\0\0\0\0\0\0\0\x0d\0\0\0\0\x08\xff\x01",
        ];
        for message in messages {
            assert_eq!(filled("Fetch", message), message);
        }
    }
}
