//! JSON that is not quite right: values of every kind, and changes of good texts.

use proptest::prelude::*;
use serde_json::{Map, Number, Value};

/// Texts that are near to something: names, times, numbers, and what other programs trip over.
const TEXTS: &[&str] = &[
    "",
    " ",
    "a",
    "b",
    "k",
    "bbs",
    "locket",
    "locket-0",
    "locket-15",
    "database",
    "0s",
    "1ms",
    "500ms",
    "1s",
    "1.5s",
    "5s",
    "15s",
    "2m",
    "1h",
    "8760h",
    "9223372036s",
    "18446744073709551615ms",
    "-1s",
    "5",
    "1e9s",
    "NaN",
    "upstream",
    "documented",
    "safe",
    "lock",
    "presence",
    "crash",
    "one-owner",
    "l0.1",
    "l18446744073709551615.0",
    "\u{0}",
    "\u{202e}",
    "\u{d7ff}",
    "é",
    "😀",
    "__proto__",
    "</script>",
    "\"\\\n",
];
const NUMBERS: &[i64] = &[
    0,
    1,
    2,
    3,
    7,
    16,
    17,
    255,
    256,
    999,
    1000,
    1001,
    65_536,
    1 << 31,
    (1 << 53) + 1,
    i64::MAX,
    -1,
    i64::MIN,
    -200_000,
    1_000_000,
];

/// A value, mostly small, with leaves that are near to something.
pub(super) fn value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 16, 4, |inner| {
        let name = prop_oneof![text(), Just("name".to_owned()), Just("do".to_owned())];
        let members = prop::collection::vec((name, inner.clone()), 0..4);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::Array),
            members.prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::Bool),
        2 => prop::sample::select(NUMBERS).prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(|it| Number::from_f64(it).map_or(Value::Null, Value::Number)),
        5 => text().prop_map(Value::String),
    ]
}

/// A text, mostly one of those above.
pub(super) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(TEXTS).prop_map(str::to_owned),
        2 => "[0-9]{1,3}(\\.[0-9]{1,3})?(ms|s|m|h)",
        1 => "\\PC{0,12}",
        1 => (0_usize..6_000).prop_map(|length| "x".repeat(length)),
    ]
}

/// A change of a value, at the place that `at` leads to.
#[derive(Clone, Debug)]
enum Change {
    /// A member is left out.
    Delete,
    /// A member has another name.
    Rename(String),
    /// An element is there twice.
    Repeat,
    /// Something else is there.
    Replace(Value),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        2 => Just(Change::Delete),
        1 => text().prop_map(Change::Rename),
        1 => Just(Change::Repeat),
        6 => value().prop_map(Change::Replace),
    ]
}

/// A change of a text, at the place that the number leads to.
#[derive(Clone, Debug)]
enum Slip {
    Cut,
    Insert(String),
    Overwrite(u8),
}

fn slip() -> impl Strategy<Value = Slip> {
    prop_oneof![
        Just(Slip::Cut),
        prop_oneof![text(), Just("[".repeat(300)), Just("1e999".to_owned())].prop_map(Slip::Insert),
        any::<u8>().prop_map(Slip::Overwrite),
    ]
}

/// Texts of good JSON, changed in some places; a few are broken as texts, too.
pub(super) fn changed(good: Vec<String>) -> impl Strategy<Value = String> {
    let changes = prop::collection::vec((any::<usize>(), change()), 0..4);
    let slips = prop_oneof![
        5 => Just(Vec::new()),
        1 => prop::collection::vec((any::<usize>(), slip()), 1..3),
    ];
    (prop::sample::select(good), changes, slips).prop_map(|(good, changes, slips)| {
        let mut value: Value = serde_json::from_str(&good).expect("good JSON");
        for (at, change) in changes {
            let places = count(&value);
            apply(&mut value, &mut (at % places), &change);
        }
        let mut text = value.to_string().into_bytes();
        for (at, slip) in slips {
            break_text(&mut text, at, slip);
        }
        String::from_utf8_lossy(&text).into_owned()
    })
}

/// How many values there are in one, itself included.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(elements) => elements.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Changes the value of this number, by counting down; whether it was there.
fn apply(value: &mut Value, at: &mut usize, change: &Change) -> bool {
    if *at == 0 {
        if let Change::Replace(other) = change {
            *value = other.clone();
        }
        return true;
    }
    *at -= 1;
    match value {
        Value::Array(elements) => change_element(elements, at, change),
        Value::Object(members) => change_member(members, at, change),
        Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => false,
    }
}

fn change_element(elements: &mut Vec<Value>, at: &mut usize, change: &Change) -> bool {
    for index in 0..elements.len() {
        let is_here = *at == 0;
        if apply(&mut elements[index], at, change) {
            match change {
                Change::Delete if is_here => drop(elements.remove(index)),
                Change::Repeat if is_here => elements.push(elements[index].clone()),
                Change::Delete | Change::Rename(_) | Change::Repeat | Change::Replace(_) => {}
            }
            return true;
        }
    }
    false
}

fn change_member(members: &mut Map<String, Value>, at: &mut usize, change: &Change) -> bool {
    let names: Vec<String> = members.keys().cloned().collect();
    for name in names {
        let is_here = *at == 0;
        if apply(&mut members[&name], at, change) {
            match change {
                Change::Delete if is_here => drop(members.remove(&name)),
                Change::Rename(other) if is_here => {
                    let moved = members.remove(&name);
                    members.insert(other.clone(), moved.unwrap_or_default());
                }
                Change::Delete | Change::Rename(_) | Change::Repeat | Change::Replace(_) => {}
            }
            return true;
        }
    }
    false
}

fn break_text(text: &mut Vec<u8>, at: usize, slip: Slip) {
    let at = at % (text.len() + 1);
    match slip {
        Slip::Cut => text.truncate(at),
        Slip::Insert(more) => drop(text.splice(at..at, more.into_bytes())),
        Slip::Overwrite(byte) => text.splice(at..(at + 1).min(text.len()), [byte]).for_each(drop),
    }
}
