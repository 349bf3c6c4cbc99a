import { UPLOAD_BATCH_MAX } from '@tidenet/contract/constants'
import { bytesSource } from '../bytes.ts'
import { announce } from '../upload/tree-batches.ts'
import { SMALL_BELOW } from '../upload/tree-bundle.ts'
import type { Granted, TreeFile, TreeUpload } from '../upload/tree-upload.ts'

/** Grants of an upload, taken before its contents are there, so that these do not wait for the portal. */
export interface GrantsAhead {
  /** One for each content; undefined if there are none for contents of these sizes. Asks for more meanwhile. */
  take(contents: readonly Uint8Array[]): Promise<Granted[] | undefined>
  /** Forgets those that are left: a node that they name has failed. */
  drop(): void
  /** @returns whether some were never used: what is reserved for them has to be released */
  end(): Promise<boolean>
}

/** Batches that have to come before grants are taken for more: a few contents need none. */
const BATCHES_BEFORE = 2
/** Batches that are granted with one call. */
const BATCHES_AHEAD = 8
/** What is reserved ends after five minutes without bytes. */
const LIFE_MS = 4 * 60_000
/** After a refusal, for example because the quota is almost used. */
const PAUSE_MS = 60_000

export function createGrantsAhead(upload: TreeUpload): GrantsAhead {
  /** By the node that is best for them. */
  let held = new Map<string, Granted[]>()
  let most = 0
  let batches = 0
  let takenAt = 0
  let notBefore = 0
  let wasted = false
  let asking: Promise<void> | undefined

  const left = () => [...held.values()].reduce((sum, list) => sum + list.length, 0)
  const drop = () => {
    wasted ||= left() > 0
    held = new Map()
  }
  const ask = async (count: number, size: number) => {
    const files = Array.from({ length: count }, () => placeholder(upload, size))
    try {
      const { nodes, list } = await announce(upload, files)
      drop()
      list.forEach((info, index) => {
        const file = files[index]
        if (!info.ok || !file) return
        const best = nodes[info.tokens[0]?.node ?? -1]?.NodeID ?? ''
        held.set(best, [...(held.get(best) ?? []), { file, info: { ...info, SizeKnown: false }, nodes }])
      })
      most = size
      takenAt = Date.now()
    } catch {
      // Contents ask for themselves, and fail with the reason.
    }
    if (left() === 0) notBefore = Date.now() + PAUSE_MS
  }
  return {
    async take(contents) {
      const largest = Math.max(...contents.map(({ length }) => length))
      batches += 1
      if (largest >= SMALL_BELOW || batches <= BATCHES_BEFORE || upload.traceId === '') return undefined
      if (Date.now() > takenAt + LIFE_MS) drop()
      const fits = () => largest <= most && left() >= contents.length
      if (!fits()) {
        if (Date.now() >= notBefore)
          asking ??= ask(
            Math.min(UPLOAD_BATCH_MAX, contents.length * BATCHES_AHEAD),
            Math.min(SMALL_BELOW, 2 * largest),
          ).finally(() => {
            asking = undefined
          })
        await asking
        if (!fits()) return undefined
      }
      // All to one node if it can be: they travel in one request.
      const lists = [...held.values()].sort((one, other) => other.length - one.length)
      const taken: Granted[] = []
      for (const list of lists) taken.push(...list.splice(0, contents.length - taken.length))
      return taken.map((granted, index) => {
        const bytes = contents[index] as Uint8Array
        const source = bytesSource(bytes, upload.name)
        return { ...granted, file: { ...granted.file, source, size: bytes.length } }
      })
    },
    drop,
    async end() {
      await asking
      return wasted || left() > 0
    },
  }
}

function placeholder(upload: TreeUpload, size: number): TreeFile {
  const { name } = upload
  const source = bytesSource(new Uint8Array(0), name)
  return { item: upload.next++, path: name, name, folder: 0, source, size, upTo: true }
}
