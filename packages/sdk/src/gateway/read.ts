import { type FileLayout, leavesOfRange, parseCid } from '@tidenet/content'
import type { DownloadInfo } from '@tidenet/contract'
import { MiB } from '@tidenet/contract/constants'
import type { Core } from '../core.ts'
import { fetchFile } from '../download/fetch-file.ts'
import { fetchLayout } from '../download/layout.ts'
import { orderedTarget, pieceQueue } from '../download/ordered-target.ts'
import { type Located, readPart } from '../download/read-part.ts'
import { isSuccess, type Result, Stop } from '../result.ts'
import { createReading, type Reading } from './reading.ts'
import { createSharedBuffers } from './shared-buffers.ts'

/** A content of which parts are read. Every byte is verified. */
export interface OpenContent {
  /**
   * The bytes [start, end), in pieces. Throws Stop.
   * @param how.reuse a piece is valid only until the next one is asked for; its memory is used again
   * @param how.signal ends this reading; by default the signal of the content
   */
  read(start: number, end: number, how?: { reuse: boolean; signal?: AbortSignal }): AsyncGenerator<Uint8Array, void>
  /** Signs for the nodes what they sent, and reports the transfer. Nobody has to wait for it. */
  end(ok: boolean): Promise<void>
}

const PIECE = 2 * MiB
/** Most bytes that wait for readers: for all together, beyond which each has the smallest window, and for one. */
const WAITING_OF_ALL = 16 * MiB
const WAITING_MAX = 8 * MiB
/** Bytes of one request to a node, and of the smallest window: more than a leaf, and no more than the window, because it is received as a whole. */
const CHUNK = MiB / 2

let streams = 0
const buffers = createSharedBuffers(WAITING_OF_ALL)
const windowOfStream = () => {
  if (buffers.held() >= WAITING_OF_ALL) return CHUNK
  return Math.max(CHUNK, Math.min(WAITING_MAX, WAITING_OF_ALL / Math.max(1, streams)))
}

/** Layouts that were read lately: clients read a large file in many requests. */
const layouts = new Map<string, FileLayout>()
const LAYOUTS_MAX = 200
const LEAVES_KEPT = 100_000

function remember(cid: string, layout: FileLayout): void {
  layouts.delete(cid)
  if (layout.leafCount <= LEAVES_KEPT / 10) layouts.set(cid, layout)
  let leaves = [...layouts.values()].reduce((sum, { leafCount }) => sum + leafCount, 0)
  for (const [oldest, { leafCount }] of layouts) {
    if (layouts.size <= LAYOUTS_MAX && leaves <= LEAVES_KEPT) break
    layouts.delete(oldest)
    leaves -= leafCount
  }
}

/**
 * Opens a content as a download that counts.
 * @param ask asks the portal for the sources; gets the public key with which receipts are signed
 */
export async function openContent<T extends { sources: DownloadInfo | null }>(
  core: Core,
  ask: (receiptKey: string) => Promise<Result<T>>,
  signal: AbortSignal,
): Promise<Result<T & { content: OpenContent }>> {
  const key = await core.platform.receiptKey()
  const asked = await ask(key?.publicKey ?? '')
  if (!isSuccess(asked)) return asked
  const { sources } = asked.data
  const content = sources ? contentOf(core, sources, createReading(core, sources, key, signal), signal) : NOTHING
  return { ...asked, data: { ...asked.data, content } }
}

const NOTHING: OpenContent = {
  async *read() {},
  async end() {},
}

function contentOf(core: Core, info: DownloadInfo, reading: Reading, signal: AbortSignal): OpenContent {
  const { platform, toFailure, limits } = core
  const { pool, receipts } = reading
  let sent = 0
  let lastSent = 0
  let located: Promise<Located> | undefined
  const locate = async (): Promise<Located> => {
    const cid = info.asset_cid
    const known = layouts.get(cid)
    const layout =
      known ?? (await fetchLayout({ platform, pool, toFailure, signal, stall: limits.stall }, parseCid(cid), info.size))
    // Nodes store no such file as a content of its own.
    if (!layout) throw new Stop(toFailure('downloadFileError'))
    remember(cid, layout)
    return { pool, layout }
  }
  /** The piece around a position: small reads do not begin a download in parallel. */
  async function* readSmall(place: Located, start: number, end: number, signal: AbortSignal) {
    for (let at = start; at < end; ) {
      const to = Math.min(end, at - (at % PIECE) + PIECE)
      const bytes = await readPart(core, place, at, to, signal, receipts.add)
      at = to
      yield bytes
    }
  }
  async function* readLarge({ layout }: Located, start: number, end: number, signal: AbortSignal, reuse: boolean) {
    const leaves = leavesOfRange(layout, start, end)
    const queue = pieceQueue()
    const target = orderedTarget(queue, { from: leaves.start, window: windowOfStream })
    const stop = new AbortController()
    const own = buffers.open()
    const fetching = fetchFile(
      {
        platform,
        pool,
        toFailure,
        signal: AbortSignal.any([signal, stop.signal]),
        target,
        stall: limits.stall,
        outage: limits.outage,
        chunkMax: CHUNK,
        ...(reuse && { buffers: { acquire: own.acquire, release: () => {}, drop: own.drop } }),
        has: (leaf) => leaf < leaves.first || leaf >= leaves.first + leaves.count,
        onBytes: (bytes, node) => node && receipts.add(node, bytes),
      },
      layout,
    )
      .then(() => target.passed())
      .then(
        () => queue.close(),
        (error: Error) => queue.abort(error),
      )
    streams += 1
    let at = leaves.start
    try {
      for await (const piece of queue.pieces) {
        const wanted = piece.subarray(Math.max(0, start - at), Math.max(0, end - at))
        at += piece.length
        if (wanted.length > 0) yield wanted
        own.release(piece)
      }
    } finally {
      streams -= 1
      stop.abort()
      await fetching
      own.end()
    }
  }
  return {
    async *read(start, end, { reuse, signal: own = signal } = { reuse: false }) {
      located ??= locate().catch((error) => {
        located = undefined
        throw error
      })
      const place = await located
      const isLarge = end - start > PIECE
      for await (const bytes of isLarge
        ? readLarge(place, start, end, own, reuse)
        : readSmall(place, start, end, own)) {
        sent += bytes.length
        lastSent = Date.now()
        yield bytes
      }
    },
    end: (ok) => reading.end({ ok, size: sent, ended: lastSent || Date.now() }),
  }
}
