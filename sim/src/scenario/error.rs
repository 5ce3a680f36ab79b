//! The validation error of a scenario's text, with its place.

use std::fmt;

use serde::Deserializer;
use serde::de::{self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A validation error in a scenario's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    /// Line of the error, from 1.
    pub line: usize,
    /// Column of the error, from 1, in bytes.
    pub column: usize,
    /// The path to it: `actions[2].client`; empty where there is none.
    pub path: String,
    /// The error, and the expected text.
    pub message: String,
}

/// One step on the way into a JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Field(String),
    Index(usize),
}

impl From<&str> for Step {
    fn from(field: &str) -> Self {
        Self::Field(field.to_owned())
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl ScenarioError {
    /// An error in a value that is present and well-formed.
    pub(crate) fn at(text: &str, path: &[Step], message: String) -> Self {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let (line, column) = match Locate(path).deserialize(&mut deserializer) {
            Ok(()) => (1, 1),
            Err(found) if found.to_string().starts_with(BEFORE_VALUE) => {
                (found.line(), found.column() + 1)
            }
            Err(found) => (found.line(), found.column()),
        };
        Self { line, column, path: shown(path), message }
    }
}

/// A path as an error shows it: `actions[2].client`.
pub(super) fn shown(path: &[Step]) -> String {
    let mut shown = String::new();
    for step in path {
        match step {
            Step::Field(field) if shown.is_empty() => shown.push_str(field),
            Step::Field(field) => shown.extend([".", field]),
            Step::Index(index) => shown.push_str(&format!("[{index}]")),
        }
    }
    shown
}

impl fmt::Display for ScenarioError {
    /// `12:20: actions[2].client: no client is named "bbs-7"`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.line, self.column)?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ScenarioError {}

/// The error of the walk at its goal: there the parser has read up to the value.
const BEFORE_VALUE: &str = "before the value";

/// Walks to a path and fails there, since only a failing parser tells where it is.
struct Locate<'a>(&'a [Step]);

impl<'de> DeserializeSeed<'de> for Locate<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.0 {
            [] => Err(de::Error::custom(BEFORE_VALUE)),
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Locate<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value with this path")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match self.0 {
                [Step::Field(field), rest @ ..] if *field == key => {
                    return map.next_value_seed(Locate(rest));
                }
                _ => map.next_value::<IgnoredAny>()?,
            };
        }
        // A field that is not there: the place is the end of its object.
        Err(de::Error::custom("at the end of the object"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let [Step::Index(index), rest @ ..] = self.0 else {
            return Ok(());
        };
        for _ in 0..*index {
            seq.next_element::<IgnoredAny>()?;
        }
        seq.next_element_seed(Locate(rest)).map(|_| ())
    }
}
