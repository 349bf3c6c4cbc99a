//! The price of each hour of an order. Hours are used in the order in which they were bought and settled at their own price, so later
//! purchases do not make earlier hours cheaper.

use cosmwasm_std::{StdResult, Uint128};

use crate::msg::{Floor, Lot, Resource};

/// Durations are in blocks of six seconds, whatever the chain's are: 600 are an hour of its clock.
pub const BLOCKS_PER_HOUR: u64 = 600;
const BLOCK_SECONDS: u64 = 6;
pub const HOUR_SECONDS: u64 = 3600;
/// Prices of `Floor` are in millionths.
const FLOOR_SCALE: u64 = 1_000_000;

/// Blocks as hours, rounded up; refunds and minimum prices count these.
pub fn hours_of(duration: u32) -> u32 {
    duration.div_ceil(BLOCKS_PER_HOUR as u32)
}

pub fn seconds_of(blocks: u64) -> u64 {
    blocks.saturating_mul(BLOCK_SECONDS)
}

/// A begun hour counts as used, the first one always. Times in seconds.
pub fn used_hours(start: u64, now: u64) -> u64 {
    now.saturating_sub(start).div_ceil(HOUR_SECONDS).max(1)
}

/// The refund after `used` hours: what was paid for hours that have not started, rounded down per lot.
pub fn refund_of(lots: &[Lot], used: u64) -> Uint128 {
    let mut used = used;
    lots.iter()
        .map(|lot| {
            let hours = u64::from(lot.hours.max(1));
            let taken = used.min(hours);
            used -= taken;
            // In 256 bits: neither product nor quotient can overflow.
            lot.amount.multiply_ratio(hours - taken, hours)
        })
        .sum()
}

/// Adds a purchase. Hours at the price of the last ones join their lot: every refund stays the same, and renewals do not make an order
/// larger.
pub fn add(lots: &mut Vec<Lot>, more: Lot) -> StdResult<()> {
    match lots.last_mut() {
        // Without hours, it is paid for blocks of the last hour.
        Some(last) if more.hours == 0 || cost_the_same(last, &more) => {
            last.hours += more.hours;
            last.amount = last.amount.checked_add(more.amount)?;
        }
        _ => lots.push(more),
    }
    Ok(())
}

fn cost_the_same(a: &Lot, b: &Lot) -> bool {
    a.amount.full_mul(b.hours) == b.amount.full_mul(a.hours)
}

/// Whether the price is below 70 % of the rate: the tariff's largest discount for long orders.
pub fn is_too_cheap(rate: &Lot, amount: Uint128, hours: u32) -> bool {
    // In 256 bits: no product can overflow.
    amount.full_mul(u64::from(rate.hours) * 10) < rate.amount.full_mul(u64::from(hours) * 7)
}

/// Whether the price per hour is above the rate.
pub fn is_too_dear(rate: &Lot, amount: Uint128, hours: u32) -> bool {
    amount.full_mul(rate.hours) > rate.amount.full_mul(hours)
}

/// Whether the price is below the floor. One that is too high to be reckoned is not reached, either.
pub fn is_below_floor(floor: &Floor, size: &Resource, amount: Uint128, hours: u32) -> bool {
    let of = |price: Uint128, count: u64| price.checked_mul(Uint128::from(count)).ok();
    let least = of(floor.cpu, size.cpu)
        .zip(of(floor.memory, size.memory))
        .and_then(|(cpu, memory)| cpu.checked_add(memory).ok())
        .zip(of(floor.disk, size.disk))
        .and_then(|(sum, disk)| sum.checked_add(disk).ok());
    match least {
        Some(least) => amount.full_mul(FLOOR_SCALE) < least.full_mul(hours),
        None => true,
    }
}

/// The lot with the higher price per hour.
pub fn dearer(a: Lot, b: Lot) -> Lot {
    if a.amount.full_mul(b.hours) < b.amount.full_mul(a.hours) {
        b
    } else {
        a
    }
}
