//! The events of runners and joint locks as bytes.
//!
//! An event is encoded as the text that stood for it when digests were first recorded. These texts
//! are bytes of the digest and no sentences for readers. The sentences of
//! [`event`](super::super::event) may change. These texts must not, or every digest would change.
//! Those of errors are [recorded](super::error) too.

use super::error::{recorded, recorded_text};
use crate::protocol::runner::{Event, LossCause};
use crate::trace::digest::Encoding;
use crate::trace::event::one_line;
use crate::world::event::JointEvent;

/// An event of the runner of a lock or a presence.
pub(super) fn encode_runner<'a>(event: &Event, encoding: &'a mut Encoding) -> &'a mut Encoding {
    match event {
        Event::Acquired => encoding.text("acts as the owner from here on"),
        Event::Exited(Ok(())) => encoding.text("ends"),
        Event::Exited(Err(error)) => {
            encoding.text_of(&["ends: ", &recorded_text(&error.to_string())])
        }
        Event::Lost(LossCause::AttemptFailed { error, .. }) => {
            encoding.text_of(&["stops acting: its renewal failed with ", recorded(error)])
        }
        Event::Lost(LossCause::LeaseEnded) => encoding
            .text("stops acting: no renewal has succeeded, and its lease could end for Locket"),
        Event::Ready => encoding.text("is ready"),
        Event::Released(Ok(())) => encoding.text("has released it"),
        Event::Released(Err(error)) => {
            encoding.text_of(&["could not release it: ", recorded(error)])
        }
        Event::Renewed => encoding.text("has renewed it"),
        Event::Retrying { cause, owner: None } => {
            encoding.text_of(&["will try again: ", recorded(cause)])
        }
        Event::Retrying {
            cause,
            owner: Some(owner),
        } => encoding.text_of(&[
            "will try again: ",
            recorded(cause),
            ", ",
            owner,
            " holds it",
        ]),
        Event::Signalled => encoding.text("is told to stop, and acts no more"),
    }
}

/// An event of one runner of a joint lock.
pub(super) fn encode_member<'a>(event: &Event, encoding: &'a mut Encoding) -> &'a mut Encoding {
    match event {
        Event::Acquired => encoding.text("has taken it"),
        Event::Lost(LossCause::AttemptFailed { error, .. }) => {
            encoding.text_of(&["has lost it: its renewal failed with ", recorded(error)])
        }
        Event::Lost(LossCause::LeaseEnded) => {
            encoding.text("has lost it: its lease could end for Locket")
        }
        Event::Signalled => encoding.text("is told to stop"),
        Event::Exited(_)
        | Event::Ready
        | Event::Released(_)
        | Event::Renewed
        | Event::Retrying { .. } => encode_runner(event, encoding),
    }
}

/// An event of a joint lock.
pub(super) fn encode_joint<'a>(event: &JointEvent, encoding: &'a mut Encoding) -> &'a mut Encoding {
    match event {
        JointEvent::Acquired => encoding.text("holds all its keys and acts from here on"),
        JointEvent::Exited(Ok(())) => encoding.text("ends"),
        JointEvent::Exited(Err(error)) => {
            encoding.text_of(&["ends: ", &recorded_text(&one_line(error))])
        }
        JointEvent::Lost => encoding.text("acts no more"),
    }
}
