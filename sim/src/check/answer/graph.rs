//! The states of a small question as a graph, in the language of Graphviz, for people who want to
//! see how one leads to the other.

use std::fmt::Write as _;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::check::explorer::moves::Fates;
use crate::check::explorer::state::State;
use crate::check::explorer::{Explorer, Reductions};
use crate::check::question::limits::NAMES;
use crate::check::question::visible::VisibleState;
use crate::check::question::{Question, QuestionError};
use crate::check::search::coverage::words_of;
use crate::check::steps::interned::NoStep;

/// A larger graph cannot be read.
pub const GRAPH_STATES_MAX: usize = 2_000;

impl Question {
    /// Its states and what leads from one to the other, as a graph in DOT. Red is where the
    /// property is broken; mirror images of equal clients are one state.
    ///
    /// # Errors
    ///
    /// If the question makes no sense, or has more than `states_max` states or
    /// [`GRAPH_STATES_MAX`].
    pub fn graph(&self, states_max: usize) -> Result<String, QuestionError> {
        self.check()?;
        let mut drawing = Drawing {
            explorer: Explorer::new(self.clone(), Reductions::default()),
            numbers: HashMap::default(),
            states: Vec::new(),
            states_max: states_max.min(GRAPH_STATES_MAX),
            is_broken: false,
            dot: String::from("digraph states {\n  node [shape=box fontname=\"sans-serif\"];\n"),
        };
        drawing.number(&State::start())?;
        let mut next = 0;
        while let Some(state) = drawing.states.get(next).cloned() {
            drawing.follow(next, &state)?;
            next += 1;
        }
        if drawing.is_broken {
            let broken = "  broken [label=\"the property is broken\" color=red fontcolor=red];\n";
            drawing.dot.push_str(broken);
        }
        drawing.dot.push_str("}\n");
        Ok(drawing.dot)
    }
}

struct Drawing {
    explorer: Explorer,
    /// By the words of the state.
    numbers: HashMap<Vec<u16>, usize, FxBuildHasher>,
    states: Vec<State>,
    states_max: usize,
    is_broken: bool,
    dot: String,
}

impl Drawing {
    /// The number of a state, which is drawn if it is new.
    fn number(&mut self, state: &State) -> Result<usize, QuestionError> {
        let (mut words, mut spare) = (Vec::new(), Vec::new());
        self.explorer.encode(state, &mut words, &mut spare);
        if let Some(&number) = self.numbers.get(&words) {
            return Ok(number);
        }
        let number = self.states.len();
        if number == self.states_max {
            let message = format!("has more than {number} states, which is too much for a graph");
            return Err(QuestionError::new("", &message));
        }
        self.numbers.insert(words, number);
        self.states.push(state.clone());
        let label = label(self.explorer.view(state));
        let _ = writeln!(self.dot, "  {number} [label=\"{label}\"];");
        Ok(number)
    }

    fn follow(&mut self, from: usize, state: &State) -> Result<(), QuestionError> {
        let too_many = |NoStep| QuestionError::new("", "has too many states for a graph");
        let mut moves = Vec::new();
        self.explorer.choices(state, &mut moves);
        let left = self.explorer.fates_left(state);
        for what in moves {
            let mut fates = vec![Fates::default()];
            let mut at = 0;
            while at < fates.len() {
                let mut after = state.clone();
                let outcome = self.explorer.apply(&mut after, what, fates[at]);
                let outcome = outcome.map_err(too_many)?;
                if at == 0 {
                    fates.extend(Fates::others(outcome.sent, left));
                }
                let words = words_of(what, fates[at]);
                if outcome.violated {
                    self.is_broken = true;
                    let _ = writeln!(
                        self.dot,
                        "  {from} -> broken [label=\"{words}\" color=red];"
                    );
                } else if !self.explorer.is_dead(&after) {
                    let to = self.number(&after)?;
                    let _ = writeln!(self.dot, "  {from} -> {to} [label=\"{words}\"];");
                }
                at += 1;
            }
        }
        Ok(())
    }
}

/// The clients that believe they hold the lock, and the owner of the row.
fn label(state: VisibleState) -> String {
    let believers: Vec<&str> = (0_u8..)
        .zip(NAMES)
        .filter(|(client, _)| state.believes(*client))
        .map(|(_, name)| name)
        .collect();
    let owners = match believers.as_slice() {
        [] => "no owner".to_owned(),
        [one] => format!("{one} owns"),
        several => format!("{} own", several.join(" and ")),
    };
    match state.owner {
        Some(owner) => format!("{owners}\\nrow of {}", NAMES[usize::from(owner)]),
        None => format!("{owners}\\nno row"),
    }
}
