//! `vectors.jsonl` is what the wasm has answered on the development chain, question by question.

mod world;

use cosmwasm_std::Binary;
use serde_json::{json, Value};
use world::world;

const VECTORS: &str = include_str!("vectors.jsonl");

#[test]
fn answers_as_the_wasm_does() {
    let mut world = world(json!({
        "token": "token", "operator": "operator", "treasury": "treasury",
        "capacity": { "cpu": 40, "memory": 60, "disk": 4000 },
    }));
    for (index, line) in VECTORS.lines().enumerate() {
        let step: Value = serde_json::from_str(line).unwrap();
        let at = format!("line {}: {line}", index + 1);
        world.height = step["height"].as_u64().unwrap();
        if let Some(question) = step.get("query") {
            assert_eq!(world.ask(question), step["answer"], "{at}");
            continue;
        }
        let outcome = world.execute(step["from"].as_str().unwrap(), &packed(&step["execute"]));
        match (step["error"].as_str(), outcome) {
            (Some(words), Err(refusal)) => assert_eq!(refusal, words, "{at}"),
            (None, Ok(answer)) => {
                assert_eq!(
                    answer,
                    json!({ "attributes": step["attributes"], "calls": step["calls"] }),
                    "{at}"
                )
            }
            (_, other) => panic!("{at}: {other:?}"),
        }
    }
}

/// What is sent along with money stands in the vectors as it is before it is packed.
fn packed(message: &Value) -> Value {
    let mut message = message.clone();
    if let Some(inner) = message.pointer_mut("/receive/msg") {
        let text = inner
            .as_str()
            .map(str::to_owned)
            .unwrap_or_else(|| inner.to_string());
        *inner = Binary::from(text.into_bytes()).to_base64().into();
    }
    message
}
