//! The `fetch` that the carrier crate gets, and how it gets it.
//!
//! tonic-web-wasm-client calls the `fetch` that its JavaScript glue sees, and takes whatever
//! comes back at its word. Left to itself it loses the status of an answer that arrives in
//! unlucky pieces, panics on text mode and on long timeouts, knows no HTTP status and forgets
//! why a connection failed. None of that can be mended behind it, so it is done before it: the
//! JavaScript in `src/transport/fetch/` makes the HTTP request, enforces the deadline, reads
//! the answer, whole, and judges it by gRPC's rules.
//!
//! The outcome is taken from there. The crate gets a response without a body. It would read a
//! body through wasm-streams 0.7, which keeps a closure for ever for each body that is not read
//! past its end, and the crate never reads so far.
//!
//! It is JavaScript because what it handles is (promises, streams, abort signals), and because
//! so the npm package and Rust programs run the same lines. wasm-bindgen copies the files beside
//! the glue it writes, for every target that has ES modules: `bundler`, `web`, `deno`,
//! `module`, and `nodejs` from Node 20.19. The target `no-modules` cannot be used.

use js_sys::Object;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(module = "/src/transport/fetch/hook.js")]
extern "C" {
    /// Runs `poll`; the `fetch` that is called in it is that of `call`. Says whether one was.
    #[wasm_bindgen(js_name = withFetch, catch)]
    pub(super) fn with_fetch(call: &JsValue, poll: &mut dyn FnMut()) -> Result<bool, JsValue>;
}

#[wasm_bindgen]
extern "C" {
    /// A call, as `fetch/exchange.js` describes it.
    pub(super) type Call;

    /// The outcome; `None` while there is none, or if nothing was sent.
    #[wasm_bindgen(method, getter)]
    pub(super) fn answer(this: &Call) -> Option<Answer>;

    /// The outcome of a call.
    pub(super) type Answer;

    /// The gRPC status code.
    #[wasm_bindgen(method, getter)]
    pub(super) fn code(this: &Answer) -> i32;

    /// The gRPC message.
    #[wasm_bindgen(method, getter)]
    pub(super) fn message(this: &Answer) -> String;

    /// The server's message, if the code is OK.
    #[wasm_bindgen(method, getter)]
    pub(super) fn data(this: &Answer) -> Option<Vec<u8>>;

    /// The effect of a failed call, in a word.
    #[wasm_bindgen(method, getter)]
    pub(super) fn outcome(this: &Answer) -> Option<String>;

    /// Headers and trailers without HTTP's and gRPC's own.
    #[wasm_bindgen(method, getter)]
    pub(super) fn metadata(this: &Answer) -> Object;
}

#[wasm_bindgen(module = "/src/transport/fetch/request_id.js")]
extern "C" {
    /// A random UUID.
    #[wasm_bindgen(js_name = requestId)]
    pub(crate) fn request_id() -> String;
}

/// Named only so that wasm-bindgen copies the files that those above import.
#[allow(dead_code)]
mod imported {
    use super::wasm_bindgen;

    #[wasm_bindgen(module = "/src/transport/fetch/answer.js")]
    extern "C" {
        #[wasm_bindgen(js_name = readAnswer)]
        fn read_answer();
    }
    #[wasm_bindgen(module = "/src/transport/fetch/exchange.js")]
    extern "C" {
        #[wasm_bindgen]
        fn exchange();
    }
    #[wasm_bindgen(module = "/src/transport/fetch/failure.js")]
    extern "C" {
        #[wasm_bindgen]
        fn failed();
    }
    #[wasm_bindgen(module = "/src/transport/fetch/frames.js")]
    extern "C" {
        #[wasm_bindgen(js_name = readFrames)]
        fn read_frames();
    }
    #[wasm_bindgen(module = "/src/transport/fetch/signals.js")]
    extern "C" {
        #[wasm_bindgen(js_name = onAbort)]
        fn on_abort();
    }
    #[wasm_bindgen(module = "/src/transport/fetch/text.js")]
    extern "C" {
        #[wasm_bindgen(js_name = decodeText)]
        fn decode_text();
    }
    #[wasm_bindgen(module = "/src/transport/fetch/timers.js")]
    extern "C" {
        #[wasm_bindgen(js_name = startTimer)]
        fn start_timer();
    }
    #[wasm_bindgen(module = "/src/transport/fetch/trailers.js")]
    extern "C" {
        #[wasm_bindgen(js_name = parseTrailers)]
        fn parse_trailers();
    }
    #[wasm_bindgen(module = "/src/transport/fetch/transfer.js")]
    extern "C" {
        #[wasm_bindgen]
        fn transfer();
    }
}
