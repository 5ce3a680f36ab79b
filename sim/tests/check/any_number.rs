//! Claims about proofs for any number of clients, by questions of each client alone.
//!
//! That each state of several clients is one of each of them alone is tested where states are known,
//! in `check/explorer/projection.rs`. Here are verdicts. `SEED=7 CASES=1000` tries other random
//! questions, or more of them.

use locket_sim::check::{
    Answer, Bounds, ClientCount, Count, Fault, Property, ProvedBy, Question, Reductions, Search,
    Verdict, VisibleStates, WhyNotAny, WhyUnknown,
};
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::id_source::IdSource;
use locket_sim::protocol::message::{Method, Response};
use locket_sim::protocol::resource::Resource;
use locket_sim::protocol::runner::{CanonicalRunner, Runner, RunnerSettings};
use locket_sim::scenario::{ClientKind, RunnerKind};
use locket_sim::time::{Duration, Time};

use super::random::{Random, number};
use super::rig::{Changed, delays, one_pause, read, s, search, two, upstream};

const CASES: u64 = 60;
const STATES_MAX: usize = 20_000;

fn answer(question: &Question, states_max: usize) -> Answer {
    let search = search(question.clone(), Reductions::default(), states_max);
    search.answer().expect("the world repeats it")
}

/// A search of all schedules of the question's clients.
fn of_all(question: &Question) -> Search {
    let reductions = Reductions { each_client: false, ..Reductions::default() };
    search(question.clone(), reductions, STATES_MAX)
}

/// The first client of a question among any number like it.
fn among_any(question: Question) -> Question {
    Question { any_clients: true, ..question.with_clients(1) }
}

#[test]
fn what_a_search_of_three_clients_does_not_finish_is_proved_for_any_number() {
    let bounds = one_pause(2, 20).with(Fault::LostMessage, 1);
    let question = two(RunnerKind::Safe, 15, 5, bounds).with_clients(3);
    assert_eq!(of_all(&question).verdict(), Verdict::NotFinished);

    let answer = answer(&question, STATES_MAX);
    assert_eq!(answer.verdict, Verdict::Safe);
    assert_eq!(answer.clients, ClientCount::Any);
    let proof = answer.proof.expect("it is safe");
    assert_eq!(proof.by, ProvedBy::EachClient);
    assert_eq!(proof.states, answer.states);
    let view = serde_json::to_value(answer.view()).expect("it can be written");
    assert_eq!(view["clients"], "any");
    assert_eq!(view["proof"]["by"], "each-client");
    assert_eq!(view["coverage"]["neverHappened"], serde_json::json!([]));
}

#[test]
fn a_search_that_is_cut_says_what_no_number_of_clients_breaks() {
    let answer = answer(&upstream(15, 5, one_pause(1, 9)), 1_000);
    assert_eq!(answer.verdict, Verdict::NotFinished);
    let (faults, _) = answer.lower_bound.expect("each client was asked");
    assert_eq!(faults, 1);
    let words = "With any number of clients, no schedule with fewer than 1 fault has two owners";
    assert!(answer.summary().contains(words), "{}", answer.summary());
}

/// Any number of each fault of the bounds that can be without a limit.
fn of_any_number(mut bounds: Bounds) -> Bounds {
    let has_late_calls = !bounds.faults[Fault::Failover].count.is_never();
    for fault in Fault::ALL {
        let has_limit = matches!(fault, Fault::Isolation | Fault::Suspend)
            || fault == Fault::Restart && has_late_calls;
        let count = &mut bounds.faults[fault].count;
        if *count > 0 && !has_limit {
            *count = Count::Any;
        }
    }
    bounds
}

/// Upstream's runner has no lease of its own. Pauses of up to 3 s never add up, and of two pauses of
/// 4 s the second one can delay what the first one has delayed.
#[test]
fn of_a_fault_that_breaks_the_lock_it_is_said_how_often_it_may_happen() {
    let any = |pause| of_any_number(one_pause(1, pause));
    assert_eq!(answer(&upstream(15, 5, any(3)), STATES_MAX).verdict, Verdict::Safe);

    let answer = answer(&upstream(15, 5, any(4)), STATES_MAX);
    assert_eq!((answer.verdict, answer.reached), (Verdict::Unsafe, (2, 15_000)));
    let edge = answer.edge.clone().expect("it has any number of pauses");
    assert_eq!(edge.faults, ["pause"]);
    assert_eq!((edge.safe_up_to, edge.unsafe_with), (1, Some(2)));
    let words = "Safe with one pause, unsafe with 2.";
    assert!(answer.summary().contains(words), "{}", answer.summary());
    assert!(!answer.has_longest, "three pauses may break it for longer");
}

/// Its rows alone allow calls that fail, which upstream's runner does not survive. Each count of restarts
/// is proved, and none of them is the last. Without a count, the answer is about one.
#[test]
fn a_question_of_which_each_count_is_safe_and_any_number_is_not_proved_ends() {
    let text =
        r#"{"runner": "upstream", "ttl": "7s", "retryInterval": "4s", "faults": {"restart": {}}}"#;
    let once = answer(&read(text), STATES_MAX);
    let count = once.question.bounds.faults[Fault::Restart].count;
    assert_eq!((once.verdict, count), (Verdict::Safe, Count::UpTo(1)));
    let bounds = delays(1).with(Fault::Restart, Count::Any);
    let answer = answer(&upstream(7, 4, bounds), STATES_MAX);
    assert_eq!(answer.verdict, Verdict::NotFinished);
    let edge = answer.edge.expect("it has any number of restarts");
    assert_eq!((edge.safe_up_to, edge.unsafe_with), (15, None));
}

#[test]
fn a_search_of_one_client_that_is_cut_says_how_far_it_came_unless_another_was_left_out() {
    let mut question = among_any(upstream(15, 5, one_pause(1, 9)));
    let bound = |question: &Question, states_max| answer(question, states_max).lower_bound;
    let least = bound(&question, STATES_MAX).expect("it was searched");
    let cut = bound(&question, 40).expect("it was begun");
    assert!(cut < least, "{cut:?} {least:?}");
    question.clients.push(question.clients[0].clone());
    question.clients[1].retry_interval = s(3);
    assert_eq!(bound(&question, 40), None);
}

/// The clients that break it are two of the three, and there is no room for all schedules of three.
#[test]
fn a_search_that_is_cut_finds_two_owners_among_two_clients_as_early_as_any_number_can_be() {
    let bounds = one_pause(1, 4).with(Fault::Failover, 1);
    let question = upstream(15, 5, bounds).with_clients(3);
    assert_eq!(of_all(&question).verdict(), Verdict::NotFinished);

    let answer = answer(&question, STATES_MAX);
    assert_eq!(answer.verdict, Verdict::Unsafe);
    assert_eq!(answer.lower_bound, Some(answer.reached));
    assert!(!answer.has_longest, "three clients may break it for longer");
}

#[test]
fn a_property_of_each_client_is_proved_for_any_number_of_them() {
    let paused = r#""latency": "6s", "faults": {"pause": {"length": "4s", "count": "any"}, "lostMessage": "any"}"#;
    let deleted = r#""latency": "1s", "faults": {"rowDeletion": 1}"#;
    let belief = r#""is": "belief-matches-row", "allow": "2s""#;
    let false_loss = r#""is": "false-loss""#;
    let broken = [
        "has an owner for more than 2 s whose row is not its own",
        "makes an owner give up a lock whose row is still its own",
    ];
    for (runner, property, bounds, broken) in [
        ("safe", r#""is": "belief-matches-row", "allow": "0s""#, paused, None),
        ("safe", belief, deleted, Some(broken[0])),
        ("upstream", false_loss, r#""latency": "1s""#, None),
        // A renewal can fail while the row is still that of the client.
        ("upstream", false_loss, r#""latency": "6s""#, Some(broken[1])),
    ] {
        let text = format!(
            r#"{{"clients": "any", "runner": "{runner}", "profile": "upstream", {bounds}, "property": {{{property}}}}}"#
        );
        let answer = answer(&read(&text), STATES_MAX);
        assert_eq!(answer.clients, ClientCount::Any, "{text}");
        let Some(broken) = broken else {
            assert_eq!(answer.verdict, Verdict::Safe, "{text}");
            continue;
        };
        assert_eq!(answer.because, Some(WhyUnknown::EachClient), "{text}");
        let words =
            format!("among others that may do everything, a schedule of one client {broken}");
        assert!(answer.summary().contains(&words), "{answer}");
    }
}

/// Of a chain of owners each overlaps the next one for less than `allow`, and together they are two
/// owners for longer. So a proof about each client needs that none overlaps at all.
#[test]
fn overlaps_that_follow_each_other_are_no_proof_for_any_number_of_clients() {
    let deleted = r#""profile": "documented", "runner": "safe", "margin": "1s", "ttl": "3s", "retryInterval": "2s",
        "latency": "0s", "faults": {"rowDeletion": 3}"#;
    let lost = r#""profile": "upstream", "runner": "upstream-before-2025-10", "firstAttemptDeadline": true, "ttl": "3s",
        "retryInterval": "3s", "latency": "1s", "faults": {"lostMessage": 2}"#;
    let late = r#""profile": "documented", "runner": "upstream", "ttl": "15s", "retryInterval": "5s", "latency": "1s""#;
    let unknown = Err(Some(WhyUnknown::EachClient));
    let cases = [
        ("[{}, {}]", deleted, 2, Ok((ClientCount::Of(2), Some(WhyNotAny::Allow)))),
        ("[{}, {}, {}, {}]", deleted, 2, Err(None)),
        (r#""any""#, deleted, 2, unknown),
        (r#""any""#, lost, 5, unknown),
        ("[{}, {}]", late, 2, Ok((ClientCount::Any, None))),
        (r#""any""#, late, 2, Ok((ClientCount::Any, None))),
    ];
    for (clients, settings, allow, expected) in cases {
        let text = format!(
            r#"{{"clients": {clients}, {settings}, "property": {{"is": "one-owner", "allow": "{allow}s"}}}}"#
        );
        let answer = answer(&read(&text), 2_000_000);
        let found = match answer.verdict == Verdict::Safe {
            true => Ok((answer.clients, answer.not_any_because)),
            false => Err(answer.because),
        };
        assert_eq!(found, expected, "{text}: {answer}");
    }
}

/// Runners of all kinds that wait for the answer to a Lock: to the first one, and to a renewal.
fn calling_runners() -> Vec<Runner> {
    let named = RunnerKind::ALL.into_iter().map(|(kind, _)| kind);
    let mut random = Random::of(1, 0);
    let kinds = named.chain((0..200).map(|_| random.rule()));
    let runners = kinds.flat_map(|kind| {
        let settings =
            RunnerSettings::new(Resource::default(), 15, Duration::from_seconds(5), kind.rule());
        let mut ids = IdSource::new(1);
        let renewal = Time::ZERO + settings.renewal_interval();
        let mut first = Runner::new(settings);
        first.start(Time::ZERO, &mut ids, &mut ());
        let mut renewing = first.clone();
        take(&mut renewing, &Ok(Response::Lock));
        renewing.handle_timeout(renewal, &mut ids, &mut ());
        [first, renewing]
    });
    // A lease may have ended before its renewal.
    runners.filter(|it| it.call_under_way().is_some()).collect()
}

fn take(runner: &mut Runner, answer: &Result<Response, LockError>) {
    let call = runner.call_under_way().expect("it waits for an answer");
    runner.handle_reply(call, answer.clone(), Time::ZERO, &mut ());
}

/// How a runner goes on after each of some answers.
fn after<const N: usize>(
    runner: &Runner,
    answers: [Result<Response, LockError>; N],
) -> [CanonicalRunner; N] {
    answers.map(|answer| {
        let mut runner = runner.clone();
        take(&mut runner, &answer);
        runner.canonical(Time::ZERO)
    })
}

#[test]
fn a_runner_goes_on_alike_after_every_error_of_a_lock_but_a_collision() {
    for runner in calling_runners() {
        let errors = [
            Err(LockError::Unavailable),
            Err(LockError::DeadlineExceeded),
            Err(LockError::Database("i/o timeout".into())),
            Err(LockError::Status(Code::Internal, "stream terminated".into())),
        ];
        let [first, others @ ..] = after(&runner, errors);
        assert!(others.iter().all(|it| *it == first), "{runner:?}");
    }
}

#[test]
fn a_runner_goes_on_alike_after_every_answer_to_a_fetch_or_a_release() {
    let mut calls = Vec::new();
    for mut fetching in calling_runners() {
        let mut releasing = fetching.clone();
        take(&mut fetching, &Err(LockError::Unavailable));
        take(&mut releasing, &Ok(Response::Lock));
        releasing.handle_signal(Time::ZERO, &mut ());
        for runner in [fetching, releasing] {
            let Some(call) = runner.call_under_way() else {
                continue;
            };
            let good = match call.method {
                Method::Fetch => Response::Fetch(Box::default()),
                Method::FetchAll | Method::Lock | Method::Release => Response::Release,
            };
            let answers = [Ok(good), Err(LockError::Unavailable)];
            let [good, bad] = after(&runner, answers);
            assert_eq!(good, bad, "{runner:?}");
            calls.push(call.method);
        }
    }
    assert!(calls.contains(&Method::Fetch) && calls.contains(&Method::Release));
}

#[test]
fn clients_with_one_owner_string_or_suspends_are_not_asked_alone() {
    let safe = || two(RunnerKind::Safe, 6, 2, delays(1));
    let suspends = two(RunnerKind::Safe, 6, 2, delays(1).with_length(Fault::Suspend, 1, s(1)));
    let shared = safe().with_each(|it| it.owner = Some("same".to_owned()));
    for question in [suspends, shared] {
        let answer = answer(&question, STATES_MAX);
        assert_ne!(answer.verdict, Verdict::Safe);
        assert_eq!((answer.clients, answer.lower_bound), (ClientCount::Of(2), None));
    }
}

/// The reason why a safe answer is about the clients of its question, in its view and its words.
fn why_not_any(answer: &Answer) -> (String, String) {
    assert_eq!(answer.verdict, Verdict::Safe, "{answer}");
    let view = serde_json::to_value(answer.view()).expect("it can be written");
    let summary = answer.summary();
    let words = summary.split(" This covers ").nth(1).unwrap_or_default();
    let (words, _) = words.split_once('.').unwrap_or_default();
    let why = view["notAnyBecause"].as_str().unwrap_or_default();
    (why.to_owned(), words.to_owned())
}

#[test]
fn a_safe_answer_about_the_clients_of_its_question_says_why() {
    let safe = || two(RunnerKind::Safe, 15, 5, delays(1));
    let with = |property| Question { property, ..safe() };
    let acquired = || with(Property::Acquired { allow: s(30) });
    let same_owner = acquired().with_each(|it| it.owner = Some("same".to_owned()));
    let never = VisibleStates::of(|it| it.believers == 3);
    let own = Property::Own { never, allow: s(0) };
    let mut drained = acquired().with_clients(1);
    drained.bounds.faults[Fault::LocketDrain].count = Count::UpTo(1);
    let next = "2 clients only: which client gets the lock next depends on every client";
    let cases = [
        (acquired(), "property", next),
        (with(own), "property", "2 clients only: your property may be about several clients"),
        (
            same_owner,
            "owner-strings",
            "2 clients only: to Locket, clients that share an owner string are one client",
        ),
        (
            drained,
            "shared-faults",
            "1 client only: drains and failovers depend on clients with other keys, too",
        ),
    ];
    for (question, why, words) in cases {
        let answer = answer(&question, 100_000);
        assert_eq!(answer.clients, ClientCount::Of(question.clients.len()));
        assert_eq!(why_not_any(&answer), (why.to_owned(), words.to_owned()));
    }
    assert_eq!(why_not_any(&answer(&safe(), STATES_MAX)).0, "");
    let not_asked = of_all(&safe()).answer().expect("it is safe");
    assert_eq!(why_not_any(&not_asked).0, "not-asked");
}

#[test]
fn a_proof_about_one_client_holds_for_any_number_that_share_no_key() {
    let question = upstream(15, 5, delays(1).with(Fault::RowDeletion, 1)).with_clients(1);
    let question = question.with_each(|it| it.kind = ClientKind::Presence);
    let question = question.about(Property::PresenceGap { allow: s(30) });
    let answer = answer(&question, STATES_MAX);
    assert_eq!(answer.verdict, Verdict::Safe);
    assert_eq!(answer.clients, ClientCount::AnyWithoutSharedKeys);
    let view = serde_json::to_value(answer.view()).expect("it can be written");
    assert_eq!(view["clients"], "any-without-shared-keys");
    let words = "That holds for any number of clients that share no key.";
    assert!(answer.summary().contains(words), "{}", answer.summary());
}

/// The longest time without an owner of so many clients, of which all but one may crash.
fn longest_gap(clients: usize) -> Duration {
    let bounds = delays(0).with(Fault::Crash, clients as u8 - 1);
    let question = upstream(3, 1, bounds).with_clients(clients);
    let question = question.about(Property::NoClientActs { allow: s(1) });
    let mut search = search(question, Reductions::default(), 500_000);
    assert!(search.run_to_longest(u64::MAX) && !search.longest_is_cut());
    search.longest().expect("a crash leaves a gap")
}

/// So a handover among any number of clients has no longest time: that is why none is proved.
#[test]
fn each_client_more_that_may_crash_makes_a_handover_longer_by_a_ttl_and_an_attempt() {
    assert_eq!([2, 3, 4].map(longest_gap), [s(4), s(8), s(12)]);
}

/// The property, or in its place one that each client can prove for any number of them.
const fn of_each_client(property: Property) -> Property {
    match property {
        Property::FalseLoss
        | Property::NoWrongWrite
        | Property::OneOwner { .. }
        | Property::BeliefMatchesRow { .. } => property,
        Property::Acquired { allow }
        | Property::NoClientActs { allow }
        | Property::PresenceGap { allow } => Property::BeliefMatchesRow { allow },
        Property::Own { .. } => Property::FalseLoss,
    }
}

/// A question about several clients, sometimes about four that are alike.
fn random_question(random: &mut Random) -> Question {
    let mut question = random.question();
    if random.below(6) == 0 {
        question = question.with_clients(4);
    } else if question.clients.len() == 1 {
        question = question.with_clients(2);
    }
    question.property = of_each_client(question.property);
    question
}

/// Also with any number of faults, and for clocks that drift, where that can be asked. What breaks the
/// property with any rates within a drift breaks it with the drift.
#[test]
fn nothing_is_proved_for_any_number_that_a_search_of_several_clients_breaks() {
    let (seed, cases) = (number("SEED").unwrap_or(1), number("CASES").unwrap_or(CASES));
    let (mut proved, mut broken) = ([0; 3], [0; 3]);
    for case in 0..cases {
        let mut random = Random::of(seed, case);
        let question = random_question(&mut random);
        let of_any = Question { bounds: of_any_number(question.bounds), ..question.clone() };
        let per_mille = random.pick(&[5, 20, 100]);
        let mut drifting = question.clone().with_each(|it| it.rate_ppm = 0);
        drifting.bounds.drift =
            format!("{}.{}%", per_mille / 10, per_mille % 10).parse().expect("it is a share");
        let mut rated = question.clone();
        for client in &mut rated.clients {
            client.rate_ppm = random.pick(&[-1, 1, 1]) * 1_000 * per_mille;
        }
        let (all, rated) = (of_all(&question), of_all(&rated));
        for (kind, (asked, all)) in
            [(question, &all), (of_any, &all), (drifting, &rated)].into_iter().enumerate()
        {
            let described = format!("SEED={seed}, case {case}: {asked:?}");
            let Ok(mut each) = Search::new(asked, Reductions::default(), STATES_MAX) else {
                continue;
            };
            each.run(u64::MAX);
            let is_proved = each.proof().is_some_and(|it| it.by == ProvedBy::EachClient);
            proved[kind] += u64::from(is_proved);
            if all.judged().0 == Verdict::Unsafe {
                broken[kind] += 1;
                // Clocks that drift may break it with fewer faults than at those rates.
                let least = each.lower_bound().filter(|_| kind < 2);
                let is_bound = least.is_none_or(|it| it <= all.reached());
                assert!(
                    !is_proved && is_bound,
                    "{:?}, not before {least:?}: {described}",
                    all.reached()
                );
            }
        }
    }
    eprintln!("{proved:?} proved, {broken:?} broken");
    assert!(proved.iter().chain(&broken).all(|it| *it > 0), "{proved:?} {broken:?}");
}
