//! Joint locks: clients that keep several keys together. The known answers follow from C19…C24.

use locket_sim::check::{
    Adviser, Answer, Property, Question, Reductions, Search, Verdict, VisibleStates,
};
use locket_sim::scenario::Scenario;
use locket_sim::time::Duration;

use super::rig::STATES_MAX;

/// Two joint locks of the keys x and y with a TTL of 4 s and a retry interval of 1 s.
fn joint(runner: &str, orders: &str, bounds: &str, property: &str) -> Search {
    let margin = match runner {
        "safe" => r#""margin": "0s","#,
        _ => "",
    };
    searched(&format!(
        r#"{{"kind": "joint", "runner": "{runner}", {margin} "profile": "upstream", "ttl": "4s",
        "retryInterval": "1s", "clients": {orders}, {bounds}, "property": {property}}}"#
    ))
}

fn searched(question: &str) -> Search {
    let question = Question::from_json(question).expect("the question makes sense");
    let search = Search::new(question, Reductions::default(), STATES_MAX);
    let mut search = search.expect("the question makes sense");
    search.run(u64::MAX);
    search
}

const SAME_ORDER: &str = r#"[{"keys": ["x", "y"]}, {"keys": ["x", "y"]}]"#;
const OPPOSITE_ORDERS: &str = r#"[{"keys": ["x", "y"]}, {"keys": ["y", "x"]}]"#;
const ONE_OWNER: &str = r#"{"is": "one-owner"}"#;
const FALSE_LOSS: &str = r#"{"is": "false-loss"}"#;

/// No client holds all keys for longer than this.
fn acquired(seconds: u64) -> String {
    format!(r#"{{"is": "acquired", "allow": "{seconds}s"}}"#)
}

fn answer(search: &Search) -> Answer {
    search.answer().expect("the world repeats what was found")
}

// Who gets the keys, and when

#[test]
fn a_joint_lock_takes_two_calls_one_after_the_other() {
    // Four messages of 1 s each (C20).
    let verdict = |seconds| {
        let property = acquired(seconds);
        let question = format!(
            r#"{{"kind": "joint", "keys": ["x", "y"], "runner": "upstream", "profile": "upstream",
            "ttl": "6s", "retryInterval": "2s", "latency": "1s", "property": {property}}}"#
        );
        searched(&question).verdict()
    };
    assert_eq!(verdict(3), Verdict::Unsafe);
    assert_eq!(verdict(4), Verdict::Safe);
}

#[test]
fn two_that_take_their_keys_in_opposite_orders_wait_for_each_other_until_both_give_up() {
    // Each has its first key and waits for the second for as long as its TTL (C19).
    for runner in ["upstream", "safe"] {
        let verdict = |seconds| {
            let property = acquired(seconds);
            joint(runner, OPPOSITE_ORDERS, r#""latency": "0s""#, &property).verdict()
        };
        assert_eq!(verdict(3), Verdict::Unsafe, "{runner}");
        assert_eq!(verdict(4), Verdict::Safe, "{runner}");
    }
}

#[test]
fn they_wait_for_no_longer_than_the_key_timeout() {
    let orders =
        r#"[{"keys": ["x", "y"], "keyTimeout": "2s"}, {"keys": ["y", "x"], "keyTimeout": "2s"}]"#;
    let verdict = |seconds| {
        let property = acquired(seconds);
        joint("upstream", orders, r#""latency": "0s""#, &property).verdict()
    };
    assert_eq!(verdict(1), Verdict::Unsafe);
    assert_eq!(verdict(2), Verdict::Safe);
}

#[test]
fn a_runner_that_upstream_abandons_keeps_its_key_from_every_later_client() {
    // Each of the two leaves its runner for its second key behind, which takes that key (C23). The
    // client that starts again waits for its first key for ever.
    let verdict = |runner, seconds| {
        let bounds = r#""latency": "0s", "faults": {"restart": 1}"#;
        joint(runner, OPPOSITE_ORDERS, bounds, &acquired(seconds)).verdict()
    };
    assert_eq!(verdict("upstream", 60), Verdict::Unsafe);
    // The safe one leaves nothing behind: a key timeout, and a retry of the one that starts again.
    assert_eq!(verdict("safe", 4), Verdict::Unsafe);
    assert_eq!(verdict("safe", 5), Verdict::Safe);
}

// Two owners

#[test]
fn joint_locks_of_safe_runners_have_one_owner_whatever_pauses() {
    for orders in [SAME_ORDER, OPPOSITE_ORDERS] {
        let search = joint(
            "safe",
            orders,
            r#""latency": "0s", "faults": {"pause": {"length": "9s", "count": 1}}"#,
            ONE_OWNER,
        );
        assert_eq!(search.verdict(), Verdict::Safe, "{orders}");
    }
}

#[test]
fn joint_locks_of_upstream_runners_break_by_the_pause_that_breaks_a_single_lock() {
    for pause in [3, 4] {
        let bounds = format!(
            r#""latency": "0s", "faults": {{"pause": {{"length": "{pause}s", "count": 1}}}}"#
        );
        let single = searched(&format!(
            r#"{{"runner": "upstream", "profile": "upstream", "ttl": "4s", "retryInterval": "1s",
            {bounds}}}"#
        ));
        let expected = if pause < 4 { Verdict::Safe } else { Verdict::Unsafe };
        assert_eq!(single.verdict(), expected);
        for orders in [SAME_ORDER, OPPOSITE_ORDERS] {
            let joint = joint("upstream", orders, &bounds, ONE_OWNER);
            assert_eq!(joint.verdict(), expected, "{orders} {pause}");
        }
    }
}

#[test]
fn an_operator_has_to_delete_every_row_of_a_joint_lock_to_make_two_owners() {
    let verdict = |deletions| {
        let bounds = format!(r#""latency": "0s", "faults": {{"rowDeletion": {deletions}}}"#);
        joint("safe", SAME_ORDER, &bounds, ONE_OWNER).verdict()
    };
    assert_eq!(verdict(1), Verdict::Safe);
    assert_eq!(verdict(2), Verdict::Unsafe);
}

// Losses

#[test]
fn one_lost_message_costs_upstreams_joint_lock_all_its_keys_and_the_safe_one_none() {
    let search = |runner| {
        let bounds = r#""latency": "0s", "faults": {"lostMessage": 1}"#;
        joint(runner, SAME_ORDER, bounds, FALSE_LOSS)
    };
    assert_eq!(search("safe").verdict(), Verdict::Safe);
    let upstream = search("upstream");
    assert_eq!(upstream.verdict(), Verdict::Unsafe);
    let (_, story) = answer(&upstream).counterexample.expect("it is broken");
    let story = story.to_string();
    assert!(story.contains("no longer believes it holds all its keys"), "{story}");
}

#[test]
fn a_stop_is_no_false_loss_of_a_joint_lock() {
    let search =
        joint("upstream", SAME_ORDER, r#""latency": "0s", "faults": {"stop": 2}"#, FALSE_LOSS);
    assert_eq!(search.verdict(), Verdict::Safe);
}

#[test]
fn after_a_crash_the_next_joint_lock_waits_for_a_ttl_and_a_retry_interval() {
    // C18, for both keys at once: they were renewed at the same moment.
    let verdict = |seconds| {
        let property = format!(r#"{{"is": "no-client-acts", "allow": "{seconds}s"}}"#);
        let bounds = r#""latency": "0s", "faults": {"crash": 1}"#;
        joint("upstream", SAME_ORDER, bounds, &property).verdict()
    };
    assert_eq!(verdict(4), Verdict::Unsafe);
    assert_eq!(verdict(5), Verdict::Safe);
}

#[test]
fn an_owner_whose_other_row_is_gone_disagrees_with_its_rows() {
    let verdict = |seconds| {
        let property = format!(r#"{{"is": "belief-matches-row", "allow": "{seconds}s"}}"#);
        let bounds = r#""latency": "0s", "faults": {"rowDeletion": 1}"#;
        joint("upstream", SAME_ORDER, bounds, &property).verdict()
    };
    // Until the next renewal, which takes the key again.
    assert_eq!(verdict(0), Verdict::Unsafe);
    assert_eq!(verdict(1), Verdict::Safe);
}

#[test]
fn a_client_that_owns_one_of_two_rows_is_no_owner_of_the_lock() {
    // Each of the two has its first key for 4 s.
    let mut question = Question::from_json(&format!(
        r#"{{"kind": "joint", "runner": "upstream", "profile": "upstream", "ttl": "4s",
        "retryInterval": "1s", "clients": {OPPOSITE_ORDERS}, "latency": "0s"}}"#
    ))
    .expect("the question makes sense");
    question.property = Property::Own {
        never: VisibleStates::of(|it| it.owner.is_some() && it.believers == 0 && it.running == 3),
        allow: Duration::ZERO,
    };
    let mut search = Search::new(question, Reductions::default(), STATES_MAX).expect("it is one");
    assert_eq!(search.run(u64::MAX), Verdict::Safe);
}

// Counterexamples and questions

#[test]
fn the_key_timeout_divides_the_grid() {
    let grid = |key_timeout: &str| {
        let question = format!(
            r#"{{"kind": "joint", "keys": ["x", "y"], "runner": "upstream", "ttl": "4s",
            "retryInterval": "1s", "keyTimeout": "{key_timeout}"}}"#
        );
        Question::from_json(&question).expect("it makes sense").exact_grid()
    };
    assert_eq!(grid("2s"), Duration::from_ms(1000));
    assert_eq!(grid("2500ms"), Duration::from_ms(500));
}

#[test]
fn a_counterexample_is_a_scenario_of_joint_locks() {
    let bounds = r#""latency": "0s", "faults": {"pause": {"length": "4s", "count": 1}}"#;
    let search = joint("upstream", OPPOSITE_ORDERS, bounds, ONE_OWNER);
    let (counterexample, _) = answer(&search).counterexample.expect("it is broken");
    let scenario = Scenario::from_json(&counterexample.scenario).expect("it makes sense");
    let keys: Vec<_> = scenario.clients.iter().map(|client| client.keys.clone()).collect();
    assert_eq!(keys, [["x", "y"], ["y", "x"]]);
    let run = scenario.run();
    assert!(run.failures.is_empty(), "{:?}", run.failures);
}

#[test]
fn clients_that_take_their_keys_in_one_order_can_change_places() {
    let states = |symmetry| {
        let question = format!(
            r#"{{"kind": "joint", "runner": "upstream", "profile": "upstream", "ttl": "4s",
            "retryInterval": "1s", "clients": {SAME_ORDER}, "latency": "1s"}}"#
        );
        let question = Question::from_json(&question).expect("it makes sense");
        let reductions = Reductions { symmetry, dead_states: true, ..Reductions::NONE };
        let mut search = Search::new(question, reductions, STATES_MAX).expect("it makes sense");
        assert_eq!(search.run(u64::MAX), Verdict::Safe);
        search.states()
    };
    let (with, without) = (states(true), states(false));
    assert!(with * 3 < without * 2, "{with} of {without}");
}

#[test]
fn keys_that_a_search_cannot_take_into_account_are_refused() {
    for (members, field) in [
        (r#""kind": "joint""#, "keys"),
        (r#""kind": "joint", "keys": ["x"]"#, "keys"),
        (r#""kind": "joint", "keys": ["x", "x"]"#, "keys"),
        (r#""kind": "joint", "keys": ["x", "y", "z"]"#, "keys"),
        (r#""keys": ["x", "y"]"#, "keys"),
        (r#""keyTimeout": "1s""#, "keyTimeout"),
        (r#""kind": "joint", "clients": [{"keys": ["x", "y"]}, {"keys": ["x", "z"]}]"#, "keys"),
        (r#""keys": ["x", "y"], "clients": [{"kind": "joint"}, {}]"#, "kind"),
        (r#""kind": "joint", "keys": ["x", "y"], "keyTimeout": "2h""#, "keyTimeout"),
        (
            r#""kind": "joint", "keys": ["x", "y"], "property": {"is": "presence-gap", "allow": "1s"}"#,
            "property",
        ),
    ] {
        let error = Question::from_json(&format!("{{{members}}}")).expect_err(members);
        assert_eq!(error.field, field, "{members}: {error}");
    }
}

#[test]
fn advice_about_joint_locks_is_refused() {
    let question = Question::from_json(r#"{"kind": "joint", "keys": ["x", "y"]}"#);
    let error = Adviser::new(question.expect("it makes sense"), STATES_MAX).expect_err("no advice");
    assert_eq!(error.field, "kind");
}

/// Two joint locks in a scenario's text, with the keys of the second.
fn scenario(keys: &str) -> String {
    format!(
        r#"{{"name": "two", "profile": "upstream", "clients": [
{{"name": "a", "kind": "joint", "keys": ["x", "y"], "keyTimeout": "3s", "ttl": "4s", "retryInterval": "1s"}},
{{"name": "b", "kind": "joint", "keys": {keys}, "ttl": "4s", "retryInterval": "1s"}}
]}}"#
    )
}

#[test]
fn a_scenario_of_joint_locks_is_a_question() {
    let question = Question::of_scenario(&scenario(r#"["y", "x"]"#)).expect("it makes sense");
    let asked = Question::from_json(
        r#"{"kind": "joint", "profile": "upstream", "ttl": "4s", "retryInterval": "1s", "latency": "0s",
        "clients": [{"keys": ["x", "y"], "keyTimeout": "3s"}, {"keys": ["y", "x"]}]}"#,
    );
    assert_eq!(question, asked.expect("it makes sense"));
}

#[test]
fn a_joint_lock_that_no_search_can_try_beside_the_others_is_named() {
    for (keys, words) in [
        (r#"["x", "z"]"#, "b, with other keys"),
        (
            r#"["x", "y", "z"]"#,
            "b, which no search can try (keys: a search has joint locks of 2 keys)",
        ),
    ] {
        let asked = Question::of_scenario(&scenario(keys)).expect(keys);
        let outside: Vec<_> = asked.outside.iter().map(|it| it.words.as_str()).collect();
        assert_eq!((asked.clients.len(), outside), (1, vec![words]));
    }
}
