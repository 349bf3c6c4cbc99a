import { createHash, type Hash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BlockLog, WrittenBlock } from './log.ts'
import { resultOfText, textOfResult, type WrittenResult } from './results.ts'
import type { Result } from './state/app.ts'
import { createStore, type Store } from './state/store.ts'

/**
 * Copies of the state, so that a start executes only the blocks after the newest one. They are not needed: whatever is missing, broken, of
 * other blocks or of another version of this program is ignored, and all blocks are executed again.
 *
 * `snapshot.jsonl` has the state after one block. It is written beside the chain's work, as the state was when it began, and renamed at the
 * end. `results.jsonl` has the result of each transaction, a line per block; only the part that a snapshot names is read. So the index of
 * transactions is complete after every start.
 */
export interface Snapshots {
  /** The newest usable one; undefined: execute all blocks. Called once, before `add`. */
  read(): Promise<Snapshot | undefined>
  /** Each block that was executed, in order. */
  add(block: WrittenBlock, results: readonly Result[]): void
  /** Begins to write the state after the last block, if enough was executed since the last one. */
  writeIfDue(store: Store): void
  /** Resolves when nothing is being written. */
  settled(): Promise<void>
  /** Finishes what is being written. */
  close(): Promise<void>
}

export interface Snapshot {
  height: number
  store: Store
  /** By height. */
  results: Map<number, Result[]>
}

interface Header {
  /** See `hashOfProgram`. */
  program: string
  height: number
  /** Of all blocks until then, with the genesis. */
  blocks: string
  /** Of `results.jsonl` until then, and its length in bytes. */
  results: string
  resultsLength: number
}

export interface SnapshotOptions {
  /** Transactions between two snapshots; more if the state is large, so that writing it stays a small part of the work. */
  every?: number
  /** Other programs' snapshots are ignored. */
  program?: string
  /** Entries per line, and between two other tasks of the chain. */
  entriesPerLine?: number
}

const EVERY = 1000
/** Entries that are written for each transaction, at most. */
const ENTRIES_PER_TRANSACTION = 20
const ENTRIES_PER_LINE = 200
const LF = 10
const CHUNK_BYTES = 1024 ** 2

export function openSnapshots(
  folder: string,
  log: Pick<BlockLog, 'genesis' | 'blocks'>,
  { every = EVERY, program = hashOfProgram(), entriesPerLine = ENTRIES_PER_LINE }: SnapshotOptions = {},
): Snapshots {
  const path = join(folder, 'snapshot.jsonl')
  const resultsPath = join(folder, 'results.jsonl')
  let blocks = createHash('sha256').update(JSON.stringify(log.genesis))
  let results = createHash('sha256')
  let resultsLength = 0
  let resultsFile: number | undefined
  let height = 0
  let executed = 0
  let entries = 0
  let writing: Promise<void> | undefined
  let isClosed = false

  /** Continues `results.jsonl` after its first `length` bytes. */
  function openResults(length: number): void {
    resultsLength = length
    resultsFile = openSync(resultsPath, 'a', 0o600)
    truncateSync(resultsPath, length)
  }

  async function write(store: Iterable<[string, string]>, header: Header): Promise<void> {
    const file = openSync(`${path}.new`, 'w', 0o600)
    try {
      const all = createHash('sha256')
      const writeLine = (value: unknown) => {
        const line = Buffer.from(`${JSON.stringify(value)}\n`)
        all.update(line)
        if (writeSync(file, line) < line.length) throw new Error('the disk is full')
      }
      writeLine(header)
      let count = 0
      let line: [string, string][] = []
      for (const entry of store) {
        line.push(entry)
        count++
        if (line.length < entriesPerLine) continue
        writeLine(line)
        line = []
        if (!isClosed) await new Promise((resolve) => setImmediate(resolve))
      }
      writeLine(line)
      writeSync(file, `${JSON.stringify({ hash: all.digest('hex') })}\n`)
      // A snapshot never names results that a power failure could lose.
      if (resultsFile !== undefined) fsyncSync(resultsFile)
      fsyncSync(file)
      renameSync(`${path}.new`, path)
      entries = count
    } finally {
      closeSync(file)
    }
  }

  return {
    async read() {
      const found =
        existsSync(path) && existsSync(resultsPath) ? await readSnapshot().catch(() => undefined) : undefined
      if (!found) {
        openResults(0)
        return undefined
      }
      blocks = found.blocks
      results = found.hash
      height = found.height
      entries = found.entries
      openResults(found.resultsLength)
      return found
    },
    add(block, each) {
      height = block.height
      blocks.update(textOfBlock(block))
      executed += each.length
      if (resultsFile === undefined) return
      const line = Buffer.from(`${JSON.stringify([height, each.map(textOfResult)])}\n`)
      try {
        if (writeSync(resultsFile, line) < line.length) throw new Error('the disk is full')
      } catch {
        // No further snapshots, but the chain goes on.
        closeSync(resultsFile)
        resultsFile = undefined
        return
      }
      results.update(line)
      resultsLength += line.length
    },
    writeIfDue(store) {
      const due = Math.max(every, entries / ENTRIES_PER_TRANSACTION)
      if (writing || isClosed || executed < due || resultsFile === undefined) return
      executed = 0
      const header: Header = {
        program,
        height,
        blocks: digestOf(blocks),
        results: digestOf(results),
        resultsLength,
      }
      writing = write(store.all(), header)
        .catch(() => {})
        .finally(() => {
          writing = undefined
        })
    },
    settled: async () => writing,
    async close() {
      isClosed = true
      await writing
      if (resultsFile !== undefined) closeSync(resultsFile)
      resultsFile = undefined
    },
  }

  async function readSnapshot() {
    const lines = linesOf(path)
    const first = (await lines.next()).value as Buffer
    const { height: last, ...header } = JSON.parse(String(first)) as Header
    if (header.program !== program) return undefined
    const all = createHash('sha256').update(first)
    const store = createStore()
    let count = 0
    let isWhole = false
    for await (const line of lines) {
      const value = JSON.parse(String(line)) as [string, string][] | { hash: string }
      if (!Array.isArray(value)) {
        isWhole = value.hash === all.digest('hex')
        break
      }
      all.update(line)
      for (const [key, each] of value) store.set(key, each)
      count += value.length
    }
    if (!isWhole) return undefined

    const ofBlocks = createHash('sha256').update(JSON.stringify(log.genesis))
    for await (const block of log.blocks()) {
      if (block.height > last) break
      ofBlocks.update(textOfBlock(block))
    }
    if (digestOf(ofBlocks) !== header.blocks) return undefined

    const ofResults = createHash('sha256')
    const found = new Map<number, Result[]>()
    for await (const line of linesOf(resultsPath, header.resultsLength)) {
      ofResults.update(line)
      const [at, list] = JSON.parse(String(line)) as [number, WrittenResult[]]
      found.set(at, list.map(resultOfText))
    }
    if (digestOf(ofResults) !== header.results) return undefined
    return {
      height: last,
      store,
      results: found,
      blocks: ofBlocks,
      hash: ofResults,
      entries: count,
      resultsLength: header.resultsLength,
    }
  }
}

/** The hash so far; more can be added afterwards. */
const digestOf = (hash: Hash): string => hash.copy().digest('hex')

const textOfBlock = ({ height, time, rules = 1, txs }: WrittenBlock): string =>
  `${height}/${time}/${rules}/${txs.join(',')}\n`

/**
 * Lines of a file, as bytes: texts may contain other line separators than LF.
 * @param length only the first bytes
 */
async function* linesOf(path: string, length?: number): AsyncGenerator<Buffer> {
  if (length === 0) return
  let rest = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, {
    highWaterMark: CHUNK_BYTES,
    ...(length && { end: length - 1 }),
  })) {
    const bytes = Buffer.concat([rest, chunk as Buffer])
    let from = 0
    for (let to = bytes.indexOf(LF); to >= 0; to = bytes.indexOf(LF, from)) {
      yield bytes.subarray(from, to + 1)
      from = to + 1
    }
    rest = bytes.subarray(from)
  }
}

/** Hash of the files of this program and of its contracts: another version may execute blocks otherwise, or report other events. */
export function hashOfProgram(): string {
  const hash = createHash('sha256')
  for (const folder of ['./', '../wasm/']) {
    const root = fileURLToPath(new URL(folder, import.meta.url))
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort())
      if (/\.(js|ts|wasm)$/.test(name)) hash.update(name).update(readFileSync(join(root, name)))
  }
  return hash.digest('hex')
}
