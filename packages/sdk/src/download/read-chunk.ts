import type { FileLayout } from '@tidenet/content'
import type { LeafChecker } from '../platform/leaf-checker.ts'
import type { Platform, Target } from '../platform/platform.ts'
import type { Say } from '../result.ts'
import type { SourceNode } from './node-pool.ts'
import { reading } from './reading.ts'
import { BadAnswer, wrongBytes } from './reasons.ts'

/** Leaves `next` up to but without `last` are still to come. */
export interface LeafRun {
  next: number
  last: number
}

export interface ChunkReading {
  platform: Platform
  say: Say
  layout: FileLayout
  target: Target
  buffers: Buffers
  checker: LeafChecker
  signal: AbortSignal
  stall: number
  onBytes: (verified: number, node: SourceNode) => void
}

/** The target did not take what was written: no node's fault. */
export class TargetFailed extends Error {}

/** Bytes that are verified and written together. */
const PIECE = 1 << 20

/** Megabytes that are used again and again: making them anew costs more than filling them. */
export interface Buffers {
  take(size: number): Uint8Array
  give(bytes: Uint8Array): void
}

/** `make` allocates a piece that is used again; a target that keeps what it is given gets memory of its own each time. */
export function createBuffers(make: ((size: number) => ArrayBufferLike) | undefined): Buffers {
  const free: ArrayBufferLike[] = []
  return {
    take: (size) => (make && size <= PIECE ? new Uint8Array(free.pop() ?? make(PIECE), 0, size) : new Uint8Array(size)),
    give(bytes) {
      if (make && bytes.buffer.byteLength === PIECE) free.push(bytes.buffer)
    },
  }
}

/** The first byte behind a run of leaves. */
export function endOf(layout: FileLayout, last: number): number {
  return last < layout.leafCount ? layout.leafAt(last).offset : layout.size
}

/** Reads a run of leaves from a node; `run.next` moves on with every leaf that was verified and written. */
export async function readChunk(reader: ChunkReading, run: LeafRun, node: SourceNode): Promise<void> {
  const { platform, layout, say, stall, signal } = reader
  const start = layout.leafAt(run.next).offset
  const end = endOf(layout, run.last)
  const headers = { Range: `bytes=${start}-${end - 1}` }
  const intake = createIntake(reader, run, node)
  let status = 0
  const check = (answer: { status: number; header(name: string): string | undefined }) => {
    status = answer.status
    const whole = status === 200 && start === 0 && end === layout.size
    const part = status === 206 && (answer.header('content-range') ?? '').startsWith(`bytes ${start}-${end - 1}/`)
    if (!whole && !part) throw new BadAnswer('status', say('downloadError', { phrase: 'chunkFailed' }).msg, status)
  }
  try {
    if (platform.getInto?.(node.url)) {
      await platform.getInto(node.url)!({ url: node.url, headers, signal, patience: stall, check, intake })
    } else {
      const answer = await reading({ platform, signal }, { url: node.url, headers }, stall)
      try {
        check(answer)
      } catch (error) {
        answer.discard()
        throw error
      }
      for await (const bytes of answer.body) await copyInto(intake, bytes)
    }
  } catch (error) {
    if (!(error instanceof TargetFailed)) await intake.end()
    throw error
  }
  await intake.end()
  if (!intake.complete) throw new BadAnswer('network', say('fetchError', { phrase: 'nodeNetwork' }).msg, status)
}

async function copyInto(intake: Intake, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const room = intake.room()
    const more = Math.min(room.length, bytes.length - at)
    room.set(more === bytes.length ? bytes : bytes.subarray(at, at + more))
    at += more
    const wait = intake.took(more)
    if (wait) await wait
  }
}

/** Where the bytes of an answer go. */
export interface Intake {
  /** Where the next bytes are to be put; throws when there are more than were asked for. */
  room(): Uint8Array
  /** So many were put there. Throws or rejects when they are wrong or cannot be written; a promise says to wait. */
  took(bytes: number): void | Promise<void>
}

function createIntake(reader: ChunkReading, run: LeafRun, node: SourceNode) {
  const { layout, target, buffers, say, checker } = reader
  const flights = createFlights()
  let piece = nextPiece(layout, run, buffers)
  let filled = 0

  const wrong = () => new BadAnswer('wrong', wrongBytes(say), 200)

  /** Hashes the leaves that are there, and hands those that are right to the target. */
  const ship = (count: number): void | Promise<void> => {
    const { bytes, first, offset } = piece
    const leaves = Array.from({ length: count }, (_, index) => {
      const { size, cid } = layout.leafAt(first + index)
      return { size, digest: cid.multihash.digest }
    })
    filled = 0
    piece = first + count < run.last ? nextPiece(layout, { next: first + count, last: run.last }, buffers) : nothing
    return flights.add(async (before) => {
      const good = await checker(bytes, leaves)
      const end = endOf(layout, first + good) - offset
      if (good > 0) {
        await target.write([bytes.subarray(0, end)], offset).catch((error: Error) => {
          throw new TargetFailed(error.message)
        })
      }
      buffers.give(bytes)
      // What counts as here has no holes: those before come first.
      await before
      if (good > 0) {
        run.next = first + good
        reader.onBytes(end, node)
      }
      if (good < count) throw wrong()
    })
  }

  return {
    get complete() {
      return run.next === run.last
    },
    room() {
      if (piece === nothing) throw wrong()
      return piece.bytes.subarray(filled)
    },
    took(bytes: number) {
      filled += bytes
      if (filled === piece.bytes.length) return ship(piece.last - piece.first)
    },
    /** What came whole is verified and written, also when the rest never came. */
    async end() {
      let whole = 0
      while (piece.first + whole < piece.last && endOf(layout, piece.first + whole + 1) - piece.offset <= filled)
        whole += 1
      if (whole > 0) await ship(whole)
      await flights.done()
    },
  }
}

const nothing = { bytes: new Uint8Array(0), first: -1, offset: 0, last: -1 }

/** A buffer for the next leaves: a megabyte of them, or one that is larger. */
function nextPiece(layout: FileLayout, { next, last }: LeafRun, buffers: Buffers) {
  const { offset } = layout.leafAt(next)
  let end = next
  while (end < last && (end === next || endOf(layout, end + 1) - offset <= PIECE)) end += 1
  return { bytes: buffers.take(endOf(layout, end) - offset), first: next, offset, last: end }
}

/** Two pieces are checked and written while a third is read; the first that fails is thrown by whatever comes next. */
function createFlights() {
  let flying = 0
  let failure: unknown
  let last: Promise<void> = Promise.resolve()
  let landed = () => {}
  const room = async (most: number) => {
    while (flying > most && !failure) await new Promise<void>((resolve) => (landed = resolve))
    if (failure) throw failure
  }
  return {
    add(work: (before: Promise<void>) => Promise<void>): void | Promise<void> {
      if (failure) throw failure
      flying += 1
      last = work(last)
      last
        .catch((error: unknown) => {
          failure ??= error
        })
        .finally(() => {
          flying -= 1
          landed()
        })
      return flying > 2 ? room(2) : undefined
    },
    /** Nothing is under way any more, also when one has failed. */
    async done() {
      await last.catch(() => {})
      await room(0)
    },
  }
}
