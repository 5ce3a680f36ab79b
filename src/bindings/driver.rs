//! Lock and presence runners, driven.

use js_sys::Function;
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::message::Response;
use locket_sim::protocol::resource::{Resource, TypeCode};
use locket_sim::protocol::runner::{
    Event, LossCause, LossPolicy, RequestId, RequestIdError, Rule, Runner, RunnerError,
    RunnerSettings,
};
use locket_sim::scenario::RunnerKind;
use locket_sim::time::{Duration, Time};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::failure::ArgumentFailure;
use super::reply::ErrorView;
use super::views::to_js;
use crate::driver::settings::check;
use crate::driver::{Call, Driver, Output, Reading};

/// A driver. Clocks are read by the caller: `monotonic_ms`, and `wall_ms` if there is one.
#[wasm_bindgen]
pub struct WasmDriver {
    driver: Driver,
}

#[wasm_bindgen]
impl WasmDriver {
    /// `runner` is the name of a runner; without one, `rule` has the numbers of its rule: see
    /// [`Rule::of_numbers`]; `NaN` is none. A runner that does not retry exits when its lock is lost.
    /// `next_id` gives a UUID for each request.
    #[wasm_bindgen(constructor)]
    #[expect(
        clippy::too_many_arguments,
        reason = "plain arguments bring no parser into the module"
    )]
    pub fn new(
        runner: &str,
        rule: &[f64],
        key: String,
        owner: String,
        value: String,
        type_code: i32,
        ttl_seconds: f64,
        retry_interval_ms: Option<f64>,
        margin_ms: Option<f64>,
        first_attempt_deadline: bool,
        retries: bool,
        next_id: Function,
    ) -> Result<Self, JsValue> {
        let refuse = |field: &str, message: &str| ArgumentFailure::throw(field, message.to_owned());
        let number = |place: usize| rule.get(place).filter(|it| !it.is_nan()).map(|it| *it as i64);
        let kind = RunnerKind::named(runner);
        let own = || Rule::of_numbers(&std::array::from_fn(number));
        let rule = kind.as_ref().map_or_else(own, |kind| Ok(kind.rule()));
        let rule = rule.map_err(|message| refuse("runner", &message))?;
        let resource = Resource {
            key,
            owner,
            value,
            type_name: String::new(),
            type_code: TypeCode::from(type_code),
        };
        let time = |ms: Option<f64>| ms.map(|ms| Duration::from_ms(ms as u64));
        let (ttl_seconds, margin) = (ttl_seconds as i64, time(margin_ms));
        let ttl = Duration::from_seconds(ttl_seconds.unsigned_abs());
        let default = || rule.default_retry_interval(ttl, margin);
        let retry_interval = time(retry_interval_ms).unwrap_or_else(default);
        kind.map_or(Ok(()), |it| it.check_ttl(ttl)).map_err(|it| refuse("runner", &it))?;
        rule.check_retry_interval(retry_interval).map_err(|it| refuse("runner", &it))?;
        let mut settings = RunnerSettings::new(resource, ttl_seconds, retry_interval, rule);
        if first_attempt_deadline {
            settings.limit_first_attempt();
        }
        settings.rule.on_loss = if retries { LossPolicy::Retry } else { LossPolicy::Stop };
        if margin.is_some_and(|margin| !settings.shorten_lease(margin)) {
            return Err(refuse("margin", "this runner counts no lease by the TTL; leave it out"));
        }
        check(&settings).map_err(|error| refuse(error.setting, &error.problem))?;
        let driver = Driver::new(Runner::new(settings), move || request_id(&next_id));
        Ok(Self { driver })
    }

    /// Starts it.
    pub fn start(&mut self, monotonic_ms: f64, wall_ms: Option<f64>) {
        self.driver.start(reading(monotonic_ms, wall_ms));
    }

    /// An answer that is no error; `owner` is what a Fetch says.
    #[wasm_bindgen(js_name = handleAnswer)]
    pub fn handle_answer(
        &mut self,
        call: u32,
        method: &str,
        owner: Option<String>,
        monotonic_ms: f64,
        wall_ms: Option<f64>,
    ) {
        let response = match (method, owner) {
            ("lock", _) => Response::Lock,
            ("release", _) => Response::Release,
            (_, owner) => Response::Fetch(Box::new(Resource {
                owner: owner.unwrap_or_default(),
                ..Resource::default()
            })),
        };
        let reading = reading(monotonic_ms, wall_ms);
        self.driver.handle_reply(call, Ok(response), reading);
    }

    /// An error as the answer, or why there is none.
    #[wasm_bindgen(js_name = handleError)]
    pub fn handle_error(
        &mut self,
        call: u32,
        code: i32,
        message: String,
        monotonic_ms: f64,
        wall_ms: Option<f64>,
    ) {
        let error = LockError::from_wire(Code::from_number(code), message);
        let reading = reading(monotonic_ms, wall_ms);
        self.driver.handle_reply(call, Err(error), reading);
    }

    /// Does what is due.
    #[wasm_bindgen(js_name = handleTimeout)]
    pub fn handle_timeout(&mut self, monotonic_ms: f64, wall_ms: Option<f64>) {
        self.driver.handle_timeout(reading(monotonic_ms, wall_ms));
    }

    /// Asks it to end.
    #[wasm_bindgen(js_name = handleSignal)]
    pub fn handle_signal(&mut self, monotonic_ms: f64, wall_ms: Option<f64>) {
        self.driver.handle_signal(reading(monotonic_ms, wall_ms));
    }

    /// The next thing to do; `undefined` if there is nothing more.
    #[wasm_bindgen(js_name = pollOutput)]
    pub fn poll_output(&mut self) -> JsValue {
        let output = self.driver.poll_output();
        output.map_or(JsValue::UNDEFINED, |output| to_js(&OutputView::from(output)))
    }

    /// In how many milliseconds from the last input something is due.
    pub fn deadline(&self) -> Option<f64> {
        self.driver.deadline().map(ms)
    }

    /// How many milliseconds from the last input the lease lasts, if it is counted.
    #[wasm_bindgen(js_name = leaseLeft)]
    pub fn lease_left(&self) -> Option<f64> {
        self.driver.lease_left().map(ms)
    }
}

fn reading(monotonic_ms: f64, wall_ms: Option<f64>) -> Reading {
    Reading {
        monotonic: Time::from_ms(monotonic_ms as u64),
        wall: wall_ms.map(|wall_ms| Time::from_ms(wall_ms as u64)),
    }
}

fn ms(duration: Duration) -> f64 {
    duration.as_ms() as f64
}

fn request_id(next_id: &Function) -> Result<RequestId, RequestIdError> {
    let text = next_id.call0(&JsValue::UNDEFINED);
    let text =
        text.map_err(|thrown| RequestIdError(format!("no request id: {thrown:?}").into()))?;
    RequestId::parse(&text.as_string().unwrap_or_default())
}

/// One thing to do, flat.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct OutputView {
    /// `call`, `exited`, `held`, `suspended`, or what has become of a runner.
    kind: &'static str,
    number: Option<u32>,
    method: Option<&'static str>,
    request_id: Option<String>,
    timeout_ms: Option<f64>,
    /// The error of Locket or of the carrier.
    error: Option<ErrorView>,
    /// Why the runner lost its lock or ended, as upstream words it.
    words: Option<String>,
    owner: Option<String>,
    held: Option<bool>,
    suspended_ms: Option<f64>,
}

impl From<Output> for OutputView {
    fn from(output: Output) -> Self {
        match output {
            Output::Call(call) => Self::call(call),
            Output::Event(event) => Self::event(event),
            Output::Exited(Ok(())) => Self::of("exited"),
            Output::Exited(Err(error)) => Self {
                words: Some(error.to_string()),
                ..cause_of(&error)
                    .map_or_else(|| Self::of("exited"), |cause| Self::lost("exited", cause))
            },
            Output::Held(held) => Self { held: Some(held), ..Self::of("held") },
            Output::Suspended(gap) => Self { suspended_ms: Some(ms(gap)), ..Self::of("suspended") },
        }
    }
}

impl OutputView {
    fn of(kind: &'static str) -> Self {
        Self { kind, ..Self::default() }
    }

    fn call(call: Call) -> Self {
        Self {
            number: Some(call.number),
            method: Some(call.request.method().name()),
            request_id: call.request_id.map(|id| id.to_string()),
            timeout_ms: call.timeout.map(ms),
            ..Self::of("call")
        }
    }

    fn event(event: Event) -> Self {
        match event {
            Event::Acquired => Self::of("acquired"),
            // The driver tells it as its own end.
            Event::Exited(_) => Self::of("runner-exited"),
            Event::Lost(cause) => {
                Self { words: Some(cause.to_string()), ..Self::lost("lost", &cause) }
            }
            Event::Ready => Self::of("ready"),
            Event::Released(result) => {
                Self { error: result.err().as_ref().map(error), ..Self::of("released") }
            }
            Event::Renewed => Self::of("renewed"),
            Event::Retrying { cause, owner } => {
                Self { error: Some(error(&cause)), owner, ..Self::of("retrying") }
            }
            Event::Signalled => Self::of("signalled"),
        }
    }

    fn lost(kind: &'static str, cause: &LossCause) -> Self {
        match cause {
            LossCause::AttemptFailed { error: failure, request_id } => Self {
                error: Some(error(failure)),
                request_id: Some(request_id.to_string()),
                ..Self::of(kind)
            },
            LossCause::LeaseEnded => Self::of(kind),
        }
    }
}

/// The loss that ended it.
const fn cause_of(error: &RunnerError) -> Option<&LossCause> {
    match error {
        RunnerError::LostLock(cause) => Some(cause),
        RunnerError::RequestId(_) => None,
    }
}

fn error(error: &LockError) -> ErrorView {
    ErrorView::new(error.code() as i32, error.message())
}
