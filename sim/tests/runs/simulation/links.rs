//! Claims about links, seeds and what was decided otherwise than usual: they bring others to the
//! same place.

use super::*;

// Links

#[test]
fn every_member_of_an_action_is_part_of_a_link() {
    let actions = [
        r#"{ "do": "cut", "from": "me", "to": "locket", "for": "2s", "oneWay": true }"#,
        r#"{ "do": "drain", "node": "locket-0" }"#,
        r#"{ "do": "fail-over", "lostCommits": 1 }"#,
        r#"{ "do": "lose-messages", "from": "me", "to": "locket", "count": 2 }"#,
        r#"{ "do": "note", "text": "here" }"#,
        r#"{ "do": "put-row", "key": "k", "owner": "o", "ttl": "9s" }"#,
        r#"{ "do": "set-latency", "from": "me", "to": "locket", "latency": "3ms" }"#,
        r#"{ "do": "set-loss", "from": "me", "to": "locket", "loss": "0.5%", "for": "1s" }"#,
    ];
    for action in actions {
        let text = OPEN.replacen('{', r#"{ "random": true, "#, 1);
        let mut simulation = simulation(&text);
        simulation.act_json(action).unwrap();

        let mut linked = Simulation::from_link(&simulation.link()).unwrap();

        simulation.run_to_end().unwrap();
        linked.run_to_end().unwrap();
        assert_eq!(linked.to_run(), simulation.to_run(), "{action}");
    }
}

#[test]
fn a_hostile_link_is_an_error() {
    let link = simulation(OPEN).link();
    for text in ["", "l1", "l1.", "l1.e30", "l2.e30", "x", "l1.\u{0}", "l1.====", "é", "l1.e30Ke30"]
    {
        assert!(Simulation::from_link(text).is_err(), "{text:?}");
    }
    for end in 0..link.len() {
        // A shorter one may by chance be whole, but never panics.
        let _ = Simulation::from_link(&link[..end]);
    }
    assert!(matches!(
        Simulation::from_link(&link.replacen("l1.", "l7.", 1)),
        Err(SimulationError::Link(message)) if message.contains("version")
    ));
}

#[test]
fn a_link_whose_acts_lie_is_read_all_the_same() {
    use base64::Engine as _;
    let encode = |header: &str| {
        let payload = format!("{header}\n{OPEN}").replace("\n        ", "").replace("\n    ", "");
        let encoded = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(payload);
        format!("l1.{encoded}")
    };
    let note = r#"{"at":"5ms","count":4000000000,"act":{"at":"5ms","do":"note","text":"x"}}"#;
    let link = encode(&format!(r#"{{"acts":[{note}],"at":"20s","count":9,"digest":"0"}}"#));
    let simulation = Simulation::from_link(&link).unwrap();
    assert!(!simulation.is_faithful());
    assert_eq!(simulation.now(), at(20_000));

    let twice = format!(r#"{{"acts":[{note},{note}],"at":"20s","count":9,"digest":"0"}}"#);
    assert!(Simulation::from_link(&encode(&twice)).is_err());
    let both = r#"{"acts":[{"at":"5ms","count":1}],"at":"1ms","count":1,"digest":""}"#;
    assert!(Simulation::from_link(&encode(both)).is_err());
    let far = r#"{"at":"18446744073709551614ms","count":1,"digest":""}"#;
    assert!(Simulation::from_link(&encode(far)).is_err());
}

// Seeds

/// The sum of the digests of 5,000 random runs of a faulty scenario, as `sweepSeeds` of the package tells it.
/// Node and the browsers are held to the same file.
#[test]
fn five_thousand_random_runs_have_their_recorded_digest() {
    let recorded = include_str!("../../data/faulty.digest").trim();
    let mut scenario = Scenario::from_json(FAULTY).unwrap();
    let mut all = 0_u64;
    for seed in 0..5_000 {
        scenario.seed = seed;
        let digest = scenario.run().digest.to_string();
        all = all.wrapping_add(u64::from_str_radix(&digest, 16).unwrap());
    }
    assert_eq!(format!("{all:016x}"), recorded);
}

// The decisions

#[test]
fn the_overrides_are_those_up_to_here_with_what_was_done_from_outside() {
    let mut random = simulation(&faulty(3));
    random.run_until(at(60_000)).unwrap();
    let first = random.overrides();
    random.act_json(r#"{ "do": "crash", "node": "a" }"#).unwrap();
    random.run_to_end().unwrap();
    let all = random.overrides();

    assert!(first.len() < all.len());
    assert!(first.iter().all(|(site, picked)| all.get(site) == Some(picked)));
    let mut plain = serde_json::from_str::<serde_json::Value>(&faulty(3)).unwrap();
    plain["random"] = false.into();
    plain["overrides"] = serde_json::to_value(random.overrides()).unwrap();
    let mut plain = simulation(&plain.to_string());
    plain.run_until(at(60_000)).unwrap();
    plain.act_json(r#"{ "do": "crash", "node": "a" }"#).unwrap();
    plain.run_to_end().unwrap();
    assert_eq!(plain.digest(), random.digest());
}

#[test]
fn a_lost_message_that_is_taken_from_the_overrides_arrives() {
    let mut random = simulation(&faulty(3));
    random.run_to_end().unwrap();
    let mut fewer = random.scenario().clone();
    fewer.random = false;
    let mut overrides = random.overrides();
    let is_loss = |site: &&Site| site.kind == SiteKind::Loss;
    let first = *overrides.keys().find(is_loss).unwrap();
    overrides.remove(&first);
    fewer.overrides = Some(overrides);

    assert_ne!(fewer.run().digest, random.digest());
}
