import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cid, cidOfDigest, DAG_PB, RAW } from '@tidenet/content'
import type { Logger } from '@tidenet/daemon'
import { z } from 'zod'
import { ignoreAbsent, writeDurably } from './contents/durable.ts'
import { parseJson } from './parse-json.ts'

/** Contents that the operators of the network blocked: the node refuses to serve them. They stay blocked over restarts. */
export interface BlockedContents {
  /** Id of the last block received from the server. */
  readonly last: number
  /** Whether the node has heard the whole list since its start. */
  readonly complete: boolean
  /** @param more the server has more than these. @returns resolves when they are on the disk; in force they are at once */
  take(list: readonly { id: number; key: string; blocked: boolean }[], more?: boolean): Promise<void>
  /** Also by a CID of the same bytes with another codec. */
  has(cid: Cid): boolean
  /** Grows with every change. */
  readonly version: number
  /** How many are blocked. */
  readonly size: number
  /** Calls back after every change. @returns ends the watch */
  watch(onChange: () => void): () => void
}

const FILE = 'blocked.json'
const kept = z.object({ last: z.number().int().min(0), keys: z.array(z.string()) })

/** In the server's notation. */
export const blockedKey = (cid: Cid): string => createHash('sha256').update(cid.toV1().toString()).digest('hex')

/** @param data the node's data folder */
export async function openBlockedContents(data: string, log: Logger): Promise<BlockedContents> {
  const path = join(data, FILE)
  const stored = kept.safeParse(parseJson((await readFile(path, 'utf8').catch(ignoreAbsent)) ?? '{}'))
  // A file that cannot be read is like none: the server sends the whole list again.
  let { last, keys } = stored.success ? stored.data : { last: 0, keys: [] }
  const blocked = new Set(keys)
  keys = []
  const watchers = new Set<() => void>()
  let version = 0
  const has = (cid: Cid) => blocked.size > 0 && sameBytes(cid).some((each) => blocked.has(blockedKey(each)))
  let heardAll = false

  return {
    get last() {
      return last
    },
    get complete() {
      return heardAll
    },
    async take(list, more = false) {
      let changed = false
      for (const { id, key, blocked: isBlocked } of list) {
        changed ||= blocked.has(key) !== isBlocked
        if (isBlocked) blocked.add(key)
        else blocked.delete(key)
        // Not the highest: a server whose database was restored begins again.
        last = id
      }
      if (!more) heardAll = true
      if (list.length === 0) return
      if (changed) {
        version += 1
        for (const onChange of [...watchers]) onChange()
      }
      // Without the file, the server sends the list again after the next start.
      await writeDurably(path, JSON.stringify({ last, keys: [...blocked] })).catch((error: unknown) =>
        log.error({ err: error }, 'the list of blocked contents could not be stored'),
      )
    },
    get version() {
      return version
    },
    get size() {
      return blocked.size
    },
    has,
    watch(onChange) {
      watchers.add(onChange)
      return () => void watchers.delete(onChange)
    },
  }
}

/** All names of the same bytes. */
const sameBytes = (cid: Cid): Cid[] => [
  cid,
  cid.code === RAW ? cidOfDigest(DAG_PB, cid.multihash.digest) : cidOfDigest(RAW, cid.multihash.digest),
]
