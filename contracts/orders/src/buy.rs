//! Orders are paid: new ones, larger ones in the place of others, and more hours.

use cosmwasm_std::{
    from_json, to_json_binary, Addr, Binary, DepsMut, Response, StdError, Storage, Uint128, WasmMsg,
};

use crate::end::{free_over, refund_of, settle};
use crate::lots::{self, hours_of, BLOCKS_PER_HOUR};
use crate::manage::require_operator;
use crate::msg::{Lot, PaidMsg, Resource, TokenMsg};
use crate::refusal::Refusal;
use crate::store::{self, Order};
use crate::Block;

/// Blocks of an order at most: 720 hours.
const LONGEST: u32 = 720 * BLOCKS_PER_HOUR as u32;
/// Lots of an order: the largest hundred still fit into the answer to a question.
const MOST_LOTS: usize = 50;
const LONGEST_ID: usize = 64;
/// Orders whose time is over that each new one gives back the capacity of.
const FREED_WITH_ORDER: u32 = 4;

type Answer = Result<Response, Refusal>;

/// What an order is to be, and what was paid for it.
struct Purchase {
    payer: Addr,
    id: String,
    resource: Resource,
    duration: u32,
    amount: Uint128,
}

/// The token says that somebody paid. Anybody can call this; only what the token says it moved counts. Whoever sends from an allowance
/// pays as itself: the order is its own, and it can lengthen no other.
pub fn receive(
    deps: DepsMut,
    block: Block,
    caller: Addr,
    payer: String,
    amount: Uint128,
    msg: Binary,
) -> Answer {
    if caller.as_str() != store::config(deps.storage)?.token {
        return Err(Refusal::unauthorized());
    }
    let paid: PaidMsg = from_json(&msg).map_err(named)?;
    let payer = deps.api.addr_validate(&payer)?;
    let purchase = |id, (cpu, memory, disk): (u32, u32, u32), duration| Purchase {
        payer: payer.clone(),
        id,
        resource: Resource {
            cpu: cpu.into(),
            memory: memory.into(),
            disk: disk.into(),
        },
        duration,
        amount,
    };
    match paid {
        PaidMsg::CreateOrder {
            order_id,
            cpu,
            memory,
            disk,
            duration,
        } => create(
            deps.storage,
            block,
            purchase(order_id, (cpu, memory, disk), duration),
        ),
        PaidMsg::UpdateOrder {
            order_id,
            new_order_id,
            cpu,
            memory,
            disk,
            duration,
        } => update(
            deps.storage,
            block,
            order_id,
            purchase(new_order_id, (cpu, memory, disk), duration),
        ),
        PaidMsg::ExtendOrder { order_id, duration } => {
            let order = active(deps.storage, payer.as_str(), &order_id, block)?;
            extend(deps.storage, order, amount, duration, "extend_order")
        }
    }
}

/// Whatever is wrong with the inner message, it begins in the same words.
fn named(error: StdError) -> Refusal {
    match error {
        StdError::ParseErr { msg, .. } => Refusal::new(format!("Error parsing into type: {msg}")),
        other => Refusal::new(format!("Error parsing into type: {other}")),
    }
}

fn create(storage: &mut dyn Storage, block: Block, purchase: Purchase) -> Answer {
    check(&purchase)?;
    check_id(&purchase.id, "order_id")?;
    if purchase.amount.is_zero() {
        return Err(Refusal::amount());
    }
    require_new(storage, &purchase)?;
    demand_floor(
        storage,
        &purchase.resource,
        purchase.amount,
        hours_of(purchase.duration),
    )?;
    let response = Response::new()
        .add_attribute("action", "create_order")
        .add_attribute("order_id", &purchase.id)
        .add_attribute("initiator", &purchase.payer)
        .add_attribute("amount", purchase.amount);
    begin(storage, block, purchase, None)?;
    Ok(response)
}

fn update(storage: &mut dyn Storage, block: Block, order_id: String, purchase: Purchase) -> Answer {
    check(&purchase)?;
    let mut order = active(storage, purchase.payer.as_str(), &order_id, block)?;
    check_id(&purchase.id, "new_order_id")?;
    require_new(storage, &purchase)?;
    let (is, was) = (purchase.resource, order.resource);
    if is.cpu < was.cpu || is.memory < was.memory || is.disk < was.disk {
        return Err(Refusal::smaller());
    }
    if purchase.duration < order.duration {
        return Err(Refusal::shortened());
    }
    let hours = hours_of(purchase.duration);
    demand_rate(&order, purchase.amount, hours)?;
    demand_floor(storage, &is, purchase.amount, hours)?;
    let refund = refund_of(&order, block);
    let rate = order.rate;
    let payments = settle(storage, &mut order, refund)?;
    order.replaced_by = Some(purchase.id.clone());
    store::save_order(storage, &order)?;
    let response = Response::new()
        .add_attribute("action", "update_order")
        .add_attribute("order_id", order_id)
        .add_attribute("new_order_id", &purchase.id)
        .add_attribute("amount", purchase.amount)
        .add_attribute("refund", refund)
        .add_attribute("payer", &purchase.payer)
        .add_messages(payments);
    begin(storage, block, purchase, rate)?;
    Ok(response)
}

/// From the allowance of the payer to this contract, which nobody can spend on anything else: only the operator asks for it, only for
/// hours of the payer's own order, and never at more than its first hours cost.
pub fn renew(
    storage: &mut dyn Storage,
    block: Block,
    caller: Addr,
    own: Addr,
    (payer, order_id): (String, String),
    duration: u32,
    amount: Uint128,
) -> Answer {
    let token = require_operator(storage, &caller)?.token;
    let order = active(storage, &payer, &order_id, block)?;
    let hours = hours_of(duration).saturating_sub(hours_of(order.duration));
    match order.rate {
        Some(rate) if !lots::is_too_dear(&rate, amount, hours) => {}
        _ => return Err(Refusal::new("Bad request: hours cost more than the first")),
    }
    let response = extend(storage, order, amount, duration, "renew_order")?;
    // Without the money, everything is undone.
    Ok(response.add_message(WasmMsg::Execute {
        contract_addr: token,
        msg: to_json_binary(&TokenMsg::TransferFrom {
            owner: payer,
            recipient: own.into_string(),
            amount,
        })?,
        funds: vec![],
    }))
}

fn extend(
    storage: &mut dyn Storage,
    mut order: Order,
    amount: Uint128,
    duration: u32,
    action: &str,
) -> Answer {
    if duration <= order.duration {
        return Err(Refusal::shortened());
    }
    if duration > LONGEST {
        return Err(Refusal::too_long());
    }
    let hours = hours_of(duration) - hours_of(order.duration);
    demand_rate(&order, amount, hours)?;
    demand_floor(storage, &order.resource, amount, hours)?;
    let locked = store::escrow(storage)?.checked_add(amount)?;
    store::save_escrow(storage, locked)?;
    store::remove_end(storage, &order);
    order.duration = duration;
    order.locked_funds = order.locked_funds.checked_add(amount)?;
    lots::add(&mut order.lots, Lot { hours, amount })?;
    if order.lots.len() > MOST_LOTS {
        return Err(Refusal::new("Bad request: too many different prices"));
    }
    store::save_order(storage, &order)?;
    store::add_end(storage, &order)?;
    Ok(Response::new()
        .add_attribute("action", action)
        .add_attribute("order_id", &order.id)
        .add_attribute("duration", duration.to_string())
        .add_attribute("amount", amount)
        .add_attribute("payer", &order.initiator))
}

fn check(purchase: &Purchase) -> Result<(), Refusal> {
    let Resource { cpu, memory, disk } = purchase.resource;
    if cpu < 1 || memory < 1 || disk < 1 || u64::from(purchase.duration) < BLOCKS_PER_HOUR {
        return Err(Refusal::new(
            "Bad request: an order needs cpu, memory, disk and an hour at least",
        ));
    }
    if purchase.duration > LONGEST {
        return Err(Refusal::too_long());
    }
    Ok(())
}

/// Ids are written into questions and databases by whoever reads them: nothing in them needs care.
fn check_id(id: &str, field: &str) -> Result<(), Refusal> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    if id.is_empty() || id.len() > LONGEST_ID || !id.bytes().all(plain) {
        return Err(Refusal::new(format!("Bad request: {field}")));
    }
    Ok(())
}

fn require_new(storage: &dyn Storage, purchase: &Purchase) -> Result<(), Refusal> {
    match store::order(storage, purchase.payer.as_str(), &purchase.id)? {
        Some(_) => Err(Refusal::exists()),
        None => Ok(()),
    }
}

/// Who lengthens an order or puts a larger one in its place pays for each hour at least seven tenths of what the first ones cost. What was
/// bought since counts for nothing: each time a little less would soon be hours for nothing.
fn demand_rate(order: &Order, amount: Uint128, hours: u32) -> Result<(), Refusal> {
    match order.rate {
        Some(rate) if lots::is_too_cheap(&rate, amount, hours) => Err(Refusal::amount()),
        _ => Ok(()),
    }
}

/// Capacity is held only by who pays for it.
fn demand_floor(
    storage: &dyn Storage,
    size: &Resource,
    amount: Uint128,
    hours: u32,
) -> Result<(), Refusal> {
    match store::config(storage)?.floor {
        Some(floor) if lots::is_below_floor(&floor, size, amount, hours) => Err(Refusal::amount()),
        _ => Ok(()),
    }
}

/// An order of this payer that still runs.
fn active(storage: &dyn Storage, payer: &str, id: &str, block: Block) -> Result<Order, Refusal> {
    let order = store::order(storage, payer, id)?.ok_or_else(Refusal::not_found)?;
    if !order.is_active(block.time) {
        return Err(Refusal::ended());
    }
    Ok(order)
}

/// Locks what came, and keeps the order. `rate`: of the order in whose place it comes.
fn begin(
    storage: &mut dyn Storage,
    block: Block,
    purchase: Purchase,
    rate: Option<Lot>,
) -> Result<(), Refusal> {
    free_over(storage, block, FREED_WITH_ORDER)?;
    take(storage, &purchase.resource)?;
    let locked = store::escrow(storage)?.checked_add(purchase.amount)?;
    store::save_escrow(storage, locked)?;
    let lot = Lot {
        hours: hours_of(purchase.duration),
        amount: purchase.amount,
    };
    let order = Order {
        id: purchase.id,
        initiator: purchase.payer.into_string(),
        resource: purchase.resource,
        start_height: block.height,
        start_time: Some(block.time),
        duration: purchase.duration,
        locked_funds: purchase.amount,
        lots: vec![lot],
        rate: Some(rate.map_or(lot, |rate| lots::dearer(rate, lot))),
        released: None,
        replaced_by: None,
        is_former: false,
    };
    store::add_order(storage, &order)?;
    Ok(store::add_end(storage, &order)?)
}

fn take(storage: &mut dyn Storage, wanted: &Resource) -> Result<(), Refusal> {
    let held = store::held(storage)?;
    let next = Resource {
        cpu: held.cpu + wanted.cpu,
        memory: held.memory + wanted.memory,
        disk: held.disk + wanted.disk,
    };
    if let Some(most) = store::config(storage)?.capacity {
        if next.cpu > most.cpu || next.memory > most.memory || next.disk > most.disk {
            return Err(Refusal::capacity());
        }
    }
    Ok(store::save_held(storage, &next)?)
}
