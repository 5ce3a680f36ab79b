//! The table and statistics of a reference server, as they cross to JavaScript and back.

use js_sys::{Array, Number, Object};
use locket_sim::cluster::Stats;
use locket_sim::protocol::message::Method;
use locket_sim::protocol::profile::Schema;
use locket_sim::protocol::request_counters::MethodCounters;
use locket_sim::protocol::row::Row;
use serde::Serialize;
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

/// A column and its new value; `None` is NULL.
pub enum Column {
    ModifiedId(Option<String>),
    ModifiedIndex(Option<i64>),
    Owner(Option<String>),
    Path(String),
    Ttl(Option<i64>),
    Type(Option<String>),
    Value(Option<String>),
}

impl Column {
    /// Reads a whole row; what is left out is empty or 0, `null` is NULL.
    pub fn row_from_js(object: &JsValue) -> Result<Row, JsValue> {
        let columns = Self::read_all("row", object)?;
        if !columns.iter().any(|column| matches!(column, Self::Path(_))) {
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
        Self::set(&columns, &mut row);
        Ok(row)
    }

    /// Reads columns to set in all rows; what is left out stays, `null` is NULL.
    pub fn changes_from_js(object: &JsValue) -> Result<Vec<Self>, JsValue> {
        Self::read_all("columns", object)
    }

    /// Writes columns into a row.
    pub fn set(columns: &[Self], row: &mut Row) {
        for column in columns {
            match column {
                Self::ModifiedId(text) => row.modified_id.clone_from(text),
                Self::ModifiedIndex(number) => row.modified_index = *number,
                Self::Owner(text) => row.owner.clone_from(text),
                Self::Path(text) => row.path.clone_from(text),
                Self::Ttl(number) => row.ttl = *number,
                Self::Type(text) => row.type_name.clone_from(text),
                Self::Value(text) => row.value.clone_from(text),
            }
        }
    }

    // By hand: what derives from serde for this weighs more than all the rest of the bindings.
    fn read_all(argument: &str, object: &JsValue) -> Result<Vec<Self>, JsValue> {
        if !object.is_object() {
            let message = "expected an object".to_owned();
            return Err(ArgumentFailure::throw(argument, message));
        }
        Object::entries(object.unchecked_ref())
            .iter()
            .map(|member| {
                let member: Array = member.unchecked_into();
                let name = member.get(0).as_string().unwrap_or_default();
                Self::read(&name, &member.get(1)).map_err(|message| {
                    ArgumentFailure::throw(&format!("{argument}.{name}"), message)
                })
            })
            .collect()
    }

    fn read(name: &str, value: &JsValue) -> Result<Self, String> {
        let is_null = value.is_null() || value.is_undefined();
        let text = || match value.as_string() {
            None if !is_null => Err("expected a string".to_owned()),
            text => Ok(text),
        };
        let number = || match integer(value) {
            None if !is_null => Err("expected a whole number".to_owned()),
            number => Ok(number),
        };
        Ok(match name {
            "modified_id" => Self::ModifiedId(text()?),
            "modified_index" => Self::ModifiedIndex(number()?),
            "owner" => Self::Owner(text()?),
            "path" => Self::Path(text()?.ok_or("expected a string, not null")?),
            "ttl" => Self::Ttl(number()?),
            "type" => Self::Type(text()?),
            "value" => Self::Value(text()?),
            _ => {
                let columns = Row::columns(Schema::Documented).join(", ");
                return Err(format!("unknown; there are {columns}"));
            }
        })
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
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatsView {
    active_locks: usize,
    active_presences: usize,
    locks_expired: f64,
    presences_expired: f64,
    requests: RequestsView,
}

/// Counters by call.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RequestsView {
    fetch: CountersView,
    fetch_all: CountersView,
    lock: CountersView,
    release: CountersView,
}

/// Counters of one call.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CountersView {
    started: f64,
    succeeded: f64,
    failed: f64,
    in_flight: f64,
    cancelled: f64,
    latency_max_ms: f64,
}

impl From<Stats> for StatsView {
    fn from(stats: Stats) -> Self {
        let of = |method| CountersView::from(*stats.requests.of(method));
        Self {
            active_locks: stats.active_locks,
            active_presences: stats.active_presences,
            locks_expired: stats.expired.locks as f64,
            presences_expired: stats.expired.presences as f64,
            requests: RequestsView {
                fetch: of(Method::Fetch),
                fetch_all: of(Method::FetchAll),
                lock: of(Method::Lock),
                release: of(Method::Release),
            },
        }
    }
}

impl From<MethodCounters> for CountersView {
    fn from(counters: MethodCounters) -> Self {
        Self {
            started: counters.started as f64,
            succeeded: counters.succeeded as f64,
            failed: counters.failed as f64,
            in_flight: counters.in_flight as f64,
            cancelled: counters.cancelled as f64,
            latency_max_ms: counters.latency_max.as_ms() as f64,
        }
    }
}
