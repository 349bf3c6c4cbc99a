//! Answers to queries.

use cosmwasm_std::{StdResult, Storage};

use crate::msg::{ConfigShown, EscrowShown, Key, OrderShown, Status};
use crate::store::{self, Config, Order};
use crate::Block;

/// Counts changes of what clients can rely on. 2: orders are keyed by payer and id, and hours follow the clock.
const VERSION: u32 = 2;
/// Ids or keys that one query names at most.
const ASKED: usize = 100;

pub fn orders(storage: &dyn Storage, block: Block, ids: &[String]) -> StdResult<Vec<OrderShown>> {
    let mut shown = Vec::new();
    for id in ids.iter().take(ASKED) {
        let found = store::orders_of(storage, id, store::LISTED)?;
        shown.extend(found.into_iter().map(|order| show(order, block)));
    }
    Ok(shown)
}

pub fn orders_by_key(
    storage: &dyn Storage,
    block: Block,
    keys: &[Key],
) -> StdResult<Vec<OrderShown>> {
    keys.iter()
        .take(ASKED)
        .filter_map(|Key { payer, order_id }| store::order(storage, payer, order_id).transpose())
        .map(|order| Ok(show(order?, block)))
        .collect()
}

fn show(order: Order, block: Block) -> OrderShown {
    let status = if order.is_active(block.time) {
        Status::Active
    } else {
        Status::Expired
    };
    OrderShown {
        start_time: order.start(),
        id: order.id,
        initiator: order.initiator,
        resource: order.resource,
        start_height: order.start_height,
        duration: order.duration,
        locked_funds: u64::try_from(order.locked_funds.u128()).unwrap_or(u64::MAX),
        locked: order.locked_funds,
        lots: order.lots,
        status,
        released: order.released,
        replaced_by: order.replaced_by,
    }
}

pub fn config(storage: &dyn Storage) -> StdResult<ConfigShown> {
    let Config {
        token,
        operator,
        treasury,
        capacity,
        floor,
        grace_hours,
        next_operator,
    } = store::config(storage)?;
    Ok(ConfigShown {
        version: VERSION,
        token,
        operator,
        treasury,
        capacity,
        floor,
        grace_hours,
        next_operator,
    })
}

pub fn escrow(storage: &dyn Storage) -> StdResult<EscrowShown> {
    Ok(EscrowShown {
        locked: store::escrow(storage)?,
        held: store::held(storage)?,
    })
}
