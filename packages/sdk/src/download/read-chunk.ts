import { type FileLayout, sameBytes, sha256 } from '@tidenet/content'
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

export function createBuffers(reuse: boolean): Buffers {
  const free: ArrayBufferLike[] = []
  return {
    take: (size) =>
      reuse && size <= PIECE ? new Uint8Array(free.pop() ?? new ArrayBuffer(PIECE), 0, size) : new Uint8Array(size),
    give(bytes) {
      if (reuse && bytes.buffer.byteLength === PIECE) free.push(bytes.buffer)
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
  const { layout, target, buffers, say } = reader
  const writes = createWrites(target)
  let piece = nextPiece(layout, run, buffers)
  let filled = 0
  let checked = 0
  let leaf = run.next
  const wrong = () => new BadAnswer('wrong', wrongBytes(say), 200)

  /** Hashes the leaves that are there; synchronous where the platform's hash is. */
  const verify = (): void | Promise<void> => {
    while (leaf < piece.last) {
      const { size, cid } = layout.leafAt(leaf)
      if (filled - checked < size) return
      const digest = sha256(piece.bytes.subarray(checked, checked + size))
      if (!(digest instanceof Uint8Array))
        return digest.then((digest) => {
          if (!sameBytes(digest, cid.multihash.digest)) throw wrong()
          checked += size
          leaf += 1
          return verify()
        })
      if (!sameBytes(digest, cid.multihash.digest)) throw wrong()
      checked += size
      leaf += 1
    }
    if (leaf === piece.last) return keep()
  }
  /** What is verified goes to the target. */
  const keep = (): void | Promise<void> => {
    if (checked === 0) return
    const [after, done] = [leaf, piece]
    const wait = writes.add(done.bytes.subarray(0, checked), done.offset, () => {
      advance(after)
      buffers.give(done.bytes)
    })
    filled = 0
    checked = 0
    piece = leaf < run.last ? nextPiece(layout, { next: leaf, last: run.last }, buffers) : nothing
    return wait
  }
  const advance = (to: number) => {
    if (to <= run.next) return
    const bytes = endOf(layout, to) - layout.leafAt(run.next).offset
    run.next = to
    reader.onBytes(bytes, node)
  }

  return {
    get complete() {
      return leaf === run.last
    },
    room() {
      if (piece === nothing) throw wrong()
      return piece.bytes.subarray(filled)
    },
    took(bytes: number) {
      filled += bytes
      return verify()
    },
    /** What was verified is written, also when the rest never came. */
    async end() {
      await keep()
      await writes.done()
    },
  }
}

const nothing = { bytes: new Uint8Array(0), offset: 0, last: -1 }

/** A buffer for the next leaves: a megabyte of them, or one that is larger. */
function nextPiece(layout: FileLayout, { next, last }: LeafRun, buffers: Buffers) {
  const { offset } = layout.leafAt(next)
  let end = next
  while (end < last && (end === next || endOf(layout, end + 1) - offset <= PIECE)) end += 1
  return { bytes: buffers.take(endOf(layout, end) - offset), offset, last: end }
}

/** Two writes at a time; the first that fails is thrown by whatever comes next. */
function createWrites(target: Target) {
  const flying = new Set<Promise<void>>()
  let failure: TargetFailed | undefined
  const room = async (most: number) => {
    while (flying.size > most) await Promise.race(flying)
    if (failure) throw failure
  }
  return {
    add(bytes: Uint8Array, position: number, written: () => void): void | Promise<void> {
      if (failure) throw failure
      const flight: Promise<void> = target
        .write([bytes], position)
        .then(written, (error: Error) => {
          failure ??= new TargetFailed(error.message)
        })
        .finally(() => flying.delete(flight))
      flying.add(flight)
      return flying.size > 2 ? room(2) : undefined
    },
    done: () => room(0),
  }
}
