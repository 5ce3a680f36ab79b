//! Advice about settings, as text for people and as JSON. Knows what was found out, and nothing of
//! how; see [`Adviser`](super::Adviser).

pub(super) mod adviser;
pub(super) mod boundary_search;
pub(super) mod formula;
pub(super) mod map;
pub(super) mod map_text;
pub(super) mod other_settings;
pub(super) mod usefulness;

use std::fmt;

use crate::amounts::{Seconds, count};
use crate::check::bosh::BoshSettings;
use crate::check::search::Verdict;
use crate::json::Json;
use crate::scenario::RunnerKind;
use crate::time::Duration;

/// Advice about the settings of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The job of a BOSH release whose settings these are, if they are one's.
    pub job: Option<BoshSettings>,
    /// Whether the property of the question holds.
    pub verdict: Verdict,
    /// That in words, with its bounds.
    pub words: String,
    /// Whether an owner gives up a lock that is still its own although nothing goes wrong:
    /// [`Verdict::Unsafe`] if so.
    pub false_loss: Verdict,
    /// Why a verdict is a bad one: the steps that decide it.
    pub reasons: Vec<String>,
    /// By how much longer than the question says a pause may be for the property to hold still;
    /// `None` if it does not hold as it is.
    pub spare_pause: Option<SparePause>,
    /// The cost of the settings.
    pub cost: Cost,
    /// The nearest settings that are safe and of use, one for each thing that can be changed; none
    /// if the question's own are.
    pub alternatives: Vec<Alternative>,
    /// The things that can be changed to no avail.
    pub excluded: Vec<Excluded>,
}

/// By how much longer a pause may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparePause {
    /// By so much.
    pub pause: Duration,
    /// Whether a step more is known to be too much. Otherwise nothing longer was tried, or a search
    /// was cut.
    pub is_exact: bool,
}

/// The cost of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// How long another client may wait; `None` if there is no other.
    pub handover: Option<HandoverCost>,
    /// How many renewals each runner sends an hour, at most.
    pub renewals_per_hour: u64,
}

/// The cost of a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandoverCost {
    /// How long a lock may be without an owner after its holder has crashed: the TTL, a retry
    /// interval and four messages. These are the holder's last renewal, the refusal of the waiter,
    /// the waiter's next attempt and its answer.
    pub longest: Duration,
    /// Whether a search has shown that it is never longer.
    pub is_proved: bool,
}

/// Settings that are safe, with owners that keep their locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Which runner.
    pub runner: RunnerKind,
    /// How long the row lives.
    pub ttl: Duration,
    /// How long runners wait between attempts.
    pub retry_interval: Duration,
    /// Their cost.
    pub cost: Cost,
    /// Whether they can be set: a job of a BOSH release may have some of them fixed.
    pub is_settable: bool,
}

/// Other settings, none of which is of use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excluded {
    /// The settings as a clause.
    pub summary: String,
    /// Whether all of them are known to be of no use; otherwise searches were cut.
    pub is_known: bool,
}

impl Advice {
    /// Whether the settings are safe and owners keep their locks: what is wrong with either is
    /// wrong with both.
    pub fn overall(&self) -> Verdict {
        let both = [self.verdict, self.false_loss];
        let worst_first = [
            Verdict::Unsafe,
            Verdict::Running,
            Verdict::NotFinished,
            Verdict::NeverExercised,
            Verdict::Preview,
        ];
        let worst = worst_first.into_iter().find(|it| both.contains(it));
        worst.unwrap_or(Verdict::Safe)
    }

    /// The results about the settings, in a line.
    pub fn summary(&self) -> String {
        let spare = self.spare_pause.map(|it| format!(" Spare pause: {it}."));
        let spare = spare.unwrap_or_default();
        format!("{} {}{spare}", self.words, self.false_loss_words())
    }

    const fn false_loss_words(&self) -> &'static str {
        match self.false_loss {
            Verdict::Safe => "Without a fault, no owner gives up a lock that is still its own.",
            Verdict::Unsafe => {
                "Without a fault, an owner can give up a lock that is still its own."
            }
            Verdict::NeverExercised
            | Verdict::NotFinished
            | Verdict::Preview
            | Verdict::Running => {
                "Unknown: whether an owner gives up a lock that is still its own without a fault."
            }
        }
    }

    /// As JSON, with times in milliseconds.
    pub fn to_json(&self) -> String {
        let mut json = Json::default();
        json.open('{').key("verdict").string(self.verdict.name());
        json.key("overall").string(self.overall().name());
        json.key("summary").string(&self.summary());
        json.key("falseLoss").string(self.false_loss.name());
        json.key("reasons").open('[');
        for reason in &self.reasons {
            json.string(reason);
        }
        json.close(']');
        if let Some(job) = &self.job {
            json.key("job");
            job.write(&mut json);
        }
        json.key("sparePause");
        json.optional_plain(self.spare_pause.map(|it| it.pause.as_ms()));
        json.key("isSparePauseExact");
        json.plain(self.spare_pause.is_some_and(|it| it.is_exact));
        self.cost.write(&mut json);
        json.key("alternatives").open('[');
        for it in &self.alternatives {
            json.open('{').key("runner").string(it.runner.name());
            json.key("ttl").plain(it.ttl.as_ms());
            json.key("retryInterval").plain(it.retry_interval.as_ms());
            it.cost.write(&mut json);
            json.key("isSettable").plain(it.is_settable).close('}');
        }
        json.close(']').key("excluded").open('[');
        for Excluded { summary, is_known } in &self.excluded {
            json.open('{').key("summary").string(summary);
            json.key("isKnown").plain(is_known).close('}');
        }
        json.close(']').close('}');
        json.take()
    }
}

impl Cost {
    fn write(&self, json: &mut Json) {
        json.key("handoverMax");
        match self.handover {
            Some(handover) => json.plain(handover.longest.as_ms()),
            None => json.plain("null"),
        };
        let is_proved = self.handover.is_some_and(|it| it.is_proved);
        json.key("isHandoverProved").plain(is_proved);
        json.key("renewalsPerHour").plain(self.renewals_per_hour);
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(HandoverCost { longest, is_proved }) = self.handover {
            let within = Seconds(longest);
            match is_proved {
                true => write!(f, "another owner within {within} after a crash, ")?,
                false => write!(
                    f,
                    "unknown whether another owner follows within {within} after a crash, "
                )?,
            }
        }
        write!(f, "{} an hour", count(self.renewals_per_hour, "renewal"))
    }
}

impl fmt::Display for SparePause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at_least = if self.is_exact { "" } else { "at least " };
        write!(f, "{at_least}{}", Seconds(self.pause))
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(job) = &self.job {
            writeln!(f, "{job}.")?;
        }
        writeln!(f, "{}", self.words)?;
        writeln!(f, "{}", self.false_loss_words())?;
        for reason in &self.reasons {
            writeln!(f, "Why: {reason}.")?;
        }
        if let Some(spare) = self.spare_pause {
            writeln!(f, "Spare pause: {spare}.")?;
        }
        writeln!(f, "Cost: {}.", self.cost)?;
        for it in &self.alternatives {
            let (runner, ttl, retry_interval) = (
                it.runner.name(),
                Seconds(it.ttl),
                Seconds(it.retry_interval),
            );
            let fixed = if it.is_settable {
                ""
            } else {
                "; no property sets these"
            };
            writeln!(
                f,
                "Safe instead: {runner} runner, TTL {ttl}, retry {retry_interval}; {}{fixed}.",
                it.cost
            )?;
        }
        for Excluded { summary, is_known } in &self.excluded {
            let verdict = if *is_known {
                "Does not help"
            } else {
                "Unknown"
            };
            writeln!(f, "{verdict}: {summary}.")?;
        }
        Ok(())
    }
}
