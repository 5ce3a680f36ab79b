//! The events of runners as bytes.

use super::error::{encode_cause, encode_end, encode_error, encode_result};
use crate::protocol::runner::Event;
use crate::trace::digest::Encoding;

/// The event of a renewal, which are most of a long run.
pub(super) const RENEWED: u8 = 7;

/// An event of the runner of a lock or a presence.
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
