//! A client that is down or has ended starts again, with the same owner.

use super::{Among, Begins, ByRows, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    count: bound!("bounds.restarts", restarts),
    nouns: ("restart", "restarts"),
    happens: "a client starts again",
    extent: Extent::Same,
    action: Some((ActionKind::Start, On::Client)),
    begins: Begins::WhileEnded,
    makes_send: true,
    // Late calls of all lives count, which help only their client where no commit can be lost.
    without_limit: |it| it.bounds.failovers.is_never() && it.property.asks_for_last_owner(),
    grows_with_processes: true,
    among_others: Among::OneClient,
    by_rows: ByRows::Tried,
};
