import { UPLOAD_TIMEOUT_PER_MB } from '@tidenet/contract/constants'
import type { ByteSource } from '../bytes.ts'
import type { Lang } from '../codes.ts'
import type { Body, NodeResponse, Platform } from '../platform/platform.ts'

/** The final response of a node: stored, or why not. */
export interface NodeAnswer {
  status: number
  cid: string
  receipt: string
  /** The node's error message. */
  error: string
}

export interface NodeTransfer {
  platform: Platform
  source: ByteSource
  token: string
  lang: Lang
  signal: AbortSignal
  observe?: Body['observe']
  /** Minimum idle timeout, ms. */
  idleTimeout: number
  /** Bytes stored or being sent, of all. */
  onSent: (bytes: number) => void
}

const TUS = { 'Tus-Resumable': '1.0.0' }

/** Headers with the token and the language for error messages. */
export const authHeaders = ({ token, lang }: Pick<NodeTransfer, 'token' | 'lang'>): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  ...(lang && { lang }),
})

/** Timeout in ms of the response to an upload of `bytes`. */
export function timeoutFor(bytes: number, least: number): number {
  return Math.max(least, Math.ceil(bytes / 1_000_000) * UPLOAD_TIMEOUT_PER_MB)
}

/** Creates a resumable upload (tus 1.0, creation). Resolves with its URL, or the refusal. */
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
      ...authHeaders(transfer),
      'Upload-Length': String(transfer.source.size),
      'Upload-Metadata': `filename ${base64(name)}`,
    },
    signal: transfer.signal,
    idleTimeout: transfer.idleTimeout,
    responseTimeout: transfer.idleTimeout,
  })
  const location = answer.header('location')
  // "The Server MUST respond with 201 Created … and set the Location header."
  if (answer.status === 201 && location) return { location: new URL(location, endpoint).href }
  return readNodeAnswer(answer)
}

/** The node's answer with its offset, which is undefined if it does not say one. */
export async function offsetOf(
  transfer: Pick<NodeTransfer, 'platform' | 'token' | 'lang' | 'signal' | 'idleTimeout'>,
  location: string,
): Promise<{ offset: number | undefined; answer: NodeAnswer }> {
  const answer = await transfer.platform.send({
    method: 'HEAD',
    url: location,
    headers: { ...TUS, ...authHeaders(transfer) },
    signal: transfer.signal,
    idleTimeout: transfer.idleTimeout,
    responseTimeout: transfer.idleTimeout,
  })
  const offset = Number(answer.header('upload-offset') ?? Number.NaN)
  const known = answer.status >= 200 && answer.status <= 299 && Number.isSafeInteger(offset)
  return { offset: known ? offset : undefined, answer: readNodeAnswer(answer) }
}

/** Sends the missing bytes. Resolves with the last response. */
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
    const response = await transfer.platform.send({
      method: 'PATCH',
      url: location,
      headers: {
        ...TUS,
        ...authHeaders(transfer),
        'Upload-Offset': String(start),
        'Content-Type': 'application/offset+octet-stream',
      },
      body: { source, start, end, ...(transfer.observe && { observe: transfer.observe }) },
      signal: transfer.signal,
      onSent: (bytes) => transfer.onSent(start + bytes),
      idleTimeout: transfer.idleTimeout,
      responseTimeout: timeoutFor(end - start, transfer.idleTimeout),
    })
    answer = readNodeAnswer(response)
    if (response.status < 200 || response.status > 299) return answer
    // "The Client SHOULD … continue from the offset that the Server names": it may have stored less than was sent.
    const kept = Number(response.header('upload-offset') ?? end)
    if (!(kept > offset && kept <= source.size))
      return { ...answer, status: 409, cid: '', error: 'the node kept nothing' }
    offset = kept
  }
  return answer ?? { status: 0, cid: '', receipt: '', error: '' }
}

/** Deletes an unfinished upload at the node (tus, termination). */
export async function endTus(platform: Platform, location: string, token: string): Promise<void> {
  await platform.send({
    method: 'DELETE',
    url: location,
    headers: { ...TUS, Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(5000),
    idleTimeout: 5000,
    responseTimeout: 5000,
  })
}

/** Parses `{ code, err, msg, cid, receipt }`, or the headers of a tus response. */
export function readNodeAnswer(answer: NodeResponse): NodeAnswer {
  let said: Said = {}
  try {
    said = JSON.parse(answer.text) ?? {}
  } catch {}
  return nodeAnswerOf(said, answer)
}

interface Said {
  code?: unknown
  msg?: unknown
  cid?: unknown
  receipt?: unknown
}

/** What a node says, with the status and the headers of its response. */
export function nodeAnswerOf(said: Said, answer: Pick<NodeResponse, 'status'> & Partial<NodeResponse>): NodeAnswer {
  const ok = answer.status >= 200 && answer.status < 300 && (said.code === undefined || said.code === 0)
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    // A refusal may come with a success status.
    status: ok || answer.status >= 300 ? answer.status : 502,
    cid: ok ? text(said.cid) || (answer.header?.('upload-cid') ?? '') : '',
    receipt: ok ? text(said.receipt) || (answer.header?.('upload-receipt') ?? '') : '',
    error: ok ? '' : text(said.msg) || `HTTP ${answer.status}`,
  }
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
