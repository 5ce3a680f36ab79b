//! A client's connection: its Locket process, and how the client notices a dead one.
//!
//! Knows of processes only whether they accept connections, and of calls only that they wait.

pub(crate) mod back_off;

use serde::Serialize;

use self::back_off::BackOff;
use crate::by_name::read_by_name;
use crate::time::{Duration, Time};

/// How long after an unanswered call a connection counts as dead: keepalive's time and
/// timeout, as deployments set them.
pub(crate) const KEEPALIVE: Duration = Duration::from_seconds(32);

/// For how long after a cut TCP may not send again what was lost, if the cut was as long: it waits
/// twice as long each time, up to this.
pub(crate) const TCP_WAIT_MAX: Duration = Duration::from_seconds(120);

/// How a client connects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(inline, rename_all = "kebab-case")
)]
pub enum ConnectionKind {
    /// For each call, as this package and a proxy such as Envoy do.
    #[default]
    Fetch,
    /// As grpc-go does: after a round of attempts that no process took, the next one waits for 1 s,
    /// and then 1.6 times as long each time, ±20 %, up to 120 s.
    Grpc,
}

read_by_name!(pub(crate) ConnectionKind: Fetch Grpc);

impl ConnectionKind {
    /// Its back-off in steps of time.
    pub(crate) fn back_off(self, grain: Duration) -> Option<BackOff> {
        match self {
            Self::Fetch => None,
            Self::Grpc => Some(BackOff::new(grain)),
        }
    }
}

/// A client's connection to one of the Locket processes, if there is one. Many clients have one, so it
/// is small.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Connection {
    /// The process that it prefers.
    prefers: u16,
    established: Option<Established>,
    /// The process whose connection died last: not the first to be tried again.
    avoids: Option<u16>,
    /// Its back-off, if it has one.
    back_off: Option<BackOff>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Established {
    process: u16,
    /// Which life of the process it is to.
    life: u32,
    /// Since when a call has waited for any answer; pings go out only then (C31).
    unanswered_since: Option<Time>,
}

/// Where a call goes: to a process, in the life in which the connection was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Route {
    /// The process.
    pub process: usize,
    /// Which of its lives.
    pub life: u32,
}

/// A connection with times relative to a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CanonicalConnection {
    route: Option<Route>,
    unanswered_for: Option<Duration>,
    avoids: Option<usize>,
    back_off: Option<(u8, Duration)>,
}

impl Established {
    fn route(self) -> Route {
        Route { process: self.process.into(), life: self.life }
    }
}

impl Connection {
    /// No connection yet; the preferred process is tried first.
    pub(super) const fn new(prefers: u16, back_off: Option<BackOff>) -> Self {
        Self { prefers, established: None, avoids: None, back_off }
    }

    /// Where calls go: to the process it is connected to as long as that connection lives, else
    /// to the first that accepts one, from the one it prefers (C30). While it backs off, only a round
    /// whose time has come tries any.
    pub(super) fn connect(
        &mut self,
        processes: &dyn Processes,
        now: Time,
        is_round: bool,
    ) -> Option<Route> {
        let alive = self.route().filter(|to| processes.accepting(to.process) == Some(to.life));
        if alive.is_some() {
            return alive;
        }
        if !is_round && self.window().is_some() {
            return None;
        }
        let count = processes.count() as u16;
        let order = (0..count).map(|step| (self.prefers + step) % count);
        // After a dead connection another process first.
        let others = order.clone().filter(|it| Some(*it) != self.avoids);
        let mut routes = others.chain(order).filter_map(|process| {
            let life = processes.accepting(process.into())?;
            Some(Established { process, life, unanswered_since: None })
        });
        let connected = routes.next();
        self.back_off = self.back_off.map(|it| match connected {
            Some(_) => it.succeeded(),
            None => it.failed(now),
        });
        self.established = Some(connected?);
        self.route()
    }

    /// When the next round of attempts may begin, and by when it has, while it backs off.
    pub(super) fn window(&self) -> Option<(Time, Time)> {
        self.back_off?.window()
    }

    /// The same if a round fails `now`.
    pub(super) fn window_if_failed(&self, now: Time) -> Option<(Time, Time)> {
        self.back_off?.failed(now).window()
    }

    /// Where calls go as far as the client knows.
    pub(super) fn route(&self) -> Option<Route> {
        self.established.map(Established::route)
    }

    /// True if it is to this process in this life, no call waits for an answer, and no other
    /// connection has died.
    pub(super) fn is_quiet(&self, to: Route) -> bool {
        let it = self.established;
        it.is_some_and(|it| it.route() == to && it.unanswered_since.is_none())
            && self.avoids.is_none()
    }

    /// A call has left.
    pub(super) fn call_left(&mut self, now: Time) {
        if let Some(established) = &mut self.established {
            established.unanswered_since.get_or_insert(now);
        }
    }

    /// A process has answered: a sign of life, from which the calls count that still wait.
    pub(super) fn answered(&mut self, process: u16, another_waits: bool, now: Time) {
        let it = self.established.as_mut();
        if let Some(it) = it.filter(|it| it.process == process) {
            it.unanswered_since = another_waits.then_some(now);
            self.avoids = None;
        }
    }

    /// When the client knows whether its ping is answered.
    pub(super) fn deadline(&self) -> Option<Time> {
        let since = self.established?.unanswered_since?;
        Some(since + KEEPALIVE)
    }

    /// A ping was answered; only a waiting call leads to another ping.
    pub(super) fn ping_answered(&mut self, call_waits: bool, now: Time) {
        if let Some(established) = &mut self.established {
            established.unanswered_since = call_waits.then_some(now);
        }
    }

    /// There is none, as before the first call.
    pub(super) fn forget(&mut self) {
        *self = Self::new(self.prefers, self.back_off.map(BackOff::succeeded));
    }

    /// A ping was not answered.
    pub(super) fn die(&mut self) {
        let established = self.established.take();
        self.avoids = established.map(|it| it.process).or(self.avoids);
    }

    /// Its canonical state at `now`. The time of the last answer is left
    /// out unless a ping can fail.
    pub(super) fn canonical(&self, now: Time, pings_matter: bool) -> CanonicalConnection {
        let unanswered = self.established.and_then(|it| it.unanswered_since);
        CanonicalConnection {
            route: self.route(),
            unanswered_for: unanswered
                .filter(|_| pings_matter)
                .map(|since| now.since(since).min(KEEPALIVE)),
            avoids: self.avoids.map(usize::from),
            back_off: self.back_off.and_then(|it| it.canonical(now)),
        }
    }

    /// The life of a process is over that it may be connected to, whichever it was.
    pub(super) fn detach(&mut self, process: usize) {
        if let Some(it) = &mut self.established
            && usize::from(it.process) == process
        {
            it.life = u32::MAX;
        }
    }

    /// Knows the life of the process that it is connected to as the first, if that is up.
    #[cfg(test)]
    pub(super) fn forget_lives(&mut self, lives: &[Option<u32>]) {
        if let Some(it) = &mut self.established {
            let is_up = lives[usize::from(it.process)] == Some(it.life);
            it.life = if is_up { 0 } else { u32::MAX };
        }
    }

    /// The process has closed the connection.
    pub(super) const fn close(&mut self) {
        self.established = None;
    }
}

/// The processes that accept connections, and in which life: what a client finds out by trying.
pub(crate) trait Processes {
    /// From how many on there are no more.
    fn count(&self) -> usize;

    /// The life in which a process accepts connections, if it does.
    fn accepting(&self, process: usize) -> Option<u32>;
}
