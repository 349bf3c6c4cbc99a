//! Orders end: what was used goes to the treasury, the rest to the payer.

use cosmwasm_std::{
    to_json_binary, Addr, CosmosMsg, Response, StdResult, Storage, Uint128, WasmMsg,
};

use crate::lots::{self, used_hours, HOUR_SECONDS};
use crate::msg::{Released, Resource, TokenMsg};
use crate::refusal::Refusal;
use crate::store::{self, Config, Order};
use crate::Block;

type Answer = Result<Response, Refusal>;

/// Orders whose capacity one message gives back at most.
const FREED: u32 = 100;

pub fn refund_of(order: &Order, block: Block) -> Uint128 {
    lots::refund_of(&order.lots, used_hours(order.start(), block.time))
}

/// `whole`: nothing was delivered, so everything goes back; the operator says so.
pub fn release(
    storage: &mut dyn Storage,
    block: Block,
    caller: Addr,
    order_id: String,
    payer: Option<String>,
    whole: bool,
) -> Answer {
    let config = store::config(storage)?;
    let is_operator = caller.as_str() == config.operator;
    let payer = match payer {
        Some(payer) => payer,
        None if is_operator => only_payer(storage, &order_id)?,
        None => caller.to_string(),
    };
    if !is_operator && payer != caller.as_str() {
        return Err(Refusal::unauthorized());
    }
    let mut order = store::order(storage, &payer, &order_id)?.ok_or_else(Refusal::not_found)?;
    if order.has_ended() {
        return Err(Refusal::ended());
    }
    // Who does not collect for so long has lost the key, or delivered nothing.
    let claimable = order
        .end()
        .saturating_add(u64::from(config.grace_hours) * HOUR_SECONDS);
    if !is_operator && block.time < claimable {
        return Err(Refusal::unauthorized());
    }
    let refund = if whole || !is_operator {
        order.locked_funds
    } else {
        refund_of(&order, block)
    };
    let payments = settle(storage, &mut order, refund)?;
    order.released = Some(Released {
        height: block.height,
        refund,
    });
    store::save_order(storage, &order)?;
    Ok(Response::new()
        .add_attribute("action", "release_order")
        .add_attribute("order_id", order_id)
        .add_attribute("refund", refund)
        .add_attribute("payer", payer)
        .add_messages(payments))
}

/// Who has the only order of this id that has not ended; of none, the payer of one that has.
fn only_payer(storage: &dyn Storage, id: &str) -> Result<String, Refusal> {
    let orders = store::orders_of(storage, id, store::LISTED + 1)?;
    let several = || Refusal::new("Bad request: several orders have this id, name the payer");
    // The one that is meant may be among those that are not listed.
    if orders.len() > store::LISTED {
        return Err(several());
    }
    let mut open = orders.iter().filter(|order| !order.has_ended());
    match (open.next(), open.next()) {
        (Some(order), None) => Ok(order.initiator.clone()),
        (Some(_), Some(_)) => Err(several()),
        (None, _) => orders
            .into_iter()
            .next()
            .map(|order| order.initiator)
            .ok_or_else(Refusal::not_found),
    }
}

/// Ends an order's money: the used part to the treasury, the rest to who paid.
pub fn settle(
    storage: &mut dyn Storage,
    order: &mut Order,
    refund: Uint128,
) -> Result<Vec<CosmosMsg>, Refusal> {
    let Config {
        token, treasury, ..
    } = store::config(storage)?;
    let locked = store::escrow(storage)?.checked_sub(order.locked_funds)?;
    store::save_escrow(storage, locked)?;
    // Unless that was done when its time was over.
    if store::remove_end(storage, order) || order.is_former {
        give_back(storage, &[order.resource])?;
    }
    let earned = order.locked_funds.checked_sub(refund)?;
    order.locked_funds = Uint128::zero();
    order.lots.clear();
    order.rate = None;
    [(order.initiator.clone(), refund), (treasury, earned)]
        .into_iter()
        .filter(|(_, amount)| !amount.is_zero())
        .map(|(recipient, amount)| {
            Ok(WasmMsg::Execute {
                contract_addr: token.clone(),
                msg: to_json_binary(&TokenMsg::Transfer { recipient, amount })?,
                funds: vec![],
            }
            .into())
        })
        .collect()
}

/// Anybody may say that an order's time is over; the chain's clock proves it.
pub fn free_expired(storage: &mut dyn Storage, block: Block, limit: Option<u32>) -> Answer {
    let count = free_over(storage, block, limit.unwrap_or(FREED).min(FREED))?;
    Ok(Response::new()
        .add_attribute("action", "free_expired")
        .add_attribute("count", count.to_string()))
}

/// Gives back the capacity of orders whose time is over. @returns of how many
pub fn free_over(storage: &mut dyn Storage, block: Block, limit: u32) -> StdResult<usize> {
    let over = store::remove_over(storage, block.time, limit as usize)?;
    if !over.is_empty() {
        give_back(storage, &over)?;
    }
    Ok(over.len())
}

fn give_back(storage: &mut dyn Storage, sizes: &[Resource]) -> StdResult<()> {
    let mut held = store::held(storage)?;
    for Resource { cpu, memory, disk } in sizes {
        held.cpu = held.cpu.saturating_sub(*cpu);
        held.memory = held.memory.saturating_sub(*memory);
        held.disk = held.disk.saturating_sub(*disk);
    }
    store::save_held(storage, &held)
}
