import type { AssetType } from '@tidenet/contract'
import type { UploadProgress, UploadTask } from '@tidenet/storage'
import { create } from 'zustand'
import { ApiError, api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { clearSession, currentToken, onSessionEnd, useSession } from '../../lib/session-store.ts'
import { t } from '../../lib/texts.ts'
import { transfersBegin } from './begun.ts'
import type { Picked } from './picked.ts'
import { resumeStoreOf, storage } from './storage.ts'
import { forgetUnfinished, noteUnfinished, type Unfinished } from './unfinished.ts'

export type UploadStage = UploadProgress['state'] | 'waiting' | 'paused' | 'done' | 'failed' | 'cancelled'

export interface UploadOptions {
  /** Folder to put it in; 0 is the root. */
  folder: number
  /** Areas to keep copies in; none leaves it to the network. */
  areas: string[]
  /** Encrypts before anything leaves the browser. Kept in memory alone. */
  passphrase?: string
}

/** What an upload takes the place of; it goes to the trash when the new one is there. */
export interface Replaced {
  kind: AssetType | 'group'
  /** The CID of an asset or the number of a folder. */
  id: string
}

/** What is to be uploaded, under the name it gets. */
export type Planned = Picked & { replaces?: Replaced }

export interface Upload {
  id: number
  picked: Planned
  options: UploadOptions
  stage: UploadStage
  loaded: number
  total: number
  percent: number
  /** Bytes a second. */
  speed: number
  /** Nodes that were tried so far. */
  nodes: string[]
  error: string
  /** The network had the bytes already. */
  instant: boolean
  /** The account had the file already. */
  existed: boolean
  cid: string
}

const AT_ONCE = 2
let lastId = 0
const tasks = new Map<number, UploadTask | undefined>()

/** The uploads of this tab, oldest first. They go on while one looks at other pages. */
export const useUploads = create<{ list: Upload[]; quiet: boolean }>()(() => ({ list: [], quiet: false }))

const ended: readonly UploadStage[] = ['done', 'failed', 'cancelled']
export const hasEnded = ({ stage }: Pick<Upload, 'stage'>): boolean => ended.includes(stage)

const find = (id: number) => useUploads.getState().list.find((upload) => upload.id === id)

function change(id: number, facts: Partial<Upload>): void {
  useUploads.setState(({ list }) => ({
    list: list.map((upload) => (upload.id === id ? { ...upload, ...facts } : upload)),
  }))
}

const fresh = {
  stage: 'waiting' as const,
  loaded: 0,
  percent: 0,
  speed: 0,
  nodes: [],
  error: '',
  instant: false,
  existed: false,
  cid: '',
}

/** Puts uploads into the queue as they are; `features/files/begin-uploads.ts` asks about names first. */
export function addUploads(picked: readonly Planned[], options: UploadOptions): void {
  const added = picked.map((each): Upload => {
    lastId += 1
    return { ...fresh, id: lastId, picked: each, options, total: each.size }
  })
  transfersBegin()
  useUploads.setState(({ list }) => ({ list: [...list, ...added] }))
  startNext()
}

export function retryUpload(id: number): void {
  change(id, fresh)
  startNext()
}

export function cancelUpload(id: number): void {
  const [task, upload] = [tasks.get(id), find(id)]
  if (!upload || hasEnded(upload)) return
  if (task) void task.cancel()
  else change(id, { stage: 'cancelled' })
  forgetUnfinished(unfinishedFrom(upload))
}

/** Stops sending and keeps what a node has; a waiting one is passed over. */
export function pauseUpload(id: number): void {
  const upload = find(id)
  if (!upload || hasEnded(upload) || upload.stage === 'paused' || upload.stage === 'finishing') return
  const task = tasks.get(id)
  change(id, { stage: 'paused', speed: 0 })
  if (task) void task.pause()
}

export function resumeUpload(id: number): void {
  // Its place is taken again only when the last try has let go of the file.
  if (find(id)?.stage === 'paused') change(id, { stage: 'waiting' })
  startNext()
}

export function clearEnded(): void {
  useUploads.setState(({ list }) => ({ list: list.filter((upload) => !hasEnded(upload)) }))
}

function startNext(): void {
  for (const upload of useUploads.getState().list) {
    if (tasks.size >= AT_ONCE) return
    if (upload.stage === 'waiting' && !tasks.has(upload.id)) void run(upload)
  }
}

/** What is remembered of an upload beyond the life of the page. */
const unfinishedFrom = ({ picked, options }: Upload): Unfinished => ({
  account: useSession.getState().address,
  name: picked.kind === 'file' ? picked.file.name : picked.name,
  size: picked.size,
  modified: picked.kind === 'file' ? picked.file.lastModified : 0,
  folder: options.folder,
  areas: options.areas,
  begun: Date.now(),
})

async function run(upload: Upload): Promise<void> {
  const { id, picked, options } = upload
  const over = () => ['cancelled', 'paused'].includes(find(id)?.stage ?? 'cancelled')
  const unfinished = unfinishedFrom(upload)
  // Ciphertext is new each time, and a folder is packed anew: neither goes on.
  const lasting = picked.kind === 'file' && !options.passphrase
  tasks.set(id, undefined)
  try {
    const [sdk, resume] = await Promise.all([storage(), resumeStoreOf(unfinished.account)])
    if (over()) return
    if (isBare(picked)) {
      await makeBare(picked, options.folder)
      return change(id, { stage: 'done', percent: 100 })
    }
    if (lasting) noteUnfinished(unfinished)
    const task = sdk.uploadAsset(
      picked.kind === 'file' ? picked.file : [...picked.files, ...picked.empty.map((path) => ({ path }))],
      {
        groupId: options.folder,
        name: picked.name,
        resume,
        ...(options.areas.length > 0 && { areaId: options.areas }),
        ...(options.passphrase && { encrypt: { passphrase: options.passphrase } }),
      },
      ({ state, loaded, total, percent, speed, node }) => {
        if (over()) return
        const nodes = find(id)?.nodes ?? []
        change(id, {
          stage: state,
          loaded,
          total: total || picked.size,
          percent,
          speed,
          nodes: node && !nodes.includes(node) ? [...nodes, node] : nodes,
        })
      },
    )
    tasks.set(id, task)
    const result = await task
    if (result.code === 0) {
      const { cid, isFastUpload, isAlreadyExist } = result.data as {
        cid: string
        isFastUpload: boolean
        isAlreadyExist: boolean
      }
      // Not done while both lie there; where this fails, trying again finds the content uploaded and comes back to it.
      if (picked.replaces && picked.replaces.id !== cid) await api('trash.put', replacedBy(picked.replaces))
      change(id, { stage: 'done', percent: 100, instant: isFastUpload, existed: isAlreadyExist, cid })
      forgetUnfinished(unfinished)
      if (!options.passphrase) leavePicture(picked, cid)
    } else if (result.code === -200) {
      if (find(id)?.stage === 'paused' || (result.data as { paused?: boolean }).paused) settlePaused(id)
      else change(id, { stage: 'cancelled', speed: 0 })
    } else {
      if (result.code === 401 && currentToken() !== '') clearSession('expired')
      change(id, { stage: 'failed', error: result.msg, speed: 0 })
    }
  } catch (error) {
    change(id, { stage: 'failed', error: error instanceof ApiError ? error.message : t.errors.chunkTitle })
  } finally {
    tasks.delete(id)
    refreshSoon()
    startNext()
  }
}

/** A folder with nothing in it at all: there is no content to name by a CID. */
const isBare = (picked: Planned): boolean =>
  picked.kind === 'folder' && picked.files.length === 0 && picked.empty.every((path) => /^[^/]*\/$/.test(path))

/** It becomes a folder of the account. */
async function makeBare({ name, replaces }: Planned, parent: number): Promise<void> {
  if (replaces) await api('trash.put', replacedBy(replaces))
  await api('folders.create', { name, parent })
}

const replacedBy = ({ kind, id }: Replaced) => (kind === 'group' ? { folders: [Number(id)] } : { assets: [id] })

/** It may have been told to go on while it was still stopping. */
function settlePaused(id: number): void {
  if (find(id)?.stage !== 'waiting') change(id, { stage: 'paused', speed: 0 })
}

/** An image leaves a small picture of itself: nobody has to fetch it for that. */
function leavePicture(picked: Planned, cid: string): void {
  if (picked.kind === 'file' && /\.(jpe?g|png|gif|webp|avif|bmp)$/i.test(picked.name))
    void import('./thumbnails.ts').then(({ keepThumbnail }) => keepThumbnail(cid, picked.file)).catch(() => {})
}

const REFRESH_MS = 1000
let refreshing = false

/** Hundreds of small files end in a second: the lists that show them are asked for once in that time. */
function refreshSoon(): void {
  if (refreshing) return
  refreshing = true
  setTimeout(() => {
    refreshing = false
    refresh('folders.contents', 'folders.item', 'usage.storageSize', 'assets.count', 'trash.list')
  }, REFRESH_MS)
}

const anyRunning = () => useUploads.getState().list.some((upload) => !hasEnded(upload))

if (!import.meta.env.SSR)
  window.addEventListener('beforeunload', (event) => {
    if (anyRunning()) event.preventDefault()
  })

// What one person uploads must neither go on nor be seen after they have left.
onSessionEnd(() => {
  for (const task of tasks.values()) void task?.cancel()
  useUploads.setState({ list: [] })
})
