//! One row of the `locks` table: as SQL shows it, and as it is stored.
//!
//! [`Row`] has the documented columns, any of which an operator may have set to NULL.
//! The stored form shares its strings with snapshots of timers and fits in few cache lines.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::Serialize;

use super::agenda::{Alarm, HasAlarm};
use super::error::LockError;
use super::id_source::ModifiedId;
use super::profile::Schema;
use super::resource::{LOCK, PRESENCE, Resource, TypeCode};

/// A row of the `locks` table, with the documented columns. `null` is SQL's NULL, which only an
/// operator writes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Row {
    /// The key, which is the primary key; at most 255 characters.
    pub path: String,
    /// The owner; at most 255 characters.
    pub owner: Option<String>,
    /// Free text; at most 4096 characters.
    pub value: Option<String>,
    /// `lock`, `presence`, or another text that was written to the table; at most 255
    /// characters.
    #[serde(rename = "type")]
    pub type_name: Option<String>,
    /// The TTL in seconds.
    pub ttl: Option<i64>,
    /// Created with the row, kept through renewals; at most 255 characters.
    pub modified_id: Option<String>,
    /// 1 in a new row; each renewal adds 1.
    pub modified_index: Option<i64>,
}

impl Row {
    /// The columns' names in the order of a schema.
    pub const fn columns(schema: Schema) -> [&'static str; 7] {
        match schema {
            Schema::Documented => {
                ["path", "owner", "value", "type", "ttl", "modified_id", "modified_index"]
            }
            Schema::Upstream => {
                ["path", "owner", "value", "type", "modified_index", "modified_id", "ttl"]
            }
        }
    }

    /// The driver's own error, which reaches clients verbatim, for the first column that a read scans
    /// and cannot take, since it is NULL (B38).
    fn scan_error(&self) -> Option<LockError> {
        let columns = [
            ("owner", "string", self.owner.is_none()),
            ("value", "string", self.value.is_none()),
            ("type", "string", self.type_name.is_none()),
            ("modified_index", "int64", self.modified_index.is_none()),
            ("modified_id", "string", self.modified_id.is_none()),
            ("ttl", "int64", self.ttl.is_none()),
        ];
        let index = columns.iter().position(|(.., is_null)| *is_null)?;
        let (name, kind, _) = columns[index];
        Some(LockError::Database(
            format!(
                "sql: Scan error on column index {index}, name {name:?}: converting NULL to {kind} is \
                 unsupported"
            )
            .into(),
        ))
    }
}

impl fmt::Display for Row {
    /// `'bbs' owner=bbs-0 type=lock ttl=15 index=3`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "NULL".into());
        let number =
            |value: Option<i64>| value.map_or_else(|| "NULL".into(), |value| value.to_string());
        write!(
            f,
            "'{}' owner={} type={} ttl={} index={}",
            self.path,
            text(&self.owner),
            text(&self.type_name),
            number(self.ttl),
            number(self.modified_index),
        )
    }
}

/// The `type` column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RowType {
    /// `lock`
    Lock,
    /// `presence`
    Presence,
    /// Any other text.
    Other(Arc<str>),
}

impl RowType {
    /// The column's text.
    pub fn name(&self) -> &str {
        match self {
            Self::Lock => LOCK,
            Self::Presence => PRESENCE,
            Self::Other(name) => name,
        }
    }
}

impl From<&str> for RowType {
    fn from(name: &str) -> Self {
        match TypeCode::from_name(name) {
            TypeCode::Lock => Self::Lock,
            TypeCode::Presence => Self::Presence,
            TypeCode::Unknown | TypeCode::Other(_) => Self::Other(name.into()),
        }
    }
}

/// The parts of a row that a timer keeps, and compares before it deletes the row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Registration {
    /// The key.
    pub key: Arc<str>,
    /// The owner at that time.
    pub owner: Arc<str>,
    /// The type at that time; decides which counter an expiry raises.
    pub row_type: RowType,
    /// The row's id at that time.
    pub modified_id: ModifiedId,
    /// The row's index at that time.
    pub modified_index: i64,
    /// The TTL in seconds; not compared.
    pub ttl_in_seconds: i64,
}

/// A row as it was written: shares its texts with the table, so that telling of a write costs
/// no copies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WrittenRow {
    pub(crate) path: Arc<str>,
    pub(crate) owner: Arc<str>,
    pub(crate) value: Arc<str>,
    pub(crate) row_type: RowType,
    pub(crate) ttl: i64,
    pub(crate) modified_id: ModifiedId,
    pub(crate) modified_index: i64,
    /// Set by an operator only; then the columns above are not what the row says.
    pub(crate) nulls: Option<Arc<Row>>,
}

impl WrittenRow {
    /// The key.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Who holds it; `None` for NULL.
    pub fn owner(&self) -> Option<&str> {
        match &self.nulls {
            Some(row) => row.owner.as_deref(),
            None => Some(&self.owner),
        }
    }

    /// The row with all its columns.
    pub fn to_row(&self) -> Row {
        if let Some(row) = &self.nulls {
            return (**row).clone();
        }
        Row {
            path: self.path.to_string(),
            owner: Some(self.owner.to_string()),
            value: Some(self.value.to_string()),
            type_name: Some(self.row_type.name().to_owned()),
            ttl: Some(self.ttl),
            modified_id: Some(self.modified_id.to_string()),
            modified_index: Some(self.modified_index),
        }
    }
}

impl From<Row> for WrittenRow {
    /// A row from the columns that an operator wrote.
    fn from(row: Row) -> Self {
        let text = |column: &Option<String>| column.clone().unwrap_or_default();
        Self {
            path: row.path.as_str().into(),
            owner: text(&row.owner).into(),
            value: text(&row.value).into(),
            row_type: text(&row.type_name).as_str().into(),
            ttl: row.ttl.unwrap_or_default(),
            modified_id: text(&row.modified_id).as_str().into(),
            modified_index: row.modified_index.unwrap_or_default(),
            nulls: row.scan_error().map(|_| Arc::new(row)),
        }
    }
}

impl fmt::Display for WrittenRow {
    /// The same as that of [`Row`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_row().fmt(f)
    }
}

/// A row as it is kept.
#[derive(Clone, Debug)]
pub(super) struct StoredRow {
    /// The row as it was written last.
    pub(super) row: WrittenRow,
    /// Order of creation among the table's rows; the table sets it.
    pub(super) inserted: u64,
    /// Order of the last write among the table's rows; the table sets it.
    pub(super) written: u64,
    /// When the row goes, where expiry is exact.
    pub(super) alarm: Alarm,
}

impl Deref for StoredRow {
    type Target = WrittenRow;

    fn deref(&self) -> &WrittenRow {
        &self.row
    }
}

impl DerefMut for StoredRow {
    fn deref_mut(&mut self) -> &mut WrittenRow {
        &mut self.row
    }
}

impl HasAlarm for Box<StoredRow> {
    fn alarm(&mut self) -> &mut Alarm {
        &mut self.alarm
    }

    fn order(&self) -> u64 {
        self.written
    }
}

impl From<WrittenRow> for StoredRow {
    fn from(row: WrittenRow) -> Self {
        Self { row, inserted: 0, written: 0, alarm: Alarm::default() }
    }
}

impl StoredRow {
    /// The row, if a read can scan it.
    pub(super) fn scan(&self) -> Result<&Self, LockError> {
        self.nulls.as_ref().and_then(|row| row.scan_error()).map_or(Ok(self), Err)
    }

    /// True if lists show the row: it scans and has an owner (B52).
    pub(super) fn is_listed(&self) -> bool {
        self.nulls.is_none() && !self.owner.is_empty()
    }

    /// True if `COUNT(*) … WHERE owner <> ''` counts the row (B53).
    pub(super) fn is_counted(&self) -> bool {
        !self.owner.is_empty()
    }

    /// The resource that replies carry. The key is the one that was asked for, which is the
    /// stored one.
    pub(super) fn to_resource(&self) -> Resource {
        let type_name = self.row_type.name();
        Resource {
            key: self.path.to_string(),
            owner: self.owner.to_string(),
            value: self.value.to_string(),
            type_code: TypeCode::from_name(type_name),
            type_name: type_name.to_owned(),
        }
    }

    /// The snapshot of the row as it stands in the table.
    pub(super) fn registration(&self) -> Registration {
        Registration {
            key: Arc::clone(&self.path),
            owner: Arc::clone(&self.owner),
            row_type: self.row_type.clone(),
            modified_id: self.modified_id.clone(),
            modified_index: self.modified_index,
            ttl_in_seconds: self.ttl,
        }
    }
}
