//! A call that a driver wants made.

use std::sync::Arc;

use locket_sim::protocol::message::Request;
use locket_sim::protocol::runner::RequestId;
use locket_sim::time::Duration;

/// Names a call of one driver.
pub type CallNumber = u32;

/// A call to make. Its answer, or why there is none, goes to
/// [`Driver::handle_reply`](super::Driver::handle_reply) with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Unlike all others of this driver.
    pub number: CallNumber,
    /// The request.
    pub request: Arc<Request>,
    /// The `uuid` to send as metadata; a Release carries none.
    pub request_id: Option<RequestId>,
    /// How long to wait for the answer, to be sent along as `grpc-timeout`; `None` without end.
    pub timeout: Option<Duration>,
    /// True to wait for a connection instead of failing with Unavailable. A carrier without
    /// connections, such as `fetch`, cannot: then an attempt that reaches no server fails at once.
    pub wait_for_ready: bool,
}
