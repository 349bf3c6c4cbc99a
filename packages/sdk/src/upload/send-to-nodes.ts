import type { TraceDetail } from '@tidenet/contract'
import { MiB, UPLOAD_BACKOFF, UPLOAD_TOKEN_LIFE } from '@tidenet/contract/constants'
import { TRACE } from '@tidenet/contract/storage-enums'
import type { ByteSource } from '../bytes.ts'
import type { Lang } from '../codes.ts'
import { type Body, isUnreachable, type Platform } from '../platform/platform.ts'
import type { ResumeStore, UnfinishedUpload } from '../platform/resume-store.ts'
import { Stop, type ToFailure } from '../result.ts'
import { sendForm } from './form.ts'
import { withFrozenNodeCheck } from './node-watch.ts'
import { createTus, endTus, type NodeAnswer, type NodeTransfer, offsetOf, sendTus } from './tus.ts'
import type { UploadState } from './types.ts'

export interface UploadNode {
  NodeID: string
  UploadURL: string
  /** Empty if the node does not support resumable uploads. */
  ResumeURL: string
  Token: string
}

export interface Stored {
  cid: string
  receipt: string
  nodeId: string
}

export interface SendDeps {
  platform: Platform
  source: ByteSource
  name: string
  lang: Lang
  toFailure: ToFailure
  signal: AbortSignal
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Minimum idle timeout of an attempt, ms. */
  idleTimeout: number
  /** Ms without progress after which a node is probed. */
  probeAfter: number
  retries: number
  /** Ms that a node which has a large part of the upload is waited for. */
  outage: number
  transport: 'auto' | 'tus' | 'form'
  observe?: Body['observe']
  /** The expected CID; requested once a node reports that it has all bytes. */
  expected: () => Promise<string>
  onState: (state: UploadState, at: { node: string; attempt: number; loaded: number }) => void
  /** Receives every attempt as it ends. */
  attempts: TraceDetail[]
  resume: { store: ResumeStore; fingerprint: string; traceId: string }
  /** Whether the upload was paused: the node keeps its part, and the store its entry. */
  paused?: () => boolean
}

/** Uploads above this size are resumable. */
const TUS_ABOVE = 8 * MiB
/** A node that confirmed this much more is making progress: on a bad connection a large upload needs many attempts. */
const PROGRESS_MIN = MiB
/** Sending this much again to another node takes longer than waiting for the node that has it. */
const PART_MIN = 64 * MiB
const BACKOFF_MAX = 8 * UPLOAD_BACKOFF
/** Any other node would refuse as well. */
const REFUSED_EVERYWHERE = [400, 413, 415, 422]
/** This node will keep refusing. */
const REFUSED_HERE = [401, 403, 404, 405, 410]
/** This node limits the sender or is full; another one may accept. */
const REFUSED_FOR_NOW = [429, 507]

/** State of the upload at one node. */
interface NodeState {
  node: UploadNode
  /** The trace of its token. */
  traceId: string
  location: string | undefined
  /** Attempts since it last confirmed progress. */
  tries: number
  /** Bytes that it said to have. */
  confirmed: number
  /** Whether it probably has a part that is worth waiting for. */
  hasPart: boolean
  /** Ms of pauses since it last confirmed progress. */
  waited: number
}

/**
 * Sends to the nodes in order, with up to `retries` attempts each and backoff of 1, 2, 4 … seconds, until one has stored exactly these
 * bytes. Attempts are counted anew when the node confirmed more bytes, and a node that has a large part is waited for as long as `outage`. A frozen
 * node is retried only after all others. Throws Stop: cancelled, refused by all nodes, or refused for a reason that applies
 * to every node. `traceId` is the one of the upload that succeeded, which may have begun earlier.
 */
export async function sendToNodes(
  sending: SendDeps,
  nodes: readonly UploadNode[],
): Promise<Stored & { traceId: string }> {
  const { toFailure, signal } = sending
  const unfinished = await sending.resume.store.get(sending.resume.fingerprint).catch(() => undefined)
  if (nodes.length === 0) throw new Stop(toFailure('uploadError', { phrase: 'uploadNoAddress' }))
  let reason = ''
  let before: NodeState | undefined
  const waiting = orderNodes(nodes, sending.resume.traceId, unfinished)
  const cancelled = async (state: NodeState) => {
    if (!sending.paused?.()) await clearUpload(sending, state, true)
    return new Stop(toFailure('cancelled', { data: { abort: true } }))
  }
  for (let state = waiting.shift(); state; state = waiting.shift()) {
    const { node } = state
    if (before) {
      // Progress at the previous node is void.
      sending.onState('retrying', { node: node.NodeID, attempt: 0, loaded: 0 })
      if (before.location) void endTus(sending.platform, before.location, before.node.Token).catch(() => {})
      before.location = undefined
    }
    before = state
    while (state.tries < sending.retries || (state.location && state.hasPart && state.waited < sending.outage)) {
      if (state.tries > 0) {
        sending.onState('retrying', { node: node.NodeID, attempt: state.tries, loaded: 0 })
        const wait = Math.min(UPLOAD_BACKOFF * 2 ** (state.tries - 1), BACKOFF_MAX)
        state.waited += wait
        await sending.pause(wait, signal).catch(() => {})
        if (signal.aborted) throw await cancelled(state)
      }
      state.tries += 1
      const others = nodes.filter(({ NodeID }) => NodeID !== node.NodeID).map(({ UploadURL }) => UploadURL)
      const tried = await tryNode(sending, state, others)
      if ('cid' in tried) {
        await clearUpload(sending, state, false)
        return { ...tried, traceId: state.traceId }
      }
      reason = tried.error
      if (signal.aborted) throw await cancelled(state)
      if (tried.next === 'stop') {
        await clearUpload(sending, state, true)
        throw new Stop(
          tried.source ? toFailure('uploadError', { phrase: 'streamAborted' }) : refused(toFailure, reason),
        )
      }
      if (tried.next === 'other') break
      if (tried.next === 'later' && waiting.length > 0) {
        if (state.tries < sending.retries) waiting.push(state)
        break
      }
    }
  }
  throw new Stop(toFailure('uploadError', { phrase: 'uploadAllFailed', fill: [nodes.length], data: { reason } }))
}

const refused = (toFailure: ToFailure, reason: string) =>
  toFailure('uploadError', { phrase: 'uploadFailed', fill: [reason] })

/** The nodes as ranked by the server, after the one that has a part already. */
function orderNodes(
  nodes: readonly UploadNode[],
  traceId: string,
  unfinished: UnfinishedUpload | undefined,
): NodeState[] {
  const fresh = nodes.map((node): NodeState => ({ node, traceId, location: undefined, tries: 0, ...NOTHING_SENT }))
  if (!unfinished || unfinished.stored || Date.now() - unfinished.begun > UPLOAD_TOKEN_LIFE) return fresh
  const { nodeId, location, token } = unfinished
  const known = nodes.find((node) => node.NodeID === nodeId)
  const node = { UploadURL: '', ResumeURL: '', ...known, NodeID: nodeId, Token: token }
  return [
    { node, traceId: unfinished.traceId, location, tries: 0, ...NOTHING_SENT, hasPart: true },
    ...fresh.filter((state) => state.node.NodeID !== nodeId),
  ]
}

const NOTHING_SENT = { confirmed: 0, hasPart: false, waited: 0 }

interface Failed {
  /** `later`: after all other nodes. */
  next: 'again' | 'other' | 'later' | 'stop'
  error: string
  source?: true
}

async function tryNode(sending: SendDeps, state: NodeState, others: readonly string[]): Promise<Stored | Failed> {
  const { signal, toFailure, platform } = sending
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
    idleTimeout: sending.idleTimeout,
    ...(sending.observe && { observe: sending.observe }),
    onSent(bytes) {
      progressed()
      sent = bytes
      if (bytes >= PART_MIN) state.hasPart = true
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
    const answer = await withFrozenNodeCheck(
      { platform, signal, probeAfter: sending.probeAfter, url, others },
      (watched, moved) => {
        progressed = moved
        return sendOnce(sending, state, { ...transfer, signal: watched })
      },
    )
    if (answer.cid !== '') {
      if (answer.cid === (await sending.expected())) {
        ended(answer.status, '')
        return { cid: answer.cid, receipt: answer.receipt, nodeId: NodeID }
      }
      const error = toFailure('uploadError', { phrase: 'uploadMismatch' }).msg
      ended(answer.status, error)
      return { next: 'other', error }
    }
    ended(answer.status, answer.error || 'no CID in the answer')
    if (REFUSED_EVERYWHERE.includes(answer.status)) return { next: 'stop', error: answer.error }
    if (REFUSED_FOR_NOW.includes(answer.status)) return { next: 'later', error: answer.error }
    return { next: REFUSED_HERE.includes(answer.status) ? 'other' : 'again', error: answer.error }
  } catch (error) {
    const { message } = error as Error
    ended(0, signal.aborted ? toFailure('cancelled').msg : message)
    if (isUnreachable(error) && error.reason !== 'source')
      return { next: error.reason === 'frozen' ? 'later' : 'again', error: message }
    return { next: 'stop', error: message, source: true }
  }
}

async function sendOnce(sending: SendDeps, state: NodeState, transfer: NodeTransfer): Promise<NodeAnswer> {
  const { node } = state
  const byTus =
    state.location !== undefined ||
    (node.ResumeURL !== '' &&
      (sending.transport === 'tus' || (sending.transport === 'auto' && sending.source.size > TUS_ABOVE)))
  if (!byTus) return sendForm(transfer, node.UploadURL, sending.name)
  let from = 0
  if (state.location !== undefined) {
    const { offset, answer } = await offsetOf(transfer, state.location)
    if (answer.cid !== '') return answer
    if (offset === undefined) {
      // A node that restarts, or what stands in front of it, does not know yet.
      if (answer.status >= 500 || answer.status === 429) return answer
      state.location = undefined
      if (node.ResumeURL === '') return { status: 404, cid: '', receipt: '', error: 'the upload is forgotten' }
    } else {
      from = offset
      if (from >= state.confirmed + PROGRESS_MIN) Object.assign(state, { confirmed: from, tries: 1, waited: 0 })
    }
  }
  if (state.location === undefined) {
    const made = await createTus(transfer, node.ResumeURL, sending.name)
    if (!('location' in made)) {
      // A node without tus still accepts forms.
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

async function remember({ resume }: SendDeps, { node, traceId, location }: NodeState): Promise<void> {
  const upload: UnfinishedUpload = {
    location: location ?? '',
    nodeId: node.NodeID,
    token: node.Token,
    traceId,
    begun: Date.now(),
  }
  await resume.store.set(resume.fingerprint, upload).catch(() => {})
}

/** Removes the upload from the store and, with `free`, from the node. */
async function clearUpload(
  { resume, platform }: SendDeps,
  { node, location }: NodeState,
  free: boolean,
): Promise<void> {
  await resume.store.delete(resume.fingerprint).catch(() => {})
  if (free && location !== undefined) await endTus(platform, location, node.Token).catch(() => {})
}
