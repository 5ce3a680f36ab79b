//! The writes that clients may have sent to a storage, as a state has them: none is a step of its own.

use crate::check::question::limits::{CLIENTS_MAX, UNITS_MAX};

/// How many bits an age takes.
const AGE_BITS: u32 = 14;
const _: () = assert!(UNITS_MAX + 1 < 1 << AGE_BITS && 2 * CLIENTS_MAX < 1 << 4);

/// The writes that one client may have sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::check) struct Writes {
    /// One more than the units since the client may have sent something; 0 if nothing is under way.
    pub(super) age: u16,
    /// True if its pause holds something up.
    pub(super) is_held: bool,
    /// True if a later holder has written than the client is, if it holds the row or has held it.
    pub(super) is_behind: bool,
    /// True if one has written that is later than the holder whose write is under way.
    pub(super) is_late: bool,
    /// True if what is under way is of the life before.
    pub(super) is_of_former_life: bool,
    /// True if the row was deleted or another's since it was decided on, where its index counts.
    pub(super) has_lost_row: bool,
    pub(super) token: Token,
    pub(super) has_newest: bool,
    /// Its place among holders, the last of them highest; 0 if it never had the row.
    pub(super) place: u8,
    /// The place that it had when it sent what is under way.
    pub(super) sent_at: u8,
}

/// The token of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Token {
    #[default]
    None,
    Taken,
    /// A renewal was sent after it had come.
    Renewing,
    Renewed,
}

impl Writes {
    /// In one word.
    pub(super) fn word(self) -> u32 {
        let flags = [
            self.is_held,
            self.is_behind,
            self.is_late,
            self.is_of_former_life,
            self.has_newest,
            self.has_lost_row,
        ];
        let flags = flags.into_iter().fold(0, |bits, flag| bits << 1 | u32::from(flag));
        let places = u32::from(self.sent_at) << 4 | u32::from(self.place);
        let age = (self.token as u32) << AGE_BITS | u32::from(self.age);
        age << 16 | flags << 8 | places
    }

    /// Reads it.
    pub(super) const fn from_word(word: u32) -> Self {
        let (first, second) = ((word >> 16) as u16, word as u16);
        Self {
            age: first & ((1 << AGE_BITS) - 1),
            is_held: second >> 13 & 1 != 0,
            is_behind: second >> 12 & 1 != 0,
            is_late: second >> 11 & 1 != 0,
            is_of_former_life: second >> 10 & 1 != 0,
            has_newest: second >> 9 & 1 != 0,
            has_lost_row: second >> 8 & 1 != 0,
            token: match first >> AGE_BITS {
                1 => Token::Taken,
                2 => Token::Renewing,
                3 => Token::Renewed,
                _ => Token::None,
            },
            place: (second & 0xf) as u8,
            sent_at: (second >> 4 & 0xf) as u8,
        }
    }

    pub(super) const fn is_under_way(self) -> bool {
        self.age > 0
    }

    /// True if a pause holds something up.
    pub(in crate::check) const fn is_held(self) -> bool {
        self.is_held
    }

    /// True if a write of a later holder comes before those that it sends, and before the one under way.
    pub(in crate::check) const fn come_after_another(self) -> [bool; 2] {
        [self.is_behind, self.is_late]
    }

    /// Its client decides on something.
    pub(super) const fn decide(&mut self, has_row: bool) {
        (self.age, self.is_held, self.is_of_former_life) = (1, false, false);
        (self.sent_at, self.is_late) = (self.place, self.is_behind);
        self.has_lost_row &= !has_row;
    }

    /// A pause of its client begins just after it has decided on something.
    pub(super) const fn hold(&mut self) {
        self.is_held = true;
        (self.sent_at, self.is_late) = (self.place, self.is_behind);
    }

    /// Its client resumes, and sends what was held up unless its life is over.
    pub(super) const fn resume(&mut self, ends_life: bool) {
        self.is_held = false;
        match (ends_life, self.is_under_way()) {
            (false, _) => self.age = 1,
            (true, false) => self.arrive(),
            (true, true) => {}
        }
    }

    /// Its client starts anew.
    pub(super) const fn start_anew(&mut self, has_tokens: bool) {
        self.is_of_former_life = self.is_under_way() && !has_tokens;
        (self.token, self.has_newest) = (Token::None, false);
        if has_tokens {
            // Of what was sent with the token of a former life, nothing is wrong that is taken: that
            // token is the newest, so no later holder has one.
            self.arrive();
        }
    }

    /// Time passes for what is under way.
    pub(super) const fn pass(&mut self, units: u16, latency: Option<u16>) {
        let Some(latency) = latency else { return };
        if self.is_under_way() {
            self.age = self.age.saturating_add(units);
            if self.age - 1 > latency {
                self.arrive();
            }
        }
    }

    /// Something happens. Writes without latency have arrived before.
    pub(super) const fn step(&mut self, latency: Option<u16>) {
        if matches!(latency, Some(0)) {
            self.arrive();
        }
    }

    /// Nothing is under way any more.
    pub(super) const fn arrive(&mut self) {
        (self.age, self.is_of_former_life) = (0, false);
        // Of what a pause holds up, the holder still counts.
        if !self.is_held {
            (self.sent_at, self.is_late) = (0, false);
        }
    }

    /// A holder has written.
    pub(super) const fn come_after(&mut self, place: u8) {
        self.is_behind |= 0 < self.place && self.place < place;
        self.is_late |= 0 < self.sent_at && self.sent_at < place;
    }
}

/// Those of all clients.
pub(super) type AllWrites = [Writes; CLIENTS_MAX];
