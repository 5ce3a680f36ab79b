//! JSON Schema of what is read from text and of what is written: behind the feature `schema`, and
//! in no wasm module.
//!
//! Types that serde derives have a derived schema beside it. Here are the values that have a text
//! form of their own, and what the derived schemas have in common.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::check::{
    self, AdviceView, AnswerView, CellView, Cost, Count, FAULT_COUNT_MAX, Fault, FaultArgument,
    FaultsText, QuestionText, RunQuestion, SurvivalView, VisibleStates,
};
use crate::node::connection::back_off::{FACTOR, FIRST, JITTER};
use crate::protocol::expiry::TTL_SECONDS_MAX;
use crate::protocol::profile::{Profile, ProfileChanges, ProfilePreset};
use crate::protocol::runner::{TIMEOUTS, Timeout, rule_members};
use crate::protocol::server::{OPERATION_TIMEOUT, POLL_INTERVAL};
use crate::scenario::{
    Latency, LatencyRange, PROCESSES_MAX, RunnerKind, STEPS_DEFAULT, Scenario, Share, TTL_DEFAULT,
};
use crate::simulation::{BranchView, Minimized, NodeFault, SafetyMargin, Span, State, Timeline};
use crate::time::{Duration, Time};
use crate::trace::{Digest, RunView};
use crate::world::choice::Site;

/// The schemas of what is read and written, and constants, each with its name.
pub fn all() -> [(&'static str, Value); 6] {
    [
        ("scenario.schema", of::<Scenario>()),
        ("question.schema", of::<QuestionText>()),
        ("simulation.schema", simulation()),
        ("answer.schema", answer()),
        ("constants", constants()),
        ("rule-members", rule_members()),
    ]
}

/// The JSON Schemas of the views of a simulation, as definitions.
fn simulation() -> Value {
    let mut generator = written();
    generator.subschema_for::<State>();
    generator.subschema_for::<Timeline>();
    generator.subschema_for::<Span>();
    generator.subschema_for::<BranchView>();
    generator.subschema_for::<RunView<'_>>();
    definitions("Views of a simulation", generator)
}

/// The JSON Schemas of the answers of the checker, as definitions.
fn answer() -> Value {
    let mut generator = written();
    generator.subschema_for::<AnswerView<'_>>();
    generator.subschema_for::<CellView>();
    generator.subschema_for::<AdviceView<'_>>();
    generator.subschema_for::<SurvivalView<'_>>();
    generator.subschema_for::<Cost>();
    generator.subschema_for::<RunQuestion>();
    generator.subschema_for::<NodeFault>();
    generator.subschema_for::<SafetyMargin>();
    generator.subschema_for::<Minimized>();
    definitions("Answers of the checker", generator)
}

/// Numbers of the core that programs around it need, each with its name and meaning. Times are in
/// milliseconds.
fn constants() -> Value {
    let ratio = |(part, whole): (u64, u64)| part as f64 / whole as f64;
    let constants = [
        ("BACK_OFF_FACTOR", json!(ratio(FACTOR)), "By how much longer grpc-go waits each time."),
        ("BACK_OFF_FIRST_MS", json!(FIRST.as_ms()), "Its first wait after a failed connection."),
        ("BACK_OFF_JITTER", json!(ratio(JITTER)), "By which share all but the first vary."),
        ("CLIENTS_SEARCHED_MAX", json!(check::CLIENTS_MAX), "The most clients of a search."),
        (
            "OPERATION_TIMEOUT_MS",
            json!(OPERATION_TIMEOUT.as_ms()),
            "How long Locket waits for its database in a call.",
        ),
        (
            "POLL_INTERVAL_MS",
            json!(POLL_INTERVAL.as_ms()),
            "How often a Locket process looks for rows that others have written.",
        ),
        (
            "PROCESSES_MAX",
            json!(PROCESSES_MAX),
            "The most Locket processes of a server or a scenario.",
        ),
        (
            "PROCESSES_SEARCHED_MAX",
            json!(check::PROCESSES_MAX),
            "The most Locket processes of a search.",
        ),
        (
            "STEPS_DEFAULT",
            json!(STEPS_DEFAULT),
            "The most steps of a run that says no other limit.",
        ),
        ("TTL_DEFAULT_MS", json!(TTL_DEFAULT.as_ms()), "The TTL of a lock that says none."),
        (
            "TTL_SECONDS_MAX",
            json!(TTL_SECONDS_MAX),
            "The longest TTL whose nanoseconds Locket can count.",
        ),
    ];
    let named = constants
        .into_iter()
        .map(|(name, value, meaning)| json!({ "name": name, "value": value, "meaning": meaning }));
    named.collect()
}

fn of<T: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    finished(generator.into_root_schema_for::<T>())
}

/// A generator of schemas of what is written: no member is left out unless its type says so.
fn written() -> SchemaGenerator {
    SchemaSettings::draft2020_12().for_serialize().into_generator()
}

/// The definitions that a generator was asked for.
fn definitions(title: &str, mut generator: SchemaGenerator) -> Value {
    let mut definitions = generator.take_definitions(false);
    definitions.remove("Duration");
    let mut schema = json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "$defs": definitions,
    });
    RecursiveTransform(count_duration).transform(&mut schema);
    finished(schema)
}

fn finished(mut schema: Schema) -> Value {
    RecursiveTransform(bound_integers).transform(&mut schema);
    RecursiveTransform(join_lines).transform(&mut schema);
    RecursiveTransform(spell_duration).transform(&mut schema);
    RecursiveTransform(drop_null_default).transform(&mut schema);
    schema.into()
}

/// An integer's limits instead of the name of its Rust type, which other programs do not know.
fn bound_integers(schema: &mut Schema) {
    let format = schema.get("format").and_then(Value::as_str);
    let limits = match format {
        Some("int32") => (json!(i32::MIN), json!(i32::MAX)),
        Some("uint") | Some("uint64") => (json!(0), json!(u64::MAX)),
        Some("uint8") => (json!(0), json!(u8::MAX)),
        Some("uint32") => (json!(0), json!(u32::MAX)),
        _ => return,
    };
    schema.remove("format");
    for (name, limit) in [("minimum", limits.0), ("maximum", limits.1)] {
        if schema.get(name).is_none() {
            schema.insert(name.to_owned(), limit);
        }
    }
}

/// The lines of a doc comment are one text; an empty line begins a new paragraph.
fn join_lines(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let paragraphs = text.split("\n\n").map(|lines| lines.replace('\n', " "));
        *text = paragraphs.collect::<Vec<_>>().join("\n\n");
    }
}

/// A member without a default says nothing about one.
fn drop_null_default(schema: &mut Schema) {
    // Also one of an object, which is told member by member.
    if schema.get("default").is_some_and(|it| it.is_null() || it.is_object()) {
        schema.remove("default");
    }
}

fn is_duration(schema: &Schema) -> bool {
    schema.get("$ref").and_then(Value::as_str) == Some("#/$defs/Duration")
}

/// A duration as it is written: a number of milliseconds.
fn count_duration(schema: &mut Schema) {
    if is_duration(schema) {
        schema.remove("$ref");
        schema.insert("type".to_owned(), "integer".into());
        schema.insert("minimum".to_owned(), 0.into());
    }
}

/// The default of a duration as it is read: with its unit.
fn spell_duration(schema: &mut Schema) {
    let is_read = is_duration(schema);
    if let Some(Value::Number(ms)) = schema.get("default").filter(|_| is_read) {
        let default = Duration::from_ms(ms.as_u64().unwrap_or_default());
        schema.insert("default".to_owned(), default.to_string().into());
    }
}

/// Members that may be left out are not `null` instead.
pub(crate) fn without_null(schema: &mut Schema) {
    let members = schema.get_mut("properties").and_then(Value::as_object_mut);
    for member in members.into_iter().flat_map(|it| it.values_mut()) {
        let Some(member) = member.as_object_mut() else {
            continue;
        };
        if let Some(Value::Array(types)) = member.get_mut("type") {
            types.retain(|it| it != "null");
            if let [only] = &types[..] {
                let only = only.clone();
                member.insert("type".to_owned(), only);
            }
        }
        if let Some(Value::Array(choices)) = member.get_mut("anyOf") {
            choices.retain(|it| *it != json!({ "type": "null" }));
            if let [Value::Object(only)] = &choices[..] {
                let only = only.clone();
                member.shift_remove("anyOf");
                // A keyword of the member replaces the same keyword of its type.
                for (name, value) in only {
                    member.entry(name).or_insert(value);
                }
            }
        }
    }
}

/// Types that are written as another type, and described where they stand.
macro_rules! written_as {
    ($( $written:ty => $shape:ty, )*) => { $(
        impl JsonSchema for $written {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                <$shape>::schema_name()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                <$shape>::json_schema(generator)
            }
        }
    )* };
}

written_as! {
    Digest => String,
    Site => String,
    Time => u64,
}

/// A schema with a name of its own.
macro_rules! schema_of {
    ($type:ty, $name:literal, |$generator:pat_param| $schema:expr) => {
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

// Read as a text; written ones are numbers.
schema_of!(Duration, "Duration", |_| json_schema!({
    "description": "A length of time with its unit, such as `15s`, `250ms`, `1.5m` or `2h`.",
    "type": "string",
    "pattern": r"^\s*[0-9]+(\.[0-9]+)?\s*(ms|s|m|h)\s*$",
}));

/// A rule of a user's own may have a name.
pub(crate) fn with_name(schema: &mut Schema) {
    let name =
        json!({ "description": "What answers call it; `own rule` by default.", "type": "string" });
    if let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        members.insert("name".to_owned(), name);
    }
}

/// A runner as answers have it: its name, or its rule with texts for times.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "only its schema is of use")]
pub(crate) enum RunnerAnswer {
    Name(RunnerKind),
    Rule(serde_json::Map<String, Value>),
}

schema_of!(Timeout, "RunnerTimeout", |generator| json_schema!({
    "description": "How long a call may take: a time of its own, or one that follows from the settings.",
    "anyOf": [generator.subschema_for::<Duration>(), { "enum": TIMEOUTS.split(' ').collect::<Vec<_>>() }],
}));

schema_of!(Share, "Share", |_| json_schema!({
    "description": "A percentage from 0 to 100 with at most one decimal, such as `30%` or `0.5%`.",
    "type": "string",
    "pattern": r"^\s*([0-9]{1,2}(\.[0-9])?|0[0-9]{2}(\.[0-9])?|100(\.0)?)\s*%\s*$",
}));

schema_of!(Latency, "ScenarioLatency", |generator| json_schema!({
    "description": "How long a message takes: one duration, or a range. A run that is not random takes the minimum of a range.",
    "oneOf": [generator.subschema_for::<Duration>(), generator.subschema_for::<LatencyRange>()],
}));

schema_of!(Profile, "ProfileChoice", |generator| json_schema!({
    "description": "The name of a preset, or a preset with single switches changed.",
    "oneOf": [generator.subschema_for::<ProfilePreset>(), generator.subschema_for::<ProfileChanges>()],
}));

/// A number, or any.
impl JsonSchema for Count {
    fn schema_name() -> Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [
                { "type": "integer", "minimum": 0, "maximum": FAULT_COUNT_MAX },
                { "const": "any" },
            ],
        })
    }

    fn inline_schema() -> bool {
        true
    }
}

/// A fault that only has a count.
struct FaultCount;

schema_of!(FaultCount, "FaultCount", |generator| fault_schema(generator, &[]));

/// A fault that lasts.
struct FaultLength;

schema_of!(FaultLength, "FaultLength", |generator| {
    let length = generator.subschema_for::<Duration>();
    fault_schema(generator, &[("length", length, "The longest one.")])
});

/// A fault that brings something down.
struct FaultDowntime;

schema_of!(FaultDowntime, "FaultDowntime", |generator| {
    let length = generator.subschema_for::<Duration>();
    let words = "The longest downtime; 0s by default.";
    fault_schema(generator, &[("length", length, words)])
});

/// A failover.
struct FaultCommits;

schema_of!(FaultCommits, "FaultCommits", |generator| {
    let commits = json_schema!({ "type": "integer", "minimum": 0, "maximum": u8::MAX });
    let commits = ("lostCommits", commits, "How many commits one loses; 1 by default.");
    fault_schema(generator, &[commits])
});

/// A count, the first of the other members, or an object of all.
fn fault_schema(generator: &mut SchemaGenerator, more: &[(&str, Schema, &str)]) -> Schema {
    let mut properties = serde_json::Map::new();
    for (name, schema, meaning) in more {
        let mut schema = schema.clone();
        schema.insert("description".to_owned(), json!(meaning));
        properties.insert((*name).to_owned(), schema.into());
    }
    let mut count = generator.subschema_for::<Count>();
    let mut forms = vec![count.clone().to_value()];
    if let Some((_, length, _)) = more.first().filter(|(name, ..)| *name == "length") {
        forms.push(length.clone().to_value());
    }
    let usual = "How often it may happen. Left out, any number of times, or once where that is neither \
        proved nor broken.";
    count.insert("description".to_owned(), json!(usual));
    properties.insert("count".to_owned(), count.into());
    forms.push(json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    }));
    json_schema!({ "anyOf": forms })
}

// All faults by their names.
schema_of!(FaultsText, "Faults", |generator| {
    let mut properties = serde_json::Map::new();
    for fault in Fault::ALL {
        let mut schema = match fault.takes() {
            FaultArgument::Downtime => generator.subschema_for::<FaultDowntime>(),
            FaultArgument::Length => generator.subschema_for::<FaultLength>(),
            FaultArgument::LostCommits => generator.subschema_for::<FaultCommits>(),
            FaultArgument::None => generator.subschema_for::<FaultCount>(),
        };
        schema.insert("description".to_owned(), json!(fault.meaning()));
        properties.insert(fault.name().to_owned(), schema.into());
    }
    json_schema!({
        "type": "object",
        "description": "The faults that may happen in a search, each by its name.",
        "properties": properties,
        "additionalProperties": false,
    })
});

// One hexadecimal digit for each four states.
schema_of!(VisibleStates, "VisibleStates", |_| json_schema!({
    "description": "A set of states, one bit for each.",
    "type": "string",
    "pattern": "^[0-9a-fA-F]*$",
}));
