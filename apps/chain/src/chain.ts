import { createHash } from 'node:crypto'
import { begin, codes, firstContracts, type Genesis, ordersAddress } from './genesis.ts'
import type { BlockLog, WrittenBlock } from './log.ts'
import type { Snapshots } from './snapshots.ts'
import { createApp, type Result } from './state/app.ts'
import { type BlockContext, createContracts, RULES } from './state/contracts.ts'
import { createStore, type Store } from './state/store.ts'
import { hashOf } from './state/transactions.ts'
import { createIndex, type IndexedTransaction } from './transaction-index.ts'
import { codeOfKind, isUpgraded, upgrade } from './wasm/upgrade.ts'

export interface ChainBlock {
  height: number
  time: number
  txs: Uint8Array[]
  /** Hex, upper case; of the block and of the state before it. */
  hash: string
  previous: string
}

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'))

/** Most pending transactions, and most per block. */
const MEMPOOL_MAX = 5000
export const A_BLOCK = 500
/** Latest blocks that are found by their hash, also without transactions. */
const EMPTY_BLOCKS_BY_HASH = 1000

export type Chain = Awaited<ReturnType<typeof openChain>>

/** The transaction is pending or included already. */
export class AlreadyKnown extends Error {
  constructor() {
    super('tx already exists in cache')
  }
}

/** The chain: blocks, pending transactions and state. `produce` creates blocks. Without snapshots, all blocks are executed again. */
export async function openChain(log: BlockLog, clock: { now: () => number }, snapshots?: Snapshots) {
  const { genesis } = log
  const contracts = createContracts(genesis, codes)
  const orders = ordersAddress(genesis)
  const app = createApp(genesis, contracts)
  const index = createIndex()
  const filled = new Map<number, { time: number; txs: Uint8Array[]; hashes: string[] }>()
  const listeners = new Set<(block: ChainBlock, transactions: IndexedTransaction[]) => void>()
  // Heights of blocks with transactions.
  const heights = new Map<string, number>()
  const snapshot = await snapshots?.read()
  const store = snapshot?.store ?? createStore()
  if (!snapshot) begin(genesis, contracts, store)
  let height = 0
  /** The first block of each later version of the rules: before it, contracts may have got other codes. */
  const upgrades: BlockContext[] = []
  let changedAt = 0

  const blockMs = genesis.blockSeconds * 1000
  const timeOf = (at: number): number => filled.get(at)?.time ?? genesis.time + at * blockMs
  /** Time of the next block: hours of orders follow it, so it never goes back. Blocks of earlier versions may be ahead of their height. */
  const nextTime = (): number => Math.max(genesis.time + (height + 1) * blockMs, timeOf(height) + 1)
  const digest = (text: string) => createHash('sha256').update(text).digest('hex').toUpperCase()
  const hashAt = (at: number): string =>
    digest(`${genesis.chainId}/${at}/${timeOf(at)}/${(filled.get(at)?.hashes ?? []).join('/')}`)

  function apply({ txs, ...block }: WrittenBlock & { rules: number }, how: 'deliver' | 'replay'): void {
    if (!isUpgraded(store, orders, block.rules)) upgrade(contracts, store, block)
    const results: Result[] = []
    for (const text of txs) results.push(app.deliver(store, bytesOf(text), block, how))
    snapshots?.add({ ...block, txs }, results)
    keep({ ...block, txs }, results)
  }

  function keep({ height: at, time, txs, rules = 1 }: WrittenBlock, results: readonly Result[]): void {
    const all = txs.map(bytesOf)
    const hashes = all.map(hashOf)
    for (const [position, bytes] of all.entries())
      index.add({
        hash: hashes[position] as string,
        height: at,
        index: position,
        bytes,
        result: results[position] as Result,
      })
    height = at
    changedAt = at
    if (rules > (upgrades.at(-1)?.rules ?? genesis.rules ?? 1)) upgrades.push({ height: at, time, rules })
    filled.set(at, { time, txs: all, hashes })
    heights.set(hashAt(at), at)
  }

  let executed = 0
  for await (const block of log.blocks()) {
    const { rules = 1 } = block
    if (rules > RULES) throw new Error('These blocks were made by a newer version of this program: start that one.')
    if (snapshot && block.height <= snapshot.height) keep(block, snapshot.results.get(block.height) ?? [])
    else {
      apply({ ...block, rules }, 'replay')
      executed += block.txs.length
      snapshots?.writeIfDue(store)
    }
  }
  snapshot?.results.clear()
  // One that was begun in the meantime is of an earlier block.
  await snapshots?.settled()
  snapshots?.writeIfDue(store)

  /** Undefined if the index has forgotten some of them. */
  function transactionsOf(at: number): IndexedTransaction[] | undefined {
    const found = (filled.get(at)?.hashes ?? []).map((hash) => index.find(hash))
    return found.every((tx) => tx !== undefined) ? found : undefined
  }

  /** Stores the next block before it changes the state. */
  function addBlock(txs: Uint8Array[]): void {
    const block = {
      height: height + 1,
      time: nextTime(),
      rules: RULES,
      txs: txs.map((bytes) => Buffer.from(bytes).toString('base64')),
    }
    log.append(block)
    apply(block, 'deliver')
    snapshots?.writeIfDue(store)
    pendingState = store.branch()
  }

  // State after all pending transactions.
  let pendingState: Store = store.branch()
  let waiting: Uint8Array[] = []
  const known = new Set<string>()
  let held = false

  const blockContext = () => ({ height: height + 1, time: nextTime(), rules: RULES })

  return {
    genesis,
    contracts,
    get height() {
      return height
    },
    get time() {
      return timeOf(height)
    },
    /** Height of the latest block that changed the state; 0 if none did. */
    get changedAt() {
      return changedAt
    },
    /** Transactions that wait for a block. */
    pending: (): readonly Uint8Array[] => waiting,
    /** State of the latest block. */
    store: store as Pick<Store, 'get' | 'entries'>,
    read: <T>(work: (store: Store) => T): T => store.runAndRollback(() => work(store)),
    /** Adds a transaction to the mempool if it passes the checks. Throws `AlreadyKnown` for the same bytes. */
    broadcast(bytes: Uint8Array): { hash: string; result: Result } {
      const hash = hashOf(bytes)
      if (known.has(hash) || index.find(hash)) throw new AlreadyKnown()
      if (waiting.length >= MEMPOOL_MAX) throw new Error('mempool is full')
      const result = app.check(pendingState, bytes, blockContext())
      if (result.code === 0) {
        known.add(hash)
        waiting.push(bytes)
      }
      return { hash, result }
    },
    check: (bytes: Uint8Array): Result =>
      pendingState.runAndRollback(() => app.check(pendingState, bytes, blockContext())),
    simulate: (bytes: Uint8Array): Result => app.simulate(store, bytes, blockContext()),
    /** Creates the next block from pending transactions. */
    produce(): ChainBlock {
      const txs = held ? [] : waiting.slice(0, A_BLOCK)
      if (txs.length > 0) {
        addBlock(txs)
        known.clear()
        const left = waiting.slice(txs.length)
        waiting = []
        for (const bytes of left) {
          if (app.check(pendingState, bytes, blockContext()).code !== 0) continue
          known.add(hashOf(bytes))
          waiting.push(bytes)
        }
      } else height++
      const block = this.block(height) as ChainBlock
      for (const listener of listeners) listener(block, transactionsOf(height) ?? [])
      return block
    },
    /** Gives the contracts of an older chain their present code, in a block of its own, so that every replay does it at the same time. */
    upgrade(): void {
      if (!isUpgraded(store, orders, RULES)) addBlock([])
    },
    /** Height due by now: the number of block intervals since genesis. */
    due: (): number => Math.floor((clock.now() - genesis.time) / blockMs),
    /** Creates empty blocks up to a height, for the time the program was stopped. */
    skipTo(at: number): void {
      if (at > height) height = at
    },
    block(at: number): ChainBlock | undefined {
      if (at < 1 || at > height) return undefined
      return {
        height: at,
        time: timeOf(at),
        txs: filled.get(at)?.txs ?? [],
        hash: hashAt(at),
        previous: hashAt(at - 1),
      }
    },
    /** Finds blocks with transactions, and the latest ones: hashes of empty blocks follow from their height and are not kept. */
    blockByHash(hash: string): ChainBlock | undefined {
      let at = heights.get(hash) ?? height
      const last = heights.has(hash) ? at : Math.max(1, height - EMPTY_BLOCKS_BY_HASH + 1)
      while (at >= last && hashAt(at) !== hash) at--
      return at >= last ? this.block(at) : undefined
    },
    /** The codes that a contract had, the first one first, and the messages that it got with them. Empty if there is no such contract. */
    codesOf(address: string): { code: number; height: number; message: object }[] {
      const first = firstContracts(genesis).find((each) => each.address === address)
      if (!first) return []
      const created = { code: codeOfKind(first.kind, genesis.rules ?? 1), height: 0, message: first.message }
      const later = upgrades.map(({ height, rules }) => ({ code: codeOfKind(first.kind, rules), height, message: {} }))
      // An upgrade changes the code of some of them.
      return [created, ...later].filter(({ code }, at, list) => code !== list[at - 1]?.code)
    },
    /** Transactions of a block with their results. Undefined if they are too old to be kept. */
    transactions: transactionsOf,
    find: (hash: string): IndexedTransaction | undefined => index.find(hash),
    search: (query: string): IndexedTransaction[] => index.search(query),
    /** The hash of the state; simplified, since no other node compares it. */
    appHash: (): string => hashAt(height),
    listen(listener: (block: ChainBlock, transactions: IndexedTransaction[]) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Tests only: keeps transactions pending. */
    hold(on: boolean): void {
      held = on
    },
    /** Number of transactions that were executed again at the start. */
    executed,
    async close(): Promise<void> {
      await snapshots?.close()
      log.close()
    },
  }
}

export type { Genesis }
