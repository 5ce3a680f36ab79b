//! The Rust client, against a `fetch` that answers what each test says.

use std::rc::Rc;
use std::time::Duration;

use futures::{FutureExt as _, StreamExt as _};
use js_sys::{Function, Reflect};
use locket_wasm::client::{CallError, LocketClient, Outcome};
use locket_wasm::driver::Output;
use locket_wasm::driver::network::Running;
use locket_wasm::proto::{FetchRequest, LockRequest, Resource};
use locket_wasm::sim;
use locket_wasm::sim::protocol::runner::{Event, Runner, RunnerSettings};
use locket_wasm::tonic::{Code, Request};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

// A resource in a message, and trailers; then what a test changes in it.
#[wasm_bindgen(inline_js = r#"
const frame = (flags, payload) => [flags, 0, 0, payload.length >> 8, payload.length & 255, ...payload];
const utf8 = (text) => [...new TextEncoder().encode(text)];
const MESSAGE = frame(0, [10, 6, 10, 1, 107, 18, 1, 111]);
const trailers = (text, flags = 0x80) => frame(flags, utf8(text));
const GOOD = [...MESSAGE, ...trailers('grpc-status: 0\r\n')];
const WEB = { 'content-type': 'application/grpc-web+proto' };
const respond = (bytes, init = {}) => new Response(bytes && Uint8Array.from(bytes), { headers: WEB, ...init });
const pieces = (...chunks) => new Response(new ReadableStream({
  start(controller) {
    for (const chunk of chunks) controller.enqueue(Uint8Array.from(chunk));
    controller.close();
  },
}), { headers: WEB });
const answers = {
  good: () => respond(GOOD),
  text: () => respond(utf8(btoa(String.fromCharCode(...GOOD))), { headers: { 'content-type': 'application/grpc-web-text' } }),
  'other case': () => respond(GOOD, { headers: { 'content-type': 'Application/GRPC-Web+proto; a=b' } }),
  collision: () => respond(undefined, { headers: { ...WEB, 'grpc-status': '6', 'grpc-message': 'lock-collision', 'x-a': '1' } }),
  'not found': () => respond(trailers('grpc-status: 5\r\ngrpc-message: resource-not-found')),
  compressed: () => respond(frame(1, [])),
  'no message': () => respond(trailers('grpc-status: 0')),
  'two messages': () => respond([...MESSAGE, ...GOOD]),
  truncated: () => respond(GOOD.slice(0, -3)),
  'no status': () => respond(MESSAGE),
  'no protobuf': () => respond([...frame(0, [255]), ...trailers('grpc-status: 0')]),
  'many trailers': () => respond([...MESSAGE, ...trailers(Array.from({ length: 99 }, (_, n) => `x-${n}: ü\0\r\n`).join('') + 'grpc-status: 0')]),
  endless: () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 18)) }), { headers: WEB }),
  'http 401': () => respond(undefined, { status: 401 }),
  'http 503': () => respond(utf8('<html>'), { status: 503, headers: {} }),
  refused: () => { throw new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) }); },
  unreachable: () => { throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }); },
  silent: () => new Promise(() => {}),
  // Before any timer can be served.
  'late 504': () => {
    for (const until = performance.now() + 30; performance.now() < until;);
    return respond(undefined, { status: 504, headers: {} });
  },
};
export function answer(name, at) {
  const state = { calls: 0, restored: undefined, uuid: undefined, timeout: undefined, aborted: false };
  const original = globalThis.fetch;
  globalThis.fetch = function stub(request, init) {
    state.calls += 1;
    state.restored = globalThis.fetch === stub;
    state.uuid = request.headers.get('uuid');
    state.timeout = request.headers.get('grpc-timeout');
    init.signal.addEventListener('abort', () => { state.aborted = true; });
    if (name === 'split') return Promise.resolve(pieces(GOOD.slice(0, at), GOOD.slice(at)));
    return (async () => answers[name]())();
  };
  state.end = () => { globalThis.fetch = original; };
  return state;
}
export const sizeOfGood = () => GOOD.length;
"#)]
extern "C" {
    fn answer(name: &str, at: usize) -> JsValue;
    #[wasm_bindgen(js_name = sizeOfGood)]
    fn size_of_good() -> usize;
}

fn get(state: &JsValue, name: &str) -> JsValue {
    Reflect::get(state, &name.into()).expect("the stub's state is an object")
}

fn end(state: &JsValue) {
    let end: Function = get(state, "end").unchecked_into();
    end.call0(state).expect("ending cannot fail");
}

fn client() -> LocketClient {
    LocketClient::new("http://locket.test/")
}

async fn fetched(name: &str, at: usize) -> Result<Resource, CallError> {
    let state = answer(name, at);
    let result = client().fetch(FetchRequest { key: "k".into() }).await;
    end(&state);
    result
}

#[wasm_bindgen_test]
async fn a_good_answer_arrives_in_any_two_pieces() {
    for at in 0..=size_of_good() {
        let resource = fetched("split", at).await.expect("it is a good answer");
        assert_eq!((&*resource.key, &*resource.owner), ("k", "o"));
    }
}

#[wasm_bindgen_test]
async fn a_good_answer_is_taken_in_any_clothes() {
    for name in ["good", "text", "other case", "many trailers"] {
        fetched(name, 0).await.expect(name);
    }
}

async fn locked(name: &str) -> Result<(), CallError> {
    let state = answer(name, 0);
    let result = client().lock(LockRequest::default()).await;
    end(&state);
    result
}

#[wasm_bindgen_test]
async fn a_message_longer_than_the_client_was_told_to_take_is_refused() {
    let state = answer("good", 0);
    for (bytes, expected) in [(8, None), (7, Some(Code::ResourceExhausted))] {
        let locket = client().with_max_message_bytes(bytes);
        let result = locket.fetch(FetchRequest { key: "k".into() }).await;
        assert_eq!(result.err().map(|error| error.code()), expected);
    }
    end(&state);
}

#[wasm_bindgen_test]
async fn each_bad_answer_has_its_code_and_outcome() {
    use Outcome::{NoEffect, Refused, Unknown};
    for (name, code, outcome) in [
        ("collision", Code::AlreadyExists, Refused),
        ("not found", Code::NotFound, Refused),
        ("compressed", Code::Internal, Unknown),
        ("no message", Code::Unimplemented, Unknown),
        ("two messages", Code::Unimplemented, Unknown),
        ("truncated", Code::Internal, Unknown),
        ("no status", Code::Unknown, Unknown),
        ("no protobuf", Code::Internal, Unknown),
        ("endless", Code::ResourceExhausted, Unknown),
        ("http 401", Code::Unauthenticated, Refused),
        ("http 503", Code::Unavailable, Unknown),
        ("refused", Code::Unavailable, NoEffect),
        ("unreachable", Code::Unavailable, Unknown),
    ] {
        let error = locked(name).await.expect_err(name);
        assert_eq!((error.code(), error.outcome()), (code, outcome), "{name}: {error}");
    }
}

#[wasm_bindgen_test]
async fn a_read_that_fails_has_no_effect() {
    for name in ["truncated", "no protobuf", "http 503", "unreachable"] {
        let error = fetched(name, 0).await.expect_err(name);
        assert_eq!(error.outcome(), Outcome::NoEffect, "{name}: {error}");
    }
    let refusal = fetched("not found", 0).await.expect_err("it is not there");
    assert_eq!(refusal.outcome(), Outcome::Refused);
}

#[wasm_bindgen_test]
async fn an_error_says_why_and_keeps_metadata() {
    let error = fetched("unreachable", 0).await.expect_err("no server listens");
    assert!(error.message().contains("ECONNREFUSED"), "{error}");
    let error = fetched("collision", 0).await.expect_err("another client has it");
    assert_eq!(error.message(), "lock-collision");
    let metadata = error.metadata();
    assert_eq!(metadata.get("x-a").and_then(|value| value.to_str().ok()), Some("1"));
    assert_eq!(metadata.len(), 1, "{metadata:?}");
    assert_eq!(error.request_id().len(), 36);
}

#[wasm_bindgen_test]
async fn a_deadline_passes_here_too() {
    let state = answer("silent", 0);
    let client = client().with_timeout(Duration::from_millis(30));
    let error = client.lock(LockRequest::default()).await.expect_err("no answer comes");
    end(&state);
    assert_eq!((error.code(), error.outcome()), (Code::DeadlineExceeded, Outcome::Unknown));
    assert_eq!(get(&state, "timeout"), "30000000n");
    assert_eq!(get(&state, "aborted"), true);
}

#[wasm_bindgen_test]
async fn a_proxy_that_gives_up_at_the_deadline_tells_of_the_deadline() {
    let state = answer("late 504", 0);
    let client = client().with_timeout(Duration::from_millis(30));
    let call = client.lock(LockRequest::default()).await;
    end(&state);
    let error = call.expect_err("the proxy gave up");
    assert_eq!(
        (error.code(), error.outcome(), error.message()),
        (Code::DeadlineExceeded, Outcome::Unknown, "context deadline exceeded")
    );
}

#[wasm_bindgen_test]
async fn a_timeout_of_any_length_can_be_asked_for() {
    let state = answer("good", 0);
    let client = client().with_timeout(Duration::MAX);
    client.lock(LockRequest::default()).await.expect("it is a good answer");
    end(&state);
}

#[wasm_bindgen_test]
async fn a_request_carries_its_id() {
    let state = answer("good", 0);
    let mut request = Request::new(LockRequest::default());
    request.metadata_mut().insert("uuid", "mine".parse().expect("it is ASCII"));
    client().lock(request).await.expect("it is a good answer");
    end(&state);
    assert_eq!(get(&state, "uuid"), "mine");
    assert_eq!(get(&state, "calls"), 1);
}

#[wasm_bindgen_test]
async fn the_users_own_fetch_finds_itself_in_place() {
    let state = answer("good", 0);
    client().lock(LockRequest::default()).await.expect("it is a good answer");
    assert_eq!(get(&state, "restored"), true);
    end(&state);
}

#[wasm_bindgen_test]
async fn dropping_a_call_aborts_its_request() {
    let state = answer("silent", 0);
    let caller = client();
    let mut call = Box::pin(caller.lock(LockRequest::default()));
    assert!(call.as_mut().now_or_never().is_none());
    drop(call);
    end(&state);
    assert_eq!(get(&state, "calls"), 1);
    assert_eq!(get(&state, "aborted"), true);
    fetched("good", 0).await.expect("the instance works on");
}

#[wasm_bindgen_test]
async fn a_runner_that_has_ended_keeps_nothing() {
    let state = answer("good", 0);
    let (told, mut outputs) = futures::channel::mpsc::unbounded();
    let settings =
        RunnerSettings::safe(Default::default(), 15, sim::time::Duration::from_seconds(5));
    let kept = Rc::new(());
    let keeps = Rc::clone(&kept);
    let running = Running::start(Runner::new(settings), client(), move |output| {
        let _ = (&keeps, told.unbounded_send(output));
    });
    let running = running.expect("no other runner keeps the lock");
    assert_eq!(outputs.next().await, Some(Output::Held(true)));
    // Each look sets the timer anew.
    assert!((0..10).all(|_| running.is_held()));
    running.signal();
    while !matches!(outputs.next().await, Some(Output::Exited(_))) {}
    end(&state);

    drop(running);
    fetched("good", 0).await.expect("whatever was under way has ended");

    assert_eq!(Rc::strong_count(&kept), 1);
}

#[wasm_bindgen_test]
async fn a_second_runner_of_a_key_and_owner_at_one_base_url_is_refused_until_the_first_has_ended() {
    let state = answer("good", 0);
    let start = |owner: &str, client, tell: futures::channel::mpsc::UnboundedSender<Output>| {
        let resource = sim::protocol::resource::Resource {
            key: "guarded".into(),
            owner: owner.into(),
            ..Default::default()
        };
        let settings = RunnerSettings::safe(resource, 15, sim::time::Duration::from_seconds(5));
        Running::start(Runner::new(settings), client, move |it| {
            let _ = tell.unbounded_send(it);
        })
    };
    let (told, mut outputs) = futures::channel::mpsc::unbounded();
    let (ignored, _ignored) = futures::channel::mpsc::unbounded();
    let first = start("o", client(), told.clone()).expect("no runner keeps it yet");
    let refused = start("o", client(), ignored.clone()).err().expect("it is kept");
    assert_eq!((&*refused.key, &*refused.owner), ("guarded", "o"));
    let elsewhere = LocketClient::new("http://other.test");
    let others = [
        start("p", client(), ignored.clone()).expect("another owner"),
        start("o", elsewhere, ignored).expect("another Locket"),
    ];

    first.signal();
    while !matches!(outputs.next().await, Some(Output::Exited(_))) {}
    let again = start("o", client(), told).expect("the first has ended");
    again.signal();
    for other in others {
        other.signal();
    }
    while !matches!(outputs.next().await, Some(Output::Exited(_))) {}
    end(&state);
}

/// A page's own runner, on its timers.
#[wasm_bindgen_test]
async fn a_runner_holds_its_lock_until_it_is_told_to_end() {
    let state = answer("good", 0);
    let resource = sim::protocol::resource::Resource {
        key: "k".into(),
        owner: "o".into(),
        ..Default::default()
    };
    let settings = RunnerSettings::safe(resource, 3_600, sim::time::Duration::from_seconds(600));
    let (told, mut outputs) = futures::channel::mpsc::unbounded();
    let runner = Runner::new(settings);
    let running = Running::start(runner, client(), move |output| {
        // When the test has failed, there is no listener any more.
        let _ = told.unbounded_send(output);
    });
    let running = running.expect("no other runner keeps the lock");
    assert_eq!(outputs.next().await, Some(Output::Held(true)));
    assert!(running.is_held());

    running.signal();

    assert!(!running.is_held());
    let rest =
        outputs.take_while(|output| std::future::ready(!matches!(output, Output::Exited(_))));
    let released = rest.any(|output| {
        let released = Event::Released(Ok(()));
        std::future::ready(output == Output::Event(released))
    });
    assert!(released.await);
    assert_eq!(get(&state, "calls").as_f64(), Some(2.0));
    end(&state);
}
