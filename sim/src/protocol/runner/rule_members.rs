//! A rule of a user's own, by a table of its members with a number for the value of each: one function
//! reads all of them, another writes them, and JavaScript hands over the numbers. What serde derives would weigh a multiple in a wasm module, and
//! bring a parser into one that has none.

use std::fmt;

use serde::de::{self, MapAccess, Unexpected, Visitor};
use serde::{Deserializer, Serialize, Serializer};

use super::rule::{
    CollisionPolicy, FAILURES_MAX, Lease, LeaseEnd, LossPolicy, Moment, Rule, SignalPolicy,
    Timeout, Wait,
};
use crate::time::{Duration, without_unit};

/// A rule of a user's own, as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnRule {
    /// What answers call it.
    pub(crate) name: String,
    numbers: RuleNumbers,
    rule: Rule,
}

/// The value of each member, in the order of the table, if it has one: milliseconds, a count, or
/// −1 for the first of its names, −2 for the second one; of an object and a text any number.
pub type RuleNumbers = [Option<i64>; 24];

/// In the order of the schema: what it takes, its path, and its names in the order of its type's values.
/// In one text, since the compiler would unroll a loop over a list.
const MEMBERS: &str = "object runner.lease
name runner.lease.from reply request
time runner.lease.length
time runner.lease.margin
name runner.lease.ends at-an-attempt by-timer
object runner.renew
time runner.renew.every
name runner.renew.from reply request
time runner.renew.jitter
object runner.retry
time runner.retry.every
name runner.retry.from reply request
time runner.retry.jitter
timeout runner.timeout
timeout runner.firstTimeout
timeout runner.acquireTimeout
timeout runner.releaseTimeout
timeout runner.fetchOwner
flag runner.waitForReady false true
count runner.toleratedFailures
name runner.onCollision count lose
name runner.onLoss retry stop
name runner.onStop abandon release
text runner.name";
/// The path of the rule itself.
const RULE: &str = "runner";
/// The names of a timeout.
pub(crate) const TIMEOUTS: &str = "retry-interval ttl ttl-or-retry-interval unlimited";
const MOMENTS: [Moment; 2] = [Moment::Reply, Moment::Request];
/// The longest name of a rule, in characters.
const NAME_MAX: usize = 60;

/// A line of [`MEMBERS`].
#[derive(Clone, Copy)]
struct Member {
    takes: &'static str,
    path: &'static str,
    names: &'static str,
}

impl Member {
    #[inline(never)]
    fn of(line: &'static str) -> Self {
        let (takes, rest) = line.split_once(' ').unwrap_or_default();
        let (path, names) = rest.split_once(' ').unwrap_or((rest, ""));
        Self { takes, path, names: if takes == "timeout" { TIMEOUTS } else { names } }
    }

    /// A number of it as a time, if it is one.
    fn time(&self, number: Option<i64>) -> Option<Duration> {
        let number = number.filter(|it| *it >= 0 && matches!(self.takes, "time" | "timeout"));
        number.map(time)
    }

    /// What it takes, in words.
    fn expected(&self) -> &'static str {
        match self.takes {
            "object" => "an object",
            "flag" => "true or false",
            "count" => "a whole number",
            _ => "a string",
        }
    }

    /// The number for a value of it.
    fn number(&self, found: &Unexpected<'_>) -> Result<i64, String> {
        match (self.takes, found) {
            ("object", Unexpected::Map) | ("text", Unexpected::Str(_)) => Ok(0),
            ("flag", Unexpected::Bool(is_true)) => Ok(if *is_true { -2 } else { -1 }),
            ("count", Unexpected::Unsigned(count)) => {
                Ok(i64::from(u8::try_from(*count).unwrap_or(u8::MAX)))
            }
            ("time" | "timeout", Unexpected::Unsigned(number)) => Err(without_unit(*number)),
            ("time" | "timeout" | "name", Unexpected::Str(text)) => self.named(text),
            _ => Err(format!("invalid type: {found}, expected {}", self.expected())),
        }
    }

    fn named(&self, text: &str) -> Result<i64, String> {
        if let Some(place) = self.names.split_terminator(' ').position(|it| it == text) {
            return Ok(-1 - place as i64);
        }
        if self.takes == "name" {
            let names = self.names.replace(" ", "`, `");
            return Err(format!("unknown variant `{text}`, expected one of `{names}`"));
        }
        match text.parse::<Duration>() {
            Ok(time) => Ok(i64::try_from(time.as_ms()).unwrap_or(i64::MAX)),
            Err(error) if self.names.is_empty() => Err(error.to_string()),
            Err(error) => Err(format!("{error}; or {}", self.names.replace(" ", ", "))),
        }
    }
}

/// The table for TypeScript: the path of each member, its names and what it takes.
#[cfg(feature = "schema")]
pub(crate) fn rule_members() -> serde_json::Value {
    let names = |member: &Member| member.names.split_terminator(' ').collect::<Vec<_>>();
    members().map(|it| serde_json::json!([it.path, names(&it), it.takes])).collect()
}

fn members() -> impl Iterator<Item = Member> {
    MEMBERS.lines().map(Member::of)
}

/// The object that a member is in, and its name.
fn inside(path: &str) -> (&str, &str) {
    path.rsplit_once('.').unwrap_or(("", path))
}

impl OwnRule {
    /// A rule of the members that have been read.
    fn of(RuleReader { name, numbers }: RuleReader) -> Result<Self, String> {
        let name = name.unwrap_or_else(|| "own rule".to_owned());
        let length = name.chars().count();
        if !(1..=NAME_MAX).contains(&length) {
            return Err(format!("name: expected 1 to {NAME_MAX} characters, not {length}"));
        }
        let is_zero = |(member, number): &(Member, Option<i64>)| {
            let may_be_zero = ["margin", "jitter"].iter().any(|it| member.path.ends_with(it));
            member.time(*number) == Some(Duration::ZERO) && !may_be_zero
        };
        if let Some((member, _)) = members().zip(numbers).find(is_zero) {
            let path = member.path.trim_start_matches("runner.");
            return Err(format!("{path}: expected more than 0"));
        }
        Ok(Self { name, numbers, rule: Rule::of_numbers(&numbers)? })
    }

    /// Reads the members of a rule from JSON.
    ///
    /// # Errors
    ///
    /// The first error.
    pub(crate) fn read<'de, A: MapAccess<'de>>(members: A) -> Result<Self, A::Error> {
        let mut reader = RuleReader::default();
        reader.read(RULE, members)?;
        Self::of(reader).map_err(de::Error::custom)
    }

    /// What it does.
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The times that it fixes, each with its field.
    pub(crate) fn times(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        let all = members().zip(self.numbers);
        all.filter_map(|(member, number)| Some((member.path, member.time(number)?)))
    }

    /// The members of an object that are given, with their names.
    fn written(&self, object: &'static str) -> impl Iterator<Item = (&'static str, Written<'_>)> {
        members().zip(self.numbers).filter_map(move |(member, number)| {
            let (of, name) = inside(member.path);
            let number = number.filter(|_| of == object)?;
            Some((name, Written { rule: self, member, number }))
        })
    }
}

impl Serialize for OwnRule {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.written(RULE))
    }
}

/// A member with its value.
struct Written<'a> {
    rule: &'a OwnRule,
    member: Member,
    number: i64,
}

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { rule, member: Member { takes, path, names }, number } = *self;
        match (takes, usize::try_from(-1 - number)) {
            ("object", _) => to.collect_map(rule.written(path)),
            ("flag", _) => to.serialize_bool(number == -2),
            ("count", _) => to.serialize_i64(number),
            ("text", _) => to.serialize_str(&rule.name),
            (_, Ok(place)) => to.serialize_str(names.split(' ').nth(place).unwrap_or_default()),
            _ => to.collect_str(&time(number)),
        }
    }
}

impl Rule {
    /// A rule of the numbers of its members, without its name.
    ///
    /// # Errors
    ///
    /// What is wrong with it, but for a time of 0, which counts as 1 ms.
    pub fn of_numbers(numbers: &RuleNumbers) -> Result<Self, String> {
        let [lease, lease_from, length, margin, ends, others @ ..] = *numbers;
        let [renew, renew_every, renew_from, renew_jitter, others @ ..] = others;
        let [_, every, from, jitter, timeout, others @ ..] = others;
        let [first, acquire, release, fetch, waits, failures, collision, loss, stop, _] = others;
        let refused = |message: &str| Err(message.to_owned());
        if lease.is_some() && lease_from.is_none() {
            return refused("lease: missing field `from`");
        }
        if length.is_some() && margin.is_some() {
            return refused("lease: leave out length or margin");
        }
        if failures > Some(FAILURES_MAX.into()) {
            return Err(format!("toleratedFailures: expected at most {FAILURES_MAX}"));
        }
        let wait = |every: Option<i64>, from, jitter: Option<i64>| Wait {
            every: every.map(time),
            from: named(from, MOMENTS),
            jitter: jitter.map(time),
        };
        Ok(Self {
            lease: lease.map(|_| Lease {
                from: named(lease_from, MOMENTS),
                length: length.map(time),
                margin: margin.map(time),
                ends: named(ends, [LeaseEnd::AtAnAttempt, LeaseEnd::ByTimer]),
            }),
            renew: renew.map(|_| wait(renew_every, renew_from, renew_jitter)),
            retry: wait(every, from, jitter),
            timeout: timeout.map(timeout_of).unwrap_or_default(),
            first_timeout: first.map(timeout_of),
            acquire_timeout: acquire.map(timeout_of),
            release_timeout: release.map(timeout_of),
            fetch_owner: fetch.map(timeout_of),
            wait_for_ready: waits == Some(-2),
            tolerated_failures: failures.map(|it| it as u8),
            on_collision: named(collision, [CollisionPolicy::Count, CollisionPolicy::Lose]),
            on_loss: named(loss, [LossPolicy::Retry, LossPolicy::Stop]),
            on_stop: named(stop, [SignalPolicy::Abandon, SignalPolicy::Release]),
        })
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
    /// A member of an object, which has it and has it once, and its place.
    #[inline(never)]
    fn find(&self, object: &str, own: &str) -> Result<(usize, Member), String> {
        let mut all = members().enumerate();
        let Some((place, member)) = all.find(|(_, it)| inside(it.path) == (object, own)) else {
            let all = members().map(|it| inside(it.path)).filter(|it| it.0 == object);
            let known = all.map(|it| it.1).collect::<Vec<_>>().join("`, `");
            return Err(format!("unknown field `{own}`, expected one of `{known}`"));
        };
        match self.numbers[place] {
            None => Ok((place, member)),
            Some(_) => Err(format!("duplicate field `{own}`")),
        }
    }

    /// Reads the members of an object.
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        object: &'static str,
        mut members: A,
    ) -> Result<(), A::Error> {
        while let Some(own) = members.next_key::<String>()? {
            let (place, member) = self.find(object, &own).map_err(de::Error::custom)?;
            members.next_value_seed(Value { reader: self, place, member })?;
        }
        Ok(())
    }
}

/// The value of the member at a place of the table.
struct Value<'a> {
    reader: &'a mut RuleReader,
    place: usize,
    member: Member,
}

impl Value<'_> {
    fn set<E: de::Error>(&mut self, found: &Unexpected<'_>) -> Result<(), E> {
        self.reader.numbers[self.place] = Some(self.member.number(found).map_err(E::custom)?);
        Ok(())
    }
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
        f.write_str(self.member.expected())
    }

    fn visit_bool<E: de::Error>(mut self, value: bool) -> Result<(), E> {
        self.set(&Unexpected::Bool(value))
    }

    fn visit_u64<E: de::Error>(mut self, value: u64) -> Result<(), E> {
        self.set(&Unexpected::Unsigned(value))
    }

    fn visit_str<E: de::Error>(mut self, value: &str) -> Result<(), E> {
        self.set(&Unexpected::Str(value))?;
        if self.member.takes == "text" {
            self.reader.name = Some(value.to_owned());
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, members: A) -> Result<(), A::Error> {
        self.set(&Unexpected::Map)?;
        self.reader.read(self.member.path, members)
    }
}
