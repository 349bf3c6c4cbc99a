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

/** `type.key='value'`, `type.key CONTAINS 'value'` and heights, joined by AND. */
type Condition = (tx: IndexedTransaction) => boolean

export function createIndex() {
  const byHash = new Map<string, IndexedTransaction>()
  // Hashes by 'type.key=value' of their events, oldest first.
  const byEvent = new Map<string, string[]>()

  const keysOf = ({ events }: Result): Set<string> =>
    new Set(events.flatMap(({ type, attributes }) => attributes.map(({ key, value }) => `${type}.${key}=${value}`)))

  return {
    get count() {
      return byHash.size
    },
    find: (hash: string): IndexedTransaction | undefined => byHash.get(hash),
    add(tx: IndexedTransaction): void {
      byHash.set(tx.hash, tx)
      for (const key of keysOf(tx.result)) {
        const list = byEvent.get(key)
        if (list) list.push(tx.hash)
        else byEvent.set(key, [tx.hash])
      }
      if (byHash.size <= INDEX_MAX) return
      const [oldest] = byHash.values()
      if (!oldest) return
      byHash.delete(oldest.hash)
      for (const key of keysOf(oldest.result)) {
        const list = byEvent.get(key)
        if (list?.[0] === oldest.hash) list.shift()
        if (list?.length === 0) byEvent.delete(key)
      }
    },
    /** Transactions that match a CometBFT query, oldest first. */
    search(query: string): IndexedTransaction[] {
      const conditions: Condition[] = []
      let exact: string[] | undefined
      for (const part of query.split(/\s+AND\s+/i)) {
        const [, name = '', sign = '', text] =
          /^\s*([\w.-]+)\s*(=|>=|<=|>|<|CONTAINS)\s*(?:'((?:[^'\\]|\\.)*)'|\d+)\s*$/i.exec(part) ?? []
        const value = text ?? /(\d+)\s*$/.exec(part)?.[1]
        if (!name || value === undefined) throw new Error(`failed to parse query: ${part.trim().slice(0, 80)}`)
        if (name === 'tm.event') continue
        if (name === 'tx.hash') conditions.push((tx) => tx.hash === value.toUpperCase())
        else if (name === 'tx.height') conditions.push((tx) => compare(tx.height, sign, Number(value)))
        else if (sign.toUpperCase() === 'CONTAINS') conditions.push((tx) => contains(tx.result.events, name, value))
        else {
          const hashes = byEvent.get(`${name}=${value}`) ?? []
          if (!exact || hashes.length < exact.length) exact = hashes
          conditions.push((tx) => keysOf(tx.result).has(`${name}=${value}`))
        }
      }
      const among = exact ? exact.flatMap((hash) => byHash.get(hash) ?? []) : [...byHash.values()]
      return among.filter((tx) => conditions.every((holds) => holds(tx)))
    },
  }
}

function compare(height: number, sign: string, value: number): boolean {
  if (sign === '>=') return height >= value
  if (sign === '<=') return height <= value
  if (sign === '>') return height > value
  if (sign === '<') return height < value
  return height === value
}

const contains = (events: readonly ChainEvent[], name: string, value: string): boolean =>
  events.some(({ type, attributes }) =>
    attributes.some(({ key, value: found }) => `${type}.${key}` === name && found.includes(value)),
  )
