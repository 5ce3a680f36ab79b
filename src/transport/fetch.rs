//! The `fetch` that the carrier crate gets, and how it gets it.
//!
//! tonic-web-wasm-client calls the `fetch` that its JavaScript glue sees, and takes whatever
//! comes back at its word. Left to itself it loses the status of an answer that arrives in
//! unlucky pieces, panics on text mode and on long timeouts, knows no HTTP status and forgets
//! why a connection failed. None of that can be mended behind it, so it is done before it: the
//! JavaScript in `src/transport/fetch/` makes the HTTP request, enforces the deadline, reads
//! the answer, whole, judges it by gRPC's rules, and hands the crate one well-formed response.
//!
//! It is JavaScript because what it handles is (promises, streams, abort signals), and because
//! so the npm package and Rust programs run the same lines. wasm-bindgen copies the files beside
//! the glue it writes, for every target that has ES modules: `bundler`, `web`, `deno`,
//! `module`, and `nodejs` from Node 20.19. The target `no-modules` cannot be used.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(module = "/src/transport/fetch/hook.js")]
extern "C" {
    /// Runs `poll`; the `fetch` that is called in it is that of `call`. Says whether one was.
    #[wasm_bindgen(js_name = withFetch, catch)]
    pub(super) fn with_fetch(call: &JsValue, poll: &mut dyn FnMut()) -> Result<bool, JsValue>;
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
    #[wasm_bindgen(module = "/src/transport/fetch/response.js")]
    extern "C" {
        #[wasm_bindgen(js_name = toResponse)]
        fn to_response();
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
