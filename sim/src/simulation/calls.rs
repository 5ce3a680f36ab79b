//! Calls that user code makes as a client of the scenario, and their answers.

use super::act::{Act, CallArguments};
use super::error::SimulationError;
use super::player::{Simulation, read};
use crate::protocol::error::LockError;
use crate::protocol::message::Response;
use crate::trace::Event;
use crate::world::event::What;
use crate::world::view::NodeStatus;

/// Names a call of one branch: the number of the event with which it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallNumber(pub u64);

/// The state of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallAnswer<'a> {
    /// It was answered, or its deadline passed.
    Answered(&'a Result<Response, LockError>),
    /// Its client has crashed and gets no answer.
    Crashed,
    /// Nothing yet.
    UnderWay,
}

impl Simulation {
    /// Makes a call as a client that has no runner. Its answer comes while the simulation goes
    /// on; see [`Self::answer`].
    ///
    /// # Errors
    ///
    /// The client does not exist, is a runner, is not running, or has a call under way.
    pub fn call(&mut self, call: CallArguments) -> Result<CallNumber, SimulationError> {
        let wrong = |message| Err(SimulationError::argument("client", message));
        let act = Act::Call(Box::new(call));
        self.check_size(self.now(), None)?;
        if let Some(error) = act.validation_error(&self.cast) {
            return Err(error);
        }
        let Act::Call(call) = &act else {
            return wrong("expected a call");
        };
        let Some(client) = self.cast.nodes.client(&call.client) else {
            return wrong("no client has this name");
        };
        let world = &self.running.world;
        let node = world.client(client.index);
        match world.status(node) {
            NodeStatus::Down => return wrong("is down and makes no calls; start it"),
            NodeStatus::Paused { .. } => {
                return wrong("is paused and makes no calls; resume it");
            }
            NodeStatus::Running => {}
        }
        if world.call_under_way(client.index).is_some() {
            return wrong("waits for the answer to another call; wait for it, or set a timeout");
        }
        let before = self.events().len();
        self.do_now(act)?;
        let begun = self.events()[before..].iter().find_map(|event| match event {
            Event::World(event) if event.node == node => Some(event.id.0),
            Event::World(_) | Event::Noted { .. } | Event::Stored { .. } => None,
        });
        begun.map_or_else(|| wrong("could not call"), |id| Ok(CallNumber(id)))
    }

    /// [Calls](Self::call) what a text says.
    ///
    /// # Errors
    ///
    /// The text is no call, or as for [`Self::call`].
    pub fn call_json(&mut self, text: &str) -> Result<CallNumber, SimulationError> {
        self.call(read(text, "request")?)
    }

    /// The state of a call of this branch.
    pub fn answer(&self, call: CallNumber) -> CallAnswer<'_> {
        let mut events = self.events().iter().filter_map(|event| match event {
            Event::World(event) => Some(event),
            Event::Noted { .. } | Event::Stored { .. } => None,
        });
        let begun = events.find(|event| event.id.0 == call.0);
        let Some(begun) = begun.filter(|event| matches!(event.what, What::Called { .. })) else {
            return CallAnswer::UnderWay;
        };
        for event in events.filter(|event| event.node == begun.node) {
            #[expect(clippy::wildcard_enum_match_arm, reason = "all other events end no call")]
            match &event.what {
                What::Answered { result, .. } => return CallAnswer::Answered(result),
                What::Crashed => return CallAnswer::Crashed,
                _ => {}
            }
        }
        CallAnswer::UnderWay
    }
}
