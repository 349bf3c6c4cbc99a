import { type Cid, cidOfDigest, createFileHasher, DAG_PB, parseCid, RAW, sameCid } from '@tidenet/content'
import { verifyBlock } from '@tidenet/content/verify'
import type { Clock, Logger } from '@tidenet/daemon'
import type { ContentStore } from '../contents/content-store.ts'
import { type OpenContent, readAt } from '../contents/open-content.ts'
import { waitFor } from '../wait.ts'
import type { ReplicaResult } from './replicas.ts'
import type { Reporter } from './reporter.ts'

/** Interval between checks of a content. */
const AGAIN_MS = 7 * 24 * 3600_000
const BYTES_PER_SECOND = 8 * 1024 * 1024
const READ = 1 << 20

/** Reads every content once a week, slowly, and removes corrupted ones; the server replicates them again. */
export function createScrubber(parts: {
  store: ContentStore
  reporter: Reporter<ReplicaResult>
  clock: Clock
  log: Logger
}): { step(signal: AbortSignal): Promise<void> } {
  const { store, reporter, clock, log } = parts
  /** Time of the last successful check, for contents checked after their arrival. */
  const known = new Map<string, number>()
  return {
    async step(signal) {
      const pause = async (bytes: number) => {
        await waitFor((bytes / BYTES_PER_SECOND) * 1000, signal)
        signal.throwIfAborted()
      }
      for (const cid of store.takeMarked()) known.set(cid, Number.NEGATIVE_INFINITY)
      const due = store
        .list()
        .map(({ cid, stored }) => ({ cid, at: known.get(cid) ?? stored }))
        .filter(({ at }) => at + AGAIN_MS < clock.now())
        .sort((a, b) => a.at - b.at)
      for (const { cid } of due) {
        if (signal.aborted) return
        const error = await findCorruption(store, cid, pause)
        if (signal.aborted) return
        known.set(cid, clock.now())
        if (error === undefined) continue
        log.error({ cid, error }, 'a content has rotted; it is given up')
        await store.remove(cid)
        reporter.add({ cid, state: 'missing', error: error.slice(0, 500) })
      }
      for (const cid of known.keys()) if (!store.get(cid)) known.delete(cid)
    },
  }
}

/** The fault of a stored content; undefined if it is intact or not stored. */
export async function findCorruption(
  store: ContentStore,
  cid: string,
  pause: (bytes: number) => Promise<void>,
): Promise<string | undefined> {
  let content: OpenContent | undefined
  try {
    content = await store.open(cid)
    if (!content) return store.get(cid) ? 'its files are gone' : undefined
    await verifyContent(content, pause)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown'
  } finally {
    content?.release()
  }
}

/** @throws Error if the bytes of a content are not those of its CID */
export async function verifyContent(content: OpenContent, pause: (bytes: number) => Promise<void>): Promise<void> {
  if (content.held.kind === 'file') await readFlat(content, parseCid(content.held.cid), pause)
  else await readBlocks(content, pause)
}

async function readFlat(content: OpenContent, cid: Cid, pause: (bytes: number) => Promise<void>): Promise<void> {
  const hasher = createFileHasher()
  const buffer = Buffer.allocUnsafe(READ)
  const { size } = content.held
  for (let at = 0; at < size; at += READ) {
    const length = Math.min(READ, size - at)
    await readAt(content.main, buffer, at, length)
    hasher.update(buffer.subarray(0, length))
    await pause(length)
  }
  if (sameCid((await hasher.finish()).cid, cid)) return
  // A file that came as an archive may be cut in other leaves.
  await readBlocks(content, pause)
}

async function readBlocks(content: OpenContent, pause: (bytes: number) => Promise<void>): Promise<void> {
  const index = await content.index()
  let unpaid = 0
  for (let record = 0; record < index.count; record += 1) {
    const place = await index.at(record)
    const bytes = await content.readBlock(place)
    await verifyBlock(cidOfDigest(place.codec === RAW ? RAW : DAG_PB, place.digest), bytes)
    unpaid += bytes.length
    if (unpaid < READ) continue
    await pause(unpaid)
    unpaid = 0
  }
}
