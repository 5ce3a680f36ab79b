//! The table and statistics of a reference server, as they cross to JavaScript and back.

use js_sys::{Array, Number, Object};
use locket_sim::cluster::Stats;
use locket_sim::protocol::message::Method;
use locket_sim::protocol::profile::Schema;
use locket_sim::protocol::row::Row;
use wasm_bindgen::{JsCast as _, JsValue};

use super::failure::ArgumentFailure;
use super::views::object;

/// A row with the documented columns, in the schema's order.
pub fn row_to_js(row: &Row, schema: Schema) -> JsValue {
    object(Row::columns(schema).map(|column| {
        let value = match column {
            "path" => JsValue::from(&row.path),
            "owner" => text(&row.owner),
            "value" => text(&row.value),
            "type" => text(&row.type_name),
            "modified_id" => text(&row.modified_id),
            "ttl" => number(row.ttl),
            _ => number(row.modified_index),
        };
        (column, value)
    }))
}

fn text(column: &Option<String>) -> JsValue {
    column.as_ref().map_or(JsValue::NULL, JsValue::from)
}

/// Beyond 2^53 the nearest number that JavaScript has.
fn number(column: Option<i64>) -> JsValue {
    column.map_or(JsValue::NULL, |number| JsValue::from(number as f64))
}

/// Columns and their new values.
pub struct Columns(Vec<(String, Edit)>);

/// Writes a column into a row.
type Edit = Box<dyn Fn(&mut Row)>;

impl Columns {
    /// Reads a whole row; what is left out is empty or 0, `null` is NULL.
    pub fn row_from_js(object: &JsValue) -> Result<Row, JsValue> {
        let columns = Self::read_all("row", object)?;
        if !columns.0.iter().any(|(name, _)| name == "path") {
            let message = "path is missing".to_owned();
            return Err(ArgumentFailure::throw("row", message));
        }
        let empty = || Some(String::new());
        let mut row = Row {
            path: String::new(),
            owner: empty(),
            value: empty(),
            type_name: empty(),
            ttl: Some(0),
            modified_id: empty(),
            modified_index: Some(0),
        };
        columns.set(&mut row);
        Ok(row)
    }

    /// Reads columns to set in all rows; what is left out stays, `null` is NULL.
    pub fn changes_from_js(object: &JsValue) -> Result<Self, JsValue> {
        Self::read_all("columns", object)
    }

    /// Writes them into a row.
    pub fn set(&self, row: &mut Row) {
        for (_, edit) in &self.0 {
            edit(row);
        }
    }

    // By hand: what derives from serde for this weighs more than all the rest of the bindings.
    fn read_all(argument: &str, object: &JsValue) -> Result<Self, JsValue> {
        if !object.is_object() {
            let message = "expected an object".to_owned();
            return Err(ArgumentFailure::throw(argument, message));
        }
        let members = Object::entries(object.unchecked_ref());
        let edits = members.iter().map(|member| {
            let member: Array = member.unchecked_into();
            let name = member.get(0).as_string().unwrap_or_default();
            match read(&name, &member.get(1)) {
                Ok(edit) => Ok((name, edit)),
                Err(message) => Err(ArgumentFailure::throw(&format!("{argument}.{name}"), message)),
            }
        });
        edits.collect::<Result<_, _>>().map(Self)
    }
}

fn read(name: &str, value: &JsValue) -> Result<Edit, String> {
    let is_null = value.is_null() || value.is_undefined();
    let text = |column: fn(&mut Row) -> &mut Option<String>| -> Result<Edit, String> {
        match value.as_string() {
            None if !is_null => Err("expected a string".to_owned()),
            text => Ok(Box::new(move |row| column(row).clone_from(&text))),
        }
    };
    let number = |column: fn(&mut Row) -> &mut Option<i64>| -> Result<Edit, String> {
        match integer(value) {
            None if !is_null => Err("expected a whole number".to_owned()),
            number => Ok(Box::new(move |row| *column(row) = number)),
        }
    };
    match name {
        "modified_id" => text(|row| &mut row.modified_id),
        "modified_index" => number(|row| &mut row.modified_index),
        "owner" => text(|row| &mut row.owner),
        "path" => match value.as_string() {
            Some(path) => Ok(Box::new(move |row| row.path.clone_from(&path))),
            None if is_null => Err("expected a string, not null".to_owned()),
            None => Err("expected a string".to_owned()),
        },
        "ttl" => number(|row| &mut row.ttl),
        "type" => text(|row| &mut row.type_name),
        "value" => text(|row| &mut row.value),
        _ => {
            let columns = Row::columns(Schema::Documented).join(", ");
            Err(format!("unknown; there are {columns}"))
        }
    }
}

/// A number that JavaScript holds exactly, or a bigint of 64 bits.
fn integer(value: &JsValue) -> Option<i64> {
    match value.as_f64() {
        Some(number) => Number::is_safe_integer(value).then_some(number as i64),
        None => i64::try_from(value.clone()).ok(),
    }
}

/// The metrics that operators see.
pub fn stats_to_js(stats: &Stats) -> JsValue {
    let counters = |method| {
        let counters = stats.requests.of(method);
        object([
            ("started", count(counters.started)),
            ("succeeded", count(counters.succeeded)),
            ("failed", count(counters.failed)),
            ("inFlight", count(counters.in_flight)),
            ("cancelled", count(counters.cancelled)),
            ("latencyMaxMs", count(counters.latency_max.as_ms())),
        ])
    };
    object([
        ("activeLocks", count(stats.active_locks as u64)),
        ("activePresences", count(stats.active_presences as u64)),
        ("locksExpired", count(stats.expired.locks)),
        ("presencesExpired", count(stats.expired.presences)),
        (
            "requests",
            object([
                ("fetch", counters(Method::Fetch)),
                ("fetchAll", counters(Method::FetchAll)),
                ("lock", counters(Method::Lock)),
                ("release", counters(Method::Release)),
            ]),
        ),
    ])
}

fn count(number: u64) -> JsValue {
    (number as f64).into()
}
