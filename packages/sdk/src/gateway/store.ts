import type { TraceDetail } from '@tidenet/contract'
import { TRACE } from '@tidenet/contract/storage-enums'
import { type ByteSource, bytesSource } from '../bytes.ts'
import type { Core } from '../core.ts'
import { noResumeStore } from '../platform/resume-store.ts'
import { reportTransfer } from '../report.ts'
import { type Failure, Stop } from '../result.ts'
import { addAttempts } from '../upload/attempts.ts'
import { sendToNodes } from '../upload/send-to-nodes.ts'
import { announce } from '../upload/tree-batches.ts'
import { inBundles, sendBundle } from '../upload/tree-bundle.ts'
import { sendFile } from '../upload/tree-file.ts'
import type { Granted, TreeFile, TreeUpload } from '../upload/tree-upload.ts'
import { createGrantsAhead } from './ahead.ts'

/** Bytes that a node has stored for the account. They are listed with the receipt, which is valid for hours. */
export interface StoredContent {
  cid: string
  receipt: string
  /** Of the transfer, for the call that lists it. */
  traceId: string
}

const RETRIES = 3

const uploadNamed = (core: Core, name: string, signal: AbortSignal): TreeUpload => ({
  core,
  name,
  areas: [],
  conflict: 'replace',
  retries: RETRIES,
  seal: undefined,
  allowEmpty: false,
  store: noResumeStore,
  signal,
  paused: () => false,
  traceId: '',
  next: 0,
  created: 0,
  done: () => {},
})

const fileOf = (item: number, name: string, source: ByteSource): TreeFile => ({
  item,
  path: name,
  name,
  folder: 0,
  source,
  size: source.size,
})

/** @throws Stop if the portal grants no upload */
async function grant(upload: TreeUpload, files: readonly TreeFile[]): Promise<(Granted | Failure)[]> {
  const { nodes, list } = await announce(upload, files)
  return files.map((file, index) => {
    const info = list[index]
    // Never instead of a receipt: that the bytes are known already is no proof that this account sent them.
    if (info?.ok) return { file, info: { ...info, SizeKnown: false }, nodes }
    return upload.core.toFailure('uploadError', {
      msg: info?.msg ?? '',
      data: info?.err === undefined ? {} : { err: info.err },
    })
  })
}

const failureOf = (core: Core, error: unknown): Failure =>
  error instanceof Stop ? error.failure : core.toFailure('uploadError', { data: { reason: String(error) } })

/** Reports the transfer. Nobody has to wait for it. */
export async function report(
  upload: Pick<TreeUpload, 'core' | 'traceId'>,
  began: number,
  attempts: readonly TraceDetail[],
  ok: boolean,
): Promise<void> {
  const { core, traceId } = upload
  if (traceId === '') return
  const size = attempts.reduce((sum, each) => sum + (each.state === TRACE.ok ? each.size : 0), 0)
  await reportTransfer(core.api, core.toFailure, {
    traceId,
    cid: '',
    type: 'upload',
    ok,
    size,
    began,
    ended: Date.now(),
    firstByte: 0,
    details: [...attempts],
    availableNodes: 0,
    addresses: 0,
    error: '',
  })
}

/** Contents that are sent one batch after the other, with one trace. */
export interface SmallUpload {
  /**
   * Stores contents below 1 MiB or so together: one call to the portal, and one request per node.
   * @returns in the same order. Throws nothing.
   */
  store(contents: readonly Uint8Array[]): Promise<(StoredContent | Failure)[]>
  /** Reports the transfer. Nobody has to wait for it. */
  end(): Promise<void>
}

/** @param name of the transfer */
export function openSmallUpload(core: Core, name: string): SmallUpload {
  const upload = uploadNamed(core, name, new AbortController().signal)
  const began = Date.now()
  const attempts: TraceDetail[] = []
  let ok = true
  // One after the other: the first call opens the trace.
  let granting: Promise<unknown> = Promise.resolve()
  const ahead = createGrantsAhead(upload)
  const grantAll = async (contents: readonly Uint8Array[]): Promise<(Granted | Failure)[]> => {
    const taken = await ahead.take(contents)
    if (taken) return taken
    const files = contents.map((bytes) => fileOf(upload.next++, name, bytesSource(bytes, name)))
    const asked = granting.then(() => grant(upload, files))
    granting = asked.catch(() => {})
    return asked
  }
  const store = async (contents: readonly Uint8Array[]): Promise<(StoredContent | Failure)[]> => {
    const results = new Map<number, StoredContent | Failure>()
    /** Of each content; the refusal instead if there is none. */
    let items: (number | Failure)[] = []
    const keep = ({ file, cid, receipt = '' }: { file: TreeFile; cid: string; receipt?: string }) =>
      results.set(file.item, { cid, receipt, traceId: upload.traceId })
    let failure = core.toFailure('uploadError')
    try {
      const granted = await grantAll(contents)
      items = granted.map((each) => ('info' in each ? each.file.item : each))
      await Promise.all(
        inBundles(granted.filter((each) => 'info' in each)).map(async (bundle) => {
          const tried: TraceDetail[] = []
          const sent = await sendBundle(upload, bundle, tried, () => {})
          for (const each of sent.stored) keep(each)
          if (sent.rest.length > 0) ahead.drop()
          for (const each of sent.rest)
            try {
              keep(await sendFile(upload, each, tried, () => {}))
            } catch (error) {
              results.set(each.file.item, failureOf(core, error))
            }
          addAttempts(attempts, tried)
        }),
      )
    } catch (error) {
      failure = failureOf(core, error)
    }
    const all = contents.map((_, index) => {
      const item = items[index]
      return typeof item === 'object' ? item : (results.get(item ?? -1) ?? failure)
    })
    ok &&= all.every((result) => 'cid' in result)
    return all
  }
  const end = async () => {
    if (await ahead.end()) await core.api.call('uploads.cancel', { trace_id: upload.traceId })
    await report(upload, began, attempts, ok)
  }
  return { store, end }
}

/**
 * Stores one content of a known size while it arrives. It cannot be sent again: if the node fails, the content is not stored.
 * @param pieces an exception in it ends the upload, and the node keeps nothing
 * @param gather contents with the same word go to the same node, if they can
 * @throws Stop, or the exception of `pieces`
 */
export async function storeStream(
  core: Core,
  name: string,
  { size, pieces, gather }: { size: number; pieces: AsyncIterable<Uint8Array>; gather?: string | undefined },
  signal: AbortSignal,
): Promise<StoredContent> {
  const upload = { ...uploadNamed(core, name, signal), ...(gather && { gather }) }
  const began = Date.now()
  const attempts: TraceDetail[] = []
  let broken: unknown
  let isRead = false
  const source: ByteSource = {
    name,
    size,
    modified: 0,
    once: true,
    async *read(start, end) {
      if (start >= end) return
      if (isRead || start > 0) throw new Error('the bytes cannot be read again')
      isRead = true
      try {
        yield* pieces
      } catch (error) {
        broken = error
        throw error
      }
    },
  }
  const digest = core.platform.digest(source, { md5: false, signal })
  let ok = false
  try {
    const [granted] = await grant(upload, [fileOf(0, name, source)])
    if (!granted || !('info' in granted)) throw new Stop(granted ?? core.toFailure('uploadError'))
    const { info, nodes } = granted
    const stored = await sendToNodes(
      {
        platform: core.platform,
        source,
        name,
        lang: core.api.lang,
        toFailure: core.toFailure,
        signal,
        pause: core.pause,
        idleTimeout: core.limits.upload,
        probeAfter: core.limits.firstByte,
        retries: 1,
        outage: 0,
        transport: 'form',
        observe: digest.observe,
        expected: async () => (await digest.finish()).cid,
        onState: () => {},
        attempts,
        resume: { store: noResumeStore, fingerprint: '', traceId: upload.traceId },
      },
      info.tokens.flatMap(({ node, Token }) => {
        const target = nodes[node]
        return target ? [{ ...target, Token }] : []
      }),
    )
    ok = true
    return { cid: stored.cid, receipt: stored.receipt, traceId: upload.traceId }
  } catch (error) {
    throw broken ?? error
  } finally {
    digest.stop()
    void report(upload, began, attempts, ok)
    if (!ok && upload.traceId !== '') void core.api.call('uploads.cancel', { trace_id: upload.traceId })
  }
}
