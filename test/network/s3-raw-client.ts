import { createHash, createHmac } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** A client that writes bytes to a socket, and signs as AWS documents Signature Version 4, without code of the gateway. */

export interface Key {
  accessKeyId: string
  secretAccessKey: string
}

export interface Signable {
  method: string
  /** As sent, percent-encoded. */
  path: string
  /** Already sorted and encoded. */
  query?: string
  headers: Record<string, string>
  payload?: string
  /** Unix ms */
  at?: number
}

const REGION = 'us-east-1'
export const UNSIGNED = 'UNSIGNED-PAYLOAD'
export const hexOf = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Uint8Array | string, text: string) => createHmac('sha256', key).update(text).digest()
const stampOf = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
const keyOf = (secret: string, day: string) =>
  ['aws4_request', 's3', REGION, day].reduceRight((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`))

function signatureOf({ secretAccessKey }: Key, request: Required<Signable>, names: string[]) {
  const { method, path, query, headers, payload, at } = request
  const stamp = stampOf(at)
  const scope = `${stamp.slice(0, 8)}/${REGION}/s3/aws4_request`
  const lines = names.map((name) => `${name}:${headers[name]?.trim()}\n`).join('')
  const canonical = [method, path, query, lines, names.join(';'), payload].join('\n')
  const text = ['AWS4-HMAC-SHA256', stamp, scope, createHash('sha256').update(canonical, 'latin1').digest('hex')]
  const key = keyOf(secretAccessKey, stamp.slice(0, 8))
  return { signature: hmac(key, text.join('\n')).toString('hex'), scope, stamp, key }
}

/** Headers with a signature over all of them, and what chunks are signed with. */
export function signed(key: Key, request: Signable) {
  const { at = Date.now(), payload = UNSIGNED, query = '' } = request
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-content-sha256': payload,
    'x-amz-date': stampOf(at),
  }
  const names = Object.keys(headers).sort()
  const made = signatureOf(key, { ...request, headers, payload, query, at }, names)
  const credential = `${key.accessKeyId}/${made.scope}`
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${names.join(';')},Signature=${made.signature}`
  return { ...made, headers }
}

/** The target of a presigned request. */
export function presigned(
  key: Key,
  {
    method = 'GET',
    path,
    host,
    more = {},
    expires = 60,
    at = Date.now(),
  }: {
    method?: string
    path: string
    host: string
    more?: Record<string, string>
    expires?: number
    at?: number
  },
): string {
  const stamp = stampOf(at)
  const parameters: Record<string, string> = {
    ...more,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${key.accessKeyId}/${stamp.slice(0, 8)}/${REGION}/s3/aws4_request`,
    'X-Amz-Date': stamp,
    'X-Amz-Expires': String(expires),
    'X-Amz-SignedHeaders': 'host',
  }
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  const query = Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const { signature } = signatureOf(key, { method, path, query, headers: { host }, payload: UNSIGNED, at }, ['host'])
  return `${path}?${query}&X-Amz-Signature=${signature}`
}

/** The fields of a form whose policy has these conditions, beside those of the signature. */
export function formFields(key: Key, conditions: readonly unknown[]): Record<string, string> {
  const stamp = stampOf(Date.now())
  const day = stamp.slice(0, 8)
  const fields = {
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': `${key.accessKeyId}/${day}/${REGION}/s3/aws4_request`,
    'x-amz-date': stamp,
  }
  const all = [...Object.entries(fields).map(([name, value]) => ({ [name]: value })), ...conditions]
  const expiration = new Date(Date.now() + 60_000).toISOString()
  const policy = Buffer.from(JSON.stringify({ expiration, conditions: all })).toString('base64')
  const signature = hmac(keyOf(key.secretAccessKey, day), policy).toString('hex')
  return { ...fields, policy, 'x-amz-signature': signature }
}

/** A body in signed chunks. @param sizes of the chunks; the last one has no bytes */
export function chunksOf(
  { key, scope, stamp, signature }: { key: Uint8Array; scope: string; stamp: string; signature: string },
  bytes: Buffer,
  size: number,
): Buffer[] {
  const chunks: Buffer[] = []
  let previous = signature
  for (let at = 0; ; at += size) {
    const data = bytes.subarray(at, at + size)
    const text = ['AWS4-HMAC-SHA256-PAYLOAD', stamp, scope, previous, hexOf(''), hexOf(data)].join('\n')
    previous = hmac(key, text).toString('hex')
    const head = `${data.length.toString(16)};chunk-signature=${previous}\r\n`
    chunks.push(Buffer.concat([Buffer.from(head), data, Buffer.from('\r\n')]))
    if (data.length === 0) return chunks
  }
}

export const messageOf = (method: string, target: string, headers: Record<string, string> | string[]): string => {
  const lines = Array.isArray(headers) ? headers : Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

export interface RawAnswer {
  /** Of each answer that came, in order. */
  statuses: number[]
  text: string
  /** The code of the error document; undefined if there is none. */
  code: string | undefined
}

export const openSocket = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
  })

/**
 * Sends bytes, and reads until the other side closes or sends nothing for a while.
 * @param still in ms
 * @param enough whether the bytes so far are the whole answer. Without it, reading from an open connection ends only after `still`
 */
export async function exchangeRaw(
  port: number,
  parts: readonly (string | Buffer)[],
  still = 3000,
  enough: (bytes: Buffer) => boolean = () => false,
): Promise<RawAnswer> {
  const socket = await openSocket(port)
  const pieces: Buffer[] = []
  const ended = new Promise<void>((resolve) => {
    socket.setTimeout(still, resolve)
    socket.on('data', (piece) => {
      pieces.push(piece)
      if (enough(Buffer.concat(pieces))) resolve()
    })
    for (const event of ['end', 'close', 'error'] as const) socket.once(event, () => resolve())
  })
  for (const part of parts) socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
  await ended
  socket.destroy()
  return answerOf(Buffer.concat(pieces))
}

/** Whether the bytes hold a whole answer, framed by its length or in chunks. */
export function isWholeAnswer(bytes: Buffer): boolean {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return false
  const length = /^content-length: *(\d+)/im.exec(bytes.toString('latin1', 0, head))?.[1]
  return length === undefined
    ? bytes.subarray(head).includes('\r\n0\r\n\r\n')
    : bytes.length >= head + 4 + Number(length)
}

export function answerOf(bytes: Buffer): RawAnswer {
  const text = bytes.toString('latin1')
  return {
    statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)),
    text,
    code: /<Code>(\w+)<\/Code>/.exec(text)?.[1],
  }
}
