import { concat } from '@tidenet/content/concat'
import { bytesSource } from '../bytes.ts'
import type { NodeResponse } from '../platform/platform.ts'
import { authHeaders, type NodeAnswer, type NodeTransfer, nodeAnswerOf, readNodeAnswer, timeoutFor } from './tus.ts'

/** Sends the file as one multipart form with the field `file`. */
export async function sendForm(transfer: NodeTransfer, url: string, name: string): Promise<NodeAnswer> {
  const { source } = transfer
  const boundary = newBoundary()
  const encoder = new TextEncoder()
  const head = encoder.encode(fileHead(boundary, name))
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  const answer = await transfer.platform.send({
    method: 'POST',
    url,
    headers: { ...authHeaders(transfer), ...formType(boundary) },
    body: { source, start: 0, end: source.size, head, tail, ...(transfer.observe && { observe: transfer.observe }) },
    signal: transfer.signal,
    onSent: transfer.onSent,
    idleTimeout: transfer.idleTimeout,
    responseTimeout: timeoutFor(source.size, transfer.idleTimeout),
  })
  return readNodeAnswer(answer)
}

/** Sends several small files as one form: each in a field `file` after its field `token`. */
export function sendForms(
  transfer: Pick<NodeTransfer, 'platform' | 'lang' | 'signal' | 'idleTimeout' | 'onSent'>,
  url: string,
  files: readonly { name: string; token: string; bytes: Uint8Array }[],
): Promise<NodeResponse> {
  const boundary = newBoundary()
  const encoder = new TextEncoder()
  const parts = files.flatMap(({ name, token, bytes }) => [
    encoder.encode(
      `--${boundary}\r\nContent-Disposition: form-data; name="token"\r\n\r\n${token}\r\n${fileHead(boundary, name)}`,
    ),
    bytes,
    encoder.encode('\r\n'),
  ])
  const source = bytesSource(concat([...parts, encoder.encode(`--${boundary}--\r\n`)]))
  const { platform, lang, signal, idleTimeout, onSent } = transfer
  return platform.send({
    method: 'POST',
    url,
    headers: { ...(lang && { lang }), ...formType(boundary) },
    body: { source, start: 0, end: source.size },
    signal,
    onSent,
    idleTimeout,
    responseTimeout: timeoutFor(source.size, idleTimeout),
  })
}

/** The results of `sendForms` in their order; empty if the node refused the request or does not know it. */
export function readNodeResults({ status, text }: NodeResponse): Partial<NodeAnswer>[] {
  if (status < 200 || status > 299) return []
  try {
    const { list } = JSON.parse(text)
    if (!Array.isArray(list)) return []
    return list.map((item) => nodeAnswerOf(item ?? {}, { status: 200 }))
  } catch {
    return []
  }
}

const newBoundary = (): string => `----tidenet${crypto.randomUUID().replaceAll('-', '')}`

const formType = (boundary: string) => ({ 'Content-Type': `multipart/form-data; boundary=${boundary}` })

const fileHead = (boundary: string, name: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escapeFileName(name)}"\r\nContent-Type: application/octet-stream\r\n\r\n`

/** Escapes a file name as browsers do. */
function escapeFileName(name: string): string {
  return name.replace(/["\r\n]/g, (found) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[found] ?? '')
}
