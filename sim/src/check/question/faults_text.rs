//! The faults of a question as JSON: `{"pause": "20s", "crash": {"count": 1}, "lostMessage": "any"}`.
//! A fault is a length, a count, `any`, or an object of both.

use std::fmt;

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::QuestionError;
use super::bounds::{Bounds, FaultBound, Faults};
use super::count::{ANY, Count};
use super::faults::{Extent, FAULTS, Fault};
use crate::time::Duration;

/// The faults that a question gives, in place of its scenario's.
#[derive(Clone, Copy, Default)]
pub(crate) struct FaultsText([Option<FaultText>; FAULTS]);

/// A fault; each of its parts is optional.
#[derive(Clone, Copy, Default)]
struct FaultText {
    length: Option<Duration>,
    lost_commits: Option<u8>,
    /// Left out, it depends on the question.
    count: Option<Count>,
}

impl FaultsText {
    /// The first fault that makes no sense.
    pub(super) fn check(&self) -> Result<(), QuestionError> {
        let mut problems = Fault::ALL.into_iter().filter_map(|fault| {
            let problem = self.0[fault as usize]?.problem(fault)?;
            Some(QuestionError::new(fault.field(), problem))
        });
        problems.next().map_or(Ok(()), Err)
    }

    /// Puts them in the place of others. Those without a count may happen any number of times.
    #[inline(never)]
    pub(super) fn put_in(&self, faults: &mut Faults) {
        for fault in Fault::ALL {
            let Some(text) = self.0[fault as usize] else {
                continue;
            };
            let is_nothing = fault.extent() == Extent::Lasts && text.length == Some(Duration::ZERO);
            let usual = if is_nothing { Count::UpTo(0) } else { Count::Any };
            faults[fault] = FaultBound {
                count: text.count.unwrap_or(usual),
                length: text.length.unwrap_or_default(),
                lost_commits: text
                    .lost_commits
                    .unwrap_or_else(|| (fault.extent() == Extent::Loses).into()),
            };
        }
    }

    /// Those that are given without a count.
    pub(super) fn without_count(&self) -> impl Iterator<Item = Fault> + '_ {
        let is_open = |it: &Fault| self.0[*it as usize].is_some_and(|it| it.count.is_none());
        Fault::ALL.into_iter().filter(is_open)
    }
}

impl<'de> Deserialize<'de> for FaultsText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(FaultsVisitor)
    }
}

struct FaultsVisitor;

impl<'de> Visitor<'de> for FaultsVisitor {
    type Value = FaultsText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of faults")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FaultsText, A::Error> {
        let mut faults = FaultsText::default();
        while let Some(name) = map.next_key::<&str>()? {
            let fault = Fault::ALL.into_iter().find(|it| it.name() == name);
            let unknown = || de::Error::custom(format!("unknown fault `{name}`"));
            let fault = fault.ok_or_else(unknown)?;
            faults.0[fault as usize] = Some(map.next_value()?);
        }
        Ok(faults)
    }
}

impl FaultText {
    /// The error of what the fault cannot have, or lacks.
    fn problem(&self, fault: Fault) -> Option<&'static str> {
        let extent = fault.extent();
        let may_happen = !self.count.is_some_and(Count::is_never);
        if self.length.is_some() && !matches!(extent, Extent::Down | Extent::Lasts) {
            Some("expected a count or \"any\"; it has no length")
        } else if self.lost_commits.is_some() && extent != Extent::Loses {
            Some("only a failover has lostCommits")
        } else if self.length.is_none() && extent == Extent::Lasts && may_happen {
            Some("expected a length, such as \"20s\"")
        } else {
            None
        }
    }
}

impl<'de> Deserialize<'de> for FaultText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(FaultVisitor)
    }
}

struct FaultVisitor;

impl<'de> Visitor<'de> for FaultVisitor {
    type Value = FaultText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a length, a count, \"any\", or an object of both")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<FaultText, E> {
        let count = u8::try_from(number).unwrap_or(u8::MAX);
        Ok(FaultText { count: Some(count.into()), ..FaultText::default() })
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<FaultText, E> {
        let mut fault = FaultText::default();
        match text {
            ANY => fault.count = Some(Count::Any),
            length => fault.length = Some(length.parse().map_err(E::custom)?),
        }
        Ok(fault)
    }

    // By hand, which makes the module smaller than a derived reader.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FaultText, A::Error> {
        let mut fault = FaultText::default();
        while let Some(name) = map.next_key::<&str>()? {
            match name {
                "length" => fault.length = map.next_value()?,
                "lostCommits" => fault.lost_commits = map.next_value()?,
                "count" => fault.count = map.next_value()?,
                _ => return Err(de::Error::unknown_field(name, PARTS)),
            }
        }
        Ok(fault)
    }
}

const PARTS: &[&str] = &["length", "lostCommits", "count"];

impl Bounds {
    /// The bounds that allow something here or in others: latencies by their names, and each fault
    /// with its argument, a comma, and its count.
    pub(in crate::check) fn list(&self, others: &Self) -> Vec<(&'static str, String)> {
        let mut list = vec![("latency", self.latency.to_string())];
        if self.slow_database() || others.slow_database() {
            list.push(("databaseLatency", self.database_latency.to_string()));
        }
        if self.hold_rows() || others.hold_rows() {
            list.push(("transactionTime", self.transaction_time.to_string()));
        }
        for fault in Fault::ALL {
            let bound = &self.faults[fault];
            if bound.count.is_never() && others.faults[fault].count.is_never() {
                continue;
            }
            let argument = match fault.extent() {
                Extent::Down | Extent::Lasts => bound.length.to_string(),
                Extent::Loses => bound.lost_commits.to_string(),
                Extent::Same => String::new(),
            };
            list.push((fault.name(), format!("{argument},{}", bound.count)));
        }
        list
    }
}
