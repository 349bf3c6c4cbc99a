import type { ChainEvent } from './state/bank.ts'

/** One condition of a query in CometBFT's language; conditions are joined by AND. */
export interface Condition {
  /** Type and key of an event, such as `transfer.recipient`; also `tx.hash`, `tx.height`, `block.height` and `tm.event`. */
  key: string
  sign: '=' | '<' | '<=' | '>' | '>=' | 'CONTAINS' | 'EXISTS'
  /** Without quotes. */
  value: string
  isNumber: boolean
}

/** As CometBFT's. */
const QUERY_MAX = 512

const CONDITION =
  /\s*([\w./-]+)\s*(?:(<=|>=|=|<|>|CONTAINS)\s*(?:'([^']*)'|(\d+(?:\.\d+)?)(?![\w.]))|(EXISTS))\s*(?:$|AND(?=\s))/iy

/** @throws Error with CometBFT's text for queries that it does not understand, also for times and dates, which no event has */
export function parseQuery(text: string): Condition[] {
  if (text.length > QUERY_MAX) throw new Error('maximum query length exceeded')
  const conditions: Condition[] = []
  let at = 0
  while (at < text.length || conditions.length === 0) {
    CONDITION.lastIndex = at
    const [whole, key = '', sign, quoted, digits, exists] = CONDITION.exec(text) ?? []
    if (whole === undefined) throw new Error(`failed to parse query: ${text.slice(at, at + 80).trim()}`)
    conditions.push({
      key,
      sign: (sign ?? exists ?? '').toUpperCase() as Condition['sign'],
      value: quoted ?? digits ?? '',
      isNumber: digits !== undefined,
    })
    at += whole.length
  }
  return conditions
}

/** Whether a condition holds for one value of its key. */
export function holds({ sign, value, isNumber }: Condition, found: string): boolean {
  if (sign === 'EXISTS') return true
  if (sign === 'CONTAINS') return found.includes(value)
  if (!isNumber) return sign === '=' && found === value
  if (!/^\d+(\.\d+)?$/.test(found)) return false
  const [left, right] = [Number(found), Number(value)]
  if (sign === '>=') return left >= right
  if (sign === '<=') return left <= right
  if (sign === '>') return left > right
  if (sign === '<') return left < right
  return left === right
}

/** Whether a condition holds for an attribute of some event. */
export const holdsForEvents = (condition: Condition, events: readonly ChainEvent[]): boolean =>
  events.some(
    ({ type, attributes }) =>
      condition.key.startsWith(type) &&
      condition.key[type.length] === '.' &&
      attributes.some(
        ({ key, value }) =>
          condition.key.length === type.length + 1 + key.length &&
          condition.key.endsWith(key) &&
          holds(condition, value),
      ),
  )

/** The range of heights that the conditions on `key` leave; empty if `from` is above `to`. */
export function heightsOf(conditions: readonly Condition[], key: string, latest: number): { from: number; to: number } {
  let [from, to] = [1, latest]
  for (const { sign, value } of conditions.filter((each) => each.key === key)) {
    const height = Number(value)
    if (sign === '>=') from = Math.max(from, Math.ceil(height))
    else if (sign === '>') from = Math.max(from, Math.floor(height) + 1)
    else if (sign === '<=') to = Math.min(to, Math.floor(height))
    else if (sign === '<') to = Math.min(to, Math.ceil(height) - 1)
    else if (sign === '=') [from, to] = [Math.max(from, Math.ceil(height)), Math.min(to, Math.floor(height))]
    if (Number.isNaN(height)) to = 0
  }
  return { from, to }
}
