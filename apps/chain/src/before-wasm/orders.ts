import { fromBase64, fromUtf8 } from '@cosmjs/encoding'
import type { FormerCall as Call, FormerCode, FormerOutcome as Outcome } from './code.ts'
import { BLOCKS_PER_HOUR, higherPrice, hoursOf, isTooCheap, type Lot, refundOf, usedHours } from './lots.ts'
import { number, optional, readVariant, strictFields, text, uint } from './messages.ts'

/**
 * The orders contract of these blocks. Under the first rules an order had one price for all its hours and no maximum duration.
 */

/** Rules version from which an order stores the price of each lot of hours. */
const LOTS = 2
/** Maximum duration in blocks: 720 hours. */
const DURATION_MAX = 720 * BLOCKS_PER_HOUR

interface Resource {
  cpu: number
  memory: number
  disk: number
}

interface Order {
  id: string
  initiator: string
  resource: Resource
  start_height: number
  /** Blocks since its start. */
  duration: number
  /** The sum of `lots`; 0 after the order has ended. */
  locked_funds: string
  /** In order from the start; absent from orders of the first rules and ended orders. */
  lots?: Lot[]
  /** Purchase price of the first hours, or of those of the replaced order if higher. */
  rate?: Lot
  /** Ended by the operator at this height with this refund. */
  released?: { height: number; refund: string }
  /** Id of the order that replaced it. */
  replaced_by?: string
}

interface Config {
  token: string
  operator: string
  treasury: string
  /** Total resources of all orders; no limit if absent. */
  capacity?: Resource
}

const orderKey = (id: string) => `order/${id}`
const config = ({ storage }: Pick<Call, 'storage'>): Config => JSON.parse(storage.get('config') ?? '{}') as Config

function find({ storage }: Pick<Call, 'storage'>, id: string): Order | undefined {
  const found = storage.get(orderKey(id))
  return found === undefined ? undefined : (JSON.parse(found) as Order)
}
const save = ({ storage }: Call, order: Order) => storage.set(orderKey(order.id), JSON.stringify(order))

const isActive = (order: Order, height: number): boolean =>
  !order.released && !order.replaced_by && height < order.start_height + order.duration

/** An active order of this sender. */
function ownActive(call: Call, id: string, owner: string | undefined): Order {
  const order = find(call, id)
  if (!order) throw new Error('Order Not Found')
  if (order.initiator !== owner) throw new Error('Unauthorized')
  if (!isActive(order, call.height)) throw new Error('Bad request: the order has ended')
  return order
}

/** Under the first rules, all payments of an order form one lot. */
const lotsOf = ({ lots, duration, locked_funds }: Order): Lot[] =>
  lots ?? (locked_funds === '0' ? [] : [{ hours: hoursOf(duration), amount: locked_funds }])
const rateOf = (order: Order): Lot | undefined => order.rate ?? lotsOf(order)[0]

/**
 * Extending or replacing an order costs at least seven tenths of the first price per hour. Later purchases do not lower that limit:
 * otherwise repeated discounts would lead to free hours.
 */
function requireMinimumPrice(order: Order, amount: bigint, hours: number): void {
  const rate = rateOf(order)
  if (rate && isTooCheap(rate, amount, hours)) throw new Error('Insufficient funds')
}

function requireShort({ rules }: Call, duration: number): void {
  if (rules >= LOTS && duration > DURATION_MAX) throw new Error('Bad request: an order lasts 720 hours at most')
}

/** An order with one lot; `rate`: that of the replaced order. */
function firstLot({ rules }: Call, duration: number, amount: bigint, rate?: Lot): Partial<Order> {
  if (rules < LOTS) return {}
  const lot = { hours: hoursOf(duration), amount: String(amount) }
  return { lots: [lot], rate: rate ? higherPrice(rate, lot) : lot }
}

/** The lots after buying more hours. */
function withMoreHours({ rules }: Call, order: Order, hours: number, amount: bigint): Partial<Order> {
  if (rules < LOTS) return {}
  const lots = lotsOf(order)
  const last = lots.at(-1)
  const rate = rateOf(order)
  // Blocks within an hour that is already paid add their payment to the last lot.
  const next =
    hours === 0 && last
      ? [...lots.slice(0, -1), { ...last, amount: String(sum(BigInt(last.amount), amount)) }]
      : [...lots, { hours, amount: String(amount) }]
  return { lots: next, ...(rate && { rate }) }
}

const refundAt = (order: Order, height: number): bigint =>
  refundOf(lotsOf(order), usedHours(order.start_height, height))

/** The record of an ended order, without funds. */
function withoutFunds({ lots: _, rate: __, ...order }: Order): Order {
  return { ...order, locked_funds: '0' }
}

const MOST = (1n << 128n) - 1n

/** Adds unsigned 128-bit integers. */
function sum(a: bigint, b: bigint): bigint {
  if (a + b > MOST) throw new Error(`Cannot Add with ${a} and ${b}`)
  return a + b
}

function hold(call: Call, resource: Resource, sign: 1 | -1): void {
  const held = JSON.parse(call.storage.get('held') ?? '{"cpu":0,"memory":0,"disk":0}') as Resource
  const { capacity } = config(call)
  const next = { cpu: 0, memory: 0, disk: 0 }
  for (const key of ['cpu', 'memory', 'disk'] as const) {
    next[key] = held[key] + sign * resource[key]
    if (sign > 0 && capacity && next[key] > capacity[key]) throw new Error('Insufficient Capacity')
  }
  call.storage.set('held', JSON.stringify(next))
}

function lock(call: Call, amount: bigint): void {
  call.storage.set('escrow', String(sum(BigInt(call.storage.get('escrow') ?? '0'), amount)))
}

/** Settles an order: the used part to the treasury, the rest to the payer. */
function settle(call: Call, order: Order, refund: bigint): NonNullable<Outcome['calls']> {
  const { token, treasury } = config(call)
  const locked = BigInt(order.locked_funds)
  lock(call, -locked)
  hold(call, order.resource, -1)
  const pay = (recipient: string, amount: bigint) =>
    amount > 0n ? [{ contract: token, message: { transfer: { recipient, amount: String(amount) } } }] : []
  return [...pay(order.initiator, refund), ...pay(treasury, locked - refund)]
}

const resources = { cpu: number, memory: number, disk: number }

function checked(call: Call, resource: Resource, duration: number): void {
  if (resource.cpu < 1 || resource.memory < 1 || resource.disk < 1 || duration < BLOCKS_PER_HOUR)
    throw new Error('Bad request: an order needs cpu, memory, disk and an hour at least')
  requireShort(call, duration)
}

/** Ids appear in queries and databases, so allow only safe characters. */
function checkId(id: string, field: string): void {
  if (!/^[\w.-]{1,64}$/.test(id)) throw new Error(`Bad request: ${field}`)
}

/** Messages accepted with a payment, in the spelling of the portal and of Rust. */
const paid: Record<string, (call: Call, body: Record<string, unknown>, payer: string, amount: bigint) => Outcome> = {
  create_order(call, body, payer, amount) {
    const { order_id, duration, ...resource } = strictFields(body, { order_id: text, duration: number, ...resources })
    checked(call, resource, duration)
    checkId(order_id, 'order_id')
    if (amount === 0n) throw new Error('Insufficient funds')
    if (find(call, order_id)) throw new Error('Order Already exists')
    hold(call, resource, 1)
    lock(call, amount)
    save(call, {
      id: order_id,
      initiator: payer,
      resource,
      start_height: call.height,
      duration,
      locked_funds: String(amount),
      ...firstLot(call, duration, amount),
    })
    return { attributes: { action: 'create_order', order_id, initiator: payer, amount: String(amount) } }
  },
  update_order(call, body, payer, amount) {
    const { order_id, new_order_id, duration, ...resource } = strictFields(body, {
      order_id: text,
      new_order_id: text,
      duration: number,
      ...resources,
    })
    checked(call, resource, duration)
    const order = ownActive(call, order_id, payer)
    checkId(new_order_id, 'new_order_id')
    if (find(call, new_order_id)) throw new Error('Order Already exists')
    if (
      resource.cpu < order.resource.cpu ||
      resource.memory < order.resource.memory ||
      resource.disk < order.resource.disk
    )
      throw new Error('Bad request: an order is replaced by a larger one')
    if (duration < order.duration) throw new Error('Shortened Duration')
    requireMinimumPrice(order, amount, hoursOf(duration))
    const refund = refundAt(order, call.height)
    const calls = settle(call, order, refund)
    save(call, { ...withoutFunds(order), replaced_by: new_order_id })
    hold(call, resource, 1)
    lock(call, amount)
    save(call, {
      id: new_order_id,
      initiator: payer,
      resource,
      start_height: call.height,
      duration,
      locked_funds: String(amount),
      ...firstLot(call, duration, amount, rateOf(order)),
    })
    return {
      attributes: { action: 'update_order', order_id, new_order_id, amount: String(amount), refund: String(refund) },
      calls,
    }
  },
  extend_order(call, body, payer, amount) {
    const { order_id, duration } = strictFields(body, { order_id: text, duration: number })
    // The operator may extend any order from the payer's allowance; refunds still go to the payer.
    const { operator } = config(call)
    const order = ownActive(call, order_id, payer === operator ? find(call, order_id)?.initiator : payer)
    if (duration <= order.duration) throw new Error('Shortened Duration')
    requireShort(call, duration)
    const hours = hoursOf(duration) - hoursOf(order.duration)
    requireMinimumPrice(order, amount, hours)
    lock(call, amount)
    const locked_funds = String(sum(BigInt(order.locked_funds), amount))
    save(call, { ...order, duration, locked_funds, ...withMoreHours(call, order, hours, amount) })
    return { attributes: { action: 'extend_order', order_id, duration: String(duration), amount: String(amount) } }
  },
}

const spelled: Record<string, string> = {
  CreateOrder: 'create_order',
  UpdateOrder: 'update_order',
  ExtendOrder: 'extend_order',
}

function receive(call: Call, body: Record<string, unknown>): Outcome {
  const { sender, amount, msg } = strictFields(body, { sender: text, amount: uint, msg: text })
  // Anyone can call this, so accept only reports of the token contract.
  if (call.sender !== config(call).token) throw new Error('Unauthorized')
  let inner: unknown
  try {
    inner = JSON.parse(fromUtf8(fromBase64(msg)))
  } catch {
    throw new Error('Error parsing into type: the message is not JSON')
  }
  const [name, order] = readVariant(inner, [...Object.keys(paid), ...Object.keys(spelled)])
  return (paid[spelled[name] ?? name] as NonNullable<(typeof paid)[string]>)(
    call,
    order,
    call.addressOf(sender),
    amount,
  )
}

/** Ends an order. `whole`: nothing was delivered, so the refund is full. */
function release(call: Call, body: Record<string, unknown>): Outcome {
  const { order_id, whole: everything } = strictFields(body, { order_id: text, whole: optional(flag) })
  if (call.sender !== config(call).operator) throw new Error('Unauthorized')
  const order = find(call, order_id)
  if (!order) throw new Error('Order Not Found')
  if (order.released || order.replaced_by) throw new Error('Bad request: the order has ended')
  const refund = everything ? BigInt(order.locked_funds) : refundAt(order, call.height)
  const calls = settle(call, order, refund)
  save(call, { ...withoutFunds(order), released: { height: call.height, refund: String(refund) } })
  return { attributes: { action: 'release_order', order_id, refund: String(refund) }, calls }
}

function flag(value: unknown, field: string): boolean {
  if (typeof value !== 'boolean') throw new Error(`Error parsing into type: \`${field}\` is neither true nor false`)
  return value
}

export const orders: FormerCode = {
  name: 'orders',

  instantiate(call, message) {
    const { token, operator, treasury, capacity } = message as Config
    call.storage.set(
      'config',
      JSON.stringify({
        token: call.addressOf(token),
        operator: call.addressOf(operator),
        treasury: call.addressOf(treasury),
        ...(capacity && { capacity }),
      } satisfies Config),
    )
    return { attributes: {} }
  },

  execute(call, message) {
    const [name, body] = readVariant(message, ['receive', 'release_order'])
    return name === 'receive' ? receive(call, body) : release(call, body)
  },
}
