//! Claims about the checker, each answered by a search over every schedule.

mod check {
    mod answers;
    mod figures;
    mod map;
    mod reductions;
    mod replay;
    mod rig;
}
