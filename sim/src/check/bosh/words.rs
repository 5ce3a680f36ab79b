//! The facts about a job or Locket as sentences.

use std::fmt;

use super::facts::{BoshJob, BoshRow, BoshSetting};
use super::jobs::DIEGO;
use super::locket::{BoshLocket, DETACHED};
use super::settings::{BoshAbsence, BoshSettings, BoshWhy};
use super::version::BoshVersion;
use crate::amounts::Seconds;

/// A release with its version.
struct Release(&'static str, Option<BoshVersion>);

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(name, Some(version)) => write!(f, "{name} {version}"),
            Self(name, None) => write!(f, "the newest {name}"),
        }
    }
}

impl fmt::Display for BoshRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { since, date, source, .. } = self;
        let assumed = if self.is_assumed { "assumed: " } else { "" };
        write!(f, "{assumed}since {since}, {date}: cloudfoundry/{source}")
    }
}

impl fmt::Display for BoshSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { job, facts, .. } = self;
        let fixed = |setting: &BoshSetting| match setting.is_fixed() {
            true => ", fixed in the job",
            false => "",
        };
        write!(
            f,
            "{} keeps a {} with the {} runner: TTL {}{}; retry {}{}",
            job.name,
            job.kind.name(),
            facts.runner.name(),
            Seconds(self.ttl),
            fixed(&facts.ttl),
            Seconds(self.retry_interval),
            fixed(&facts.retry_interval)
        )?;
        for name in &self.ignored {
            write!(f, "; {name} has no effect")?;
        }
        Ok(())
    }
}

impl BoshSettings {
    /// What else to know: which facts these are, and what no question covers. Sentences without a
    /// full stop.
    pub fn notes(&self) -> Vec<String> {
        let release = self.job.release;
        let facts = match self.version {
            Some(version) => format!("Facts of {release} {version}: {}", self.row),
            None => format!("Facts, assumed: newest {release}: {}", self.row),
        };
        let consul = self.facts.skip_consul.filter(|_| self.is_in_consul);
        let consul = consul.map(|name| {
            format!("Without {name} it takes a lock in Consul, too, which no question here covers")
        });
        let pings = self.keepalive.map(|it| it.to_string());
        [Some(facts), consul, pings].into_iter().flatten().collect()
    }
}

impl fmt::Display for BoshAbsence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BoshJob { name, release, kind, rows, .. } = *self.job;
        let (kind, of) = (kind.name(), Release(release, self.version));
        match self.why {
            BoshWhy::BeforeLocket => {
                write!(f, "{name} of {of} keeps no {kind} in Locket yet")?;
                match rows.first() {
                    Some(first) => write!(f, "; later ones do ({first})"),
                    None => Ok(()),
                }
            }
            BoshWhy::Off { property, reason } => {
                write!(f, "{name} of {of} keeps no {kind} in Locket: {property} {reason}")
            }
            BoshWhy::Unknown { row, what } => {
                write!(f, "{name} of {of} cannot be judged: {what} ({row})")
            }
        }
    }
}

impl fmt::Display for BoshLocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = Release(DIEGO, self.version);
        let Some(row) = self.row else {
            return write!(f, "{of} has no Locket yet");
        };
        let undoes = match row.cancels {
            Some(false) => {
                write!(f, "Locket of {of} ends a call that it has begun")?;
                return match row.is_assumed {
                    true => write!(
                        f,
                        " (assumed: since {}, {}: cloudfoundry/{DETACHED})",
                        row.since, row.date
                    ),
                    false => Ok(()),
                };
            }
            Some(true) => "undoes",
            None => "may undo",
        };
        write!(
            f,
            "Locket of {of} {undoes} the work of a call whose caller has given up (until \
             cloudfoundry/{DETACHED}); a search counts such a call only as a lost message"
        )
    }
}
