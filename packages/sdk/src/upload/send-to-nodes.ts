import type { TraceDetail } from '@tidenet/contract'
import { MiB, UPLOAD_BACKOFF, UPLOAD_TOKEN_LIFE } from '@tidenet/contract/constants'
import { TRACE } from '@tidenet/contract/storage-words'
import type { ByteSource } from '../bytes.ts'
import type { Lang } from '../codes.ts'
import { type Body, isUnreachable, type Platform } from '../platform/platform.ts'
import type { ResumeStore, UnfinishedUpload } from '../platform/resume-store.ts'
import { type Say, Stop } from '../result.ts'
import { sendForm } from './form.ts'
import { watchingNode } from './node-watch.ts'
import { createTus, endTus, type NodeAnswer, type NodeTransfer, offsetOf, sendTus } from './tus.ts'
import type { UploadState } from './types.ts'

export interface UploadNode {
  NodeID: string
  UploadURL: string
  /** Empty when the node takes no resumable uploads. */
  ResumeURL: string
  Token: string
}

export interface Stored {
  cid: string
  receipt: string
  nodeId: string
}

export interface Sending {
  platform: Platform
  source: ByteSource
  name: string
  lang: Lang
  say: Say
  signal: AbortSignal
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Ms without progress after which a try is given up, at least. */
  patience: number
  /** Ms without progress after which a node is asked whether it is there at all. */
  quiet: number
  retries: number
  transport: 'auto' | 'tus' | 'form'
  observe?: Body['observe']
  /** The CID that the bytes must have; asked for once a node says that it has them all. */
  expected: () => Promise<string>
  onState: (state: UploadState, at: { node: string; attempt: number; loaded: number }) => void
  /** Every try is added as it ends. */
  attempts: TraceDetail[]
  resume: { store: ResumeStore; fingerprint: string; traceId: string }
  /** Whether it was stopped to be taken up again: what a node has of it stays there and stays remembered. */
  paused?: () => boolean
}

/** Above this an upload is worth resuming. */
const TUS_ABOVE = 8 * MiB
/** No other node would say otherwise. */
const REFUSED_EVERYWHERE = [400, 413, 415, 422]
/** This node will not say otherwise. */
const REFUSED_HERE = [401, 403, 404, 405, 410]
/** This node has too much of this sender, or no room: another one may take it at once. */
const REFUSED_FOR_NOW = [429, 507]

/** What one node has of this upload. */
interface NodeState {
  node: UploadNode
  location: string | undefined
  tries: number
}

/**
 * Sends to the nodes in order, each up to `retries` times with waits of 1, 2, 4 … seconds, until one has stored exactly these bytes.
 * One that is frozen comes up again only after all others.
 * Throws Stop: cancelled, refused by all, or refused in a way that no other node would lift.
 */
export async function sendToNodes(sending: Sending, nodes: readonly UploadNode[]): Promise<Stored> {
  const { say, signal } = sending
  const unfinished = await sending.resume.store.get(sending.resume.fingerprint).catch(() => undefined)
  if (nodes.length === 0) throw new Stop(say('uploadError', { phrase: 'uploadNoAddress' }))
  let reason = ''
  let before: NodeState | undefined
  const waiting = inOrder(nodes, unfinished)
  const cancelled = async (state: NodeState) => {
    if (!sending.paused?.()) await forget(sending, state, true)
    return new Stop(say('cancelled', { data: { abort: true } }))
  }
  for (let state = waiting.shift(); state; state = waiting.shift()) {
    const { node } = state
    if (before) {
      // Whatever the node before has kept is of no use once another one begins.
      sending.onState('retrying', { node: node.NodeID, attempt: 0, loaded: 0 })
      if (before.location) void endTus(sending.platform, before.location, before.node.Token).catch(() => {})
      before.location = undefined
    }
    before = state
    while (state.tries < sending.retries) {
      if (state.tries > 0) {
        sending.onState('retrying', { node: node.NodeID, attempt: state.tries, loaded: 0 })
        await sending.pause(UPLOAD_BACKOFF * 2 ** (state.tries - 1), signal).catch(() => {})
        if (signal.aborted) throw await cancelled(state)
      }
      state.tries += 1
      const others = nodes.filter(({ NodeID }) => NodeID !== node.NodeID).map(({ UploadURL }) => UploadURL)
      const tried = await tryNode(sending, state, others)
      if ('cid' in tried) {
        await forget(sending, state, false)
        return tried
      }
      reason = tried.error
      if (signal.aborted) throw await cancelled(state)
      if (tried.next === 'stop') {
        await forget(sending, state, true)
        throw new Stop(tried.source ? say('uploadError', { phrase: 'streamAborted' }) : refused(say, reason))
      }
      if (tried.next === 'other') break
      if (tried.next === 'later' && waiting.length > 0) {
        if (state.tries < sending.retries) waiting.push(state)
        break
      }
    }
  }
  throw new Stop(say('uploadError', { phrase: 'uploadAllFailed', fill: [nodes.length], data: { reason } }))
}

const refused = (say: Say, reason: string) => say('uploadError', { phrase: 'uploadFailed', fill: [reason] })

/** The nodes as the server ranked them, after the one that holds a part already. */
function inOrder(nodes: readonly UploadNode[], unfinished: UnfinishedUpload | undefined): NodeState[] {
  const fresh = nodes.map((node): NodeState => ({ node, location: undefined, tries: 0 }))
  if (!unfinished || Date.now() - unfinished.begun > UPLOAD_TOKEN_LIFE) return fresh
  const { nodeId, location, token } = unfinished
  const known = nodes.find((node) => node.NodeID === nodeId)
  const node = { UploadURL: '', ResumeURL: '', ...known, NodeID: nodeId, Token: token }
  return [{ node, location, tries: 0 }, ...fresh.filter((state) => state.node.NodeID !== nodeId)]
}

interface Failed {
  /** `later`: after all others. */
  next: 'again' | 'other' | 'later' | 'stop'
  error: string
  source?: true
}

async function tryNode(sending: Sending, state: NodeState, others: readonly string[]): Promise<Stored | Failed> {
  const { signal, say, platform } = sending
  const { NodeID } = state.node
  const attempt = state.tries
  const begun = Date.now()
  let sent = 0
  let progressed = () => {}
  const transfer: NodeTransfer = {
    platform,
    source: sending.source,
    token: state.node.Token,
    lang: sending.lang,
    signal,
    patience: sending.patience,
    ...(sending.observe && { observe: sending.observe }),
    onSent(bytes) {
      progressed()
      sent = bytes
      const done = bytes >= sending.source.size
      sending.onState(done ? 'finishing' : 'uploading', { node: NodeID, attempt, loaded: bytes })
    },
  }
  const ended = (status: number, error: string) => {
    sending.attempts.push({
      node_id: NodeID,
      state: error === '' ? TRACE.ok : TRACE.failed,
      transfer_type: 'upload',
      size: sent,
      start_at: begun,
      end_at: Date.now(),
      status_code: status,
      error: error.slice(0, 500),
    })
  }
  sending.onState('uploading', { node: NodeID, attempt, loaded: 0 })
  try {
    const url = state.location ?? state.node.UploadURL
    const answer = await watchingNode({ platform, signal, quiet: sending.quiet, url, others }, (watched, moved) => {
      progressed = moved
      return sendOnce(sending, state, { ...transfer, signal: watched })
    })
    if (answer.cid !== '') {
      if (answer.cid === (await sending.expected())) {
        ended(answer.status, '')
        return { cid: answer.cid, receipt: answer.receipt, nodeId: NodeID }
      }
      const error = say('uploadError', { phrase: 'uploadMismatch' }).msg
      ended(answer.status, error)
      return { next: 'other', error }
    }
    ended(answer.status, answer.error || 'no CID in the answer')
    if (REFUSED_EVERYWHERE.includes(answer.status)) return { next: 'stop', error: answer.error }
    if (REFUSED_FOR_NOW.includes(answer.status)) return { next: 'later', error: answer.error }
    return { next: REFUSED_HERE.includes(answer.status) ? 'other' : 'again', error: answer.error }
  } catch (error) {
    const { message } = error as Error
    ended(0, signal.aborted ? say('cancelled').msg : message)
    if (isUnreachable(error) && error.reason !== 'source')
      return { next: error.reason === 'frozen' ? 'later' : 'again', error: message }
    return { next: 'stop', error: message, source: true }
  }
}

async function sendOnce(sending: Sending, state: NodeState, transfer: NodeTransfer): Promise<NodeAnswer> {
  const { node } = state
  const byTus =
    state.location !== undefined ||
    (node.ResumeURL !== '' &&
      (sending.transport === 'tus' || (sending.transport === 'auto' && sending.source.size > TUS_ABOVE)))
  if (!byTus) return sendForm(transfer, node.UploadURL, sending.name)
  let from = 0
  if (state.location !== undefined) {
    const known = await offsetOf(transfer, state.location)
    if (!known) {
      state.location = undefined
      if (node.ResumeURL === '') return { status: 404, cid: '', receipt: '', error: 'the upload is forgotten' }
    } else if (known.answer.cid !== '') return known.answer
    else from = known.offset
  }
  if (state.location === undefined) {
    const made = await createTus(transfer, node.ResumeURL, sending.name)
    if (!('location' in made)) {
      // A node that has no resumable uploads still has the form.
      if ([404, 405, 501].includes(made.status) && node.UploadURL)
        return sendForm(transfer, node.UploadURL, sending.name)
      return made
    }
    state.location = made.location
    await remember(sending, state)
  }
  transfer.onSent(from)
  return sendTus(transfer, state.location, from, sending.platform.slice)
}

async function remember({ resume }: Sending, { node, location }: NodeState): Promise<void> {
  const upload: UnfinishedUpload = {
    location: location ?? '',
    nodeId: node.NodeID,
    token: node.Token,
    traceId: resume.traceId,
    begun: Date.now(),
  }
  await resume.store.set(resume.fingerprint, upload).catch(() => {})
}

/** What is not resumed any more is freed at the node and forgotten here. */
async function forget({ resume, platform }: Sending, { node, location }: NodeState, free: boolean): Promise<void> {
  await resume.store.delete(resume.fingerprint).catch(() => {})
  if (free && location !== undefined) await endTus(platform, location, node.Token).catch(() => {})
}
