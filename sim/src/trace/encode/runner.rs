//! The events of runners and joint locks as bytes.

use super::error::{encode_cause, encode_end, encode_error, encode_result};
use crate::protocol::runner::Event;
use crate::trace::digest::Encoding;
use crate::world::event::JointEvent;

/// The event of a renewal, which are most of a long run.
pub(super) const RENEWED: u8 = 7;

/// An event of the runner of a lock or a presence, or of one runner of a joint lock.
pub(super) fn encode_runner<'a>(event: &Event, to: &'a mut Encoding) -> &'a mut Encoding {
    match event {
        Event::Acquired => to.tag(1),
        Event::Exited(end) => encode_end(end, to.tag(2)),
        Event::Lost(cause) => encode_cause(cause, to.tag(3)),
        Event::Ready => to.tag(4),
        Event::Released(result) => encode_result(result, to.tag(5)),
        Event::Retrying { cause, owner } => {
            encode_error(cause, to.tag(6)).optional_text(owner.as_deref())
        }
        Event::Renewed => to.tag(RENEWED),
        Event::Signalled => to.tag(8),
    }
}

/// An event of a joint lock. The error of its end is that of its runners, as upstream words it.
pub(super) fn encode_joint<'a>(event: &JointEvent, to: &'a mut Encoding) -> &'a mut Encoding {
    match event {
        JointEvent::Acquired => to.tag(1),
        JointEvent::Exited(Ok(())) => to.tag(2),
        JointEvent::Exited(Err(error)) => to.tag(3).text(&error.to_string()),
        JointEvent::Lost => to.tag(4),
    }
}
