//! Long work of the checker, which JavaScript does in slices. One object crosses the border for all of
//! it.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Work under way.
#[wasm_bindgen]
pub struct Work(Box<dyn Slices>);

/// Work that can be done in slices.
pub(super) trait Slices {
    /// Does about `budget` things more, such as visits of states. Says whether all is done.
    fn run(&mut self, budget: u64) -> Result<bool, JsValue>;

    /// How far it is, as JSON.
    fn progress(&self) -> String;

    /// The result so far, as JSON.
    fn result(&self) -> Result<String, JsValue>;
}

impl Work {
    /// From its beginning on.
    pub(super) fn of(work: impl Slices + 'static) -> Self {
        Self(Box::new(work))
    }
}

#[wasm_bindgen]
impl Work {
    /// Does about `budget` things more. Says whether all is done.
    pub fn run(&mut self, budget: u32) -> Result<bool, JsValue> {
        self.0.run(budget.into())
    }

    /// How far it is, as JSON.
    pub fn progress(&self) -> String {
        self.0.progress()
    }

    /// The result so far, as JSON.
    pub fn result(&self) -> Result<String, JsValue> {
        self.0.result()
    }
}
