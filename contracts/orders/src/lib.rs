//! Keeps what was paid for orders, until it is earned or goes back. Money comes by `send` of the token, with an order in the
//! message; it leaves when the operator ends an order: what was used, in whole hours, to the treasury, the rest to the payer.
//!
//! The development chain runs it, too: `npm run contracts` builds its wasm.

pub mod lots;
pub mod msg;
mod orders;
mod refusal;
mod store;

#[cfg(not(feature = "library"))]
use cosmwasm_std::entry_point;
use cosmwasm_std::{to_json_binary, Binary, Deps, DepsMut, Env, MessageInfo, Response, StdResult};

use crate::msg::{ConfigMsg, ExecuteMsg, MigrateMsg, QueryMsg};
pub use crate::refusal::Refusal;

#[cfg_attr(not(feature = "library"), entry_point)]
pub fn instantiate(
    deps: DepsMut,
    _env: Env,
    _info: MessageInfo,
    msg: ConfigMsg,
) -> Result<Response, Refusal> {
    orders::configure(deps, msg)?;
    Ok(Response::new())
}

/// Refused where no orders are kept.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn migrate(deps: DepsMut, _env: Env, _msg: MigrateMsg) -> Result<Response, Refusal> {
    orders::settings(deps.as_ref())?;
    Ok(Response::new())
}

#[cfg_attr(not(feature = "library"), entry_point)]
pub fn execute(
    deps: DepsMut,
    env: Env,
    info: MessageInfo,
    msg: ExecuteMsg,
) -> Result<Response, Refusal> {
    match msg {
        ExecuteMsg::Receive {
            sender,
            amount,
            msg,
        } => orders::receive(deps, env.block.height, info.sender, sender, amount, msg),
        ExecuteMsg::ReleaseOrder { order_id, whole } => orders::release(
            deps,
            env.block.height,
            info.sender,
            order_id,
            whole.unwrap_or(false),
        ),
    }
}

#[cfg_attr(not(feature = "library"), entry_point)]
pub fn query(deps: Deps, env: Env, msg: QueryMsg) -> StdResult<Binary> {
    match msg {
        QueryMsg::Orders { order_ids } => {
            to_json_binary(&orders::list(deps, env.block.height, &order_ids)?)
        }
        QueryMsg::Config {} => to_json_binary(&orders::settings(deps)?),
        QueryMsg::Escrow {} => to_json_binary(&orders::escrow(deps)?),
    }
}
