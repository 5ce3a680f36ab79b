//! A client whose calls are answered at once.

use std::cell::RefCell;
use std::rc::Rc;

use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::resource::{Resource, TypeCode};
use locket_sim::time::Duration;

use super::error::Error;
use super::state::State;

/// A client of a [`ReferenceServer`](super::ReferenceServer). Its name is the owner of all that it
/// takes.
///
/// ```
/// use locket_wasm::testing::{DurationExt as _, Reason, ReferenceServer, TypeCode};
///
/// let server = ReferenceServer::new();
/// let cell = server.client("cell-7").with_value("zone-1");
/// cell.presence("cell-7", 15.seconds())?;
/// assert_eq!(cell.fetch("cell-7")?.value, "zone-1");
/// assert_eq!(cell.fetch_all(TypeCode::Presence)?.len(), 1);
///
/// cell.release("cell-7")?;
/// let missing = cell.fetch("cell-7").unwrap_err();
/// assert_eq!(missing.reason(), Some(Reason::ResourceNotFound));
/// # Ok::<(), locket_wasm::testing::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Client {
    state: Rc<RefCell<State>>,
    process: usize,
    owner: String,
    value: String,
}

impl Client {
    pub(super) fn new(state: Rc<RefCell<State>>, owner: &str) -> Self {
        Self { state, process: 0, owner: owner.to_owned(), value: String::new() }
    }

    /// The same client at another Locket process; the first has number 0.
    #[must_use]
    pub fn at_process(self, process: usize) -> Self {
        Self { process, ..self }
    }

    /// The same client with a text that it stores with each key.
    #[must_use]
    pub fn with_value(self, value: &str) -> Self {
        let value = value.to_owned();
        Self { value, ..self }
    }

    /// Takes or renews a lock.
    ///
    /// # Errors
    ///
    /// Locket refuses, or the outcome is unknown.
    ///
    /// # Panics
    ///
    /// If the TTL has a fraction of a second, which Locket cannot have.
    #[track_caller]
    pub fn lock(&self, key: &str, ttl: impl Into<Duration>) -> Result<(), Error> {
        self.take(key, TypeCode::Lock, ttl.into())
    }

    /// Takes or renews a presence.
    ///
    /// # Errors
    ///
    /// Locket refuses, or the outcome is unknown.
    ///
    /// # Panics
    ///
    /// If the TTL has a fraction of a second, which Locket cannot have.
    #[track_caller]
    pub fn presence(&self, key: &str, ttl: impl Into<Duration>) -> Result<(), Error> {
        self.take(key, TypeCode::Presence, ttl.into())
    }

    /// Releases a lock or a presence.
    ///
    /// # Errors
    ///
    /// Locket refuses, or the outcome is unknown.
    pub fn release(&self, key: &str) -> Result<(), Error> {
        let resource = Some(self.resource(key, TypeCode::Unknown));
        self.call(&Request::Release { resource }).map(drop)
    }

    /// Reads the owner and the value of a key.
    ///
    /// # Errors
    ///
    /// The key has no owner, or there is no answer.
    pub fn fetch(&self, key: &str) -> Result<Resource, Error> {
        let key = key.to_owned();
        let Response::Fetch(resource) = self.call(&Request::Fetch { key })? else {
            unreachable!("a Fetch is answered as a Fetch")
        };
        Ok(*resource)
    }

    /// Lists all locks or all presences.
    ///
    /// # Errors
    ///
    /// Locket refuses, or there is no answer.
    pub fn fetch_all(&self, kind: TypeCode) -> Result<Vec<Resource>, Error> {
        let request = Request::FetchAll { type_name: String::new(), type_code: kind };
        let Response::FetchAll(resources) = self.call(&request)? else {
            unreachable!("a FetchAll is answered as a FetchAll")
        };
        Ok(resources)
    }

    #[track_caller]
    fn take(&self, key: &str, kind: TypeCode, ttl: Duration) -> Result<(), Error> {
        let is_whole = ttl.as_ms().is_multiple_of(1000);
        assert!(is_whole, "ttl: expected whole seconds, not {ttl}: Locket has no fractions");
        let ttl_in_seconds = i64::try_from(ttl.as_ms() / 1000).unwrap_or(i64::MAX);
        let resource = Some(self.resource(key, kind));
        let request = Request::Lock { resource, ttl_in_seconds };
        self.call(&request).map(drop)
    }

    fn resource(&self, key: &str, type_code: TypeCode) -> Resource {
        Resource {
            key: key.to_owned(),
            owner: self.owner.clone(),
            value: self.value.clone(),
            type_name: String::new(),
            type_code,
        }
    }

    fn call(&self, request: &Request) -> Result<Response, Error> {
        let mut state = self.state.borrow_mut();
        Ok(state.call(self.process, &self.owner, request)?)
    }
}
