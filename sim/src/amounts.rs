//! Lengths of time, counts and bounds as people write them.

use std::fmt;

use crate::time::Duration;

/// A length of time in seconds: `6 s`, `2.5 s`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seconds(pub(crate) Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.as_ms();
        let fraction = format!("{:03}", ms % 1000);
        let digits = fraction.trim_end_matches('0');
        let point = if digits.is_empty() { "" } else { "." };
        write!(f, "{}{point}{digits} s", Thousands(ms / 1000))
    }
}

/// A number with its thousands apart: `1,210`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thousands(pub(crate) u64);

impl fmt::Display for Thousands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (index, digit) in digits.char_indices() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// A count with its noun: `1 fault`, `2 faults`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", Thousands(number))
}

/// A count that is a bound: `one pause`, `up to 2 pauses`.
pub(crate) fn up_to(number: u8, one: &str, several: &str) -> String {
    if number == 1 { format!("one {one}") } else { format!("up to {number} {several}") }
}
