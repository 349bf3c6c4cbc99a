//! What the README promises, reckoned by itself: which calls are accepted, and what they do to money, capacity and orders.

use std::collections::{BTreeMap, BTreeSet};

pub const HOUR: u64 = 3600;
pub const HOUR_BLOCKS: u64 = 600;
const LONGEST: u64 = 720 * HOUR_BLOCKS;
const MOST_LOTS: usize = 50;
const FREED_WITH_ORDER: usize = 4;
const MILLIONTHS: u128 = 1_000_000;

pub type Key = (String, String);
pub type Size = [u64; 3];

/// What was paid for hours that were bought together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bought {
    pub hours: u64,
    pub amount: u128,
}

impl Bought {
    fn is_dearer_than(&self, other: &Bought) -> bool {
        self.amount * u128::from(other.hours) > other.amount * u128::from(self.hours)
    }
    fn costs_as(&self, other: &Bought) -> bool {
        !self.is_dearer_than(other) && !other.is_dearer_than(self)
    }
}

#[derive(Clone, Debug)]
pub struct Held {
    pub size: Size,
    /// Unix seconds.
    pub start: u64,
    /// Blocks of six seconds.
    pub duration: u64,
    pub bought: Vec<Bought>,
    /// Its first price, or that of an order in whose place it came, if that was higher.
    pub first: Bought,
    pub is_open: bool,
}

pub fn hours_of(blocks: u64) -> u64 {
    blocks.div_ceil(HOUR_BLOCKS)
}

impl Held {
    pub fn end(&self) -> u64 {
        self.start + self.duration * 6
    }
    pub fn runs(&self, now: u64) -> bool {
        self.is_open && now < self.end()
    }
    pub fn locked(&self) -> u128 {
        if self.is_open {
            self.bought.iter().map(|lot| lot.amount).sum()
        } else {
            0
        }
    }
    /// Hour by hour, each at the price that it was bought for; a part of a unit counts as a whole one.
    pub fn earned(&self, now: u64) -> u128 {
        let mut used = (now - self.start).div_ceil(HOUR).max(1);
        let mut earned = 0;
        for Bought { hours, amount } in &self.bought {
            let taken = used.min(*hours);
            used -= taken;
            earned += (amount * u128::from(taken)).div_ceil(u128::from(*hours));
        }
        earned
    }
    /// How many different prices follow one another.
    fn lots(&self) -> usize {
        let changes = self.bought.windows(2);
        1 + changes.filter(|pair| !pair[0].costs_as(&pair[1])).count()
    }
    /// What comes without a whole hour is paid for the last hours of one price.
    fn buy(&mut self, more: Bought) {
        if more.hours > 0 {
            return self.bought.push(more);
        }
        let mut last = self.bought.pop().unwrap();
        while let Some(before) = self.bought.pop_if(|before| before.costs_as(&last)) {
            last.hours += before.hours;
            last.amount += before.amount;
        }
        last.amount += more.amount;
        self.bought.push(last);
    }
    /// 70 % of the first price, rounded up.
    pub fn least(&self, hours: u64) -> u128 {
        let Bought { hours: of, amount } = self.first;
        (amount * u128::from(hours) * 7).div_ceil(u128::from(of) * 10)
    }
    /// The first price, rounded down.
    pub fn most(&self, hours: u64) -> u128 {
        self.first.amount * u128::from(hours) / u128::from(self.first.hours)
    }
}

/// Who gets how much.
#[derive(Default, Debug, PartialEq)]
pub struct Paid {
    pub back: u128,
    pub earned: u128,
}

#[derive(Clone)]
pub struct Model {
    pub now: u64,
    pub operator: String,
    pub next: Option<String>,
    pub capacity: Size,
    /// Millionths of a unit per core or gigabyte and hour.
    pub floor: [u128; 3],
    pub grace_hours: u64,
    pub orders: BTreeMap<Key, Held>,
    /// Those that hold capacity, by their end.
    holding: BTreeSet<(u64, Key)>,
}

impl Model {
    pub fn new(operator: &str, capacity: Size, floor: [u128; 3], grace_hours: u64) -> Self {
        Model {
            now: 0,
            operator: operator.to_owned(),
            next: None,
            capacity,
            floor,
            grace_hours,
            orders: BTreeMap::new(),
            holding: BTreeSet::new(),
        }
    }
    pub fn locked(&self) -> u128 {
        self.orders.values().map(Held::locked).sum()
    }
    pub fn held(&self) -> Size {
        let mut sum = [0; 3];
        for (_, key) in &self.holding {
            for (sum, part) in sum.iter_mut().zip(self.orders[key].size) {
                *sum += part;
            }
        }
        sum
    }
    /// Of those that are paid for and whose time is not over.
    pub fn running(&self) -> Size {
        let mut sum = [0; 3];
        for order in self.orders.values().filter(|order| order.runs(self.now)) {
            for (sum, part) in sum.iter_mut().zip(order.size) {
                *sum += part;
            }
        }
        sum
    }
    /// In whole units, rounded up.
    pub fn floor_of(&self, size: Size, hours: u64) -> u128 {
        let price: u128 = self
            .floor
            .iter()
            .zip(size)
            .map(|(price, count)| price * u128::from(count))
            .sum();
        (price * u128::from(hours)).div_ceil(MILLIONTHS)
    }
    pub fn free(&mut self, limit: usize) -> usize {
        let over: Vec<_> = self
            .holding
            .iter()
            .take_while(|(end, _)| *end <= self.now)
            .take(limit)
            .cloned()
            .collect();
        for entry in &over {
            self.holding.remove(entry);
        }
        over.len()
    }

    pub fn create(&mut self, key: &Key, size: Size, duration: u64, amount: u128) -> bool {
        self.begin(key, size, duration, amount, None)
    }

    fn begin(
        &mut self,
        key: &Key,
        size: Size,
        duration: u64,
        amount: u128,
        before: Option<Bought>,
    ) -> bool {
        let lot = Bought {
            hours: hours_of(duration),
            amount,
        };
        let is_good = (HOUR_BLOCKS..=LONGEST).contains(&duration)
            && size.iter().all(|part| *part > 0)
            && amount > 0
            && amount >= self.floor_of(size, lot.hours)
            && !self.orders.contains_key(key);
        if !is_good {
            return false;
        }
        self.free(FREED_WITH_ORDER);
        let held = self.held();
        if (0..3).any(|part| held[part] + size[part] > self.capacity[part]) {
            return false;
        }
        let order = Held {
            size,
            start: self.now,
            duration,
            bought: vec![lot],
            first: before
                .filter(|before| before.is_dearer_than(&lot))
                .unwrap_or(lot),
            is_open: true,
        };
        self.holding.insert((order.end(), key.clone()));
        self.orders.insert(key.clone(), order);
        true
    }

    pub fn extend(&mut self, key: &Key, duration: u64, amount: u128) -> bool {
        let (now, floor_of) = (self.now, |size, hours| self.floor_of(size, hours));
        let Some(order) = self.orders.get(key).filter(|order| order.runs(now)) else {
            return false;
        };
        let hours = hours_of(duration).saturating_sub(hours_of(order.duration));
        let mut longer = order.clone();
        longer.buy(Bought { hours, amount });
        longer.duration = duration;
        let is_good = duration > order.duration
            && duration <= LONGEST
            && amount >= order.least(hours)
            && amount >= floor_of(order.size, hours)
            && longer.lots() <= MOST_LOTS;
        if is_good {
            self.holding.remove(&(order.end(), key.clone()));
            self.holding.insert((longer.end(), key.clone()));
            self.orders.insert(key.clone(), longer);
        }
        is_good
    }

    /// Whether an allowance may pay for it.
    pub fn renew(&mut self, caller: &str, key: &Key, duration: u64, amount: u128) -> bool {
        let is_fair = self.orders.get(key).is_some_and(|order| {
            let hours = hours_of(duration).saturating_sub(hours_of(order.duration));
            amount <= order.most(hours)
        });
        caller == self.operator && is_fair && self.extend(key, duration, amount)
    }

    pub fn update(
        &mut self,
        from: &Key,
        to: &Key,
        size: Size,
        duration: u64,
        amount: u128,
    ) -> Option<Paid> {
        let order = self.orders.get(from)?;
        let is_good = order.runs(self.now)
            && (0..3).all(|part| size[part] >= order.size[part])
            && duration >= order.duration
            && amount >= order.least(hours_of(duration));
        if !is_good {
            return None;
        }
        let before = order.first;
        let earned = order.earned(self.now);
        let paid = self.settle(from, earned);
        self.begin(to, size, duration, amount, Some(before))
            .then_some(paid)
    }

    pub fn release(&mut self, caller: &str, key: &Key, whole: bool) -> Option<Paid> {
        let order = self.orders.get(key).filter(|order| order.is_open)?;
        if caller == self.operator {
            let earned = if whole { 0 } else { order.earned(self.now) };
            return Some(self.settle(key, earned));
        }
        // The operator never collected it.
        let is_lost = caller == key.0 && self.now >= order.end() + self.grace_hours * HOUR;
        is_lost.then(|| self.settle(key, 0))
    }

    fn settle(&mut self, key: &Key, earned: u128) -> Paid {
        let order = self.orders.get_mut(key).unwrap();
        let back = order.locked() - earned;
        order.is_open = false;
        self.holding.remove(&(order.end(), key.clone()));
        Paid { back, earned }
    }

    pub fn accept(&mut self, caller: &str) -> bool {
        let is_next = self.next.as_deref() == Some(caller);
        if is_next {
            self.operator = caller.to_owned();
            self.next = None;
        }
        is_next
    }
}
