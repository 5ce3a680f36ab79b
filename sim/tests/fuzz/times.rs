//! Lengths of time and Locket's settings as texts.

use locket_sim::protocol::profile::Profile;
use locket_sim::time::Duration;
use proptest::prelude::*;

use super::json::{changed, text};
use super::round::fuzz;

#[test]
fn lengths_of_time() {
    let inputs = prop_oneof![text(), "[0-9. ]{0,24}(ms|s|m|h|d)? ?"];
    fuzz("lengths_of_time", 500, &inputs, |text| {
        let duration: Duration = match text.parse() {
            Ok(duration) => duration,
            Err(error) if format!("{error}").is_empty() => return Err("no words".to_owned()),
            Err(_) => return Ok(()),
        };
        let shown = duration.to_string();
        match shown.parse() {
            Ok(again) if duration == again => Ok(()),
            other => Err(format!("it is shown as {shown}, which is read as {other:?}")),
        }
    });
}

#[test]
fn profiles() {
    let good =
        [r#""upstream""#, r#"{ "extends": "upstream", "keyRequired": true, "expiry": "exact" }"#];
    let inputs = changed(good.map(str::to_owned).to_vec());
    fuzz("profiles", 300, &inputs, |text| match serde_json::from_str::<Profile>(&text) {
        Err(_) => Ok(()),
        Ok(profile) => {
            let written = serde_json::to_string(&profile).map_err(|error| error.to_string())?;
            match serde_json::from_str::<Profile>(&written) {
                Ok(again) if again == profile => Ok(()),
                other => Err(format!("it is written as {written}, which is read as {other:?}")),
            }
        }
    });
}
