import { sha256 } from '@noble/hashes/sha2.js'
import { fromBase64, toHex } from './bytes.ts'

/** A node of a chain that the user named. What it answers is as true as its operator is honest. All functions reject if it does not answer. */
export interface ChainLookup {
  /** Its chain, and the first block that it still has. */
  status(): Promise<{ chain: string; earliest: number }>
  /** Undefined if no block contains this transaction. @param hash upper-case hex */
  find(hash: string): Promise<{ height: number } | undefined>
}

const TIMEOUT_MS = 10_000

interface Answer {
  result?: Record<string, unknown>
  error?: { message?: string; data?: string }
}

/** @param url CometBFT RPC. Asked with GET, which other origins may do without a preflight request. */
export function chainAt(url: string): ChainLookup {
  async function ask(path: string): Promise<Answer> {
    const answer = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    })
    return (await answer.json()) as Answer
  }
  return {
    async status() {
      const { node_info, sync_info } = (await ask('/status')).result as {
        node_info: { network: string }
        sync_info: { catching_up: boolean; earliest_block_height?: string }
      }
      if (sync_info.catching_up) throw new Error('the node is still catching up')
      return { chain: node_info.network, earliest: Number(sync_info.earliest_block_height ?? 0) }
    },
    async find(hash) {
      const { result, error } = await ask(`/tx?hash=0x${hash}`)
      // A node without an index answers with another error.
      if (/not found/.test(`${error?.data ?? error?.message}`)) return undefined
      const { height, tx } = result as { height: string; tx: string }
      const bytes = fromBase64(tx)
      if (!bytes || toHex(sha256(bytes)).toUpperCase() !== hash) throw new Error('the node sent another transaction')
      return { height: Number(height) }
    },
  }
}
