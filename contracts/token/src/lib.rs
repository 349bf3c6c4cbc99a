//! cw20-base, with one difference: a symbol may contain digits, as TNT4 does.

use cosmwasm_std::{
    entry_point, Binary, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult,
};
use cw20_base::contract;
use cw20_base::msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg};
use cw20_base::state::TOKEN_INFO;
use cw20_base::ContractError;

#[entry_point]
pub fn instantiate(
    deps: DepsMut,
    env: Env,
    info: MessageInfo,
    mut msg: InstantiateMsg,
) -> Result<Response, ContractError> {
    let symbol = msg.symbol;
    // cw20-base checks the rest of it.
    msg.symbol = symbol.replace(|character: char| character.is_ascii_digit(), "X");
    let DepsMut {
        storage,
        api,
        querier,
    } = deps;
    let response = contract::instantiate(
        DepsMut {
            storage: &mut *storage,
            api,
            querier,
        },
        env,
        info,
        msg,
    )?;
    TOKEN_INFO.update(storage, |mut token| {
        token.symbol = symbol;
        Ok::<_, StdError>(token)
    })?;
    Ok(response)
}

#[entry_point]
pub fn execute(
    deps: DepsMut,
    env: Env,
    info: MessageInfo,
    msg: ExecuteMsg,
) -> Result<Response, ContractError> {
    contract::execute(deps, env, info, msg)
}

#[entry_point]
pub fn query(deps: Deps, env: Env, msg: QueryMsg) -> StdResult<Binary> {
    contract::query(deps, env, msg)
}

#[entry_point]
pub fn migrate(deps: DepsMut, env: Env, msg: MigrateMsg) -> Result<Response, ContractError> {
    contract::migrate(deps, env, msg)
}
