import { type Condition, heightsOf, holds, holdsForEvents, parseQuery } from './query.ts'
import { Queue } from './queue.ts'
import type { Result } from './state/app.ts'
import type { ChainEvent } from './state/bank.ts'

/** A transaction in a block. */
export interface IndexedTransaction {
  hash: string
  height: number
  index: number
  bytes: Uint8Array
  result: Result
}

/** Number of recent transactions that can be searched; older ones are only in the log. */
const INDEX_MAX = 200_000

/** Events that are compared with new ones. */
const SHARED_MAX = 20_000

/** Sorted numbers of transactions. */
type Numbers = Pick<Queue<number>, 'size' | 'at'>

/** Not indexed, only compared: every transaction has its own, so an index of them is as large as all others. */
const UNINDEXED: ReadonlySet<string> = new Set(['tx.signature'])

export function createIndex(max = INDEX_MAX) {
  const byHash = new Map<string, IndexedTransaction>()
  const recent = new Queue<IndexedTransaction>()
  // Number of the oldest transaction; they are numbered in the order of their blocks.
  let oldest = 0
  // Numbers by 'type.key=value' of their events, in order.
  const byEvent = new Map<string, Queue<number>>()

  // Most events of an account's transactions are the same, such as those of fees. They are kept once: 200,000 transactions take 400 MB
  // instead of 700 MB.
  const shared = new Map<string, ChainEvent>()
  function share(event: ChainEvent): ChainEvent {
    const text = JSON.stringify(event)
    const known = shared.get(text)
    if (known) return known
    if (shared.size >= SHARED_MAX) shared.clear()
    shared.set(text, event)
    return event
  }

  const transactionAt = (number: number) => recent.at(number - oldest) as IndexedTransaction
  const keysOf = ({ events }: Result): Set<string> => {
    const keys = new Set<string>()
    for (const { type, attributes } of events)
      for (const { key, value } of attributes) {
        const name = `${type}.${key}`
        if (!UNINDEXED.has(name)) keys.add(`${name}=${value}`)
      }
    return keys
  }

  function removeOldest(): void {
    const removed = recent.shift() as IndexedTransaction
    oldest++
    if (byHash.get(removed.hash) === removed) byHash.delete(removed.hash)
    for (const key of keysOf(removed.result)) {
      const list = byEvent.get(key)
      list?.shift()
      if (list?.size === 0) byEvent.delete(key)
    }
  }

  return {
    get count() {
      return recent.size
    },
    find: (hash: string): IndexedTransaction | undefined => byHash.get(hash),
    add({ result, ...rest }: IndexedTransaction): void {
      const tx = { ...rest, result: { ...result, events: result.events.map(share) } }
      const number = oldest + recent.size
      byHash.set(tx.hash, tx)
      recent.push(tx)
      for (const key of keysOf(tx.result)) {
        const list = byEvent.get(key)
        if (list) list.push(number)
        else byEvent.set(key, new Queue(number))
      }
      if (recent.size > max) removeOldest()
    },
    /** Transactions that match a CometBFT query, oldest first. */
    search(query: string): IndexedTransaction[] {
      const conditions = parseQuery(query)
      // Clients look for one transaction in this way, again and again until it is there.
      const wanted = conditions.find(({ key, sign }) => key === 'tx.hash' && sign === '=')
      const only = wanted && byHash.get(wanted.value.toUpperCase())
      if (wanted) return only && conditions.every((condition) => isMet(condition, only)) ? [only] : []
      const heights = heightsOf(conditions, 'tx.height', Number.MAX_SAFE_INTEGER)
      const all: Numbers = { size: recent.size, at: (position) => oldest + position }
      const exact: Numbers[] = []
      const others: Condition[] = []
      for (const condition of conditions) {
        const { key, sign, value } = condition
        if (key === 'tx.height' && sign !== 'CONTAINS') continue
        if (sign === '=' && !UNINDEXED.has(key) && key !== 'tm.event')
          exact.push(byEvent.get(`${key}=${value}`) ?? new Queue<number>())
        else others.push(condition)
      }
      const [shortest = all, ...rest] = exact.sort((one, other) => one.size - other.size)
      const found: IndexedTransaction[] = []
      // Heights ascend with the numbers.
      const from = firstFrom(shortest, (number) => transactionAt(number).height >= heights.from)
      for (let position = from; position < shortest.size; position++) {
        const number = shortest.at(position) as number
        const tx = transactionAt(number)
        if (tx.height > heights.to) break
        if (rest.every((list) => list.at(firstFrom(list, (each) => each >= number)) === number))
          if (others.every((condition) => isMet(condition, tx))) found.push(tx)
      }
      return found
    },
  }
}

/** Whether a transaction meets a condition of a query. */
export function isMet(condition: Condition, { hash, height, result }: IndexedTransaction): boolean {
  if (condition.key === 'tm.event') return holds(condition, 'Tx')
  if (condition.key === 'tx.hash') return holds({ ...condition, value: condition.value.toUpperCase() }, hash)
  if (condition.key === 'tx.height') return holds({ ...condition, isNumber: true }, String(height))
  return holdsForEvents(condition, result.events)
}

/** Position of the first number of a sorted list for which `isAfter` holds, as it does for all later ones. */
function firstFrom(list: Numbers, isAfter: (number: number) => boolean): number {
  let low = 0
  let high = list.size
  while (low < high) {
    const middle = (low + high) >> 1
    if (isAfter(list.at(middle) as number)) high = middle
    else low = middle + 1
  }
  return low
}
