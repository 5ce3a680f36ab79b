//! A Locket process gives up on what it has asked the database after 10 s, whatever keeps the answer
//! away, and whenever that begins.

use super::rig::*;
use locket_sim::time::Time;
use locket_sim::world::event::What;
use locket_sim::world::network::NodeId;
use locket_sim::world::{DATABASE, Step};

type Cause = fn(&mut Step<'_>, NodeId);

/// All that can keep an answer of the database away.
const CAUSES: [(&str, Cause); 10] = [
    ("the next answer is lost", |step, _| step.lose_commit_answers(1)),
    ("the next message to the process is lost", |step, locket| {
        step.lose_messages(&[(DATABASE, locket)], 1);
    }),
    ("the next message to the database is lost", |step, locket| {
        step.lose_messages(&[(locket, DATABASE)], 1);
    }),
    ("answers are cut off", |step, locket| step.cut(DATABASE, locket, false)),
    ("queries are cut off", |step, locket| step.cut(locket, DATABASE, false)),
    ("both are cut off for a while", |step, locket| {
        let until = RENEWAL + ms(60_000);
        step.cut_until(&[(DATABASE, locket), (locket, DATABASE)], until);
    }),
    ("the database stalls", |step, _| step.stall_database(ms(60_000))),
    ("the database is paused", |step, _| step.pause(DATABASE, Some(ms(60_000)), false)),
    ("the database is suspended", |step, _| step.pause(DATABASE, None, true)),
    ("the database is down", |step, _| step.crash_database()),
];

const RENEWAL: Time = Time::from_ms(5_000);

/// When Locket answers the holder's renewal of 5 s if something happens after so many steps of that
/// instant.
fn answered(cause: Cause, steps: usize) -> Option<u64> {
    let mut rig = Rig::holder_and(vec![]);
    let locket = rig.locket();
    rig.run_to(4_999);
    for _ in 0..steps {
        rig.world.step(RENEWAL, &mut rig.script, &mut rig.events);
    }
    rig.act(|step| cause(step, locket));
    rig.run_to(15_000);
    let times = rig.times(locket, |what| matches!(what, What::Handled { .. }));
    times.into_iter().find(|&time| time > 0)
}

#[test]
fn a_question_is_given_up_after_ten_seconds_whatever_keeps_the_answer_away() {
    for (name, cause) in CAUSES {
        let mut has_waited = false;
        // The timer of the client, and the arrivals of request, query, answer and reply.
        for steps in 0..=5 {
            let time = answered(cause, steps);
            let is_right = matches!(time, Some(5_000 | 15_000));
            assert!(is_right, "{name}, after {steps} steps: {time:?}");
            has_waited |= time == Some(15_000);
        }
        assert_eq!(has_waited, name != "the database is down", "{name}");
    }
}
