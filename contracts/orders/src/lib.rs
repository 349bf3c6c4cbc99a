//! Keeps what was paid for orders, until it is earned or goes back. Money comes by `send` of the token, with an order in the
//! message; it leaves when an order ends: what was used, in whole hours, to the treasury, the rest to the payer.
//!
//! The development chain runs it, too: `npm run contracts` builds its wasm.

mod buy;
mod end;
pub mod lots;
mod manage;
pub mod msg;
mod refusal;
mod show;
mod store;

#[cfg(not(feature = "library"))]
use cosmwasm_std::entry_point;
use cosmwasm_std::{to_json_binary, Binary, Deps, DepsMut, Env, MessageInfo, Response, StdResult};

use crate::msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg};
pub use crate::refusal::Refusal;

/// The block that a message is executed in.
#[derive(Clone, Copy)]
struct Block {
    height: u64,
    /// Unix seconds.
    time: u64,
}

impl From<&Env> for Block {
    fn from(env: &Env) -> Self {
        Block {
            height: env.block.height,
            time: env.block.time.seconds(),
        }
    }
}

#[cfg_attr(not(feature = "library"), entry_point)]
pub fn instantiate(
    deps: DepsMut,
    _env: Env,
    info: MessageInfo,
    msg: InstantiateMsg,
) -> Result<Response, Refusal> {
    without_coins(&info)?;
    manage::configure(deps, msg)?;
    Ok(Response::new())
}

/// Takes over the orders of earlier code. Refused where no orders are kept.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn migrate(deps: DepsMut, env: Env, _msg: MigrateMsg) -> Result<Response, Refusal> {
    manage::take_over(deps.storage, Block::from(&env))?;
    Ok(Response::new())
}

#[cfg_attr(not(feature = "library"), entry_point)]
pub fn execute(
    deps: DepsMut,
    env: Env,
    info: MessageInfo,
    msg: ExecuteMsg,
) -> Result<Response, Refusal> {
    without_coins(&info)?;
    let block = Block::from(&env);
    let caller = info.sender;
    match msg {
        ExecuteMsg::Receive {
            sender,
            amount,
            msg,
        } => buy::receive(deps, block, caller, sender, amount, msg),
        ExecuteMsg::ReleaseOrder {
            order_id,
            payer,
            whole,
        } => end::release(
            deps.storage,
            block,
            caller,
            order_id,
            payer,
            whole.unwrap_or(false),
        ),
        ExecuteMsg::RenewOrder {
            order_id,
            payer,
            duration,
            amount,
        } => buy::renew(
            deps.storage,
            block,
            caller,
            env.contract.address,
            (payer, order_id),
            duration,
            amount,
        ),
        ExecuteMsg::FreeExpired { limit } => end::free_expired(deps.storage, block, limit),
        ExecuteMsg::UpdateConfig {
            treasury,
            capacity,
            floor,
        } => manage::update(deps, caller, treasury, capacity, floor),
        ExecuteMsg::ProposeOperator { operator } => manage::propose(deps, caller, operator),
        ExecuteMsg::AcceptOperator {} => manage::accept(deps, caller),
        ExecuteMsg::Recover { token, denom } => {
            manage::recover(deps.as_ref(), caller, env.contract.address, token, denom)
        }
    }
}

/// Orders are paid with the token. Coins that come along with a message are a mistake.
fn without_coins(info: &MessageInfo) -> Result<(), Refusal> {
    if info.funds.is_empty() {
        Ok(())
    } else {
        Err(Refusal::new("Bad request: orders are paid with the token"))
    }
}

#[cfg_attr(not(feature = "library"), entry_point)]
pub fn query(deps: Deps, env: Env, msg: QueryMsg) -> StdResult<Binary> {
    let block = Block::from(&env);
    match msg {
        QueryMsg::Orders { order_ids } => {
            to_json_binary(&show::orders(deps.storage, block, &order_ids)?)
        }
        QueryMsg::OrdersByKey { keys } => {
            to_json_binary(&show::orders_by_key(deps.storage, block, &keys)?)
        }
        QueryMsg::Config {} => to_json_binary(&show::config(deps.storage)?),
        QueryMsg::Escrow {} => to_json_binary(&show::escrow(deps.storage)?),
    }
}
