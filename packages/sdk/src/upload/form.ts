import { callerOf, type NodeAnswer, type NodeTransfer, patience, readNodeAnswer } from './tus.ts'

/** Sends everything in one form with the field `file`. */
export async function sendForm(transfer: NodeTransfer, url: string, name: string): Promise<NodeAnswer> {
  const { source } = transfer
  const boundary = `----tidenet${crypto.randomUUID().replaceAll('-', '')}`
  const encoder = new TextEncoder()
  const head = encoder.encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(name)}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  )
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  const answer = await transfer.platform.send({
    method: 'POST',
    url,
    headers: {
      ...callerOf(transfer),
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
    },
    body: { source, start: 0, end: source.size, head, tail, ...(transfer.observe && { observe: transfer.observe }) },
    signal: transfer.signal,
    onSent: transfer.onSent,
    patience: transfer.patience,
    answerPatience: patience(source.size, transfer.patience),
  })
  return readNodeAnswer(answer)
}

/** As browsers write names in forms. */
function quoted(name: string): string {
  return name.replace(/["\r\n]/g, (found) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[found] ?? '')
}
