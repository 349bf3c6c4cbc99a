//! An id belongs to nobody: the same id of another payer is another order.

mod world;

use serde_json::{json, Value};
use world::{world, World};

fn open() -> World {
    world(json!({ "token": "token", "operator": "operator", "treasury": "treasury" }))
}

fn create(id: &str) -> Value {
    json!({ "CreateOrder": { "order_id": id, "cpu": 1, "memory": 1, "disk": 40, "duration": 1200 } })
}

fn payers(world: &World, id: &str) -> Vec<String> {
    world
        .ask(&json!({ "orders": { "order_ids": [id] } }))
        .as_array()
        .unwrap()
        .iter()
        .map(|order| order["initiator"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn who_takes_an_id_first_takes_it_from_nobody() {
    let mut world = open();
    world.pay("mallory", 1, create("a")).unwrap();
    world.height += 1;
    world.pay("alice", 200, create("a")).unwrap();
    assert_eq!(payers(&world, "a"), ["mallory", "alice"]);
    let keys = json!({ "orders_by_key": { "keys": [{ "payer": "alice", "order_id": "a" }, { "payer": "bob", "order_id": "a" }] } });
    let found = world.ask(&keys);
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert_eq!(found[0]["locked"], "200");
    // Neither touches the other's.
    let more = json!({ "ExtendOrder": { "order_id": "a", "duration": 2400 } });
    world.pay("alice", 200, more.clone()).unwrap();
    assert_eq!(
        world.pay("bob", 200, more),
        Err("Order Not Found".to_owned())
    );
    let released = world
        .execute(
            "operator",
            &json!({ "release_order": { "order_id": "a", "payer": "alice" } }),
        )
        .unwrap();
    assert_eq!(released["attributes"]["refund"], "300");
    assert_eq!(released["attributes"]["payer"], "alice");
}

#[test]
fn an_operator_that_names_no_payer_ends_the_only_open_order_or_none() {
    let mut world = open();
    let release = json!({ "release_order": { "order_id": "a" } });
    for payer in ["alice", "bob"] {
        world.pay(payer, 200, create("a")).unwrap();
    }
    assert!(world
        .execute("operator", &release)
        .unwrap_err()
        .contains("payer"));
    let of_alice = json!({ "release_order": { "order_id": "a", "payer": "alice" } });
    world.execute("operator", &of_alice).unwrap();
    let of_bob = world.execute("operator", &release).unwrap();
    assert_eq!(of_bob["attributes"]["payer"], "bob");
    assert_eq!(
        world.execute("operator", &release),
        Err("Bad request: the order has ended".to_owned())
    );
}

#[test]
fn an_operator_that_names_no_payer_does_not_end_the_wrong_one_of_many() {
    let mut world = open();
    let release = |payer: &str| json!({ "release_order": { "order_id": "a", "payer": payer } });
    for at in 0..11 {
        world.height += 1;
        let mallory = format!("mallory{at}");
        world.pay(&mallory, 1, create("a")).unwrap();
        if at > 0 {
            world.execute("operator", &release(&mallory)).unwrap();
        }
    }
    // Of those before that of alice, one is open.
    world.height += 1;
    world.pay("alice", 200, create("a")).unwrap();
    let of_somebody = json!({ "release_order": { "order_id": "a" } });
    assert!(world
        .execute("operator", &of_somebody)
        .unwrap_err()
        .contains("payer"));
    world.execute("operator", &release("alice")).unwrap();
}

#[test]
fn orders_of_a_popular_id_stay_readable_and_are_found_by_their_key() {
    let mut world = open();
    for at in 0..50 {
        world.height += 1;
        world.pay(&format!("mallory{at}"), 1, create("a")).unwrap();
    }
    world.pay("alice", 200, create("a")).unwrap();
    assert_eq!(payers(&world, "a").len(), 10);
    let key = json!({ "payer": "alice", "order_id": "a" });
    let found = world.ask(&json!({ "orders_by_key": { "keys": [key] } }));
    assert_eq!(found[0]["initiator"], "alice");
}

#[test]
fn the_same_payer_uses_an_id_once() {
    let mut world = open();
    world.pay("alice", 200, create("a")).unwrap();
    assert_eq!(
        world.pay("alice", 200, create("a")),
        Err("Order Already exists".to_owned())
    );
    // Not even a question that looks like a key finds more.
    assert_eq!(payers(&world, "a/00000000000000000001"), [""; 0]);
}
