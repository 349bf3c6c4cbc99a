//! What goes in and out. Names are taken as the portal writes them and as Rust does; a missing, wrong or unknown field is refused.

use cosmwasm_std::{Binary, Uint128};
use serde::{Deserialize, Serialize};

/// Cores, and gigabytes.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Resource {
    pub cpu: u64,
    pub memory: u64,
    pub disk: u64,
}

/// The least that an hour costs: for each core and each gigabyte, in millionths of the token's smallest unit.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Floor {
    pub cpu: Uint128,
    pub memory: Uint128,
    pub disk: Uint128,
}

/// At instantiation.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct InstantiateMsg {
    /// The cw20 token that orders are paid with.
    pub token: String,
    /// Who ends orders.
    pub operator: String,
    /// Who earns what was used.
    pub treasury: String,
    /// What all orders together may hold; without it there is no limit.
    pub capacity: Option<Resource>,
    /// Without it, any amount above zero buys an order.
    pub floor: Option<Floor>,
    /// Hours after an order's end in which only the operator may settle it; 720 if absent.
    pub grace_hours: Option<u32>,
}

/// As `config` answers.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct ConfigShown {
    pub version: u32,
    pub token: String,
    pub operator: String,
    pub treasury: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<Resource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<Floor>,
    pub grace_hours: u32,
    /// Who becomes the operator by accepting it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_operator: Option<String>,
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
    /// Ends an order. From the operator, at any time; `whole`: nothing was delivered, so everything goes back. From its payer, once its
    /// end and the grace period have passed: then everything that is still locked goes back.
    ReleaseOrder {
        order_id: String,
        /// Whose order. The operator may leave it out where only one order of this id has not ended, and at most ten have ever had it.
        payer: Option<String>,
        whole: Option<bool>,
    },
    /// From the operator: lengthens an order from the allowance that its payer has granted to this contract.
    RenewOrder {
        order_id: String,
        payer: String,
        duration: u32,
        amount: Uint128,
    },
    /// From anybody: gives back the capacity of orders whose time is over. Their money stays locked until they are released.
    FreeExpired { limit: Option<u32> },
    /// From the operator. What is left out stays as it is.
    UpdateConfig {
        treasury: Option<String>,
        capacity: Option<Resource>,
        floor: Option<Floor>,
    },
    /// From the operator: names its successor; without one, none.
    ProposeOperator { operator: Option<String> },
    /// From the successor.
    AcceptOperator {},
    /// From the operator: sends to the treasury what came here without an order, as a plain transfer. Never what is locked.
    Recover {
        /// A cw20 token.
        token: Option<String>,
        /// A coin of the chain.
        denom: Option<String>,
    },
}

/// What may come with money. Durations are blocks of six seconds from an order's start, in total; 600 are an hour.
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

/// An order's key: the same id of another payer is another order.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Key {
    pub payer: String,
    pub order_id: String,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum QueryMsg {
    /// Those of the first hundred ids that there are. Of an id that several payers have used: the first ten, oldest first.
    Orders {
        #[serde(default)]
        order_ids: Vec<String>,
    },
    /// Those of the first hundred keys that there are.
    OrdersByKey {
        keys: Vec<Key>,
    },
    Config {},
    /// What all orders together have locked, and the resources that they hold.
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
    /// Unix seconds. Hours count from here.
    pub start_time: u64,
    pub duration: u32,
    /// A number and no text, as clients of the orders contract expect it; above 2^64 - 1 it stays there.
    pub locked_funds: u64,
    /// The same, exact.
    pub locked: Uint128,
    /// One after the other from its start, each at another price per hour than the one before, at most fifty. None once it has ended.
    pub lots: Vec<Lot>,
    pub status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<Released>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<String>,
}

/// Ended at this height, with so much given back.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct Released {
    pub height: u64,
    pub refund: Uint128,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct EscrowShown {
    pub locked: Uint128,
    pub held: Resource,
}

/// What the token is asked to do.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum TokenMsg {
    Transfer {
        recipient: String,
        amount: Uint128,
    },
    TransferFrom {
        owner: String,
        recipient: String,
        amount: Uint128,
    },
}

/// What the token is asked.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum TokenQuery {
    Balance { address: String },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct BalanceShown {
    pub balance: Uint128,
}
