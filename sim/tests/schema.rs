//! The JSON Schemas in files are those of the types that serde reads and writes.
//!
//! After a change of the types: `UPDATE_SCHEMAS=1 cargo test -p locket-sim --test schema`

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use std::path::Path;

use locket_sim::schema;

/// The schema as a file has it.
fn text(schema: &serde_json::Value) -> String {
    serde_json::to_string_pretty(schema).unwrap() + "\n"
}

fn check(file: &str, schema: &serde_json::Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let now = text(schema);
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let is_current = std::fs::read_to_string(path).unwrap() == now;
    assert!(is_current, "{file} is out of date; write it with UPDATE_SCHEMAS=1");
}

#[test]
fn the_schema_of_scenarios_is_that_of_the_types() {
    check("scenario.schema.json", &schema::scenario());
}

#[test]
fn the_schema_of_questions_is_that_of_the_types() {
    check("question.schema.json", &schema::question());
}

#[test]
fn the_schema_of_simulations_is_that_of_the_types() {
    check("simulation.schema.json", &schema::simulation());
}

#[test]
fn the_constants_for_other_programs_are_those_of_the_core() {
    check("constants.json", &schema::constants());
}

#[test]
fn the_schema_of_answers_is_that_of_the_types() {
    check("answer.schema.json", &schema::answer());
}
