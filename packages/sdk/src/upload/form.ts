import { authHeaders, type NodeAnswer, type NodeTransfer, readNodeAnswer, timeoutFor } from './tus.ts'

/** Sends the file as one multipart form with the field `file`. */
export async function sendForm(transfer: NodeTransfer, url: string, name: string): Promise<NodeAnswer> {
  const { source } = transfer
  const boundary = `----tidenet${crypto.randomUUID().replaceAll('-', '')}`
  const encoder = new TextEncoder()
  const head = encoder.encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escapeFileName(name)}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  )
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  const answer = await transfer.platform.send({
    method: 'POST',
    url,
    headers: {
      ...authHeaders(transfer),
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
    },
    body: { source, start: 0, end: source.size, head, tail, ...(transfer.observe && { observe: transfer.observe }) },
    signal: transfer.signal,
    onSent: transfer.onSent,
    idleTimeout: transfer.idleTimeout,
    responseTimeout: timeoutFor(source.size, transfer.idleTimeout),
  })
  return readNodeAnswer(answer)
}

/** Escapes a file name as browsers do. */
function escapeFileName(name: string): string {
  return name.replace(/["\r\n]/g, (found) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[found] ?? '')
}
