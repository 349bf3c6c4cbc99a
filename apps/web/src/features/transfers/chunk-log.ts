import type { ChunkAsked, ChunkReport } from '@tidenet/storage'

/** A node that was asked for chunks of a download. */
export interface Sender {
  id: string
  /** Verified bytes that it sent, in so many chunks and so many ms of its time. */
  bytes: number
  chunks: number
  ms: number
  /** Chunks that it is asked for now. */
  asked: number
  /** Times that it refused, failed, or sent what was not right. */
  refused: number
}

/** A stretch of the file: bytes `start` up to but without `end`. */
export interface Stretch {
  start: number
  end: number
  /** Which of the senders. */
  sender: number
  /** It had been asked of another node before. */
  again: boolean
}

export interface Refusal {
  chunk: number
  sender: number
  /** `slow`: it was taken from a node to be asked of a faster one. */
  slow: boolean
  error: string
}

/** Who sent what of a download, as it stands at one moment. */
export interface ChunkLog {
  senders: readonly Sender[]
  /** Checked against the CID, and written. */
  verified: readonly Stretch[]
  /** On their way. */
  asked: readonly Stretch[]
  /** The latest ones; `refused` counts all. */
  refusals: readonly Refusal[]
  refused: number
}

export const emptyLog: ChunkLog = { senders: [], verified: [], asked: [], refusals: [], refused: 0 }

const REFUSALS_KEPT = 50

/** Takes down what the SDK tells of its chunks. */
export function createChunkLog() {
  const senders: Sender[] = []
  const verified: Stretch[] = []
  const asked = new Map<number, Stretch>()
  const failed = new Set<number>()
  let refusals: Refusal[] = []
  let refused = 0

  const indexOf = (id: string): number => {
    const known = senders.findIndex((sender) => sender.id === id)
    if (known >= 0) return known
    return senders.push({ id, bytes: 0, chunks: 0, ms: 0, asked: 0, refused: 0 }) - 1
  }
  return {
    ask({ index, start, end, nodeId }: ChunkAsked): void {
      const sender = indexOf(nodeId)
      senders[sender]!.asked += 1
      asked.set(index, { start, end, sender, again: failed.has(index) })
    },
    note({ index, start, nodeId, ok, bytes, ms, error }: ChunkReport): void {
      const at = indexOf(nodeId)
      const sender = senders[at]!
      sender.asked = Math.max(0, sender.asked - 1)
      asked.delete(index)
      // What came before a node failed was checked and counts.
      if (bytes > 0) {
        verified.push({ start, end: start + bytes, sender: at, again: failed.has(index) })
        sender.bytes += bytes
        sender.chunks += 1
        sender.ms += ms
      }
      if (ok) return
      failed.add(index)
      const slow = error === 'slow'
      if (!slow) sender.refused += 1
      refused += 1
      refusals = [...refusals, { chunk: index, sender: at, slow, error }].slice(-REFUSALS_KEPT)
    },
    now: (): ChunkLog => ({
      senders: senders.map((sender) => ({ ...sender })),
      verified: [...verified],
      asked: [...asked.values()],
      refusals,
      refused,
    }),
  }
}

export interface Cell {
  state: 'empty' | 'asked' | 'part' | 'verified'
  /** Who sends or sent most of it; -1 nobody yet. */
  sender: number
  again: boolean
}

/**
 * The file as a row of cells of the same size: whole leaves, at most `most` cells.
 * @param size of the file in bytes
 * @param leaf size of a leaf in bytes
 */
export function cellsOf(log: ChunkLog, size: number, leaf: number, most: number): Cell[] {
  const leaves = Math.max(1, Math.ceil(size / leaf))
  const step = Math.ceil(leaves / most) * leaf
  const count = Math.max(1, Math.ceil(size / step))
  const held = Array.from({ length: count }, () => ({ bytes: 0, by: new Map<number, number>(), again: false }))
  for (const { start, end, sender, again } of log.verified)
    for (let cell = Math.floor(start / step); cell < count && cell * step < end; cell++) {
      const bytes = Math.min(end, (cell + 1) * step) - Math.max(start, cell * step)
      const one = held[cell]!
      one.bytes += bytes
      one.by.set(sender, (one.by.get(sender) ?? 0) + bytes)
      one.again ||= again
    }
  const cells = held.map(({ bytes, by, again }, index): Cell => {
    const whole = Math.min(size, (index + 1) * step) - index * step
    const [most] = [...by].sort(([, a], [, b]) => b - a)
    if (!most) return { state: 'empty', sender: -1, again: false }
    return { state: bytes >= whole ? 'verified' : 'part', sender: most[0], again }
  })
  for (const { start, end, sender, again } of log.asked)
    for (let cell = Math.floor(start / step); cell < count && cell * step < end; cell++)
      if (cells[cell]!.state === 'empty') cells[cell] = { state: 'asked', sender, again }
  return cells
}
