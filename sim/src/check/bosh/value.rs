//! The values of properties, as jobs read them.
//!
//! Most functions of this room are `inline`: their caller compiles them, and the wasm crate is
//! compiled for size.

use std::collections::BTreeMap;

use crate::check::question::QuestionError;
use crate::time::Duration;

/// Properties by their full names.
pub(super) type Properties = BTreeMap<String, String>;

/// The value of a property: one copy of the look-up, for size.
#[inline(never)]
pub(super) fn value_of<'a>(properties: &'a Properties, name: &str) -> Option<&'a str> {
    properties.get(name).map(String::as_str)
}

/// A value of a property that the job refuses.
#[inline]
pub(super) fn refused(name: &str, expected: &str, text: &str) -> QuestionError {
    let shown: String = text.chars().take(40).collect();
    let message = format!("expected {expected}, not {shown:?}");
    QuestionError::new(&format!("properties.{name}"), &message)
}

/// A duration as Go writes it: numbers, each with its unit.
#[inline]
pub(super) fn go_duration(text: &str) -> Option<Duration> {
    let is_number = |c: char| c == '.' || c.is_ascii_digit();
    let (mut rest, mut sum) = (text, 0_u64);
    if text.contains(char::is_whitespace) {
        return None;
    }
    while !rest.is_empty() {
        let unit_at = rest.find(|c| !is_number(c))?;
        let end = rest[unit_at..].find(is_number);
        let (piece, others) = rest.split_at(end.map_or(rest.len(), |end| unit_at + end));
        sum = sum.checked_add(piece.parse::<Duration>().ok()?.as_ms())?;
        rest = others;
    }
    Some(Duration::from_ms(sum))
}

/// Whether a value is true or false, as BOSH's reader of YAML takes it.
#[inline]
pub(super) fn truth(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" | "off" => Some(false),
        _ => None,
    }
}
