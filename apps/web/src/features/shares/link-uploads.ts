import { create } from 'zustand'
import { ApiError } from '../../lib/api.ts'
import { anonymousStorage, resumeStoreOf } from '../../lib/storage.ts'
import { t as shell } from '../../lib/texts.ts'
import { warnBeforeLeaving } from '../../lib/warn-before-leaving.ts'
import { createOutages, watchOutages } from '../transfers/outages.ts'
import { isConnectionLost, sdkCodes } from '../transfers/sdk-codes.ts'
import { recordAllUnfinished, removeUnfinished, type UnfinishedUpload } from '../transfers/unfinished.ts'
import { countUploaded, reopenForUploads } from './short-link-opening.ts'

/** A file that a visitor uploads by a link. */
export interface LinkUpload {
  id: number
  /** Of the link. */
  token: string
  file: File
  /** `offline`: it was interrupted, and continues by itself. */
  stage: 'waiting' | 'sending' | 'offline' | 'done' | 'failed'
  percent: number
  /** While sending: a node is waited for. */
  interrupted: boolean
  /** Why it failed. */
  problem: string
}

/** The files of this tab, oldest first. They are kept while the page of the link shows something else, such as its form for a password. */
export const useLinkUploads = create<{ list: LinkUpload[] }>()(() => ({ list: [] }))

/** Files at once. More would only share the visitor's connection. */
const AT_ONCE = 2
/** After this long without progress, the visitor decides. The portal or its nodes may be gone for good. */
const GIVE_UP_MS = 10 * 60_000
/** The portal's `uploadLinkEnded`: the ticket is too old, or the link changed. */
const ENDED = 2131

let lastId = 0
const tasks = new Map<number, AbortController>()
/** By token of the link; without one, uploads wait until the page of the link is open again. */
const tickets = new Map<string, string>()
/** When the last byte of an upload arrived, Unix ms. */
const movedAt = new Map<number, number>()

const find = (id: number) => useLinkUploads.getState().list.find((upload) => upload.id === id)

function change(id: number, facts: Partial<LinkUpload>): void {
  useLinkUploads.setState(({ list }) => ({
    list: list.map((upload) => (upload.id === id ? { ...upload, ...facts } : upload)),
  }))
}

const isRunning = ({ stage }: LinkUpload): boolean => stage !== 'done' && stage !== 'failed'

/** What names the uploads by a link among the unfinished ones of this browser. */
export const unfinishedKeyOf = (token: string): string => `link ${token}`

const unfinishedFrom = (token: string, { name, size, lastModified }: File): UnfinishedUpload => ({
  account: unfinishedKeyOf(token),
  name,
  size,
  modified: lastModified,
  folder: 0,
  areas: [],
  begun: Date.now(),
})

/** Called with the ticket whenever the page of the link has one. */
export function setTicket(token: string, ticket: string): void {
  if (tickets.get(token) === ticket) return
  tickets.set(token, ticket)
  startNext()
}

/** Adds files. One that failed or was interrupted before is tried again instead. */
export function addLinkUploads(token: string, files: readonly File[]): void {
  const stopped = useLinkUploads.getState().list.filter(({ stage }) => stage === 'failed' || stage === 'offline')
  const again = (file: File) => stopped.find((upload) => upload.token === token && isSame(upload.file, file))
  for (const file of files) {
    const upload = again(file)
    if (upload) retryLinkUpload(upload.id)
  }
  const added = files
    .filter((file) => !again(file))
    .map((file): LinkUpload => {
      lastId += 1
      movedAt.set(lastId, Date.now())
      return { id: lastId, token, file, stage: 'waiting', percent: 0, interrupted: false, problem: '' }
    })
  // Empty files cannot be stored.
  recordAllUnfinished(files.filter(({ size }) => size > 0).map((file) => unfinishedFrom(token, file)))
  useLinkUploads.setState(({ list }) => ({ list: [...list, ...added] }))
  startNext()
}

export function retryLinkUpload(id: number): void {
  const stage = find(id)?.stage
  if (stage !== 'failed' && stage !== 'offline') return
  movedAt.set(id, Date.now())
  change(id, { stage: 'waiting', problem: '' })
  startNext()
}

export function removeLinkUpload(id: number): void {
  const upload = find(id)
  if (!upload) return
  tasks.get(id)?.abort()
  useLinkUploads.setState(({ list }) => ({ list: list.filter((each) => each.id !== id) }))
  removeUnfinished(unfinishedFrom(upload.token, upload.file))
}

/** As far as a page can tell; the SDK compares what they contain. */
const isSame = (a: File, b: File): boolean =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified

function startNext(): void {
  for (const { id, stage, token, file } of useLinkUploads.getState().list) {
    if (tasks.size >= AT_ONCE) return
    if (stage !== 'waiting' || tasks.has(id) || !tickets.has(token)) continue
    // Both would continue the same unfinished upload.
    if ([...tasks.keys()].some((other) => isSame(find(other)?.file ?? file, file))) continue
    void run(id)
  }
}

async function run(id: number): Promise<void> {
  const stop = new AbortController()
  tasks.set(id, stop)
  change(id, { stage: 'sending', interrupted: false })
  try {
    await send(id, stop.signal)
  } catch (error) {
    if (error instanceof ApiError && error.kind !== 'network' && error.kind !== 'server') fail(id, error.message)
    else interrupt(id, error instanceof ApiError ? error.message : shell.errors.chunkTitle)
  } finally {
    tasks.delete(id)
    startNext()
  }
}

async function send(id: number, signal: AbortSignal): Promise<void> {
  const upload = find(id)
  if (!upload) return
  const { token, file } = upload
  const [sdk, resume] = await Promise.all([anonymousStorage(), resumeStoreOf('link')])
  const attempt = () =>
    sdk.uploadAsset(file, { ticket: tickets.get(token) ?? '', resume, signal }, ({ state, loaded, percent }) => {
      change(id, { interrupted: state === 'retrying' })
      // Resumed uploads begin where they stopped.
      if (loaded === 0 || (state !== 'uploading' && state !== 'finishing')) return
      if (percent !== find(id)?.percent) movedAt.set(id, Date.now())
      change(id, { percent })
    })
  let result = await attempt()
  if (errOf(result.data) === ENDED) {
    const opened = await reopenForUploads(token)
    if (opened.state === 'upload') {
      tickets.set(token, opened.target.ticket)
      result = await attempt()
    } else if (opened.state === 'locked' || opened.state === 'email') {
      tickets.delete(token)
      return change(id, { stage: 'waiting' })
    }
  }
  const { code, msg, data } = result
  if (code === 0) {
    change(id, { stage: 'done', percent: 100 })
    movedAt.delete(id)
    removeUnfinished(unfinishedFrom(token, file))
    countUploaded(token, file.size)
  } else if (code === sdkCodes.cancelled) return
  else if (isConnectionLost({ code, data }) || isBusy(code)) interrupt(id, msg)
  else fail(id, msg)
}

const fail = (id: number, problem: string) => change(id, { stage: 'failed', problem })

function interrupt(id: number, problem: string): void {
  if (Date.now() - (movedAt.get(id) ?? 0) > GIVE_UP_MS) fail(id, problem)
  else change(id, { stage: 'offline' })
}

const errOf = (data: unknown): number | undefined => (data as { err?: number } | undefined)?.err

/** HTTP: too many requests, or the portal restarts. */
const isBusy = (status: number): boolean => status === 429 || (status >= 500 && status <= 599)

const outages = createOutages({ now: Date.now, isOnline: () => navigator.onLine })

function continueInterrupted(): void {
  for (const { id, stage } of useLinkUploads.getState().list) if (stage === 'offline') change(id, { stage: 'waiting' })
  startNext()
}

const anyRunning = () => useLinkUploads.getState().list.some(isRunning)

let stopWatching: (() => void) | undefined
useLinkUploads.subscribe(() => {
  if (anyRunning()) stopWatching ??= watchOutages(outages, continueInterrupted)
  else {
    stopWatching?.()
    stopWatching = undefined
  }
})

warnBeforeLeaving(anyRunning)
