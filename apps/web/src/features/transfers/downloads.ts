import type { ArchiveTask, DownloadedArchive, DownloadedAsset, DownloadTask, SlowNode } from '@tidenet/storage'
import { create } from 'zustand'
import { refresh } from '../../lib/queries.ts'
import { clearSession, currentToken, onSessionEnd } from '../../lib/session-store.ts'
import { storage } from '../../lib/storage.ts'
import { t } from '../../lib/texts.ts'
import { warnBeforeLeaving } from '../../lib/warn-before-leaving.ts'
import { type ChunkLog, createChunkLog, emptyLog } from './chunk-log.ts'
import { decryptionOf } from './decryption.ts'
import { type ArchiveRequest, type DownloadRequest, savedName } from './download-request.ts'
import { sdkCodes } from './sdk-codes.ts'
import { ticketOf } from './share-ticket.ts'
import { t as transfers } from './texts.ts'
import { markTransfersStarted } from './transfers-started.ts'

export interface Download {
  id: number
  request: DownloadRequest
  /** `waiting`: it was interrupted, and continues by itself. */
  stage: 'starting' | 'downloading' | 'waiting' | 'finishing' | 'done' | 'failed' | 'cancelled'
  loaded: number
  /** 0 if unknown. */
  total: number
  percent: number
  speed: number
  /** Verified bytes and chunks by the node that sent them. */
  nodes: Record<string, { bytes: number; chunks: number }>
  /** Chunks of a file by node; empty for folders, which come as one stream. */
  log: ChunkLog
  /** For archives: current entry of all. */
  entry?: { at: number; count: number } | undefined
  failedCount: number
  /** Unix ms; `ended` is 0 while it runs. */
  started: number
  ended: number
  error: string
  traceId: string
  /** Nodes that slowed it. */
  slow: readonly SlowNode[]
}

let lastId = 0
const tasks = new Map<number, DownloadTask | ArchiveTask | undefined>()

interface DownloadsState {
  list: Download[]
  /** Whether the dialog is open. */
  shown: boolean
  /** The download that the current page shows itself. */
  inPage?: number | undefined
}

/** The downloads of this tab, oldest first. */
export const useDownloads = create<DownloadsState>()(() => ({ list: [], shown: false }))

export const isOver = ({ stage }: Download): boolean => stage === 'done' || stage === 'failed' || stage === 'cancelled'

const find = (id: number) => useDownloads.getState().list.find((download) => download.id === id)

function updateDownload(id: number, facts: Partial<Download>): void {
  useDownloads.setState(({ list }) => ({
    list: list.map((download) => (download.id === id ? { ...download, ...facts } : download)),
  }))
}

const INITIAL = {
  stage: 'starting' as const,
  loaded: 0,
  percent: 0,
  speed: 0,
  nodes: {},
  log: emptyLog,
  entry: undefined,
  failedCount: 0,
  ended: 0,
  error: '',
  traceId: '',
  slow: [],
}

/** Starts a download. @param show whether to bring the dialog to the front. @returns its id */
export function addDownload(request: DownloadRequest, show = true): number {
  lastId += 1
  const download: Download = { ...INITIAL, id: lastId, request, total: request.size, started: Date.now() }
  markTransfersStarted()
  useDownloads.setState(({ list, shown }) => ({
    // A new download removes completed ones.
    list: [...(shown ? list : list.filter((each) => !isOver(each))), download],
    shown: shown || show,
  }))
  void run(download)
  return download.id
}

export function retryDownload(id: number): void {
  const download = find(id)
  if (!download || tasks.has(id)) return
  updateDownload(id, { ...INITIAL, total: download.request.size, started: Date.now() })
  void run(download)
}

export function cancelDownload(id: number): void {
  const task = tasks.get(id)
  if (task) void task.cancel()
  else updateDownload(id, { stage: 'cancelled' })
}

/** Closes the dialog; running downloads continue. */
export function hideDownloads(): void {
  useDownloads.setState(({ list }) => ({ shown: false, list: list.filter((download) => !isOver(download)) }))
}

/** No node answered in time. While other downloads use the bandwidth, this does not mean that nodes are down. */
const NO_NODE: readonly number[] = [sdkCodes.noDownloadAddress, sdkCodes.timedOut]
/** A download that has begun waits for its nodes, because trying again starts over and counts as another one. */
const WAIT_MS = 10 * 60_000
const MAX_RETRIES = 5
const RETRY_DELAY_MS = 2000

async function retryLater(download: Download, retries: number): Promise<void> {
  const { id } = download
  updateDownload(id, { stage: 'starting', speed: 0 })
  // No request is running, so cancelling takes effect at once.
  tasks.delete(id)
  await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
  if (find(id)?.stage === 'starting' && !tasks.has(id)) await run(download, retries)
}

async function run(download: Download, retries = 0): Promise<void> {
  const { id, request } = download
  tasks.set(id, undefined)
  try {
    const sdk = await storage()
    if (find(id)?.stage === 'cancelled') return
    const { archive } = request
    if (archive) return await runArchive(id, { ...request, archive })
    const { shared } = request
    const chunks = createChunkLog()
    const nodes: Download['nodes'] = {}
    const task = sdk.downloadAsset(
      {
        assetCid: request.cid,
        assetType: request.assetType,
        ...(request.path && { path: request.path }),
        name: savedName(request),
        waitForNodes: WAIT_MS,
        ...(shared && {
          source: 'open',
          userId: shared.userId,
          ...ticketOf(sdk, request.cid, shared),
          ...(shared.groupId !== undefined && { groupId: shared.groupId }),
          ...(shared.areas?.length && { areaId: shared.areas }),
        }),
        ...(request.temporary && { source: 'temp' }),
        ...(request.handle && { to: { handle: request.handle } }),
        ...(request.passphrase && { decrypt: decryptionOf(request.passphrase) }),
        onAsk(request) {
          chunks.recordRequest(request)
          updateDownload(id, { stage: 'downloading', log: chunks.now() })
        },
        onChunk(report) {
          chunks.recordResult(report)
          const { nodeId, ok, bytes } = report
          if (!ok || bytes === 0) return
          const before = nodes[nodeId] ?? { bytes: 0, chunks: 0 }
          nodes[nodeId] = { bytes: before.bytes + bytes, chunks: before.chunks + 1 }
        },
      },
      ({ state, loaded, total, percent, speed }) =>
        updateDownload(id, {
          stage: state === 'probing' ? 'starting' : state,
          loaded,
          total: total || request.size,
          percent,
          speed: state === 'waiting' ? 0 : speed,
          nodes: { ...nodes },
          log: chunks.now(),
        }),
    )
    tasks.set(id, task)
    const result = await task
    if (NO_NODE.includes(result.code) && tasks.size > 1 && retries < MAX_RETRIES)
      return await retryLater(download, retries + 1)
    updateDownload(id, { log: chunks.now(), ended: Date.now() })
    if (result.code !== 0) await removeEmptyFile(request)
    if (result.code === 0) {
      const { size, traceId, nodes: used, slow } = result.data as DownloadedAsset
      const sent = Object.fromEntries(
        used.map(({ node_id, bytes }) => [node_id, { bytes, chunks: nodes[node_id]?.chunks ?? 0 }]),
      )
      updateDownload(id, {
        stage: 'done',
        percent: 100,
        loaded: size,
        total: size,
        speed: 0,
        traceId,
        nodes: sent,
        slow,
      })
    } else if (result.code === sdkCodes.aborted) updateDownload(id, { stage: 'cancelled', speed: 0 })
    else {
      if (result.code === sdkCodes.unauthorized && !shared && currentToken() !== '') clearSession('expired')
      const { trace_id: traceId } = result.data as { trace_id?: string }
      updateDownload(id, { stage: 'failed', error: result.msg, speed: 0, traceId: traceId ?? '' })
    }
  } catch {
    updateDownload(id, { stage: 'failed', error: t.errors.chunkTitle })
  } finally {
    tasks.delete(id)
    refresh('usage.storageSize', 'folders.contents', 'shares.folder', 'assets.detail', 'tempFiles.info')
  }
}

async function runArchive(id: number, request: ArchiveRequest): Promise<void> {
  const { downloadArchive } = await import('./archive.ts')
  const task = downloadArchive(await storage(), request, ({ loaded, total, percent, speed, done, count }) =>
    updateDownload(id, {
      stage: 'downloading',
      loaded,
      total,
      percent,
      speed,
      entry: { at: Math.min(done + 1, count), count },
    }),
  )
  tasks.set(id, task)
  const result = await task
  updateDownload(id, { ended: Date.now(), speed: 0 })
  if (result.code !== 0) await removeEmptyFile(request)
  if (result.code === 0) {
    const { size, nodes, failed } = result.data as DownloadedArchive
    const sent = Object.fromEntries(nodes.map(({ node_id, bytes }) => [node_id, { bytes, chunks: 0 }]))
    updateDownload(id, {
      stage: 'done',
      percent: 100,
      loaded: size,
      total: size,
      nodes: sent,
      failedCount: failed.length,
    })
  } else if (result.code === sdkCodes.aborted) updateDownload(id, { stage: 'cancelled' })
  else {
    if (result.code === sdkCodes.unauthorized && !request.shared && currentToken() !== '') clearSession('expired')
    updateDownload(id, {
      stage: 'failed',
      error: result.code === sdkCodes.sizeError ? transfers.emptyArchive : result.msg,
    })
  }
}

/** Removes the empty file that the browser created when the save location was chosen. */
async function removeEmptyFile({ handle }: DownloadRequest): Promise<void> {
  if (!handle) return
  try {
    if ((await handle.getFile()).size === 0) await (handle as { remove?: () => Promise<void> }).remove?.()
  } catch {
    // Already removed.
  }
}

warnBeforeLeaving(() => !useDownloads.getState().list.every(isOver))

onSessionEnd(() => {
  for (const task of tasks.values()) void task?.cancel()
  useDownloads.setState({ list: [], shown: false })
})
