//! Claims about calls by hand.

use super::*;

#[test]
fn a_call_is_answered_while_the_simulation_goes_on() {
    let mut simulation = simulation(OPEN);
    simulation.run_until(at(2_000)).unwrap();
    let call = simulation.call_json(LOCK).unwrap();
    assert_eq!(simulation.answer(call), CallAnswer::UnderWay);
    simulation.run_until(at(2_019)).unwrap();
    assert_eq!(simulation.answer(call), CallAnswer::UnderWay);
    simulation.run_until(at(2_020)).unwrap();
    let collision = Err(LockError::LockCollision);
    assert_eq!(simulation.answer(call), CallAnswer::Answered(&collision));

    let call = simulation.call_json(&LOCK.replace("\"k\"", "\"mine\"")).unwrap();
    simulation.run_until(at(3_000)).unwrap();
    assert_eq!(simulation.answer(call), CallAnswer::Answered(&Ok(Response::Lock)));
}

#[test]
fn a_call_with_a_timeout_is_given_up() {
    let mut simulation = simulation(OPEN);
    simulation.act_json(r#"{ "do": "cut", "from": "me", "to": "locket" }"#).unwrap();
    let call = LOCK.replace("\"ttl", "\"timeout\":\"3s\",\"ttl");
    let call = simulation.call_json(&call).unwrap();
    simulation.run_until(at(2_999)).unwrap();
    assert_eq!(simulation.answer(call), CallAnswer::UnderWay);
    simulation.run_until(at(3_000)).unwrap();
    let late = Err(LockError::DeadlineExceeded);
    assert_eq!(simulation.answer(call), CallAnswer::Answered(&late));
}

#[test]
fn a_caller_that_crashes_hears_nothing() {
    let mut simulation = simulation(OPEN);
    let call = simulation.call_json(LOCK).unwrap();
    simulation.act_json(r#"{ "do": "crash", "node": "me" }"#).unwrap();
    simulation.run_to_end().unwrap();
    assert_eq!(simulation.answer(call), CallAnswer::Crashed);
    assert!(simulation.call_json(LOCK).is_err());
}

#[test]
fn who_cannot_call_is_refused() {
    let mut simulation = simulation(OPEN);
    assert!(simulation.call_json(&LOCK.replacen("me", "a", 1)).is_err());
    assert!(simulation.call_json(&LOCK.replacen("me", "nobody", 1)).is_err());
    assert!(simulation.call_json("{}").is_err());
    simulation.call_json(LOCK).unwrap();
    assert!(simulation.call_json(LOCK).is_err(), "one call at a time");
}
