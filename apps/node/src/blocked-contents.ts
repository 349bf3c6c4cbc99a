import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cid } from '@tidenet/content'
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
  has(cid: Cid): boolean
  /** Calls back once when the content is blocked, at once if it is. @returns ends the watch */
  watch(cid: Cid, onBlock: () => void): () => void
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
  const watched = new Map<symbol, { key: string; onBlock: () => void }>()
  let heardAll = false

  return {
    get last() {
      return last
    },
    get complete() {
      return heardAll
    },
    async take(list, more = false) {
      for (const { id, key, blocked: isBlocked } of list) {
        if (isBlocked) blocked.add(key)
        else blocked.delete(key)
        // Not the highest: a server whose database was restored begins again.
        last = id
      }
      if (!more) heardAll = true
      if (list.length === 0) return
      for (const [id, { key, onBlock }] of watched) {
        if (!blocked.has(key)) continue
        watched.delete(id)
        onBlock()
      }
      // Without the file, the server sends the list again after the next start.
      await writeDurably(path, JSON.stringify({ last, keys: [...blocked] })).catch((error: unknown) =>
        log.error({ err: error }, 'the list of blocked contents could not be stored'),
      )
    },
    has: (cid) => blocked.size > 0 && blocked.has(blockedKey(cid)),
    watch(cid, onBlock) {
      const id = Symbol()
      const key = blockedKey(cid)
      if (blocked.has(key)) onBlock()
      else watched.set(id, { key, onBlock })
      return () => void watched.delete(id)
    },
  }
}
