//! Random questions of two and three clients.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use super::seen::AnyOf;
use crate::check::question::Question;
use crate::check::question::count::Count;
use crate::check::question::faults::Fault;

pub(super) struct Random(Pcg64);

impl Random {
    /// That of a case.
    pub(super) fn of(seed: u64, case: u64) -> Self {
        Self(Pcg64::new(seed.into(), case.into()))
    }

    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.0.next_u64() % limit
    }

    fn one_of<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len() as u64) as usize]
    }

    /// A question with one or two kinds of faults, or none.
    pub(super) fn question(&mut self) -> Question {
        let clients = self.one_of(&[2, 2, 3]);
        let joint = self.below(6) == 0;
        let clients: Vec<String> = (0..clients).map(|_| self.client(joint)).collect();
        let mut bounds = vec![format!(r#""latency": "{}s""#, self.below(3))];
        for _ in 0..self.below(3) {
            let fault = self.fault();
            let downtime = "locketDowntime";
            let is_double = |it: &String| it.contains(downtime) && fault.contains(downtime);
            if !bounds.iter().any(is_double) {
                bounds.push(fault);
            }
        }
        bounds.sort();
        bounds.dedup_by_key(|it| it.split(':').next().map(str::to_owned));
        let text = format!(
            r#"{{ "profile": "{}", "kind": "{}", {} "ttl": "{}s", "processes": {}, "clients": [{}], "bounds": {{ {} }},
                "property": {{ {} }} }}"#,
            self.one_of(&["upstream", "documented"]),
            if joint { "joint" } else { "lock" },
            if joint { r#""keys": ["x", "y"],"# } else { "" },
            3 + self.below(3),
            self.one_of(&[1, 1, 2]),
            clients.join(", "),
            bounds.join(", "),
            self.property(),
        );
        Question::from_json(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// Some of its faults, to happen any number of times.
    pub(super) fn any_of(&mut self, question: &Question) -> AnyOf {
        let faults = Fault::ALL.into_iter().filter(|it| {
            it.can_be_without_limit(question)
                && it.allowed(&question.bounds) > 0
                && self.below(2) == 0
        });
        faults.fold(0, |any, it| any | 1 << it as u32)
    }

    fn property(&mut self) -> String {
        let allow = self.one_of(&[0, 0, 1, 2]);
        match self.below(4) {
            0 => format!(r#""is": "belief-matches-row", "allow": "{allow}s""#),
            1 => r#""is": "false-loss""#.to_owned(),
            _ => format!(r#""is": "one-owner", "allow": "{allow}s""#),
        }
    }

    fn client(&mut self, joint: bool) -> String {
        let keys = match joint && self.below(2) == 0 {
            true => r#", "keys": ["y", "x"]"#,
            false => "",
        };
        let runner = self.one_of(&["safe", "upstream", "upstream-before-2025-10"]);
        let margin = if runner == "safe" {
            r#", "margin": "1s""#
        } else {
            ""
        };
        let retry = 1 + self.below(2);
        format!(r#"{{ "runner": "{runner}", "retryInterval": "{retry}s"{margin}{keys} }}"#)
    }

    fn fault(&mut self) -> String {
        let count = 1 + u64::from(self.below(4) == 0);
        let long = 1 + self.below(4);
        let one = |name: &str| format!(r#""{name}": {count}"#);
        let lasting =
            |name: &str, length: &str| format!(r#""{name}": {count}, "{length}": "{long}s""#);
        match self.below(17) {
            0 => one("lostMessages"),
            1 => lasting("pauses", "pause"),
            2 => one("crashes"),
            3 => one("restarts"),
            4 => one("stops"),
            5 => lasting("locketCrashes", "locketDowntime"),
            6 => one("lostReplies"),
            7 => format!(r#""failovers": 1, "lostCommits": {count}"#),
            8 => one("duplicates"),
            9 => lasting("locketPauses", "locketPause"),
            10 => lasting("stalls", "stall"),
            11 => lasting("partitions", "partition"),
            12 => lasting("databaseCrashes", "databaseDowntime"),
            13 => lasting("locketDrains", "locketDowntime"),
            14 => one("disconnects"),
            15 => one("rowDeletions"),
            _ => r#""databaseLatency": "1s""#.to_owned(),
        }
    }
}

impl Question {
    /// The same with any number of some faults.
    pub(super) fn with_any(&self, any: AnyOf) -> Self {
        let mut question = self.clone();
        let faults = Fault::ALL.into_iter();
        for fault in faults.filter(|it| any >> *it as u32 & 1 != 0) {
            *fault.count(&mut question.bounds) = Count::Any;
        }
        question
    }
}
