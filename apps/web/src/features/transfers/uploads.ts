import { onSessionEnd } from '../../lib/session-store.ts'
import { warnBeforeLeaving } from '../../lib/warn-before-leaving.ts'
import { forgetFolder } from './folder-upload.ts'
import { watchOutages } from './outages.ts'
import { markTransfersStarted } from './transfers-started.ts'
import { recordUnfinished, removeUnfinished } from './unfinished.ts'
import {
  change,
  find,
  fresh,
  hasEnded,
  type Planned,
  type Upload,
  type UploadOptions,
  useUploads,
} from './upload-list.ts'
import { outages, refreshSoon, runUpload, tasks, treeOf, unfinishedFrom } from './upload-runs.ts'

const CONCURRENCY = 2
let lastId = 0

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
  for (const upload of useUploads.getState().list) if (hasEnded(upload)) forgetFolder(upload.id)
  useUploads.setState(({ list }) => ({ list: list.filter((upload) => !hasEnded(upload)) }))
}

/** Continues uploads whose connection was lost. */
function continueOffline(): void {
  for (const { id, stage } of useUploads.getState().list) if (stage === 'offline') change(id, { stage: 'waiting' })
  startNext()
}

let stopWatching: (() => void) | undefined
useUploads.subscribe(() => {
  if (anyRunning()) stopWatching ??= watchOutages(outages, continueOffline)
  else {
    stopWatching?.()
    stopWatching = undefined
  }
})

function startNext(): void {
  for (const upload of useUploads.getState().list) {
    if (tasks.size >= CONCURRENCY) return
    if (upload.stage === 'waiting' && !tasks.has(upload.id)) void run(upload)
  }
}

async function run(upload: Upload): Promise<void> {
  await runUpload(upload)
  refreshSoon()
  startNext()
}

/** Says after a reload how much of each folder is stored. */
function recordFolders(): void {
  for (const upload of useUploads.getState().list)
    if (!hasEnded(upload) && treeOf(upload.picked, upload.options) && !upload.options.passphrase)
      recordUnfinished(unfinishedFrom(upload))
}

const anyRunning = () => useUploads.getState().list.some((upload) => !hasEnded(upload))

warnBeforeLeaving(anyRunning)
if (!import.meta.env.SSR) window.addEventListener('pagehide', recordFolders)

// Cancel and hide uploads when the user signs out.
onSessionEnd(() => {
  for (const task of tasks.values()) void task?.cancel()
  for (const { id } of useUploads.getState().list) forgetFolder(id)
  useUploads.setState({ list: [] })
})
