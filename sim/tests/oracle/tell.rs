//! A schedule of the oracle in words.

use std::fmt::Write;

use super::model::{Move, Rules, World};

/// The moves with their times, and the believers and the owner of the row after each.
pub(crate) fn tell(moves: &[Move], rules: &Rules, unit_ms: u64) -> String {
    let (mut world, mut ms, mut text) = (World::new(rules), 0, String::new());
    for &happens in moves {
        let told = world.words(happens);
        world = world.after(happens, rules);
        if happens == Move::Pass {
            ms += unit_ms;
            continue;
        }
        let clients = 0..world.clients.len();
        let believes = |it: &usize| world.clients[*it].runner.believes();
        let believers: Vec<_> = clients.filter(believes).collect();
        let row = world.locket.row.map(|row| row.version);
        let _ = writeln!(text, "{ms:>6} ms  {told}; believe {believers:?}, row {row:?}");
    }
    text
}
