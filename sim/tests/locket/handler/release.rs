//! Claims about Release requests.

use super::*;

#[test]
fn release_is_in_flight_while_the_database_is_silent() {
    let request = test_release();
    let mut server = Server::new(Profile::UPSTREAM, s(0));

    let (_call, _) = server.begin(&request, s(0));

    assert_eq!(server.requests().of(Method::Release).in_flight, 1);
}

#[test]
fn release_is_in_flight_no_more_once_the_database_answered() {
    let served = serve(&test_release(), Ok(Outcome::Released), WAITING);

    assert_eq!(served.counters(Method::Release).in_flight, 0);
}

#[test]
fn release_asks_the_database_once_for_that_key_and_owner() {
    let request = test_release();

    let served = serve(&request, Ok(Outcome::Released), WAITING);

    let (key, owner) = ("test", "myself");
    assert_eq!(asked(&request), Ok(Operation::Release { key, owner }));
    assert_eq!(served.answer, Ok(Response::Release));
    assert_eq!(served.counters(Method::Release), SUCCEEDED);
}

#[test]
fn release_hands_on_what_the_database_says() {
    let served = serve(&test_release(), boom(), WAITING);

    assert_eq!(served.answer, Err(database("Boom.")));
    assert_eq!(served.counters(Method::Release), FAILED);
}

// B25
#[test]
fn a_collision_of_release_counts_as_success() {
    let served = serve(&test_release(), Err(LockError::LockCollision), WAITING);

    assert_eq!(served.answer, Err(LockError::LockCollision));
    assert_eq!(served.counters(Method::Release), SUCCEEDED);
}

#[test]
fn release_without_a_table_stops_the_process() {
    check_unrecoverable(&test_release());
}

#[test]
fn a_release_whose_caller_gave_up_is_logged() {
    let message = "context-cancelled";
    check_patience_is_logged(&test_release(), CANCELLED, message, "test", "myself");
}

#[test]
fn a_release_whose_caller_gave_up_is_counted_as_cancelled_beside_its_result() {
    let served = serve(&test_release(), boom(), CANCELLED);

    assert_eq!(served.counters(Method::Release), FAILED_AND_CANCELLED);
}

#[test]
fn a_release_whose_caller_ran_out_of_time_is_logged() {
    let message = "context-deadline-exceeded";
    check_patience_is_logged(&test_release(), TOO_LATE, message, "test", "myself");
}

#[test]
fn a_release_whose_caller_ran_out_of_time_is_not_counted_as_cancelled() {
    let served = serve(&test_release(), boom(), TOO_LATE);

    assert_eq!(served.counters(Method::Release), FAILED);
}

// B19
#[test]
fn upstream_release_validates_nothing() {
    let request = Request::Release {
        resource: Some(Resource {
            type_code: TypeCode::Other(7),
            type_name: "dog".into(),
            ..Resource::default()
        }),
    };

    let (key, owner) = ("", "");
    assert_eq!(asked(&request), Ok(Operation::Release { key, owner }));
}
