//! Random numbers of tests, and the numbers that the environment sets to try others.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng as _;

/// Numbers that follow from a seed and the number of a case alone.
#[derive(Clone)]
pub(crate) struct Random(Pcg64);

impl Random {
    pub(crate) fn of(seed: u64, case: u64) -> Self {
        Self(Pcg64::new(seed.into(), case.into()))
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0.next_u64() % limit
    }

    pub(crate) fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize].clone()
    }
}

/// The value of this environment variable, if it is set.
pub(crate) fn number(name: &str) -> Option<u64> {
    let value = std::env::var_os(name)?.into_string();
    let value = value.ok().and_then(|it| it.parse().ok());
    Some(value.unwrap_or_else(|| panic!("{name} is not a number")))
}
