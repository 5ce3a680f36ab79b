//! The words of a state: the same for all orders of clients that are alike.

use super::state::{Order, State};
use super::{Explorer, ORDERS_MAX};

impl Explorer {
    /// Writes a state down in its canonical form: of all orders of clients that are alike, the one
    /// with the smallest words.
    #[inline]
    pub(in crate::check) fn encode(
        &self,
        state: &State,
        words: &mut Vec<u32>,
        spare: &mut Vec<u32>,
    ) {
        match self.swaps.is_empty() {
            true => state.encode(self.shape(), Order::as_is(state), words),
            false => self.encode_in_order(state, words, spare),
        }
    }

    #[inline(never)]
    fn encode_in_order(&self, state: &State, words: &mut Vec<u32>, spare: &mut Vec<u32>) {
        let shape = self.shape();
        let mut order = Order::as_is(state);
        let mut is_sorted = false;
        while !is_sorted {
            is_sorted = true;
            for (number, &(one, other)) in self.swaps.iter().enumerate() {
                if order.client(state, one) > order.client(state, other) {
                    order = self.swapped(order, number);
                    is_sorted = false;
                }
            }
        }
        state.encode(shape, order, words);
        let are_equal =
            |&(one, other): &(u8, u8)| order.client(state, one) == order.client(state, other);
        if self.swaps.iter().any(are_equal) {
            self.encode_in_best_order(state, order, words, spare);
        }
    }

    /// Writes the smallest of the words that a state has in the orders of its equal clients, of which
    /// one is written down.
    fn encode_in_best_order(
        &self,
        state: &State,
        order: Order,
        words: &mut Vec<u32>,
        spare: &mut Vec<u32>,
    ) {
        let mut tried = [order; ORDERS_MAX];
        let (mut known, mut next) = (1, 0);
        while next < known {
            let from = tried[next];
            next += 1;
            for (number, &(one, other)) in self.swaps.iter().enumerate() {
                if from.client(state, one) != from.client(state, other) {
                    continue;
                }
                let order = self.swapped(from, number);
                if tried[..known].iter().all(|it| it.clients != order.clients) {
                    tried[known] = order;
                    known += 1;
                    state.encode(self.shape(), order, spare);
                    if spare < words {
                        std::mem::swap(words, spare);
                    }
                }
            }
        }
    }

    fn swapped(&self, order: Order, swap: usize) -> Order {
        let (one, other) = self.swaps[swap];
        order.swapped(one, other, self.back_ends.image(order.back_end, swap))
    }
}
