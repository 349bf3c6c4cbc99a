import { parseCid, RAW } from '@tidenet/content'
import { readCar } from '@tidenet/content/car'
import { firstOf } from '@tidenet/content/client-requests'
import { askForCopies, COPIES_BYTES, COPIES_MAX, COPY_FRAME, COPY_SMALL } from '@tidenet/daemon'
import type { PullWork } from './pull.ts'
import { type Reach, SILENCE_MS, timeLimit } from './source.ts'

const isSmall = ({ kind, size, cid }: PullWork): boolean =>
  kind === 'file' && size <= COPY_SMALL && parseCid(cid).code === RAW

/** Takes the next work from the queue, with all that can be pulled together with it: small files that have the same best source. */
export function takeTogether(queue: PullWork[]): PullWork[] {
  const first = queue.shift()
  const [source] = first?.sources ?? []
  if (!first || !source || !isSmall(first)) return first ? [first] : []
  const group = [first]
  let bytes = first.size + COPY_FRAME
  for (let at = 0; at < queue.length && group.length < COPIES_MAX; ) {
    const work = queue[at] as PullWork
    const belongs = work.sources[0]?.node_id === source.node_id && isSmall(work)
    if (belongs && bytes + work.size + COPY_FRAME <= COPIES_BYTES) {
      bytes += work.size + COPY_FRAME
      group.push(work)
      queue.splice(at, 1)
    } else at += 1
  }
  return group
}

/**
 * Fetches small files from the source that is best for all of them, with one request.
 * @returns the verified bytes by CID. What is missing, for any reason, has to be pulled alone: only then is a source blamed.
 */
export async function fetchTogether(
  group: readonly PullWork[],
  reach: Reach,
  signal: AbortSignal,
): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  const sizes = new Map(group.map(({ cid, size }) => [cid, size]))
  const tokens = group.flatMap(({ sources }) => sources[0]?.token ?? [])
  const [source] = group[0]?.sources ?? []
  if (!source) return found
  const most = group.reduce((sum, { size }) => sum + size + COPY_FRAME, COPY_FRAME * 2)
  const ask = (origin: string, stop: AbortSignal) =>
    askForCopies(origin, tokens, {
      most,
      withinMs: timeLimit(most),
      silenceMs: SILENCE_MS,
      ...reach,
      signal: AbortSignal.any([signal, stop]),
    })
  try {
    const { answer } = await firstOf([source.url, ...(source.more_urls ?? [])], ask)
    const { status, body } = answer
    body.on('error', () => {})
    try {
      if (status !== 200) return found
      for await (const { cid, bytes } of readCar(body).blocks) {
        const name = cid.toString()
        if (sizes.get(name) === bytes.length) found.set(name, bytes)
      }
    } finally {
      body.destroy()
    }
  } catch {
    // What came before is verified.
  }
  return found
}
