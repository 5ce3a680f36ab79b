//! Every point where the world could go two ways is one question: *pick one of n, here*.
//!
//! The answer 0 always means that nothing unusual happens. Who answers decides what a run is:
//! always 0 gives a plain run, a seed a random one, a list of overrides a replay, and an
//! explorer gives every answer in turn. A [`Site`] names the question stably: what is asked
//! elsewhere, and how often, does not change it, so removing one fault leaves the others alone.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use xxhash_rust::xxh64::xxh64;

/// The subject of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SiteKind {
    /// Whether a committed transaction's answer is lost on its way back.
    CommitAnswer,
    /// How much longer a message takes than the shortest time of its link.
    Delay,
    /// Whether a message arrives twice.
    Duplicate,
    /// Whether a message is lost.
    Loss,
    /// Which of the things that are due at one instant happens first.
    Tie,
}

impl SiteKind {
    const ALL: [(Self, char); 5] = [
        (Self::CommitAnswer, 'c'),
        (Self::Delay, 'd'),
        (Self::Duplicate, 'u'),
        (Self::Loss, 'l'),
        (Self::Tie, 't'),
    ];
}

/// Where a question is asked: about the `count`th thing of its kind at `subject`, a link or a
/// node by number, or for a tie the instant in milliseconds. In text `l3.17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The subject of the decision.
    pub kind: SiteKind,
    /// The link, node or instant.
    pub subject: u64,
    /// Which time, from 0.
    pub count: u32,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = SiteKind::ALL
            .iter()
            .find(|(kind, _)| *kind == self.kind)
            .map_or('?', |(_, letter)| *letter);
        write!(f, "{letter}{}.{}", self.subject, self.count)
    }
}

impl FromStr for Site {
    type Err = ParseSiteError;

    fn from_str(text: &str) -> Result<Self, ParseSiteError> {
        let mut chars = text.chars();
        let letter = chars.next().ok_or(ParseSiteError)?;
        let (kind, _) =
            SiteKind::ALL.iter().find(|(_, known)| *known == letter).ok_or(ParseSiteError)?;
        let (subject, count) = chars.as_str().split_once('.').ok_or(ParseSiteError)?;
        Ok(Self {
            kind: *kind,
            subject: subject.parse().map_err(|_| ParseSiteError)?,
            count: count.parse().map_err(|_| ParseSiteError)?,
        })
    }
}

/// A text that names no site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSiteError;

impl fmt::Display for ParseSiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "expected a place such as l3.17: a letter of c, d, u, l, t, a subject and a count",
        )
    }
}

impl std::error::Error for ParseSiteError {}

/// Answers questions.
pub trait Choices {
    /// A number below `options`, which is at least 1.
    fn pick(&mut self, site: Site, options: u32) -> u32;

    /// True if a fault with a probability of `per_mille` of a thousand happens here. The last of a
    /// thousand answers say so; 0 is as usual.
    fn fault_happens(&mut self, site: Site, per_mille: u32) -> bool {
        per_mille > 0 && self.pick(site, 1000) >= 1000_u32.saturating_sub(per_mille)
    }

    /// True if any answer of this kind could be other than 0. If not, the question may be left
    /// out; it is counted all the same.
    fn asks_about(&self, kind: SiteKind) -> bool;
}

/// Answers from a list of overrides, then from a seed, and else always 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Script {
    /// Where the answers of a random run come from; none for a plain run.
    pub seed: Option<u64>,
    /// Answers that are given whatever the seed says.
    pub overrides: BTreeMap<Site, u32>,
}

impl Choices for Script {
    fn pick(&mut self, site: Site, options: u32) -> u32 {
        let picked = match (self.overrides.get(&site), self.seed) {
            (Some(&picked), _) => picked,
            (None, Some(seed)) => random(seed, site, options),
            (None, None) => 0,
        };
        // An override may come from another version of the scenario.
        picked.min(options.saturating_sub(1))
    }

    fn asks_about(&self, kind: SiteKind) -> bool {
        self.seed.is_some() || self.overrides.keys().any(|site| site.kind == kind)
    }
}

/// Remembers what was picked where it was not 0: with these as overrides a plain run repeats
/// what happened.
#[derive(Debug)]
pub struct Recorded<'a, C> {
    choices: &'a mut C,
    /// The answers that were not 0.
    pub picked: BTreeMap<Site, u32>,
}

impl<'a, C> Recorded<'a, C> {
    /// Records what `choices` answers.
    pub const fn new(choices: &'a mut C) -> Self {
        Self { choices, picked: BTreeMap::new() }
    }

    /// Like [`new`](Self::new), but continues what was recorded before.
    pub const fn resume(choices: &'a mut C, picked: BTreeMap<Site, u32>) -> Self {
        Self { choices, picked }
    }
}

impl<C: Choices> Choices for Recorded<'_, C> {
    fn pick(&mut self, site: Site, options: u32) -> u32 {
        let picked = self.choices.pick(site, options);
        if picked != 0 {
            self.picked.insert(site, picked);
        }
        picked
    }

    /// Most answers mean no fault, whatever their number: those are as usual.
    fn fault_happens(&mut self, site: Site, per_mille: u32) -> bool {
        let happens = self.choices.fault_happens(site, per_mille);
        if happens {
            self.picked.insert(site, 999);
        }
        happens
    }

    fn asks_about(&self, kind: SiteKind) -> bool {
        self.choices.asks_about(kind)
    }
}

/// Counter-based: the answer depends on seed and site alone, not on what was asked before.
fn random(seed: u64, site: Site, options: u32) -> u32 {
    let which = (site.kind as u64) << 32 | u64::from(site.count);
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&site.subject.to_le_bytes());
    bytes[8..].copy_from_slice(&which.to_le_bytes());
    let random = xxh64(&bytes, seed);
    // Multiply and shift: even to within 2^-32, and the same on every platform.
    let (high, low) = (random >> 32, random & u64::from(u32::MAX));
    let options = u64::from(options);
    ((high * options + ((low * options) >> 32)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITE: Site = Site { kind: SiteKind::Loss, subject: 3, count: 17 };

    #[test]
    fn a_site_survives_the_way_to_text_and_back() {
        assert_eq!(SITE.to_string(), "l3.17");
        assert_eq!("l3.17".parse(), Ok(SITE));
        for text in ["", "l", "l3", "x3.1", "l3.", "l.1", "l-1.2", "é1.1"] {
            assert_eq!(text.parse::<Site>(), Err(ParseSiteError), "{text:?}");
        }
    }

    #[test]
    fn a_random_answer_hits_every_option_and_a_fault_happens_as_often_as_its_share_says() {
        let mut hit = [0_u32; 5];
        let mut script = Script { seed: Some(1), ..Script::default() };
        for count in 0..1000 {
            hit[script.pick(Site { count, ..SITE }, 5) as usize] += 1;
        }
        assert!(hit.iter().all(|&hits| (150..250).contains(&hits)), "{hit:?}");
        let happens = |count: &u32| script.fault_happens(Site { count: *count, ..SITE }, 100);
        let faults = (0..10_000).filter(happens).count();
        assert!((850..1150).contains(&faults), "{faults}");
    }

    #[test]
    fn an_override_wins_over_the_seed_and_stays_in_range() {
        let overrides = BTreeMap::from([(SITE, 9)]);
        let mut script = Script { seed: Some(1), overrides };
        assert_eq!(script.pick(SITE, 1000), 9);
        assert_eq!(script.pick(SITE, 2), 1);
    }
}
