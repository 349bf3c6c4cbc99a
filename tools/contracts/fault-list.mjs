// The faults that `node tools/contracts/faults.mjs` seeds into the orders contract, one at a time. Its Rust tests must notice each.

/**
 * `find` occurs once in the file below `contracts/orders/src`; `replace` takes its place.
 *
 * @type {{ name: string, file: string, find: string, replace: string }[]}
 */
export const faults = [
  {
    name: 'average-price',
    file: 'lots.rs',
    find: `    let mut used = used;
    lots.iter()`,
    replace: `    let mut used = used;
    let whole = Lot { hours: lots.iter().map(|lot| lot.hours).sum(), amount: lots.iter().map(|lot| lot.amount).sum() };
    [whole].iter()`,
  },
  {
    name: 'first-hour-free',
    file: 'lots.rs',
    find: 'div_ceil(HOUR_SECONDS).max(1)',
    replace: 'div_ceil(HOUR_SECONDS)',
  },
  {
    name: 'begun-hours-free',
    file: 'lots.rs',
    find: 'now.saturating_sub(start).div_ceil(HOUR_SECONDS).max(1)',
    replace: '(now.saturating_sub(start) / HOUR_SECONDS).max(1)',
  },
  {
    name: 'any-price-shares-a-lot',
    file: 'lots.rs',
    find: 'more.hours == 0 || cost_the_same(last, &more)',
    replace: 'more.hours == 0 || last.amount > Uint128::zero()',
  },
  {
    name: 'hours-by-height',
    file: 'lib.rs',
    find: 'time: env.block.time.seconds(),',
    replace: 'time: env.block.height * 6,',
  },
  {
    name: 'ids-without-payer',
    file: 'store.rs',
    find: 'format!("o/{payer}/{id}").into_bytes()',
    replace: 'format!("o/{}/{id}", &payer[..0]).into_bytes()',
  },
  {
    name: 'wrong-order-of-many',
    file: 'end.rs',
    find: 'if orders.len() > store::LISTED {',
    replace: 'if orders.len() > 2 * store::LISTED {',
  },
  {
    name: 'capacity-kept-after-the-end',
    file: 'end.rs',
    find: `    if !over.is_empty() {
        give_back(storage, &over)?;`,
    replace: `    if over.len() > 1000 {
        give_back(storage, &over)?;`,
  },
  {
    name: 'capacity-given-back-twice',
    file: 'end.rs',
    find: 'store::remove_end(storage, order) || order.is_former',
    replace: 'store::remove_end(storage, order) || !order.id.is_empty()',
  },
  {
    name: 'capacity-of-former-orders-lost',
    file: 'end.rs',
    find: 'store::remove_end(storage, order) || order.is_former',
    replace: 'store::remove_end(storage, order)',
  },
  {
    name: 'capacity-unlimited',
    file: 'buy.rs',
    find: 'next.cpu > most.cpu ||',
    replace: '',
  },
  {
    name: 'no-floor-for-new-orders',
    file: 'buy.rs',
    find: `    demand_floor(
        storage,
        &purchase.resource,
        purchase.amount,
        hours_of(purchase.duration),
    )?;`,
    replace: '',
  },
  {
    name: 'no-floor-for-extensions',
    file: 'buy.rs',
    find: 'demand_floor(storage, &order.resource, amount, hours)?;',
    replace: '',
  },
  {
    name: 'no-floor-for-updates',
    file: 'buy.rs',
    find: 'demand_floor(storage, &is, purchase.amount, hours)?;',
    replace: '',
  },
  {
    name: 'claim-without-grace',
    file: 'end.rs',
    find: '.saturating_add(u64::from(config.grace_hours) * HOUR_SECONDS);',
    replace: '.saturating_add(0 * u64::from(config.grace_hours) * HOUR_SECONDS);',
  },
  {
    name: 'release-by-anybody',
    file: 'end.rs',
    find: 'if !is_operator && payer != caller.as_str() {',
    replace: 'if !is_operator && payer.is_empty() {',
  },
  {
    name: 'whole-refund-by-default',
    file: 'end.rs',
    find: 'let refund = if whole || !is_operator {',
    replace: 'let refund = if whole || !is_operator || order.end() < block.time {',
  },
  {
    name: 'escrow-not-reduced',
    file: 'end.rs',
    find: `store::escrow(storage)?.checked_sub(order.locked_funds)?`,
    replace: `store::escrow(storage)?.checked_sub(refund)?`,
  },
  {
    name: 'renewal-from-another-allowance',
    file: 'buy.rs',
    find: '            owner: payer,',
    replace: '            owner: caller.into_string(),',
  },
  {
    name: 'renewal-at-any-price',
    file: 'buy.rs',
    find: 'Some(rate) if !lots::is_too_dear(&rate, amount, hours) => {}',
    replace: 'Some(rate) if rate.hours > 0 || lots::is_too_dear(&rate, amount, hours) => {}',
  },
  {
    name: 'renewal-by-anybody',
    file: 'buy.rs',
    find: 'let token = require_operator(storage, &caller)?.token;',
    replace: 'let _ = require_operator(storage, &caller); let token = store::config(storage)?.token;',
  },
  {
    name: 'recovers-what-is-locked',
    file: 'manage.rs',
    find: 'balance.saturating_sub(locked)',
    replace: 'balance.max(locked)',
  },
  {
    name: 'recovers-too-little-of-another-token',
    file: 'manage.rs',
    find: 'let locked = if token == config.token {',
    replace: 'let locked = if !token.is_empty() {',
  },
  {
    name: 'longer-than-720-hours',
    file: 'buy.rs',
    find: `    if duration > LONGEST {
        return Err(Refusal::too_long());
    }
`,
    replace: '',
  },
  {
    name: 'new-orders-longer-than-720-hours',
    file: 'buy.rs',
    find: `    if purchase.duration > LONGEST {
        return Err(Refusal::too_long());
    }
`,
    replace: '',
  },
  {
    name: 'extensions-for-nothing',
    file: 'buy.rs',
    find: `    let hours = hours_of(duration) - hours_of(order.duration);
    demand_rate(&order, amount, hours)?;`,
    replace: '    let hours = hours_of(duration) - hours_of(order.duration);',
  },
  {
    name: 'updates-for-nothing',
    file: 'buy.rs',
    find: 'demand_rate(&order, purchase.amount, hours)?;',
    replace: '',
  },
  {
    name: 'first-price-forgotten',
    file: 'buy.rs',
    find: 'Some(rate.map_or(lot, |rate| lots::dearer(rate, lot)))',
    replace: 'Some(rate.map_or(lot, |_| lot))',
  },
  {
    name: 'smaller-order',
    file: 'buy.rs',
    find: 'is.cpu < was.cpu ||',
    replace: '',
  },
  {
    name: 'operator-by-itself',
    file: 'manage.rs',
    find: 'if config.next_operator.as_deref() != Some(caller.as_str()) {',
    replace: 'if config.next_operator.is_none() {',
  },
  {
    name: 'operator-still-proposed',
    file: 'manage.rs',
    find: `    config.operator = caller.into_string();
    config.next_operator = None;`,
    replace: '    config.operator = caller.into_string();',
  },
  {
    name: 'settings-by-anybody',
    file: 'manage.rs',
    find: 'let mut config = require_operator(deps.storage, &caller)?;\n    if let Some(treasury)',
    replace: 'let mut config = store::config(deps.storage)?;\n    let _ = caller;\n    if let Some(treasury)',
  },
  {
    name: 'coins-accepted',
    file: 'lib.rs',
    find: 'if info.funds.is_empty() {',
    replace: 'if info.funds.len() < 9 {',
  },
  {
    name: 'money-by-hearsay',
    file: 'buy.rs',
    find: 'if caller.as_str() != store::config(deps.storage)?.token {',
    replace: 'if caller.as_str() == store::config(deps.storage)?.operator {',
  },
]
