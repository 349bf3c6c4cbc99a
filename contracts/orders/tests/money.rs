//! Money neither appears nor disappears, whatever is done and refused.

mod world;

use std::collections::BTreeMap;

use cosmwasm_std::{Binary, Uint128};
use serde_json::{json, Value};
use tidenet_orders::{refund_of, BLOCKS_AN_HOUR};
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
    json!({ "CreateOrder": { "order_id": id, "cpu": 1, "memory": 1, "disk": 40, "duration": hours * BLOCKS_AN_HOUR } })
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
                json!({ "extend_order": { "order_id": id, "duration": hours * BLOCKS_AN_HOUR } }),
            ),
            2 => Some(
                json!({ "update_order": { "order_id": id, "new_order_id": format!("r{}", recent + random(15)), "cpu": 1, "memory": 1, "disk": 40, "duration": hours * BLOCKS_AN_HOUR } }),
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

#[test]
fn begun_hours_are_used_hours_and_the_first_always_is() {
    let refund = |height| refund_of(100, 1800, Uint128::new(300), height).u128();
    assert_eq!(refund(100), 200);
    assert_eq!(refund(700), 200);
    assert_eq!(refund(701), 100);
    assert_eq!(refund(1300), 100);
    assert_eq!(refund(1301), 0);
    assert_eq!(refund(1_000_000), 0);
    // A part of an hour at the end counts as one.
    assert_eq!(refund_of(0, 601, Uint128::new(300), 0).u128(), 150);
    // What does not divide stays with the treasury.
    assert_eq!(refund_of(0, 1800, Uint128::new(100), 0).u128(), 66);
    assert_eq!(
        refund_of(0, 7200, Uint128::MAX, 0),
        Uint128::MAX.multiply_ratio(11u128, 12u128)
    );
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
        let message = json!({ "release_order": { "order_id": "a", "whole": true } });
        assert_eq!(
            world.execute(caller, &message),
            Err("Unauthorized".to_owned())
        );
    }
    assert_eq!(
        world.ask(&json!({ "escrow": {} })),
        json!({ "locked": "70" })
    );
}
