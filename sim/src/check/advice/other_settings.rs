//! The settings that a question may have instead of its own, nearest first.

use super::Alternative;
use super::boundary_search::BoundarySearch;
use crate::amounts::Seconds;
use crate::check::answer::ClientCount;
use crate::check::question::bounds::Bounds;
use crate::check::question::faults::Fault;
use crate::check::question::{ClientQuestion, Property, Question};
use crate::check::search::{Search, Verdict};
use crate::scenario::RunnerKind;
use crate::time::Duration;

/// A thing that can be changed: other settings, nearest first, and which of them are of use.
#[derive(Clone, Debug)]
pub(in crate::check) struct Way {
    /// Which were tried, should none be of use, with the bound beyond which none was.
    pub(in crate::check) words: String,
    pub(in crate::check) settings: Vec<Settings>,
    pub(in crate::check) good: BoundarySearch,
    /// How many of the questions about the settings that are asked now have a good answer.
    answered: usize,
    /// For how many clients the property holds with the nearest that are good so far.
    clients: Option<ClientCount>,
    /// True if no search was cut so far.
    pub(in crate::check) is_known: bool,
}

/// Settings that a question may have instead of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::check) struct Settings {
    runner: RunnerKind,
    ttl: Duration,
    retry_interval: Duration,
}

/// The longest TTL that is tried, as a multiple of the given TTL.
const TTL_FACTOR_MAX: u64 = 4;
/// How many retry intervals a TTL should have.
const RETRIES_IN_A_TTL: u64 = 3;

impl Way {
    /// Keeps the settings that make sense; `is_rising` if all after good ones are good. The words name
    /// the first and the last.
    fn new(
        question: &Question,
        settings: impl Iterator<Item = Settings>,
        is_rising: bool,
        words: impl Fn(&Settings, &Settings) -> String,
    ) -> Self {
        let mut settings: Vec<_> =
            settings.filter(|it| question.with(it).check().is_ok()).collect();
        settings.dedup();
        let count = settings.len() as u64;
        let ends = settings.first().zip(settings.last());
        Self {
            words: ends.map(|(first, last)| words(first, last)).unwrap_or_default(),
            settings,
            good: if is_rising {
                BoundarySearch::of_rising(count)
            } else {
                BoundarySearch::of_any(count)
            },
            answered: 0,
            clients: None,
            is_known: true,
        }
    }

    pub(in crate::check) fn asked(&self, question: &Question) -> Option<Question> {
        let settings = self.settings.get(self.good.asked()? as usize)?;
        let mut questions = question.with(settings).questions().into_iter();
        questions.nth(self.answered)
    }

    pub(in crate::check) fn note(&mut self, search: &Search, question: &Question) {
        let (verdict, _) = search.judged();
        self.is_known &= verdict != Verdict::NotFinished;
        let is_good = verdict == Verdict::Safe;
        self.answered += 1;
        if is_good && self.asked(question).is_some() {
            return;
        }
        self.answered = 0;
        if is_good {
            // The last question about settings is that about the property.
            self.clients = Some(search.clients());
        }
        self.good.note(is_good);
    }

    /// The nearest settings of use, and for how many clients.
    pub(in crate::check) fn found(&self) -> Option<(Settings, ClientCount)> {
        let found = self.good.found()?;
        self.settings.get(found as usize).cloned().zip(self.clients)
    }
}

impl Question {
    /// A longer TTL, a shorter retry interval, the safe runner: nearest first, and only what
    /// makes sense. The Cloud Controller's timing is its own.
    pub(in crate::check) fn ways(&self) -> Vec<Way> {
        let own = self.settings();
        let (ttl, retry_interval, grid) =
            (own.ttl.as_ms() / 1000, own.retry_interval.as_ms(), self.step().as_ms());
        let ttls = || (ttl + 1..=ttl * TTL_FACTOR_MAX).map(Duration::from_seconds);
        let shorter = (1..retry_interval.div_ceil(grid)).map(|steps| retry_interval - steps * grid);
        let shorter =
            shorter.map(|ms| Settings { retry_interval: Duration::from_ms(ms), ..own.clone() });
        let safe = |ttl, retry_interval| Settings { runner: RunnerKind::Safe, ttl, retry_interval };
        let in_proportion = |ttl: Duration| {
            let most = ttl.as_ms() / RETRIES_IN_A_TTL;
            let on_grid = most - most % grid;
            safe(ttl, Duration::from_ms(on_grid))
        };
        let safes = [safe(own.ttl, own.retry_interval), in_proportion(own.ttl)];
        let safes = safes.into_iter().chain(ttls().map(in_proportion));
        let longer = ttls().map(|ttl| Settings { ttl, ..own.clone() });
        vec![
            Way::new(self, longer, self.is_safer_with_longer_ttl(), |first, last| {
                let (first, last) = (Seconds(first.ttl), Seconds(last.ttl));
                format!("TTLs from {first} to {last}; longer ones were not tried")
            }),
            Way::new(self, shorter, false, |_, last| {
                let (least, step) = (Seconds(last.retry_interval), Seconds(self.step()));
                format!(
                    "shorter retry intervals, down to {least} in steps of {step}; others were not tried"
                )
            }),
            Way::new(self, safes, false, |_, last| {
                let last = Seconds(last.ttl);
                format!(
                    "the safe runner with TTLs up to {last} and a third of each as retry interval; \
                     longer ones were not tried"
                )
            }),
        ]
    }

    /// True if safe settings are known to stay safe with a longer TTL, so that not every one
    /// has to be tried.
    ///
    /// Upstream's runners time their attempts without regard to the TTL, and start at any time. So
    /// if two of them, A and then B, are ever owners at the same time, they can be with a shorter
    /// TTL too. Let A start with the attempt that got it the lock, and B with its first attempt
    /// that Locket granted after that. Each message takes as long as before. B's answer comes at
    /// once, or as soon as A knows that it is an owner, up to the longest delay.
    ///
    /// Locket granted B the lock when A's row had expired, and a shorter-lived row has expired by
    /// then, too. Until then A was alone and was never refused. So both are owners, with no more
    /// faults than before. This argument does not cover runners that count their lease, other
    /// properties, or faults that delete rows early.
    fn is_safer_with_longer_ttl(&self) -> bool {
        let own = &self.bounds.faults;
        let mut plain = Bounds { latency: self.bounds.latency, ..Bounds::default() };
        for fault in [Fault::LostMessage, Fault::Pause] {
            plain.faults[fault] = own[fault];
        }
        let is_plain = |client: &ClientQuestion| {
            *client == ClientQuestion::new(RunnerKind::Upstream, client.ttl, client.retry_interval)
        };
        let allow = Duration::ZERO;
        self.property == Property::OneOwner { allow }
            && self.bounds == plain
            && self.is_symmetric()
            && self.clients.iter().all(is_plain)
    }

    fn settings(&self) -> Settings {
        let ClientQuestion { runner, ttl, retry_interval, .. } = self.clients[0].clone();
        Settings { runner, ttl, retry_interval }
    }

    pub(in crate::check) fn with(&self, settings: &Settings) -> Self {
        let mut question = self.clone();
        for client in &mut question.clients {
            (client.runner, client.ttl, client.retry_interval) =
                (settings.runner.clone(), settings.ttl, settings.retry_interval);
        }
        question
    }

    pub(in crate::check) fn alternative(&self, clients: ClientCount) -> Alternative {
        let Settings { runner, ttl, retry_interval } = self.settings();
        Alternative { runner, ttl, retry_interval, clients, cost: self.cost(true) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::question::tests::question;

    #[test]
    fn the_words_name_the_settings_that_are_tried_and_no_others() {
        let first_words = |ttl: u64| {
            let mut question = question(500_000);
            for client in &mut question.clients {
                client.ttl = Duration::from_seconds(ttl);
            }
            let way = question.ways().swap_remove(0);
            (way.settings.len(), way.words)
        };
        let (count, words) = first_words(15);
        assert_eq!(count, 45);
        assert!(words.starts_with("TTLs from 16 s to 60 s; "), "{words}");
        // A question takes no time beyond an hour, so no such TTL is tried.
        let (count, words) = first_words(1_000);
        assert_eq!(count, 2_600);
        assert!(words.starts_with("TTLs from 1,001 s to 3,600 s; "), "{words}");
        assert_eq!(first_words(3_600), (0, String::new()));
    }
}
