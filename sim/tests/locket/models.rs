//! Claims about the two ways to name a type: by code and by string.

use crate::common::resource;
use locket_sim::protocol::resource::{Resource, TypeCode};

/// The string and the code of a resource, and the type that a row gets.
// B30, B31, B32
#[test]
fn a_code_decides_the_type_and_only_without_one_the_string_does_exactly() {
    use TypeCode::{Lock, Other, Presence, Unknown};
    for (name, code, stored) in [
        ("", Presence, "presence"),
        ("", Lock, "lock"),
        ("whut", Lock, "lock"),
        ("whut", Presence, "presence"),
        ("lock", Unknown, "lock"),
        ("presence", Unknown, "presence"),
        ("sandwich", Unknown, "sandwich"),
        ("Lock", Unknown, "Lock"),
        ("lock ", Unknown, "lock "),
        (" presence", Unknown, " presence"),
        ("presences", Unknown, "presences"),
        ("", Unknown, ""),
        // A code without a name leaves the string as it is.
        ("dog", Other(7), "dog"),
    ] {
        let resource = Resource {
            value: "test-value".into(),
            type_name: name.into(),
            type_code: code,
            ..resource("test", "myself")
        };
        assert_eq!(resource.stored_type(), stored, "{name:?} {code:?}");
    }
}

// B3: the enum is open on the wire.
#[test]
fn every_number_is_a_code_of_which_three_are_declared_members() {
    for number in [i32::MIN, -1, 0, 1, 2, 3, 7, i32::MAX] {
        let code = TypeCode::from(number);
        assert_eq!(i32::from(code), number);
        assert_eq!(code.is_member(), (0..=2).contains(&number), "{number}");
    }
}
