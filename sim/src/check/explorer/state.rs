//! One state of the world under exploration, and its canonical form.
//!
//! Everything in it is relative to now: interned states of machines, and ages. The
//! canonical form is a short list of words that is compared in full, so two states count as one
//! only if they are the same.

use super::conditions::{Conditions, Lasting};
use super::message::Message;
use super::used::{USED_WORDS, Used};
use super::writes::{AllWrites, Writes};
use crate::check::question::faults::Fault;
use crate::check::question::limits::CLIENTS_MAX;
use crate::check::question::{Property, Question};
use crate::check::steps::back_end;
use crate::check::steps::clients;
use crate::check::steps::interned::InternedId;

/// A state. Times are in units of the question.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::check) struct State {
    /// The state of each client.
    pub(in crate::check) clients: [InternedId; CLIENTS_MAX],
    pub(in crate::check) back_end: InternedId,
    pub(in crate::check) messages: Vec<Message>,
    /// The conditions that last for a while, such as pauses.
    pub(in crate::check) lasting: Conditions,
    /// How often each fault has happened.
    pub(in crate::check) used: Used,
    /// Whether a client has held the lock, where that matters. Of a client among others: whether
    /// another was the last to have the row, where two owners are asked.
    pub(in crate::check) had_owner: bool,
    /// The clients that were paused, and have not yet done all that has waited for the end of that,
    /// as bits; where they may be paused again.
    pub(in crate::check) woken: u8,
    /// How far now is into the grid.
    pub(in crate::check) phase: u16,
    /// For how long what must not last has lasted: for each client where each is looked at by
    /// itself, else in the first place.
    pub(in crate::check) watches: [u16; CLIENTS_MAX],
    /// The writes that each client may have sent, if there is a storage.
    pub(in crate::check) writes: AllWrites,
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut state = Self::start();
        state.clone_from(self);
        state
    }

    /// Keeps the memory that it has: a search does this for every state.
    fn clone_from(&mut self, other: &Self) {
        let Self {
            clients,
            back_end,
            messages,
            lasting,
            used,
            had_owner,
            woken,
            phase,
            watches,
            writes,
        } = self;
        *clients = other.clients;
        *back_end = other.back_end;
        messages.clone_from(&other.messages);
        lasting.clone_from(&other.lasting);
        *used = other.used;
        *had_owner = other.had_owner;
        *woken = other.woken;
        *phase = other.phase;
        *watches = other.watches;
        *writes = other.writes;
    }
}

impl State {
    /// No client has started yet.
    pub(in crate::check) fn start() -> Self {
        Self {
            clients: [clients::NEW; CLIENTS_MAX],
            back_end: back_end::START,
            messages: Vec::new(),
            lasting: Conditions::default(),
            used: Used::default(),
            had_owner: false,
            woken: 0,
            phase: 0,
            watches: [0; CLIENTS_MAX],
            writes: AllWrites::default(),
        }
    }

    /// Writes the state down in words, its clients in `order`.
    pub(in crate::check) fn encode(&self, shape: Shape, order: Order, words: &mut Vec<u32>) {
        let clients = &order.clients[..shape.clients];
        words.clear();
        let flags = self.flags(clients) << 16 | u32::from(self.phase);
        words.extend_from_slice(&[order.back_end, flags]);
        for (word, may_differ) in self.used.words().into_iter().zip(shape.used) {
            debug_assert!(may_differ || word == 0, "only faults of the question happen");
            if may_differ {
                words.push(word);
            }
        }
        words.extend(clients.iter().map(|&it| self.clients[usize::from(it)]));
        match shape.watches {
            1 => words.push(self.watches[0].into()),
            _ => words
                .extend(clients.iter().map(|&client| u32::from(self.watches[usize::from(client)]))),
        }
        if shape.has_storage {
            let writes = clients.iter().map(|&it| self.writes[usize::from(it)].word());
            words.extend(writes);
        }
        let at = words.len();
        let place = |client: u8| order.places[usize::from(client)];
        let messages = self.messages.iter();
        words.extend(messages.map(|it| it.word(place(it.client))));
        for lasting in self.lasting.iter() {
            words.push(lasting.word(lasting.what.client().map_or(0, place)));
        }
        sort(&mut words[at..]);
    }

    /// Whether there was an owner, and which of the clients in this order have woken.
    fn flags(&self, clients: &[u8]) -> u32 {
        let woken = match self.woken {
            0 => 0,
            woken => clients
                .iter()
                .rev()
                .fold(0, |bits, client| bits << 1 | u32::from(woken >> client & 1)),
        };
        u32::from(self.had_owner) | woken << 1
    }

    /// Reads what [`encode`](Self::encode) wrote.
    pub(in crate::check) fn decode(&mut self, shape: Shape, words: &[u32]) {
        self.back_end = words[0];
        self.had_owner = words[1] >> 16 & 1 != 0;
        self.woken = (words[1] >> 17) as u8;
        self.phase = words[1] as u16;
        let mut words = words[2..].iter();
        self.used = Used::from_words(shape.used.map(|may_differ| match may_differ {
            true => words.next().copied().unwrap_or_default(),
            false => 0,
        }));
        for (client, word) in self.clients[..shape.clients].iter_mut().zip(&mut words) {
            *client = *word;
        }
        for (watch, word) in self.watches[..shape.watches].iter_mut().zip(&mut words) {
            *watch = *word as u16;
        }
        if shape.has_storage {
            for (writes, word) in self.writes[..shape.clients].iter_mut().zip(&mut words) {
                *writes = Writes::from_word(*word);
            }
        }
        self.messages.clear();
        self.lasting.clear();
        for &word in words {
            match Lasting::from_word(word) {
                Some(lasting) => self.lasting.add(lasting),
                None => self.messages.push(Message::from_word(word)),
            }
        }
    }
}

/// The parts of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Shape {
    pub(in crate::check) clients: usize,
    /// How many watches there are: one for each client, or one for all.
    pub(in crate::check) watches: usize,
    /// True if clients write to a storage.
    pub(in crate::check) has_storage: bool,
    /// Which of the words of the counts of faults may differ from 0.
    pub(in crate::check) used: [bool; USED_WORDS],
}

impl Shape {
    pub(in crate::check) fn of(question: &Question) -> Self {
        let clients = question.clients.len();
        let each = matches!(question.property, Property::BeliefMatchesRow { .. });
        Self {
            clients,
            watches: if each { clients } else { 1 },
            has_storage: question.asked_storage().is_some(),
            used: Used::words_of(Fault::ALL.into_iter().filter(|it| question.bounds.allow(*it))),
        }
    }
}

/// In which order clients are written down, and the state of Locket in which they have changed
/// places so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Order {
    pub(in crate::check) clients: [u8; CLIENTS_MAX],
    /// The place of each client.
    pub(in crate::check) places: [u8; CLIENTS_MAX],
    pub(in crate::check) back_end: InternedId,
}

impl Order {
    /// The order in which they are.
    pub(in crate::check) fn as_is(state: &State) -> Self {
        let clients = std::array::from_fn(|client| client as u8);
        Self { clients, places: clients, back_end: state.back_end }
    }

    /// The clients at two places change them; Locket is then in this state.
    pub(in crate::check) fn swapped(mut self, one: u8, other: u8, back_end: InternedId) -> Self {
        self.clients.swap(one.into(), other.into());
        for place in [one, other] {
            self.places[usize::from(self.clients[usize::from(place)])] = place;
        }
        Self { back_end, ..self }
    }

    /// The state of the client at a place.
    pub(in crate::check) fn client(&self, state: &State, place: u8) -> InternedId {
        state.clients[usize::from(self.clients[usize::from(place)])]
    }
}

/// Sorts words in place; there are few, and they are nearly sorted.
fn sort(words: &mut [u32]) {
    for end in 1..words.len() {
        let mut at = end;
        while at > 0 && words[at - 1] > words[at] {
            words.swap(at, at - 1);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::explorer::message::{Body, TAG_MAX};
    use crate::check::question::limits::{FAULT_COUNT_MAX, UNITS_MAX};
    use crate::environment::acts::Act;
    use crate::protocol::message::Method;

    const SHAPE: Shape =
        Shape { clients: 2, watches: 2, has_storage: true, used: [true; USED_WORDS] };

    fn message(client: u8, body: Body, age: u16) -> Message {
        Message {
            is_current: age.is_multiple_of(2),
            is_second: age.is_multiple_of(3),
            keeps_alive: age.is_multiple_of(5),
            age,
            ..Message::new(&Conditions::default(), client, 2, body)
        }
    }

    fn some_state() -> State {
        let mut state = State::start();
        state.back_end = 77;
        state.clients[1] = InternedId::MAX;
        for fault in Fault::ALL {
            state.used.set(fault, fault as u8 % (FAULT_COUNT_MAX + 1));
        }
        let lasting = Act::LASTING.iter().rev();
        lasting.for_each(|it| {
            state.lasting.add(Lasting { what: it.of(1, 1), age: UNITS_MAX });
        });
        state.had_owner = true;
        (state.phase, state.watches) = (4, [5, 6, 0, 0]);
        // In the order in which they are written down.
        state.messages = vec![
            message(0, Body::Request(Method::Lock), 1),
            message(0, Body::Held(TAG_MAX), 7),
            message(1, Body::FailedLocally, 0),
            message(1, Body::Orphaned, 3),
            message(1, Body::Request(Method::Release), 0),
            message(1, Body::Reply(255), UNITS_MAX),
        ];
        state
    }

    #[test]
    fn what_is_written_down_can_be_read_again() {
        let (mut words, mut read) = (Vec::new(), State::start());
        some_state().encode(SHAPE, Order::as_is(&some_state()), &mut words);
        read.decode(SHAPE, &words);
        assert_eq!(read, some_state());
    }

    #[test]
    fn the_order_of_messages_does_not_matter() {
        let (mut words, mut again) = (Vec::new(), Vec::new());
        let mut state = some_state();
        state.encode(SHAPE, Order::as_is(&state), &mut words);
        state.messages.reverse();
        state.encode(SHAPE, Order::as_is(&state), &mut again);
        assert_eq!(words, again);
    }

    #[test]
    fn clients_that_change_places_take_their_messages_along() {
        let (mut words, mut read) = (Vec::new(), State::start());
        let swapped = |back_end| Order::as_is(&some_state()).swapped(0, 1, back_end);
        some_state().encode(SHAPE, swapped(78), &mut words);
        read.decode(SHAPE, &words);
        assert_eq!(read.back_end, 78);
        assert_eq!(read.clients[1], some_state().clients[0]);
        assert_eq!(read.watches, [6, 5, 0, 0]);
        assert_eq!(read.messages.iter().filter(|it| it.client == 1).count(), 2);
        read.encode(SHAPE, swapped(77), &mut words);
        read.decode(SHAPE, &words);
        assert_eq!(read, some_state());
    }
}
