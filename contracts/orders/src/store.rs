//! What the contract remembers, as JSON under readable keys.

use cosmwasm_std::{from_json, to_json_vec, StdError, StdResult, Storage, Uint128};
use serde::{de::DeserializeOwned, Deserialize, Serialize};

use crate::lots::hours_of;
use crate::msg::{ConfigMsg, Lot, Released, Resource};

const CONFIG: &[u8] = b"config";
const HELD: &[u8] = b"held";
const ESCROW: &[u8] = b"escrow";

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub id: String,
    pub initiator: String,
    pub resource: Resource,
    pub start_height: u64,
    /// Blocks from its start.
    pub duration: u32,
    /// What `lots` come to; nothing once it has ended.
    pub locked_funds: Uint128,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lots: Vec<Lot>,
    /// What its first hours were bought for, or those of an order in whose place it came, if they were dearer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Lot>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<Released>,
    /// The order that took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<String>,
}

impl Order {
    pub fn is_active(&self, height: u64) -> bool {
        self.released.is_none()
            && self.replaced_by.is_none()
            && height < self.start_height.saturating_add(u64::from(self.duration))
    }
}

fn read<T: DeserializeOwned>(storage: &dyn Storage, key: &[u8]) -> StdResult<Option<T>> {
    storage.get(key).map(from_json).transpose()
}

fn write<T: Serialize + ?Sized>(storage: &mut dyn Storage, key: &[u8], value: &T) -> StdResult<()> {
    storage.set(key, &to_json_vec(value)?);
    Ok(())
}

pub fn config(storage: &dyn Storage) -> StdResult<ConfigMsg> {
    read(storage, CONFIG)?.ok_or_else(|| StdError::not_found("config"))
}

pub fn save_config(storage: &mut dyn Storage, config: &ConfigMsg) -> StdResult<()> {
    write(storage, CONFIG, config)
}

fn order_key(id: &str) -> Vec<u8> {
    [b"order/", id.as_bytes()].concat()
}

pub fn order(storage: &dyn Storage, id: &str) -> StdResult<Option<Order>> {
    Ok(read(storage, &order_key(id))?.map(with_lots))
}

/// Orders of code that kept no lots: what was paid for them counts as paid at once.
fn with_lots(mut order: Order) -> Order {
    if order.lots.is_empty() && !order.locked_funds.is_zero() {
        order.lots = vec![Lot {
            hours: hours_of(order.duration),
            amount: order.locked_funds,
        }];
    }
    order.rate = order.rate.or_else(|| order.lots.first().copied());
    order
}

pub fn save_order(storage: &mut dyn Storage, order: &Order) -> StdResult<()> {
    write(storage, &order_key(&order.id), order)
}

/// What all orders together hold.
pub fn held(storage: &dyn Storage) -> StdResult<Resource> {
    Ok(read(storage, HELD)?.unwrap_or(Resource {
        cpu: 0,
        memory: 0,
        disk: 0,
    }))
}

pub fn save_held(storage: &mut dyn Storage, held: &Resource) -> StdResult<()> {
    write(storage, HELD, held)
}

/// What all orders together have locked.
pub fn escrow(storage: &dyn Storage) -> StdResult<Uint128> {
    Ok(read(storage, ESCROW)?.unwrap_or_default())
}

pub fn save_escrow(storage: &mut dyn Storage, locked: Uint128) -> StdResult<()> {
    write(storage, ESCROW, &locked)
}
