//! The checker: tries every schedule within bounds, and says whether something can go wrong.
//!
//! A [`Question`] names runners, what may go wrong and what must never happen; a [`Search`]
//! answers it. It searches the shipped machines themselves, and not a model of the runner and of
//! Locket's rules, so an answer holds for the shipped code. Three things make that fast:
//!
//! * States are **relative to now** and leave out what only grows, so there are finitely many,
//!   and a search that has visited all of them is a proof for runs of any length.
//! * Each node's step from a state of its own is **computed once** by the shipped code and then
//!   looked up. A state of the search is a few numbers of such states and the messages on their
//!   way; it is compared in full, never by a hash alone.
//! * Messages are **lazy**: a message of up to `d` may arrive at any instant until then.
//!
//! # Any number of clients
//!
//! Before all schedules, each client of a question about two owners, `belief-matches-row` or
//! `false-loss` is asked alone, in a world that allows others everything that it can notice:
//!
//! * A row has one last owner: its owner, or without a row the one before. If each client is the last
//!   owner while it believes that it holds the lock, there are never two, whatever their number.
//! * Others cannot change a row of the client. To a free key or a row of theirs they do any sequence of
//!   takes, renewals and drops, whenever the database can execute a query. So in each schedule of many
//!   clients, each of them has the states and inputs of a schedule of this world.
//! * A time of two owners that is tolerated is counted from when a belief is first wrong until it ends.
//! * Whether a belief matches the row, and whether a client gives up a lock whose row is its own, is
//!   about one client and its row. It is what it is in the world of one client.
//!
//! This supposes that clients have different owner strings, and that clocks run alike. Where a client
//! alone breaks the rule, real others may not allow it: then all schedules of the question are tried,
//! and the smallest such violation is a lower bound for theirs.
//!
//! A fault may also happen any number of times. It is not counted then, and what of it could grow is
//! left out: `explorer/any_count.rs` says what stands for it. Where there is no proof, all schedules
//! are tried with one of each such fault, then with two, and so on.
//!
//! Processes delete rows by timers. A timer fires no earlier than the TTL after the last write of its
//! row, and deletes nothing that was written since. So one client is first asked with a row that may
//! go at any time from then on, which stands for any number of processes and for all their polls.
//!
//! Where a process, a link or the database may fail, no process is followed at first, only the rows.
//! `explorer/any_processes.rs` says what stands for the processes and what they do to calls.
//!
//! # Why a grid is enough
//!
//! Take any run in continuous time, as the sequence of what happens in it, simultaneous things in
//! their order. Its times are bound by constraints `t_j − t_i ≤ c`: the window of a message, the
//! jitter of a wait, the longest pause and outage, and equalities for timers. All of them are
//! closed, and every `c` is a multiple of [`Question::exact_grid`]. The times that satisfy such a
//! system form a polyhedron
//! whose corners are multiples of that grid, since its matrix is totally unimodular. So the same
//! sequence is possible at times of the grid, and how long a stretch lasts, a difference
//! `t_j − t_i`, is greatest in a corner. The search tries every sequence of the grid, with **every
//! order within an instant, faults included**; so verdict, first violation and longest violation
//! are those of continuous time.
//!
//! * A [coarser grid](Question::is_preview) tries fewer times: what it finds is real, and what it
//!   does not find proves nothing.
//! * A safe runner's belief ends *before* the end of its lease, an open bound: the longest overlap
//!   is approached, and not reached, by runs in continuous time.
//! * Clocks that run at different rates break the argument, since timers are then due between the
//!   instants of any grid. A violation is shown by an exact run, or the answer is unfinished; and
//!   every search is a preview.
//! * The clock of a suspended machine breaks it, too: how long a timer takes then depends on when
//!   the suspend begins and ends. A violation is real all the same, and every search is a preview.
//!
//! # What is left out
//!
//! * A pause, a stall, a partition or a crash of the database that begins where no message is held
//!   up, sent or refused. It has no effect until a message is, and a fault that begins then has more
//!   of its longest time left: it can do all that the earlier fault can.
//! * Replies to calls that are over. The machine drops them whenever they come. Where
//!   pings can fail they count, since they show that a connection is alive.
//! * Time between a query's departure and its arrival at a database that is not slow. An event
//!   between them could as well come before whatever made the process ask.
//! * Stale waits of a process: for the lost answer to a call that its client has given up, or to
//!   a deletion after which no row can be as it was.
//! * [States that are dead](Reductions::dead_states): fewer than two clients run or may start, so
//!   two owners are impossible for good.
//! * [Mirror images](Reductions::symmetry): clients with equal settings that have changed places
//!   do the same with their names exchanged, and no property looks at names.
//!
//! The last two can be switched off, which the tests do to compare. The test `oracle` compares all
//! of it with a model of its own, which leaves nothing out.
//!
//! ```
//! use locket_sim::check::{ClientQuestion, Question, Reductions, Search, Verdict};
//! use locket_sim::scenario::RunnerKind;
//! use locket_sim::time::Duration;
//!
//! let seconds = Duration::from_seconds;
//! let upstream = ClientQuestion::new(RunnerKind::Upstream, seconds(15), seconds(5));
//! let mut question = Question::one_owner(upstream);
//! question.bounds.latency = seconds(2);
//! let mut search = Search::new(question, Reductions::default(), 1_000_000)?;
//! assert_eq!(search.run(u64::MAX), Verdict::Safe);
//! # Ok::<(), locket_sim::check::QuestionError>(())
//! ```

mod question;

mod steps;

mod explorer;

mod search;

mod answer;

mod advice;

pub use advice::adviser::Adviser;
pub use advice::map::SettingsMap;
pub use advice::map_cell::{Cell, CellView};
pub use advice::map_question::MapQuestion;
pub use advice::survival::{Survival, SurvivalView, Surviving};
pub use advice::{Advice, AdviceView, Alternative, Cost, Excluded, PauseMargin};
pub use answer::replay::Counterexample;
pub use answer::replay_error::ReplayError;
pub use answer::schedule::Schedule;
pub use answer::story::{Range, Story, StoryLine};
pub use answer::view::{AnswerView, LongestView, Reached};
pub use answer::{Answer, ClientCount};
pub use explorer::Reductions;
pub use question::axis::Axis;
pub use question::bounds::{Bounds, FaultBound, Faults};
pub use question::count::Count;
pub use question::faults::{Fault, FaultArgument, FaultKind};
#[cfg(feature = "schema")]
pub(crate) use question::faults_text::FaultsText;
pub use question::grid::FinestGrid;
pub use question::limits::{CLIENTS_MAX, FAULT_COUNT_MAX, PROCESSES_MAX};
pub use question::of_run::RunFaults;
pub use question::outside::{Outside, OutsideKind};
pub use question::run_question::RunQuestion;
pub use question::storage::{StorageQuestion, WriteLatency};
#[cfg(feature = "schema")]
pub(crate) use question::text::QuestionText;
pub use question::visible::{VisibleState, VisibleStates};
pub use question::{ClientQuestion, Property, Question, QuestionError};
pub use search::coverage::Coverage;
pub use search::edge::Edge;
pub use search::space::{Space, SpaceState};
pub use search::why_not_any::WhyNotAny;
pub use search::why_unknown::WhyUnknown;
pub use search::{Proof, ProvedBy, Search, Verdict};
