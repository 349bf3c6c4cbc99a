//! The contract on a chain of its own: what is refused is undone, and what it tells the token to pay is paid.

use std::collections::BTreeMap;

use cosmwasm_std::testing::{mock_env, mock_info, MockApi, MockQuerier};
use cosmwasm_std::{
    from_json, to_json_vec, Addr, BankMsg, Binary, Coin, ContractResult, CosmosMsg, Env, Order,
    OwnedDeps, Record, Response, Storage, SystemResult, Timestamp, WasmMsg, WasmQuery,
};
use serde_json::{json, Value};
use tidenet_orders::msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg};

#[derive(Default)]
pub struct Kept {
    entries: BTreeMap<Vec<u8>, Vec<u8>>,
    /// What the last message has changed, as it was before.
    changed: Vec<(Vec<u8>, Option<Vec<u8>>)>,
}

impl Storage for Kept {
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.entries.get(key).cloned()
    }
    fn set(&mut self, key: &[u8], value: &[u8]) {
        let before = self.entries.insert(key.to_vec(), value.to_vec());
        self.changed.push((key.to_vec(), before));
    }
    fn remove(&mut self, key: &[u8]) {
        let before = self.entries.remove(key);
        self.changed.push((key.to_vec(), before));
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
            .entries
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
    /// Seconds that the clock is ahead of blocks of six.
    pub ahead: u64,
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
        ahead: 0,
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

impl World {
    /// Unix seconds. Blocks take six, unless the clock was put ahead.
    pub fn now(&self) -> u64 {
        self.height * 6 + self.ahead
    }

    fn env(&self) -> Env {
        let mut env = mock_env();
        env.block.height = self.height;
        env.block.time = Timestamp::from_seconds(self.now());
        env.contract.address = Addr::unchecked("orders");
        env
    }

    /// What the contract answers, as the chain would hand it on: `{attributes, calls}`, or the words of a refusal.
    pub fn execute(&mut self, from: &str, message: &Value) -> Result<Value, String> {
        self.execute_with(from, message, &[])
    }

    pub fn execute_with(
        &mut self,
        from: &str,
        message: &Value,
        coins: &[Coin],
    ) -> Result<Value, String> {
        self.deps.storage.changed.clear();
        let outcome = self.try_execute(from, message, coins);
        if outcome.is_err() {
            self.undo();
        }
        outcome
    }

    /// What the last message did: it failed later on.
    pub fn undo(&mut self) {
        let Kept { entries, changed } = &mut self.deps.storage;
        for (key, before) in changed.drain(..).rev() {
            match before {
                Some(value) => entries.insert(key, value),
                None => entries.remove(&key),
            };
        }
    }

    /// Puts tokens and coins where the contract finds its own.
    #[allow(dead_code)]
    pub fn hold(&mut self, tokens: BTreeMap<String, u128>, held: &[Coin]) {
        self.deps.querier.update_balance("orders", held.to_vec());
        self.deps.querier.update_wasm(move |query| {
            let WasmQuery::Smart { contract_addr, .. } = query else {
                panic!("not a question to a token: {query:?}")
            };
            let balance = tokens.get(contract_addr).copied().unwrap_or_default();
            let answer = json!({ "balance": balance.to_string() });
            SystemResult::Ok(ContractResult::Ok(answer.to_string().into_bytes().into()))
        });
    }

    fn try_execute(
        &mut self,
        from: &str,
        message: &Value,
        coins: &[Coin],
    ) -> Result<Value, String> {
        let msg: ExecuteMsg =
            from_json(to_json_vec(message).unwrap()).map_err(|error| error.to_string())?;
        let env = self.env();
        tidenet_orders::execute(self.deps.as_mut(), env, mock_info(from, coins), msg)
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
        let env = self.env();
        tidenet_orders::migrate(self.deps.as_mut(), env, MigrateMsg {})
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
        let answer = tidenet_orders::query(self.deps.as_ref(), self.env(), msg).unwrap();
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
            CosmosMsg::Bank(BankMsg::Send { to_address, amount }) => {
                json!({ "to": to_address, "coins": amount })
            }
            other => panic!("neither a call nor coins: {other:?}"),
        })
        .collect();
    json!({ "attributes": attributes, "calls": calls })
}
