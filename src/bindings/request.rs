//! The metadata of every call.

use tonic::Request;

use crate::transport::deadline::TIMEOUT_MAX;

/// A request with this id, unless that is empty, and this timeout.
pub fn with_options<T>(message: T, request_id: &str, timeout_ms: Option<f64>) -> Request<T> {
    let mut request = Request::new(message);
    if !request_id.is_empty()
        && let Ok(id) = request_id.parse()
    {
        request.metadata_mut().insert("uuid", id);
    }
    if let Some(timeout_ms) = timeout_ms {
        let timeout = std::time::Duration::from_millis(timeout_ms as u64);
        request.set_timeout(timeout.min(TIMEOUT_MAX));
    }
    request
}
