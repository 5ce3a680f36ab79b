//! Questions with bounds and faults: none ends as a bug of the checker, and whatever is found
//! breaks its property in the full world.

use std::convert::Infallible;

use locket_sim::check::Question;
use proptest::prelude::*;
use rand_pcg::rand_core::{TryRng, utils};

use super::round::fuzz;
use crate::random_question::{Random, verdict};

/// More than a question is made of.
const DRAWS: usize = 80;

#[test]
fn questions() {
    fuzz("questions", 12, &asked(), |Asked(question)| verdict(&question).map(drop));
}

/// Any question.
pub(super) fn asked() -> impl Strategy<Value = Asked> {
    let draws = prop::collection::vec(any::<u64>(), DRAWS);
    draws.prop_map(|draws| Asked(Random(Draws(draws.into_iter())).question()))
}

/// A question alone is what a finding shows.
#[derive(Clone, Debug)]
pub(super) struct Asked(pub(super) Question);

/// Numbers that were drawn before, so that smaller ones make for a simpler question.
struct Draws(std::vec::IntoIter<u64>);

impl TryRng for Draws {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.try_next_u64()? as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next().unwrap_or_default())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        utils::fill_bytes_via_next_word(bytes, || self.try_next_u64())
    }
}
