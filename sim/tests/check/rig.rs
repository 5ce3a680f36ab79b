//! Questions that the tests share, and their answers.

use locket_sim::check::{
    Answer, Bounds, ClientQuestion, Fault, Property, Question, Reductions, Search, Verdict,
};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::{RunnerKind, Scenario};
use locket_sim::time::Duration;

pub(crate) const STATES_MAX: usize = 5_000_000;

pub(crate) const ONE_OWNER: Property = Property::OneOwner { allow: s(0) };

pub(crate) const fn s(seconds: u64) -> Duration {
    Duration::from_seconds(seconds)
}

pub(crate) const fn ms(ms: u64) -> Duration {
    Duration::from_ms(ms)
}

/// Two runners of one kind, one Locket process.
pub(crate) fn two(runner: RunnerKind, ttl: u64, retry_interval: u64, bounds: Bounds) -> Question {
    let client = ClientQuestion::new(runner, s(ttl), s(retry_interval));
    Question { bounds, profile: Profile::UPSTREAM, ..Question::one_owner(client) }
}

pub(crate) fn upstream(ttl: u64, retry_interval: u64, bounds: Bounds) -> Question {
    two(RunnerKind::Upstream, ttl, retry_interval, bounds)
}

/// A question from its text.
pub(crate) fn read(text: &str) -> Question {
    Question::from_json(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Questions that differ from another.
pub(crate) trait Changed {
    fn about(self, property: Property) -> Self;
    /// As many clients as given, all like the first.
    fn with_clients(self, count: usize) -> Self;
    fn with_each(self, change: impl Fn(&mut ClientQuestion)) -> Self;
    /// The first attempt has a deadline, as all others.
    fn with_first_deadline(self) -> Self;
}

impl Changed for Question {
    fn about(self, property: Property) -> Self {
        Self { property, ..self }
    }

    fn with_clients(mut self, count: usize) -> Self {
        self.clients = vec![self.clients[0].clone(); count];
        self
    }

    fn with_each(mut self, change: impl Fn(&mut ClientQuestion)) -> Self {
        self.clients.iter_mut().for_each(change);
        self
    }

    fn with_first_deadline(self) -> Self {
        self.with_each(|it| it.first_attempt_deadline = true)
    }
}

pub(crate) fn delays(seconds: u64) -> Bounds {
    Bounds { latency: s(seconds), ..Bounds::default() }
}

/// Messages take up to `delay` seconds, and one runner is paused once for up to `pause`.
pub(crate) fn one_pause(latency: u64, pause: u64) -> Bounds {
    delays(latency).with_length(Fault::Pause, u8::from(pause > 0), s(pause))
}

/// A search that goes on until all is known, or the states are too many.
pub(crate) fn search(question: Question, reductions: Reductions, states_max: usize) -> Search {
    let mut search =
        Search::new(question, reductions, states_max).expect("the question makes sense");
    search.run(u64::MAX);
    search
}

pub(crate) fn search_with(question: Question, reductions: Reductions) -> Search {
    search(question, reductions, STATES_MAX)
}

pub(crate) fn verdict(question: Question) -> Verdict {
    search_with(question, Reductions::default()).verdict()
}

pub(crate) fn assert_verdicts(expected: impl IntoIterator<Item = (Question, Verdict)>) {
    for (question, expected) in expected {
        assert_eq!(verdict(question.clone()), expected, "{question:?}");
    }
}

pub(crate) fn answer(question: Question) -> Answer {
    let search = search_with(question, Reductions::default());
    search.answer().unwrap_or_else(|error| panic!("{error}: {:?}", search.question()))
}

pub(crate) fn search_to_longest(question: Question) -> Search {
    let mut search = search_with(question, Reductions::default());
    assert!(search.run_to_longest(u64::MAX), "{:?}", search.question());
    search
}

/// The answer with the longest violation. What it shows is played as a scenario, in which nothing fails.
pub(crate) fn played(question: Question) -> Answer {
    let mut search = search_with(question, Reductions::default());
    search.run_to_longest(u64::MAX);
    let answer = search.answer();
    let answer = answer.unwrap_or_else(|error| panic!("{error}: {:?}", search.question()));
    let shown = answer.counterexample.iter().map(|(first, _)| first).chain(&answer.longest);
    for it in shown {
        let run = Scenario::from_json(&it.scenario).map(|it| it.run());
        assert_eq!(run.expect("it is a scenario").failures, [""; 0], "{}", it.scenario);
    }
    answer
}
