import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import {
  ask,
  create,
  createContract,
  extend,
  paid,
  release,
  renew,
  type Step,
  size,
  update,
} from './sample-contract.fixture.ts'

/**
 * Requests and answers of the contract. `cargo test` sends the same requests to its source. A line is one request with its answer; messages
 * sent with tokens are stored unencoded.
 */
const VECTORS = fileURLToPath(new URL('../../../../contracts/orders/tests/vectors.jsonl', import.meta.url))

const MANY = Array.from({ length: 11 }, (_, at) => `payer${at}`)

const told: Step[] = [
  { height: 1, query: { config: {} } },
  { height: 1, query: { escrow: {} } },
  // An order is created, extended, replaced and released.
  paid(10, 'alice', '70', create('a', 1200)),
  paid(10, 'alice', '70', create('a', 1200)),
  ask(10, 'a', 'nothing'),
  paid(20, 'alice', '70', { extend_order: { order_id: 'a', duration: 2400 } }),
  paid(20, 'alice', '70', { ExtendOrder: { order_id: 'a', duration: 2400 } }),
  paid(20, 'bob', '70', { ExtendOrder: { order_id: 'a', duration: 4800 } }),
  // The operator may extend an order from its owner's allowance to the contract, but do nothing else with it.
  renew(30, 'alice', 'a', 3000, '30'),
  renew(30, 'alice', 'a', 3000, '30', 'alice'),
  renew(30, 'bob', 'a', 4200, '30'),
  renew(30, 'alice', 'a', 3600, '36'),
  // Two hours for 70 and two more are four for 140; one for 30 is another price.
  ask(30, 'a'),
  paid(30, 'operator', '30', { ExtendOrder: { order_id: 'a', duration: 4200 } }),
  paid(30, 'operator', '30', { UpdateOrder: { order_id: 'a', new_order_id: 'c', ...size, duration: 3000 } }),
  paid(20, 'bob', '70', { ExtendOrder: { order_id: 'b', duration: 4800 } }),
  paid(700, 'alice', '500', {
    UpdateOrder: { order_id: 'a', new_order_id: 'c', cpu: 2, memory: 2, disk: 40, duration: 3000 },
  }),
  paid(700, 'alice', '500', {
    update_order: { order_id: 'a', new_order_id: 'd', cpu: 2, memory: 2, disk: 40, duration: 3000 },
  }),
  ask(700, 'a', 'c'),
  { height: 700, query: { escrow: {} } },
  release(1301, 'c', {}, 'alice'),
  release(1301, 'c'),
  release(1301, 'c'),
  release(1301, 'a'),
  release(1301, 'nothing'),
  ask(1301, 'a', 'c'),
  // The same id of two payers.
  paid(1310, 'mallory', '1', create('two', 600)),
  paid(1311, 'alice', '100', create('two', 1200)),
  ask(1311, 'two'),
  { height: 1311, query: { orders_by_key: { keys: [{ payer: 'alice', order_id: 'two' }] } } },
  release(1311, 'two'),
  release(1311, 'two', { payer: 'alice' }),
  release(1311, 'two'),
  release(1311, 'two', { payer: 'bob' }),
  // An id of eleven payers, of which ten are listed: the one that is meant may be the eleventh.
  ...MANY.map((payer) => paid(1312, payer, '10', create('many', 600))),
  ask(1312, 'many'),
  release(1312, 'many'),
  ...MANY.map((payer) => release(1312, 'many', { payer })),
  release(1312, 'many'),
  // The payer, after a grace period of 30 days.
  paid(1320, 'alice', '100', create('late', 600)),
  release(1320 + 600 + 432_000 - 1, 'late', {}, 'alice'),
  release(1320 + 600 + 432_000, 'late', { payer: 'alice' }, 'bob'),
  release(1320 + 600 + 432_000, 'late', {}, 'alice'),
  { height: 1320, from: 'bob', execute: { free_expired: {} } },
  // Nothing was delivered: full refund.
  paid(1400, 'bob', '1000', create('e', 600)),
  release(1401, 'e', { whole: true }),
  paid(1400, 'bob', '999', create('f', 6000)),
  release(1401, 'f', { whole: false }),
  paid(1400, 'bob', '999', create('g', 6000)),
  release(1402, 'g', { whole: null }),
  // The order has expired: no refund, no extension, no replacement.
  paid(2000, 'bob', '10', create('h', 600)),
  ask(2599, 'h'),
  ask(2600, 'h'),
  paid(2600, 'bob', '10', { ExtendOrder: { order_id: 'h', duration: 1200 } }),
  paid(2600, 'bob', '10', { UpdateOrder: { order_id: 'h', new_order_id: 'i', ...size, duration: 1200 } }),
  release(2600, 'h'),
  // More hours, or a larger order, below the minimum price of seven tenths.
  paid(2700, 'bob', '0', create('p', 1200)),
  paid(2700, 'bob', '140', create('p', 1200)),
  paid(2700, 'bob', '0', extend('p', 432_000)),
  paid(2700, 'bob', '1', extend('p', 432_000)),
  paid(2700, 'bob', '48', extend('p', 1800)),
  paid(2700, 'alice', '49', extend('p', 1800)),
  paid(2700, 'operator', '48', extend('p', 1800)),
  paid(2700, 'bob', '49', extend('p', 1800)),
  // A started hour counts as whole and is paid once.
  paid(2700, 'bob', '44', extend('p', 1801)),
  paid(2700, 'bob', '45', extend('p', 1801)),
  paid(2700, 'bob', '0', extend('p', 2400)),
  paid(2700, 'bob', '0', extend('p', 2401)),
  paid(2700, 'bob', '0', update('p', 'q')),
  paid(2700, 'bob', '163', update('p', 'q')),
  paid(2700, 'bob', '500', update('p', 'q', { ...size, cpu: 0 })),
  paid(2700, 'bob', '500', update('p', 'q', { cpu: 1, memory: 1, disk: 39 })),
  paid(2700, 'bob', '500', update('p', 'q', { cpu: 2, memory: 1, disk: 40 }, 2399)),
  paid(2700, 'bob', '500', update('p', 'q', { cpu: 2, memory: 1, disk: 40 }, 0)),
  paid(2700, 'alice', '500', update('p', 'q')),
  paid(2700, 'operator', '500', update('p', 'q')),
  paid(2700, 'bob', '500', update('p', 'p')),
  paid(2700, 'bob', '500', update('p', 'a')),
  paid(2700, 'bob', '164', update('p', 'q')),
  paid(2700, 'bob', '500', update('p', 'r')),
  paid(2700, 'bob', '500', extend('p', 3000)),
  paid(2700, 'bob', '500', update('q', 's', { cpu: 2, memory: 2, disk: 80 }, 3000)),
  paid(2700, 'bob', '500', update('s', 't', { cpu: 1, memory: 2, disk: 80 }, 3000)),
  paid(2700, 'bob', '500', update('s', 't', { cpu: 2, memory: 1, disk: 80 }, 3000)),
  release(2701, 's', { whole: true }),
  release(2701, 's', { whole: true }),
  release(2701, 'q', { whole: true }),
  ask(2701, 'p', 'q', 's'),
  // Each hour is settled at its own purchase price.
  paid(2710, 'bob', '1000', create('u', 6000)),
  paid(2710, 'bob', '700', extend('u', 12_000)),
  ask(2710, 'u'),
  release(2710 + 2400, 'u'),
  paid(2720, 'bob', '1000', create('v', 6000)),
  paid(2720, 'bob', '2000', extend('v', 12_000)),
  release(2720 + 2400, 'v'),
  // In its last block; and after its end.
  paid(2720, 'bob', '1000', create('w', 6000)),
  paid(2720 + 5999, 'bob', '700', extend('w', 12_000)),
  paid(2720 + 6001, 'bob', '700', update('w', 'w2', { cpu: 2, memory: 1, disk: 40 }, 12_000)),
  paid(2720 + 6001, 'bob', '1400', update('w', 'w2', { cpu: 2, memory: 1, disk: 40 }, 12_000)),
  release(2720 + 20_000, 'w2'),
  // Blocks within a started hour add to the payment of the last hours, and are earned when those are used.
  paid(2730, 'bob', '1000', create('x1', 601)),
  paid(2730, 'bob', '70', extend('x1', 1200)),
  paid(2730, 'bob', '700', extend('x1', 1800)),
  paid(2730, 'bob', '0', extend('x1', 1801)),
  paid(2730, 'bob', '375', extend('x1', 1801)),
  paid(2730, 'bob', '11', extend('x1', 1900)),
  ask(2730, 'x1'),
  release(2730 + 1801, 'x1'),
  // The minimum price stays seven tenths of the first hours' price, through extensions and replacements.
  paid(2740, 'bob', '100', create('y1', 600)),
  paid(2740, 'bob', '70', extend('y1', 1200)),
  paid(2740, 'bob', '119', extend('y1', 2400)),
  paid(2740, 'bob', '139', extend('y1', 2400)),
  paid(2740, 'bob', '140', extend('y1', 2400)),
  paid(2740, 'bob', '217', update('y1', 'y2')),
  paid(2740, 'bob', '279', update('y1', 'y2')),
  paid(2740, 'bob', '280', update('y1', 'y2')),
  paid(2740, 'bob', '279', update('y2', 'y3')),
  paid(2740, 'bob', '280', update('y2', 'y3')),
  paid(2740, 'bob', '69', extend('y3', 3000)),
  paid(2740, 'bob', '4000', update('y3', 'y4')),
  paid(2740, 'bob', '699', extend('y4', 3000)),
  paid(2740, 'bob', '700', extend('y4', 3000)),
  release(2740, 'y4'),
  // The limit is 720 hours from the start.
  paid(2750, 'bob', '1000', create('z1', 432_001)),
  paid(2750, 'bob', '1000', create('z1', 4_294_967_295)),
  paid(2750, 'bob', '1000', create('z1', 431_400)),
  paid(2750, 'bob', '1000', extend('z1', 432_001)),
  paid(2750, 'operator', '1000', extend('z1', 432_001)),
  paid(2750, 'bob', '1000', update('z1', 'z2', size, 432_001)),
  paid(2750, 'bob', '1', extend('z1', 432_000)),
  paid(2750, 'bob', '1', extend('z1', 432_600)),
  release(2750, 'z1'),
  // Sums at their limits.
  paid(3000, 'carol', '1', create('j', 600)),
  release(3000, 'j'),
  paid(3000, 'carol', '340282366920938463463374607431768211455', create('k', 7200)),
  paid(3000, 'carol', '340282366920938463463374607431768211455', create('k2', 7200)),
  paid(3000, 'carol', '340282366920938463463374607431768211455', extend('k', 7800)),
  paid(3000, 'carol', '1', extend('k', 4_294_967_295)),
  paid(3000, 'carol', '340282366920938463463374607431768211455', update('k', 'k2', size, 7800)),
  release(3601, 'k2'),
  paid(3700, 'carol', '340282366920938463463374607431768211456', create('l', 7200)),
  paid(3700, 'carol', '-1', create('l', 7200)),
  paid(3700, 'carol', 1, create('l', 7200)),
  // Invalid orders.
  paid(3700, 'carol', '1', create('l', 599)),
  paid(3700, 'carol', '1', create('l', 600, { ...size, cpu: 0 })),
  paid(3700, 'carol', '1', create('l', 600, { ...size, cpu: -1 })),
  paid(3700, 'carol', '1', create('l', 600, { ...size, cpu: '1' })),
  paid(3700, 'carol', '1', create('l', 600, { ...size, cpu: 4_294_967_296 })),
  paid(3700, 'carol', '1', create('l', 600, { cpu: 1, memory: 1 })),
  paid(3700, 'carol', '1', create('l', 600, { ...size, gpu: 1 })),
  paid(3700, 'carol', '1', create('')),
  paid(3700, 'carol', '1', create('x'.repeat(65))),
  paid(3700, 'carol', '1', create('订'.repeat(65))),
  paid(3700, 'carol', '1', create('x y')),
  paid(3700, 'carol', '1', create("x'y")),
  paid(3700, 'carol', '1', create('x\u0000')),
  paid(3700, 'carol', '1', create('x\n')),
  paid(3700, 'carol', '1', create('é')),
  paid(3700, 'carol', '1', create('A_b-1.9'.padEnd(64, 'x'))),
  release(3700, 'A_b-1.9'.padEnd(64, 'x')),
  paid(3700, 'carol', '1', 'not json'),
  paid(3700, 'carol', '1', {}),
  paid(3700, 'carol', '1', { ...create('l'), ...create('m'), extend_order: {} }),
  paid(3700, 'carol', '1', { StealOrder: { order_id: 'a' } }),
  paid(3700, 'carol', '1', create('l', 600, { ...size, cpu: 41 })),
  paid(3700, 'carol', '1', create('l', 600, { ...size, memory: 61 })),
  // Only the token contract may report payments.
  paid(3700, 'carol', '1', create('l'), 'carol'),
  paid(3700, 'carol', '1', create('l'), 'operator'),
  { height: 3700, from: 'token', execute: { receive: { sender: 'carol', amount: '1', msg: {}, more: 1 } } },
  { height: 3700, from: 'operator', execute: { release_order: { order_id: 'h', all: true } } },
  { height: 3700, from: 'operator', execute: { release_order: { order_id: 'h', whole: 'yes' } } },
  { height: 3700, from: 'operator', execute: { release_order: {} } },
  { height: 3700, from: 'operator', execute: { migrate: {} } },
  { height: 3700, query: { escrow: {} } },
]

/** Random requests in random order. */
function chance(count: number): Step[] {
  let seed = 11
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  let height = 4000
  const one = (_: unknown, step: number): Step => {
    height += random(8) === 0 ? random(600) : random(3)
    // Ids are used once, so move on. Most requests come from the owner.
    const number = Math.floor(step / 15) + random(6)
    const id = `r${number}`
    const some = () => `r${Math.floor(step / 15) + random(9)}`
    const who = ['alice', 'bob', 'carol'][(number + (random(5) === 0 ? 1 : 0)) % 3] as string
    const amount = String(random(100_000))
    const resource = { cpu: 1 + random(4), memory: 1 + random(4), disk: 40 * (1 + random(3)) }
    const duration = 300 * (1 + random(60))
    return [
      () => paid(height, who, amount, create(id, duration, resource)),
      () => paid(height, who, amount, create(id, duration, resource)),
      () => paid(height, who, amount, { extend_order: { order_id: id, duration } }),
      () => paid(height, who, amount, extend(id, duration)),
      () => paid(height, who, amount, update(id, some(), resource, duration)),
      () => paid(height, who, amount, update(id, some(), resource, duration)),
      () => release(height, id, random(3) === 0 ? { whole: true } : {}),
      () => ask(height, id, some()),
      () => ({ height, query: { escrow: {} } }),
    ][random(9)]!()
  }
  return Array.from({ length: count }, one)
}

it('answers as recorded', async () => {
  const call = createContract()
  const lines = [...told, ...chance(600)].map((step) => JSON.stringify({ ...step, ...call(step) }))
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(VECTORS)
})
