//! Claims about the two ways to name a type: by code and by string.

use crate::common::resource;
use locket_sim::protocol::resource::{Resource, TypeCode};

fn typed(type_name: &str, type_code: TypeCode) -> Resource {
    Resource { type_name: type_name.into(), type_code, ..resource("test", "myself") }
}

/// The type of a normalised resource.
fn normalized(type_name: &str, type_code: TypeCode) -> (String, TypeCode) {
    let resource = typed(type_name, type_code).normalized();
    (resource.type_name, resource.type_code)
}

// B31
#[test]
fn a_code_decides_the_stored_type_and_only_without_one_the_string_does() {
    let stored = [
        typed("", TypeCode::Presence),
        typed("", TypeCode::Lock),
        typed("sandwich", TypeCode::Unknown),
    ]
    .map(|resource| resource.stored_type().to_owned());

    assert_eq!(stored, ["presence", "lock", "sandwich"]);
}

// B31
#[test]
fn a_code_without_a_name_leaves_the_string_as_it_is() {
    assert_eq!(typed("dog", TypeCode::Other(7)).stored_type(), "dog");
}

#[test]
fn a_string_stands_for_its_code_and_any_other_for_none() {
    let codes = ["presence", "lock", "sandwich"].map(TypeCode::from_name);

    assert_eq!(codes, [TypeCode::Presence, TypeCode::Lock, TypeCode::Unknown]);
}

// B30
#[test]
fn a_type_string_is_compared_exactly() {
    for name in ["", "Lock", "LOCK", "lock ", " presence", "presences"] {
        assert_eq!(TypeCode::from_name(name), TypeCode::Unknown, "{name:?}");
    }
}

#[test]
fn normalising_without_a_code_takes_it_from_the_string_and_keeps_the_string() {
    assert_eq!(normalized("lock", TypeCode::Unknown), ("lock".into(), TypeCode::Lock));
    assert_eq!(normalized("whut", TypeCode::Unknown), ("whut".into(), TypeCode::Unknown));
}

#[test]
fn normalising_with_a_code_replaces_a_string_that_disagrees() {
    assert_eq!(normalized("whut", TypeCode::Lock), ("lock".into(), TypeCode::Lock));
    assert_eq!(normalized("whut", TypeCode::Presence), ("presence".into(), TypeCode::Presence));
}

// B32
#[test]
fn normalising_leaves_key_owner_and_value_alone() {
    let resource = Resource { value: "test-value".into(), ..typed("whut", TypeCode::Lock) };

    let normalized = resource.clone().normalized();

    assert_eq!(normalized, Resource { type_name: "lock".into(), ..resource });
}

// B3: the enum is open on the wire.
#[test]
fn every_number_is_a_code_and_comes_back_as_the_same_number() {
    for number in [i32::MIN, -1, 0, 1, 2, 3, 7, i32::MAX] {
        assert_eq!(i32::from(TypeCode::from(number)), number);
    }
}

#[test]
fn only_the_three_declared_codes_are_members() {
    let members = [-1, 0, 1, 2, 3].map(|number| TypeCode::from(number).is_member());

    assert_eq!(members, [false, true, true, true, false]);
}
