import type { UploadProgress, UploadTask } from '@tidenet/storage'
import { create } from 'zustand'
import { refresh } from '../../lib/queries.ts'
import { currentToken, forgetSession, onSessionEnd } from '../../lib/session-store.ts'
import { t } from '../../lib/texts.ts'
import type { Picked } from './picked.ts'
import { storage } from './storage.ts'

export type UploadStage = UploadProgress['state'] | 'waiting' | 'done' | 'failed' | 'cancelled'

export interface UploadOptions {
  /** Folder to put it in; 0 is the root. */
  folder: number
  /** Areas to keep copies in; none leaves it to the network. */
  areas: string[]
  /** Encrypts before anything leaves the browser. Kept in memory alone. */
  passphrase?: string
}

export interface Upload {
  id: number
  picked: Picked
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
export const useUploads = create<{ list: Upload[] }>()(() => ({ list: [] }))

const ended: readonly UploadStage[] = ['done', 'failed', 'cancelled']
export const hasEnded = ({ stage }: Upload): boolean => ended.includes(stage)

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

export function addUploads(picked: readonly Picked[], options: UploadOptions): void {
  const added = picked.map((each): Upload => {
    lastId += 1
    return { ...fresh, id: lastId, picked: each, options, total: each.size }
  })
  useUploads.setState(({ list }) => ({ list: [...list, ...added] }))
  startNext()
}

export function retryUpload(id: number): void {
  change(id, fresh)
  startNext()
}

export function cancelUpload(id: number): void {
  const task = tasks.get(id)
  if (task) void task.cancel()
  else change(id, { stage: 'cancelled' })
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

async function run({ id, picked, options }: Upload): Promise<void> {
  tasks.set(id, undefined)
  try {
    const sdk = await storage()
    if (find(id)?.stage === 'cancelled') return
    const task = sdk.uploadAsset(
      picked.kind === 'file' ? picked.file : picked.files,
      {
        groupId: options.folder,
        ...(options.areas.length > 0 && { areaId: options.areas }),
        ...(options.passphrase && { encrypt: { passphrase: options.passphrase } }),
      },
      ({ state, loaded, total, percent, speed, node }) => {
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
      change(id, { stage: 'done', percent: 100, instant: isFastUpload, existed: isAlreadyExist, cid })
    } else if (result.code === -200) change(id, { stage: 'cancelled', speed: 0 })
    else {
      if (result.code === 401 && currentToken() !== '') forgetSession('expired')
      change(id, { stage: 'failed', error: result.msg, speed: 0 })
    }
  } catch {
    change(id, { stage: 'failed', error: t.errors.chunkTitle })
  } finally {
    tasks.delete(id)
    refresh('folders.contents', 'folders.item', 'usage.storageSize', 'assets.count')
    startNext()
  }
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
