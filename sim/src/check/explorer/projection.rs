//! The test of the theorem behind a proof for any number of clients. It takes the states of searches
//! of two and three clients. As one of the clients can notice it, each of them has to be a state of
//! the search of that client among any number of others.
//!
//! A failure prints its case. `SEED=7 CASES=500 cargo test -p locket-sim projection` tries others, or
//! more of them; `CASE=12` only that one.

#![allow(clippy::print_stdout, reason = "a seed is printed to be tried again")]

use std::collections::{BTreeSet, VecDeque};

use hashbrown::{HashMap, HashSet};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;
use rustc_hash::FxBuildHasher;

use super::condition::{Condition, Lasting};
use super::moves::{Fates, Move};
use super::state::{Body, Message, State};
use super::{Explorer, Reductions};
use crate::check::question::Question;
use crate::check::question::count::Count;
use crate::check::question::faults::{FAULTS, Fault};
use crate::check::question::local::Local;
use crate::check::steps::back_end::Timers;
use crate::check::steps::interned::NoStep;
use crate::environment::happening::{Due, Happening, Node, Others};
use crate::node::canonical::CanonicalClient;

const CASES: u64 = 40;
/// How many states of all clients are looked at, and how many a search of one client may have.
const STATES_MAX: usize = 4_000;
const LOCAL_STATES_MAX: usize = 60_000;
/// Walks to states that are further away, and their length.
const WALKS: usize = 30;
const STEPS_MAX: usize = 200;

type Map<K, V> = HashMap<K, V, FxBuildHasher>;
type Set<T> = HashSet<T, FxBuildHasher>;

/// A state with the last owner of each key.
type WithOwners = (State, Vec<Option<u8>>);

/// The part of a state that a client can notice. The rest of it is compared by [`Rest::covers`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Seen {
    client: CanonicalClient,
    /// Without whether the database answers, which is a [condition](Rest).
    locket: Vec<u64>,
    messages: Vec<String>,
    another_was_last: bool,
}

/// The faults that a client among others meets any number of times, a bit for each.
type AnyOf = u32;

/// The parts in which a state of one client may have more room: less was used up, and less of what
/// lasts has passed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Rest {
    used: [u8; FAULTS],
    lasting: Vec<(Condition, u16)>,
    watch: u16,
    /// Whether the client has to do something before it may be paused, if it may be paused again.
    has_woken: bool,
    may_be_paused: bool,
}

impl Rest {
    /// Whether this one of a search of one client can do all that one of all clients can.
    fn covers(&self, full: &Self, processes: u8, any: AnyOf) -> bool {
        let has_less = (self.used.iter().zip(&full.used)).all(|(one, all)| one <= all);
        let turns = [self, full].map(|it| it.used[Fault::LocketDrain as usize]);
        let turns = match any >> Fault::LocketDrain as u32 & 1 {
            0 => turns,
            _ => turns.map(|it| it % processes),
        };
        let may_pause = !self.has_woken || full.has_woken || !full.may_be_paused;
        let is_in_time = self.lasting.iter().all(|(what, age)| {
            let mut all = full.lasting.iter();
            matches!(what, Condition::Drains(_)) || all.any(|it| it.0 == *what && age <= &it.1)
        });
        let has_all = full.lasting.iter().all(|(what, _)| {
            let has_no_effect_yet = match what {
                Condition::Cut { .. }
                | Condition::Down(Node::Database)
                | Condition::Paused(Node::Locket(_))
                | Condition::Stalled => true,
                Condition::Down(_)
                | Condition::Drains(_)
                | Condition::Paused(_)
                | Condition::Suspended(_) => false,
            };
            has_no_effect_yet || self.lasting.iter().any(|it| it.0 == *what)
        });
        has_less && turns[0] == turns[1] && may_pause && is_in_time && has_all
    }
}

impl Explorer {
    fn seen_by(
        &self,
        state: &State,
        client: u8,
        another_was_last: bool,
        (any, timers): (AnyOf, Timers),
    ) -> (Seen, Rest) {
        let index = usize::from(client);
        let ends = [Fault::LocketCrash, Fault::LocketDrain];
        let forgets_lives = ends.into_iter().any(|it| any >> it as u32 & 1 != 0);
        let lives = self.back_ends.lives(state.back_end);
        let is_loose = [Fault::Partition, Fault::LocketPause].map(|it| any >> it as u32 & 1 != 0);
        let is_loose = is_loose.contains(&true);
        // A late reply only shows that a connection is alive.
        let is_late = |it: &Message| {
            is_loose && !it.is_current && matches!(it.body, Body::Orphaned | Body::Reply(_))
        };
        let is_its = |it: &&Message| it.client == client && !is_late(it);
        let mut messages: Vec<String> = state
            .messages
            .iter()
            .filter(is_its)
            .map(|it| {
                let body = match it.body {
                    Body::Reply(number) => format!("{:?}", self.replies.get(number)),
                    body @ (Body::FailedLocally
                    | Body::Held(_)
                    | Body::Orphaned
                    | Body::Request(_)) => {
                        format!("{body:?}")
                    }
                };
                let flags = (it.is_current, it.is_second, it.keeps_alive);
                format!("{} {} {body} {flags:?} {}", it.member, it.process, it.age)
            })
            .collect();
        messages.sort_unstable();
        let of_client = |it: &&Lasting| it.what.client().is_none_or(|of| of == client);
        let lasting = state.lasting.iter().filter(of_client).map(|it| {
            let process = it.what.process().unwrap_or_default();
            (it.what.of(0, process), it.age)
        });
        let keys = Question {
            clients: vec![self.question.clients[index].clone()],
            ..self.question.clone()
        };
        let keys = keys.keys();
        let seen = Seen {
            client: self.clients_of_kind[self.kinds[index]].canonical(
                state.clients[index],
                forgets_lives.then_some(&lives[..]),
                is_loose,
            ),
            locket: self
                .back_ends
                .seen_by(state.back_end, client, &keys, forgets_lives, timers)
                .split_off(2),
            messages,
            another_was_last,
        };
        let rest = Rest {
            used: state.used,
            lasting: lasting.collect(),
            watch: state.watches[0],
            has_woken: state.has_woken(client),
            may_be_paused: self.left(state, Fault::Pause),
        };
        (seen, rest)
    }

    /// All that may follow, with time in the smallest steps.
    fn next(
        &mut self,
        state: &State,
        is_left_out: impl Fn(Move) -> bool,
        mut each: impl FnMut(&Self, State),
    ) -> Result<(), NoStep> {
        let mut moves = Vec::new();
        self.choices(state, &mut moves);
        moves.retain(|it| !matches!(it, Happening::Pass(_)) && !is_left_out(*it));
        if !self.is_forced(state) {
            moves.push(Move::Pass(self.grid));
        }
        let left = self.fates_left(state);
        for what in moves {
            let mut try_one = |fates: Fates| {
                let mut after = state.clone();
                let outcome = self.apply(&mut after, what, fates)?;
                after.messages.iter_mut().for_each(|it| it.name = 0);
                each(self, after);
                Ok(outcome.sent)
            };
            let sent = try_one(Fates::default())?;
            for fates in Fates::others(sent, left) {
                try_one(fates)?;
            }
        }
        Ok(())
    }

    fn words(&self, state: &State) -> Vec<u16> {
        let (mut words, mut spare) = (Vec::new(), Vec::new());
        self.encode(state, &mut words, &mut spare);
        words
    }
}

/// A bug in the world of one client, which the test has to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bug {
    /// Others never take a free row.
    NoTake,
    /// Rows of others never go.
    NoDrop,
    /// No process deletes the row of the client.
    NoExpiry,
    /// Others never renew, which a failover shows.
    NoRenewal,
    /// A process drains for ever, or as long as the client has calls.
    NoEndOfCalls,
    /// Each client prefers the first process.
    OneProcess,
}

impl Bug {
    const ALL: [Self; 6] = [
        Self::NoTake,
        Self::NoDrop,
        Self::NoExpiry,
        Self::NoRenewal,
        Self::NoEndOfCalls,
        Self::OneProcess,
    ];

    const fn leaves_out(self, what: Move) -> bool {
        let Move::Due(Due::Others(what)) = what else {
            return false;
        };
        match self {
            Self::NoTake => matches!(what, Others::Take { .. }),
            Self::NoDrop => matches!(what, Others::Drop { .. }),
            Self::NoExpiry => matches!(what, Others::Expire { .. }),
            Self::NoRenewal => matches!(what, Others::Renew { .. }),
            Self::NoEndOfCalls => matches!(what, Others::EndCalls { .. }),
            Self::OneProcess => false,
        }
    }
}

/// All states of one client among others.
struct Alone {
    seen: Map<Seen, Set<Rest>>,
    horizon: u16,
    timers: Timers,
}

impl Alone {
    fn new(mut explorer: Explorer, any: AnyOf, bug: Option<Bug>) -> Option<Self> {
        let mut seen: Map<Seen, Set<Rest>> = Map::default();
        let timers = match explorer.local {
            Some(local) if local.any_timers => Timers::AnyProcess,
            _ => Timers::Each,
        };
        let mut known = Set::from_iter([explorer.words(&State::start())]);
        let mut to_do = VecDeque::from([State::start()]);
        while let Some(state) = to_do.pop_front() {
            let (what, rest) = explorer.seen_by(&state, 0, state.had_owner, (any, timers));
            seen.entry(what).or_default().insert(rest);
            let is_left_out = |what: Move| bug.is_some_and(|it| it.leaves_out(what));
            let all = explorer.next(&state, is_left_out, |explorer, after| {
                if known.insert(explorer.words(&after)) {
                    to_do.push_back(after);
                }
            });
            all.ok()?;
            if known.len() > LOCAL_STATES_MAX {
                return None;
            }
        }
        let horizon = explorer.horizon;
        Some(Self {
            seen,
            horizon,
            timers,
        })
    }
}

/// A question of all clients, and each of them alone.
struct Case {
    all: Explorer,
    /// For each key and client.
    alone: Vec<Vec<usize>>,
    explorers: Vec<Alone>,
    /// The number of each key in the question of a client.
    keys: Vec<Vec<u8>>,
    any: AnyOf,
}

impl Case {
    /// `None` if a client alone has too many states.
    fn new(question: &Question, any: AnyOf, bug: Option<Bug>) -> Option<Self> {
        let grid = Some(question.grid());
        let question = Question {
            grid,
            ..question.clone()
        };
        let mut known: Vec<(Question, Local)> = Vec::new();
        let mut case = Self {
            alone: Vec::new(),
            explorers: Vec::new(),
            keys: Vec::new(),
            any,
            all: Explorer::new(question.clone(), Reductions::NONE),
        };
        case.all.back_ends = case.all.back_ends.with_ages();
        for of_key in question.with_any(any).locals() {
            let (local_question, local) = &of_key[0];
            let name = &local_question.keys()[usize::from(local.key)];
            let (mut alone, mut keys) = (Vec::new(), Vec::new());
            for (index, client) in question.clients.iter().enumerate() {
                let prefers = match bug {
                    Some(Bug::OneProcess) => 0,
                    _ => (index % question.processes) as u8,
                };
                let mut of_key = of_key.iter();
                let local =
                    of_key.find(|(it, local)| it.clients[0] == *client && local.prefers == prefers);
                let (local_question, local) = local.expect("each client is asked alone");
                let asked = (
                    Question {
                        grid,
                        ..local_question.clone()
                    },
                    *local,
                );
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
                let place = question.keys().iter().position(|it| it == name);
                keys.push(place.unwrap_or_default() as u8);
            }
            case.alone.push(alone);
            case.keys.push(keys);
        }
        Some(case)
    }

    /// The first client that notices what it cannot notice alone.
    fn check(&self, (state, last): &WithOwners) -> Result<(), String> {
        for (alone, keys) in self.alone.iter().zip(&self.keys) {
            let (mut watch, mut longest) = (0, u16::MAX);
            for (client, &explorer) in alone.iter().enumerate() {
                let client = client as u8;
                let key = usize::from(keys[usize::from(client)]);
                let another = last[key].is_some_and(|last| last != client);
                let alone = &self.explorers[explorer];
                let (seen, full) =
                    self.all
                        .seen_by(state, client, another, (self.any, alone.timers));
                let rests = alone.seen.get(&seen);
                let processes = self.all.question.processes as u8;
                let covers = |it: &&Rest| it.covers(&full, processes, self.any);
                let covering = rests.into_iter().flatten().filter(covers);
                let covering: Vec<&Rest> = covering.collect();
                if covering.is_empty() {
                    let near: Vec<_> = rests.into_iter().flatten().collect();
                    return Err(format!(
                        "client {client}, key {key}: {seen:?}\nneeds {full:?}\nhas {near:?}"
                    ));
                }
                watch = watch.max(covering.iter().map(|it| it.watch).max().unwrap_or_default());
                longest = longest.min(alone.horizon);
            }
            // The time of two owners is counted by one of them.
            if state.watches[0].min(longest) > watch {
                return Err(format!(
                    "two owners for {}, alone for {watch}",
                    state.watches[0]
                ));
            }
        }
        Ok(())
    }

    fn start(&self) -> WithOwners {
        (State::start(), vec![None; self.all.question.keys().len()])
    }

    /// The next states, with the last owners.
    fn next(&mut self, (state, last): &WithOwners) -> Vec<WithOwners> {
        let mut all = Vec::new();
        let next = self.all.next(
            state,
            |_| false,
            |explorer, after| {
                let owners = explorer.back_ends.owners(after.back_end);
                let last = owners.iter().zip(last).map(|(owner, last)| owner.or(*last));
                all.push((after, last.collect()));
            },
        );
        next.expect("the question is small");
        all
    }

    /// Looks at the first states in the order of steps, and at those of some walks.
    fn run(&mut self, random: &mut Random) -> Result<usize, String> {
        let mut known = BTreeSet::new();
        let mut to_do = VecDeque::from([self.start()]);
        while let Some(node) = to_do.pop_front() {
            self.check(&node)?;
            for after in self.next(&node) {
                if known.len() < STATES_MAX
                    && known.insert((self.all.words(&after.0), after.1.clone()))
                {
                    to_do.push_back(after);
                }
            }
        }
        for _ in 0..WALKS {
            let mut node = self.start();
            for _ in 0..STEPS_MAX {
                let mut next = self.next(&node);
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

struct Random(Pcg64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0.next_u64() % limit
    }

    fn one_of<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len() as u64) as usize]
    }

    /// A question with one or two kinds of faults, or none.
    fn question(&mut self) -> Question {
        let clients = self.one_of(&[2, 2, 3]);
        let joint = self.below(6) == 0;
        let clients: Vec<String> = (0..clients).map(|_| self.client(joint)).collect();
        let mut bounds = vec![format!(r#""latency": "{}s""#, self.below(3))];
        for _ in 0..self.below(3) {
            let fault = self.fault();
            let downtime = "locketDowntime";
            let is_double = |it: &String| it.contains(downtime) && fault.contains(downtime);
            if !bounds.iter().any(is_double) {
                bounds.push(fault);
            }
        }
        bounds.sort();
        bounds.dedup_by_key(|it| it.split(':').next().map(str::to_owned));
        let text = format!(
            r#"{{ "profile": "{}", "kind": "{}", {} "ttl": "{}s", "processes": {}, "clients": [{}], "bounds": {{ {} }},
                "property": {{ "is": "one-owner", "allow": "{}s" }} }}"#,
            self.one_of(&["upstream", "documented"]),
            if joint { "joint" } else { "lock" },
            if joint { r#""keys": ["x", "y"],"# } else { "" },
            3 + self.below(3),
            self.one_of(&[1, 1, 2]),
            clients.join(", "),
            bounds.join(", "),
            self.one_of(&[0, 0, 1, 2]),
        );
        Question::from_json(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// Some of its faults, to happen any number of times.
    fn any_of(&mut self, question: &Question) -> AnyOf {
        let faults = Fault::ALL.into_iter().filter(|it| {
            it.can_be_without_limit() && it.allowed(&question.bounds) > 0 && self.below(2) == 0
        });
        faults.fold(0, |any, it| any | 1 << it as u32)
    }

    fn client(&mut self, joint: bool) -> String {
        let keys = match joint && self.below(2) == 0 {
            true => r#", "keys": ["y", "x"]"#,
            false => "",
        };
        let runner = self.one_of(&["safe", "upstream", "upstream-before-2025-10"]);
        let margin = if runner == "safe" {
            r#", "margin": "1s""#
        } else {
            ""
        };
        let retry = 1 + self.below(2);
        format!(r#"{{ "runner": "{runner}", "retryInterval": "{retry}s"{margin}{keys} }}"#)
    }

    fn fault(&mut self) -> String {
        let count = 1 + u64::from(self.below(4) == 0);
        let long = 1 + self.below(4);
        let one = |name: &str| format!(r#""{name}": {count}"#);
        let lasting =
            |name: &str, length: &str| format!(r#""{name}": {count}, "{length}": "{long}s""#);
        match self.below(17) {
            0 => one("lostMessages"),
            1 => lasting("pauses", "pause"),
            2 => one("crashes"),
            3 => one("restarts"),
            4 => one("stops"),
            5 => lasting("locketCrashes", "locketDowntime"),
            6 => one("lostReplies"),
            7 => format!(r#""failovers": 1, "lostCommits": {count}"#),
            8 => one("duplicates"),
            9 => lasting("locketPauses", "locketPause"),
            10 => lasting("stalls", "stall"),
            11 => lasting("partitions", "partition"),
            12 => lasting("databaseCrashes", "databaseDowntime"),
            13 => lasting("locketDrains", "locketDowntime"),
            14 => one("disconnects"),
            15 => one("rowDeletions"),
            _ => r#""databaseLatency": "1s""#.to_owned(),
        }
    }
}

impl Question {
    /// The same with any number of some faults.
    fn with_any(&self, any: AnyOf) -> Self {
        let mut question = self.clone();
        let faults = Fault::ALL.into_iter();
        for fault in faults.filter(|it| any >> *it as u32 & 1 != 0) {
            *fault.count(&mut question.bounds) = Count::Any;
        }
        question
    }
}

/// The question, without what is usual.
fn brief(question: &Question) -> String {
    let text = format!("{question:?}");
    let parts = text
        .split(", ")
        .filter(|it| !it.ends_with(": 0") && !it.ends_with("Duration(0)") && !it.ends_with("None"));
    parts.collect::<Vec<_>>().join(", ")
}

fn from_environment(name: &str) -> Option<u64> {
    let value = std::env::var_os(name)?;
    let value = value.to_str().and_then(|value| value.parse().ok());
    Some(value.expect("SEED, CASES and CASE are numbers"))
}

#[test]
fn every_state_of_several_clients_is_for_each_of_them_one_among_any_number_of_others() {
    let seed = from_environment("SEED").unwrap_or(1);
    let cases = match from_environment("CASE") {
        Some(case) => case..case + 1,
        None => 0..from_environment("CASES").unwrap_or(CASES),
    };
    println!("SEED={seed}");
    let (mut states, mut left_out) = (0, 0);
    let mut errors = Vec::new();
    for number in cases {
        let mut random = Random(Pcg64::new(seed.into(), number.into()));
        let question = random.question();
        let any = random.any_of(&question);
        let Some(mut case) = Case::new(&question, any, None) else {
            left_out += 1;
            continue;
        };
        match case.run(&mut random) {
            Ok(looked_at) => states += looked_at,
            Err(error) => {
                let question = brief(&question.with_any(any));
                errors.push(format!("case {number}: {error}\n{question}"));
            }
        }
    }
    eprintln!("{states} states, {left_out} questions with too many");
    let shown = &errors[..errors.len().min(3)];
    assert!(
        errors.is_empty(),
        "SEED={seed}: {} errors\n{}",
        errors.len(),
        shown.join("\n\n")
    );
    assert!(states > 0);
}

#[test]
fn each_bug_in_the_world_of_one_client_is_found() {
    for bug in Bug::ALL {
        let mut numbers = 0..400_u64;
        let is_found = numbers.any(|number| {
            let mut random = Random(Pcg64::new(1, number.into()));
            let question = random.question();
            let any = random.any_of(&question);
            let case = Case::new(&question, any, Some(bug));
            case.is_some_and(|mut it| it.run(&mut random).is_err())
        });
        assert!(is_found, "{bug:?}");
        eprintln!("{bug:?}: case {}", numbers.start - 1);
    }
}
