//! The settings of a runner as it keeps them: a world may have 100,000 runners.

use std::ops::Deref;
use std::sync::Arc;

use super::settings::RunnerSettings;
use crate::protocol::message::Request;
use crate::protocol::resource::Resource;

/// The settings of a runner. A clone shares them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SharedSettings {
    /// The request of every attempt, made once.
    lock: Arc<Request>,
    /// All but the resource, which many runners have in common.
    rules: Arc<RunnerSettings<()>>,
}

impl SharedSettings {
    /// The key, its owner and its value.
    pub(crate) fn resource(&self) -> &Resource {
        let Request::Lock { resource: Some(resource), .. } = &*self.lock else {
            unreachable!("it is made as the request of a lock");
        };
        resource
    }

    /// The request of every attempt.
    pub(crate) const fn lock_request(&self) -> &Arc<Request> {
        &self.lock
    }

    /// Keeps what it has in common with others once.
    pub(crate) fn share_with(&mut self, others: &Self) {
        if self.rules == others.rules {
            self.rules = Arc::clone(&others.rules);
        }
    }
}

impl From<RunnerSettings> for SharedSettings {
    fn from(settings: RunnerSettings) -> Self {
        let (resource, rules) = settings.split();
        Self {
            lock: Arc::new(Request::Lock {
                resource: Some(resource),
                ttl_in_seconds: rules.ttl_in_seconds,
            }),
            rules: Arc::new(rules),
        }
    }
}

impl Deref for SharedSettings {
    type Target = RunnerSettings<()>;

    fn deref(&self) -> &RunnerSettings<()> {
        &self.rules
    }
}
