//! The test of the theorem behind a proof for any number of clients. It takes the states of searches
//! of two and three clients. As one of the clients can notice it, each of them has to be a state of
//! the search of that client among any number of others.
//!
//! A failure prints its case. `SEED=7 CASES=500 cargo test -p locket-sim projection` tries others, or
//! more of them; `CASE=12` only that one.

#![allow(clippy::print_stdout, reason = "a seed is printed to be tried again")]

mod alone;
mod bug;
mod by_rows;
mod random;
mod seen;

use std::collections::{BTreeSet, VecDeque};

use super::state::State;
use super::storage::WrongWrite;
use super::{Explorer, Reductions};
use crate::check::question::local::{Follows, Local};
use crate::check::question::{ClientQuestion, Question};
use alone::{Alone, is_broken_at_once};
use bug::Bug;
use random::{Random, number};
use seen::{AnyOf, Rest};

const CASES: u64 = 40;
/// In how many questions a bug is looked for.
const BUG_CASES: u64 = 4_000;
/// How many states of all clients are looked at.
const STATES_MAX: usize = 4_000;
/// Walks to states that are further away, and their length.
const WALKS: usize = 30;
const STEPS_MAX: usize = 200;

/// A state with the last owner of the row.
type WithOwner = (State, Option<u8>);

/// A question of all clients, and each of them alone.
struct Case {
    all: Explorer,
    /// For each way to follow Locket and each client.
    alone: Vec<Vec<usize>>,
    explorers: Vec<Alone>,
    any: AnyOf,
}

impl Case {
    /// `None` if a client alone has too many states.
    fn new(question: &Question, any: AnyOf, bug: Option<Bug>) -> Option<Self> {
        let grid = Some(question.grid());
        let question = Question { grid, ..question.clone() };
        let mut known: Vec<(Question, Local)> = Vec::new();
        let mut case = Self {
            alone: Vec::new(),
            explorers: Vec::new(),
            any,
            all: Explorer::new(question.clone(), Reductions::NONE),
        };
        case.all.back_ends = case.all.back_ends.with_ages();
        for locals in question.with_any(any).locals() {
            let mut alone = Vec::new();
            for (index, client) in question.clients.iter().enumerate() {
                let prefers = match (bug, locals[0].1.locket) {
                    (Some(Bug::OneProcess), _) | (_, Follows::Rows) => 0,
                    _ => (index % question.processes) as u8,
                };
                let mut locals = locals.iter();
                // By rows it does not matter how a client connects.
                let is_it = |it: &ClientQuestion| {
                    ClientQuestion { connection: client.connection, ..it.clone() } == *client
                };
                let local =
                    locals.find(|(it, local)| is_it(&it.clients[0]) && local.prefers == prefers);
                let (local_question, local) = local.expect("each client is asked alone");
                let asked = (Question { grid, ..local_question.clone() }, *local);
                let place = known.iter().position(|it| *it == asked);
                if place.is_none() {
                    case.explorers.push(Alone::new(
                        Explorer::local(asked.0.clone(), asked.1),
                        any,
                        bug,
                    )?);
                    known.push(asked.clone());
                }
                alone.push(place.unwrap_or(known.len() - 1));
            }
            case.alone.push(alone);
        }
        Some(case)
    }

    /// The first client that notices what it cannot notice alone.
    fn check(&self, (state, last): &WithOwner) -> Result<(), String> {
        for alone in &self.alone {
            // Of two owners, one is not the last.
            let mut is_counted = false;
            for (client, &explorer) in alone.iter().enumerate() {
                let client = client as u8;
                let another = self.another_was_last(client, *last);
                let alone = &self.explorers[explorer];
                let (seen, full) =
                    self.all.seen_by(state, client, another, (self.any, alone.locket));
                let rests = alone.seen.get(&seen);
                let processes = self.all.question.processes as u8;
                let covers = |it: &&Rest| it.covers(&full, processes, self.any);
                let covering = rests.into_iter().flatten().filter(covers);
                let covering: Vec<&Rest> = covering.collect();
                if covering.is_empty() {
                    let near: Vec<_> = rests.into_iter().flatten().collect();
                    return Err(format!("client {client}: {seen:?}\nneeds {full:?}\nhas {near:?}"));
                }
                let watch = covering.iter().map(|it| it.watch).max().unwrap_or_default();
                if self.all.shape().watches > 1 && full.watch.min(alone.horizon) > watch {
                    return Err(format!("client {client}: {}, alone {watch}", full.watch));
                }
                is_counted |= watch > 0;
            }
            if self.all.shape().watches == 1 && state.watches[0] > 0 && !is_counted {
                return Err(format!("two owners for {}", state.watches[0]));
            }
        }
        Ok(())
    }

    /// True if another client than this was the last owner, where that is asked.
    fn another_was_last(&self, client: u8, last: Option<u8>) -> bool {
        last.is_some_and(|last| last != client) && self.all.question.property.asks_for_last_owner()
    }

    /// An event that breaks the property at once is of a client that breaks it alone: it changes it, or
    /// a write of its is wrong.
    fn check_broken(
        &self,
        (state, last): &WithOwner,
        (after, wrong): &(State, Option<WrongWrite>),
    ) -> Result<(), String> {
        let is_broken = |(client, explorer): (usize, usize)| {
            let alone = &self.explorers[explorer];
            let is_changed = || state.clients[client] != after.clients[client];
            let another = self.another_was_last(client as u8, *last);
            let with = (self.any, alone.locket);
            let (seen, _) = self.all.seen_by(state, client as u8, another, with);
            wrong.map_or_else(is_changed, |it| usize::from(it.client) == client)
                && alone.broken.contains(&seen)
        };
        let mut ways = self.alone.iter();
        match ways.all(|way| way.iter().copied().enumerate().any(is_broken)) {
            true => Ok(()),
            false => Err(format!("no client breaks it alone: {state:?}")),
        }
    }

    fn start(&self) -> WithOwner {
        (State::start(), None)
    }

    /// The next states, with the last owner.
    fn next(&mut self, before: &WithOwner) -> Result<Vec<WithOwner>, String> {
        let (mut all, mut broken) = (Vec::new(), Vec::new());
        let next = self.all.next(&before.0, None, |explorer, after, outcome| {
            if is_broken_at_once(outcome) {
                broken.push((after.clone(), outcome.wrong_write));
            }
            let last = explorer.owner(&after).or(before.1);
            all.push((after, last));
        });
        next.expect("the question is small");
        let checks = broken.iter().map(|after| self.check_broken(before, after));
        checks.collect::<Result<(), _>>()?;
        Ok(all)
    }

    /// Looks at the first states in the order of steps, and at those of some walks.
    fn run(&mut self, random: &mut Random, states_max: usize) -> Result<usize, String> {
        let mut known = BTreeSet::new();
        let mut to_do = VecDeque::from([self.start()]);
        while let Some(node) = to_do.pop_front() {
            self.check(&node)?;
            for after in self.next(&node)? {
                if known.len() < states_max && known.insert((self.all.words(&after.0), after.1)) {
                    to_do.push_back(after);
                }
            }
        }
        for _ in 0..WALKS {
            let mut node = self.start();
            for _ in 0..STEPS_MAX {
                let mut next = self.next(&node)?;
                if next.is_empty() {
                    break;
                }
                let one = random.below(next.len() as u64) as usize;
                node = next.swap_remove(one);
                self.check(&node)?;
            }
        }
        Ok(known.len() + WALKS * STEPS_MAX)
    }
}

#[test]
fn every_state_of_several_clients_is_for_each_of_them_one_among_any_number_of_others() {
    let seed = number("SEED").unwrap_or(1);
    let cases = match number("CASE") {
        Some(case) => case..case + 1,
        None => 0..number("CASES").unwrap_or(CASES),
    };
    println!("SEED={seed}");
    let (mut states, mut left_out) = (0, 0);
    let mut errors = Vec::new();
    for case in cases {
        let mut random = Random::of(seed, case);
        let question = random.question();
        let any = random.any_of(&question);
        let Some(mut asked) = Case::new(&question, any, None) else {
            left_out += 1;
            continue;
        };
        match asked.run(&mut random, STATES_MAX) {
            Ok(looked_at) => states += looked_at,
            Err(error) => {
                let question = question.with_any(any);
                errors.push(format!("case {case}: {error}\n{question:?}"));
            }
        }
    }
    eprintln!("{states} states, {left_out} questions with too many");
    let shown = &errors[..errors.len().min(3)];
    assert!(errors.is_empty(), "SEED={seed}: {} errors\n{}", errors.len(), shown.join("\n\n"));
    assert!(states > 0);
}

/// A process crashes after a call of its client was executed. Another client asks the other process as
/// the database crashes, which keeps the first one down.
#[test]
fn a_process_that_the_database_keeps_from_starting_is_down_for_a_client_alone_too() {
    let question = r#"{ "profile": "documented", "runner": "safe", "margin": "1s", "ttl": "7s", "retryInterval": "3s",
        "processes": 2, "latency": "0s", "faults": { "locketCrash": { "length": "1s", "count": 1 }, "databaseCrash": { "length": "2s", "count": 1 } }, "property": { "is": "one-owner" } }"#;
    let question = Question::from_json(question).expect("it makes sense");
    let case = Case::new(&question, 0, None);
    let mut case = case.expect("it is small");
    let looked_at = case.run(&mut Random::of(1, 1), 40_000);
    assert!(looked_at.is_ok(), "{looked_at:?}");
}

#[test]
fn each_bug_in_the_world_of_one_client_is_found() {
    for (bug, likely) in Bug::ALL {
        let found = (likely..BUG_CASES).chain(0..likely).find(|&number| {
            let mut random = Random::of(1, number);
            let question = random.question();
            let any = random.any_of(&question);
            let case =
                bug.may_show(&question.with_any(any)).then(|| Case::new(&question, any, Some(bug)));
            let case = case.flatten();
            case.is_some_and(|mut it| it.run(&mut random, STATES_MAX).is_err())
        });
        assert!(found.is_some(), "{bug:?}");
        eprintln!("{bug:?}: {found:?}");
    }
}
