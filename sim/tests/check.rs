//! Claims about the checker, each answered by a search over every schedule.

mod check {
    mod figures;
    mod reductions;
    mod replay;
    mod rig;
}
