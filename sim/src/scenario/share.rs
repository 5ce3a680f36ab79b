//! A part of all, as people write it.

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer};
use serde::{Serialize, Serializer};

use crate::unit_text;

/// How many of a thousand: in text a percentage with at most one decimal, `"30%"` or `"0.5%"`, from
/// 0 to 100.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share(u32);

impl Share {
    /// So many of a thousand.
    pub(crate) const fn of_per_mille(per_mille: u32) -> Self {
        Self(per_mille)
    }

    /// The share in thousandths.
    pub const fn per_mille(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 % 10 {
            0 => write!(f, "{}%", self.0 / 10),
            tenth => write!(f, "{}.{tenth}%", self.0 / 10),
        }
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        per_mille(text).map(Self).ok_or_else(|| {
            let shown: String = text.trim().chars().take(40).collect();
            format!(
                "{shown:?} is not a share; write a percentage from 0% to 100%, such as 30% or 0.5%"
            )
        })
    }
}

fn per_mille(text: &str) -> Option<u32> {
    let number = text.trim().strip_suffix('%')?.trim_end();
    let (whole, tenth) = number.split_once('.').unwrap_or((number, "0"));
    let is_number = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
    if !is_number(whole) || !is_number(tenth) || tenth.len() != 1 || whole.len() > 3 {
        return None;
    }
    let per_mille = whole.parse::<u32>().ok()? * 10 + tenth.parse::<u32>().ok()?;
    (per_mille <= 1000).then_some(per_mille)
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "a share with its percent sign, such as \"30%\"";
        unit_text::deserialize(deserializer, expected, |number| {
            let refused = number.to_string().parse::<Self>();
            refused.err().unwrap_or_default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_percentage_with_at_most_one_decimal() {
        for (text, per_mille) in
            [("30%", 300), ("0.5%", 5), ("100%", 1000), (" 0 %", 0), ("12.5%", 125)]
        {
            assert_eq!(text.parse().map(Share::per_mille), Ok(per_mille), "{text}");
        }
    }

    #[test]
    fn a_share_without_a_percent_sign_or_beyond_all_is_refused() {
        let wrong = "30|0.3|100.1%|101%|-1%|1.25%|%|.5%|5.%|1e2%|99999999999%";
        for text in wrong.split('|') {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }
}
