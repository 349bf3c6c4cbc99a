//! What the operator may do, and what nobody needs it for.

mod world;

use serde_json::{json, Value};
use world::{world, World};

const HOUR: u64 = 600;

fn open(more: Value) -> World {
    let mut config = json!({ "token": "token", "operator": "operator", "treasury": "treasury" });
    config
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    world(config)
}

fn create(id: &str, hours: u64) -> Value {
    json!({ "CreateOrder": { "order_id": id, "cpu": 2, "memory": 4, "disk": 40, "duration": hours * HOUR } })
}

fn held(world: &World) -> Value {
    world.ask(&json!({ "escrow": {} }))["held"].clone()
}

fn refused(outcome: Result<Value, String>, why: &str) {
    assert_eq!(outcome, Err(why.to_owned()));
}

#[test]
fn capacity_is_held_by_what_is_paid_for() {
    // A core costs 10 an hour, a gigabyte of memory 5, one of disk a tenth.
    let floor = json!({ "cpu": "10000000", "memory": "5000000", "disk": "100000" });
    let mut world =
        open(json!({ "floor": floor, "capacity": { "cpu": 4, "memory": 100, "disk": 1000 } }));
    let least = 2 * (2 * 10 + 4 * 5 + 4);
    refused(
        world.pay("mallory", 1, create("a", 2)),
        "Insufficient funds",
    );
    refused(
        world.pay("alice", least - 1, create("a", 2)),
        "Insufficient funds",
    );
    world.pay("alice", least, create("a", 2)).unwrap();
    let more = json!({ "ExtendOrder": { "order_id": "a", "duration": 4 * HOUR } });
    refused(
        world.pay("alice", least - 1, more.clone()),
        "Insufficient funds",
    );
    world.pay("alice", least, more).unwrap();
    // More hours than can be reckoned are not cheap, either.
    let most = u128::MAX.to_string();
    world
        .execute(
            "operator",
            &json!({ "update_config": { "floor": { "cpu": most, "memory": most, "disk": most } } }),
        )
        .unwrap();
    refused(
        world.pay("alice", u128::MAX / 2, create("b", 2)),
        "Insufficient funds",
    );
}

#[test]
fn anybody_gives_back_the_capacity_of_orders_whose_time_is_over() {
    let mut world = open(json!({ "capacity": { "cpu": 4, "memory": 8, "disk": 80 } }));
    for id in ["a", "b"] {
        world.pay("alice", 100, create(id, 1)).unwrap();
    }
    refused(
        world.pay("bob", 100, create("c", 1)),
        "Insufficient Capacity",
    );
    world.height += HOUR - 1;
    let free = json!({ "free_expired": {} });
    assert_eq!(
        world.execute("mallory", &free).unwrap()["attributes"]["count"],
        "0"
    );
    world.height += 1;
    assert_eq!(
        world.execute("mallory", &free).unwrap()["attributes"]["count"],
        "2"
    );
    assert_eq!(held(&world), json!({ "cpu": 0, "memory": 0, "disk": 0 }));
    // Their money stays, and their capacity is given back once.
    assert_eq!(world.ask(&json!({ "escrow": {} }))["locked"], "200");
    world.pay("bob", 100, create("c", 1)).unwrap();
    world
        .execute("operator", &json!({ "release_order": { "order_id": "a" } }))
        .unwrap();
    assert_eq!(held(&world), json!({ "cpu": 2, "memory": 4, "disk": 40 }));
}

#[test]
fn a_new_order_gives_back_the_capacity_that_it_needs() {
    let mut world = open(json!({ "capacity": { "cpu": 2, "memory": 4, "disk": 40 } }));
    world.pay("alice", 100, create("a", 1)).unwrap();
    world.height += HOUR;
    world.pay("bob", 100, create("b", 1)).unwrap();
    assert_eq!(held(&world), json!({ "cpu": 2, "memory": 4, "disk": 40 }));
}

#[test]
fn a_lost_key_locks_no_money_for_ever() {
    let mut world = open(json!({ "grace_hours": 10 }));
    world.pay("alice", 100, create("a", 2)).unwrap();
    let release = json!({ "release_order": { "order_id": "a" } });
    world.height += 12 * HOUR - 1;
    refused(world.execute("alice", &release), "Unauthorized");
    world.height += 1;
    for other in ["mallory", "treasury"] {
        let message = json!({ "release_order": { "order_id": "a", "payer": "alice" } });
        refused(world.execute(other, &message), "Unauthorized");
    }
    let answer = world.execute("alice", &release).unwrap();
    let transfer = json!({ "transfer": { "recipient": "alice", "amount": "100" } });
    assert_eq!(
        answer["calls"],
        json!([{ "contract": "token", "message": transfer }])
    );
    refused(
        world.execute("alice", &release),
        "Bad request: the order has ended",
    );
}

#[test]
fn another_operator_takes_over_once_it_accepts() {
    let mut world = open(json!({}));
    let accept = json!({ "accept_operator": {} });
    refused(world.execute("next", &accept), "Unauthorized");
    let propose = json!({ "propose_operator": { "operator": "next" } });
    refused(world.execute("next", &propose), "Unauthorized");
    world.execute("operator", &propose).unwrap();
    // Until then, the old one remains, and may change its mind.
    world
        .execute("operator", &json!({ "propose_operator": {} }))
        .unwrap();
    refused(world.execute("next", &accept), "Unauthorized");
    world.execute("operator", &propose).unwrap();
    refused(world.execute("mallory", &accept), "Unauthorized");
    world.execute("next", &accept).unwrap();
    refused(world.execute("operator", &propose), "Unauthorized");
    assert_eq!(world.ask(&json!({ "config": {} }))["operator"], "next");
}

#[test]
fn renews_from_an_allowance_only_the_payers_own_order_at_no_more_than_its_first_price() {
    let mut world = open(json!({}));
    world.pay("alice", 100, create("a", 2)).unwrap();
    let renew = |payer: &str, amount: u64| json!({ "renew_order": { "order_id": "a", "payer": payer, "duration": 4 * HOUR, "amount": amount.to_string() } });
    refused(world.execute("alice", &renew("alice", 100)), "Unauthorized");
    refused(
        world.execute("operator", &renew("bob", 100)),
        "Order Not Found",
    );
    refused(
        world.execute("operator", &renew("alice", 101)),
        "Bad request: hours cost more than the first",
    );
    refused(
        world.execute("operator", &renew("alice", 69)),
        "Insufficient funds",
    );
    let answer = world.execute("operator", &renew("alice", 100)).unwrap();
    let taken =
        json!({ "transfer_from": { "owner": "alice", "recipient": "orders", "amount": "100" } });
    assert_eq!(
        answer["calls"],
        json!([{ "contract": "token", "message": taken }])
    );
    // What somebody else sends, even from an allowance, lengthens no order of alice.
    let extend = json!({ "ExtendOrder": { "order_id": "a", "duration": 6 * HOUR } });
    refused(world.pay("operator", 100, extend), "Order Not Found");
}

#[test]
fn nobody_but_the_operator_sets_anything() {
    let mut world = open(json!({}));
    for caller in ["alice", "token", "treasury"] {
        for message in [
            json!({ "update_config": { "treasury": "alice" } }),
            json!({ "propose_operator": { "operator": "alice" } }),
            json!({ "recover": { "token": "token" } }),
            json!({ "recover": { "denom": "utide" } }),
        ] {
            refused(world.execute(caller, &message), "Unauthorized");
        }
    }
}
