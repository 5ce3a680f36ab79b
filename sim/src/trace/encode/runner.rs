//! The events of runners and joint locks as bytes.
//!
//! An event is encoded as the text that stood for it when digests were first recorded. These texts
//! are bytes of the digest and no sentences for readers. The sentences of
//! [`event`](super::super::event) may change. These texts must not, or every digest would change.

use crate::protocol::runner::{Event, LossCause};
use crate::trace::digest::Encoding;
use crate::world::event::JointEvent;

/// An event of the runner of a lock or a presence.
pub(super) fn encode_runner(event: &Event, encoding: &mut Encoding) {
    match event {
        Event::Acquired => encoding.text("acts as the owner from here on"),
        Event::Exited(Ok(())) => encoding.text("ends"),
        Event::Exited(Err(error)) => encoding.text(&format!("ends: {error}")),
        Event::Lost(LossCause::AttemptFailed { error, .. }) => encoding.text(&format!(
            "stops acting: its renewal failed with {}",
            error.message()
        )),
        Event::Lost(LossCause::LeaseEnded) => encoding
            .text("stops acting: no renewal has succeeded, and its lease could end for Locket"),
        Event::Ready => encoding.text("is ready"),
        Event::Released(Ok(())) => encoding.text("has released it"),
        Event::Released(Err(error)) => {
            encoding.text(&format!("could not release it: {}", error.message()))
        }
        Event::Renewed => encoding.text("has renewed it"),
        Event::Retrying { cause, owner } => {
            let cause = cause.message();
            encoding.text(&match owner {
                None => format!("will try again: {cause}"),
                Some(owner) => format!("will try again: {cause}, {owner} holds it"),
            })
        }
        Event::Signalled => encoding.text("is told to stop, and acts no more"),
    };
}

/// An event of one runner of a joint lock.
pub(super) fn encode_member(event: &Event, encoding: &mut Encoding) {
    match event {
        Event::Acquired => {
            encoding.text("has taken it");
        }
        Event::Lost(LossCause::AttemptFailed { error, .. }) => {
            encoding.text(&format!(
                "has lost it: its renewal failed with {}",
                error.message()
            ));
        }
        Event::Lost(LossCause::LeaseEnded) => {
            encoding.text("has lost it: its lease could end for Locket");
        }
        Event::Signalled => {
            encoding.text("is told to stop");
        }
        Event::Exited(_)
        | Event::Ready
        | Event::Released(_)
        | Event::Renewed
        | Event::Retrying { .. } => encode_runner(event, encoding),
    }
}

/// An event of a joint lock.
pub(super) fn encode_joint(event: &JointEvent, encoding: &mut Encoding) {
    match event {
        JointEvent::Acquired => encoding.text("holds all its keys and acts from here on"),
        JointEvent::Exited(Ok(())) => encoding.text("ends"),
        JointEvent::Exited(Err(error)) => {
            let trace = error.to_string();
            let lines: Vec<&str> = trace.lines().collect();
            let (first, members) = lines.split_first().unwrap_or((&"", &[]));
            encoding.text(&format!("ends: {first} {}", members.join("; ")))
        }
        JointEvent::Lost => encoding.text("acts no more"),
    };
}
