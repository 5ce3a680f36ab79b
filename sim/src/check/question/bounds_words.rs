//! The bounds of a question in words.

use super::axis::Axis;
use super::bounds::Bounds;
use super::count::Count;
use super::faults::{Does, Fault};
use super::grid::Inexact;
use super::{ClientQuestion, Question};
use crate::amounts::Seconds;
use crate::node::connection::TCP_WAIT_MAX;
use crate::node::connection::back_off::BackOff;
use crate::protocol::profile::Profile;
use crate::scenario::{ClientKind, Share};
use crate::time::Duration;

impl Question {
    /// Within which bounds an answer holds, as a sentence, and what counts as an owner in them.
    pub(in crate::check) fn bounds_words(&self) -> String {
        self.bounds_of(None)
    }

    /// The bounds within which the cells of a map hold; each cell raises one of them.
    pub(in crate::check) fn bounds_of_map(&self, raised: Axis) -> String {
        self.bounds_of(Some(raised))
    }

    /// The bounds as a list, without a sentence around them.
    pub(in crate::check) fn bounds_list(&self) -> String {
        self.list_of(None)
    }

    /// The runners and the Locket that an answer is about, as a sentence.
    pub(in crate::check) fn settings_words(&self) -> String {
        let mut runners: Vec<String> = self.clients.iter().map(ClientQuestion::words).collect();
        runners.dedup();
        let locket = match self.profile {
            Profile::DOCUMENTED => "the documented Locket",
            Profile::UPSTREAM => "the shipped Locket",
            _ => "a Locket with switches of its own",
        };
        format!("Settings: {}, on {locket}.", runners.join("; "))
    }

    fn bounds_of(&self, raised: Option<Axis>) -> String {
        let bounds = &self.bounds;
        let (pauses, pause) = (Fault::Pause.allowed(bounds), Fault::Pause.longest(bounds));
        let has_pause = pauses > 0 && pause > Duration::ZERO;
        let is_paused = has_pause || raised == Some(Axis::Pause);
        let rests = if is_paused && pauses > 1 {
            " Between two pauses, a client does what has waited."
        } else {
            ""
        };
        let note = if is_paused || bounds.allow_any_that(Does::FreezesClock) {
            " A paused client that believes it holds the lock counts as an owner."
        } else {
            ""
        };
        // Of one question, the verdict says so. The search of each cell has the steps that its settings take.
        let inexact = raised.and_then(|_| self.clone().in_exact_steps().inexact());
        let inexact = inexact.filter(|it| *it != Inexact::Drift);
        let in_steps = inexact.map(|why| format!(" Tried in steps only: {why}."));
        let in_steps = in_steps.unwrap_or_default();
        let connects = self.connects_words();
        let (list, outside) = (self.list_of(raised), self.outside_words());
        format!("Bounds: {list}.{connects}{note}{rests}{in_steps}{outside}")
    }

    /// How long after an outage clients may not connect.
    fn connects_words(&self) -> String {
        let bounds = &self.bounds;
        let prevent = || Fault::that(Does::PreventsConnections).filter(|it| bounds.allow(*it));
        let outages = prevent().filter(|it| !it.does(Does::LosesCalls));
        let longest = outages.map(|it| it.longest(bounds)).max().map(BackOff::longest_after);
        let longest = longest.map(|wait| match self.has_back_off() {
            true => format!(
                " A client that backs off may connect up to {} after an outage.",
                Seconds(wait)
            ),
            false => format!(
                " A client connects at its first attempt after an outage; with the back-off of \
                 grpc-go it may take {} more.",
                Seconds(wait)
            ),
        });
        let is_cut = prevent().any(|it| it.does(Does::LosesCalls));
        let counts = match self.recovers() {
            true => "A cut counts for as long again",
            false => "Not counted: a cut may last for as long again",
        };
        let longest_more = Seconds(TCP_WAIT_MAX);
        let cut = is_cut.then(|| {
            format!(" {counts}, up to {longest_more}, until TCP sends again what was lost.")
        });
        longest.unwrap_or_default() + &cut.unwrap_or_default()
    }

    fn list_of(&self, raised: Option<Axis>) -> String {
        let Bounds { latency, database_latency, transaction_time, drift, .. } = self.bounds;
        let lost_messages = Fault::LostMessage.allowed(&self.bounds);
        let (pauses, pause) =
            (Fault::Pause.allowed(&self.bounds), Fault::Pause.longest(&self.bounds));
        let in_cell = |axis| raised == Some(axis);
        let has_pause = pauses > 0 && pause > Duration::ZERO;
        let mut words = vec![
            match latency {
                _ if in_cell(Axis::Latency) => "messages ≤ the value of the cell".to_owned(),
                Duration::ZERO => "messages take no time".to_owned(),
                latency => format!("messages ≤ {}", Seconds(latency)),
            },
            match pauses {
                Count::UpTo(0 | 1) if in_cell(Axis::Pause) => {
                    "one pause ≤ the value of the cell".to_owned()
                }
                _ if in_cell(Axis::Pause) => {
                    format!("{} ≤ the value of the cell each", pauses.words("pause", "pauses"))
                }
                _ if !has_pause => "no pause".to_owned(),
                Count::UpTo(1) => format!("one pause ≤ {}", Seconds(pause)),
                Count::UpTo(_) | Count::Any => {
                    format!("{} ≤ {} each", pauses.words("pause", "pauses"), Seconds(pause))
                }
            },
            match lost_messages {
                _ if in_cell(Axis::LostMessage) => {
                    "as many messages lost as the cell says".to_owned()
                }
                Count::UpTo(0) => "no message lost".to_owned(),
                Count::UpTo(_) | Count::Any => {
                    format!("{} lost", lost_messages.words("message", "messages"))
                }
            },
        ];
        if database_latency > Duration::ZERO {
            let longest = Seconds(database_latency);
            words.push(format!("queries of the database and replies ≤ {longest} each"));
        }
        if transaction_time > Duration::ZERO {
            let longest = Seconds(transaction_time);
            words.push(format!("transactions that hold their row for ≤ {longest} each"));
        }
        let storage = self.asked_storage();
        words.extend(storage.map(|it| it.write_latency.to_string()));
        let others =
            Fault::ALL.iter().filter(|it| !matches!(it, Fault::LostMessage | Fault::Pause));
        words.extend(others.filter_map(|it| it.words(&self.bounds)));
        if drift != Share::default() {
            words.push(format!("clocks may drift by up to {}", drift.words()));
        }
        if self.has_rates() {
            words.push("clocks with the given rates".to_owned());
        }
        if self.owners().are_shared() {
            words.push("clients with the same owner string".to_owned());
        }
        words.push("no other fault".to_owned());
        words.join(", ")
    }
}

impl ClientQuestion {
    /// Its runner and its times.
    fn words(&self) -> String {
        let Self { runner, kind, ttl, retry_interval, margin, .. } = self;
        let of = if *kind == ClientKind::Presence { " of a presence" } else { "" };
        let settings = self.runner_settings();
        // Of several runners with one margin, some may count no lease by the TTL.
        let margin = margin.and(settings.margin()).map(|it| format!(", margin {}", Seconds(it)));
        let renewal = settings.renewal_interval();
        let late = if renewal >= *ttl { " (its row may expire before each renewal)" } else { "" };
        let (runner, ttl, retry) = (runner.name(), Seconds(*ttl), Seconds(*retry_interval));
        format!("{runner} runner{of}, TTL {ttl}, retry {retry}{late}{}", margin.unwrap_or_default())
    }
}
