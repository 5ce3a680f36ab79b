//! Order, made by one function for all types. The standard library makes one for each, of some
//! 15 KB in a wasm module; only where many are sorted often is that worth the bytes.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The items in the order that `compare` says; equal ones keep theirs.
pub(crate) fn sorted_by<T>(items: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    // Each poll sorts the table, which often has a single row.
    if items.len() < 2 {
        return items;
    }
    let order = order(items.len(), &|a, b| compare(&items[a], &items[b]));
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    let taken = order.into_iter().map(|place| items[place].take());
    taken.flatten().collect()
}

/// The items in their own order.
pub(crate) fn sorted<T: Ord>(items: Vec<T>) -> Vec<T> {
    sorted_by(items, T::cmp)
}

/// A map of pairs; of those with the same key the last counts. Collecting them would sort first.
pub(crate) fn map_of<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(pairs);
    map
}

/// A set of items, in the same way.
pub(crate) fn set_of<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    set.extend(items);
    set
}

/// The places of items in the order that `compare` says; equal ones keep theirs.
#[inline(never)]
pub(crate) fn order(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}
