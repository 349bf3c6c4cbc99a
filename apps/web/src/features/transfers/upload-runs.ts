import type { FileConflict, FolderUploadTask, Result, Storage, UploadedFolder, UploadTask } from '@tidenet/storage'
import { ApiError, api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { clearSession, currentToken } from '../../lib/session-store.ts'
import { resumeStoreOf, storage } from '../../lib/storage.ts'
import { storageAccount } from '../../lib/team.ts'
import { t } from '../../lib/texts.ts'
import { countStored, leftOut, type PickedFolder, sendFolder, storable } from './folder-upload.ts'
import { createOutages } from './outages.ts'
import { isConnectionLost, sdkCodes } from './sdk-codes.ts'
import { recordUnfinished, removeUnfinished, topFolder, type UnfinishedUpload } from './unfinished.ts'
import {
  change,
  find,
  keepsVersion,
  type Planned,
  type Replaced,
  type Upload,
  type UploadOptions,
} from './upload-list.ts'
import { createThumbnail, isImage } from './upload-thumbnail.ts'

/** The uploads that run, by the id of their item. */
export const tasks = new Map<number, UploadTask | FolderUploadTask | undefined>()

export const outages = createOutages({ now: Date.now, isOnline: () => navigator.onLine })

/** What is stored of an upload beyond the life of the page. */
export const unfinishedFrom = ({ id, picked, options }: Upload): UnfinishedUpload => ({
  account: storageAccount(),
  name: picked.kind === 'file' ? picked.file.name : picked.name,
  size: picked.size,
  modified: picked.kind === 'file' ? picked.file.lastModified : 0,
  folder: options.folder,
  areas: options.areas,
  begun: Date.now(),
  ...(picked.kind === 'folder' && {
    tree: {
      source: topFolder(picked),
      files: storable(picked).length,
      stored: countStored(id),
      onConflict: conflictAgain(picked, options),
    },
  }),
})

/** Ciphertext differs each time. In a folder that this upload created, the files that are there are those that were sent. */
const conflictAgain = ({ into, onConflict = 'replace' }: Planned, { recipient }: UploadOptions): FileConflict =>
  recipient && into === undefined ? 'skip' : onConflict

/** Uploads one item of the list, and shows there how it went. */
export async function runUpload(upload: Upload): Promise<void> {
  const { id, picked, options } = upload
  const stopped = () => ['cancelled', 'paused'].includes(find(id)?.stage ?? 'cancelled')
  const unfinished = unfinishedFrom(upload)
  const begunAt = Date.now()
  // Ciphertext and folder archives differ on each attempt, so they cannot be resumed after a reload.
  const encrypt = encryptionOf(options)
  const tree = treeOf(picked, options)
  const importCar = picked.kind === 'file' && picked.importCar === true
  const resumable = picked.kind === 'file' ? !encrypt && !importCar : tree && !options.passphrase
  tasks.set(id, undefined)
  try {
    const [sdk, resume] = await Promise.all([storage(), resumeStoreOf(unfinished.account)])
    if (stopped()) return
    if (resumable) recordUnfinished(unfinished)
    if (tree) return await runTree(upload, tree, sdk, resume, begunAt)
    const task = sdk.uploadAsset(
      picked.kind === 'file' ? picked.file : [...picked.files, ...picked.empty.map((path) => ({ path }))],
      {
        groupId: options.folder,
        name: picked.name,
        resume,
        ...(picked.replaces && keepsVersion(picked, picked.replaces) && { onConflict: 'replace' as const }),
        ...(options.areas.length > 0 && { areaId: options.areas }),
        ...(encrypt && { encrypt }),
        ...(importCar && { importCar }),
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
      if (replaces && replaces.id !== cid && !keepsVersion(picked, replaces)) await trashReplaced(replaces)
      change(id, { stage: 'done', percent: 100, instant: isFastUpload, existed: isAlreadyExist, cid })
      removeUnfinished(unfinished)
      // With a passphrase, what the file shows must not stay in this browser; the list shows images of encrypted folders while unlocked.
      if (!options.passphrase && picked.kind === 'file' && !importCar)
        void createThumbnail(picked.file, cid, options.recipient)
    } else settleFailure(id, result, begunAt)
  } catch (error) {
    change(id, { stage: 'failed', error: error instanceof ApiError ? error.message : t.errors.chunkTitle })
  } finally {
    tasks.delete(id)
  }
}

/** The folder, if it is uploaded file by file. One without any file would have no CID, so it cannot be sealed. */
export const treeOf = (picked: Planned, { sealed }: UploadOptions): (Planned & PickedFolder) | undefined =>
  picked.kind === 'folder' && (!sealed || picked.files.length === 0) ? picked : undefined

/** Images of a folder whose thumbnails are created at upload; others are created when they are shown. */
const THUMBNAILS_MAX = 200
const SHOW_STORED_MS = 5000

async function runTree(
  upload: Upload,
  picked: Planned & PickedFolder,
  sdk: Storage,
  resume: Awaited<ReturnType<typeof resumeStoreOf>>,
  begunAt: number,
): Promise<void> {
  const { id, options } = upload
  const encrypt = encryptionOf(options)
  const show = (facts: Partial<Upload>) => {
    if (!['cancelled', 'paused'].includes(find(id)?.stage ?? 'cancelled')) change(id, facts)
  }
  show({ stage: 'uploading' })
  const files = new Map(picked.files.map(({ path, file }) => [path.slice(path.indexOf('/') + 1), file]))
  let [thumbnails, drawn, shownAt] = [0, Promise.resolve(), 0]
  const task = sendFolder(sdk, id, picked, {
    parent: options.folder,
    onConflict: upload.folder ? conflictAgain(picked, options) : (picked.onConflict ?? 'replace'),
    resume,
    ...(options.areas.length > 0 && { areaId: options.areas }),
    ...(encrypt && { encrypt }),
    onProgress({ loaded, speed, ...folder }) {
      const total = Math.max(picked.size, loaded)
      show({ loaded, total, speed, percent: total > 0 ? (loaded / total) * 100 : 0, folder })
    },
    onStored({ path, state, cid }) {
      const file = files.get(path)
      if (state === 'uploaded' && file && isImage(file.name) && !options.passphrase && thumbnails < THUMBNAILS_MAX) {
        thumbnails += 1
        // One at a time, so that the upload stays fast.
        drawn = drawn.then(() => createThumbnail(file, cid, options.recipient))
      }
      if (Date.now() - shownAt < SHOW_STORED_MS) return
      shownAt = Date.now()
      if (!options.passphrase) recordUnfinished(unfinishedFrom(upload))
      refreshSoon()
    },
  })
  tasks.set(id, task)
  const result = await task
  if (result.code !== 0) return settleFailure(id, result, begunAt)
  const { failed, failures, id: root } = result.data as UploadedFolder
  const all = storable(picked).length
  change(id, {
    folder: { files: all - failed, filesTotal: all, leftOut: leftOut(picked), failed, failures, id: root },
    speed: 0,
  })
  if (failures.some(({ failure }) => failure && isConnectionLost(failure)) && outages.mayHaveCaused(begunAt))
    return change(id, { stage: 'offline' })
  // Files that failed were tried: the row names them, and tries them again.
  removeUnfinished(unfinishedFrom(upload))
  if (failed > 0) return change(id, { stage: 'failed' })
  if (picked.replaces) await trashReplaced(picked.replaces)
  change(id, { stage: 'done', percent: 100 })
}

/** Shows why an upload did not succeed. */
function settleFailure(id: number, { code, msg, data }: Result<unknown>, begunAt: number): void {
  if (isConnectionLost({ code, data }) && outages.mayHaveCaused(begunAt)) {
    // It may have been paused while it failed.
    if (find(id)?.stage !== 'paused') change(id, { stage: 'offline', speed: 0 })
    return
  }
  if (code === sdkCodes.cancelled) {
    if (find(id)?.stage === 'paused' || (data as { paused?: boolean }).paused) settlePaused(id)
    else change(id, { stage: 'cancelled', speed: 0 })
    return
  }
  if (code === sdkCodes.unauthorized && currentToken() !== '') clearSession('expired')
  change(id, { stage: 'failed', error: msg, speed: 0 })
}

const trashReplaced = ({ kind, id, asset_id }: Replaced) =>
  api('trash.put', kind === 'group' ? { folders: [Number(id)] } : { asset_ids: [asset_id] })

/** It may have been resumed while it was still stopping. */
function settlePaused(id: number): void {
  if (find(id)?.stage !== 'waiting') change(id, { stage: 'paused', speed: 0 })
}

const encryptionOf = ({ passphrase, recipient }: UploadOptions) =>
  passphrase ? { passphrase } : recipient ? { recipients: [recipient] } : undefined

const REFRESH_MS = 1000
let refreshing = false

/** Reloads lists at most once per second: hundreds of small files may complete in that time. */
export function refreshSoon(): void {
  if (refreshing) return
  refreshing = true
  setTimeout(() => {
    refreshing = false
    refresh('folders.contents', 'folders.item', 'usage.storageSize', 'assets.count', 'trash.list')
  }, REFRESH_MS)
}
