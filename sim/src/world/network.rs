//! The simulated network: how long a message takes, and whether it arrives at all.
//!
//! Knows nodes by number and nothing of what messages say. Each message has its own fate;
//! messages of one link may overtake each other if its latency varies.

use super::choice::Choices;
pub use super::link::{Fate, Link, LinkRule, NodeId};
use crate::sorted::sorted_by;
use crate::time::Time;

/// All links.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Network {
    default_rule: LinkRule,
    /// The links that are not as the others, in order. Most runs have none, or few.
    special: Vec<(Link, LinkState)>,
    /// How many messages each link has carried or lost.
    sent: SentMessages,
}

/// The state of one direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct LinkState {
    rule: LinkRule,
    /// Nothing passes.
    is_cut: bool,
    /// How many more messages it loses, whatever its rule.
    to_drop: u32,
    /// For each kind of change: when the current one ends, and what is then undone.
    endings: [Option<(Time, LinkChange)>; LinkChange::KINDS],
}

/// A change of one direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkChange {
    /// True if it is cut: then every message is lost.
    Cut(bool),
    /// The latency of this rule.
    Latency(LinkRule),
    /// How many of a thousand messages are lost.
    Loss(u32),
}

/// The kind of change that cuts a link or heals it.
const CUT: usize = 0;

impl LinkChange {
    const KINDS: usize = 3;

    const fn kind(self) -> usize {
        match self {
            Self::Cut(_) => CUT,
            Self::Latency(_) => 1,
            Self::Loss(_) => 2,
        }
    }
}

/// Counts by the two nodes of a link, the one with the smaller number first, and for each its two
/// directions. Clients have the largest numbers and never talk to each other, so that there are few
/// rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct SentMessages(Vec<Vec<[u32; 2]>>);

impl SentMessages {
    /// Counts one more message of a link; says how many there were.
    fn count(&mut self, (from, to): Link) -> u32 {
        let direction = usize::from(from > to);
        let count = &mut self.pair(from.min(to), from.max(to))[direction];
        let before = *count;
        *count = before.wrapping_add(1);
        before
    }

    #[inline]
    fn pair(&mut self, low: NodeId, high: NodeId) -> &mut [u32; 2] {
        let (low, high) = (low.index(), high.index());
        if self.0.get(low).is_none_or(|row| row.len() <= high) {
            self.make_room(low, high);
        }
        &mut self.0[low][high]
    }

    #[cold]
    fn make_room(&mut self, low: usize, high: usize) {
        if self.0.len() <= low {
            self.0.resize(low + 1, Vec::new());
        }
        self.0[low].resize(high + 1, [0; 2]);
    }

    fn get(&self, from: NodeId, to: NodeId) -> u32 {
        let row = self.0.get(from.min(to).index());
        let pair = row.and_then(|row| row.get(from.max(to).index()));
        pair.map_or(0, |pair| pair[usize::from(from > to)])
    }
}

impl Network {
    /// Links that all follow one rule.
    pub fn new(default_rule: LinkRule) -> Self {
        Self { default_rule, ..Self::default() }
    }

    /// Sets the rule of one direction of a link.
    pub fn set_rule(&mut self, from: NodeId, to: NodeId, rule: LinkRule) {
        self.change((from, to), |link| link.rule = rule);
    }

    /// The rule of one direction of a link.
    pub fn rule(&self, from: NodeId, to: NodeId) -> LinkRule {
        let special = self.special((from, to));
        special.map_or(self.default_rule, |it| it.rule)
    }

    /// Cuts one direction of a link: what is sent from now on is lost.
    pub fn cut(&mut self, from: NodeId, to: NodeId) {
        self.change((from, to), |link| link.is_cut = true);
    }

    /// Heals one direction of a link.
    pub fn heal(&mut self, from: NodeId, to: NodeId) {
        self.change((from, to), |link| link.is_cut = false);
    }

    /// Changes links, each in one direction, until the next change of the same kind, or at the
    /// latest until a time from which [`end_changes`](Self::end_changes) restores the state before.
    pub fn change_until(&mut self, links: &[Link], change: LinkChange, until: Option<Time>) {
        self.change_all(links, &|link| {
            let replaced = link.apply(change);
            let ending = &mut link.endings[change.kind()];
            // A change that was to end is no state to return to.
            let lasting = ending.map_or(replaced, |(_, lasting)| lasting);
            *ending = until.map(|until| (until, lasting));
        });
    }

    /// Cuts links until a time at least, at which they are as they would be without it.
    pub(super) fn cut_until(&mut self, links: &[Link], until: Time) {
        self.change_all(links, &|link| {
            let lasting = match link.endings[CUT] {
                Some((ends, _)) if ends >= until => return,
                Some((_, lasting)) => lasting,
                // Without an end it lasts longer in any case.
                None if link.is_cut => return,
                None => LinkChange::Cut(false),
            };
            link.is_cut = true;
            link.endings[CUT] = Some((until, lasting));
        });
    }

    /// Ends the changes that end by `now`.
    pub fn end_changes(&mut self, now: Time) {
        let links: Vec<Link> = self.special.iter().map(|(link, _)| *link).collect();
        self.change_all(&links, &|link| {
            for kind in 0..LinkChange::KINDS {
                if let Some((_, lasting)) = link.endings[kind].take_if(|it| it.0 <= now) {
                    link.apply(lasting);
                }
            }
        });
    }

    /// True if one direction of a link is cut.
    pub fn is_cut(&self, from: NodeId, to: NodeId) -> bool {
        self.special((from, to)).is_some_and(|it| it.is_cut)
    }

    /// Loses the next `count` messages of each of these directions of links.
    pub fn drop_next(&mut self, links: &[Link], count: u32) {
        self.change_all(links, &|link| {
            link.to_drop = link.to_drop.saturating_add(count);
        });
    }

    /// How many messages one direction of a link has carried or lost.
    pub fn sent(&self, from: NodeId, to: NodeId) -> u32 {
        self.sent.get(from, to)
    }

    /// True if every message arrives at once.
    pub(super) fn is_instant(&self) -> bool {
        self.special.is_empty() && self.default_rule.is_instant()
    }

    /// True if every message between two nodes arrives at once.
    pub(super) fn is_instant_between(&self, one: NodeId, other: NodeId) -> bool {
        let is_instant = |link| match self.special(link) {
            None => self.default_rule.is_instant(),
            Some(it) => it.rule.is_instant() && !it.is_cut && it.to_drop == 0,
        };
        is_instant((one, other)) && is_instant((other, one))
    }

    /// Counts one more message of a link on which [all arrive at once](Self::is_instant_between).
    pub(super) fn count(&mut self, from: NodeId, to: NodeId) {
        self.sent.count((from, to));
    }

    /// Counts a message and its answer on such a link.
    #[inline]
    pub(super) fn count_both(&mut self, low: NodeId, high: NodeId) {
        let [one, other] = self.sent.pair(low, high);
        *one = one.wrapping_add(1);
        *other = other.wrapping_add(1);
    }

    /// Decides what becomes of one more message.
    pub fn send(&mut self, from: NodeId, to: NodeId, choices: &mut dyn Choices) -> Fate {
        self.send_one((from, to), choices).1
    }

    /// The same. Says also how many messages the link had carried or lost before.
    pub(super) fn send_one(&mut self, link: Link, choices: &mut dyn Choices) -> (u32, Fate) {
        let count = self.sent.count(link);
        let rule = match self.special(link) {
            None => self.default_rule,
            Some(special) if special.is_cut => return (count, Fate::Lost),
            Some(special) if special.to_drop > 0 => {
                self.change(link, |link| link.to_drop -= 1);
                return (count, Fate::Lost);
            }
            Some(special) => special.rule,
        };
        (count, rule.fate(link, count, choices))
    }
}

impl Network {
    fn usual(&self) -> LinkState {
        LinkState {
            rule: self.default_rule,
            is_cut: false,
            to_drop: 0,
            endings: [None; LinkChange::KINDS],
        }
    }

    /// A link that is not as the others: lent, since its state is large and each message asks.
    fn special(&self, link: Link) -> Option<&LinkState> {
        // To look a link up costs more than all the rest, and those to the database come first.
        if self.special.last().is_none_or(|(last, _)| *last < link) {
            return None;
        }
        self.place(link).ok().map(|place| &self.special[place].1)
    }

    /// Changes a link, and forgets it if it is as the others again.
    fn change(&mut self, link: Link, change: impl FnOnce(&mut LinkState)) {
        let mut state = self.special(link).copied().unwrap_or_else(|| self.usual());
        change(&mut state);
        let is_usual = state == self.usual();
        match self.place(link) {
            Ok(place) if is_usual => {
                self.special.remove(place);
            }
            Ok(place) => self.special[place].1 = state,
            Err(_) if is_usual => {}
            Err(place) => self.special.insert(place, (link, state)),
        }
    }

    /// The same for many links at once: to make room for each would take long.
    fn change_all(&mut self, links: &[Link], change: &dyn Fn(&mut LinkState)) {
        let (usual, known) = (self.usual(), self.special.len());
        for &link in links {
            let found = self.special[..known].binary_search_by_key(&link, |(link, _)| *link);
            let place = found.unwrap_or_else(|_| {
                self.special.push((link, usual));
                self.special.len() - 1
            });
            change(&mut self.special[place].1);
        }
        self.special.retain(|(_, state)| *state != usual);
        self.special = sorted_by(std::mem::take(&mut self.special), |a, b| a.0.cmp(&b.0));
        self.special.dedup_by_key(|(link, _)| *link);
    }

    /// The place of a link among the special ones, or the one that it would have.
    fn place(&self, link: Link) -> Result<usize, usize> {
        // As one number: a run asks for each message.
        let number = |(from, to): Link| u64::from(from.0) << 32 | u64::from(to.0);
        let link = number(link);
        self.special.binary_search_by_key(&link, |(link, _)| number(*link))
    }
}

impl LinkState {
    /// Applies a change, and returns the one that undoes it.
    fn apply(&mut self, change: LinkChange) -> LinkChange {
        match change {
            LinkChange::Cut(is_cut) => LinkChange::Cut(std::mem::replace(&mut self.is_cut, is_cut)),
            LinkChange::Latency(latency) => {
                let rule = LinkRule {
                    loss_per_mille: self.rule.loss_per_mille,
                    duplicates_per_mille: self.rule.duplicates_per_mille,
                    ..latency
                };
                LinkChange::Latency(std::mem::replace(&mut self.rule, rule))
            }
            LinkChange::Loss(share) => {
                LinkChange::Loss(std::mem::replace(&mut self.rule.loss_per_mille, share))
            }
        }
    }
}
