use std::fmt;

use cosmwasm_std::{OverflowError, StdError};

/// Why something was refused, in the words that the portal looks for in a transaction's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    pub fn new(text: impl Into<String>) -> Self {
        Refusal(text.into())
    }
    pub fn unauthorized() -> Self {
        Refusal::new("Unauthorized")
    }
    pub fn not_found() -> Self {
        Refusal::new("Order Not Found")
    }
    pub fn exists() -> Self {
        Refusal::new("Order Already exists")
    }
    pub fn ended() -> Self {
        Refusal::new("Bad request: the order has ended")
    }
    pub fn capacity() -> Self {
        Refusal::new("Insufficient Capacity")
    }
    pub fn shortened() -> Self {
        Refusal::new("Shortened Duration")
    }
    pub fn amount() -> Self {
        Refusal::new("Insufficient funds")
    }
    pub fn too_long() -> Self {
        Refusal::new("Bad request: an order lasts 720 hours at most")
    }
    pub fn smaller() -> Self {
        Refusal::new("Bad request: an order is replaced by a larger one")
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

impl From<StdError> for Refusal {
    fn from(error: StdError) -> Self {
        Refusal(error.to_string())
    }
}

impl From<OverflowError> for Refusal {
    fn from(error: OverflowError) -> Self {
        Refusal(error.to_string())
    }
}
