//! What the contract remembers, as JSON under readable keys.

use cosmwasm_std::{
    from_json, to_json_vec, Order as Sorting, StdError, StdResult, Storage, Uint128,
};
use serde::{de::DeserializeOwned, Deserialize, Serialize};

use crate::lots::{hours_of, seconds_of};
use crate::msg::{Floor, Lot, Released, Resource};

const CONFIG: &[u8] = b"config";
const HELD: &[u8] = b"held";
const ESCROW: &[u8] = b"escrow";
const MIGRATED: &[u8] = b"migrated";
/// Orders of one id that are listed.
pub const LISTED: usize = 10;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub token: String,
    pub operator: String,
    pub treasury: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<Resource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor: Option<Floor>,
    #[serde(default = "default_grace")]
    pub grace_hours: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_operator: Option<String>,
}

pub fn default_grace() -> u32 {
    720
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub id: String,
    pub initiator: String,
    pub resource: Resource,
    pub start_height: u64,
    /// Unix seconds; absent from orders of code that counted blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_time: Option<u64>,
    /// Blocks of six seconds from its start.
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
    /// As earlier code left it: it holds capacity, but is not listed by its end.
    #[serde(skip)]
    pub is_former: bool,
}

impl Order {
    pub fn has_ended(&self) -> bool {
        self.released.is_some() || self.replaced_by.is_some()
    }
    pub fn start(&self) -> u64 {
        self.start_time.unwrap_or_default()
    }
    /// Unix seconds.
    pub fn end(&self) -> u64 {
        self.start()
            .saturating_add(seconds_of(u64::from(self.duration)))
    }
    pub fn is_active(&self, now: u64) -> bool {
        !self.has_ended() && now < self.end()
    }
}

/// When this code came in the place of one that counted blocks.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migrated {
    pub height: u64,
    /// Unix seconds.
    pub time: u64,
}

fn read<T: DeserializeOwned>(storage: &dyn Storage, key: &[u8]) -> StdResult<Option<T>> {
    storage.get(key).map(from_json).transpose()
}

fn write<T: Serialize + ?Sized>(storage: &mut dyn Storage, key: &[u8], value: &T) -> StdResult<()> {
    storage.set(key, &to_json_vec(value)?);
    Ok(())
}

pub fn config(storage: &dyn Storage) -> StdResult<Config> {
    read(storage, CONFIG)?.ok_or_else(|| StdError::not_found("config"))
}

pub fn save_config(storage: &mut dyn Storage, config: &Config) -> StdResult<()> {
    write(storage, CONFIG, config)
}

pub fn migrated(storage: &dyn Storage) -> StdResult<Option<Migrated>> {
    read(storage, MIGRATED)
}

pub fn save_migrated(storage: &mut dyn Storage, migrated: &Migrated) -> StdResult<()> {
    write(storage, MIGRATED, migrated)
}

/// Neither payers nor ids contain a slash.
fn key_of(payer: &str, id: &str) -> Vec<u8> {
    format!("o/{payer}/{id}").into_bytes()
}

/// Of code that had one order of each id.
fn former_key(id: &str) -> Vec<u8> {
    format!("order/{id}").into_bytes()
}

pub fn order(storage: &dyn Storage, payer: &str, id: &str) -> StdResult<Option<Order>> {
    match read(storage, &key_of(payer, id))? {
        Some(order) => Ok(Some(order)),
        None => Ok(former_order(storage, id)?.filter(|order| order.initiator == payer)),
    }
}

fn former_order(storage: &dyn Storage, id: &str) -> StdResult<Option<Order>> {
    let Some(mut order) = read::<Order>(storage, &former_key(id))? else {
        return Ok(None);
    };
    // Orders of code that kept no lots: what was paid for them counts as paid at once.
    if order.lots.is_empty() && !order.locked_funds.is_zero() {
        order.lots = vec![Lot {
            hours: hours_of(order.duration),
            amount: order.locked_funds,
        }];
    }
    order.is_former = true;
    order.rate = order.rate.or_else(|| order.lots.first().copied());
    if let Some(Migrated { height, time }) = migrated(storage)? {
        let age = seconds_of(height.saturating_sub(order.start_height));
        order.start_time = Some(time.saturating_sub(age));
    }
    Ok(Some(order))
}

/// The first orders of this id, oldest first.
pub fn orders_of(storage: &dyn Storage, id: &str, limit: usize) -> StdResult<Vec<Order>> {
    let (start, end) = (format!("id/{id}/"), format!("id/{id}0"));
    let named = storage
        .range(
            Some(start.as_bytes()),
            Some(end.as_bytes()),
            Sorting::Ascending,
        )
        .take(limit)
        .filter_map(|(_, payer)| {
            from_json::<String>(payer)
                .and_then(|payer| order(storage, &payer, id))
                .transpose()
        });
    // One that was changed since it was taken over is found by its key.
    let former = read::<Order>(storage, &former_key(id))?
        .map(|former| order(storage, &former.initiator, id))
        .transpose()?
        .flatten();
    former
        .map(Ok)
        .into_iter()
        .chain(named)
        .take(limit)
        .collect()
}

/// Stores a new order, which is then listed after the others of its id.
pub fn add_order(storage: &mut dyn Storage, order: &Order) -> StdResult<()> {
    let Order {
        id,
        initiator,
        start_height,
        ..
    } = order;
    let index = format!("id/{id}/{start_height:020}/{initiator}");
    write(storage, index.as_bytes(), initiator)?;
    save_order(storage, order)
}

pub fn save_order(storage: &mut dyn Storage, order: &Order) -> StdResult<()> {
    write(storage, &key_of(&order.initiator, &order.id), order)
}

fn end_key(order: &Order) -> Vec<u8> {
    let Order { id, initiator, .. } = order;
    format!("end/{:020}/{initiator}/{id}", order.end()).into_bytes()
}

/// Lists what an order holds, by its end. Whoever gives that back does not read the order, whose size is up to its payer.
pub fn add_end(storage: &mut dyn Storage, order: &Order) -> StdResult<()> {
    write(storage, &end_key(order), &order.resource)
}

/// @returns whether it was listed
pub fn remove_end(storage: &mut dyn Storage, order: &Order) -> bool {
    let key = end_key(order);
    let is_listed = storage.get(&key).is_some();
    storage.remove(&key);
    is_listed
}

/// Takes orders whose time is over off the list. @returns what each of them held
pub fn remove_over(storage: &mut dyn Storage, now: u64, limit: usize) -> StdResult<Vec<Resource>> {
    let end = format!("end/{:020}", now.saturating_add(1));
    let over: Vec<_> = storage
        .range(Some(b"end/"), Some(end.as_bytes()), Sorting::Ascending)
        .take(limit)
        .collect();
    over.into_iter()
        .map(|(key, held)| {
            storage.remove(&key);
            from_json(&held).or_else(|_| held_by(storage, &held))
        })
        .collect()
}

/// Earlier code listed the payer and the id.
fn held_by(storage: &dyn Storage, listed: &[u8]) -> StdResult<Resource> {
    let (payer, id): (String, String) = from_json(listed)?;
    Ok(order(storage, &payer, &id)?
        .map(|order| order.resource)
        .unwrap_or_default())
}

/// What all orders together hold.
pub fn held(storage: &dyn Storage) -> StdResult<Resource> {
    Ok(read(storage, HELD)?.unwrap_or_default())
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
