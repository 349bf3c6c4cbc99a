//! The price of each hour of an order. Hours are used in the order in which they were bought and settled at their own price, so later
//! purchases do not make earlier hours cheaper.

use cosmwasm_std::Uint128;

use crate::msg::Lot;

/// Blocks of an hour, at six seconds each.
pub const BLOCKS_PER_HOUR: u64 = 600;

/// Blocks as hours, rounded up; refunds and minimum prices count these.
pub fn hours_of(duration: u32) -> u32 {
    duration.div_ceil(BLOCKS_PER_HOUR as u32)
}

/// A begun hour counts as used, the first one always.
pub fn used_hours(start_height: u64, height: u64) -> u64 {
    height
        .saturating_sub(start_height)
        .div_ceil(BLOCKS_PER_HOUR)
        .max(1)
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

/// Whether the price is below 70 % of the rate: the tariff's largest discount for long orders.
pub fn is_too_cheap(rate: &Lot, amount: Uint128, hours: u32) -> bool {
    // In 256 bits: no product can overflow.
    amount.full_mul(u64::from(rate.hours) * 10) < rate.amount.full_mul(u64::from(hours) * 7)
}

/// The lot with the higher price per hour.
pub fn dearer(a: Lot, b: Lot) -> Lot {
    if a.amount.full_mul(b.hours) < b.amount.full_mul(a.hours) {
        b
    } else {
        a
    }
}
