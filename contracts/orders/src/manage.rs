//! What the operator sets, and who the operator is.

use cosmwasm_std::{
    coins, to_json_binary, Addr, BankMsg, Deps, DepsMut, Response, StdResult, Storage, Uint128,
    WasmMsg,
};

use crate::msg::{BalanceShown, Floor, InstantiateMsg, Resource, TokenMsg, TokenQuery};
use crate::refusal::Refusal;
use crate::store::{self, Config, Migrated};
use crate::Block;

type Answer = Result<Response, Refusal>;

pub fn configure(deps: DepsMut, msg: InstantiateMsg) -> Result<(), Refusal> {
    let checked = Config {
        token: deps.api.addr_validate(&msg.token)?.into_string(),
        operator: deps.api.addr_validate(&msg.operator)?.into_string(),
        treasury: deps.api.addr_validate(&msg.treasury)?.into_string(),
        capacity: msg.capacity,
        floor: msg.floor,
        grace_hours: msg.grace_hours.unwrap_or_else(store::default_grace),
        next_operator: None,
    };
    Ok(store::save_config(deps.storage, &checked)?)
}

/// Remembers when this code came, so that orders that began at a height get a time: at six seconds a block.
pub fn take_over(storage: &mut dyn Storage, block: Block) -> StdResult<()> {
    store::config(storage)?;
    if store::migrated(storage)?.is_none() {
        let Block { height, time } = block;
        store::save_migrated(storage, &Migrated { height, time })?;
    }
    Ok(())
}

pub fn require_operator(storage: &dyn Storage, caller: &Addr) -> Result<Config, Refusal> {
    let config = store::config(storage)?;
    if caller.as_str() == config.operator {
        Ok(config)
    } else {
        Err(Refusal::unauthorized())
    }
}

pub fn update(
    deps: DepsMut,
    caller: Addr,
    treasury: Option<String>,
    capacity: Option<Resource>,
    floor: Option<Floor>,
) -> Answer {
    let mut config = require_operator(deps.storage, &caller)?;
    if let Some(treasury) = treasury {
        config.treasury = deps.api.addr_validate(&treasury)?.into_string();
    }
    config.capacity = capacity.or(config.capacity);
    config.floor = floor.or(config.floor);
    store::save_config(deps.storage, &config)?;
    Ok(Response::new().add_attribute("action", "update_config"))
}

/// Its successor has to accept: an address with a mistake cannot lock everybody out.
pub fn propose(deps: DepsMut, caller: Addr, operator: Option<String>) -> Answer {
    let mut config = require_operator(deps.storage, &caller)?;
    config.next_operator = operator
        .map(|next| deps.api.addr_validate(&next).map(Addr::into_string))
        .transpose()?;
    store::save_config(deps.storage, &config)?;
    Ok(Response::new().add_attribute("action", "propose_operator"))
}

pub fn accept(deps: DepsMut, caller: Addr) -> Answer {
    let mut config = store::config(deps.storage)?;
    if config.next_operator.as_deref() != Some(caller.as_str()) {
        return Err(Refusal::unauthorized());
    }
    config.operator = caller.into_string();
    config.next_operator = None;
    store::save_config(deps.storage, &config)?;
    Ok(Response::new()
        .add_attribute("action", "accept_operator")
        .add_attribute("operator", config.operator))
}

/// Sends to the treasury what is here and not locked.
pub fn recover(
    deps: Deps,
    caller: Addr,
    own: Addr,
    token: Option<String>,
    denom: Option<String>,
) -> Answer {
    let config = require_operator(deps.storage, &caller)?;
    let mut response = Response::new().add_attribute("action", "recover");
    if let Some(token) = token {
        let token = deps.api.addr_validate(&token)?.into_string();
        let address = own.to_string();
        let BalanceShown { balance } = deps
            .querier
            .query_wasm_smart(&token, &TokenQuery::Balance { address })?;
        let locked = if token == config.token {
            store::escrow(deps.storage)?
        } else {
            Uint128::zero()
        };
        let amount = balance.saturating_sub(locked);
        if !amount.is_zero() {
            response = response.add_message(WasmMsg::Execute {
                contract_addr: token,
                msg: to_json_binary(&TokenMsg::Transfer {
                    recipient: config.treasury.clone(),
                    amount,
                })?,
                funds: vec![],
            });
        }
    }
    if let Some(denom) = denom {
        let held = deps.querier.query_balance(own, denom)?;
        if !held.amount.is_zero() {
            response = response.add_message(BankMsg::Send {
                to_address: config.treasury,
                amount: coins(held.amount.u128(), held.denom),
            });
        }
    }
    Ok(response)
}
