//! The contract on a chain of its own: what is refused is undone, and what it tells the token to pay is paid.

use std::collections::BTreeMap;

use cosmwasm_std::testing::{mock_env, mock_info, MockApi, MockQuerier};
use cosmwasm_std::{
    from_json, to_json_vec, Addr, Binary, CosmosMsg, Env, Order, OwnedDeps, Record, Response,
    Storage, Timestamp, WasmMsg,
};
use serde_json::{json, Value};
use tidenet_orders::msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg};

#[derive(Default, Clone)]
pub struct Kept(BTreeMap<Vec<u8>, Vec<u8>>);

impl Storage for Kept {
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.0.get(key).cloned()
    }
    fn set(&mut self, key: &[u8], value: &[u8]) {
        self.0.insert(key.to_vec(), value.to_vec());
    }
    fn remove(&mut self, key: &[u8]) {
        self.0.remove(key);
    }
    fn range<'a>(
        &'a self,
        start: Option<&[u8]>,
        end: Option<&[u8]>,
        order: Order,
    ) -> Box<dyn Iterator<Item = Record> + 'a> {
        let start = start.unwrap_or_default().to_vec();
        let end = end.map(<[u8]>::to_vec);
        let found = self
            .0
            .range(start..)
            .take_while(move |(key, _)| end.as_ref().is_none_or(|end| *key < end))
            .map(|(key, value)| (key.clone(), value.clone()));
        match order {
            Order::Ascending => Box::new(found),
            Order::Descending => Box::new(found.collect::<Vec<_>>().into_iter().rev()),
        }
    }
}

pub struct World {
    deps: OwnedDeps<Kept, MockApi, MockQuerier>,
    pub height: u64,
}

pub fn world(config: Value) -> World {
    let mut world = World {
        deps: OwnedDeps {
            storage: Kept::default(),
            api: MockApi::default(),
            querier: MockQuerier::default(),
            custom_query_type: std::marker::PhantomData,
        },
        height: 1,
    };
    let msg: InstantiateMsg = from_json(to_json_vec(&config).unwrap()).unwrap();
    tidenet_orders::instantiate(
        world.deps.as_mut(),
        mock_env(),
        mock_info("maker", &[]),
        msg,
    )
    .unwrap();
    world
}

/// Blocks take six seconds.
fn env_at(height: u64) -> Env {
    let mut env = mock_env();
    env.block.height = height;
    env.block.time = Timestamp::from_seconds(height * 6);
    env.contract.address = Addr::unchecked("orders");
    env
}

impl World {
    /// What the contract answers, as the chain would hand it on: `{attributes, calls}`, or the words of a refusal.
    pub fn execute(&mut self, from: &str, message: &Value) -> Result<Value, String> {
        let before = self.deps.storage.clone();
        let outcome = self.try_execute(from, message);
        if outcome.is_err() {
            self.deps.storage = before;
        }
        outcome
    }

    fn try_execute(&mut self, from: &str, message: &Value) -> Result<Value, String> {
        let msg: ExecuteMsg =
            from_json(to_json_vec(message).unwrap()).map_err(|error| error.to_string())?;
        tidenet_orders::execute(
            self.deps.as_mut(),
            env_at(self.height),
            mock_info(from, &[]),
            msg,
        )
        .map(shown)
        .map_err(|refusal| refusal.to_string())
    }

    /// The token says that this payer sent an amount with an order.
    #[allow(dead_code)]
    pub fn pay(&mut self, payer: &str, amount: u128, order: Value) -> Result<Value, String> {
        let msg = Binary::from(order.to_string().into_bytes()).to_base64();
        self.execute(
            "token",
            &json!({ "receive": { "sender": payer, "amount": amount.to_string(), "msg": msg } }),
        )
    }

    /// As earlier code left it.
    #[allow(dead_code)]
    pub fn keep(&mut self, key: &str, value: &Value) {
        self.deps
            .storage
            .set(key.as_bytes(), &serde_json::to_vec(value).unwrap());
    }

    #[allow(dead_code)]
    pub fn migrate(&mut self) -> Result<(), String> {
        tidenet_orders::migrate(self.deps.as_mut(), env_at(self.height), MigrateMsg {})
            .map(|_| ())
            .map_err(|refusal| refusal.to_string())
    }

    #[allow(dead_code)]
    pub fn lose(&mut self, key: &str) {
        self.deps.storage.remove(key.as_bytes());
    }

    #[allow(dead_code)]
    pub fn ask(&self, question: &Value) -> Value {
        let msg: QueryMsg = from_json(to_json_vec(question).unwrap()).unwrap();
        let answer = tidenet_orders::query(self.deps.as_ref(), env_at(self.height), msg).unwrap();
        serde_json::from_slice(&answer).unwrap()
    }
}

fn shown(response: Response) -> Value {
    let attributes: serde_json::Map<String, Value> = response
        .attributes
        .into_iter()
        .map(|each| (each.key, each.value.into()))
        .collect();
    let calls: Vec<Value> = response
        .messages
        .into_iter()
        .map(|sub| match sub.msg {
            CosmosMsg::Wasm(WasmMsg::Execute {
                contract_addr,
                msg,
                funds,
            }) => {
                assert!(funds.is_empty());
                json!({ "contract": contract_addr, "message": serde_json::from_slice::<Value>(&msg).unwrap() })
            }
            other => panic!("not a call of a contract: {other:?}"),
        })
        .collect();
    json!({ "attributes": attributes, "calls": calls })
}
