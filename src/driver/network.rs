//! A driver against a real Locket, on real timers, for Rust programs that are compiled to wasm.

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use js_sys::Function;
use js_sys::futures::spawn_local;
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::message::Response;
use locket_sim::protocol::runner::{RequestId, RequestIdError, Runner};
use locket_sim::time::Time;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};

use super::keepers;
use super::{AlreadyKept, Call, Driver, Output, Reading};
use crate::client::request::with_options;
use crate::client::{CallError, LocketClient};
use crate::convert::WireRequest;
use crate::proto;
use crate::transport::fetch;

#[wasm_bindgen(module = "/src/transport/fetch/timers.js")]
extern "C" {
    #[wasm_bindgen(js_name = monotonicMs)]
    fn monotonic_ms(ambient: bool) -> f64;
    #[wasm_bindgen(js_name = wallMs)]
    fn wall_ms(ambient: bool) -> f64;
    #[wasm_bindgen(js_name = startTimer)]
    fn start_timer(ms: f64, callback: &JsValue, ambient: bool) -> Function;
}

/// A runner that runs. Clones are handles to the same one; it runs on without any.
///
/// ```
/// # fn example() -> Result<(), locket_wasm::driver::AlreadyKept> {
/// use locket_wasm::client::LocketClient;
/// use locket_wasm::driver::{Output, network::Running};
/// use locket_wasm::sim::protocol::resource::{Resource, TypeCode};
/// use locket_wasm::sim::protocol::runner::{Runner, RunnerSettings};
/// use locket_wasm::sim::time::Duration;
///
/// let resource = Resource {
///     key: "bbs".into(),
///     owner: "bbs-0".into(),
///     type_code: TypeCode::Lock,
///     ..Resource::default()
/// };
/// let settings = RunnerSettings::safe(resource, 15, Duration::from_seconds(5));
/// let locket = LocketClient::new("https://locket.example.org");
/// let running = Running::start(Runner::new(settings), locket, |output| match output {
///     Output::Held(true) => println!("act"),
///     Output::Held(false) => println!("stop acting, now"),
///     _ => {}
/// })?;
/// // Later:
/// running.signal();
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Running {
    inner: Rc<Inner>,
}

struct Inner {
    driver: RefCell<Driver>,
    client: LocketClient,
    tell: Box<dyn Fn(Output)>,
    timer: RefCell<Option<Timer>>,
}

thread_local! {
    /// The runners that run, and some that have ended.
    static RUNNING: RefCell<Vec<Weak<Inner>>> = const { RefCell::new(Vec::new()) };
}

/// Refuses a runner whose key another one of this thread keeps as the same owner.
fn check(runner: &Runner, client: &LocketClient) -> Result<(), AlreadyKept> {
    RUNNING.with_borrow_mut(|all| {
        all.retain(|it| it.strong_count() > 0);
        let others = all.iter().filter_map(Weak::upgrade);
        let others: Vec<_> =
            others.filter(|it| it.client.base_url() == client.base_url()).collect();
        others.iter().try_for_each(|it| {
            let driver = it.driver.borrow();
            keepers::check(runner, std::iter::once(driver.runner()))
        })
    })
}

/// A timer that is set. Owns its callback, which JavaScript would keep for ever after the timer is
/// stopped.
struct Timer {
    stop: Function,
    _fire: Closure<dyn FnMut()>,
}

impl Running {
    /// Starts a runner. `tell` gets every notice except calls; it may use the returned handle.
    ///
    /// # Errors
    ///
    /// A runner of this thread already keeps its key as the same owner at the same base URL.
    pub fn start(
        runner: Runner,
        client: LocketClient,
        tell: impl Fn(Output) + 'static,
    ) -> Result<Self, AlreadyKept> {
        check(&runner, &client)?;
        let running = Self {
            inner: Rc::new(Inner {
                driver: RefCell::new(Driver::new(runner, request_id)),
                client,
                tell: Box::new(tell),
                timer: RefCell::new(None),
            }),
        };
        RUNNING.with_borrow_mut(|all| all.push(Rc::downgrade(&running.inner)));
        running.turn(Driver::start);
        Ok(running)
    }

    /// Asks it to end: it releases.
    pub fn signal(&self) {
        self.turn(Driver::handle_signal);
    }

    /// True if the lock is held at this moment; looks at the clocks.
    pub fn is_held(&self) -> bool {
        self.turn(Driver::handle_timeout);
        self.inner.driver.borrow().is_held()
    }

    fn turn(&self, input: impl FnOnce(&mut Driver, Reading)) {
        let reading = Reading {
            monotonic: Time::from_ms(monotonic_ms(false) as u64),
            wall: Some(Time::from_ms(wall_ms(false) as u64)),
        };
        input(&mut self.inner.driver.borrow_mut(), reading);
        self.set_timer();
        // The callback may call back in, so nothing stays borrowed.
        while let Some(output) = self.poll_output() {
            match output {
                Output::Call(call) => self.call(call),
                Output::Event(_) | Output::Exited(_) | Output::Held(_) | Output::Suspended(_) => {
                    (self.inner.tell)(output)
                }
            }
        }
    }

    fn poll_output(&self) -> Option<Output> {
        self.inner.driver.borrow_mut().poll_output()
    }

    fn set_timer(&self) {
        let deadline = self.inner.driver.borrow().deadline();
        let next = deadline.map(|deadline| {
            let running = self.clone();
            let fire = Closure::once(move || running.turn(Driver::handle_timeout));
            let stop = start_timer(deadline.as_ms() as f64, fire.as_ref(), false);
            Timer { stop, _fire: fire }
        });
        let last = self.inner.timer.replace(next);
        if let Some(Timer { stop, .. }) = &last {
            // Stopping a timer cannot fail.
            let _ = stop.call0(&JsValue::UNDEFINED);
        }
    }

    fn call(&self, call: Call) {
        let running = self.clone();
        spawn_local(async move {
            let number = call.number;
            let result = send(&running.inner.client, call).await;
            running.turn(|driver, reading| driver.handle_reply(number, result, reading));
        });
    }
}

async fn send(client: &LocketClient, call: Call) -> Result<Response, LockError> {
    let id = call.request_id.map(|id| id.to_string()).unwrap_or_default();
    let timeout = call.timeout.map(|it| std::time::Duration::from_millis(it.as_ms()));
    let answer = match Arc::unwrap_or_clone(call.request).into() {
        WireRequest::Fetch(message) => {
            let resource = client.fetch(with_options(message, &id, timeout)).await;
            resource.map(|resource| Response::Fetch(Box::new(resource.into())))
        }
        WireRequest::FetchAll(message) => {
            let resources = client.fetch_all(with_options(message, &id, timeout)).await;
            resources.map(|resources| proto::FetchAllResponse { resources }.into())
        }
        WireRequest::Lock(message) => {
            let held = client.lock(with_options(message, &id, timeout)).await;
            held.map(|()| Response::Lock)
        }
        WireRequest::Release(message) => {
            let released = client.release(with_options(message, &id, timeout)).await;
            released.map(|()| Response::Release)
        }
    };
    answer.map_err(|error: CallError| {
        let code = Code::from_number(error.code().into());
        LockError::from_wire(code, error.message().to_owned())
    })
}

fn request_id() -> Result<RequestId, RequestIdError> {
    RequestId::parse(&fetch::request_id())
}
