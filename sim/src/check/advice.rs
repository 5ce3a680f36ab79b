//! Advice about settings, as text for people and as it is written. Knows what was found out, and nothing of
//! how; see [`Adviser`](super::Adviser).

pub(super) mod adviser;
pub(super) mod boundary_search;
pub(super) mod map;
pub(super) mod map_cell;
pub(super) mod map_question;
pub(super) mod map_text;
pub(super) mod other_settings;
pub(super) mod survival;
pub(super) mod usefulness;

use std::fmt;

use serde::Serialize;

use crate::amounts::{Seconds, count};
use crate::check::answer::ClientCount;
use crate::check::search::Verdict;
use crate::scenario::RunnerKind;
use crate::time::Duration;

/// Advice about the settings of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Whether the property of the question holds.
    pub verdict: Verdict,
    /// For how many clients it does.
    pub clients: ClientCount,
    /// The verdict in words, with its bounds.
    pub words: String,
    /// Whether an owner gives up a lock that is still its own although nothing goes wrong:
    /// [`Verdict::Unsafe`] if so.
    pub false_loss: Verdict,
    /// Why a verdict is a bad one: the steps that decide it.
    pub reasons: Vec<String>,
    /// By how much longer than the question says a pause may be for the property to hold still;
    /// `None` if it does not hold as it is.
    pub spare_pause: Option<PauseMargin>,
    /// The cost of the settings.
    pub cost: Cost,
    /// The nearest settings that are safe and of use, one for each thing that can be changed; none
    /// if the question's own are. The cheapest is first.
    pub alternatives: Vec<Alternative>,
    /// The settings that were tried to no avail.
    pub excluded: Vec<Excluded>,
}

/// By how much longer a pause may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseMargin {
    /// By so much.
    pub pause: Duration,
    /// For how many clients the property holds with it.
    pub clients: ClientCount,
    /// True if a step more is known to be too much. Otherwise nothing longer was tried, or a search
    /// was cut.
    pub is_exact: bool,
}

/// The cost of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SettingsCost"))]
pub struct Cost {
    /// The longest time without an owner after the holder crashed, with every message at its latest;
    /// `null` if no other client waits, as for a presence.
    // The TTL, a retry interval and four messages: the holder's last renewal, the refusal of the
    // waiter, the waiter's next attempt and its answer.
    #[serde(rename = "handoverMaxMs")]
    pub handover_max: Option<Duration>,
    /// True if a search has proved that bound.
    pub is_handover_proved: bool,
    /// The most renewals that each runner sends in an hour.
    pub renewals_per_hour: u64,
}

/// Settings that are safe and do not lose locks without a fault, with their cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SafeSettings"))]
pub struct Alternative {
    /// The runner: its name, or its rule.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::RunnerAnswer"))]
    pub runner: RunnerKind,
    /// The TTL.
    #[serde(rename = "ttlMs")]
    pub ttl: Duration,
    /// The retry interval.
    #[serde(rename = "retryIntervalMs")]
    pub retry_interval: Duration,
    /// For how many clients the property holds with them: `any`, or the number of the question's
    /// clients.
    pub clients: ClientCount,
    /// Their cost.
    #[serde(flatten)]
    pub cost: Cost,
}

/// Other settings that were tried and do not help.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Excluded {
    /// The settings as a clause, with the bound beyond which none was tried.
    pub summary: String,
    /// True if all of them are known to be of no use; otherwise a search was cut, or none proves
    /// anything with such faults.
    pub is_known: bool,
}

/// Advice about the settings of a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Advice"))]
pub struct AdviceView<'a> {
    /// Whether the property of the question holds, as `explore` says.
    pub verdict: Verdict,
    /// For how many clients that verdict holds: `any`, each with an owner string of its own, or the
    /// number of the question's clients.
    pub clients: ClientCount,
    /// Whether an owner can lose its lock without a fault: `unsafe` if so.
    pub false_loss: Verdict,
    /// Both verdicts combined: the worse of the two.
    pub overall: Verdict,
    /// The verdict in one line, with its bounds.
    pub summary: String,
    /// The steps that lead to a bad verdict.
    pub reasons: &'a [String],
    /// How much longer a pause may be than in the question; `null` if the property already fails.
    #[serde(rename = "sparePauseMs")]
    pub spare_pause: Option<Duration>,
    /// For how many clients the property holds with that pause.
    pub spare_pause_clients: Option<ClientCount>,
    /// True if one more step of pause breaks the property. If not, no longer pause was tried, or a
    /// search was cut.
    pub is_spare_pause_exact: bool,
    /// The cost of the settings.
    #[serde(flatten)]
    pub cost: Cost,
    /// The nearest safe settings, one for each setting that can change; none if the question's own
    /// are safe. The cheapest is first: by the time without an owner, then by the renewals.
    pub alternatives: &'a [Alternative],
    /// The settings that were tried and do not help, as far as is known.
    pub excluded: &'a [Excluded],
}

impl Advice {
    /// Adds other settings behind those that cost no more: in time without an owner, then in
    /// renewals.
    fn add(&mut self, alternative: Alternative) {
        let price = |it: &Alternative| (it.cost.handover_max, it.cost.renewals_per_hour);
        let place = self.alternatives.partition_point(|it| price(it) <= price(&alternative));
        self.alternatives.insert(place, alternative);
    }

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

    /// The advice as it is written.
    // Compiled by its caller, as what serde derives: the wasm crate is compiled for size.
    #[inline]
    pub fn view(&self) -> AdviceView<'_> {
        AdviceView {
            verdict: self.verdict,
            clients: self.clients,
            false_loss: self.false_loss,
            overall: self.overall(),
            summary: self.summary(),
            reasons: &self.reasons,
            spare_pause: self.spare_pause.map(|it| it.pause),
            spare_pause_clients: self.spare_pause.map(|it| it.clients),
            is_spare_pause_exact: self.spare_pause.is_some_and(|it| it.is_exact),
            cost: self.cost,
            alternatives: &self.alternatives,
            excluded: &self.excluded,
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(longest) = self.handover_max {
            let doubt = if self.is_handover_proved { "" } else { " (not proved)" };
            write!(f, "another owner within {} after a crash{doubt}, ", Seconds(longest))?;
        }
        write!(f, "{} an hour", count(self.renewals_per_hour, "renewal"))
    }
}

impl fmt::Display for PauseMargin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at_least = if self.is_exact { "" } else { "at least " };
        let any = self.clients.without_limit();
        let clients = any.map(|any| format!(", with {any}")).unwrap_or_default();
        write!(f, "{at_least}{}{clients}", Seconds(self.pause))
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
            let (runner, ttl, retry_interval) =
                (it.runner.name(), Seconds(it.ttl), Seconds(it.retry_interval));
            let any = it.clients.without_limit();
            let clients = any.map(|any| format!("; the property holds for {any}"));
            let clients = clients.unwrap_or_default();
            writeln!(
                f,
                "Safe instead: {runner} runner, TTL {ttl}, retry {retry_interval}; {}{clients}.",
                it.cost
            )?;
        }
        for Excluded { summary, is_known } in &self.excluded {
            let verdict = if *is_known { "None helps" } else { "Unknown" };
            writeln!(f, "{verdict}: {summary}.")?;
        }
        Ok(())
    }
}
