import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Genesis } from './genesis.ts'

/** A block with transactions. Empty blocks are not stored: their time follows from the height. */
export interface WrittenBlock {
  height: number
  /** Unix ms. */
  time: number
  /** Base64. */
  txs: string[]
  /** Rules version, see `RULES`; absent from blocks of the first rules. */
  rules?: number
}

/** The chain's storage: genesis, and one line per non-empty block. */
export interface BlockLog {
  genesis: Genesis
  /** All blocks, in order. */
  blocks: () => AsyncGenerator<WrittenBlock>
  /** Returns after the block is synced to disk. */
  append: (block: WrittenBlock) => void
  close: () => void
}

/** Opens the log in a folder; creates it with `make` if there is none. Refuses the log of another chain. */
export async function openBlockLog(folder: string, chainId: string, make: () => Genesis): Promise<BlockLog> {
  const path = join(folder, 'blocks.jsonl')
  if (!existsSync(path)) {
    const file = openSync(`${path}.new`, 'w', 0o600)
    writeSync(file, `${JSON.stringify(make())}\n`)
    fsyncSync(file)
    closeSync(file)
    renameSync(`${path}.new`, path)
  }
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
  let genesis: Genesis | undefined
  // An incomplete last line after a power failure is dropped, or later lines would be unreadable.
  let whole = 0
  for await (const line of lines) {
    try {
      const read = JSON.parse(line) as Genesis | WrittenBlock
      genesis ??= read as Genesis
    } catch {
      break
    }
    whole += Buffer.byteLength(line) + 1
  }
  if (!genesis) throw new Error(`${path} has no beginning. Move it away to begin a new chain.`)
  if (genesis.chainId !== chainId)
    throw new Error(`${path} is of the chain ${genesis.chainId}, not ${chainId}. Choose another data folder.`)
  truncateSync(path, whole)
  const file = openSync(path, 'a')

  return {
    genesis,
    async *blocks() {
      const stored = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
      let first = true
      for await (const line of stored) {
        if (!first && line) yield JSON.parse(line) as WrittenBlock
        first = false
      }
    },
    append(block) {
      writeSync(file, `${JSON.stringify(block)}\n`)
      fsyncSync(file)
    },
    close: () => closeSync(file),
  }
}
