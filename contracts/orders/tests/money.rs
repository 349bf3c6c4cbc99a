//! Money neither appears nor disappears, whatever is done and refused.

mod world;

use std::collections::BTreeMap;

use cosmwasm_std::Binary;
use serde_json::{json, Value};
use tidenet_orders::lots::{refund_of, used_hours, BLOCKS_PER_HOUR};
use tidenet_orders::msg::Lot;
use world::{world, World};

const PEOPLE: [&str; 3] = ["alice", "bob", "carol"];
const EACH: u128 = 1_000_000;

fn open() -> World {
    world(json!({ "token": "token", "operator": "operator", "treasury": "treasury" }))
}

fn pay(payer: &str, amount: u128, order: Value) -> Value {
    let msg = Binary::from(order.to_string().into_bytes()).to_base64();
    json!({ "receive": { "sender": payer, "amount": amount.to_string(), "msg": msg } })
}

fn create(id: &str, hours: u64) -> Value {
    json!({ "CreateOrder": { "order_id": id, "cpu": 1, "memory": 1, "disk": 40, "duration": hours * BLOCKS_PER_HOUR } })
}

/// Moves what the contract has told the token to move.
fn carry_out(answer: &Value, balances: &mut BTreeMap<String, u128>) {
    for call in answer["calls"].as_array().unwrap() {
        let transfer = &call["message"]["transfer"];
        let amount: u128 = transfer["amount"].as_str().unwrap().parse().unwrap();
        *balances.get_mut("orders").unwrap() -= amount;
        *balances
            .entry(transfer["recipient"].as_str().unwrap().to_owned())
            .or_default() += amount;
    }
}

#[test]
fn what_is_locked_is_what_the_contract_has() {
    let mut world = open();
    let mut balances: BTreeMap<String, u128> = PEOPLE
        .iter()
        .map(|name| ((*name).to_owned(), EACH))
        .collect();
    balances.insert("orders".to_owned(), 0);
    let mut seed: u64 = 7;
    let mut random = |below: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut done = 0;
    for step in 0..3000 {
        // Ids are used once: the ones in use move on.
        let recent = step / 15;
        world.height += random(200);
        let payer = PEOPLE[random(3) as usize];
        let id = format!("r{}", recent + random(15));
        let amount = u128::from(random(500));
        let hours = 1 + random(6);
        let money = match random(4) {
            0 => Some(create(&id, hours)),
            1 => Some(
                json!({ "extend_order": { "order_id": id, "duration": hours * BLOCKS_PER_HOUR } }),
            ),
            2 => Some(
                json!({ "update_order": { "order_id": id, "new_order_id": format!("r{}", recent + random(15)), "cpu": 1, "memory": 1, "disk": 40, "duration": hours * BLOCKS_PER_HOUR } }),
            ),
            _ => None,
        };
        let outcome = match money {
            Some(order) if balances[payer] >= amount => world
                .execute("token", &pay(payer, amount, order))
                .inspect(|_| {
                    *balances.get_mut(payer).unwrap() -= amount;
                    *balances.get_mut("orders").unwrap() += amount;
                }),
            Some(_) => continue,
            None => {
                let message =
                    json!({ "release_order": { "order_id": id, "whole": random(2) == 0 } });
                world.execute("operator", &message)
            }
        };
        if let Ok(answer) = outcome {
            carry_out(&answer, &mut balances);
            done += 1;
        }
        let locked = world.ask(&json!({ "escrow": {} }))["locked"].clone();
        assert_eq!(locked, balances["orders"].to_string());
        assert_eq!(balances.values().sum::<u128>(), EACH * 3);
    }
    assert!(done > 300, "only {done} things were done");
}

/// `lots.json` is read by all that reckon what goes back.
#[test]
fn what_goes_back_is_what_was_paid_for_the_hours_that_were_not_begun() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("lots.json")).unwrap();
    assert!(cases.len() > 20);
    for case in cases {
        let lots: Vec<Lot> = serde_json::from_value(case["lots"].clone()).unwrap();
        let [start, now] = ["start", "now"].map(|key| case[key].as_u64().unwrap());
        let refund = refund_of(&lots, used_hours(start, now));
        assert_eq!(case["refund"], refund.to_string(), "{}", case["what"]);
    }
}

#[test]
fn nobody_but_the_token_says_that_money_came_and_nobody_but_the_operator_ends_an_order() {
    let mut world = open();
    for caller in ["alice", "operator", "treasury", "orders"] {
        assert_eq!(
            world.execute(caller, &pay("alice", 70, create("a", 2))),
            Err("Unauthorized".to_owned())
        );
    }
    world
        .execute("token", &pay("alice", 70, create("a", 2)))
        .unwrap();
    for caller in ["alice", "token", "treasury"] {
        let message =
            json!({ "release_order": { "order_id": "a", "payer": "alice", "whole": true } });
        assert_eq!(
            world.execute(caller, &message),
            Err("Unauthorized".to_owned())
        );
    }
    assert_eq!(world.ask(&json!({ "escrow": {} }))["locked"], "70");
}
