//! The other direction: no random run of the full world, within the bounds of a question, does what
//! the checker has proved to be impossible.
//!
//! `ABOUT=one-owner RUNS=100 CASES=2500` takes more runs of questions with this name in it.
//!
//! Times are whole milliseconds here, not steps of a grid; faults come at any point of an instant,
//! and what is due together in any order.

use locket_sim::check::{Fault, ProvedBy, Question, Reductions, Search, Verdict};
use locket_sim::scenario::RunnerKind;
use locket_sim::time::Duration;
use locket_sim::world::World;
use locket_sim::world::network::NodeId;

use super::case::Case;
use super::compare::is_about;
use super::random::{Random, number};
use super::random_rule::random_rule;
use super::run::{Action, Planned, Run};
use super::sample::words;

const SEED: u64 = 1;
/// How many questions, and how many runs of each.
const CASES: u64 = 400;
const RUNS: u64 = 40;
/// A question that takes the checker more states is left out.
const STATES_MAX: usize = 50_000;
/// Until when something is done, in milliseconds.
const SOON: u64 = 10_000;
/// After how many things of its instant something is done, at most.
const AFTER_MAX: u64 = 8;

/// Random actions, as many as a question's bounds allow.
struct Plan<'a> {
    random: &'a mut Random,
    question: &'a Question,
    world: &'a World,
    planned: Vec<Planned>,
}

impl Plan<'_> {
    fn make(mut self) -> Vec<Planned> {
        for client in 0..self.question.clients.len() {
            let at = if client == 0 { 0 } else { self.soon() };
            self.add(at, Action::Start(client));
        }
        let bounds = self.question.bounds;
        for (count, add) in [
            (bounds.faults[Fault::Crash].count, Self::crash as fn(&mut Self, u64)),
            (bounds.faults[Fault::DatabaseCrash].count, Self::crash_database),
            (bounds.faults[Fault::RowDeletion].count, |it, at| it.add(at, Action::Evict)),
            (bounds.faults[Fault::Failover].count, |it, at| it.add(at, Action::FailOver)),
            (bounds.faults[Fault::LocketCrash].count, Self::crash_locket),
            (bounds.faults[Fault::Disconnect].count, Self::disconnect),
            (bounds.faults[Fault::LocketDrain].count, Self::drain_locket),
            (bounds.faults[Fault::LocketPause].count, Self::pause_locket),
            (bounds.faults[Fault::LostMessage].count, Self::lose),
            (bounds.faults[Fault::LostReply].count, |it, at| it.add(at, Action::LoseAnswer)),
            (bounds.faults[Fault::Partition].count, Self::cut),
            (bounds.faults[Fault::Pause].count, Self::pause),
            (bounds.faults[Fault::Restart].count, Self::restart),
            (bounds.faults[Fault::Stall].count, Self::stall),
            (bounds.faults[Fault::Stop].count, Self::stop),
        ] {
            for _ in 0..count.limit().expect("a run has counts") {
                let at = self.soon();
                add(&mut self, at);
            }
        }
        self.planned.sort_unstable();
        self.planned
    }

    fn add(&mut self, at: u64, action: Action) {
        let after = self.random.below(AFTER_MAX);
        self.planned.push((at, after, action));
    }

    fn disconnect(&mut self, at: u64) {
        let client = self.client();
        self.add(at, Action::Disconnect(client));
    }

    fn crash(&mut self, at: u64) {
        let client = self.client();
        self.add(at, Action::Crash(client));
    }

    fn restart(&mut self, at: u64) {
        let client = self.client();
        self.add(at, Action::Start(client));
    }

    fn stop(&mut self, at: u64) {
        let client = self.client();
        self.add(at, Action::Stop(client));
    }

    fn pause(&mut self, at: u64) {
        let client = self.world.client(self.client());
        let length = self.up_to(self.question.bounds.faults[Fault::Pause].length);
        // Two that meet would be a longer one.
        let meets = |(other, _, action): &(u64, u64, Action)| {
            let Action::Pause(node, its) = action else {
                return false;
            };
            let ends = other + its.as_ms();
            *node == client && at <= ends && *other <= at + length.as_ms()
        };
        if !self.planned.iter().any(meets) {
            self.add(at, Action::Pause(client, length));
        }
    }

    fn pause_locket(&mut self, at: u64) {
        let process = self.world.process(self.process());
        let length = self.up_to(self.question.bounds.faults[Fault::LocketPause].length);
        self.add(at, Action::Pause(process, length));
    }

    /// A stall apart from the others: within another, it would only make that longer.
    fn stall(&mut self, at: u64) {
        let length = self.up_to(self.question.bounds.faults[Fault::Stall].length);
        let meets = |(other, _, action): &(u64, u64, Action)| {
            let Action::Stall(its) = action else {
                return false;
            };
            at <= other + its.as_ms() && *other <= at + length.as_ms()
        };
        if !self.planned.iter().any(meets) {
            self.add(at, Action::Stall(length));
        }
    }

    /// Of several processes the first alone, and only if no other fault takes one away: processes
    /// drain in turn.
    fn drain_locket(&mut self, at: u64) {
        let bounds = &self.question.bounds;
        let has_others = bounds.faults[Fault::LocketCrash].count > 0
            || bounds.faults[Fault::LocketPause].count > 0
            || bounds.faults[Fault::LocketDrain].count > 1;
        if self.question.processes == 1 || !has_others {
            self.add(at, Action::DrainLocket(0));
            self.start_locket(at, 0);
        }
    }

    fn lose(&mut self, at: u64) {
        let (from, to) = self.link();
        self.add(at, Action::Lose(from, to));
    }

    /// A link in one direction, or in both.
    fn cut(&mut self, at: u64) {
        let (from, to) = self.link();
        let ends = at + self.up_to(self.question.bounds.faults[Fault::Partition].length).as_ms();
        let mut ways = vec![(from, to)];
        if self.random.below(2) == 0 {
            ways.push((to, from));
        }
        // All at one point of the instant, and healed after it was cut.
        let after = self.random.below(AFTER_MAX);
        for (from, to) in ways {
            self.planned.push((at, after, Action::Cut(from, to)));
            self.planned.push((ends, AFTER_MAX, Action::Heal(from, to)));
        }
    }

    fn link(&mut self) -> (NodeId, NodeId) {
        let client = self.world.client(self.client());
        let process = self.world.process(self.process());
        let ends = [(client, process), (process, client)];
        self.random.pick(&ends)
    }

    fn crash_database(&mut self, at: u64) {
        let starts =
            at + self.up_to(self.question.bounds.faults[Fault::DatabaseCrash].length).as_ms();
        self.add(at, Action::CrashDatabase);
        self.planned.push((starts, AFTER_MAX, Action::StartDatabase));
    }

    fn crash_locket(&mut self, at: u64) {
        let process = self.process();
        self.add(at, Action::CrashLocket(process));
        self.start_locket(at, process);
    }

    /// After its crash or drain.
    fn start_locket(&mut self, at: u64, process: usize) {
        let starts = at + self.up_to(Fault::LocketCrash.longest(&self.question.bounds)).as_ms();
        self.planned.push((starts, AFTER_MAX, Action::StartLocket(process)));
    }

    fn client(&mut self) -> usize {
        self.random.below(self.question.clients.len() as u64) as usize
    }

    fn process(&mut self) -> usize {
        self.random.below(self.question.processes as u64) as usize
    }

    /// Any time, or one of the grid.
    fn soon(&mut self) -> u64 {
        let grid = self.question.exact_grid().as_ms();
        match self.random.below(2) {
            0 => self.random.below(SOON),
            _ => grid * self.random.below(SOON / grid + 1),
        }
    }

    /// Any length, one of the grid, or the longest.
    fn up_to(&mut self, most: Duration) -> Duration {
        let (most, grid) = (most.as_ms(), self.question.exact_grid().as_ms());
        Duration::from_ms(match self.random.below(3) {
            0 => self.random.below(most + 1),
            1 => grid * self.random.below(most / grid + 1),
            _ => most,
        })
    }
}

/// Its clients follow a random rule.
fn follow_a_rule(question: &mut Question, random: &mut Random) {
    let rule = random_rule(&mut |limit| random.below(limit));
    let runner: RunnerKind = serde_json::from_str(&rule).expect("it is a rule");
    let every = runner.rule().retry.every.expect("random rules have one");
    for client in &mut question.clients {
        (client.runner, client.retry_interval, client.margin) = (runner.clone(), every, None);
    }
}

/// True if the property holds, if the checker can say that, and whether it does so for any number of
/// clients.
fn holds(question: &Question) -> Option<(bool, bool)> {
    let search = Search::new(question.clone(), Reductions::default(), STATES_MAX);
    let mut search = search.expect("the question makes sense");
    match search.run(u64::MAX) {
        Verdict::NeverExercised | Verdict::Safe => {
            let by = search.proof().map(|it| it.by);
            Some((true, by == Some(ProvedBy::EachClient)))
        }
        Verdict::Unsafe => Some((false, false)),
        Verdict::NotFinished | Verdict::Preview | Verdict::Running => None,
    }
}

#[test]
fn no_random_run_of_the_world_breaks_what_the_checker_has_proved() {
    // `make test` sets the second from the commit.
    let seed = number("SEED").or_else(|| number("ORACLE_SEED")).unwrap_or(SEED);
    let cases = number("CASES").unwrap_or(CASES);
    let cases = number("CASE").map_or(0..cases, |case| case..case + 1);
    let runs = number("RUNS").unwrap_or(RUNS);
    let about = words("ABOUT").unwrap_or_default();
    let (mut proved, mut broken, mut wrong) = (0, 0, Vec::new());
    let mut proved_for_any = 0;
    for case in cases {
        let mut random = Random::of(seed, case);
        let Case { text, mut question, .. } = Case::random(seed, case);
        if random.below(2) == 0 {
            follow_a_rule(&mut question, &mut random);
        }
        if !is_about(&text, &about) {
            continue;
        }
        let question = &question;
        let Some((holds, is_for_any)) = holds(question) else {
            continue;
        };
        proved += u32::from(holds);
        proved_for_any += u64::from(is_for_any);
        for number in 0..runs {
            let run = Run::new(question, &mut random);
            let plan =
                Plan { random: &mut random, question, world: &run.world, planned: Vec::new() };
            let plan = plan.make();
            let is_broken = run.breaks_with(&plan);
            broken += u32::from(is_broken && !holds);
            if is_broken && holds {
                let bounds = question.bounds;
                eprintln!(
                    "SEED={seed} CASE={case}, run {number}: {plan:?}\nbreaks {text}, {bounds:?}"
                );
                wrong.push((case, number));
            }
        }
    }
    let runs_of_any = proved_for_any * runs;
    eprintln!(
        "{proved} proved, {proved_for_any} of them for any number of clients, in {runs_of_any} runs"
    );
    assert_eq!(wrong, [], "cases and runs of seed {seed}");
    // Such runs do break what can be broken.
    assert!(proved < 100 || proved_for_any > 0 && broken > proved, "{proved} {broken}");
}
