//! What the hours of an order were bought for. They are used in the order in which they were bought, and each is settled at what it
//! cost: hours that are bought later make none of them cheaper.

use cosmwasm_std::Uint128;

use crate::msg::Lot;

/// Blocks of an hour, at six seconds each.
pub const BLOCKS_AN_HOUR: u64 = 600;

/// Hours of so many blocks, a begun one whole: what is given back is counted in them, and so is what has to be paid.
pub fn hours_of(duration: u32) -> u32 {
    duration.div_ceil(BLOCKS_AN_HOUR as u32)
}

/// Begun hours are used hours, and the first always is.
pub fn used_hours(start_height: u64, height: u64) -> u64 {
    height
        .saturating_sub(start_height)
        .div_ceil(BLOCKS_AN_HOUR)
        .max(1)
}

/// What goes back after so many hours: what was paid for those that were not begun, rounded down once.
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

/// Whether so much for so many hours is less than seven tenths of a rate: as much less as the tariff's last hours cost than its first.
pub fn is_too_cheap(rate: &Lot, amount: Uint128, hours: u32) -> bool {
    // In 256 bits: no product can overflow.
    amount.full_mul(u64::from(rate.hours) * 10) < rate.amount.full_mul(u64::from(hours) * 7)
}

/// The one whose hour costs more.
pub fn dearer(a: Lot, b: Lot) -> Lot {
    if a.amount.full_mul(b.hours) < b.amount.full_mul(a.hours) {
        b
    } else {
        a
    }
}
