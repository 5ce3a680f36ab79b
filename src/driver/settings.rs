//! Settings with which a runner could never hold anything, or would lose it all the time.
//!
//! Locket's own runners validate nothing (C1); they try in vain for ever. In production it is
//! kinder to say so at once.

use locket_sim::protocol::runner::RunnerSettings;
use locket_sim::time::Duration;

/// Why a runner should not be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// The setting at fault.
    pub setting: Setting,
    /// What is wrong with it, and what was expected.
    pub problem: String,
}

/// A setting that may be at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The resource's key.
    Key,
    /// The resource's owner.
    Owner,
    /// The retry interval.
    RetryInterval,
    /// The lease.
    Ttl,
    /// The resource's value.
    Value,
}

/// The columns' limits, in characters (B34).
const NAME_LENGTH_MAX: usize = 255;
const VALUE_LENGTH_MAX: usize = 4096;

/// Checks what Locket would refuse for ever, and what would make a runner that counts its lease
/// lose it before each renewal.
pub fn check(settings: &RunnerSettings) -> Result<(), SettingsError> {
    let resource = &settings.resource;
    check_name(Setting::Key, &resource.key)?;
    check_name(Setting::Owner, &resource.owner)?;
    check_length(Setting::Value, &resource.value, VALUE_LENGTH_MAX)?;
    if settings.ttl_in_seconds <= 0 {
        let problem = format!("expected at least 1, not {}", settings.ttl_in_seconds);
        return fault(Setting::Ttl, problem);
    }
    let retry = settings.retry_interval;
    match settings.lease() {
        Some(lease) if lease <= retry => fault(
            Setting::RetryInterval,
            format!(
                "expected less than {lease}, for which a lock may be acted upon (its TTL less the \
                 margin), not {retry}: it would be lost before each renewal"
            ),
        ),
        Some(_) | None => Ok(()),
    }
}

/// The retry interval of whoever names none: 5 s as in production, or a third of a short TTL, so
/// that one attempt may fail.
pub fn default_retry_interval(ttl_in_seconds: i64) -> Duration {
    let ttl = Duration::from_seconds(u64::try_from(ttl_in_seconds).unwrap_or(0));
    Duration::from_ms(ttl.as_ms() / 3).min(Duration::from_seconds(5))
}

fn check_name(setting: Setting, text: &str) -> Result<(), SettingsError> {
    if text.is_empty() {
        return fault(setting, "expected a text that is not empty".to_owned());
    }
    check_length(setting, text, NAME_LENGTH_MAX)
}

fn check_length(setting: Setting, text: &str, max: usize) -> Result<(), SettingsError> {
    let length = text.chars().count();
    if length > max {
        return fault(
            setting,
            format!("expected at most {max} characters, not {length}"),
        );
    }
    Ok(())
}

fn fault<T>(setting: Setting, problem: String) -> Result<T, SettingsError> {
    Err(SettingsError { setting, problem })
}

#[cfg(test)]
mod tests {
    use super::*;
    use locket_sim::protocol::resource::Resource;

    fn faults(key: &str, ttl: i64, retry_ms: u64) -> Option<Setting> {
        let resource = Resource {
            key: key.into(),
            owner: "o".into(),
            ..Resource::default()
        };
        let settings = RunnerSettings::safe(resource, ttl, Duration::from_ms(retry_ms));
        check(&settings).err().map(|error| error.setting)
    }

    #[test]
    fn what_locket_would_refuse_for_ever_is_found() {
        assert_eq!(faults("", 15, 5_000), Some(Setting::Key));
        assert_eq!(faults(&"ü".repeat(255), 15, 5_000), None);
        assert_eq!(faults(&"ü".repeat(256), 15, 5_000), Some(Setting::Key));
        assert_eq!(faults("k", 0, 5_000), Some(Setting::Ttl));
    }

    #[test]
    fn a_lease_that_ends_before_its_renewal_is_found() {
        assert_eq!(faults("k", 15, 14_849), None);
        assert_eq!(faults("k", 15, 14_850), Some(Setting::RetryInterval));
        // Upstream's arithmetic wraps there.
        assert_eq!(
            faults("k", 9_223_372_037, 5_000),
            Some(Setting::RetryInterval)
        );
    }

    #[test]
    fn by_default_one_attempt_may_fail() {
        let defaults = [1, 3, 15, 60].map(|ttl| default_retry_interval(ttl).as_ms());
        assert_eq!(defaults, [333, 1_000, 5_000, 5_000]);
    }
}
