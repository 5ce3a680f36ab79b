//! Random questions: none ends as a bug of the checker, and whatever is found breaks its property in
//! the full world by more than is tolerated.
//!
//! A failure names its case. `SEED=7 CASES=5000 cargo test -p locket-sim-tests --test check
//! random_questions` tries others, or more of them.

use locket_sim::check::{Property, Question, Space, SpaceState, Verdict};

use super::random::{Random, number};
use super::rig::search;

const CASES: u64 = 200;
const CASES_OF_QUEUES: u64 = 2_000;
/// A search that needs more states than these is given up, which is no answer and no bug.
const STATES_MAX: usize = 20_000;
/// How many walks are taken of each question, and their length.
const WALKS: u32 = 3;
const STEPS_MAX: u32 = 150;
/// One step in so many may be a fault: else each walk would begin with all of them.
const FAULT_ONE_IN: u64 = 12;
/// Seeds and cases in which the world once did something else: an answer to a process that had
/// ended, two failures of one name, and a message that reaches a paused process as it crashes.
const ONCE_DIFFERENT: [(u64, u64); 3] = [(20_261_124, 294), (20_261_124, 448), (7, 10_274)];

/// The states of a walk. It ends where the property is broken, or nothing can happen any more that
/// could break it.
fn walk(space: &mut Space, random: &mut Random) -> Vec<SpaceState> {
    let mut states = vec![space.start()];
    for _ in 0..STEPS_MAX {
        let last = &states[states.len() - 1];
        // A machine with more states than can be numbered ends the walk as well.
        let mut next = space.next(last).unwrap_or_default();
        let is_faultless = |it: &SpaceState| it.faults == last.faults;
        if random.below(FAULT_ONE_IN) > 0 && next.iter().any(is_faultless) {
            next.retain(is_faultless);
        }
        if next.is_empty() {
            break;
        }
        states.push(next.swap_remove(random.below(next.len() as u64) as usize));
    }
    states
}

/// How many steps of walks the world has done, standing as the search says after each.
fn played(
    cases: impl Iterator<Item = (u64, u64)>,
    walks: u32,
    change: impl Fn(&mut Question, &mut Random),
) -> usize {
    let mut played = 0;
    for (seed, case) in cases {
        let mut random = Random::of(seed, case);
        let mut question = random.question();
        change(&mut question, &mut random);
        // Timers of such a clock are due between the instants of the search.
        if question.clients.iter().any(|it| it.rate_ppm != 0) {
            continue;
        }
        let space = Space::new(question.clone(), Default::default());
        let mut space = space.expect("it makes sense");
        for _ in 0..walks {
            let states = walk(&mut space, &mut random);
            played += space.play(&states).unwrap_or_else(|error| {
                panic!("SEED={seed}, case {case}: {error}\n{question:?}");
            });
        }
    }
    played
}

fn cases(usual: u64) -> impl Iterator<Item = (u64, u64)> {
    let seed = number("SEED").unwrap_or(1);
    (0..number("CASES").unwrap_or(usual)).map(move |case| (seed, case))
}

#[test]
fn the_world_does_every_step_of_a_random_walk_and_stands_as_the_search_says() {
    let cases = cases(CASES).chain(ONCE_DIFFERENT);
    assert!(played(cases, WALKS, |_, _| {}) > 0);
}

#[test]
fn the_world_lets_transactions_wait_as_the_search_does() {
    let queues = |question: &mut Question, random: &mut Random| {
        question.bounds.transaction_time = random.time(1, 4);
    };
    assert!(played(cases(CASES_OF_QUEUES), 1, queues) > 0);
}

/// The verdict, or what is wrong with the answer.
fn verdict(question: &Question) -> Result<Verdict, String> {
    let mut search = search(question.clone(), Default::default(), STATES_MAX);
    search.run_to_longest(u64::MAX);
    let answer = search.answer().map_err(|error| error.to_string())?;
    let Some((first, _)) = answer.counterexample else {
        return Ok(answer.verdict);
    };
    let longest = answer.longest.ok_or("no longest violation")?;
    let bound = match question.property {
        Property::FalseLoss | Property::NoWrongWrite => return Ok(answer.verdict),
        Property::OneOwner { allow }
        | Property::NoClientActs { allow }
        | Property::Own { allow, .. }
        | Property::Acquired { allow }
        | Property::PresenceGap { allow }
        | Property::BeliefMatchesRow { allow } => allow,
    };
    if first.lasted <= bound || longest.lasted < first.lasted {
        return Err(format!("bound {bound}, first {}, longest {}", first.lasted, longest.lasted));
    }
    if matches!(question.property, Property::OneOwner { .. }) {
        if first.two_owners_for <= bound {
            return Err(format!("two owners for {} only", first.two_owners_for));
        }
        // Else a scenario runs on outside of the bounds.
        let has_rates = question.clients.iter().any(|it| it.rate_ppm != 0);
        for it in [&first, &longest] {
            if answer.has_longest && !has_rates && it.two_owners_for > longest.lasted {
                let (found, most) = (it.two_owners_for, longest.lasted);
                return Err(format!("two owners for {found}, at the longest {most}"));
            }
        }
    }
    Ok(answer.verdict)
}

#[test]
fn no_random_question_ends_as_a_bug_and_every_violation_is_measured() {
    let (mut violated, mut safe) = (0, 0);
    for (seed, case) in cases(CASES) {
        let question = Random::of(seed, case).question();
        let verdict = verdict(&question);
        let verdict = verdict
            .unwrap_or_else(|error| panic!("SEED={seed}, case {case}: {error}\n{question:?}"));
        violated += u64::from(verdict == Verdict::Unsafe);
        safe += u64::from(verdict == Verdict::Safe);
    }
    assert!(violated > 0 && safe > 0, "{violated} violated, {safe} safe");
}
