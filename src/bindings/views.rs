//! Plain values in JavaScript.

#[cfg(feature = "simulator")]
use js_sys::JSON;
#[cfg(any(feature = "checker", feature = "messages", feature = "simulator"))]
use js_sys::{Object, Reflect};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// A plain value in JavaScript: objects, not maps, and `undefined` for what is not there.
pub fn to_js(value: &impl Serialize) -> JsValue {
    let serializer = Serializer::json_compatible().serialize_missing_as_null(false);
    value.serialize(&serializer).unwrap_or(JsValue::UNDEFINED)
}

/// A value as JSON. It is made here and not where its type is, since the code of a generic belongs
/// to the crate that uses it, and this one is compiled for size.
#[cfg(any(feature = "checker", feature = "simulator"))]
pub fn json(value: &impl Serialize) -> String {
    // Numbers, strings, lists and objects with names: all have a form in JSON.
    serde_json::to_string(value).unwrap_or_default()
}

/// A value as JavaScript parses it from JSON, which makes many objects faster than [`to_js`].
#[cfg(feature = "simulator")]
pub fn parsed(value: &impl Serialize) -> JsValue {
    JSON::parse(&json(value)).unwrap_or(JsValue::UNDEFINED)
}

/// A plain object with these members.
#[cfg(any(feature = "checker", feature = "messages", feature = "simulator"))]
pub fn object<const N: usize>(members: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in members {
        // Setting a property of an object that was just made cannot fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}
