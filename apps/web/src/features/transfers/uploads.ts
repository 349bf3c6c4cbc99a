import type { AssetType } from '@tidenet/contract'
import type { UploadProgress, UploadTask } from '@tidenet/storage'
import { create } from 'zustand'
import { ApiError, api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { clearSession, currentToken, onSessionEnd } from '../../lib/session-store.ts'
import { resumeStoreOf, storage } from '../../lib/storage.ts'
import { storageAccount } from '../../lib/team.ts'
import { t } from '../../lib/texts.ts'
import type { Picked } from './picked.ts'
import { sdkCodes } from './sdk-codes.ts'
import { markTransfersStarted } from './transfers-started.ts'
import { recordUnfinished, removeUnfinished, type UnfinishedUpload } from './unfinished.ts'

export type UploadStage = UploadProgress['state'] | 'waiting' | 'paused' | 'done' | 'failed' | 'cancelled'

export interface UploadOptions {
  /** Folder to put it in; 0 is the root. */
  folder: number
  /** Areas for copies; none: the network decides. */
  areas: string[]
  /** Encrypts in the browser before the upload. In memory only. */
  passphrase?: string
  /** Encrypts for the key of the account's encrypted folders. */
  recipient?: string
}

/** The item that an upload replaces. What a file contained is kept as a version; other items are moved to the trash after the upload. */
export interface Replaced {
  kind: AssetType | 'group'
  /** A CID or folder number. */
  id: string
  /** Of an asset. */
  asset_id: number
}

/** Whether the replaced item stays, with what it contained as a version. */
export const keepsVersion = (picked: Picked, replaced: Replaced): boolean => replaced.kind === picked.kind

/** An upload with its final name. */
export type Planned = Picked & { replaces?: Replaced }

export interface Upload {
  id: number
  picked: Planned
  options: UploadOptions
  stage: UploadStage
  loaded: number
  total: number
  percent: number
  /** Bytes per second. */
  speed: number
  /** Nodes tried so far. */
  nodes: string[]
  error: string
  /** The network had the bytes already. */
  instant: boolean
  /** The account had the file already. */
  existed: boolean
  cid: string
}

const CONCURRENCY = 2
let lastId = 0
const tasks = new Map<number, UploadTask | undefined>()

/** The uploads of this tab, oldest first. They continue on other pages. */
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

/** Queues uploads as they are; `features/files/begin-uploads.ts` resolves name conflicts first. */
export function addUploads(picked: readonly Planned[], options: UploadOptions): void {
  const added = picked.map((each): Upload => {
    lastId += 1
    return { ...fresh, id: lastId, picked: each, options, total: each.size }
  })
  markTransfersStarted()
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
  removeUnfinished(unfinishedFrom(upload))
}

/** Pauses an upload; nodes keep what they received. */
export function pauseUpload(id: number): void {
  const upload = find(id)
  if (!upload || hasEnded(upload) || upload.stage === 'paused' || upload.stage === 'finishing') return
  const task = tasks.get(id)
  change(id, { stage: 'paused', speed: 0 })
  if (task) void task.pause()
}

export function resumeUpload(id: number): void {
  // It starts only after the previous attempt has released its task.
  if (find(id)?.stage === 'paused') change(id, { stage: 'waiting' })
  startNext()
}

export function clearEnded(): void {
  useUploads.setState(({ list }) => ({ list: list.filter((upload) => !hasEnded(upload)) }))
}

function startNext(): void {
  for (const upload of useUploads.getState().list) {
    if (tasks.size >= CONCURRENCY) return
    if (upload.stage === 'waiting' && !tasks.has(upload.id)) void run(upload)
  }
}

/** What is stored of an upload beyond the life of the page. */
const unfinishedFrom = ({ picked, options }: Upload): UnfinishedUpload => ({
  account: storageAccount(),
  name: picked.kind === 'file' ? picked.file.name : picked.name,
  size: picked.size,
  modified: picked.kind === 'file' ? picked.file.lastModified : 0,
  folder: options.folder,
  areas: options.areas,
  begun: Date.now(),
})

async function run(upload: Upload): Promise<void> {
  const { id, picked, options } = upload
  const stopped = () => ['cancelled', 'paused'].includes(find(id)?.stage ?? 'cancelled')
  const unfinished = unfinishedFrom(upload)
  // Ciphertext and folder archives differ on each attempt, so they cannot be resumed after a reload.
  const encrypt = encryptionOf(options)
  const resumable = picked.kind === 'file' && !encrypt
  tasks.set(id, undefined)
  try {
    const [sdk, resume] = await Promise.all([storage(), resumeStoreOf(unfinished.account)])
    if (stopped()) return
    if (isEmptyFolder(picked)) {
      await createEmptyFolder(picked, options.folder)
      return change(id, { stage: 'done', percent: 100 })
    }
    if (resumable) recordUnfinished(unfinished)
    const task = sdk.uploadAsset(
      picked.kind === 'file' ? picked.file : [...picked.files, ...picked.empty.map((path) => ({ path }))],
      {
        groupId: options.folder,
        name: picked.name,
        resume,
        ...(picked.replaces && keepsVersion(picked, picked.replaces) && { onConflict: 'replace' as const }),
        ...(options.areas.length > 0 && { areaId: options.areas }),
        ...(encrypt && { encrypt }),
      },
      ({ state, loaded, total, percent, speed, node }) => {
        if (stopped()) return
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
      // Complete only after the old item is in the trash. If this fails, a retry finds the content uploaded and gets here again.
      const { replaces } = picked
      if (replaces && replaces.id !== cid && !keepsVersion(picked, replaces))
        await api('trash.put', replacedBy(replaces))
      change(id, { stage: 'done', percent: 100, instant: isFastUpload, existed: isAlreadyExist, cid })
      removeUnfinished(unfinished)
      // With a passphrase, what the file shows must not stay in this browser; the list shows images of encrypted folders while unlocked.
      if (!options.passphrase) createThumbnail(picked, cid, encrypt !== undefined)
    } else if (result.code === sdkCodes.cancelled) {
      if (find(id)?.stage === 'paused' || (result.data as { paused?: boolean }).paused) settlePaused(id)
      else change(id, { stage: 'cancelled', speed: 0 })
    } else {
      if (result.code === sdkCodes.unauthorized && currentToken() !== '') clearSession('expired')
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

/** A folder without any content, which would have no CID. */
const isEmptyFolder = (picked: Planned): boolean =>
  picked.kind === 'folder' && picked.files.length === 0 && picked.empty.every((path) => /^[^/]*\/$/.test(path))

/** Creates a folder of the account instead of an upload. */
async function createEmptyFolder({ name, replaces }: Planned, parent: number): Promise<void> {
  if (replaces) await api('trash.put', replacedBy(replaces))
  await api('folders.create', { name, parent })
}

const replacedBy = ({ kind, id, asset_id }: Replaced) =>
  kind === 'group' ? { folders: [Number(id)] } : { asset_ids: [asset_id] }

/** It may have been resumed while it was still stopping. */
function settlePaused(id: number): void {
  if (find(id)?.stage !== 'waiting') change(id, { stage: 'paused', speed: 0 })
}

const encryptionOf = ({ passphrase, recipient }: UploadOptions) =>
  passphrase ? { passphrase } : recipient ? { recipients: [recipient] } : undefined

/** Creates the thumbnail of an uploaded image, so that it need not be downloaded later. */
function createThumbnail(picked: Planned, cid: string, secret: boolean): void {
  if (picked.kind === 'file' && /\.(jpe?g|png|gif|webp|avif|bmp)$/i.test(picked.name))
    void import('./thumbnails.ts')
      .then(({ storeThumbnail }) => storeThumbnail(cid, picked.file, secret))
      .catch(() => {})
}

const REFRESH_MS = 1000
let refreshing = false

/** Reloads lists at most once per second: hundreds of small files may complete in that time. */
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

// Cancel and hide uploads when the user signs out.
onSessionEnd(() => {
  for (const task of tasks.values()) void task?.cancel()
  useUploads.setState({ list: [] })
})
