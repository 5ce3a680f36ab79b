//! Clients by a text that they have, such as a key: sorted once, and read many times.
//!
//! A run may have 100,000 clients, so the texts stand in one string, and there is no list for each.

use std::ops::Range;

use crate::sorted::order;

/// Clients by text, in the order of the texts. Clients with the same text keep their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByText {
    texts: String,
    /// Where each text ends.
    ends: Vec<u32>,
    clients: Vec<u32>,
    /// Where the clients of each text end.
    clients_end: Vec<u32>,
}

impl ByText {
    /// Takes each text with its client from `add_all`.
    pub(super) fn new(add_all: impl FnOnce(&mut dyn FnMut(&str, usize))) -> Self {
        let mut added = Self::default();
        add_all(&mut |text, client| {
            added.texts.push_str(text);
            added.ends.push(short(added.texts.len()));
            added.clients.push(short(client));
        });
        let texts = &added;
        let order = order(added.len(), &|a, b| texts.bytes(a).cmp(texts.bytes(b)));
        let mut found = Self::default();
        found.clients.reserve_exact(order.len());
        for place in order {
            let text = added.text(place);
            if found.len().checked_sub(1).map(|last| found.text(last)) != Some(text) {
                found.texts.push_str(text);
                found.ends.push(short(found.texts.len()));
                found.clients_end.push(0);
            }
            found.clients.push(added.clients[place]);
            if let Some(end) = found.clients_end.last_mut() {
                *end = short(found.clients.len());
            }
        }
        found.shrink();
        found
    }

    fn shrink(&mut self) {
        self.texts.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.clients_end.shrink_to_fit();
    }

    /// The number of a text in the order of all.
    pub(super) fn place(&self, text: &str) -> Option<usize> {
        let mut places = 0..self.len();
        while !places.is_empty() {
            let middle = places.start.midpoint(places.end);
            match self.bytes(middle).cmp(text.as_bytes()) {
                std::cmp::Ordering::Less => places.start = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => places.end = middle,
            }
        }
        None
    }

    /// The clients that have a text.
    pub(crate) fn get(&self, text: &str) -> impl ExactSizeIterator<Item = usize> + Clone {
        let found = self.place(text).map_or(0..0, |place| self.range(place));
        self.clients_in(found)
    }

    /// How many texts there are.
    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// The texts in their order, each with the clients that have it.
    pub(crate) fn iter(
        &self,
    ) -> impl Iterator<Item = (&str, impl ExactSizeIterator<Item = usize> + Clone)> + Clone {
        (0..self.len()).map(|place| (self.text(place), self.clients_in(self.range(place))))
    }

    /// The texts in their order.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|place| self.text(place))
    }

    fn text(&self, place: usize) -> &str {
        &self.texts[between(&self.ends, place)]
    }

    /// A text as bytes, which have the same order and are cut without a look at them.
    fn bytes(&self, place: usize) -> &[u8] {
        &self.texts.as_bytes()[between(&self.ends, place)]
    }

    fn range(&self, place: usize) -> Range<usize> {
        between(&self.clients_end, place)
    }

    fn clients_in(&self, range: Range<usize>) -> impl ExactSizeIterator<Item = usize> + Clone {
        self.clients[range].iter().map(|&client| client as usize)
    }
}

/// From the end before this number to its own.
fn between(ends: &[u32], place: usize) -> Range<usize> {
    let start = place.checked_sub(1).map_or(0, |before| ends[before]);
    start as usize..ends[place] as usize
}

fn short(number: usize) -> u32 {
    u32::try_from(number).expect("the texts of a scenario's clients fill less than 4 GiB")
}
