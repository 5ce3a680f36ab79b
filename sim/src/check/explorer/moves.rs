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
}

/// How many messages and answers a move sends, each of which may be lost or late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct Sendings {
    pub(in crate::check) messages: u8,
    /// Answers of the database to transactions.
    pub(in crate::check) answers: u8,
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
    /// lost together with an answer.
    pub(in crate::check) fn others(sent: Sendings, left: FatesLeft) -> impl Iterator<Item = Self> {
        let all = (0..1_u16 << sent.messages).map(|bits| bits as u8);
        let pairs = all.clone().flat_map(move |lost| {
            let twice = all.clone().filter(move |twice| twice & lost == 0);
            let unanswered = 0;
            twice.map(move |twice| Self { lost, twice, unanswered })
        });
        let messages = pairs.skip(1).filter(move |it| {
            it.lost.count_ones() <= left.lost_messages.into()
                && it.twice.count_ones() <= left.duplicates.into()
        });
        let answers = sent.answers.min(u16::BITS as u8 - 1);
        let answers =
            (1..1_u16 << answers).map(|unanswered| Self { unanswered, ..Self::default() });
        let answers =
            answers.filter(move |it| it.unanswered.count_ones() <= left.lost_replies.into());
        messages.chain(answers)
    }
}
