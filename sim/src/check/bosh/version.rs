//! The version of a BOSH release, as manifests write it.

use std::fmt;

use crate::check::question::QuestionError;

/// A version of a release: its first three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BoshVersion([u32; 3]);

impl BoshVersion {
    pub(super) const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self([major, minor, patch])
    }

    /// The version of a text such as `2.102.0`, `2.102` or `v2.102.0+dev.1`. A development version
    /// counts as the release that it was built on. `None` for the newest: the text is empty, `latest`
    /// or `create`.
    ///
    /// # Errors
    ///
    /// If the text is anything else. Facts of the newest would say nothing about that release.
    #[inline]
    pub fn parse(text: &str) -> Result<Option<Self>, QuestionError> {
        if let "" | "latest" | "create" = text {
            return Ok(None);
        }
        Self::numbers(text).map(Some).ok_or_else(|| {
            let shown: String = text.chars().take(40).collect();
            let message = format!(
                "expected a version such as 2.102.0, or latest for the newest, not {shown:?}"
            );
            QuestionError::new("version", &message)
        })
    }

    #[inline]
    fn numbers(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let is_plain = text.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-._".contains(&it));
        let (mut version, mut index, mut has_digits) = ([0_u32; 3], 0, false);
        for byte in text.bytes() {
            match byte {
                b'0'..=b'9' => has_digits = true,
                b'.' if has_digits && index < NUMBERS_MAX => {
                    (index, has_digits) = (index + 1, false);
                    continue;
                }
                b'-' | b'+' if has_digits && is_plain => break,
                _ => return None,
            }
            // Numbers after the third decide nothing here.
            if let Some(number) = version.get_mut(index) {
                *number = number.checked_mul(10)?.checked_add(u32::from(byte - b'0'))?;
            }
        }
        has_digits.then_some(Self(version))
    }
}

/// The most points in a version.
const NUMBERS_MAX: usize = 5;

impl fmt::Display for BoshVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_in_every_form_of_manifests() {
        let expected = Ok(Some(BoshVersion::new(2, 102, 0)));
        for text in ["2.102.0", "2.102", "v2.102.0", "2.102.0+dev.3", "2.102.0-1", "2.102.0.1"] {
            assert_eq!(BoshVersion::parse(text), expected, "{text}");
        }
        assert_eq!(BoshVersion::parse("0.1482.0"), Ok(Some(BoshVersion::new(0, 1482, 0))));
        assert_eq!(BoshVersion::parse("136"), Ok(Some(BoshVersion::new(136, 0, 0))));
        for text in ["", "latest", "create"] {
            assert_eq!(BoshVersion::parse(text), Ok(None), "{text}");
        }
    }

    #[test]
    fn a_text_that_is_given_and_not_understood_is_refused_with_what_to_write() {
        for text in [
            "2.x",
            "2.102.x",
            "2.1O2.0",
            "2..1",
            "+1.2",
            "diego/2.102.0",
            " ",
            "2.102.0 ",
            "2.102.0-1 2",
            "2.102.0 and 2.103.0",
            "newest",
            "99999999999.1",
            "1.2.3.4.5.6.7",
        ] {
            let error = BoshVersion::parse(text).expect_err(text);
            let message = "expected a version such as 2.102.0, or latest for the newest, not ";
            assert_eq!(
                (error.field.as_str(), error.message),
                ("version", format!("{message}{text:?}"))
            );
        }
    }
}
