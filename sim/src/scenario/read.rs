//! Reads JSON, and names the path of an error.
//!
//! serde_json says where it stopped, and a second look at the text up to there says what that is
//! a part of. Noting the path on the way in instead, as serde_path_to_error does, would wrap every
//! deserialiser: more code than the simulated network, in a module that is downloaded.

use serde::Deserialize;

use super::ScenarioError;
use crate::protocol::profile::Profile;

/// Reads JSON text.
///
/// # Errors
///
/// The first error, with its line and column, and the path to it: `clients[1].ttl`.
pub fn read<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, ScenarioError> {
    serde_json::from_str(text).map_err(|error| located(text, &error))
}

/// Reads the JSON of a profile: a preset's name, or an object of switches.
///
/// A scenario contains a profile, so this crate has the code anyway. Calling [`read`] for a profile
/// from another crate compiles all of it again, in a module that is downloaded.
///
/// # Errors
///
/// The first error, as of [`read`].
pub fn read_profile(text: &str) -> Result<Profile, ScenarioError> {
    read(text)
}

fn located(text: &str, error: &serde_json::Error) -> ScenarioError {
    let shown = error.to_string();
    // serde_json appends the place, which has fields of its own here.
    let message = shown.rsplit_once(" at line ").map_or(shown.as_str(), |(message, _)| message);
    ScenarioError {
        line: error.line(),
        // At the very start of a line, serde_json counts from 0.
        column: error.column().max(1),
        path: match error.is_eof() {
            true => String::new(),
            false => path_at(&text.as_bytes()[..read_bytes(text, error)]),
        },
        message: in_terms_of_json(message),
    }
}

/// The message without the types of Rust that serde expected.
fn in_terms_of_json(message: &str) -> String {
    let Some((found, expected)) = message.rsplit_once("expected ") else {
        return message.to_owned();
    };
    let expected = match expected {
        "a map" => "an object",
        "a sequence" => "a list",
        "f64" => "a number",
        "i32" => "a whole number from -2147483648 to 2147483647",
        "i64" => "a whole number",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number of at least 0",
        _ if expected.starts_with("struct ") => "an object",
        _ => expected,
    };
    // serde reads a list as the members of a struct, in their order.
    let found = match found.starts_with("invalid length") && expected == "an object" {
        true => "invalid type: list, ",
        false => found,
    };
    let found = found.replace("type: map,", "type: object,");
    let found = found.replace("type: sequence,", "type: list,");
    format!("{found}expected {expected}")
}

/// How much of the text had been read at an error.
fn read_bytes(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n');
    let before: usize = lines.take(error.line().saturating_sub(1)).map(str::len).sum();
    (before + error.column()).min(text.len())
}

/// An object or array that is open.
enum Open<'a> {
    /// With the key read last.
    Object(Option<&'a [u8]>),
    /// With the index of the value that is read.
    Array(usize),
}

/// The path to what the beginning of a JSON text ends with, or is about to have.
fn path_at(read: &[u8]) -> String {
    let mut open: Vec<Open<'_>> = Vec::new();
    // A parser that stops at a bracket means the whole array.
    let mut rest = read.strip_suffix(b"[").unwrap_or(read);
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, open.last_mut()) {
            (b'{', _) => open.push(Open::Object(None)),
            (b'[', _) => open.push(Open::Array(0)),
            (b'}' | b']', _) => {
                open.pop();
            }
            (b',', Some(Open::Object(key))) => *key = None,
            (b',', Some(Open::Array(index))) => *index += 1,
            (b'"', innermost) => {
                let text;
                (text, rest) = string(after);
                if let Some(Open::Object(key @ None)) = innermost {
                    *key = Some(text);
                }
            }
            _ => {}
        }
    }
    let mut path = String::new();
    for step in &open {
        match step {
            Open::Array(index) => path.push_str(&format!("[{index}]")),
            Open::Object(Some(key)) => {
                path.push_str(if path.is_empty() { "" } else { "." });
                path.push_str(&String::from_utf8_lossy(key));
            }
            Open::Object(None) => {}
        }
    }
    path
}

/// A string's text as it is written, and what comes after it.
fn string(text: &[u8]) -> (&[u8], &[u8]) {
    let mut escaped = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'"' if !escaped => return (&text[..at], &text[at + 1..]),
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    (text, &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;

    #[test]
    fn the_path_ends_where_the_text_does() {
        let path = |text: &str| path_at(text.as_bytes());
        assert_eq!(path(""), "");
        assert_eq!(path("{"), "");
        assert_eq!(path(r#"{"a""#), "a");
        assert_eq!(path(r#"{"a":"b""#), "a");
        assert_eq!(path(r#"{"a":"b","#), "");
        assert_eq!(path(r#"{"a":["#), "a");
        assert_eq!(path(r#"{"a":[{},{"b":1"#), "a[1].b");
        assert_eq!(path(r#"{"a":[{},{"b":1}"#), "a[1]");
        assert_eq!(path(r#"{"a":[{},{"b":1}]"#), "a");
        assert_eq!(path(r#"{"a":[{},{"b":1}]}"#), "");
    }

    #[test]
    fn no_message_names_a_type_of_rust() {
        let message = |text: &str| Scenario::from_json(text).expect_err(text).message;
        let number = "a whole number from 0 to 4294967295";
        for (member, found, expected) in [
            (r#""expect": [3]"#, "type: integer `3`", "an object"),
            (r#""expect": {}"#, "type: object", "a list"),
            (r#""actions": [[]]"#, "type: list", "an object"),
            (r#""database": "x""#, "type: string \"x\"", "an object"),
            (r#""expect": [{ "wrongWrites": -1 }]"#, "value: integer `-1`", number),
            (r#""seed": -1"#, "value: integer `-1`", "a whole number of at least 0"),
        ] {
            let text = format!(r#"{{ "name": "x", "until": "1s", "clients": [], {member} }}"#);
            assert_eq!(message(&text), format!("invalid {found}, expected {expected}"), "{member}");
        }
    }

    #[test]
    fn brackets_and_quotes_in_strings_count_for_nothing() {
        let path = path_at(br#"{"a":"\"},{[","b\\":["]","\\",0"#);
        assert_eq!(path, r"b\\[2]");
    }

    #[test]
    fn an_error_beyond_ascii_and_line_ends_is_found() {
        let text = "{\"ä\":\r\n [\"ü\",\n  true]}";
        let error = read::<std::collections::BTreeMap<String, Vec<String>>>(text).unwrap_err();
        assert_eq!((error.line, error.path.as_str()), (3, "ä[1]"));
    }
}
