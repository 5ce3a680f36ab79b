//! The columns of the `locks` table: their lengths, and which texts are cut to fit.
//!
//! Knows texts, no rows.

use crate::protocol::error::{LockError, SQL_BAD_REQUEST};
use crate::protocol::flavor::Flavor;
use crate::protocol::resource::Resource;

/// Longest `path`, `owner`, `type` and `modified_id`, in characters (B36).
pub const NAME_LENGTH_MAX: usize = 255;
/// Longest `value`, in characters (B36).
pub const VALUE_LENGTH_MAX: usize = 4096;

/// A Lock's columns, cut to what the database stores.
pub(super) struct Columns<'a> {
    pub(super) path: &'a str,
    pub(super) owner: &'a str,
    pub(super) value: &'a str,
    pub(super) type_name: &'a str,
}

impl<'a> Columns<'a> {
    pub(super) fn fit(
        resource: &'a Resource,
        type_name: &'a str,
        flavor: Flavor,
    ) -> Result<Self, LockError> {
        let texts = [&resource.owner, &resource.value, type_name];
        // The server refuses the encoding before it looks at any length.
        if texts.into_iter().any(|text| flavor.cannot_store(text)) {
            return Err(flavor.ill_formed());
        }
        Ok(Self {
            path: fit(&resource.key, NAME_LENGTH_MAX, flavor)?,
            owner: fit(&resource.owner, NAME_LENGTH_MAX, flavor)?,
            value: fit(&resource.value, VALUE_LENGTH_MAX, flavor)?,
            type_name: fit(type_name, NAME_LENGTH_MAX, flavor)?,
        })
    }
}

/// The text as a column of `max` characters takes it: longer text is refused, unless only
/// spaces are too many; those are cut off (B36).
pub(super) fn fit(text: &str, max: usize, flavor: Flavor) -> Result<&str, LockError> {
    if flavor.cannot_store(text) {
        return Err(flavor.ill_formed());
    }
    // A character has at least one byte, so short texts need no counting.
    if text.len() <= max {
        return Ok(text);
    }
    match text.char_indices().nth(max) {
        None => Ok(text),
        Some((end, _)) if text[end..].bytes().all(|byte| byte == b' ') => Ok(&text[..end]),
        Some(_) => Err(SQL_BAD_REQUEST),
    }
}
