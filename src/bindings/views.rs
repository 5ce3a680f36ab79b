//! Plain values in JavaScript.

#[cfg(any(feature = "checker", feature = "messages", feature = "simulator"))]
use js_sys::{Object, Reflect};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// A plain value in JavaScript: objects, not maps, and `null` for what is not there.
pub fn to_js(value: &impl Serialize) -> JsValue {
    let serializer = Serializer::json_compatible();
    value.serialize(&serializer).unwrap_or(JsValue::UNDEFINED)
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
