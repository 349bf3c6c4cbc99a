import { expect, it } from 'vitest'
import { create, extend, update } from './sample-contract.fixture.ts'
import { addressOf, createTenants, GAS_OFFERED, type OrderShown, packed, WEALTH } from './sample-tenants.fixture.ts'

/**
 * Property: tenants and strangers do whatever the wasm of both contracts lets them. Money neither appears nor disappears, each used hour is
 * paid at what it was bought for, nobody changes another's order, and everything fits into the gas that a portal offers. What is accepted is
 * told in `contracts/orders/tests/tenant.rs`; this is about what it leads to.
 */
const TENANTS = ['alice', 'bob', 'mallory']
const OPERATORS = ['operator', 'next']
const UNIT = 10n ** 18n
const HOUR = 3600
const LONGEST = 432_000

/** How often each call is accepted and refused at least. */
const LEAST: Record<string, [accepted: number, refused: number]> = {
  create: [40, 40],
  extend: [10, 50],
  'extend of another': [0, 50],
  update: [5, 40],
  'pay from an allowance': [2, 20],
  release: [7, 3],
  'release by its payer': [2, 20],
  'release by a stranger': [0, 10],
  renew: [5, 40],
  free_expired: [20, 0],
  operator: [15, 20],
  update_config: [10, 10],
  recover: [15, 5],
  'order with another token': [0, 20],
  'receive without a token': [0, 20],
  'order with coins': [0, 20],
}

const hoursOf = (blocks: number) => Math.ceil(blocks / 600)
/** 70 % of the price of hours, rounded up. */
const least = ({ hours, amount }: { hours: number; amount: bigint }, wanted: number) =>
  (amount * BigInt(wanted) * 7n + BigInt(hours) * 10n - 1n) / (BigInt(hours) * 10n)
/** Hour by hour; a part of a unit counts as a whole one. */
function earned({ lots, start_time }: OrderShown, now: number): bigint {
  let used = BigInt(Math.max(1, Math.ceil((now - start_time) / HOUR)))
  let sum = 0n
  for (const lot of lots) {
    const hours = BigInt(lot.hours)
    const taken = used < hours ? used : hours
    used -= taken
    sum += (BigInt(lot.amount) * taken + hours - 1n) / hours
  }
  return sum
}

function play(seed: number, steps: number) {
  const world = createTenants(TENANTS)
  const { orders, tokens, context, execute, pay } = world
  const [token, other] = tokens
  let state = seed
  const roll = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const oneOf = <T>(list: readonly T[]): T => list[roll(list.length)] as T
  const told: Record<string, [number, number]> = {}
  const known: { payer: string; id: string }[] = []
  /** First prices, also of orders in whose place others came. */
  const first = new Map<string, { hours: number; amount: bigint }>()
  const keyOf = (payer: string, id: string) => `${payer}/${id}`
  let operator = 'operator'
  let next = ''

  const tell = (call: string, done: ReturnType<typeof execute>) => {
    const [accepted, refused] = told[call] ?? [0, 0]
    told[call] = done ? [accepted + 1, refused] : [accepted, refused + 1]
    if (done) expect(done.gas, call).toBeLessThan(GAS_OFFERED - 100_000n)
    return done
  }
  const now = () => Math.floor(context.time / 1000)
  const refundOf = (done: { attributes: { key: string; value: string }[] }) =>
    BigInt(done.attributes.find(({ key }) => key === 'refund')?.value ?? -1)
  const anyone = () => oneOf([...TENANTS, ...OPERATORS, 'treasury', 'stranger'])
  const someOrder = () => {
    const recent = known.slice(-60)
    const runs = ({ payer, id }: (typeof known)[number]) => world.order(payer, id)?.status === 'Active'
    const found = [1, 2, 3].map(() => oneOf(recent)).find((each, at) => each && (at === 2 || runs(each)))
    const { payer, id } = found ?? { payer: 'alice', id: 'none' }
    return { payer, id, order: world.order(payer, id) }
  }
  const amountAround = (amount: bigint) => oneOf([amount, amount, amount + BigInt(roll(1000)) * UNIT, amount - 1n])
  const began = (payer: string, id: string, duration: number, amount: bigint, before?: string) => {
    const lot = { hours: hoursOf(duration), amount }
    const was = before === undefined ? undefined : first.get(keyOf(payer, before))
    const isDearer = was !== undefined && was.amount * BigInt(lot.hours) > amount * BigInt(was.hours)
    first.set(keyOf(payer, id), isDearer ? was : lot)
    known.push({ payer, id })
  }
  const cpu = () => ({ cpu: 1 + roll(4), memory: 1 + roll(4), disk: 1 + roll(40) })
  const newId = (step: number) => `o${Math.floor(step / 20) + roll(10)}`

  const moves: Record<string, (step: number) => string[]> = {
    create(step) {
      const [payer, id] = [oneOf(TENANTS), newId(step)]
      const duration = oneOf([600, 6000, 60_000]) + roll(5000)
      const amount = BigInt(1 + roll(2000)) * UNIT * BigInt(hoursOf(duration))
      if (tell('create', pay(payer, amount, create(id, duration, cpu())))) began(payer, id, duration, amount)
      return [keyOf(payer, id)]
    },
    extend() {
      const { payer, id, order } = someOrder()
      if (!order) return []
      const duration = oneOf([order.duration + 600, order.duration + 1, order.duration * 2, LONGEST, LONGEST + 1])
      const hours = hoursOf(duration) - hoursOf(order.duration)
      const price = first.get(keyOf(payer, id)) ?? { hours: 1, amount: 0n }
      const amount = amountAround(least(price, hours))
      const done = tell('extend', amount < 0n ? undefined : pay(payer, amount, extend(id, duration)))
      if (done) expect(amount >= least(price, hours) && duration <= LONGEST).toBe(true)
      const stranger = TENANTS.find((each) => each !== payer && !world.order(each, id))
      if (stranger) tell('extend of another', pay(stranger, amount + UNIT, extend(id, LONGEST)))
      return [keyOf(payer, id)]
    },
    update(step) {
      const { payer, id, order } = someOrder()
      if (!order) return []
      const to = newId(step)
      const size = { ...order.resource, cpu: order.resource.cpu + roll(3) - (roll(6) === 0 ? 1 : 0) }
      const duration = order.duration + roll(2000) - roll(200)
      const price = first.get(keyOf(payer, id)) ?? { hours: 1, amount: 0n }
      const amount = amountAround(least(price, hoursOf(duration)))
      const expected = BigInt(order.locked) - earned(order, now())
      const done = tell('update', pay(payer, amount, update(id, to, size, duration)))
      if (done) {
        expect(refundOf(done)).toBe(expected)
        expect(amount >= least(price, hoursOf(duration))).toBe(true)
        began(payer, to, duration, amount, id)
      }
      return [keyOf(payer, id), keyOf(payer, to)]
    },
    payFromAnAllowance(step) {
      const [owner, spender] = [oneOf(TENANTS), oneOf(TENANTS)]
      if (roll(4) === 0)
        execute(addressOf(owner), token, {
          increase_allowance: { spender: addressOf(spender), amount: String(UNIT * 500n) },
        })
      const id = newId(step)
      const amount = UNIT * BigInt(1 + roll(100))
      const message = {
        owner: addressOf(owner),
        contract: orders,
        amount: String(amount),
        msg: packed(create(id, 600)),
      }
      // The order is that of who spends.
      if (tell('pay from an allowance', execute(addressOf(spender), token, { send_from: message })))
        began(spender, id, 600, amount)
      return [keyOf(spender, id)]
    },
    release() {
      const { payer, id, order } = someOrder()
      if (!order) return []
      const [kind, caller] = oneOf([
        ['release', operator],
        ['release by its payer', payer],
        ['release by its payer', payer],
        ['release by a stranger', oneOf(['stranger', 'treasury', ...TENANTS].filter((each) => each !== payer))],
      ]) as [string, string]
      const message = { release_order: { order_id: id, payer: addressOf(payer) } }
      const done = tell(kind, execute(addressOf(caller), orders, message))
      if (done) {
        const kept = kind === 'release' ? earned(order, now()) : 0n
        expect(refundOf(done)).toBe(BigInt(order.locked) - kept)
        // Its operator had a month to collect it.
        if (kind !== 'release') expect(now() >= order.start_time + order.duration * 6 + 720 * HOUR).toBe(true)
      }
      return [keyOf(payer, id)]
    },
    renew() {
      const { payer, id, order } = someOrder()
      if (!order) return []
      if (roll(2) === 0)
        execute(addressOf(payer), token, { increase_allowance: { spender: orders, amount: String(UNIT * 3000n) } })
      const caller = oneOf([operator, operator, anyone()])
      const hours = 1 + roll(4)
      const price = first.get(keyOf(payer, id)) ?? { hours: 1, amount: 0n }
      const most = (price.amount * BigInt(hours)) / BigInt(price.hours)
      const amount = oneOf([most, most, most + 1n, least(price, hours)])
      const duration = (hoursOf(order.duration) + hours) * 600
      const before = world.allowance(payer)
      const message = { renew_order: { order_id: id, payer: addressOf(payer), duration, amount: String(amount) } }
      const done = tell('renew', execute(addressOf(caller), orders, message))
      if (done) expect([caller, amount <= most]).toEqual([operator, true])
      expect(world.allowance(payer)).toBe(done ? before - amount : before)
      return [keyOf(payer, id)]
    },
    free() {
      tell(
        'free_expired',
        execute(addressOf(anyone()), orders, { free_expired: roll(2) === 0 ? {} : { limit: roll(3) } }),
      )
      return []
    },
    govern() {
      const proposer = oneOf([operator, anyone()])
      const named = oneOf(OPERATORS)
      const proposal = { propose_operator: { operator: addressOf(named) } }
      if (tell('operator', execute(addressOf(proposer), orders, proposal))) {
        expect(proposer).toBe(operator)
        next = named
      }
      const accepter = oneOf([named, anyone()])
      if (tell('operator', execute(addressOf(accepter), orders, { accept_operator: {} }))) {
        expect(accepter).toBe(next)
        ;[operator, next] = [accepter, '']
      }
      const caller = oneOf([operator, anyone()])
      const floor = { cpu: String(UNIT * BigInt(roll(150)) * 1_000_000n), memory: '1', disk: '0' }
      const config = { floor, capacity: { cpu: 100 + roll(60), memory: 400, disk: 4000 } }
      if (tell('update_config', execute(addressOf(caller), orders, { update_config: config })))
        expect(caller).toBe(operator)
      return []
    },
    recover() {
      const from = oneOf(TENANTS)
      const which = oneOf(tokens)
      const amount = UNIT * BigInt(1 + roll(50))
      execute(addressOf(from), which, { transfer: { recipient: orders, amount: String(amount) } })
      world.giveCoins(orders, 7n)
      const caller = oneOf([operator, operator, anyone()])
      if (tell('recover', execute(addressOf(caller), orders, { recover: { token: which, denom: 'utide' } }))) {
        expect(caller).toBe(operator)
        const { locked } = world.ask<{ locked: string }>(orders, { escrow: {} })
        expect(world.balance(which, orders)).toBe(which === token ? BigInt(locked) : 0n)
        expect(world.coinsOf(orders)).toBe(0n)
      }
      return []
    },
    forge(step) {
      const order = create(newId(step), 600)
      tell('order with another token', pay('mallory', UNIT, order, other))
      const receive = { receive: { sender: addressOf('mallory'), amount: String(UNIT), msg: packed(order) } }
      tell('receive without a token', execute(addressOf(anyone()), orders, receive))
      tell('order with coins', execute(addressOf('mallory'), orders, { free_expired: {} }, 5))
      return []
    },
  }

  const shown = () => {
    const recent = known.slice(-100)
    const keys = recent.map(({ payer, id }) => ({ payer: addressOf(payer), order_id: id }))
    const list = world.ask<OrderShown[]>(orders, { orders_by_key: { keys } })
    return new Map(recent.map(({ payer, id }, at) => [keyOf(payer, id), JSON.stringify({ ...list[at], status: '' })]))
  }
  const weighted = [
    ...['create', 'create', 'create', 'extend', 'extend', 'extend', 'update', 'update', 'release', 'release'],
    ...['payFromAnAllowance', 'renew', 'renew', 'free', 'govern', 'recover', 'forge'],
  ]
  const holders = [...TENANTS, ...OPERATORS, 'treasury', 'stranger'].map(addressOf)
  for (let step = 0; step < steps; step++) {
    context.height++
    context.time += 1000 * oneOf([1, 7, 30, 30, 1800, roll(3 * HOUR), roll(30) === 0 ? 500 * HOUR : 1])
    const before = shown()
    const touched = moves[oneOf(weighted)]?.(step)
    const after = shown()
    for (const [key, order] of before)
      if (!touched?.includes(key)) expect([key, after.get(key) ?? order]).toEqual([key, order])
    const { locked } = world.ask<{ locked: string }>(orders, { escrow: {} })
    expect(BigInt(locked) <= world.balance(token, orders)).toBe(true)
    // These are many questions.
    for (const each of step % 10 === 0 ? tokens : []) {
      const sum = [...holders, orders].reduce((all, address) => all + world.balance(each, address), 0n)
      expect(sum).toBe(WEALTH * BigInt(TENANTS.length))
    }
  }
  const all = known.map(({ payer, id }) => world.order(payer, id) as OrderShown)
  const { locked } = world.ask<{ locked: string }>(orders, { escrow: {} })
  expect(BigInt(locked)).toBe(all.reduce((sum, order) => sum + BigInt(order.locked), 0n))
  for (let at = 0; at < known.length; at += 100) execute(addressOf('stranger'), orders, { free_expired: {} })
  const running = all.filter(({ status }) => status === 'Active').reduce((sum, { resource }) => sum + resource.cpu, 0)
  expect(world.ask<{ held: { cpu: number } }>(orders, { escrow: {} }).held.cpu).toBe(running)
  return told
}

/** @param times how often `LEAST` has to be reached */
function check(told: ReturnType<typeof play>, times: number) {
  expect(Object.keys(told).sort()).toEqual(Object.keys(LEAST).sort())
  for (const [call, [accepted, refused]] of Object.entries(LEAST)) {
    const [was = 0, not = 0] = told[call] ?? []
    expect(was, call).toBeGreaterThanOrEqual(accepted * times)
    expect(not, call).toBeGreaterThanOrEqual(refused * times)
    // Nobody may do it at all.
    if (accepted === 0) expect(was, call).toBe(0)
  }
}

it('whatever tenants do, nobody gets more than was paid for', { timeout: 240_000 }, () => {
  check(play(1, 800), 1)
})

it.each([2, 3])('also for longer (seed %i)', { tags: ['long'], timeout: 600_000 }, (seed) => {
  const told = play(seed, 2000)
  const rows = Object.entries(told).map(([call, [accepted, refused]]) => [call, { accepted, refused }])
  console.table(Object.fromEntries(rows))
  check(told, 2)
})
