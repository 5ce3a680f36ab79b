//! The version of a BOSH release, as manifests write it.

use std::fmt;

/// A version of a release: its first three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BoshVersion([u32; 3]);

impl BoshVersion {
    pub(super) const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self([major, minor, patch])
    }

    /// The version of a text such as `2.102.0`, `2.102` or `v2.102.0+dev.1`. A development version
    /// counts as the release that it was built on. `None` if the text names no version, as `latest`.
    #[inline]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let (mut version, mut index, mut has_digits) = ([0_u32; 3], 0, false);
        for byte in text.bytes() {
            match byte {
                b'0'..=b'9' => has_digits = true,
                b'.' if has_digits && index < NUMBERS_MAX => {
                    (index, has_digits) = (index + 1, false);
                    continue;
                }
                b'-' | b'+' if has_digits => break,
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
        let expected = Some(BoshVersion::new(2, 102, 0));
        for text in ["2.102.0", "2.102", "v2.102.0", "2.102.0+dev.3", "2.102.0-1", "2.102.0.1"] {
            assert_eq!(BoshVersion::parse(text), expected, "{text}");
        }
        assert_eq!(BoshVersion::parse("0.1482.0"), Some(BoshVersion::new(0, 1482, 0)));
        assert_eq!(BoshVersion::parse("136"), Some(BoshVersion::new(136, 0, 0)));
    }

    #[test]
    fn a_text_without_a_version_has_none() {
        for text in
            ["", "latest", "create", "2.x", "2..1", "+1.2", "99999999999.1", "1.2.3.4.5.6.7"]
        {
            assert_eq!(BoshVersion::parse(text), None, "{text}");
        }
    }
}
