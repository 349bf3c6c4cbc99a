import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Chain, openChain } from './chain.ts'
import { ordersAddress } from './genesis.ts'
import { openBlockLog } from './log.ts'
import { openSnapshots, type SnapshotOptions } from './snapshots.ts'
import type { Store } from './state/store.ts'

/** Blocks with 28 transactions, of which contracts refused some, and with the move of the contracts to wasm. */
const BLOCKS = new URL('../fixtures/second-rules.jsonl', import.meta.url)
const CHAIN_ID = 'tidenet-devnet-1'
const OPTIONS = { every: 5, program: 'this one' }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidenet-snapshots-'))
  copyFileSync(BLOCKS, file('blocks.jsonl'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string) => join(folder, name)

/** Starts the chain, lets it write its snapshots, and stops it. @returns all that clients can see, and how many transactions were executed */
async function start(options: SnapshotOptions | undefined = OPTIONS, work: (chain: Chain) => void = () => {}) {
  const log = await openBlockLog(folder, CHAIN_ID, () => {
    throw new Error('there are blocks')
  })
  const snapshots = openSnapshots(folder, log, options)
  const chain = await openChain(log, { now: () => log.genesis.time }, snapshots)
  work(chain)
  await snapshots.settled()
  const { executed } = chain
  const seen = {
    state: [...(chain.store as Store).all()],
    height: chain.height,
    blocks: Array.from({ length: chain.height }, (_, at) => chain.block(at + 1)),
    transactions: chain.search('tx.height>0'),
    changedAt: chain.changedAt,
    codes: chain.codesOf(ordersAddress(chain.genesis)),
    ofContract: chain.search(`wasm.action='send'`).map(({ hash }) => hash),
  }
  await chain.close()
  return { executed, seen }
}

/** Changes one byte of a file. */
function damage(name: string, at: (length: number) => number): void {
  const bytes = readFileSync(file(name))
  const position = at(bytes.length)
  bytes[position] = (bytes[position] ?? 0) ^ 1
  writeFileSync(file(name), bytes)
}

it('starts with the same state, blocks and transactions, without executing them again', async () => {
  const first = await start()
  expect(first.executed).toBeGreaterThan(10)
  expect(first.seen.ofContract.length).toBeGreaterThan(1)
  const second = await start()
  expect(second.executed).toBe(0)
  expect(second.seen).toEqual(first.seen)
})

it('has a snapshot of the last blocks after a start, although one of earlier blocks was still being written', async () => {
  const slow = { ...OPTIONS, entriesPerLine: 1 }
  const first = await start(slow)
  const second = await start(slow)
  expect(second.executed).toBeLessThan(OPTIONS.every)
  expect(second.seen).toEqual(first.seen)
})

it('executes the blocks after the snapshot', async () => {
  await start()
  const more = await start(OPTIONS, (chain) => chain.upgrade())
  const again = await start()
  expect(again.seen).toEqual(more.seen)
  rmSync(file('snapshot.jsonl'))
  const all = await start()
  expect(all.executed).toBeGreaterThan(10)
  expect(all.seen).toEqual(more.seen)
  const none = await start()
  expect(none.executed).toBe(0)
  expect(none.seen).toEqual(more.seen)
})

it('continues where it was killed while it wrote a snapshot', async () => {
  const first = await start()
  // What a program leaves that is killed: results of a block after the snapshot, and part of the next one.
  writeFileSync(file('results.jsonl'), '[900,[{"co', { flag: 'a' })
  copyFileSync(file('snapshot.jsonl'), file('snapshot.jsonl.new'))
  writeFileSync(file('snapshot.jsonl.new'), readFileSync(file('snapshot.jsonl')).subarray(0, 1000))
  const second = await start()
  expect(second.executed).toBe(0)
  expect(second.seen).toEqual(first.seen)
  expect((await start()).seen).toEqual(first.seen)
})

it('can be read only by its owner', async () => {
  await start()
  for (const name of ['snapshot.jsonl', 'results.jsonl']) expect(statSync(file(name)).mode & 0o777).toBe(0o600)
})

it.each([
  ['beginning', 'snapshot.jsonl', () => 30],
  ['middle', 'snapshot.jsonl', (length: number) => length >> 1],
  ['end', 'snapshot.jsonl', (length: number) => length - 10],
  ['first result', 'results.jsonl', () => 20],
  ['last result', 'results.jsonl', (length: number) => length - 40],
])('ignores a snapshot whose %s is damaged', async (_, name, at) => {
  const first = await start()
  damage(name, at)
  const second = await start()
  expect(second.executed).toBe(first.executed)
  expect(second.seen).toEqual(first.seen)
  expect((await start()).executed).toBe(0)
})

it('ignores a snapshot that is cut off, or without the results', async () => {
  const { executed, seen } = await start()
  writeFileSync(file('snapshot.jsonl'), readFileSync(file('snapshot.jsonl')).subarray(0, -5))
  expect(await start()).toEqual({ executed, seen })
  rmSync(file('results.jsonl'))
  expect(await start()).toEqual({ executed, seen })
  writeFileSync(file('snapshot.jsonl'), '')
  expect(await start()).toEqual({ executed, seen })
})

it('ignores a snapshot of other blocks', async () => {
  await start()
  const lines = readFileSync(file('blocks.jsonl'), 'utf8').split('\n')
  writeFileSync(file('blocks.jsonl'), `${lines.slice(0, 8).join('\n')}\n`)
  const snapshot = readFileSync(file('snapshot.jsonl'))
  const fewer = await start()
  rmSync(file('snapshot.jsonl'))
  expect(fewer).toEqual(await start())
  // Of more blocks than there are.
  writeFileSync(file('snapshot.jsonl'), snapshot)
  expect(await start()).toEqual(fewer)
})

it('ignores a snapshot of another version of the program', async () => {
  const first = await start()
  expect((await start({ ...OPTIONS, program: 'another one' })).executed).toBe(first.executed)
  expect((await start({ ...OPTIONS, program: 'another one' })).executed).toBe(0)
})
