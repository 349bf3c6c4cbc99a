import { expect, it } from 'vitest'
import { create, createContract, extend, paid, release, size, update } from './sample-contract.fixture.ts'

/** Property: a tenant who buys in any way the contract allows pays each used hour at its purchase price. */

interface Lot {
  hours: bigint
  amount: bigint
}

interface Held {
  id: string
  start: number
  duration: number
  lots: Lot[]
  /** First price per hour, of this order or the one it replaced. */
  first: Lot
}

const BLOCKS_PER_HOUR = 600
const CONFIG = { token: 'token', operator: 'operator', treasury: 'treasury' }
const hoursOf = (blocks: number) => BigInt(Math.ceil(blocks / BLOCKS_PER_HOUR))
const least = ({ hours, amount }: Lot, wanted: bigint) => (amount * wanted * 7n + hours * 10n - 1n) / (hours * 10n)
const dearer = (a: Lot, b: Lot) => (a.amount * b.hours < b.amount * a.hours ? b : a)

/** The price of the used hours as a fraction, computed hour by hour. */
function priceOf({ lots }: Held, used: bigint): { over: bigint; under: bigint } {
  let rest = used
  let [over, under] = [0n, 1n]
  for (const { hours, amount } of lots) {
    const taken = rest < hours ? rest : hours
    rest -= taken
    over = over * hours + amount * taken * under
    under *= hours
  }
  return { over, under }
}

function attack(seed: number) {
  const call = createContract(CONFIG)
  let state = seed
  const roll = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  /** Mostly the minimum accepted, or slightly less. */
  const asked = (first: Lot, hours: bigint) => {
    const most = least(first, hours)
    return [(most * 3n) / 4n, most + BigInt(roll(2000)), most, most][roll(4)] as bigint
  }
  let height = 1
  let [given, back, earned] = [0n, 0n, 0n]
  const orders = new Map<string, Held>()
  const told = { settled: 0, refused: 0 }

  const did = (step: Parameters<typeof call>[0]) => {
    const answer = call(step)
    if ('error' in answer) {
      told.refused++
      return false
    }
    const { calls = [] } = answer as { calls?: { message: unknown }[] }
    const moved = { tenant: 0n, treasury: 0n } as Record<string, bigint>
    for (const { message } of calls) {
      const { transfer } = message as { transfer: { recipient: string; amount: string } }
      moved[transfer.recipient] = (moved[transfer.recipient] ?? 0n) + BigInt(transfer.amount)
    }
    back += moved.tenant ?? 0n
    earned += moved.treasury ?? 0n
    return moved
  }
  const settled = (order: Held, moved: Record<string, bigint>) => {
    const total = hoursOf(order.duration)
    const begun = BigInt(Math.max(1, Math.ceil((height - order.start) / BLOCKS_PER_HOUR)))
    const used = begun < total ? begun : total
    const all = order.lots.reduce((sum, { amount }) => sum + amount, 0n)
    const kept = moved.treasury ?? 0n
    const { over, under } = priceOf(order, used)
    expect((moved.tenant ?? 0n) + kept).toBe(all)
    // At least the price of the hours, and less than one unit more, regardless of extensions.
    expect(kept * under >= over).toBe(true)
    expect((kept - 1n) * under < over || kept === 0n).toBe(true)
    // Regardless of how cheap later hours were.
    expect(kept * order.first.hours * 10n >= order.first.amount * used * 7n).toBe(true)
    orders.delete(order.id)
    told.settled++
  }

  for (let step = 0; step < 1500; step++) {
    height += roll(4) === 0 ? roll(2500) : roll(3)
    const known = [...orders.values()]
    const order = known[roll(known.length)]
    const id = `o${step}`
    const what = roll(8)
    if (!order || what === 0) {
      const duration = 600 + roll(6000)
      const amount = BigInt(1 + roll(5000))
      const lot = { hours: hoursOf(duration), amount }
      if (!did(paid(height, 'tenant', String(amount), create(id, duration)))) continue
      given += amount
      orders.set(id, { id, start: height, duration, lots: [lot], first: lot })
    } else if (what < 5) {
      // Mostly double, or one block more; rarely beyond the limit.
      const duration = [order.duration * 2, order.duration + 1, order.duration + roll(20_000)][roll(3)] as number
      const hours = hoursOf(duration) - hoursOf(order.duration)
      const amount = asked(order.first, hours)
      if (!did(paid(height, 'tenant', String(amount), extend(order.id, duration)))) continue
      expect(amount >= least(order.first, hours)).toBe(true)
      given += amount
      const last = order.lots.at(-1) as Lot
      if (hours === 0n) order.lots = [...order.lots.slice(0, -1), { ...last, amount: last.amount + amount }]
      else order.lots = [...order.lots, { hours, amount }]
      order.duration = duration
    } else if (what < 7) {
      const duration = order.duration + (roll(2) === 0 ? 0 : roll(3000))
      const lot = { hours: hoursOf(duration), amount: 0n }
      lot.amount = asked(order.first, lot.hours)
      const moved = did(paid(height, 'tenant', String(lot.amount), update(order.id, id, size, duration)))
      if (!moved) continue
      expect(lot.amount >= least(order.first, lot.hours)).toBe(true)
      given += lot.amount
      settled(order, moved)
      orders.set(id, { id, start: height, duration, lots: [lot], first: dearer(order.first, lot) })
    } else {
      const moved = did(release(height, order.id))
      if (moved) settled(order, moved)
    }
    const { answer } = call({ height, query: { escrow: {} } }) as { answer: { locked: string } }
    expect(BigInt(answer.locked)).toBe(given - back - earned)
  }
  return told
}

it.each([1, 2, 3, 4])('a tenant always pays the full price (seed %i)', (seed) => {
  const { settled, refused } = attack(seed)
  expect([settled > 100, refused > 10]).toEqual([true, true])
})
