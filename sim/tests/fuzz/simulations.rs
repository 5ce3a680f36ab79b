//! Random walks through simulations: after any operations, a link leads to the same moment.

use locket_sim::simulation::{Minimizer, Simulation};
use proptest::prelude::*;

use super::json::changed;
use super::operations::operation;
use super::round::fuzz;
use super::shipped::scenarios;

const STEPS: u64 = 3_000;

#[test]
fn simulations() {
    let operations = prop::collection::vec(operation(), 0..12);
    let inputs = (changed(scenarios()), operations);
    fuzz("simulations", 60, &inputs, |(text, operations)| {
        let Ok(mut simulation) = Simulation::from_json_within(&text, STEPS) else {
            return Ok(());
        };
        for operation in &operations {
            let _refused = operation.perform(&mut simulation);
        }
        let _shown = (simulation.state(), simulation.branches(), simulation.timeline());
        leads_back(&simulation)
    });
}

#[test]
fn failing_runs() {
    let inputs = (changed(scenarios()), any::<Option<u32>>());
    fuzz("failing_runs", 60, &inputs, |(text, seed)| {
        let Ok(mut minimizer) = Minimizer::new(&text, seed.map(u64::from), 8, STEPS) else {
            return Ok(());
        };
        minimizer.run(u64::MAX);
        let _shown = minimizer.minimized();
        Ok(())
    });
}

/// A link of a moment is read, and is the same moment.
pub(super) fn leads_back(simulation: &Simulation) -> Result<(), String> {
    let link = simulation.link();
    let again = Simulation::from_link_within(&link, STEPS);
    let again = again.map_err(|error| format!("its own link is refused: {error}"))?;
    let is_same = again.is_faithful()
        && again.digest() == simulation.digest()
        && again.rows() == simulation.rows()
        && again.link() == link;
    match is_same {
        true => Ok(()),
        false => Err(format!("its link leads elsewhere: {link}")),
    }
}
