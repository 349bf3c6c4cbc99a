//! What goes in and out. Names are taken as the portal writes them and as Rust does; a missing, wrong or unknown field is refused.

use cosmwasm_std::{Binary, Uint128};
use serde::{Deserialize, Serialize};

/// Cores, and gigabytes.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Resource {
    pub cpu: u64,
    pub memory: u64,
    pub disk: u64,
}

/// At instantiation.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct ConfigMsg {
    /// The cw20 token that orders are paid with.
    pub token: String,
    /// Who ends orders.
    pub operator: String,
    /// Who earns what was used.
    pub treasury: String,
    /// What all orders together may hold; without it there is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<Resource>,
}

/// As `config` answers.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct ConfigShown {
    pub token: String,
    pub operator: String,
    pub treasury: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<Resource>,
    /// Whether the operator may lengthen anybody's order from an allowance.
    pub operator_extends: bool,
}

/// With new code in the place of the old: what is stored stays as it is.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct MigrateMsg {}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ExecuteMsg {
    /// From the token: `sender` has sent an amount, for the order in `msg`.
    Receive {
        sender: String,
        amount: Uint128,
        msg: Binary,
    },
    /// From the operator: ends an order. `whole`: nothing was delivered, so everything goes back.
    ReleaseOrder {
        order_id: String,
        whole: Option<bool>,
    },
}

/// What may come with money. Durations are blocks from an order's start, in total.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PaidMsg {
    #[serde(alias = "CreateOrder")]
    CreateOrder {
        order_id: String,
        cpu: u32,
        memory: u32,
        disk: u32,
        duration: u32,
    },
    /// Puts a new order in the place of one that runs; what that one has not used goes back.
    #[serde(alias = "UpdateOrder")]
    UpdateOrder {
        order_id: String,
        new_order_id: String,
        cpu: u32,
        memory: u32,
        disk: u32,
        duration: u32,
    },
    #[serde(alias = "ExtendOrder")]
    ExtendOrder { order_id: String, duration: u32 },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum QueryMsg {
    /// Those of the first hundred that there are.
    Orders {
        #[serde(default)]
        order_ids: Vec<String>,
    },
    Config {},
    /// What all orders together have locked.
    Escrow {},
}

#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Active,
    Expired,
}

/// Hours that were bought together, and what was paid for them.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lot {
    pub hours: u32,
    pub amount: Uint128,
}

/// An order as `orders` answers.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct OrderShown {
    pub id: String,
    pub initiator: String,
    pub resource: Resource,
    pub start_height: u64,
    pub duration: u32,
    /// A number and no text, as clients of the orders contract expect it; above 2^64 - 1 it stays there.
    pub locked_funds: u64,
    /// The same, exact.
    pub locked: Uint128,
    /// One after the other from its start; none once it has ended.
    pub lots: Vec<Lot>,
    pub status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<Released>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<String>,
}

/// Ended by the operator: at this height, with so much given back.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct Released {
    pub height: u64,
    pub refund: Uint128,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct EscrowShown {
    pub locked: Uint128,
}

/// What the token is asked to do.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum TokenMsg {
    Transfer { recipient: String, amount: Uint128 },
}
