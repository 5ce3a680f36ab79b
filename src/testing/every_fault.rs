//! A test with each fault at each call.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::server::{Builder, ReferenceServer};
use crate::driver::faults::Fault;

impl Builder {
    /// Runs a test without a fault, then with each fault of each call, then with each two, up to
    /// `most` in one run. The calls are those of clients and of runners. An answer comes 20 s late,
    /// or a connection breaks before or after the call was done.
    ///
    /// The first run that panics ends it, so it has the fewest faults. They are printed with the
    /// trace, except in WebAssembly, which ends at a panic. Otherwise returns the number of runs
    /// that held, which are no proof.
    ///
    /// ```should_panic
    /// use locket_wasm::testing::{DurationExt as _, ReferenceServer};
    ///
    /// // It counts its lease from the answer: one that comes late is enough.
    /// ReferenceServer::builder().every_fault(1, |server| {
    ///     let a = server.client("a");
    ///     if a.lock("bbs", 15.seconds()).is_ok() {
    ///         server.advance(14.seconds());
    ///         server.assert_held("bbs", "a");
    ///     }
    /// });
    /// ```
    pub fn every_fault(self, most: usize, test: impl Fn(&ReferenceServer)) -> usize {
        let mut plans = vec![Vec::new()];
        let mut runs = 0;
        for _ in 0..=most {
            runs += plans.len();
            let further = |plan: Vec<(usize, Fault)>| {
                let calls = self.run_with(&plan, &test);
                let first = plan.last().map_or(0, |&(call, _)| call + 1);
                let faults = move |call| Fault::ALL.map(|fault| (call, fault));
                let one_more = move |fault| [&plan[..], &[fault]].concat();
                (first..calls).flat_map(faults).map(one_more)
            };
            plans = plans.into_iter().flat_map(further).collect();
        }
        runs
    }

    /// Returns how many calls the test has made.
    fn run_with(self, plan: &[(usize, Fault)], test: &impl Fn(&ReferenceServer)) -> usize {
        let server = self.build();
        server.state.borrow_mut().world.faults.plan = plan.to_vec();
        let done = catch_unwind(AssertUnwindSafe(|| test(&server)));
        let state = server.state.borrow();
        let faults = &state.world.faults;
        if let Err(problem) = done {
            eprintln!("every_fault: the faults of this run, then its trace");
            faults.struck.iter().for_each(|fault| eprintln!("  {fault}"));
            state.trace.iter().for_each(|record| eprintln!("{record}"));
            resume_unwind(problem);
        }
        faults.calls
    }
}
