//! What is locked, what goes back, and who says so.

mod world;

use cosmwasm_std::Binary;
use serde_json::{json, Value};
use tidenet_orders::lots::{add, refund_of, used_hours, BLOCKS_PER_HOUR};
use tidenet_orders::msg::Lot;
use world::{world, World};

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

fn release(id: &str) -> Value {
    json!({ "release_order": { "order_id": id } })
}

/// Hours that cost the same are one lot. Bought one by one, they give back as much at every moment.
#[test]
fn hours_at_one_price_are_kept_together_and_give_back_the_same() {
    for [(hours, amount), (more, price)] in [
        [(3, 10), (3, 10)],
        [(3, 10), (6, 20)],
        [(6, 7), (30, 35)],
        [(7, 1_000_000_007), (7, 1_000_000_007)],
    ] {
        let apart = [(hours, amount), (more, price), (more, price)];
        let apart = apart.map(|(hours, amount): (u32, u128)| Lot {
            hours,
            amount: amount.into(),
        });
        let mut together = vec![];
        for lot in apart {
            add(&mut together, lot).unwrap();
        }
        assert_eq!(together.len(), 1);
        for used in 0..=u64::from(hours + 2 * more) + 1 {
            assert_eq!(refund_of(&together, used), refund_of(&apart, used));
        }
    }
    // At another price they are not.
    let mut lots = vec![];
    for amount in [10u128, 11, 10] {
        let amount = amount.into();
        add(&mut lots, Lot { hours: 3, amount }).unwrap();
    }
    assert_eq!(lots.len(), 3);
}

#[test]
fn amounts_are_exact_up_to_the_largest_and_refused_beyond() {
    let mut world = open();
    let most = u128::MAX - 10;
    world.pay("alice", most, create("a", 720)).unwrap();
    let orders = json!({ "orders": { "order_ids": ["a"] } });
    let shown = world.ask(&orders)[0].clone();
    assert_eq!(shown["locked"], most.to_string());
    // Clients expect a number here.
    assert_eq!(shown["locked_funds"], u64::MAX);
    for order in [create("b", 1), create("c", 720)] {
        assert!(world.pay("bob", 11, order).is_err());
    }
    world.pay("bob", 10, create("b", 1)).unwrap();
    let answer = world.execute("operator", &release("a")).unwrap();
    let refund = most / 720 * 719 + most % 720 * 719 / 720;
    assert_eq!(answer["attributes"]["refund"], refund.to_string());
    let earned = answer["calls"][1]["message"]["transfer"]["amount"].clone();
    assert_eq!(earned, (most - refund).to_string());
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
