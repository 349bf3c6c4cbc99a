use cosmwasm_std::{
    from_json, to_json_binary, Addr, Binary, CosmosMsg, Deps, DepsMut, Response, StdError,
    StdResult, Storage, Uint128, WasmMsg,
};

use crate::lots::{self, hours_of, used_hours, BLOCKS_PER_HOUR};
use crate::msg::{
    ConfigMsg, ConfigShown, EscrowShown, Lot, OrderShown, PaidMsg, Released, Resource, Status,
    TokenMsg,
};
use crate::refusal::Refusal;
use crate::store::{self, Order};

/// Blocks of an order at most: 720 hours.
const LONGEST: u32 = 720 * BLOCKS_PER_HOUR as u32;
/// Orders that one question names at most.
const ASKED: usize = 100;
const LONGEST_ID: usize = 64;

type Answer = Result<Response, Refusal>;

pub fn configure(deps: DepsMut, msg: ConfigMsg) -> Result<(), Refusal> {
    let checked = ConfigMsg {
        token: deps.api.addr_validate(&msg.token)?.into_string(),
        operator: deps.api.addr_validate(&msg.operator)?.into_string(),
        treasury: deps.api.addr_validate(&msg.treasury)?.into_string(),
        capacity: msg.capacity,
    };
    Ok(store::save_config(deps.storage, &checked)?)
}

/// Who lengthens an order or puts a larger one in its place pays for each hour at least seven tenths of what the first ones cost. What was
/// bought since counts for nothing: each time a little less would soon be hours for nothing.
fn demand_paid(order: &Order, amount: Uint128, hours: u32) -> Result<(), Refusal> {
    match order.rate {
        Some(rate) if lots::is_too_cheap(&rate, amount, hours) => Err(Refusal::amount()),
        _ => Ok(()),
    }
}

fn refund_of(order: &Order, height: u64) -> Uint128 {
    lots::refund_of(&order.lots, used_hours(order.start_height, height))
}

/// The token says that somebody paid. Anybody can call this; only what the token says it moved counts.
pub fn receive(
    deps: DepsMut,
    height: u64,
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
    match paid {
        PaidMsg::CreateOrder {
            order_id,
            cpu,
            memory,
            disk,
            duration,
        } => create(
            deps.storage,
            height,
            payer,
            amount,
            order_id,
            resource(cpu, memory, disk),
            duration,
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
            height,
            payer,
            amount,
            (order_id, new_order_id),
            resource(cpu, memory, disk),
            duration,
        ),
        PaidMsg::ExtendOrder { order_id, duration } => {
            extend(deps.storage, height, payer, amount, order_id, duration)
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

fn resource(cpu: u32, memory: u32, disk: u32) -> Resource {
    Resource {
        cpu: cpu.into(),
        memory: memory.into(),
        disk: disk.into(),
    }
}

fn create(
    storage: &mut dyn Storage,
    height: u64,
    payer: Addr,
    amount: Uint128,
    order_id: String,
    resource: Resource,
    duration: u32,
) -> Answer {
    check(&resource, duration)?;
    check_id(&order_id, "order_id")?;
    if amount.is_zero() {
        return Err(Refusal::amount());
    }
    if store::order(storage, &order_id)?.is_some() {
        return Err(Refusal::exists());
    }
    let response = Response::new()
        .add_attribute("action", "create_order")
        .add_attribute("order_id", &order_id)
        .add_attribute("initiator", &payer)
        .add_attribute("amount", amount);
    begin(
        storage, height, payer, amount, order_id, resource, duration, None,
    )?;
    Ok(response)
}

fn update(
    storage: &mut dyn Storage,
    height: u64,
    payer: Addr,
    amount: Uint128,
    (order_id, new_order_id): (String, String),
    resource: Resource,
    duration: u32,
) -> Answer {
    check(&resource, duration)?;
    let mut order = active(storage, &order_id, Some(&payer), height)?;
    check_id(&new_order_id, "new_order_id")?;
    if store::order(storage, &new_order_id)?.is_some() {
        return Err(Refusal::exists());
    }
    let Resource { cpu, memory, disk } = order.resource;
    if resource.cpu < cpu || resource.memory < memory || resource.disk < disk {
        return Err(Refusal::smaller());
    }
    if duration < order.duration {
        return Err(Refusal::shortened());
    }
    demand_paid(&order, amount, hours_of(duration))?;
    let refund = refund_of(&order, height);
    let rate = order.rate;
    let payments = settle(storage, &mut order, refund)?;
    order.replaced_by = Some(new_order_id.clone());
    store::save_order(storage, &order)?;
    let response = Response::new()
        .add_attribute("action", "update_order")
        .add_attribute("order_id", order_id)
        .add_attribute("new_order_id", &new_order_id)
        .add_attribute("amount", amount)
        .add_attribute("refund", refund)
        .add_messages(payments);
    begin(
        storage,
        height,
        payer,
        amount,
        new_order_id,
        resource,
        duration,
        rate,
    )?;
    Ok(response)
}

fn extend(
    storage: &mut dyn Storage,
    height: u64,
    payer: Addr,
    amount: Uint128,
    order_id: String,
    duration: u32,
) -> Answer {
    // The operator may lengthen anybody's order, from an allowance of the payer: what it pays in goes back to the payer all the same.
    let owner = if payer.as_str() == store::config(storage)?.operator {
        None
    } else {
        Some(&payer)
    };
    let mut order = active(storage, &order_id, owner, height)?;
    if duration <= order.duration {
        return Err(Refusal::shortened());
    }
    if duration > LONGEST {
        return Err(Refusal::too_long());
    }
    let hours = hours_of(duration) - hours_of(order.duration);
    demand_paid(&order, amount, hours)?;
    let locked = store::escrow(storage)?.checked_add(amount)?;
    store::save_escrow(storage, locked)?;
    order.duration = duration;
    order.locked_funds = order.locked_funds.checked_add(amount)?;
    match order.lots.last_mut() {
        // No more than blocks of an hour that is paid for: what comes with them is paid for the last hours.
        Some(last) if hours == 0 => last.amount = last.amount.checked_add(amount)?,
        _ => order.lots.push(Lot { hours, amount }),
    }
    store::save_order(storage, &order)?;
    Ok(Response::new()
        .add_attribute("action", "extend_order")
        .add_attribute("order_id", order_id)
        .add_attribute("duration", duration.to_string())
        .add_attribute("amount", amount))
}

/// The operator ends an order. `whole`: nothing was delivered, so everything goes back.
pub fn release(deps: DepsMut, height: u64, caller: Addr, order_id: String, whole: bool) -> Answer {
    if caller.as_str() != store::config(deps.storage)?.operator {
        return Err(Refusal::unauthorized());
    }
    let mut order = store::order(deps.storage, &order_id)?.ok_or_else(Refusal::not_found)?;
    if order.released.is_some() || order.replaced_by.is_some() {
        return Err(Refusal::ended());
    }
    let refund = if whole {
        order.locked_funds
    } else {
        refund_of(&order, height)
    };
    let payments = settle(deps.storage, &mut order, refund)?;
    order.released = Some(Released { height, refund });
    store::save_order(deps.storage, &order)?;
    Ok(Response::new()
        .add_attribute("action", "release_order")
        .add_attribute("order_id", order_id)
        .add_attribute("refund", refund)
        .add_messages(payments))
}

fn check(resource: &Resource, duration: u32) -> Result<(), Refusal> {
    let Resource { cpu, memory, disk } = *resource;
    if cpu < 1 || memory < 1 || disk < 1 || u64::from(duration) < BLOCKS_PER_HOUR {
        return Err(Refusal::new(
            "Bad request: an order needs cpu, memory, disk and an hour at least",
        ));
    }
    if duration > LONGEST {
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

/// An order that still runs; of this owner, if one is named.
fn active(
    storage: &dyn Storage,
    id: &str,
    owner: Option<&Addr>,
    height: u64,
) -> Result<Order, Refusal> {
    let order = store::order(storage, id)?.ok_or_else(Refusal::not_found)?;
    if owner.is_some_and(|owner| order.initiator != owner.as_str()) {
        return Err(Refusal::unauthorized());
    }
    if !order.is_active(height) {
        return Err(Refusal::ended());
    }
    Ok(order)
}

/// Locks what came, and keeps the order. `rate`: of the order in whose place it comes.
#[allow(clippy::too_many_arguments)]
fn begin(
    storage: &mut dyn Storage,
    height: u64,
    payer: Addr,
    amount: Uint128,
    id: String,
    resource: Resource,
    duration: u32,
    rate: Option<Lot>,
) -> Result<(), Refusal> {
    take(storage, &resource)?;
    let locked = store::escrow(storage)?.checked_add(amount)?;
    store::save_escrow(storage, locked)?;
    let lot = Lot {
        hours: hours_of(duration),
        amount,
    };
    let order = Order {
        id,
        initiator: payer.into_string(),
        resource,
        start_height: height,
        duration,
        locked_funds: amount,
        lots: vec![lot],
        rate: Some(rate.map_or(lot, |rate| lots::dearer(rate, lot))),
        released: None,
        replaced_by: None,
    };
    Ok(store::save_order(storage, &order)?)
}

/// Ends an order's money: the used part to the treasury, the rest to who paid.
fn settle(
    storage: &mut dyn Storage,
    order: &mut Order,
    refund: Uint128,
) -> Result<Vec<CosmosMsg>, Refusal> {
    let ConfigMsg {
        token, treasury, ..
    } = store::config(storage)?;
    let locked = store::escrow(storage)?.checked_sub(order.locked_funds)?;
    store::save_escrow(storage, locked)?;
    give_back(storage, &order.resource)?;
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

fn give_back(storage: &mut dyn Storage, freed: &Resource) -> StdResult<()> {
    let held = store::held(storage)?;
    let next = Resource {
        cpu: held.cpu.saturating_sub(freed.cpu),
        memory: held.memory.saturating_sub(freed.memory),
        disk: held.disk.saturating_sub(freed.disk),
    };
    store::save_held(storage, &next)
}

/// Those of the named orders that there are.
pub fn list(deps: Deps, height: u64, ids: &[String]) -> StdResult<Vec<OrderShown>> {
    ids.iter()
        .take(ASKED)
        .filter_map(|id| store::order(deps.storage, id).transpose())
        .map(|order| {
            let order = order?;
            let status = if order.is_active(height) {
                Status::Active
            } else {
                Status::Expired
            };
            Ok(OrderShown {
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
            })
        })
        .collect()
}

pub fn settings(deps: Deps) -> StdResult<ConfigShown> {
    let ConfigMsg {
        token,
        operator,
        treasury,
        capacity,
    } = store::config(deps.storage)?;
    Ok(ConfigShown {
        token,
        operator,
        treasury,
        capacity,
        operator_extends: true,
    })
}

pub fn escrow(deps: Deps) -> StdResult<EscrowShown> {
    Ok(EscrowShown {
        locked: store::escrow(deps.storage)?,
    })
}
