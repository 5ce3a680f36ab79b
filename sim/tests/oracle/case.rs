//! One question, asked of both sides.

use locket_sim::check::{Fault, Question, Reductions, Search, Verdict};
use locket_sim::node::ConnectionKind;

use super::model::Rules;
use super::question::{rules, travels};
use super::random::Random;
use super::sample;
use super::search::{Found, search};
use super::tell::tell;

/// The most states that the checker keeps.
const CHECKER_STATES_MAX: usize = 4_000_000;

/// A question.
pub(crate) struct Case {
    pub(crate) text: String,
    pub(crate) question: Question,
    /// The oracle's rules for it.
    pub(crate) rules: Rules,
    /// How many milliseconds the oracle's unit has.
    unit_ms: u64,
}

impl Case {
    /// The oracle's processes poll where that may find something new, or `always`. The checker
    /// leaves the other polls out.
    pub(crate) fn new(text: &str, polls_always: bool) -> Self {
        let mut question = Question::from_json(text).unwrap_or_else(|it| panic!("{it}: {text}"));
        let bounds = &question.bounds;
        let of_locket = [
            bounds.faults[Fault::LocketCrash].count,
            bounds.faults[Fault::LocketDrain].count,
            bounds.faults[Fault::LostReply].count,
            bounds.faults[Fault::Failover].count,
            bounds.faults[Fault::RowDeletion].count,
        ];
        let polls_matter = travels(&question)
            || question.processes > 1
            || of_locket.iter().any(|&count| count > 0);
        question.grid = None;
        // The oracle knows no back-off.
        let clients = question.clients.iter_mut();
        clients.for_each(|it| it.connection = Some(ConnectionKind::Fetch));
        let (rules, unit_ms) = rules(&question, polls_matter || polls_always);
        Self { text: text.to_owned(), question, rules, unit_ms }
    }

    /// A random one.
    pub(crate) fn random(seed: u64, number: u64) -> Self {
        let mut random = Random::of(seed, number);
        let text = sample::question(&mut random);
        Self::new(&text, random.in_a_hundred(10))
    }

    /// The answer of the oracle; `None` if the question is too large.
    pub(crate) fn oracle(&self, states_max: u64) -> Option<Found> {
        search(&self.rules, states_max)
    }

    /// The answer of the checker after a whole search; `None` if the question is too large. To
    /// measure for how long a property is broken, it may need many more states than the oracle,
    /// which stops counting earlier.
    pub(crate) fn checker(&self) -> Option<Search> {
        let (question, all) = (self.question.clone(), Reductions::default());
        let search = Search::new(question, all, CHECKER_STATES_MAX);
        let mut search = search.expect("the question makes sense");
        search.run_to_longest(u64::MAX).then_some(search)
    }

    fn ms(&self, units: impl Into<u64>) -> u64 {
        self.unit_ms * units.into()
    }

    /// The differences between both.
    pub(crate) fn disagreement(&self, found: &Found, checker: &Search) -> Option<String> {
        let grid = self.question.exact_grid().as_ms();
        let first = found.first.as_ref().map(|it| it.cost);
        // The checker says it in steps of its grid, which need not divide what may last.
        let first = first.map(|(faults, time)| (faults, self.ms(time) / grid * grid));
        let ours = (checker.verdict() == Verdict::Unsafe).then(|| checker.reached());
        if first != ours {
            return Some(format!("first: oracle {first:?}, checker {ours:?}"));
        }
        let counted = |ms: u64| ms.min(self.ms(self.rules.counted));
        let oracle = first.map(|_| counted(self.ms(found.longest)));
        let checker = checker.longest().map(|it| counted(it.as_ms()));
        (oracle != checker).then(|| format!("longest: oracle {oracle:?}, checker {checker:?}"))
    }

    /// All that helps to see who is wrong.
    pub(crate) fn report(&self, found: &Found, checker: &Search) -> String {
        let tell = |moves: &[_]| tell(moves, &self.rules, self.unit_ms);
        let first = found.first.as_ref().map(|first| tell(&first.moves));
        let checker = match checker.answer() {
            Ok(answer) => answer.to_string(),
            Err(error) => error.to_string(),
        };
        format!(
            "QUESTION='{}'\noracle, {} states:\n{}longest, {} ms:\n{}checker:\n{checker}",
            self.text,
            found.states,
            first.unwrap_or_default(),
            self.ms(found.longest),
            tell(&found.way_to_longest),
        )
    }
}
