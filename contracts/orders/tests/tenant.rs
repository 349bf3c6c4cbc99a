//! A tenant who does whatever the contract lets him do, for as little as it takes, pays for each hour that he used what he bought it for.

mod world;

use cosmwasm_std::Binary;
use serde_json::{json, Value};
use tidenet_orders::lots::BLOCKS_PER_HOUR;
use world::{world, World};

#[derive(Clone, Copy)]
struct Bought {
    hours: u64,
    amount: u64,
}

struct Held {
    id: String,
    start: u64,
    duration: u64,
    lots: Vec<Bought>,
    /// What an hour cost at first, here or in the order whose place it took.
    first: Bought,
}

fn hours_of(blocks: u64) -> u64 {
    blocks.div_ceil(BLOCKS_PER_HOUR)
}

fn least(first: Bought, hours: u64) -> u64 {
    (first.amount * hours * 7).div_ceil(first.hours * 10)
}

fn pay(world: &mut World, amount: u64, order: Value) -> Option<Value> {
    let msg = Binary::from(order.to_string().into_bytes()).to_base64();
    let message =
        json!({ "receive": { "sender": "tenant", "amount": amount.to_string(), "msg": msg } });
    world.execute("token", &message).ok()
}

/// What went back, and what was earned.
fn moved(answer: &Value) -> (u64, u64) {
    let sum = |who: &str| {
        answer["calls"]
            .as_array()
            .unwrap()
            .iter()
            .map(|call| &call["message"]["transfer"])
            .filter(|transfer| transfer["recipient"] == who)
            .map(|transfer| transfer["amount"].as_str().unwrap().parse::<u64>().unwrap())
            .sum()
    };
    (sum("tenant"), sum("treasury"))
}

fn check(order: &Held, height: u64, (back, kept): (u64, u64)) {
    let begun = hours_of(height - order.start).max(1);
    let used = begun.min(hours_of(order.duration));
    // Of one lot at most a part is used: whole units, and a fraction.
    let (mut whole, mut part, mut of) = (0, 0, 1);
    let mut rest = used;
    for lot in &order.lots {
        let taken = rest.min(lot.hours);
        rest -= taken;
        if taken == lot.hours {
            whole += lot.amount;
        } else {
            part += lot.amount * taken;
            of = if taken > 0 { lot.hours } else { of };
        }
    }
    let paid: u64 = order.lots.iter().map(|lot| lot.amount).sum();
    assert_eq!(back + kept, paid);
    assert_eq!(kept, whole + part.div_ceil(of), "{} of {}", used, order.id);
    // However cheap he made the later ones.
    assert!(kept * order.first.hours * 10 >= order.first.amount * used * 7);
}

#[test]
fn pays_for_the_hours_that_were_used_whatever_he_does() {
    let mut world =
        world(json!({ "token": "token", "operator": "operator", "treasury": "treasury" }));
    let mut seed: u64 = 3;
    let mut random = |below: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut orders: Vec<Held> = vec![];
    let (mut given, mut gone, mut settled) = (0, 0, 0);
    for step in 0..4000 {
        world.height += if random(4) == 0 {
            random(2500)
        } else {
            random(3)
        };
        let height = world.height;
        let id = format!("o{step}");
        let size = |id: &str, duration: u64| json!({ "order_id": id, "cpu": 1, "memory": 1, "disk": 40, "duration": duration });
        let what = random(8);
        if what == 0 || orders.is_empty() {
            let duration = 600 + random(6000);
            let lot = Bought {
                hours: hours_of(duration),
                amount: 1 + random(5000),
            };
            let message = json!({ "CreateOrder": size(&id, duration) });
            if pay(&mut world, lot.amount, message).is_none() {
                continue;
            }
            given += lot.amount;
            orders.push(Held {
                id,
                start: height,
                duration,
                lots: vec![lot],
                first: lot,
            });
            continue;
        }
        let at = random(orders.len() as u64) as usize;
        let order = &orders[at];
        let offer = random(4);
        let more = random(2000);
        // Mostly the least that is taken, or what ought to be too little.
        let asked = |hours: u64| match offer {
            0 => least(order.first, hours) * 3 / 4,
            1 => least(order.first, hours) + more,
            _ => least(order.first, hours),
        };
        if what < 5 {
            // Mostly the double, or a block more; rarely beyond what there is.
            let duration = match random(3) {
                0 => order.duration * 2,
                1 => order.duration + 1,
                _ => order.duration + random(20_000),
            };
            let hours = hours_of(duration) - hours_of(order.duration);
            let amount = asked(hours);
            let message = json!({ "ExtendOrder": { "order_id": order.id, "duration": duration } });
            if pay(&mut world, amount, message).is_none() {
                continue;
            }
            assert!(amount >= least(order.first, hours));
            given += amount;
            let order = &mut orders[at];
            match order.lots.last_mut() {
                Some(last) if hours == 0 => last.amount += amount,
                _ => order.lots.push(Bought { hours, amount }),
            }
            order.duration = duration;
        } else if what < 7 {
            let duration = order.duration + if random(2) == 0 { 0 } else { random(3000) };
            let hours = hours_of(duration);
            let lot = Bought {
                hours,
                amount: asked(hours),
            };
            let mut message = size(&order.id, duration);
            message["new_order_id"] = id.clone().into();
            let Some(answer) = pay(&mut world, lot.amount, json!({ "UpdateOrder": message }))
            else {
                continue;
            };
            assert!(lot.amount >= least(order.first, hours));
            given += lot.amount;
            let old = orders.swap_remove(at);
            check(&old, height, moved(&answer));
            gone += moved(&answer).0 + moved(&answer).1;
            settled += 1;
            let first = if old.first.amount * lot.hours < lot.amount * old.first.hours {
                lot
            } else {
                old.first
            };
            orders.push(Held {
                id,
                start: height,
                duration,
                lots: vec![lot],
                first,
            });
        } else {
            let message = json!({ "release_order": { "order_id": order.id } });
            let answer = world.execute("operator", &message).unwrap();
            let old = orders.swap_remove(at);
            check(&old, height, moved(&answer));
            gone += moved(&answer).0 + moved(&answer).1;
            settled += 1;
        }
        let locked = world.ask(&json!({ "escrow": {} }))["locked"].clone();
        assert_eq!(locked, (given - gone).to_string());
    }
    assert!(settled > 300, "only {settled} orders were settled");
}
