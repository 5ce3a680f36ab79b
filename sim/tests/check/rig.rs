//! Questions that the tests share.

use locket_sim::check::{
    Bounds, ClientQuestion, Fault, Property, Question, Reductions, Search, Verdict,
};
use locket_sim::scenario::RunnerKind;
use locket_sim::time::Duration;

pub(crate) const STATES_MAX: usize = 5_000_000;

pub(crate) const fn s(seconds: u64) -> Duration {
    Duration::from_seconds(seconds)
}

/// Two runners of one kind, one Locket process.
pub(crate) fn two(runner: RunnerKind, ttl: u64, retry_interval: u64, bounds: Bounds) -> Question {
    let client = ClientQuestion::new(runner, s(ttl), s(retry_interval));
    Question {
        bounds,
        profile: locket_sim::protocol::profile::Profile::UPSTREAM,
        ..Question::one_owner(client)
    }
}

pub(crate) fn upstream(ttl: u64, retry_interval: u64, bounds: Bounds) -> Question {
    two(RunnerKind::Upstream, ttl, retry_interval, bounds)
}

/// The first attempt has a deadline, as all others.
pub(crate) fn with_first_deadline(mut question: Question) -> Question {
    for client in &mut question.clients {
        client.first_attempt_deadline = true;
    }
    question
}

pub(crate) fn tolerating(mut question: Question, seconds: u64) -> Question {
    question.property = Property::OneOwner { allow: s(seconds) };
    question
}

pub(crate) fn delays(seconds: u64) -> Bounds {
    Bounds { latency: s(seconds), ..Bounds::default() }
}

/// Messages take up to `delay` seconds, and one runner is paused once for up to `pause`.
pub(crate) fn one_pause(latency: u64, pause: u64) -> Bounds {
    delays(latency).with_length(Fault::Pause, u8::from(pause > 0), s(pause))
}

pub(crate) fn search_with(question: Question, reductions: Reductions) -> Search {
    let mut search =
        Search::new(question, reductions, STATES_MAX).expect("the question makes sense");
    search.run(u64::MAX);
    search
}

pub(crate) fn verdict(question: Question) -> Verdict {
    search_with(question, Reductions::default()).verdict()
}

/// How many rows of a generated page are as they are made now. A row ends with its number of states;
/// those with as many as `states_max` are left out.
pub(crate) fn up_to_date<Row>(
    page: &str,
    rows: &[Row],
    states_max: usize,
    start: impl Fn(&Row) -> String,
    made: impl Fn(&Row) -> String,
) -> usize {
    let is_made = |row: &&Row| {
        let start = start(row);
        let line = page.lines().find(|line| line.starts_with(&start));
        let line = line.unwrap_or_else(|| panic!("the page has no row {start}"));
        let states = line.trim_end_matches(" |").rsplit(' ').next();
        let states: Option<usize> = states.and_then(|it| it.parse().ok());
        let is_small = states.expect("a number of states") < states_max;
        if is_small {
            assert_eq!(made(row), line);
        }
        is_small
    };
    rows.iter().filter(is_made).count()
}
