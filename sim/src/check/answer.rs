//! What a search has found out, as text for people and as JSON.

use std::fmt;

use super::question::Question;
use super::replay::{Counterexample, ReplayError};
use super::schedule::NoWay;
use super::search::{Search, Verdict, Violation};
use super::story::Story;
use crate::json::Json;

/// What a search has found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What was asked.
    pub question: Question,
    /// The verdict.
    pub verdict: Verdict,
    /// How many different states were found.
    pub states: usize,
    /// The faults and the time in milliseconds up to which everything was visited.
    pub reached: (u32, u64),
    /// What breaks the property with the fewest faults, and of these first, if something does.
    pub counterexample: Option<(Counterexample, Story)>,
    /// What breaks it for longest, of all that was visited.
    pub longest: Option<Counterexample>,
    /// Whether everything was visited, so that nothing breaks it for longer.
    pub has_longest: bool,
    /// Whether the property is broken on the search's grid only: a clock has a rate of its own, and
    /// the world, which is exact, does not repeat the schedule. Then nothing is known.
    pub is_off_grid: bool,
}

impl Search {
    /// What was found out so far.
    ///
    /// # Errors
    ///
    /// If the full world does not repeat what breaks the property: a mistake of the checker.
    pub fn answer(&self) -> Result<Answer, ReplayError> {
        let (first, longest) = self.violations();
        let counterexample = first.map(|it| self.counterexample(it)).transpose();
        // Timers of a clock with a rate of its own are due between the instants of the search.
        let is_off_grid = self.question().has_rates()
            && matches!(
                counterexample,
                Err(ReplayError::Diverges { .. } | ReplayError::Holds)
            );
        let counterexample = if is_off_grid { None } else { counterexample? };
        let longest = longest.filter(|longest| first != Some(*longest) && !is_off_grid);
        let longest = longest.map(|it| self.counterexample(it)).transpose()?;
        Ok(Answer {
            question: self.question().clone(),
            verdict: if is_off_grid {
                Verdict::NotFinished
            } else {
                self.verdict()
            },
            states: self.states(),
            reached: self.reached(),
            longest: longest.or_else(|| counterexample.clone()),
            has_longest: self.has_seen_all() && !self.longest_is_cut(),
            counterexample: counterexample.map(|it| {
                let story = it.story();
                (it, story)
            }),
            is_off_grid,
        })
    }

    fn counterexample(&self, violation: Violation) -> Result<Counterexample, ReplayError> {
        let schedule = self.schedule_of(violation);
        let schedule = schedule.map_err(|NoWay| ReplayError::NoWay)?;
        schedule.counterexample(self.question())
    }
}

impl Verdict {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NeverExercised => "never-exercised",
            Self::NotFinished => "unfinished",
            Self::Proved => "proved",
            Self::Running => "running",
            Self::Violated => "violated",
        }
    }
}

impl Answer {
    /// As JSON: `verdict`, `words`, `states`, `reached` as `faults` and `time` in milliseconds, and for a
    /// violation `scenario`, when it happens in it as `time` and for how long two act at once as
    /// `twoOwnersFor`, both in milliseconds, and `story`.
    pub fn to_json(&self) -> String {
        let mut json = Json::default();
        json.open('{').key("verdict").string(self.verdict.name());
        json.key("words").string(&self.words());
        json.key("states").plain(self.states);
        json.key("reached").open('{');
        json.key("faults").plain(self.reached.0);
        json.key("time").plain(self.reached.1).close('}');
        if let Some((counterexample, story)) = &self.counterexample {
            json.key("time").plain(counterexample.time.as_ms());
            json.key("twoOwnersFor");
            json.plain(counterexample.two_owners_for.as_ms());
            json.key("scenario").plain(&counterexample.scenario);
            if let Some(longest) = &self.longest {
                json.key("longest").open('{');
                json.key("lasted").plain(longest.lasted.as_ms());
                json.key("isExact").plain(self.has_longest);
                json.key("scenario").plain(&longest.scenario).close('}');
            }
            json.key("story");
            story.write(&mut json);
        }
        json.close('}');
        json.take()
    }

    /// The verdict as a sentence.
    pub fn words(&self) -> String {
        let property = self.question.property.words();
        let states = self.states;
        let (faults, time) = self.reached;
        let time = crate::time::Time::from_ms(time);
        match self.verdict {
            Verdict::NeverExercised => {
                format!(
                    "not put to the test: in none of {states} states could it be that {property}"
                )
            }
            Verdict::NotFinished if self.is_off_grid => format!(
                "unfinished: the search takes timers to be due at whole steps of its grid, and then {property}; with a clock of another rate they are due in between, and an exact run does not show it"
            ),
            Verdict::NotFinished => format!(
                "unfinished: cut at {states} states; no schedule with fewer than {faults} faults, or {faults} and ending before {time} s, shows that {property}"
            ),
            Verdict::Proved => {
                format!("proved: never is it so that {property}; all {states} states were tried")
            }
            Verdict::Running => format!("under way: {states} states so far"),
            Verdict::Violated => {
                format!(
                    "possible: {property}, after {time} s at the earliest and with {faults} faults"
                )
            }
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.words())?;
        match &self.counterexample {
            Some((_, story)) => write!(f, "{story}"),
            None => Ok(()),
        }
    }
}
