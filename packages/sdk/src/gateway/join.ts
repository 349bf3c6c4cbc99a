import { CHUNK_SIZE, haveSameLeaves, type JoinedPart, joinedCid } from '@tidenet/content'
import type { JoinAnswer } from '@tidenet/contract'
import { TRACE } from '@tidenet/contract/storage-enums'
import type { Answer } from '../api.ts'
import { bytesSource } from '../bytes.ts'
import type { Core } from '../core.ts'
import { isSuccess, type Result } from '../result.ts'
import { authHeaders, readNodeAnswer } from '../upload/tus.ts'
import { report, type StoredContent } from './store.ts'

/** Ms that a node may take for each MB: it reads and writes its disk, so no slow link is waited for. */
const TIMEOUT_PER_MB = 100

/**
 * Lets a node join contents that it stored for the account. What it answers is verified without the bytes.
 * @param ask asks the portal for the node
 * @returns undefined if there is no such node, or it did not do it: then the bytes have to be sent
 */
export async function joinContents(
  core: Core,
  ask: () => Promise<Result<Answer<'s3Uploads.join'>>>,
  parts: readonly JoinedPart[],
  signal: AbortSignal,
): Promise<StoredContent | undefined> {
  if (!haveSameLeaves(parts)) return undefined
  const asked = await ask()
  if (!isSuccess(asked) || !asked.data.node) return undefined
  const { TraceID: traceId, node } = asked.data
  const began = Date.now()
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  let failure = ''
  try {
    return { ...(await join(core, node, parts, size, signal)), traceId }
  } catch (error) {
    failure = String(error).slice(0, 500)
    const cancelled = core.api.call('uploads.cancel', { trace_id: traceId })
    if (signal.aborted) throw error
    // Before the bytes are sent: the quota may have no room for both.
    await cancelled
    return undefined
  } finally {
    const ok = failure === ''
    const attempt = {
      node_id: node.NodeID,
      state: ok ? TRACE.ok : TRACE.failed,
      transfer_type: 'upload',
      size: ok ? size : 0,
      start_at: began,
      end_at: Date.now(),
      status_code: ok ? 200 : 0,
      error: failure,
    }
    void report({ core, traceId }, began, [attempt], ok)
  }
}

/** @throws if the node did not store exactly these bytes */
async function join(
  { platform, api, limits }: Core,
  { JoinURL, Token }: { JoinURL: string; Token: string },
  parts: readonly JoinedPart[],
  size: number,
  signal: AbortSignal,
): Promise<Pick<StoredContent, 'cid' | 'receipt'>> {
  const source = bytesSource(new TextEncoder().encode(JSON.stringify({ parts: parts.map(({ cid }) => cid) })))
  const answer = await platform.send({
    method: 'POST',
    url: JoinURL,
    headers: { ...authHeaders({ token: Token, lang: api.lang }), 'content-type': 'application/json' },
    body: { source, start: 0, end: source.size },
    signal,
    idleTimeout: limits.upload,
    responseTimeout: limits.upload + Math.ceil(size / 1_000_000) * TIMEOUT_PER_MB,
    // The digests of the leaves in base64, and 64 KiB for the rest.
    answerMax: 65_536 + 44 * Math.ceil(size / CHUNK_SIZE),
  })
  const said = readNodeAnswer(answer)
  if (said.cid === '' || said.receipt === '') throw new Error(said.error)
  const { leaves } = JSON.parse(answer.text) as JoinAnswer
  const expected = await joinedCid(parts, Buffer.from(leaves ?? '', 'base64'))
  if (said.cid !== expected.toString()) throw new Error('the node stored other bytes')
  return { cid: said.cid, receipt: said.receipt }
}
