//! New code takes up the orders that the code before it has left: what was paid for them counts as paid at once.

mod world;

use serde_json::{json, Value};
use world::{world, World};

/// As the first code has written it: 10 hours for 1,000 that were lengthened to 20 for 700, and one that has ended.
fn left() -> World {
    let mut world =
        world(json!({ "token": "token", "operator": "operator", "treasury": "treasury" }));
    let size = json!({ "cpu": 1, "memory": 1, "disk": 40 });
    world.keep(
        "order/a",
        &json!({ "id": "a", "initiator": "alice", "resource": size, "start_height": 100, "duration": 12_000, "locked_funds": "1700" }),
    );
    world.keep(
        "order/b",
        &json!({ "id": "b", "initiator": "alice", "resource": size, "start_height": 100, "duration": 600, "locked_funds": "0",
            "released": { "height": 300, "refund": "12" } }),
    );
    world.keep("held", &size);
    world.keep("escrow", &json!("1700"));
    world.height = 2000;
    world
}

fn extend(world: &mut World, amount: u128, hours: u64) -> Result<Value, String> {
    let order = json!({ "ExtendOrder": { "order_id": "a", "duration": hours * 600 } });
    world.pay("alice", amount, order)
}

fn release(world: &mut World) -> Value {
    world
        .execute("operator", &json!({ "release_order": { "order_id": "a" } }))
        .unwrap()["attributes"]["refund"]
        .clone()
}

#[test]
fn gives_back_what_the_code_before_would_have() {
    let mut world = left();
    world.migrate().unwrap();
    let [a, b] =
        [0, 1].map(|at| world.ask(&json!({ "orders": { "order_ids": ["a", "b"] } }))[at].clone());
    assert_eq!(a["locked"], "1700");
    assert_eq!(a["lots"], json!([{ "hours": 20, "amount": "1700" }]));
    assert_eq!([&b["locked"], &b["lots"]], [&json!("0"), &json!([])]);
    // Four of twenty hours are used, at 85 each.
    assert_eq!(release(&mut world), "1360");
    assert_eq!(world.ask(&json!({ "escrow": {} }))["locked"], "0");
}

#[test]
fn settles_what_is_bought_from_then_on_by_itself() {
    let mut world = left();
    world.migrate().unwrap();
    assert_eq!(
        extend(&mut world, 1189, 40),
        Err("Insufficient funds".to_owned())
    );
    extend(&mut world, 1190, 40).unwrap();
    assert_eq!(release(&mut world), (1360 + 1190).to_string());
}

#[test]
fn takes_up_nothing_where_no_orders_were_kept() {
    let mut world = left();
    world.lose("config");
    assert!(world.migrate().is_err());
}
