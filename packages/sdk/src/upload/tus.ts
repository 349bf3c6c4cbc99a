import { UPLOAD_BUDGET_PER_MB } from '@tidenet/contract/constants'
import type { ByteSource } from '../bytes.ts'
import type { Lang } from '../codes.ts'
import type { Answered, Body, Platform } from '../platform/platform.ts'

/** What a node said when it had everything, or why it did not take it. */
export interface NodeAnswer {
  status: number
  cid: string
  receipt: string
  /** The node's words when it refused. */
  error: string
}

export interface NodeTransfer {
  platform: Platform
  source: ByteSource
  token: string
  lang: Lang
  signal: AbortSignal
  observe?: Body['observe']
  /** Ms without progress, at least. */
  patience: number
  /** Bytes that the node has or that are on their way, of all. */
  onSent: (bytes: number) => void
}

const TUS = { 'Tus-Resumable': '1.0.0' }

/** Who sends, and in which language a refusal is understood. */
export const callerOf = ({ token, lang }: Pick<NodeTransfer, 'token' | 'lang'>): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  ...(lang && { lang }),
})

/** Ms that the answer to so many bytes may take once they are sent. */
export function patience(bytes: number, least: number): number {
  return Math.max(least, Math.ceil(bytes / 1_000_000) * UPLOAD_BUDGET_PER_MB)
}

/** Opens a resumable upload (tus 1.0, creation). Resolves with its address, or the refusal. */
export async function createTus(
  transfer: NodeTransfer,
  endpoint: string,
  name: string,
): Promise<{ location: string } | NodeAnswer> {
  const answer = await transfer.platform.send({
    method: 'POST',
    url: endpoint,
    headers: {
      ...TUS,
      ...callerOf(transfer),
      'Upload-Length': String(transfer.source.size),
      'Upload-Metadata': `filename ${base64(name)}`,
    },
    signal: transfer.signal,
    patience: transfer.patience,
    answerPatience: transfer.patience,
  })
  const location = answer.header('location')
  // "The Server MUST respond with 201 Created … and set the Location header."
  if (answer.status === 201 && location) return { location: new URL(location, endpoint).href }
  return readNodeAnswer(answer)
}

/** Where the node stands, undefined when it does not know the upload any more. */
export async function offsetOf(
  transfer: Pick<NodeTransfer, 'platform' | 'token' | 'lang' | 'signal' | 'patience'>,
  location: string,
): Promise<{ offset: number; answer: NodeAnswer } | undefined> {
  const answer = await transfer.platform.send({
    method: 'HEAD',
    url: location,
    headers: { ...TUS, ...callerOf(transfer) },
    signal: transfer.signal,
    patience: transfer.patience,
    answerPatience: transfer.patience,
  })
  const offset = Number(answer.header('upload-offset') ?? Number.NaN)
  if (answer.status < 200 || answer.status > 299 || !Number.isSafeInteger(offset)) return undefined
  return { offset, answer: readNodeAnswer(answer) }
}

/** Sends what the node does not have. Resolves with its last answer. */
export async function sendTus(
  transfer: NodeTransfer,
  location: string,
  from: number,
  slice: number,
): Promise<NodeAnswer> {
  const { source } = transfer
  let offset = from
  let answer: NodeAnswer | undefined
  while (offset < source.size) {
    const end = Math.min(offset + slice, source.size)
    const start = offset
    const said = await transfer.platform.send({
      method: 'PATCH',
      url: location,
      headers: {
        ...TUS,
        ...callerOf(transfer),
        'Upload-Offset': String(start),
        'Content-Type': 'application/offset+octet-stream',
      },
      body: { source, start, end, ...(transfer.observe && { observe: transfer.observe }) },
      signal: transfer.signal,
      onSent: (bytes) => transfer.onSent(start + bytes),
      patience: transfer.patience,
      answerPatience: patience(end - start, transfer.patience),
    })
    answer = readNodeAnswer(said)
    if (said.status < 200 || said.status > 299) return answer
    // "The Client SHOULD … continue from the offset that the Server names": it may have kept less than was sent.
    const kept = Number(said.header('upload-offset') ?? end)
    if (!(kept > offset && kept <= source.size))
      return { ...answer, status: 409, cid: '', error: 'the node kept nothing' }
    offset = kept
  }
  return answer ?? { status: 0, cid: '', receipt: '', error: '' }
}

/** Frees what the node holds of an unfinished upload (tus, termination). */
export async function endTus(platform: Platform, location: string, token: string): Promise<void> {
  await platform.send({
    method: 'DELETE',
    url: location,
    headers: { ...TUS, Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(5000),
    patience: 5000,
    answerPatience: 5000,
  })
}

/** Reads `{ code, err, msg, cid, receipt }` or the headers that a tus answer carries instead. */
export function readNodeAnswer(answer: Answered): NodeAnswer {
  let said: { code?: unknown; msg?: unknown; cid?: unknown; receipt?: unknown } = {}
  try {
    said = JSON.parse(answer.text) ?? {}
  } catch {}
  const ok = answer.status >= 200 && answer.status < 300 && (said.code === undefined || said.code === 0)
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    // An answer may say no with a status that says yes.
    status: ok || answer.status >= 300 ? answer.status : 502,
    cid: ok ? text(said.cid) || (answer.header('upload-cid') ?? '') : '',
    receipt: ok ? text(said.receipt) || (answer.header('upload-receipt') ?? '') : '',
    error: ok ? '' : text(said.msg) || `HTTP ${answer.status}`,
  }
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
