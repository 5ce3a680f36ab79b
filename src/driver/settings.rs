//! Settings with which a runner could never hold anything, or would lose it all the time.
//!
//! Locket's own runners validate nothing (C1); they try in vain for ever. In production it is
//! kinder to say so at once.

use locket_sim::protocol::expiry::TTL_SECONDS_MAX;
use locket_sim::protocol::runner::RunnerSettings;
use locket_sim::time::Duration;

/// Why a runner should not be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// The name of the setting at fault.
    pub setting: &'static str,
    /// The message: what is wrong, and what was expected.
    pub problem: String,
}

/// The columns' limits, in characters (B34).
const NAME_LENGTH_MAX: usize = 255;
const VALUE_LENGTH_MAX: usize = 4096;

/// Checks what Locket would refuse for ever, what would end every attempt or lease at once, and
/// what would make a runner that counts its lease lose it before each renewal.
pub fn check(settings: &RunnerSettings) -> Result<(), SettingsError> {
    let resource = &settings.resource;
    check_name("key", &resource.key)?;
    check_name("owner", &resource.owner)?;
    check_length("value", &resource.value, VALUE_LENGTH_MAX)?;
    check_ttl(settings.ttl_in_seconds)?;
    let (lease, retry_interval) = (settings.lease(), settings.renewal_interval());
    if lease == Some(Duration::ZERO) {
        let ttl = settings.ttl_in_seconds;
        let problem = format!("expected less than the TTL of {ttl} s");
        return fault("margin", problem);
    }
    if lease.is_none() && settings.rule.tolerated_failures.is_none() {
        let problem = "nothing but a collision ends its lock; add a lease, or toleratedFailures";
        return fault("runner", problem.to_owned());
    }
    if retry_interval == Duration::ZERO {
        let problem =
            "expected at least 1ms, not 0; leave it out for a third of the TTL, 5s at most";
        return fault("retryInterval", problem.to_owned());
    }
    if let Some(lease) = lease.filter(|&lease| lease <= retry_interval) {
        let problem = format!(
            "expected less than {lease} (the TTL minus the margin), not {retry_interval}: the lock \
             would be lost before every renewal"
        );
        return fault("retryInterval", problem);
    }
    Ok(())
}

fn check_ttl(ttl_in_seconds: i64) -> Result<(), SettingsError> {
    let problem = if ttl_in_seconds <= 0 {
        format!("expected at least 1, not {ttl_in_seconds}")
    } else if ttl_in_seconds > TTL_SECONDS_MAX {
        format!(
            "expected at most {TTL_SECONDS_MAX}, not {ttl_in_seconds}: a longer one ends at once"
        )
    } else {
        return Ok(());
    };
    fault("ttl", problem)
}

fn check_name(setting: &'static str, text: &str) -> Result<(), SettingsError> {
    if text.is_empty() {
        return fault(setting, "expected a text that is not empty".to_owned());
    }
    check_length(setting, text, NAME_LENGTH_MAX)
}

fn check_length(setting: &'static str, text: &str, max: usize) -> Result<(), SettingsError> {
    let length = text.chars().count();
    if length > max {
        return fault(setting, format!("expected at most {max} characters, not {length}"));
    }
    Ok(())
}

fn fault<T>(setting: &'static str, problem: String) -> Result<T, SettingsError> {
    Err(SettingsError { setting, problem })
}
