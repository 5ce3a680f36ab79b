//! Claims about clocks that drift: how far a proof goes, and that the world shows no more.
//! `CASES=100000 cargo test -p locket-sim-tests drift` hunts for longer.

use locket_sim::check::{Answer, ClientCount, Verdict, WhyNotAny, WhyUnknown};
use locket_sim::scenario::Scenario;

use super::random::{Random, number};
use super::rig::{answer, read};

/// TTL, retry interval and margin of a safe runner in milliseconds, with the largest drift in thousandths for
/// which it is proved.
type Settings = [u64; 4];
const PROVED: [Settings; 3] =
    [[3_000, 1_000, 1_000, 200], [6_000, 2_000, 500, 43], [15_000, 5_000, 1_000, 34]];
/// Too much for the margins of all of them.
const BEYOND: u64 = 400;

fn asked([ttl, retry, margin, _]: Settings, profile: &str, drift: u64) -> Answer {
    let (whole, tenth) = (drift / 10, drift % 10);
    answer(read(&format!(
        r#"{{"clients": "any", "profile": "{profile}", "ttl": "{ttl}ms", "retryInterval": "{retry}ms",
            "margin": "{margin}ms", "latency": "1s", "drift": "{whole}.{tenth}%",
            "faults": {{"lostMessage": "any", "pause": "4s", "locketCrash": "4s"}}}}"#
    )))
}

#[test]
fn the_margin_of_the_safe_runner_covers_so_much_drift_and_no_more() {
    for settings in PROVED {
        for profile in ["documented", "upstream"] {
            let verdicts = [0, 1].map(|more| asked(settings, profile, settings[3] + more).verdict);
            assert_eq!(verdicts, [Verdict::Safe, Verdict::NotFinished], "{settings:?}");
        }
    }
}

/// Two clients of such settings with random faults. The clock of Locket is exact, so that of a client is as
/// far from it as two clocks are that drift in opposite directions.
fn hunted([ttl, retry, margin, _]: Settings, drift: u64, random: &mut Random) -> Scenario {
    let rate = match random.below(2) {
        0 => -((2_000_000 * drift / (1_000 + drift)) as i64),
        _ => (2_000_000 * drift / (1_000 - drift)) as i64,
    };
    let faults = (0..1 + random.below(4)).map(|_| {
        let (at, long) = (random.below(4 * ttl), 100 + random.below(2 * ttl));
        let fault = match random.below(4) {
            0 => format!(r#""pause", "node": "a", "for": "{}ms""#, long.min(3_000)),
            1 => r#""restart", "node": "a""#.to_owned(),
            _ => format!(r#""cut", "from": "a", "to": "locket", "for": "{long}ms""#),
        };
        format!(r#"{{"at": "{at}ms", "do": {fault}}}"#)
    });
    let client = format!(
        r#""key": "k", "runner": "safe", "ttl": "{ttl}ms", "retryInterval": "{retry}ms", "margin": "{margin}ms""#
    );
    let (faults, seed) = (faults.collect::<Vec<_>>().join(", "), random.below(1 << 40));
    let text = format!(
        r#"{{"name": "hunt", "profile": "upstream", "random": true, "seed": {seed}, "until": "{}ms",
            "network": {{"latency": {{"min": "0s", "max": "600ms"}}, "loss": "5%"}},
            "clients": [{{"name": "a", {client}, "clock": {{"ratePpm": {rate}}}}}, {{"name": "b", {client}}}],
            "actions": [{faults}], "expect": [{{"key": "k", "twoOwnersFor": "0s"}}]}}"#,
        6 * ttl,
    );
    Scenario::from_json(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn the_world_has_two_owners_beyond_the_drift_that_is_proved_and_never_within_it() {
    let (seed, cases) = (number("SEED").unwrap_or(1), number("CASES").unwrap_or(250));
    for settings in PROVED {
        let has_two_owners = |drift| {
            move |case: &u64| {
                let run = hunted(settings, drift, &mut Random::of(seed, *case)).run();
                !run.failures.is_empty()
            }
        };
        assert_eq!((0..cases).find(has_two_owners(settings[3])), None, "{settings:?}");
        assert!((0..250).any(|case| has_two_owners(BEYOND)(&case)), "{settings:?}");
    }
}

#[test]
fn a_proof_says_up_to_which_drift_it_holds_also_where_none_is_asked() {
    let [.., settings] = PROVED;
    let (free, given) = (asked(settings, "upstream", 0), asked(settings, "upstream", 10));
    let words = "That holds for any number of clients, and of Locket processes, also if clocks drift by up to 3.4 %.";
    assert!(free.summary().contains(words), "{free}");
    assert!(given.summary().contains("clocks may drift by up to 1 %"), "{given}");
    assert!(!given.summary().contains("also if") && given.states == free.states, "{given}");
    let drift = |it: &Answer| it.proof.map(|it| it.drift.to_string());
    assert_eq!([&free, &given].map(drift), ["3.4%", "1%"].map(|it| Some(it.to_owned())));
}

#[test]
fn clocks_of_given_rates_are_proved_as_a_drift_is() {
    let of = |rate| {
        let answer = answer(read(&format!(r#"{{"clients": [{{"ratePpm": {rate}}}, {{}}]}}"#)));
        (answer.clients, answer.because)
    };
    let unknown = (ClientCount::Of(2), Some(WhyUnknown::ClockRates));
    let expected = [(ClientCount::Any, None), unknown, unknown];
    assert_eq!([-34_000, -35_000, 9_000_000].map(of), expected);
}

#[test]
fn what_no_proof_covers_is_unknown_for_clocks_that_drift_unless_it_is_broken_without() {
    let of = |members| answer(read(&format!(r#"{{"drift": "1%", "latency": "1s", {members}}}"#)));
    let covered = "the proofs are of one-owner, and of no-wrong-write without a guard or with tokens, \
        without failovers and slow connections";
    let slow = r#""faults": {"slowConnection": {"length": "1s", "count": 1}}"#;
    for (members, why, words) in [
        (r#""property": {"is": "false-loss"}"#, WhyNotAny::Drift, covered),
        (slow, WhyNotAny::Drift, covered),
        (r#""margin": "0s""#, WhyNotAny::EachClient, "among others that may do everything"),
    ] {
        let answer = of(members);
        let found = (answer.verdict, answer.because, answer.not_any_because);
        assert_eq!(found, (Verdict::Preview, Some(WhyUnknown::Drift), Some(why)), "{answer}");
        let words = format!(" There is no proof for clocks that drift: {words}");
        assert!(answer.summary().contains(&words), "{answer}");
    }
    let broken = of(r#""faults": {"failover": 1}"#);
    assert_eq!((broken.verdict, broken.has_longest), (Verdict::Unsafe, false));
    assert!(broken.summary().contains("Clocks that drift may break it earlier, or for longer."));
    // Each count is unknown, until one is broken.
    let counted =
        of(r#""runner": "upstream", "faults": {"pause": {"length": "4s", "count": "any"}}"#);
    let edge = counted.edge.map(|it| (it.safe_up_to, it.unsafe_with));
    assert_eq!((counted.verdict, edge), (Verdict::Unsafe, Some((0, Some(2)))));
}
