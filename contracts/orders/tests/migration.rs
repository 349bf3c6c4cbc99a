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

/// As code left them that listed whose orders are over instead of what they held.
#[test]
fn gives_back_the_capacity_of_orders_that_earlier_code_has_listed() {
    let mut world =
        world(json!({ "token": "token", "operator": "operator", "treasury": "treasury" }));
    let size = json!({ "cpu": 1, "memory": 1, "disk": 40 });
    let order = |id: &str, more: Value| {
        let mut order = json!({ "id": id, "initiator": "alice", "resource": size, "start_height": 1, "start_time": 6,
            "duration": 600, "locked_funds": "10", "lots": [{ "hours": 1, "amount": "10" }], "rate": { "hours": 1, "amount": "10" } });
        let more = more.as_object().unwrap().clone();
        order.as_object_mut().unwrap().extend(more);
        order
    };
    world.keep("o/alice/over", &order("over", json!({})));
    world.keep(
        "end/00000000000000003606/alice/over",
        &json!(["alice", "over"]),
    );
    world.keep("o/alice/freed", &order("freed", json!({ "freed": true })));
    world.keep("held", &json!({ "cpu": 3, "memory": 3, "disk": 120 }));
    world.keep("escrow", &json!("20"));
    world.height = 1000;
    world.migrate().unwrap();
    let held = |world: &World| world.ask(&json!({ "escrow": {} }))["held"]["cpu"].clone();
    let free = json!({ "free_expired": {} });
    assert_eq!(
        world.execute("mallory", &free).unwrap()["attributes"]["count"],
        "1"
    );
    assert_eq!(held(&world), 2);
    // Both are still settled, and give nothing back again.
    for id in ["over", "freed"] {
        let release = json!({ "release_order": { "order_id": id, "payer": "alice" } });
        world.execute("operator", &release).unwrap();
    }
    assert_eq!(held(&world), 2);
    assert_eq!(world.ask(&json!({ "escrow": {} }))["locked"], "0");
}

/// The first code kept orders of one id apart, and listed none by its end.
#[test]
fn gives_back_the_capacity_of_the_first_orders_when_they_end() {
    let mut world = left();
    world.migrate().unwrap();
    release(&mut world);
    assert_eq!(world.ask(&json!({ "escrow": {} }))["held"]["cpu"], 0);
}

#[test]
fn lists_the_first_order_of_an_id_and_nine_others() {
    let mut world = left();
    world.migrate().unwrap();
    let create = json!({ "CreateOrder": { "order_id": "a", "cpu": 1, "memory": 1, "disk": 40, "duration": 600 } });
    for at in 0..12 {
        world
            .pay(&format!("mallory{at}"), 1, create.clone())
            .unwrap();
    }
    let listed = world.ask(&json!({ "orders": { "order_ids": ["a"] } }));
    assert_eq!(listed.as_array().unwrap().len(), 10);
    assert_eq!(listed[0]["initiator"], "alice");
}
