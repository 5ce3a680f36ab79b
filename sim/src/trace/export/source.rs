//! Texts inside source code.

use std::fmt::Write as _;

use crate::json::{Json, without_spaces};

/// A JSON text in ASCII: compilers refuse some of the rest, such as marks that turn the direction.
pub(super) fn ascii_json(json: &str) -> String {
    let mut ascii = String::with_capacity(json.len());
    for c in without_spaces(json).chars() {
        // Beyond ASCII there are only characters of strings.
        if c.is_ascii() && c != '\x7f' {
            ascii.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(ascii, "\\u{unit:04x}");
        }
    }
    ascii
}

/// A string that JSON and JavaScript read alike.
pub(super) fn quoted(text: &str) -> String {
    ascii_json(&Json::default().string(text).take())
}

/// A string of Rust, raw where that is shorter to read.
pub(super) fn rust_raw(text: &str) -> String {
    let mut hashes = String::from("#");
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}

/// A string of Rust.
pub(super) fn rust_quoted(text: &str) -> String {
    let escaped: String = text.chars().flat_map(char::escape_default).collect();
    format!("\"{escaped}\"")
}

/// The name of a function, from a name for people.
pub(super) fn identifier(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<String> =
        words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect();
    let name = words.join("_");
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return name;
    }
    format!("scenario_{name}").trim_end_matches('_').to_owned()
}
