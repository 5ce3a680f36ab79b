//! Claims about Fetch and FetchAll requests.

use super::*;

// Fetch

#[test]
fn fetch_asks_the_database_once_and_answers_its_resource() {
    let request = fetch("test-fetch");

    let served = serve(&request, Ok(Outcome::Fetched(test_resource().into())), WAITING);

    assert_eq!(asked(&request), Ok(Operation::Fetch { key: "test-fetch" }));
    assert_eq!(served.answer, Ok(Response::Fetch(test_resource().into())));
    assert_eq!(served.counters(Method::Fetch), SUCCEEDED);
}

#[test]
fn fetch_hands_on_what_the_database_says() {
    let served = serve(&fetch("test-fetch"), boom(), WAITING);

    assert_eq!(served.answer, Err(database("Boom.")));
    assert_eq!(served.counters(Method::Fetch), FAILED);
}

// B25
#[test]
fn a_fetch_that_finds_nothing_counts_as_failure() {
    let nothing = Err(LockError::ResourceNotFound);

    let served = serve(&fetch("test-fetch"), nothing, WAITING);

    assert_eq!(served.counters(Method::Fetch), FAILED);
}

#[test]
fn fetch_without_a_table_stops_the_process() {
    check_unrecoverable(&fetch("test-fetch"));
}

#[test]
fn a_fetch_whose_caller_gave_up_is_logged() {
    let message = "context-cancelled";
    check_patience_is_logged(&fetch("test-fetch"), CANCELLED, message, "test-fetch", "");
}

#[test]
fn a_fetch_whose_caller_gave_up_is_counted_as_cancelled_beside_its_result() {
    let served = serve(&fetch("test-fetch"), boom(), CANCELLED);

    assert_eq!(served.counters(Method::Fetch), FAILED_AND_CANCELLED);
}

#[test]
fn a_fetch_whose_caller_ran_out_of_time_is_logged() {
    let message = "context-deadline-exceeded";
    check_patience_is_logged(&fetch("test-fetch"), TOO_LATE, message, "test-fetch", "");
}

#[test]
fn a_fetch_whose_caller_ran_out_of_time_is_not_counted_as_cancelled() {
    let served = serve(&fetch("test-fetch"), boom(), TOO_LATE);

    assert_eq!(served.counters(Method::Fetch), FAILED);
}

// FetchAll

#[test]
fn fetch_all_by_code_asks_for_that_type_and_answers_in_the_database_order() {
    for (code, type_filter) in [(TypeCode::Lock, "lock"), (TypeCode::Presence, "presence")] {
        let request = fetch_all("", code);

        let served = serve(&request, Ok(Outcome::FetchedAll(two_resources())), WAITING);

        assert_eq!(asked(&request), Ok(Operation::FetchAll { type_filter }));
        assert_eq!(served.answer, Ok(Response::FetchAll(two_resources())));
        assert_eq!(served.counters(Method::FetchAll), SUCCEEDED);
    }
}

// B21
#[test]
fn fetch_all_without_a_known_code_is_an_invalid_type() {
    for (name, code) in [
        ("", TypeCode::Unknown),
        ("dawg", TypeCode::Unknown),
        ("lock", TypeCode::Unknown),
        ("", TypeCode::Other(7)),
    ] {
        let request = fetch_all(name, code);

        let served = serve(&request, Ok(Outcome::FetchedAll(Vec::new())), WAITING);

        assert_eq!(served.answer, Err(LockError::InvalidType(Code::NotFound)));
        assert_eq!(served.counters(Method::FetchAll), FAILED);
        assert_eq!(served.logs.messages(), ["invalid-request"]);
    }
}

// Upstream tests the storage error but its test never reaches the storage.
#[test]
fn fetch_all_of_an_invalid_type_does_not_reach_the_database() {
    let request = fetch_all("", TypeCode::Unknown);

    assert_eq!(asked(&request), Err(LockError::InvalidType(Code::NotFound)));
}

// The storage error that upstream means to test.
#[test]
fn fetch_all_hands_on_what_the_database_says() {
    let served = serve(&fetch_all("", TypeCode::Lock), boom(), WAITING);

    assert_eq!(served.answer, Err(database("Boom.")));
    assert_eq!(served.counters(Method::FetchAll), FAILED);
}

#[test]
fn fetch_all_without_a_table_stops_the_process() {
    check_unrecoverable(&fetch_all("", TypeCode::Presence));
}

#[test]
fn a_fetch_all_whose_caller_gave_up_is_logged() {
    let request = fetch_all("", TypeCode::Unknown);
    check_patience_is_logged(&request, CANCELLED, "context-cancelled", "", "");
}

#[test]
fn a_fetch_all_whose_caller_gave_up_is_counted_as_cancelled_beside_its_result() {
    let served = serve(&fetch_all("", TypeCode::Unknown), boom(), CANCELLED);

    assert_eq!(served.counters(Method::FetchAll), FAILED_AND_CANCELLED);
}

#[test]
fn a_fetch_all_whose_caller_ran_out_of_time_is_logged() {
    let request = fetch_all("", TypeCode::Unknown);
    check_patience_is_logged(&request, TOO_LATE, "context-deadline-exceeded", "", "");
}

#[test]
fn a_fetch_all_whose_caller_ran_out_of_time_is_not_counted_as_cancelled() {
    let served = serve(&fetch_all("", TypeCode::Unknown), boom(), TOO_LATE);

    assert_eq!(served.counters(Method::FetchAll), FAILED);
}
