import type { ArchiveTask, DownloadedArchive, DownloadTask } from '@tidenet/storage'
import { create } from 'zustand'
import { refresh } from '../../lib/queries.ts'
import { clearSession, currentToken, onSessionEnd } from '../../lib/session-store.ts'
import { t } from '../../lib/texts.ts'
import { transfersBegin } from './begun.ts'
import { type ChunkLog, createChunkLog, emptyLog } from './chunk-log.ts'
import { storage } from './storage.ts'
import { type DownloadWish, savedName } from './wish.ts'

export interface Download {
  id: number
  wish: DownloadWish
  stage: 'starting' | 'downloading' | 'finishing' | 'done' | 'failed' | 'cancelled'
  loaded: number
  /** 0 while nobody knows. */
  total: number
  percent: number
  speed: number
  /** Verified bytes and chunks by the node that sent them. */
  nodes: Record<string, { bytes: number; chunks: number }>
  /** Every chunk of a file and who sent it; folders come as one stream and have none. */
  log: ChunkLog
  /** Of an archive: which file of how many, and how many could not be had. */
  entry?: { at: number; count: number } | undefined
  without: number
  /** When it began and ended, unix ms; 0 while it runs. */
  began: number
  ended: number
  error: string
  traceId: string
}

let lastId = 0
const tasks = new Map<number, DownloadTask | ArchiveTask | undefined>()

interface DownloadsState {
  list: Download[]
  /** Whether their dialog is in front. */
  shown: boolean
  /** The one that the page in front shows itself. */
  inPage?: number | undefined
}

/** The downloads of this tab, oldest first. */
export const useDownloads = create<DownloadsState>()(() => ({ list: [], shown: false }))

export const isOver = ({ stage }: Download): boolean => stage === 'done' || stage === 'failed' || stage === 'cancelled'

const find = (id: number) => useDownloads.getState().list.find((download) => download.id === id)

function change(id: number, facts: Partial<Download>): void {
  useDownloads.setState(({ list }) => ({
    list: list.map((download) => (download.id === id ? { ...download, ...facts } : download)),
  }))
}

const fresh = {
  stage: 'starting' as const,
  loaded: 0,
  percent: 0,
  speed: 0,
  nodes: {},
  log: emptyLog,
  entry: undefined,
  without: 0,
  ended: 0,
  error: '',
  traceId: '',
}

/** Starts a download. @param show whether to bring the dialog to the front. @returns its id */
export function addDownload(wish: DownloadWish, show = true): number {
  lastId += 1
  const download: Download = { ...fresh, id: lastId, wish, total: wish.size, began: Date.now() }
  transfersBegin()
  useDownloads.setState(({ list, shown }) => ({
    // What ended before is of no interest once something new begins.
    list: [...(shown ? list : list.filter((each) => !isOver(each))), download],
    shown: shown || show,
  }))
  void run(download)
  return download.id
}

export function retryDownload(id: number): void {
  const download = find(id)
  if (!download || tasks.has(id)) return
  change(id, { ...fresh, total: download.wish.size, began: Date.now() })
  void run(download)
}

export function cancelDownload(id: number): void {
  const task = tasks.get(id)
  if (task) void task.cancel()
  else change(id, { stage: 'cancelled' })
}

/** Puts the dialog away; what runs goes on. */
export function hideDownloads(): void {
  useDownloads.setState(({ list }) => ({ shown: false, list: list.filter((download) => !isOver(download)) }))
}

/** No node answered in time: while other downloads fill the way, that says nothing about the nodes. */
const NO_NODE = [10019, 10029]
const AGAIN = 5
const AGAIN_MS = 2000

async function later(download: Download, again: number): Promise<void> {
  const { id } = download
  change(id, { stage: 'starting', speed: 0 })
  // Nothing is under way: cancelling it now ends it at once.
  tasks.delete(id)
  await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  if (find(id)?.stage === 'starting' && !tasks.has(id)) await run(download, again)
}

async function run(download: Download, again = 0): Promise<void> {
  const { id, wish } = download
  tasks.set(id, undefined)
  try {
    const sdk = await storage()
    if (find(id)?.stage === 'cancelled') return
    if (wish.archive) return await runArchive(id, wish)
    const { shared } = wish
    const chunks = createChunkLog()
    const nodes: Download['nodes'] = {}
    const task = sdk.downloadAsset(
      {
        assetCid: wish.cid,
        assetType: wish.assetType,
        ...(wish.path && { path: wish.path }),
        name: savedName(wish),
        ...(shared && {
          source: 'open',
          userId: shared.userId,
          ...(shared.ticket && { ticket: shared.ticket }),
          ...(shared.groupId !== undefined && { groupId: shared.groupId }),
          ...(shared.areas?.length && { areaId: shared.areas }),
        }),
        ...(wish.temporary && { source: 'temp' }),
        ...(wish.handle && { to: { handle: wish.handle } }),
        ...(wish.passphrase && { decrypt: { passphrase: wish.passphrase } }),
        onAsk(asked) {
          chunks.ask(asked)
          change(id, { stage: 'downloading', log: chunks.now() })
        },
        onChunk(report) {
          chunks.note(report)
          const { nodeId, ok, bytes } = report
          if (!ok || bytes === 0) return
          const before = nodes[nodeId] ?? { bytes: 0, chunks: 0 }
          nodes[nodeId] = { bytes: before.bytes + bytes, chunks: before.chunks + 1 }
        },
      },
      ({ state, loaded, total, percent, speed }) =>
        change(id, {
          stage: state === 'probing' ? 'starting' : state,
          loaded,
          total: total || wish.size,
          percent,
          speed,
          nodes: { ...nodes },
          log: chunks.now(),
        }),
    )
    tasks.set(id, task)
    const result = await task
    if (NO_NODE.includes(result.code) && tasks.size > 1 && again < AGAIN) return await later(download, again + 1)
    change(id, { log: chunks.now(), ended: Date.now() })
    if (result.code !== 0) await leaveNothing(wish)
    if (result.code === 0) {
      const {
        size,
        traceId,
        nodes: used,
      } = result.data as {
        size: number
        traceId: string
        nodes: { node_id: string; bytes: number }[]
      }
      const sent = Object.fromEntries(
        used.map(({ node_id, bytes }) => [node_id, { bytes, chunks: nodes[node_id]?.chunks ?? 0 }]),
      )
      change(id, { stage: 'done', percent: 100, loaded: size, total: size, speed: 0, traceId, nodes: sent })
    } else if (result.code === 10028) change(id, { stage: 'cancelled', speed: 0 })
    else {
      if (result.code === 401 && !shared && currentToken() !== '') clearSession('expired')
      const { trace_id: traceId } = result.data as { trace_id?: string }
      change(id, { stage: 'failed', error: result.msg, speed: 0, traceId: traceId ?? '' })
    }
  } catch {
    change(id, { stage: 'failed', error: t.errors.chunkTitle })
  } finally {
    tasks.delete(id)
    refresh('usage.storageSize', 'folders.contents', 'assets.detail', 'tempFiles.info')
  }
}

async function runArchive(id: number, wish: DownloadWish): Promise<void> {
  const { downloadArchive } = await import('./archive.ts')
  const task = downloadArchive(await storage(), wish, ({ loaded, total, percent, speed, done, count }) =>
    change(id, {
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
  change(id, { ended: Date.now(), speed: 0 })
  if (result.code !== 0) await leaveNothing(wish)
  if (result.code === 0) {
    const { size, nodes, failed } = result.data as DownloadedArchive
    const sent = Object.fromEntries(nodes.map(({ node_id, bytes }) => [node_id, { bytes, chunks: 0 }]))
    change(id, { stage: 'done', percent: 100, loaded: size, total: size, nodes: sent, without: failed.length })
  } else if (result.code === 10028) change(id, { stage: 'cancelled' })
  else {
    if (result.code === 401 && currentToken() !== '') clearSession('expired')
    change(id, { stage: 'failed', error: result.msg })
  }
}

/** The empty file that the browser made when the person chose its place. */
async function leaveNothing({ handle }: DownloadWish): Promise<void> {
  if (!handle) return
  try {
    if ((await handle.getFile()).size === 0) await (handle as { remove?: () => Promise<void> }).remove?.()
  } catch {
    // It is gone already.
  }
}

onSessionEnd(() => {
  for (const task of tasks.values()) void task?.cancel()
  useDownloads.setState({ list: [], shown: false })
})
