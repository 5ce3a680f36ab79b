//! The clients of a scenario, by number. Those of an entry with a `count` are kept as that one
//! entry, since there may be 100,000 of them.

use std::borrow::Cow;
use std::ops::Range;

use super::Client;

/// The clients of a scenario, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clients(Vec<Listed>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Listed {
    /// The entry as written.
    entry: Client,
    /// How many clients there are up to its last one.
    end: usize,
}

impl Clients {
    /// One more entry; at most `room` of its clients count.
    pub(super) fn list(&mut self, entry: Client, room: usize) {
        let count = entry.count.unwrap_or(1).max(1) as usize;
        let end = self.len() + count.min(room);
        self.0.push(Listed { entry, end });
    }

    pub(super) fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }

    /// How many clients there are.
    pub fn len(&self) -> usize {
        self.0.last().map_or(0, |last| last.end)
    }

    /// True if there is none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The client of this number, from 0.
    pub fn get(&self, index: usize) -> Option<Cow<'_, Client>> {
        let place = self.0.partition_point(|listed| listed.end <= index);
        let listed = self.0.get(place)?;
        Some(listed.entry.numbered(index - self.start(place)))
    }

    /// The client of this number, which there is.
    ///
    /// # Panics
    ///
    /// There are fewer.
    pub fn at(&self, index: usize) -> Cow<'_, Client> {
        self.get(index).expect("the number is that of a client of this scenario")
    }

    /// All clients.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Cow<'_, Client>> + Clone {
        let mut place = 0;
        (0..self.len()).map(move |index| {
            place += usize::from(self.0[place].end <= index);
            self.0[place].entry.numbered(index - self.start(place))
        })
    }

    /// Each client by its entry and its number in that, for what needs no client of its own.
    pub(super) fn by_entry(&self) -> impl Iterator<Item = (&Client, u32)> {
        let listed = self.0.iter().enumerate();
        listed.flat_map(|(place, it)| {
            let numbers = 0..(it.end - self.start(place)) as u32;
            numbers.map(|number| (&it.entry, number))
        })
    }

    fn start(&self, place: usize) -> usize {
        place.checked_sub(1).map_or(0, |before| self.0[before].end)
    }

    /// The entries as they are written: `{i}` stands for the number of a client.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &Client> + Clone {
        self.0.iter().map(|listed| &listed.entry)
    }

    /// The entries with a `count`, each with the numbers of its clients.
    pub(super) fn counted(&self) -> impl Iterator<Item = (&Client, Range<usize>)> {
        let listed = self.0.iter().enumerate();
        let counted = listed.filter(|(_, it)| it.entry.count.is_some());
        counted.map(|(place, it)| (&it.entry, self.start(place)..it.end))
    }

    /// The same, to be changed. A change of a `count` adds no client.
    pub fn entries_mut(&mut self) -> impl ExactSizeIterator<Item = &mut Client> {
        self.0.iter_mut().map(|listed| &mut listed.entry)
    }

    /// Leaves no client.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
