//! Random questions of two and three clients.

#[path = "../../../../tests/support/random.rs"]
mod numbers;
#[path = "../../../../tests/check/random_rule.rs"]
mod random_rule;

use super::seen::AnyOf;
use crate::check::question::Question;
use crate::check::question::count::Count;
use crate::check::question::faults::Fault;

pub(super) use numbers::{Random, number};
use random_rule::random_rule;

impl Random {
    /// A question with up to three kinds of faults; of some clients that stop and start again.
    pub(super) fn question(&mut self) -> Question {
        let clients = self.pick(&[2, 2, 3]);
        let clients: Vec<String> = (0..clients).map(|_| self.client()).collect();
        let latency = self.below(3);
        let again = [r#""stop": 1"#, r#""restart": 1"#].map(str::to_owned);
        let mut faults: Vec<String> = if self.below(8) == 0 { again.into() } else { Vec::new() };
        for _ in 0..self.below(4) {
            let fault = self.fault();
            let downtime = ["locketCrash", "locketDrain"];
            let brings_down = |it: &String| downtime.iter().any(|one| it.contains(one));
            if !(brings_down(&fault) && faults.iter().any(brings_down)) {
                faults.push(fault);
            }
        }
        let (slow, mut faults): (Vec<_>, Vec<_>) =
            faults.into_iter().partition(|it| it.contains("databaseLatency"));
        let slow = slow.first().map(|it| format!("{it}, ")).unwrap_or_default();
        faults.sort();
        faults.dedup_by_key(|it| it.split(':').next().map(str::to_owned));
        let text = format!(
            r#"{{ "profile": "{}", "ttl": "{}s", "processes": {}, "clients": [{}], {slow}"latency": "{latency}s", "faults": {{ {} }},
                "property": {{ {} }}, "storage": {{ "guard": "{}", "writeLatency": "{}" }} }}"#,
            self.pick(&["upstream", "documented"]),
            3 + self.below(3),
            self.pick(&[1, 1, 2]),
            clients.join(", "),
            faults.join(", "),
            self.property(),
            self.pick(&["modified-index", "none", "owner", "renewed-token", "token"]),
            self.pick(&["any", "0s", "1s", "2s"]),
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
        let allow = self.pick(&[0, 0, 1, 2]);
        match self.below(5) {
            0 => format!(r#""is": "belief-matches-row", "allow": "{allow}s""#),
            1 => r#""is": "false-loss""#.to_owned(),
            2 => r#""is": "no-wrong-write""#.to_owned(),
            _ => format!(r#""is": "one-owner", "allow": "{allow}s""#),
        }
    }

    fn client(&mut self) -> String {
        if self.below(2) == 0 {
            let rule = random_rule(&mut |limit| self.below(limit));
            return format!(r#"{{ "runner": {rule}, "ttl": "{}s" }}"#, 3 + self.below(3));
        }
        let runner = self.pick(&["safe", "upstream", "upstream-before-2025-10"]);
        let margin = if runner == "safe" { r#", "margin": "1s""# } else { "" };
        let retry = 1 + self.below(2);
        // As in a rolling change of settings.
        let ttl = match self.below(3) {
            0 => format!(r#", "ttl": "{}s""#, 3 + self.below(3)),
            _ => String::new(),
        };
        format!(r#"{{ "runner": "{runner}", "retryInterval": "{retry}s"{ttl}{margin} }}"#)
    }

    fn fault(&mut self) -> String {
        let count = 1 + u64::from(self.below(4) == 0);
        let long = self.pick(&[1, 2, 3, 4, 6, 11]);
        let one = |name: &str| format!(r#""{name}": {count}"#);
        let lasting =
            |name: &str| format!(r#""{name}": {{ "length": "{long}s", "count": {count} }}"#);
        match self.below(18) {
            0 => one("lostMessage"),
            1 => lasting("pause"),
            2 => one("crash"),
            3 => one("restart"),
            4 => one("stop"),
            5 => lasting("locketCrash"),
            6 => one("lostReply"),
            7 => format!(r#""failover": {{ "count": 1, "lostCommits": {count} }}"#),
            8 => one("duplicate"),
            9 => lasting("locketPause"),
            10 => lasting("stall"),
            11 if long == 2 => lasting("slowConnection"),
            11 => lasting("partition"),
            12 => lasting("databaseCrash"),
            13 => lasting("locketDrain"),
            14 => one("disconnect"),
            15 => one("rowDeletion"),
            16 => lasting("isolation"),
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
            question.bounds.faults[fault].count = Count::Any;
        }
        question
    }
}
