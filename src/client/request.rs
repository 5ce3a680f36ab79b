//! The metadata of every call.

use std::time::Duration;

use tonic::Request;

/// The longest time that the eight digits of a `grpc-timeout` can say.
pub(crate) const TIMEOUT_MAX: Duration = Duration::from_secs(99_999_999 * 3600);

/// An id that HTTP does not carry counts as none.
pub(crate) fn with_options<T>(
    message: T,
    request_id: &str,
    timeout: Option<Duration>,
) -> Request<T> {
    let mut request = Request::new(message);
    if !request_id.is_empty()
        && let Ok(id) = request_id.parse()
    {
        request.metadata_mut().insert("uuid", id);
    }
    if let Some(timeout) = timeout {
        request.set_timeout(timeout.min(TIMEOUT_MAX));
    }
    request
}
