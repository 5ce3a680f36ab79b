//! Actions and calls that a user adds to a simulation.

use serde::Deserialize;

use super::error::SimulationError;
use crate::json::Json;
use crate::protocol::message::Request;
use crate::protocol::resource::{Resource, TypeCode};
use crate::scenario::{Action, ActionKind, Cast, Latency, OutsideAct, Running};
use crate::time::{Duration, Time};
use crate::trace::Recorder;

/// Something done from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// An action that a scenario could contain too.
    Action(Box<Action>),
    /// A call that user code makes as a client.
    Call(Box<CallArguments>),
}

/// A call that user code makes as a client of the scenario.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CallArguments {
    /// The client, by name.
    pub client: String,
    /// Which call.
    pub method: CallMethod,
    /// The key; empty for `fetchAll`.
    #[serde(default)]
    pub key: String,
    /// The owner, of `lock` and `release`.
    #[serde(default)]
    pub owner: String,
    /// The value, of `lock`.
    #[serde(default)]
    pub value: String,
    /// The deprecated type string, of `lock` and `fetchAll`.
    #[serde(default)]
    pub type_name: String,
    /// The type's code, of `lock` and `fetchAll`.
    #[serde(default)]
    pub type_code: i32,
    /// The lease in seconds, of `lock`.
    #[serde(default)]
    pub ttl_seconds: i64,
    /// How long the answer is waited for; without end if left out.
    pub timeout: Option<Duration>,
}

/// Locket's calls, as they are named in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CallMethod {
    /// Reads one resource.
    Fetch,
    /// Lists the resources of one type.
    FetchAll,
    /// Takes or renews a resource.
    Lock,
    /// Gives a resource up.
    Release,
}

impl Act {
    /// Does it now.
    pub(super) fn perform(&self, running: &mut Running, recorder: &mut Recorder) {
        match self {
            Self::Action(action) => running.perform(action, recorder),
            Self::Call(call) => {
                if let Some(client) = call.caller(&running.cast) {
                    let (request, timeout) = (call.request(), call.timeout);
                    running.act(recorder, |step| step.call(client, request, timeout));
                }
            }
        }
    }

    /// It, if it is no fault.
    pub(super) fn unless_fault(&self, cast: &Cast) -> Option<OutsideAct> {
        match self {
            Self::Action(action) if action.kind.is_fault() => None,
            Self::Action(action) => Some(OutsideAct::Action((**action).clone())),
            Self::Call(call) => {
                let client = call.caller(cast)?;
                Some(OutsideAct::Call(client, call.request(), call.timeout))
            }
        }
    }

    /// The action that it is at a moment; none where a call only reads.
    pub(super) fn action(&self, now: Time) -> Option<Action> {
        let at = now.since(Time::ZERO);
        match self {
            Self::Action(action) => Some(Action { at, ..(**action).clone() }),
            Self::Call(call) => {
                let kind = match call.method {
                    CallMethod::Fetch | CallMethod::FetchAll => return None,
                    CallMethod::Lock => ActionKind::Lock,
                    CallMethod::Release => ActionKind::Release,
                };
                Some(Action {
                    at,
                    node: Some(call.client.clone()),
                    key: Some(call.key.clone()),
                    owner: Some(call.owner.clone()),
                    ..Action::new(kind)
                })
            }
        }
    }

    /// Its first validation error with these nodes.
    pub(super) fn validation_error(&self, cast: &Cast) -> Option<SimulationError> {
        let (field, message) = match self {
            Self::Action(action) if action.every.is_some() || action.until.is_some() => {
                ("every", "what is done from outside is done once".to_owned())
            }
            Self::Action(action) => cast.scenario.action_error(action, &cast.nodes)?,
            Self::Call(call) => match cast.nodes.client(&call.client) {
                None => {
                    let known = cast.nodes.names();
                    let message =
                        format!("no client is named {:?}; there are {known}", call.client);
                    ("client", message)
                }
                Some(client) if client.is_runner => {
                    let message = "is a runner and makes its own calls; leave out its retryInterval and runner";
                    ("client", message.to_owned())
                }
                Some(_) => return None,
            },
        };
        Some(SimulationError::Argument { field: field.to_owned(), message })
    }

    /// How much of a trace its own texts fill, in bytes.
    pub(super) fn texts_size(&self) -> u64 {
        match self {
            Self::Action(_) => 0,
            Self::Call(it) => {
                let texts = it.key.len() + it.owner.len() + it.value.len() + it.type_name.len();
                2 * texts as u64
            }
        }
    }
}

impl CallArguments {
    /// The client that makes it; a runner makes its own calls.
    fn caller(&self, cast: &Cast) -> Option<usize> {
        let client = cast.nodes.client(&self.client);
        let client = client.filter(|client| !client.is_runner);
        client.map(|client| client.index)
    }

    fn request(&self) -> Request {
        let type_code = TypeCode::from(self.type_code);
        let resource = || {
            Some(Resource {
                key: self.key.clone(),
                owner: self.owner.clone(),
                value: self.value.clone(),
                type_name: self.type_name.clone(),
                type_code,
            })
        };
        match self.method {
            CallMethod::Fetch => Request::Fetch { key: self.key.clone() },
            CallMethod::FetchAll => {
                Request::FetchAll { type_name: self.type_name.clone(), type_code }
            }
            CallMethod::Lock => {
                Request::Lock { resource: resource(), ttl_in_seconds: self.ttl_seconds }
            }
            CallMethod::Release => Request::Release { resource: resource() },
        }
    }

    pub(super) fn write(&self, json: &mut Json) {
        let method = match self.method {
            CallMethod::Fetch => "fetch",
            CallMethod::FetchAll => "fetchAll",
            CallMethod::Lock => "lock",
            CallMethod::Release => "release",
        };
        json.open('{');
        json.strings(&[("client", &self.client), ("method", method)]);
        let texts = [
            ("key", &self.key),
            ("owner", &self.owner),
            ("value", &self.value),
            ("typeName", &self.type_name),
        ];
        for (key, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
            json.key(key).string(text);
        }
        json.key("typeCode").plain(self.type_code);
        json.key("ttlSeconds").plain(self.ttl_seconds);
        if let Some(timeout) = self.timeout {
            json.key("timeout").duration(timeout);
        }
        json.close('}');
    }
}

/// Writes an action as a scenario has it.
pub(super) fn write_action(action: &Action, json: &mut Json) {
    json.open('{');
    json.key("at").duration(action.at);
    json.key("do").string(action.kind.name());
    let texts = [
        ("node", &action.node),
        ("from", &action.from),
        ("to", &action.to),
        ("text", &action.text),
        ("key", &action.key),
        ("owner", &action.owner),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            json.key(key).string(text);
        }
    }
    for (key, duration) in [("for", action.duration), ("ttl", action.ttl)] {
        if let Some(duration) = duration {
            json.key(key).duration(duration);
        }
    }
    for (key, number) in [("count", action.count), ("lostCommits", action.lost_commits)] {
        if let Some(number) = number {
            json.key(key).plain(number);
        }
    }
    if let Some(loss) = action.loss {
        json.key("loss").string(&loss.to_string());
    }
    if let Some(one_way) = action.one_way {
        json.key("oneWay").plain(one_way);
    }
    if let Some(Latency { min, max, step }) = action.latency {
        json.key("latency").open('{');
        for (key, duration) in [("min", min), ("max", max), ("step", step)] {
            json.key(key).duration(duration);
        }
        json.close('}');
    }
    json.close('}');
}
