//! JSON Schema of actions: one shape for each `do`, so that editors and compilers know its members.
//!
//! serde reads every action into the one [`Action`], and a check refuses the members that mean
//! nothing to it: an enum of structs would be read into a buffer, and errors would lose their place.
//! [`ActionKind::members`] is what both follow.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use super::action::{Action, ActionKind};

/// An action that happens now.
struct Act;

impl JsonSchema for Act {
    fn schema_name() -> Cow<'static, str> {
        "ScenarioAct".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let members = members(generator);
        let kinds = members["do"]["oneOf"].as_array().cloned();
        let shapes = kinds.unwrap_or_default();
        let shapes = shapes.into_iter().map(|kind| shape(kind, &members));
        json_schema!({
            "description": "An action that happens now.",
            "oneOf": shapes.collect::<Vec<_>>(),
        })
    }
}

/// An action of a scenario: when it happens, and what.
pub(super) struct DatedAction;

impl JsonSchema for DatedAction {
    fn schema_name() -> Cow<'static, str> {
        "ScenarioAction".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let act = generator.subschema_for::<Act>();
        let schedule = generator.subschema_for::<Schedule>();
        json_schema!({
            "description": "An action at a moment of the run, once or repeatedly.",
            "allOf": [act, schedule],
            "unevaluatedProperties": false,
        })
    }
}

/// When an action happens.
struct Schedule;

impl JsonSchema for Schedule {
    fn schema_name() -> Cow<'static, str> {
        "ScenarioSchedule".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let members = members(generator);
        let once = json!({ "at": members["at"], "after": members["after"], "every": false, "until": false });
        let again = json!({
            "at": members["at"],
            "after": members["after"],
            "every": members["every"],
            "until": members["until"],
        });
        json_schema!({
            "description": "When an action happens: once, or at an interval.",
            "oneOf": [
                { "type": "object", "properties": once, "required": ["at"] },
                { "type": "object", "properties": again, "required": ["at", "every", "until"] },
            ],
        })
    }
}

/// The members of all actions, with their schemas.
fn members(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let mut schema = Action::json_schema(generator);
    let members = schema.get_mut("properties").and_then(Value::as_object_mut);
    let mut members = std::mem::take(members.expect("an action is an object"));
    // The default stands for a missing moment.
    members["at"]["default"].take();
    members
}

/// The object with this `do`.
fn shape(mut kind: Value, members: &Map<String, Value>) -> Value {
    let name = &kind["const"];
    let (needed, allowed) =
        ActionKind::deserialize(name).expect("the schema has the names that serde reads").members();
    if let Some(kind) = kind.as_object_mut() {
        kind.shift_remove("type");
    }
    let mut properties = Map::from_iter([("do".to_owned(), kind)]);
    for name in needed.iter().chain(allowed) {
        properties.insert((*name).to_owned(), members[*name].clone());
    }
    let required = [&["do"], needed].concat();
    json!({ "type": "object", "properties": properties, "required": required })
}
