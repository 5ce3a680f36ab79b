//! One state of the world under exploration, and its canonical form.
//!
//! Everything in it is relative to now: situations of machines by number, and ages. The
//! canonical form is a short list of words that is compared in full, so two states count as one
//! only if they are the same.

use super::lockets::{self, PROCESSES_MAX};
use super::machine::SituationId;
use super::question::CLIENTS_MAX;
use super::runners::CREATED;
use crate::protocol::message::Method;

/// A state. Times are in units of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) clients: [Client; CLIENTS_MAX],
    pub(super) locket: SituationId,
    pub(super) messages: Vec<Message>,
    /// How often each fault has happened.
    pub(super) used: [u8; FAULTS],
    /// For how long each process has been down.
    pub(super) down_for: [u16; PROCESSES_MAX],
    /// Whether somebody has held the lock, where that matters.
    pub(super) had_owner: bool,
    /// How far now is into the grid.
    pub(super) phase: u16,
    /// For how long what must not last has lasted: for each client where each is looked at by
    /// itself, else in the first place.
    pub(super) watches: [u16; CLIENTS_MAX],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Client {
    /// The situation of its runner; [`DOWN`] if there is none.
    pub(super) mind: SituationId,
    /// For how long it has stood still.
    pub(super) paused_for: Option<u16>,
    /// The process that it is connected to.
    pub(super) connection: Option<u8>,
}

/// There is no runner.
pub(super) const DOWN: SituationId = SituationId::MAX;

/// Something on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) client: u8,
    pub(super) process: u8,
    pub(super) body: Body,
    /// Whether the client still waits for what comes of it.
    pub(super) is_current: bool,
    pub(super) age: u16,
    /// Which message it is, for people who follow a schedule; says nothing about the state.
    pub(super) name: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// The client's own connection says that there is no process; never lost, never late.
    FailedLocally,
    /// A call that its process has begun and will give up on.
    Held,
    /// A call whose connection broke on its way: a process that is down refuses it (S24).
    Orphaned,
    /// The reply of this number.
    Reply(u8),
    Request(Method),
    /// A call that waits for a connection.
    Unsent(Method),
}

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    Crash,
    Eviction,
    Failover,
    LocketCrash,
    Loss,
    LostAnswer,
    Pause,
    Restart,
    Stop,
}

/// How many kinds of faults there are.
pub(super) const FAULTS: usize = 9;

/// The longest time that a state can hold, in units.
pub(super) const UNITS_MAX: u16 = (1 << 14) - 2;

impl State {
    /// Nobody has started yet.
    pub(super) fn start() -> Self {
        Self {
            clients: [Client {
                mind: CREATED,
                paused_for: None,
                connection: None,
            }; CLIENTS_MAX],
            locket: lockets::START,
            messages: Vec::new(),
            used: [0; FAULTS],
            down_for: [0; PROCESSES_MAX],
            had_owner: false,
            phase: 0,
            watches: [0; CLIENTS_MAX],
        }
    }

    /// How many faults have happened.
    pub(super) fn faults(&self) -> u32 {
        self.used.iter().map(|&count| u32::from(count)).sum()
    }

    /// Writes the state down in words, in `order` of its clients.
    pub(super) fn encode(&self, shape: Shape, order: Order, words: &mut Vec<u16>) {
        words.clear();
        let is_swapped = matches!(order, Order::Swapped { .. });
        words.push(match order {
            Order::AsIs => self.locket,
            Order::Swapped { locket } => locket,
        });
        words.extend([u16::from(self.had_owner), self.phase]);
        let fours = self.used.chunks(4).map(|four| {
            let add = |word, &count| word << 4 | u16::from(count);
            four.iter().fold(0, add)
        });
        words.extend(fours);
        words.extend(self.down_for);
        let in_order = |index| if is_swapped { 1 - index } else { index };
        for index in 0..shape.clients {
            words.extend(self.clients[in_order(index)].words());
        }
        for index in 0..shape.watches {
            let index = if shape.watches > 1 {
                in_order(index)
            } else {
                index
            };
            words.push(self.watches[index]);
        }
        let first = words.len();
        for message in &self.messages {
            let word = message.word(is_swapped);
            words.extend([(word >> 16) as u16, word as u16]);
        }
        sort_pairs(&mut words[first..]);
    }

    /// Reads what [`encode`](Self::encode) wrote.
    pub(super) fn decode(&mut self, shape: Shape, words: &[u16]) {
        self.locket = words[0];
        self.had_owner = words[1] != 0;
        self.phase = words[2];
        let mut at = 3;
        for four in self.used.chunks_mut(4) {
            for (place, count) in four.iter_mut().rev().enumerate() {
                *count = (words[at] >> (4 * place) & 0xf) as u8;
            }
            at += 1;
        }
        self.down_for
            .copy_from_slice(&words[at..at + PROCESSES_MAX]);
        at += PROCESSES_MAX;
        for client in &mut self.clients[..shape.clients] {
            *client = Client::from_words(words[at], words[at + 1]);
            at += 2;
        }
        self.watches[..shape.watches].copy_from_slice(&words[at..at + shape.watches]);
        at += shape.watches;
        self.messages.clear();
        let messages = words[at..].chunks_exact(2);
        let messages = messages.map(|pair| u32::from(pair[0]) << 16 | u32::from(pair[1]));
        self.messages.extend(messages.map(Message::from_word));
    }
}

/// What a state is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) clients: usize,
    /// How many watches there are: one for each client, or one for all.
    pub(super) watches: usize,
}

/// In which order clients are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    AsIs,
    /// The two change places; then Locket is in this situation.
    Swapped {
        locket: SituationId,
    },
}

impl Client {
    /// In words; what has smaller words goes first where clients can change places.
    pub(super) fn words(self) -> [u16; 2] {
        let paused = self.paused_for.map_or(0, |units| units + 1);
        let connection = self.connection.map_or(0, |process| u16::from(process) + 1);
        [self.mind, paused << 2 | connection]
    }

    fn from_words(mind: u16, rest: u16) -> Self {
        Self {
            mind,
            paused_for: (rest >> 2).checked_sub(1),
            connection: (rest & 3).checked_sub(1).map(|process| process as u8),
        }
    }
}

impl Message {
    /// In one word: client, body, process, whether it is current, age.
    fn word(self, is_swapped: bool) -> u32 {
        let client = u32::from(if is_swapped {
            1 - self.client
        } else {
            self.client
        });
        let body = match self.body {
            Body::Held => 0,
            Body::Request(method) => 1 + method as u32,
            Body::Unsent(method) => 5 + method as u32,
            Body::FailedLocally => 9,
            Body::Orphaned => 10,
            Body::Reply(number) => 11 + u32::from(number),
        };
        client << 30
            | body << 20
            | u32::from(self.process) << 18
            | u32::from(self.is_current) << 17
            | u32::from(self.age)
    }

    fn from_word(word: u32) -> Self {
        let body = match word >> 20 & 0x3ff {
            0 => Body::Held,
            body @ 1..=4 => Body::Request(Method::ALL[body as usize - 1]),
            body @ 5..=8 => Body::Unsent(Method::ALL[body as usize - 5]),
            9 => Body::FailedLocally,
            10 => Body::Orphaned,
            body => Body::Reply((body - 11) as u8),
        };
        Self {
            client: (word >> 30) as u8,
            process: (word >> 18 & 3) as u8,
            body,
            is_current: word >> 17 & 1 != 0,
            age: (word & 0xffff) as u16,
            name: 0,
        }
    }
}

/// Sorts pairs of words in place; there are few, and they are nearly sorted.
fn sort_pairs(words: &mut [u16]) {
    let key = |words: &[u16], pair: usize| (words[2 * pair], words[2 * pair + 1]);
    for end in 1..words.len() / 2 {
        let mut at = end;
        while at > 0 && key(words, at - 1) > key(words, at) {
            words.swap(2 * at, 2 * at - 2);
            words.swap(2 * at + 1, 2 * at - 1);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape {
        clients: 2,
        watches: 2,
    };

    fn message(client: u8, body: Body, age: u16) -> Message {
        Message {
            client,
            process: 2,
            body,
            is_current: age.is_multiple_of(2),
            age,
            name: 0,
        }
    }

    fn some_state() -> State {
        let mut state = State::start();
        state.locket = 77;
        state.clients[0].paused_for = Some(UNITS_MAX - 1);
        state.clients[0].connection = Some(2);
        state.clients[1].mind = DOWN;
        state.used = [1, 2, 3, 4, 5, 6, 7, 8, 15];
        state.down_for = [3, 0, 9];
        state.had_owner = true;
        (state.phase, state.watches) = (4, [5, 6, 0, 0]);
        state.messages = vec![
            message(0, Body::Held, 7),
            message(0, Body::Request(Method::Lock), 1),
            message(1, Body::Unsent(Method::Release), 0),
            message(1, Body::FailedLocally, 0),
            message(1, Body::Orphaned, 3),
            message(1, Body::Reply(200), u16::MAX),
        ];
        state
    }

    #[test]
    fn what_is_written_down_can_be_read_again() {
        let (mut words, mut read) = (Vec::new(), State::start());
        some_state().encode(SHAPE, Order::AsIs, &mut words);
        read.decode(SHAPE, &words);
        assert_eq!(read, some_state());
    }

    #[test]
    fn the_order_of_messages_does_not_matter() {
        let (mut words, mut again) = (Vec::new(), Vec::new());
        let mut state = some_state();
        state.encode(SHAPE, Order::AsIs, &mut words);
        state.messages.reverse();
        state.encode(SHAPE, Order::AsIs, &mut again);
        assert_eq!(words, again);
    }

    #[test]
    fn clients_that_change_places_take_their_messages_along() {
        let (mut words, mut read) = (Vec::new(), State::start());
        some_state().encode(SHAPE, Order::Swapped { locket: 78 }, &mut words);
        read.decode(SHAPE, &words);
        assert_eq!(read.locket, 78);
        assert_eq!(read.clients[1], some_state().clients[0]);
        assert_eq!(read.watches, [6, 5, 0, 0]);
        assert_eq!(read.messages.iter().filter(|it| it.client == 1).count(), 2);
        read.encode(SHAPE, Order::Swapped { locket: 77 }, &mut words);
        read.decode(SHAPE, &words);
        assert_eq!(read, some_state());
    }
}
