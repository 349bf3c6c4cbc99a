import type { ChunkAsked, ChunkReport } from '@tidenet/storage'

/** A node that was requested for chunks of a download. */
export interface Sender {
  id: string
  /** Verified bytes, in `chunks` chunks and `ms` ms. */
  bytes: number
  chunks: number
  ms: number
  /** Open requests. */
  requested: number
  /** Requests that it refused, failed, or answered with wrong data. */
  refused: number
}

/** A byte range of the file; `end` is exclusive. */
export interface ByteRange {
  start: number
  end: number
  /** Index into `senders`. */
  sender: number
  /** Another node was requested before. */
  retried: boolean
}

export interface Refusal {
  chunk: number
  sender: number
  /** `slow`: the request was cancelled to retry with a faster node. */
  slow: boolean
  error: string
}

/** A snapshot of which nodes sent which parts of a download. */
export interface ChunkLog {
  senders: readonly Sender[]
  /** Verified and written. */
  verified: readonly ByteRange[]
  /** Requested, not yet received. */
  requested: readonly ByteRange[]
  /** The latest failures; `refused` counts all. */
  refusals: readonly Refusal[]
  refused: number
}

export const emptyLog: ChunkLog = { senders: [], verified: [], requested: [], refusals: [], refused: 0 }

const MAX_REFUSALS = 50

/** Collects the SDK's chunk events. */
export function createChunkLog() {
  const senders: Sender[] = []
  const verified: ByteRange[] = []
  const requested = new Map<number, ByteRange>()
  const failed = new Set<number>()
  let refusals: Refusal[] = []
  let refused = 0

  const indexOf = (id: string): number => {
    const known = senders.findIndex((sender) => sender.id === id)
    if (known >= 0) return known
    return senders.push({ id, bytes: 0, chunks: 0, ms: 0, requested: 0, refused: 0 }) - 1
  }
  return {
    recordRequest({ index, start, end, nodeId }: ChunkAsked): void {
      const sender = indexOf(nodeId)
      senders[sender]!.requested += 1
      requested.set(index, { start, end, sender, retried: failed.has(index) })
    },
    recordResult({ index, start, nodeId, ok, bytes, ms, error }: ChunkReport): void {
      const at = indexOf(nodeId)
      const sender = senders[at]!
      sender.requested = Math.max(0, sender.requested - 1)
      requested.delete(index)
      // Bytes received before a failure are verified and count.
      if (bytes > 0) {
        verified.push({ start, end: start + bytes, sender: at, retried: failed.has(index) })
        sender.bytes += bytes
        sender.chunks += 1
        sender.ms += ms
      }
      if (ok) return
      failed.add(index)
      const slow = error === 'slow'
      if (!slow) sender.refused += 1
      refused += 1
      refusals = [...refusals, { chunk: index, sender: at, slow, error }].slice(-MAX_REFUSALS)
    },
    now: (): ChunkLog => ({
      senders: senders.map((sender) => ({ ...sender })),
      verified: [...verified],
      requested: [...requested.values()],
      refusals,
      refused,
    }),
  }
}

export interface Cell {
  state: 'empty' | 'requested' | 'part' | 'verified'
  /** The node that sends or sent most of it; -1 if none. */
  sender: number
  retried: boolean
}

/**
 * The file as at most `maxCells` cells of the same size, in whole leaves.
 * @param size of the file in bytes
 * @param leaf size of a leaf in bytes
 */
export function cellsOf(log: ChunkLog, size: number, leaf: number, maxCells: number): Cell[] {
  const leaves = Math.max(1, Math.ceil(size / leaf))
  const step = Math.ceil(leaves / maxCells) * leaf
  const count = Math.max(1, Math.ceil(size / step))
  const filled = Array.from({ length: count }, () => ({ bytes: 0, by: new Map<number, number>(), retried: false }))
  for (const { start, end, sender, retried } of log.verified)
    for (let cell = Math.floor(start / step); cell < count && cell * step < end; cell++) {
      const bytes = Math.min(end, (cell + 1) * step) - Math.max(start, cell * step)
      const one = filled[cell]!
      one.bytes += bytes
      one.by.set(sender, (one.by.get(sender) ?? 0) + bytes)
      one.retried ||= retried
    }
  const cells = filled.map(({ bytes, by, retried }, index): Cell => {
    const whole = Math.min(size, (index + 1) * step) - index * step
    const [most] = [...by].sort(([, a], [, b]) => b - a)
    if (!most) return { state: 'empty', sender: -1, retried: false }
    return { state: bytes >= whole ? 'verified' : 'part', sender: most[0], retried }
  })
  for (const { start, end, sender, retried } of log.requested)
    for (let cell = Math.floor(start / step); cell < count && cell * step < end; cell++)
      if (cells[cell]!.state === 'empty') cells[cell] = { state: 'requested', sender, retried }
  return cells
}
