//! A client's runner, as its behaviour is described: one call at a time, a retry interval, what it
//! believes. Times are in units and count down.

/// The settings in which runners differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunnerRules {
    pub(crate) retry_interval: u16,
    /// How long the first attempt may take.
    pub(crate) first_timeout: Option<u16>,
    /// How long any other attempt may take that is sent while the lock is not held.
    pub(crate) acquire_timeout: u16,
    /// How long an attempt may take that is sent while it is held.
    pub(crate) renew_timeout: u16,
    /// How long the Fetch after a failed first attempt may take.
    pub(crate) fetch_timeout: Option<u16>,
    /// How long the Release may take.
    pub(crate) release_timeout: Option<u16>,
    /// For how long a good attempt grants the lock, from its sending; `None` for who does not
    /// count, and goes on believing until an attempt fails.
    pub(crate) lease: Option<u16>,
    /// True if the retry interval counts from the sending of an attempt, not from its end.
    pub(crate) retries_from_sending: bool,
    /// True if it exits when it has lost the lock; a presence goes on trying.
    pub(crate) exits: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Phase {
    NotStarted,
    Calling {
        call: Call,
        is_first: bool,
        /// Since the attempt was sent, as far as that can matter.
        sent_ago: u16,
        gives_up_in: Option<u16>,
    },
    Waiting(u16),
    Exited,
    Crashed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Call {
    Lock,
    Fetch,
    Release,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Reply {
    Ok,
    Collision,
    /// Unavailable, a deadline, the database.
    Failure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Runner {
    pub(crate) phase: Phase,
    /// For how long it goes on believing that it holds the lock: 0 ends it before anything else is
    /// looked at, `FOR_EVER` never ends by itself.
    held_for: Option<u16>,
    is_signalled: bool,
}

const FOR_EVER: u16 = u16::MAX;

/// The other actions of a runner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Did {
    /// It makes this call, and whether the call may wait for a connection.
    pub(crate) calls: Option<(Call, bool)>,
    /// It has lost the lock.
    pub(crate) loses: bool,
    /// An attempt has got it the lock, perhaps to give it up at once.
    pub(crate) gets_it: bool,
}

impl Runner {
    pub(crate) const NEW: Self =
        Self { phase: Phase::NotStarted, held_for: None, is_signalled: false };

    pub(crate) const CRASHED: Self = Self { phase: Phase::Crashed, ..Self::NEW };

    pub(crate) fn is_alive(&self) -> bool {
        matches!(self.phase, Phase::Calling { .. } | Phase::Waiting(_))
    }

    pub(crate) fn believes(&self) -> bool {
        self.held_for.is_some_and(|left| left > 0)
    }

    pub(crate) fn is_calling(&self) -> bool {
        matches!(self.phase, Phase::Calling { .. })
    }

    /// True if it has to do something now.
    pub(crate) fn is_due(&self) -> bool {
        let of_phase = match self.phase {
            Phase::Calling { gives_up_in, .. } => gives_up_in == Some(0),
            Phase::Waiting(left) => left == 0,
            Phase::NotStarted | Phase::Exited | Phase::Crashed => false,
        };
        of_phase || self.held_for == Some(0)
    }

    pub(crate) fn pass(&mut self, rules: &RunnerRules) {
        match &mut self.phase {
            Phase::Calling { sent_ago, gives_up_in, .. } => {
                let matters = rules.lease.map_or(0, |lease| lease.max(rules.retry_interval));
                *sent_ago = (*sent_ago + 1).min(matters);
                *gives_up_in = gives_up_in.map(|left| left.saturating_sub(1));
            }
            Phase::Waiting(left) => *left = left.saturating_sub(1),
            Phase::NotStarted | Phase::Exited | Phase::Crashed => {}
        }
        if self.held_for != Some(FOR_EVER) {
            self.held_for = self.held_for.map(|left| left.saturating_sub(1));
        }
    }

    pub(crate) fn start(&mut self, rules: &RunnerRules) -> Did {
        self.call(Call::Lock, true, 0, rules.first_timeout)
    }

    /// Does one thing that is due.
    pub(crate) fn act(&mut self, rules: &RunnerRules) -> Did {
        if self.held_for == Some(0) {
            return self.lose(rules);
        }
        match self.phase {
            Phase::Calling { .. } => self.end_call(Reply::Failure, rules),
            Phase::Waiting(_) => {
                let timeout = match self.held_for {
                    Some(_) => rules.renew_timeout,
                    None => rules.acquire_timeout,
                };
                let did = self.call(Call::Lock, false, 0, Some(timeout));
                // Who counts its lease fails at once where no process is.
                Did { calls: did.calls.map(|(call, _)| (call, rules.lease.is_none())), ..did }
            }
            Phase::NotStarted | Phase::Exited | Phase::Crashed => Did::default(),
        }
    }

    /// Hears the reply to its call.
    pub(crate) fn hear(&mut self, reply: Reply, rules: &RunnerRules) -> Did {
        let lost = self.end_lease(rules);
        if !self.is_alive() {
            return lost;
        }
        let did = self.end_call(reply, rules);
        Did { loses: did.loses || lost.loses, ..did }
    }

    /// Receives the stop signal.
    pub(crate) fn signal(&mut self, rules: &RunnerRules) -> Did {
        let lost = self.end_lease(rules);
        match self.phase {
            Phase::Waiting(_) => Did { loses: lost.loses, ..self.release(rules) },
            Phase::Calling { call, .. } => {
                self.is_signalled |= call != Call::Release;
                lost
            }
            Phase::NotStarted | Phase::Exited | Phase::Crashed => lost,
        }
    }

    fn end_lease(&mut self, rules: &RunnerRules) -> Did {
        match self.held_for {
            Some(0) => self.lose(rules),
            _ => Did::default(),
        }
    }

    fn end_call(&mut self, reply: Reply, rules: &RunnerRules) -> Did {
        let Phase::Calling { call, is_first, sent_ago, .. } = self.phase else {
            return Did::default();
        };
        match call {
            Call::Lock => self.end_attempt(reply, is_first, sent_ago, rules),
            Call::Fetch => self.wait(sent_ago, rules),
            Call::Release => {
                self.exit();
                Did::default()
            }
        }
    }

    fn end_attempt(&mut self, reply: Reply, is_first: bool, ago: u16, rules: &RunnerRules) -> Did {
        // As late as the lease that it would grant, success says nothing.
        let granted = rules.lease.map_or(FOR_EVER, |it| it.saturating_sub(ago));
        if reply == Reply::Ok && granted > 0 {
            self.held_for = Some(granted);
            let did = self.wait(ago, rules);
            return Did { gets_it: true, ..did };
        }
        let is_held = self.held_for.is_some();
        if is_held && (rules.lease.is_none() || reply == Reply::Collision) {
            self.lose(rules);
            let did = if rules.exits { Did::default() } else { self.wait(ago, rules) };
            return Did { loses: true, ..did };
        }
        if is_first {
            // Only to say whose the lock is.
            return self.call(Call::Fetch, true, ago, rules.fetch_timeout);
        }
        self.wait(ago, rules)
    }

    /// Waits for the next attempt; a signal has waited for the end of this one.
    fn wait(&mut self, sent_ago: u16, rules: &RunnerRules) -> Did {
        if self.is_signalled {
            return self.release(rules);
        }
        let gone = if rules.retries_from_sending { sent_ago } else { 0 };
        self.phase = Phase::Waiting(rules.retry_interval.saturating_sub(gone));
        Did::default()
    }

    /// From here on the lock may be another's.
    fn release(&mut self, rules: &RunnerRules) -> Did {
        self.held_for = None;
        self.is_signalled = false;
        self.call(Call::Release, true, 0, rules.release_timeout)
    }

    fn call(&mut self, call: Call, is_first: bool, sent_ago: u16, timeout: Option<u16>) -> Did {
        self.phase = Phase::Calling { call, is_first, sent_ago, gives_up_in: timeout };
        Did { calls: Some((call, !is_first)), ..Did::default() }
    }

    fn lose(&mut self, rules: &RunnerRules) -> Did {
        self.held_for = None;
        if rules.exits {
            self.exit();
        }
        Did { loses: true, ..Did::default() }
    }

    fn exit(&mut self) {
        *self = Self { phase: Phase::Exited, ..Self::NEW };
    }
}
