import type { FileLayout } from '@tidenet/content'
import type { LeafChecker } from '../platform/leaf-checker.ts'
import type { Platform, Target } from '../platform/platform.ts'
import type { ToFailure } from '../result.ts'
import { getWithTimeout } from './get-with-timeout.ts'
import type { SourceNode } from './node-pool.ts'
import { BadAnswer, wrongBytes } from './reasons.ts'

/** The leaves [next, last) that are still missing. */
export interface LeafRun {
  next: number
  last: number
}

export interface ChunkReader {
  platform: Platform
  toFailure: ToFailure
  layout: FileLayout
  target: Target
  buffers: BufferPool
  checker: LeafChecker
  signal: AbortSignal
  stall: number
  onBytes: (verified: number, node: SourceNode) => void
}

/** The target failed; no node is at fault. */
export class TargetFailed extends Error {}

/** Bytes that are verified and written together. */
const PIECE = 1 << 20

/** A buffer pool: allocating a buffer costs more than filling it. */
export interface BufferPool {
  acquire(size: number): Uint8Array
  /** For a buffer whose bytes were written: it is used again. */
  release(bytes: Uint8Array): void
  /** For a buffer whose bytes were not written. It is not used again, because an interrupted answer may still be read into it. */
  drop(bytes: Uint8Array): void
}

/** `make` allocates buffers for reuse. Without it every piece gets new memory, for targets that keep what they are given. */
export function createBufferPool(make: ((size: number) => ArrayBufferLike) | undefined): BufferPool {
  const free: ArrayBufferLike[] = []
  return {
    acquire: (size) =>
      make && size <= PIECE ? new Uint8Array(free.pop() ?? make(PIECE), 0, size) : new Uint8Array(size),
    release(bytes) {
      if (make && bytes.buffer.byteLength === PIECE) free.push(bytes.buffer)
    },
    drop() {},
  }
}

/** Offset of the first byte after leaf `last` - 1. */
export function endOf(layout: FileLayout, last: number): number {
  return last < layout.leafCount ? layout.leafAt(last).offset : layout.size
}

/** Reads a run of leaves from a node; `run.next` advances with every leaf verified and written. */
export async function readChunk(reader: ChunkReader, run: LeafRun, node: SourceNode): Promise<void> {
  const { platform, layout, toFailure, stall, signal } = reader
  const start = layout.leafAt(run.next).offset
  const end = endOf(layout, run.last)
  const headers = { Range: `bytes=${start}-${end - 1}` }
  const intake = createIntake(reader, run, node)
  let status = 0
  const check = (answer: { status: number; header(name: string): string | undefined }) => {
    status = answer.status
    const whole = status === 200 && start === 0 && end === layout.size
    const part = status === 206 && (answer.header('content-range') ?? '').startsWith(`bytes ${start}-${end - 1}/`)
    if (!whole && !part)
      throw new BadAnswer('status', toFailure('downloadError', { phrase: 'chunkFailed' }).msg, status)
  }
  const receive = async () => {
    if (platform.getInto?.(node.url))
      return platform.getInto(node.url)!({ url: node.url, headers, signal, idleTimeout: stall, check, intake })
    const answer = await getWithTimeout({ platform, signal }, { url: node.url, headers }, stall)
    try {
      check(answer)
    } catch (error) {
      answer.discard()
      throw error
    }
    for await (const bytes of answer.body) await copyInto(intake, bytes)
  }
  try {
    await receive().catch(async (error) => {
      if (!(error instanceof TargetFailed)) await intake.end()
      throw error
    })
    await intake.end()
  } finally {
    intake.drop()
  }
  if (!intake.complete) throw new BadAnswer('network', toFailure('fetchError', { phrase: 'nodeNetwork' }).msg, status)
}

async function copyInto(intake: Intake, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const buffer = intake.buffer()
    const more = Math.min(buffer.length, bytes.length - at)
    buffer.set(more === bytes.length ? bytes : bytes.subarray(at, at + more))
    at += more
    const wait = intake.took(more)
    if (wait) await wait
  }
}

/** Receives the bytes of a response. */
export interface Intake {
  /** Buffer for the next bytes; throws if there are more than requested. */
  buffer(): Uint8Array
  /** `bytes` were written to the buffer. Throws or rejects if they are wrong or cannot be written; if it returns a promise, wait for it. */
  took(bytes: number): void | Promise<void>
}

function createIntake(reader: ChunkReader, run: LeafRun, node: SourceNode) {
  const { layout, target, buffers, toFailure, checker } = reader
  const writes = createWriteQueue()
  let piece = nextPiece(layout, run, buffers)
  let filled = 0

  const wrong = () => new BadAnswer('wrong', wrongBytes(toFailure), 200)

  /** Verifies complete leaves and writes the valid ones to the target. */
  const verifyAndWrite = (count: number): void | Promise<void> => {
    const { bytes, first, offset } = piece
    const leaves = Array.from({ length: count }, (_, index) => {
      const { size, cid } = layout.leafAt(first + index)
      return { size, digest: cid.multihash.digest }
    })
    filled = 0
    piece = first + count < run.last ? nextPiece(layout, { next: first + count, last: run.last }, buffers) : nothing
    const write = async (before: Promise<void>) => {
      let good = 0
      const end = () => endOf(layout, first + good) - offset
      let isWritten = false
      try {
        good = await checker(bytes, leaves)
        if (good > 0) {
          await target.write([bytes.subarray(0, end())], offset).catch((error: Error) => {
            throw new TargetFailed(error.message)
          })
          isWritten = true
        }
      } finally {
        if (isWritten) buffers.release(bytes)
        else buffers.drop(bytes)
      }
      // Leaves count as written only after those before them.
      await before
      if (good > 0) {
        run.next = first + good
        reader.onBytes(end(), node)
      }
      if (good < count) throw wrong()
    }
    try {
      return writes.add(write)
    } catch (error) {
      buffers.drop(bytes)
      throw error
    }
  }

  return {
    get complete() {
      return run.next === run.last
    },
    buffer() {
      if (piece === nothing) throw wrong()
      return piece.bytes.subarray(filled)
    },
    took(bytes: number) {
      filled += bytes
      if (filled === piece.bytes.length) return verifyAndWrite(piece.last - piece.first)
    },
    /** Verifies and writes the complete leaves, also if the rest never arrived. */
    async end() {
      let whole = 0
      while (piece.first + whole < piece.last && endOf(layout, piece.first + whole + 1) - piece.offset <= filled)
        whole += 1
      if (whole > 0) await verifyAndWrite(whole)
      await writes.done()
    },
    /** Call after the last byte or a failure. */
    drop() {
      if (piece !== nothing) buffers.drop(piece.bytes)
    },
  }
}

const nothing = { bytes: new Uint8Array(0), first: -1, offset: 0, last: -1 }

/** A buffer for the next leaves: 1 MiB of them, or one larger leaf. */
function nextPiece(layout: FileLayout, { next, last }: LeafRun, buffers: BufferPool) {
  const { offset } = layout.leafAt(next)
  let end = next
  while (end < last && (end === next || endOf(layout, end + 1) - offset <= PIECE)) end += 1
  return { bytes: buffers.acquire(endOf(layout, end) - offset), first: next, offset, last: end }
}

/** Verifies and writes up to two pieces while a third is read. The first failure is thrown by the next call. */
function createWriteQueue() {
  let pending = 0
  let failure: unknown
  let last: Promise<void> = Promise.resolve()
  let onDone = () => {}
  const waitForSlot = async (most: number) => {
    while (pending > most && !failure) await new Promise<void>((resolve) => (onDone = resolve))
    if (failure) throw failure
  }
  return {
    add(work: (before: Promise<void>) => Promise<void>): void | Promise<void> {
      if (failure) throw failure
      pending += 1
      last = work(last)
      last
        .catch((error: unknown) => {
          failure ??= error
        })
        .finally(() => {
          pending -= 1
          onDone()
        })
      return pending > 2 ? waitForSlot(2) : undefined
    },
    /** Waits for all pieces, also after a failure. */
    async done() {
      await last.catch(() => {})
      await waitForSlot(0)
    },
  }
}
