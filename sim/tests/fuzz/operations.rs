//! The operations on a simulation: moves in its time, branches and acts.

use locket_sim::scenario::Position;
use locket_sim::simulation::{MarginQuestion, NodeFault, Place, Simulation, SimulationError};
use locket_sim::time::{Duration, Time};
use proptest::prelude::*;

use super::json::changed;

#[derive(Clone, Debug)]
pub(super) enum Operation {
    Act(String),
    Back,
    Branch,
    SafetyMargin(u64),
    Restore(usize, u64, u32),
    SeekEvent(usize),
    SeekTime(u64),
    Step,
    Switch(usize),
}

pub(super) fn operation() -> impl Strategy<Value = Operation> {
    let acts = ACTS.iter().map(ToString::to_string).collect();
    let time = || prop_oneof![9 => 0_u64..120_000, 1 => any::<u64>()];
    prop_oneof![
        4 => changed(acts).prop_map(Operation::Act),
        2 => Just(Operation::Back),
        1 => Just(Operation::Branch),
        1 => (0_u64..20_000).prop_map(Operation::SafetyMargin),
        1 => (0_usize..3, time(), 0_u32..4).prop_map(|(a, b, c)| Operation::Restore(a, b, c)),
        1 => (0_usize..200).prop_map(Operation::SeekEvent),
        3 => time().prop_map(Operation::SeekTime),
        3 => Just(Operation::Step),
        1 => (0_usize..3).prop_map(Operation::Switch),
    ]
}

impl Operation {
    /// Does it; what is refused is refused.
    pub(super) fn perform(&self, simulation: &mut Simulation) -> Result<(), SimulationError> {
        match self {
            Self::Act(act) => simulation.act_json(act),
            Self::Back => {
                simulation.step_back();
                Ok(())
            }
            Self::Branch => {
                simulation.start_branch();
                Ok(())
            }
            Self::SafetyMargin(longest) => {
                let question = MarginQuestion {
                    fault: NodeFault::Pause,
                    longest: Duration::from_ms(*longest),
                    ..MarginQuestion::default()
                };
                simulation.safety_margin(question)?.run(50).map(drop)
            }
            Self::Restore(branch, ms, count) => simulation.restore(Place {
                branch: *branch,
                position: Position { time: Time::from_ms(*ms), count: *count },
            }),
            Self::SeekEvent(count) => simulation.seek_event(*count),
            Self::SeekTime(ms) => simulation.seek_time(Time::from_ms(*ms)),
            Self::Step => simulation.step().map(drop),
            Self::Switch(branch) => simulation.switch_to(*branch),
        }
    }
}

/// In words of the scenarios' own clients.
const ACTS: &[&str] = &[
    r#"{ "do": "crash", "node": "bbs-0" }"#,
    r#"{ "do": "pause", "node": "bbs-1", "for": "20s" }"#,
    r#"{ "do": "resume", "node": "locket" }"#,
    r#"{ "do": "cut", "from": "bbs-0", "to": "locket-0", "oneWay": true }"#,
    r#"{ "do": "lose-messages", "from": "bbs-0", "to": "locket-0", "count": 2 }"#,
    r#"{ "do": "put-row", "key": "bbs", "owner": "x", "ttl": "9s" }"#,
    r#"{ "do": "delete-row", "key": "bbs" }"#,
    r#"{ "do": "drop-table" }"#,
    r#"{ "do": "fail-over", "lostCommits": 3 }"#,
    r#"{ "do": "lose-replies", "count": 1 }"#,
    r#"{ "do": "stall", "for": "30s" }"#,
    r#"{ "do": "set-latency", "from": "bbs-1", "to": "locket", "latency": { "min": "5ms", "max": "2s" } }"#,
    r#"{ "do": "restart", "node": "bbs-0", "owner": "c" }"#,
    r#"{ "do": "note", "text": "a note" }"#,
];
