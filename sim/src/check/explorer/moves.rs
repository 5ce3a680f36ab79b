//! The ways on from a state: moves, and the fates of what they send.

use crate::environment::acts::Happening;

/// One thing that can happen. Messages go by their place in the state.
pub(in crate::check) type Move = Happening<u8>;

/// The fates of messages and answers that a move sends: a bit for each, in the order of sending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct Fates {
    /// The messages that are lost.
    pub(in crate::check) lost: u8,
    /// The messages that arrive twice.
    pub(in crate::check) twice: u8,
    /// The answers of the database to transactions that are lost.
    pub(in crate::check) unanswered: u16,
    /// By how much a client's next attempt is deferred, in units.
    pub(in crate::check) jitter: u16,
}

/// How many messages and answers a move sends, each of which may be lost or late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct Sendings {
    pub(in crate::check) messages: u8,
    /// Answers of the database to transactions.
    pub(in crate::check) answers: u8,
    /// By how much the next attempt of a client may be deferred, in units.
    pub(in crate::check) jitter: u16,
}

/// How much more may go wrong with what is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct FatesLeft {
    pub(in crate::check) lost_messages: u8,
    pub(in crate::check) duplicates: u8,
    pub(in crate::check) lost_replies: u8,
}

impl FatesLeft {
    /// True if anything may.
    pub(in crate::check) const fn is_any(self) -> bool {
        self.lost_messages != 0 || self.duplicates != 0 || self.lost_replies != 0
    }
}

impl Fates {
    /// All fates but the usual one. A process that is not answered sends nothing, so no message is
    /// lost together with an answer, and neither does a client that waits.
    #[inline(never)]
    pub(in crate::check) fn others(sent: Sendings, left: FatesLeft) -> Vec<Self> {
        let all = || (0..1_u16 << sent.messages).map(|bits| bits as u8);
        let mut others = Vec::new();
        for (lost, twice) in all().flat_map(|lost| all().map(move |twice| (lost, twice))).skip(1) {
            let may_be = lost & twice == 0
                && lost.count_ones() <= left.lost_messages.into()
                && twice.count_ones() <= left.duplicates.into();
            others.extend(may_be.then_some(Self { lost, twice, ..Self::default() }));
        }
        let answers = sent.answers.min(u16::BITS as u8 - 1);
        for unanswered in 1..1_u16 << answers {
            let may_be = unanswered.count_ones() <= left.lost_replies.into();
            others.extend(may_be.then_some(Self { unanswered, ..Self::default() }));
        }
        others.extend((1..=sent.jitter).map(|jitter| Self { jitter, ..Self::default() }));
        others
    }
}
