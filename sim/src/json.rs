//! Writes JSON without white space.
//!
//! For scenarios and links, which this crate writes and reads again, and for exports. serde derives
//! the writers of answers, and the crate that asks compiles them: see [`crate::check::AnswerView`].
//! The methods are not inlined, which would make a writer three times as large.

use std::fmt::{Display, Write as _};

use crate::time::{Duration, Time};

/// A JSON text that grows. The caller closes each object and list it opens, and gives
/// each member of an object its key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Json {
    text: String,
}

impl Json {
    /// The text, which is a new one from here on.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// `{` or `[`.
    #[inline(never)]
    pub(crate) fn open(&mut self, bracket: char) -> &mut Self {
        self.separate();
        self.text.push(bracket);
        self
    }

    /// `}` or `]`.
    #[inline(never)]
    pub(crate) fn close(&mut self, bracket: char) -> &mut Self {
        self.text.push(bracket);
        self
    }

    /// The key of the member that comes next.
    #[inline(never)]
    pub(crate) fn key(&mut self, key: &str) -> &mut Self {
        self.string(key);
        self.text.push(':');
        self
    }

    /// A string.
    #[inline(never)]
    pub(crate) fn string(&mut self, string: &str) -> &mut Self {
        self.separate();
        self.text.push('"');
        for c in string.chars() {
            match c {
                '"' | '\\' => self.text.extend(['\\', c]),
                '\n' => self.text.push_str("\\n"),
                // Also what JavaScript took for the end of a line.
                '\0'..='\x1f' | '\x7f' | '\u{2028}' | '\u{2029}' => {
                    let _ = write!(self.text, "\\u{:04x}", u32::from(c));
                }
                _ => self.text.push(c),
            }
        }
        self.text.push('"');
        self
    }

    /// A number, `true`, `false` or `null`.
    pub(crate) fn plain(&mut self, value: impl Display) -> &mut Self {
        self.shown(&value)
    }

    #[inline(never)]
    fn shown(&mut self, value: &dyn Display) -> &mut Self {
        self.separate();
        let _ = write!(self.text, "{value}");
        self
    }

    /// A length of time, with its unit.
    #[inline(never)]
    pub(crate) fn duration(&mut self, duration: Duration) -> &mut Self {
        self.string(&duration.to_string())
    }

    /// A moment, as the time since the start of the run.
    pub(crate) fn moment(&mut self, time: Time) -> &mut Self {
        self.duration(time.since(Time::ZERO))
    }

    /// A string, or `null`.
    #[inline(never)]
    pub(crate) fn optional_string(&mut self, string: Option<&str>) -> &mut Self {
        match string {
            Some(string) => self.string(string),
            None => self.plain("null"),
        }
    }

    /// Members that are strings.
    #[inline(never)]
    pub(crate) fn strings(&mut self, members: &[(&str, &str)]) -> &mut Self {
        for (key, value) in members {
            self.key(key).string(value);
        }
        self
    }

    /// A comma, if something of the same list or object is there already.
    fn separate(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(['{', '[', ':', '\n']) {
            self.text.push(',');
        }
    }
}

/// A JSON text without the white space between its parts.
pub(crate) fn without_spaces(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in text.chars() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if c.is_ascii_whitespace() {
            continue;
        } else {
            in_string = c == '"';
        }
        kept.push(c);
    }
    kept
}

/// The text of an object, both without white space, but for these members of it, and with those of
/// another object after the rest.
pub(crate) fn with_members(object: &str, without: &[&str], more: &str) -> String {
    let is_kept = |member: &&str| {
        let is_named = |name: &&str| {
            let value = member.strip_prefix('"').and_then(|it| it.strip_prefix(name));
            value.is_some_and(|it| it.starts_with("\":"))
        };
        !member.is_empty() && !without.iter().any(is_named)
    };
    let kept = members(object).into_iter().filter(is_kept);
    let more = members(more).into_iter().filter(|it| !it.is_empty());
    let all: Vec<_> = kept.chain(more).collect();
    format!("{{{}}}", all.join(","))
}

/// The members of an object, a text each.
fn members(object: &str) -> Vec<&str> {
    let inner = object.get(1..object.len().saturating_sub(1));
    let inner = inner.unwrap_or_default();
    let (mut depth, mut in_string, mut escaped) = (0_u32, false, false);
    let is_end = |c: char| {
        let is_end = c == ',' && depth == 0 && !in_string;
        match c {
            '"' if !escaped => in_string = !in_string,
            '{' | '[' if !in_string => depth += 1,
            '}' | ']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        escaped = in_string && !escaped && c == '\\';
        is_end
    };
    inner.split(is_end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_go_and_others_come_whatever_is_inside_of_the_rest() {
        let object = r#"{"a":{"seed":1,"b":[1,2]},"seed":7,"c,\"seed\":":"}\\","d":[]}"#;
        assert_eq!(
            with_members(object, &["seed", "no"], r#"{"seed":8,"e":{}}"#),
            r#"{"a":{"seed":1,"b":[1,2]},"c,\"seed\":":"}\\","d":[],"seed":8,"e":{}}"#
        );
        assert_eq!(with_members(r#"{"seed":1}"#, &["seed"], "{}"), "{}");
        assert_eq!(with_members("{}", &[], r#"{"a":1}"#), r#"{"a":1}"#);
    }

    #[test]
    fn only_spaces_outside_of_strings_go() {
        let text = "{ \"a b\" : [1,\n 2], \"q\\\" \": \" \\\\\" }";
        assert_eq!(without_spaces(text), "{\"a b\":[1,2],\"q\\\" \":\" \\\\\"}");
    }
}
