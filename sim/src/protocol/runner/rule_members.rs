//! The members of a rule as a table, each with a number for its value: one function reads all of
//! them, from JSON and from the table of known libraries, and JavaScript hands over the numbers. What
//! serde derives would weigh a multiple in a wasm module, and bring a parser into one that has none.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer;
use serde::de::{self, MapAccess, Unexpected, Visitor};

use super::rule::{
    CollisionPolicy, Lease, LeaseEnd, LossPolicy, Moment, Rule, SignalPolicy, Timeout, Wait,
};
use crate::time::{Duration, without_unit};

/// The value of each member, in the order of [`MEMBERS`], if it has one: milliseconds, a count, or
/// −1 for the first of its names, −2 for the second one.
pub type RuleNumbers = [Option<i64>; 21];

const MOMENT: [Moment; 2] = [Moment::Reply, Moment::Request];

/// All but the rule's name, in the order of the schema: what it takes, its path, and its names in the
/// order of its type's values. In one text, since the compiler would unroll a loop over a list.
const MEMBERS: &str = "object lease
name lease.from reply request
time lease.length
time lease.margin
name lease.ends at-an-attempt by-timer
object renew
time renew.every
name renew.from reply request
object retry
time retry.every
name retry.from reply request
time timeout retry-interval ttl ttl-or-retry-interval unlimited
time firstTimeout retry-interval ttl ttl-or-retry-interval unlimited
time acquireTimeout retry-interval ttl ttl-or-retry-interval unlimited
time releaseTimeout retry-interval ttl ttl-or-retry-interval unlimited
time fetchOwner retry-interval ttl ttl-or-retry-interval unlimited
flag waitForReady false true
count toleratedFailures
name onCollision count lose
name onLoss retry stop
name onStop abandon release";

impl Rule {
    /// A rule of the numbers of its members, and of its name if it has one.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn of_numbers(name: Option<&str>, numbers: &RuleNumbers) -> Result<Self, String> {
        let [lease, lease_from, length, margin, ends, others @ ..] = *numbers;
        let [renew, renew_every, renew_from, _, every, from, timeout, others @ ..] = others;
        let [first, acquire, release, fetch, waits, failures, others @ ..] = others;
        let [collision, loss, stop] = others;
        if lease.is_some() && lease_from.is_none() {
            return Err("lease: missing field `from`".to_owned());
        }
        let wait =
            |every: Option<i64>, from| Wait { every: every.map(time), from: named(from, MOMENT) };
        let other = Self::default();
        let rule = Self {
            name: name.map_or(other.name, |it| Cow::Owned(it.to_owned())),
            lease: lease.map(|_| Lease {
                from: named(lease_from, MOMENT),
                length: length.map(time),
                margin: margin.map(time),
                ends: named(ends, [LeaseEnd::AtAnAttempt, LeaseEnd::ByTimer]),
            }),
            renew: renew.map(|_| wait(renew_every, renew_from)),
            retry: wait(every, from),
            timeout: timeout.map_or(other.timeout, timeout_of),
            first_timeout: first.map(timeout_of),
            acquire_timeout: acquire.map(timeout_of),
            release_timeout: release.map(timeout_of),
            fetch_owner: fetch.map(timeout_of),
            wait_for_ready: waits == Some(-2),
            tolerated_failures: failures.map(|it| u8::try_from(it).unwrap_or(u8::MAX)),
            on_collision: named(collision, [CollisionPolicy::Count, CollisionPolicy::Lose]),
            on_loss: named(loss, [LossPolicy::Retry, LossPolicy::Stop]),
            on_stop: named(stop, [SignalPolicy::Abandon, SignalPolicy::Release]),
        };
        rule.check().map(|()| rule)
    }

    /// Reads a rule of parts such as `lease.from=reply`.
    pub(crate) fn of_parts(text: &str) -> Result<Self, String> {
        let mut reader = RuleReader::default();
        for (path, value) in text.split(' ').filter_map(|part| part.split_once('=')) {
            let number = value.parse().map(Unexpected::Unsigned);
            let value = if value == "{}" { Unexpected::Map } else { Unexpected::Str(value) };
            reader.set(path, number.unwrap_or(value))?;
        }
        Self::of_numbers(reader.name.as_deref(), &reader.numbers)
    }
}

fn named<T: Copy + Default>(number: Option<i64>, values: [T; 2]) -> T {
    match number {
        Some(-1) => values[0],
        Some(-2) => values[1],
        _ => T::default(),
    }
}

fn time(number: i64) -> Duration {
    Duration::from_ms(number.unsigned_abs())
}

fn timeout_of(number: i64) -> Timeout {
    match number {
        -1 => Timeout::RetryInterval,
        -2 => Timeout::Ttl,
        -3 => Timeout::TtlOrRetryInterval,
        -4 => Timeout::Unlimited,
        _ => Timeout::Of(time(number)),
    }
}

/// The members of a rule that have been read.
#[derive(Default)]
struct RuleReader {
    name: Option<String>,
    numbers: RuleNumbers,
}

impl RuleReader {
    /// Sets the member of this path, which is known and comes once.
    #[inline(never)]
    fn set(&mut self, path: &str, found: Unexpected<'_>) -> Result<(), String> {
        let (object, own) = inside(path);
        let mut all = MEMBERS.lines().map(parts).zip(&mut self.numbers);
        let is_read = if let Some(((takes, _, names), number)) = all.find(|it| it.0.1 == path) {
            number.replace(number_of(takes, names, &found)?).is_some()
        } else if path == "name" {
            let Unexpected::Str(name) = found else {
                return Err(format!("invalid type: {found}, expected a string"));
            };
            self.name.replace(name.to_owned()).is_some()
        } else {
            let all = MEMBERS.lines().map(|line| inside(parts(line).1));
            let known = all.filter(|it| it.0 == object).map(|it| format!("`{}`", it.1));
            let known: Vec<_> =
                (object.is_empty().then(|| "`name`".to_owned())).into_iter().chain(known).collect();
            let known = known.join(", ");
            return Err(format!("unknown field `{own}`, expected one of {known}"));
        };
        if is_read { Err(format!("duplicate field `{own}`")) } else { Ok(()) }
    }
}

/// The parts of a line of [`MEMBERS`].
fn parts(line: &'static str) -> (&'static str, &'static str, &'static str) {
    let (takes, rest) = line.split_once(' ').unwrap_or_default();
    let (path, names) = rest.split_once(' ').unwrap_or((rest, ""));
    (takes, path, names)
}

/// The object that a member is in, and its name.
fn inside(path: &str) -> (&str, &str) {
    path.split_once('.').unwrap_or(("", path))
}

/// The number for the value of a member.
fn number_of(takes: &str, names: &str, found: &Unexpected<'_>) -> Result<i64, String> {
    let expected = match (takes, found) {
        ("object", Unexpected::Map) => return Ok(0),
        ("flag", Unexpected::Bool(is_true)) => return Ok(if *is_true { -2 } else { -1 }),
        ("count", Unexpected::Unsigned(count)) => {
            return Ok(i64::from(u8::try_from(*count).unwrap_or(u8::MAX)));
        }
        ("time", Unexpected::Unsigned(number)) => return Err(without_unit(*number)),
        ("time" | "name", Unexpected::Str(text)) => return number_of_text(takes, names, text),
        ("object", _) => "an object",
        ("flag", _) => "true or false",
        ("count", _) => "a whole number",
        _ => "a string",
    };
    Err(format!("invalid type: {found}, expected {expected}"))
}

fn number_of_text(takes: &str, names: &str, text: &str) -> Result<i64, String> {
    if let Some(place) = names.split(' ').position(|it| it == text && !it.is_empty()) {
        return Ok(-1 - place as i64);
    }
    let names = names.replace(' ', ", ");
    if takes == "name" {
        return Err(format!("unknown variant `{text}`, expected one of {names}"));
    }
    match text.parse::<Duration>() {
        Ok(time) => Ok(i64::try_from(time.as_ms()).unwrap_or(i64::MAX)),
        Err(error) if names.is_empty() => Err(error.to_string()),
        Err(error) => Err(format!("{error}; or {names}")),
    }
}

/// Reads the members of a rule from JSON.
///
/// # Errors
///
/// The first error.
pub(crate) fn read_members<'de, A: MapAccess<'de>>(members: A) -> Result<Rule, A::Error> {
    let mut reader = RuleReader::default();
    Value { reader: &mut reader, path: String::new() }.visit_map(members)?;
    Rule::of_numbers(reader.name.as_deref(), &reader.numbers).map_err(de::Error::custom)
}

/// The value of a member, or the rule.
struct Value<'a> {
    reader: &'a mut RuleReader,
    path: String,
}

impl<'de> de::DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of a rule")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.reader.set(&self.path, Unexpected::Bool(value)).map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.reader.set(&self.path, Unexpected::Unsigned(value)).map_err(E::custom)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        self.reader.set(&self.path, Unexpected::Str(value)).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Self { reader, path: object } = self;
        if !object.is_empty() {
            reader.set(&object, Unexpected::Map).map_err(de::Error::custom)?;
        }
        while let Some(name) = members.next_key::<String>()? {
            // A point is part of no name.
            let name = name.replace('.', " ");
            let path = if object.is_empty() { name } else { format!("{object}.{name}") };
            members.next_value_seed(Value { reader: &mut *reader, path })?;
        }
        Ok(())
    }
}
