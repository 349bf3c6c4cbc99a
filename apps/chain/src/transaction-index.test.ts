import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { event } from './state/bank.ts'
import { createIndex } from './transaction-index.ts'

const MAX = 40

const hashOf = (height: number) => createHash('sha256').update(String(height)).digest('hex').toUpperCase()

/** An index of transactions, one per height from 1, of which every third is of `alice`. */
function indexOf(count: number) {
  const index = createIndex(MAX)
  for (let height = 1; height <= count; height++) {
    const sender = height % 3 === 0 ? 'alice' : 'bob'
    const events = [
      event('message', { action: '/send', sender }),
      event('transfer', { recipient: `to-${height % 2}`, amount: `${height}utide` }),
      event('wasm', { hours: String(height), note: 'one AND two' }),
      event('tx', { signature: `sig-${height}` }),
    ]
    const result = { code: 0, codespace: '', log: '', data: new Uint8Array(), gasWanted: 0n, gasUsed: 0n, events }
    index.add({ hash: hashOf(height), height, index: 0, bytes: new Uint8Array(), result })
  }
  return { ...index, heights: (query: string) => index.search(query).map(({ height }) => height) }
}

it('finds transactions by all conditions of a query, oldest first', () => {
  const { heights } = indexOf(12)
  expect(heights("message.sender='alice'")).toEqual([3, 6, 9, 12])
  expect(heights("message.sender='alice' AND transfer.recipient='to-0' AND message.action='/send'")).toEqual([6, 12])
  expect(heights("tm.event = 'Tx' AND message.sender = 'alice' AND tx.height > 3 AND tx.height <= 9")).toEqual([6, 9])
  expect(heights('tx.height = 5')).toEqual([5])
  expect(heights("tx.signature='sig-7'")).toEqual([7])
  expect(heights('wasm.hours >= 11 AND message.action EXISTS')).toEqual([11, 12])
  expect(heights("transfer.amount CONTAINS '1u' and wasm.note='one AND two'")).toEqual([1, 11])
  expect(heights("tx.height = '5'")).toEqual([5])
  expect(heights("tx.height CONTAINS '1' AND message.sender='bob'")).toEqual([1, 10, 11])
  const hash = hashOf(7)
  expect(heights(`tx.hash='${hash.toLowerCase()}'`)).toEqual([7])
  expect(heights(`tx.hash='${hash}' AND message.sender='alice'`)).toEqual([])
  expect(heights("tm.event='NewBlock' AND message.sender='alice'")).toEqual([])
  expect(heights('tx.height = 5.5')).toEqual([])
  expect(heights("message.sender='carol'")).toEqual([])
  // An amount with its denom is no number.
  expect(heights('transfer.amount > 1')).toEqual([])
})

it('keeps a limited number of transactions, of each event too', () => {
  const { heights, count, find } = indexOf(1000)
  expect(indexOf(1000).count).toBe(MAX)
  expect(heights("message.action='/send'")).toEqual(Array.from({ length: MAX }, (_, at) => 961 + at))
  expect(heights("message.sender='alice' AND tx.height < 967")).toEqual([963, 966])
  expect(heights('wasm.hours < 961')).toEqual([])
  expect(find(hashOf(960))).toBeUndefined()
  expect(count).toBeGreaterThan(0)
})

it('refuses what is no query, and kinds of values that events do not have', () => {
  const { heights } = indexOf(1)
  for (const query of [
    '',
    'message.sender',
    "message.sender='alice' AND ",
    "message.sender='alice' OR message.sender='bob'",
    "message.sender='alice",
    'tx.height > 5utide',
    'tx.time >= TIME 2026-01-01T00:00:00Z',
    `message.sender='${'a'.repeat(600)}'`,
  ])
    expect(() => heights(query)).toThrow()
})
