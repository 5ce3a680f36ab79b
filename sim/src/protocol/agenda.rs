//! Who is due when: deadlines of slots, earliest first.
//!
//! A slot holds its own [`Alarm`]; the agenda holds tickets, one for each slot, filed under a
//! time that is never later than the slot's deadline. Moving a deadline later, which is what
//! a renewal does, therefore costs nothing: the ticket moves on when its time comes. That
//! keeps a renewal independent of the number of slots, and expiry at O(log n).
//!
//! The agenda is only an index: the alarms are the truth.

use std::collections::{BTreeMap, VecDeque};

use slotmap::{Key, SlotMap};

use crate::time::Time;

/// A slot's deadline, and where its ticket is filed.
#[derive(Clone, Debug, Default)]
pub(super) struct Alarm {
    deadline: Option<Time>,
    ticket: Option<Time>,
}

impl Alarm {
    /// When the slot is due; `None` when nothing is scheduled for it.
    pub(super) const fn deadline(&self) -> Option<Time> {
        self.deadline
    }

    /// Takes the deadline away; the ticket is dropped when its time comes.
    pub(super) const fn cancel(&mut self) {
        self.deadline = None;
    }
}

/// A slot that carries an alarm.
pub(super) trait HasAlarm {
    fn alarm(&mut self) -> &mut Alarm;

    /// If several are due at one time, the smallest comes first.
    fn order(&self) -> u64;
}

/// Tickets of slots by time.
#[derive(Clone, Debug)]
pub(super) struct Agenda<K> {
    /// Tickets in the order of their times, as most come.
    lane: VecDeque<(Time, K)>,
    /// Those that came too late for that.
    tickets: BTreeMap<Time, Vec<K>>,
}

impl<K> Default for Agenda<K> {
    fn default() -> Self {
        Self { lane: VecDeque::new(), tickets: BTreeMap::new() }
    }
}

impl<K: Key> Agenda<K> {
    /// Sets the deadline of the slot `id`, whose alarm is given.
    pub(super) fn schedule(&mut self, id: K, alarm: &mut Alarm, deadline: Time) {
        alarm.deadline = Some(deadline);
        if alarm.ticket.is_some_and(|ticket| ticket <= deadline) {
            return;
        }
        alarm.ticket = Some(deadline);
        self.file(deadline, id);
    }

    fn file(&mut self, time: Time, id: K) {
        match self.lane.back() {
            Some((last, _)) if *last > time => self.tickets.entry(time).or_default().push(id),
            _ => self.lane.push_back((time, id)),
        }
    }

    /// The time of the first ticket.
    fn first(&self) -> Option<Time> {
        let in_lane = self.lane.front().map(|(time, _)| *time);
        let other = self.tickets.first_key_value().map(|(time, _)| *time);
        match (in_lane, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }

    /// Takes one of the first tickets.
    fn take_first(&mut self, time: Time) -> Option<K> {
        if self.lane.front().is_some_and(|(filed, _)| *filed == time) {
            return self.lane.pop_front().map(|(_, id)| id);
        }
        let mut entry = self.tickets.first_entry().filter(|it| *it.key() == time)?;
        let id = entry.get_mut().pop();
        if entry.get().is_empty() {
            entry.remove();
        }
        id
    }

    /// True if nothing can be due before `time`. Looks at one ticket; if it says no, nothing may
    /// be due before `time` all the same.
    pub(super) fn is_idle_before(&self, time: Time) -> bool {
        self.first().is_none_or(|filed| filed >= time)
    }

    /// The earliest deadline that is not after `limit`. Moves tickets on that come before their
    /// slot's deadline, and looks no further than the first one that does not.
    pub(super) fn earliest<T: HasAlarm>(
        &mut self,
        slots: &mut SlotMap<K, T>,
        limit: Time,
    ) -> Option<Time> {
        while let Some(filed) = self.first() {
            if filed > limit {
                return None;
            }
            let Some(id) = self.take_first(filed) else {
                continue;
            };
            let alarm =
                slots.get_mut(id).map(HasAlarm::alarm).filter(|alarm| alarm.ticket == Some(filed));
            let Some(alarm) = alarm else {
                continue;
            };
            if alarm.deadline == Some(filed) {
                // It stays the first.
                self.lane.push_front((filed, id));
                return Some(filed);
            }
            alarm.ticket = None;
            if let Some(deadline) = alarm.deadline {
                self.schedule(id, alarm, deadline);
            }
        }
        None
    }

    /// Takes the slots that are due first, if that is at `now` or before, with their time.
    /// They have no deadline any more.
    pub(super) fn take_due<T: HasAlarm>(
        &mut self,
        slots: &mut SlotMap<K, T>,
        now: Time,
    ) -> Option<(Time, Vec<K>)> {
        let due = self.earliest(slots, now)?;
        debug_assert!(due <= now, "nothing is due before its time");
        let mut due_slots = Vec::new();
        while self.first() == Some(due) {
            let Some(id) = self.take_first(due) else {
                continue;
            };
            let Some(slot) = slots.get_mut(id) else {
                continue;
            };
            let order = slot.order();
            let alarm = slot.alarm();
            if alarm.ticket != Some(due) {
                continue;
            }
            alarm.ticket = None;
            match alarm.deadline.take() {
                // Filed twice under one time, the second finds no deadline any more.
                None => {}
                // Beside its order, so that sorting does not look at slots all over memory.
                Some(deadline) if deadline == due => due_slots.push((order, id.data())),
                Some(deadline) => self.schedule(id, alarm, deadline),
            }
        }
        due_slots.sort_unstable();
        let in_order = due_slots.into_iter().map(|(_, id)| id.into());
        Some((due, in_order.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use slotmap::DefaultKey;

    impl HasAlarm for Alarm {
        fn alarm(&mut self) -> &mut Alarm {
            self
        }

        fn order(&self) -> u64 {
            0
        }
    }

    /// A tutorial: a slot is scheduled, renewed, and due once, at its last deadline.
    #[test]
    fn a_slot_is_due_once_at_its_last_deadline() {
        let mut slots = SlotMap::<DefaultKey, Alarm>::default();
        let mut agenda = Agenda::default();
        let id = slots.insert(Alarm::default());

        for seconds in [15, 20, 25] {
            agenda.schedule(id, &mut slots[id], Time::from_ms(seconds));
        }

        assert_eq!(agenda.take_due(&mut slots, Time::from_ms(24)), None);
        assert_eq!(agenda.earliest(&mut slots, Time::MAX), Some(Time::from_ms(25)));
        assert_eq!(
            agenda.take_due(&mut slots, Time::from_ms(99)),
            Some((Time::from_ms(25), vec![id]))
        );
        assert_eq!(agenda.earliest(&mut slots, Time::MAX), None);
    }
}
