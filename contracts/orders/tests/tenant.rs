//! Tenants and strangers do whatever the contract lets them, for as little as it takes, while the operator changes its key. A model that
//! knows only the README says which calls are accepted and who gets what.

mod model;
mod world;

use std::collections::BTreeMap;

use cosmwasm_std::{coins, Binary};
use model::{hours_of, Key, Model, Paid, Size, HOUR};
use serde_json::{json, Value};
use world::{world, World};

const TENANTS: [&str; 3] = ["alice", "bob", "mallory"];
const OPERATORS: [&str; 2] = ["operator", "next"];
/// Tokens have 18 decimals: amounts are beyond 64 bits.
const TOKEN: u128 = 1_000_000_000_000_000_000;
const WEALTH: u128 = TOKEN * 1_000_000_000_000;
const STEPS: u64 = 4_000;

/// Of each call, how often it is accepted and refused at least.
const LEAST: [(&str, u32, u32); 17] = [
    ("create", 200, 200),
    ("create with an id that others use", 50, 20),
    ("extend", 200, 200),
    ("extend to 720 hours", 5, 20),
    ("update", 50, 100),
    ("release", 100, 5),
    ("release whole", 100, 5),
    ("release by a stranger", 0, 100),
    ("release by its payer", 20, 100),
    ("renew", 50, 100),
    ("free_expired", 100, 0),
    ("propose_operator", 20, 20),
    ("accept_operator", 10, 50),
    ("recover", 50, 50),
    ("update_config", 20, 20),
    ("receive from another token", 0, 50),
    ("anything with coins", 0, 50),
];

struct Game {
    world: World,
    model: Model,
    /// Of tokens, by token and owner.
    balances: BTreeMap<(String, String), u128>,
    /// Coins of the chain that were sent to the contract.
    coins: u128,
    /// To the contract, by owner.
    allowances: BTreeMap<String, u128>,
    told: BTreeMap<&'static str, [u32; 2]>,
    seed: u64,
    step: u64,
}

fn has(token: &str, owner: &str) -> (String, String) {
    (token.to_owned(), owner.to_owned())
}

impl Game {
    fn new(seed: u64) -> Self {
        let size = [24, 45, 500];
        let floor = [TOKEN * 100_000, TOKEN * 50_000, TOKEN * 1000 + 1];
        let [cpu, memory, disk] = size;
        let world = world(json!({
            "token": "token", "operator": "operator", "treasury": "treasury", "grace_hours": 5,
            "capacity": { "cpu": cpu, "memory": memory, "disk": disk }, "floor": floor_of(floor),
        }));
        let mut balances = BTreeMap::new();
        for owner in TENANTS {
            balances.insert(has("token", owner), WEALTH);
            balances.insert(has("other", owner), WEALTH);
        }
        Game {
            world,
            model: Model::new("operator", size, floor, 5),
            balances,
            coins: 0,
            allowances: BTreeMap::new(),
            told: BTreeMap::new(),
            seed,
            step: 0,
        }
    }

    fn roll(&mut self, below: u64) -> u64 {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) % below
    }
    fn one_of<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.roll(list.len() as u64) as usize].clone()
    }
    fn anybody(&mut self) -> String {
        let everybody = [&TENANTS[..], &OPERATORS, &["treasury", "token", "orders"]].concat();
        self.one_of(&everybody).to_owned()
    }
    fn anybody_or_operator(&mut self) -> String {
        if self.roll(3) == 0 {
            self.anybody()
        } else {
            self.model.operator.clone()
        }
    }
    /// Mostly one that runs, or whose time is over; rarely one that has ended.
    fn any_order(&mut self) -> Option<Key> {
        let (kind, now) = (self.roll(12), self.model.now);
        let orders = self.model.orders.iter();
        let found = orders.filter(|(_, order)| match kind {
            0 => true,
            1..4 => order.is_open,
            _ => order.runs(now),
        });
        let keys: Vec<Key> = found.map(|(key, _)| key.clone()).collect();
        (!keys.is_empty()).then(|| self.one_of(&keys))
    }
    fn new_id(&mut self) -> String {
        format!("o{}", self.step / 30 + self.roll(12))
    }
    /// The least that is accepted, or less, or up to four times as much.
    fn around(&mut self, least: u128) -> u128 {
        let more = least / 100 * u128::from(self.roll(300));
        match self.roll(8) {
            0 => least.saturating_sub(1),
            1 => least / 4 * 3,
            2 | 3 => least + more,
            _ => least,
        }
    }

    fn tell(&mut self, call: &'static str, is_accepted: bool) {
        self.told.entry(call).or_default()[usize::from(!is_accepted)] += 1;
    }

    /// Sends it, and moves what the contract tells the tokens to move. `expected`: what the README says. Whoever is refused changes
    /// nothing.
    fn send(&mut self, call: &'static str, from: &str, message: &Value, expected: Option<Paid>) {
        let outcome = self.world.execute(from, message);
        self.tell(call, outcome.is_ok());
        match (outcome, expected) {
            (Ok(answer), Some(paid)) => {
                assert_eq!(self.carry_out(&answer), paid, "{call} {message}");
            }
            (Err(_), None) => {}
            (outcome, expected) => {
                panic!("{call} from {from}: {message}: {outcome:?}, not {expected:?}")
            }
        }
    }

    fn transfer(&mut self, token: &str, from: &str, to: &str, amount: u128) {
        let balance = self.balances.get_mut(&has(token, from)).unwrap();
        *balance = balance.checked_sub(amount).expect("more than it has");
        *self.balances.entry(has(token, to)).or_default() += amount;
    }

    fn carry_out(&mut self, answer: &Value) -> Paid {
        let mut paid = Paid::default();
        for call in answer["calls"].as_array().unwrap() {
            let transfer = &call["message"]["transfer"];
            let amount = transfer["amount"].as_str().unwrap().parse().unwrap();
            let to = transfer["recipient"].as_str().unwrap();
            assert_eq!(call["contract"], "token");
            self.transfer("token", "orders", to, amount);
            if to == "treasury" {
                paid.earned += amount;
            } else {
                assert_eq!(answer["attributes"]["payer"], to);
                paid.back += amount;
            }
        }
        paid
    }

    /// As the token does: it moves the amount and says so, unless the contract refuses.
    fn pay(
        &mut self,
        call: &'static str,
        payer: &str,
        amount: u128,
        order: Value,
        expected: Option<Paid>,
    ) {
        if expected.is_some() {
            self.transfer("token", payer, "orders", amount);
        }
        self.send(call, "token", &received(payer, amount, &order), expected);
    }

    fn create(&mut self) {
        let key = (self.one_of(&TENANTS).to_owned(), self.new_id());
        let size = [1 + self.roll(4), 1 + self.roll(8), 1 + self.roll(100)];
        let most = self.one_of(&[600, 6000, 60_000, 432_100]);
        let duration = 590 + self.roll(most);
        let floor = self.model.floor_of(size, hours_of(duration));
        let amount = self.around(floor);
        let is_shared = self
            .model
            .orders
            .keys()
            .any(|(payer, id)| *id == key.1 && *payer != key.0);
        let call = if is_shared {
            "create with an id that others use"
        } else {
            "create"
        };
        let before = self.model.clone();
        let is_good = self.model.create(&key, size, duration, amount);
        if !is_good {
            self.model = before;
        }
        let order = json!({ "CreateOrder": sized(&key.1, size, duration) });
        self.pay(call, &key.0, amount, order, is_good.then(Paid::default));
    }

    fn extend(&mut self) {
        let Some(key) = self.any_order() else { return };
        let order = self.model.orders[&key].clone();
        let payer = if self.roll(8) == 0 {
            self.one_of(&TENANTS).to_owned()
        } else {
            key.0.clone()
        };
        let more = 1 + self.roll(3000);
        let duration = self.one_of(&[
            order.duration * 2,
            order.duration + 1,
            order.duration + more,
            432_000,
            432_001,
        ]);
        let hours = hours_of(duration).saturating_sub(hours_of(order.duration));
        let least = order
            .least(hours)
            .max(self.model.floor_of(order.size, hours));
        let amount = if hours == 0 && self.roll(2) == 0 {
            TOKEN
        } else {
            self.around(least)
        };
        let call = if duration == 432_000 {
            "extend to 720 hours"
        } else {
            "extend"
        };
        let of = (payer.clone(), key.1.clone());
        let is_good = self.model.extend(&of, duration, amount);
        let message = json!({ "extend_order": { "order_id": key.1, "duration": duration } });
        self.pay(call, &payer, amount, message, is_good.then(Paid::default));
    }

    fn renew(&mut self) {
        let Some(key) = self.any_order() else { return };
        if self.roll(2) == 0 {
            let amount = u128::from(self.roll(3000)) * TOKEN;
            self.allowances.insert(key.0.clone(), amount);
        }
        let order = self.model.orders[&key].clone();
        let caller = self.anybody_or_operator();
        let duration = order.duration + 600 * (1 + self.roll(6)) - self.roll(2) * 599;
        let hours = hours_of(duration) - hours_of(order.duration);
        let most = order.most(hours);
        let less = self.around(order.least(hours));
        let amount = self.one_of(&[most, most, most + 1, less]);
        let before = self.model.clone();
        let allowance = self.allowances.get(&key.0).copied();
        let is_good = self.model.renew(&caller, &key, duration, amount);
        let message = json!({ "renew_order": { "order_id": key.1, "payer": key.0, "duration": duration, "amount": amount.to_string() } });
        let outcome = self.world.execute(&caller, &message);
        assert_eq!(outcome.is_ok(), is_good, "{message} {outcome:?}");
        let is_paid = allowance.is_some_and(|allowance| allowance >= amount);
        self.tell("renew", is_good && is_paid);
        let Ok(answer) = outcome else { return };
        let taken = json!({ "transfer_from": { "owner": key.0, "recipient": "orders", "amount": amount.to_string() } });
        assert_eq!(
            answer["calls"],
            json!([{ "contract": "token", "message": taken }])
        );
        if !is_paid {
            // The token refuses.
            self.world.undo();
            self.model = before;
            return;
        }
        *self.allowances.get_mut(&key.0).unwrap() -= amount;
        self.transfer("token", &key.0, "orders", amount);
    }

    fn update(&mut self) {
        let Some(key) = self.any_order() else { return };
        let order = self.model.orders[&key].clone();
        let to = (key.0.clone(), self.new_id());
        let mut size = order.size;
        let part = self.roll(3) as usize;
        size[part] = if self.roll(4) == 0 {
            size[part] - 1
        } else {
            size[part] + self.roll(3)
        };
        let duration = (order.duration + self.roll(3000)).saturating_sub(self.roll(200));
        let hours = hours_of(duration);
        let least = order.least(hours).max(self.model.floor_of(size, hours));
        let amount = self.around(least);
        let before = self.model.clone();
        let paid = self.model.update(&key, &to, size, duration, amount);
        if paid.is_none() {
            self.model = before;
        }
        let mut message = sized(&key.1, size, duration);
        message["new_order_id"] = to.1.into();
        self.pay(
            "update",
            &key.0,
            amount,
            json!({ "UpdateOrder": message }),
            paid,
        );
    }

    fn release(&mut self) {
        let Some(key) = self.any_order() else { return };
        let kind = self.roll(5);
        let (call, caller, whole) = match kind {
            0 => ("release", self.model.operator.clone(), false),
            1 => ("release whole", self.model.operator.clone(), true),
            2 => {
                let mut caller = self.anybody();
                if caller == key.0 || caller == self.model.operator {
                    caller = "treasury".to_owned();
                }
                ("release by a stranger", caller, true)
            }
            _ => ("release by its payer", key.0.clone(), false),
        };
        let paid = self.model.release(&caller, &key, whole);
        let message =
            json!({ "release_order": { "order_id": key.1, "payer": key.0, "whole": whole } });
        self.send(call, &caller, &message, paid);
    }

    fn free_expired(&mut self) {
        let limit = self.roll(5);
        let count = self.model.free(limit as usize);
        let caller = self.anybody();
        let message = json!({ "free_expired": { "limit": limit } });
        let answer = self.world.execute(&caller, &message).unwrap();
        assert_eq!(answer["attributes"]["count"], count.to_string());
        self.tell("free_expired", true);
    }

    fn govern(&mut self) {
        let (proposer, accepter) = (self.anybody_or_operator(), self.anybody());
        let named = self.one_of(&[Some("operator"), Some("next"), None]);
        let is_good = proposer == self.model.operator;
        if is_good {
            self.model.next = named.map(str::to_owned);
        }
        let message = json!({ "propose_operator": { "operator": named } });
        self.send(
            "propose_operator",
            &proposer,
            &message,
            is_good.then(Paid::default),
        );
        let is_accepted = self.model.accept(&accepter);
        let message = json!({ "accept_operator": {} });
        self.send(
            "accept_operator",
            &accepter,
            &message,
            is_accepted.then(Paid::default),
        );
        // Capacity and floor move, but no order does.
        let caller = self.anybody_or_operator();
        let cpu = 12 + self.roll(24);
        let price = TOKEN * 100_000 + u128::from(self.roll(20_000)) * TOKEN;
        let is_good = caller == self.model.operator;
        if is_good {
            self.model.capacity[0] = cpu;
            self.model.floor[0] = price;
        }
        let [_, memory, disk] = self.model.capacity;
        let mut floor = self.model.floor;
        floor[0] = price;
        let message = json!({ "update_config": { "capacity": { "cpu": cpu, "memory": memory, "disk": disk }, "floor": floor_of(floor) } });
        self.send(
            "update_config",
            &caller,
            &message,
            is_good.then(Paid::default),
        );
    }

    /// Somebody transfers without an order, and the operator gets exactly that.
    fn recover(&mut self) {
        let from = self.one_of(&TENANTS);
        let amount = u128::from(self.roll(100)) * TOKEN;
        let token = self.one_of(&["token", "other"]);
        self.transfer(token, from, "orders", amount);
        self.coins += u128::from(self.roll(50));
        let has_of = |balances: &BTreeMap<_, u128>, token| {
            balances.get(&has(token, "orders")).copied().unwrap_or(0)
        };
        let tokens = ["token", "other"].map(|name| (name.to_owned(), has_of(&self.balances, name)));
        self.world
            .hold(tokens.into_iter().collect(), &coins(self.coins, "utide"));
        let caller = self.anybody_or_operator();
        let message = json!({ "recover": { "token": token, "denom": "utide" } });
        let outcome = self.world.execute(&caller, &message);
        self.tell("recover", outcome.is_ok());
        assert_eq!(outcome.is_ok(), caller == self.model.operator);
        let Ok(answer) = outcome else { return };
        let locked = if token == "token" {
            self.model.locked()
        } else {
            0
        };
        let stray = has_of(&self.balances, token) - locked;
        let mut expected = vec![];
        if stray > 0 {
            let transfer =
                json!({ "transfer": { "recipient": "treasury", "amount": stray.to_string() } });
            expected.push(json!({ "contract": token, "message": transfer }));
            self.transfer(token, "orders", "treasury", stray);
        }
        if self.coins > 0 {
            expected.push(json!({ "to": "treasury", "coins": coins(self.coins, "utide") }));
            self.coins = 0;
        }
        assert_eq!(answer["calls"], Value::from(expected));
    }

    /// Not the token's word, and coins that nobody could get out again.
    fn forge(&mut self) {
        let order = json!({ "CreateOrder": sized(&self.new_id(), [1, 1, 1], 600) });
        let message = received("mallory", WEALTH, &order);
        let caller = self.one_of(&["other", "mallory", "operator", "treasury", "orders"]);
        self.send("receive from another token", caller, &message, None);
        let free = json!({ "free_expired": {} });
        let (caller, message) = self.one_of(&[("token", message), ("mallory", free)]);
        let outcome = self
            .world
            .execute_with(caller, &message, &coins(1, "utide"));
        assert!(outcome.is_err());
        self.tell("anything with coins", false);
    }

    fn check(&mut self) {
        let escrow = self.world.ask(&json!({ "escrow": {} }));
        assert_eq!(escrow["locked"], self.model.locked().to_string());
        let own = self.balances.get(&has("token", "orders")).copied();
        assert!(self.model.locked() <= own.unwrap_or(0));
        for token in ["token", "other"] {
            let owned = self.balances.iter().filter(|((of, _), _)| of == token);
            let all: u128 = owned.map(|(_, amount)| amount).sum();
            assert_eq!(all, WEALTH * 3);
        }
        let [cpu, memory, disk] = self.model.held();
        let held = json!({ "cpu": cpu, "memory": memory, "disk": disk });
        assert_eq!(escrow["held"], held);
        // Those that are open, and those that have ended last.
        let recent = format!("o{}", (self.step / 30).saturating_sub(2));
        let keys: Vec<_> = self
            .model
            .orders
            .iter()
            .filter(|((_, id), order)| order.is_open || *id >= recent)
            .map(|(key, order)| (key.clone(), order.clone()))
            .collect();
        for part in keys.chunks(100) {
            let asked: Vec<_> = part
                .iter()
                .map(|((payer, id), _)| json!({ "payer": payer, "order_id": id }))
                .collect();
            let shown = self
                .world
                .ask(&json!({ "orders_by_key": { "keys": asked } }));
            for (at, ((payer, id), order)) in part.iter().enumerate() {
                let is = &shown[at];
                assert_eq!([&is["initiator"], &is["id"]], [payer, id]);
                assert_eq!(is["locked"], order.locked().to_string());
                assert_eq!(is["duration"], order.duration);
                assert_eq!(is["start_time"], order.start);
                let runs = order.runs(self.model.now);
                assert_eq!(is["status"], if runs { "Active" } else { "Expired" });
            }
        }
    }

    fn play(mut self) -> BTreeMap<&'static str, [u32; 2]> {
        for step in 0..STEPS {
            self.step = step;
            self.world.height += 1;
            // Mostly a moment, sometimes hours, rarely a day.
            self.world.ahead += match self.roll(40) {
                0 => self.roll(24 * HOUR),
                1..6 => self.roll(3 * HOUR),
                _ => self.roll(30),
            };
            self.model.now = self.world.now();
            match self.roll(24) {
                0..5 => self.create(),
                5..11 => self.extend(),
                11..14 => self.renew(),
                14..17 => self.update(),
                17..20 => self.release(),
                20 => self.free_expired(),
                21 => self.govern(),
                22 => self.recover(),
                _ => self.forge(),
            }
            self.check();
        }
        // Whoever holds capacity has paid for it and still has time.
        while self.model.free(100) > 0 {}
        while self
            .world
            .execute("mallory", &json!({ "free_expired": {} }))
            .unwrap()["attributes"]["count"]
            != "0"
        {}
        assert_eq!(self.model.held(), self.model.running());
        self.check();
        self.told
    }
}

fn floor_of([cpu, memory, disk]: [u128; 3]) -> Value {
    json!({ "cpu": cpu.to_string(), "memory": memory.to_string(), "disk": disk.to_string() })
}

fn sized(id: &str, [cpu, memory, disk]: Size, duration: u64) -> Value {
    json!({ "order_id": id, "cpu": cpu, "memory": memory, "disk": disk, "duration": duration })
}

fn received(payer: &str, amount: u128, order: &Value) -> Value {
    let msg = Binary::from(order.to_string().into_bytes()).to_base64();
    json!({ "receive": { "sender": payer, "amount": amount.to_string(), "msg": msg } })
}

#[test]
fn nobody_gets_more_than_the_contract_promises_whatever_they_do() {
    let mut told = BTreeMap::<_, [u32; 2]>::new();
    for seed in [3, 7] {
        for (call, times) in Game::new(seed).play() {
            let sum = told.entry(call).or_default();
            *sum = [sum[0] + times[0], sum[1] + times[1]];
        }
    }
    println!("{:34} accepted refused", "call");
    for (call, [accepted, refused]) in &told {
        println!("{call:34} {accepted:8} {refused:7}");
    }
    assert_eq!(told.len(), LEAST.len());
    for (call, accepted, refused) in LEAST {
        let [was, not] = told[call];
        assert!(was >= accepted && not >= refused, "{call}: {was} and {not}");
        // Nobody may do it at all.
        assert!(accepted > 0 || was == 0, "{call}: accepted {was} times");
    }
}
