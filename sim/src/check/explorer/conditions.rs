//! The conditions of a state, and the nodes that they hold up: every rule asks for those.

use std::ops::Deref;

use super::{AGE_MAX, BODY_MAX};
use crate::check::question::limits::{CLIENTS_MAX, PROCESSES_MAX};
use crate::environment::acts::Act;
use crate::environment::happening::Node;

/// An act that lasts, and for how long it has, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Lasting {
    pub(in crate::check) what: Act,
    pub(in crate::check) age: u16,
}

impl Lasting {
    /// In one word, which is no message's: the place of its client, its number, its process and its
    /// age.
    pub(super) fn word(self, place: u8) -> u32 {
        let kind = self.what.of(0, 0);
        let number = Act::LASTING.iter().position(|it| *it == kind);
        let body = BODY_MAX - number.expect("it lasts") as u32;
        let process = u32::from(self.what.process().unwrap_or_default());
        u32::from(place) << 30 | body << 20 | process << 18 | u32::from(self.age)
    }

    pub(super) fn from_word(word: u32) -> Option<Self> {
        let number = BODY_MAX - (word >> 20 & BODY_MAX);
        let what = Act::LASTING.get(number as usize)?;
        Some(Self {
            what: what.of((word >> 30) as u8, (word >> 18 & 3) as u8),
            age: (word & AGE_MAX) as u16,
        })
    }
}

/// The conditions that last.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct Conditions {
    all: Vec<Lasting>,
    /// The nodes that do nothing, as bits.
    held_up: u8,
}

const _: () = assert!(CLIENTS_MAX + PROCESSES_MAX < u8::BITS as usize);

/// The bit of a node.
const fn bit(node: Node) -> u8 {
    1 << match node {
        Node::Client(client) => client,
        Node::Locket(process) => CLIENTS_MAX as u8 + process,
        Node::Database => (CLIENTS_MAX + PROCESSES_MAX) as u8,
    }
}

impl Conditions {
    pub(super) fn add(&mut self, lasting: Lasting) {
        self.held_up |= lasting.what.held_up().map_or(0, bit);
        self.all.push(lasting);
    }

    /// Ends those that are meant.
    pub(super) fn end(&mut self, is_its: impl Fn(Act) -> bool) {
        self.all.retain(|it| !is_its(it.what));
        let held_up = self.all.iter().filter_map(|it| it.what.held_up());
        self.held_up = held_up.fold(0, |bits, node| bits | bit(node));
    }

    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.held_up = 0;
    }

    pub(super) fn has(&self, what: Act) -> bool {
        self.all.iter().any(|it| it.what == what)
    }

    /// True if a node does nothing while one of them lasts.
    pub(super) const fn hold_up(&self, node: Node) -> bool {
        self.held_up & bit(node) != 0
    }

    /// Each with its age, which may change.
    pub(super) fn ages(&mut self) -> impl Iterator<Item = (Act, &mut u16)> {
        self.all.iter_mut().map(|it| (it.what, &mut it.age))
    }
}

impl Deref for Conditions {
    type Target = [Lasting];

    fn deref(&self) -> &[Lasting] {
        &self.all
    }
}

impl Clone for Conditions {
    fn clone(&self) -> Self {
        Self { all: self.all.clone(), held_up: self.held_up }
    }

    /// Keeps the memory that it has.
    fn clone_from(&mut self, other: &Self) {
        self.all.clone_from(&other.all);
        self.held_up = other.held_up;
    }
}
