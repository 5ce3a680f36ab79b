//! A profile as text for people.

use std::fmt;

use super::{MarginMoment, MarginQuestion, SafetyMargin};
use crate::amounts::Seconds;
use crate::node::connection::TCP_WAIT_MAX;
use crate::scenario::{Harm, NodeFault};

/// How long the longest bar is.
const BAR: u64 = 30;

impl NodeFault {
    /// The state of the node, as a participle.
    const fn words(self) -> &'static str {
        match self {
            Self::Isolation => "cut off",
            Self::Pause => "paused",
            Self::Suspend => "suspended",
        }
    }
}

impl Harm {
    /// It, as the object of "gives".
    const fn words(self) -> &'static str {
        match self {
            Self::PresenceGap => "a gap of a presence",
            Self::TwoOwners => "two owners",
        }
    }
}

impl SafetyMargin {
    /// The most important facts, one sentence each.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec![self.words_of_the_nearest()];
        if let Some(time) = self.point_of_no_return {
            words.push(format!(
                "point of no return: {time} s. From then on {} cannot be avoided, even if every fault ends.",
                self.harm.words(),
            ));
        }
        if let Some(time) = self.harm_at {
            words.push(format!("{} from {time} s", self.harm.words()));
        }
        if self.question.fault == NodeFault::Isolation {
            let longest = Seconds(TCP_WAIT_MAX);
            words.push(format!(
                "not counted: after a cut, TCP may wait as long again, up to {longest}"
            ));
        }
        words
    }

    fn words_of_the_nearest(&self) -> String {
        let what = self.question.fault.words();
        let (harm, longest) = (self.harm.words(), Seconds(self.question.longest));
        let faulty = self.moments.iter().filter(|it| it.node.is_some());
        match faulty.min_by_key(|it| it.smallest) {
            Some(nearest) => format!(
                "smallest margin at {} s: {} {what} for {}{} gives {harm}",
                nearest.at,
                nearest.node.as_deref().unwrap_or_default(),
                Seconds(nearest.smallest.unwrap_or_default()),
                nearest.more(),
            ),
            None => format!("no node {what} for up to {longest} gives {harm}"),
        }
    }
}

impl MarginMoment {
    /// Set apart from a fault that begins now.
    const fn more(&self) -> &'static str {
        if self.lasts_already { " more" } else { "" }
    }

    fn words(&self, question: &MarginQuestion, harm: Harm) -> String {
        let fault = question.fault.words();
        match (self.smallest, &self.node) {
            (Some(smallest), Some(node)) => {
                format!("{node} {fault} for {}{}", Seconds(smallest), self.more())
            }
            (Some(_), None) => format!("{} without a further fault", harm.words()),
            (None, _) => format!("safe up to {}", Seconds(question.longest)),
        }
    }
}

/// A line for each moment, with a bar that is the longer the nearer the harm is.
impl fmt::Display for SafetyMargin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let longest = self.question.longest;
        for moment in &self.moments {
            let left = moment.smallest.unwrap_or(longest).as_ms().min(longest.as_ms());
            let lost = longest.as_ms() - left;
            let bar = lost * BAR / longest.as_ms().max(1);
            let bar = match moment.smallest {
                Some(_) => "█".repeat(bar.max(1) as usize),
                None => "·".to_owned(),
            };
            let at = moment.at.to_string();
            let after = if moment.is_after { '+' } else { ' ' };
            let words = moment.words(&self.question, self.harm);
            writeln!(f, "{at:>9} s{after} {bar:<30}  {words}")?;
        }
        for words in self.words() {
            writeln!(f, "{words}")?;
        }
        Ok(())
    }
}
