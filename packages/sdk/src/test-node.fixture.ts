import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Cid, createFileHasher, type HashedFile, parseCid, readCar } from '@tidenet/content'
import { tarFolder } from '@tidenet/content/tar'
import { endingOtherwise, placeOf, sendOn, servePart, tarOfMany } from './test-node-folder.fixture.ts'

/** A storage node for tests: real HTTP on localhost, data in memory, with knobs to simulate failures. */
export interface TestNode {
  id: string
  url: string
  contents: Map<string, { bytes: Buffer; hashed?: HashedFile; blocks?: Map<string, Uint8Array> }>
  /** Unfinished uploads. */
  uploads: Map<string, { bytes: Buffer; length: number }>
  knobs: NodeKnobs
  requests: { method: string; path: string; headers: IncomingMessage['headers'] }[]
  /** What clients signed as received. */
  received: { token: string; bytes: number; signature: string; contentType: string }[]
  close(): Promise<void>
}

export interface NodeKnobs {
  /** Refuses the next `times` uploads with a status, or the next requests for their offset. */
  refuse?: { status: number; times: number; of?: 'HEAD' }
  /** Closes the connection after this many bytes of the next upload. */
  breakAfter?: number
  /** Responds with a wrong CID. */
  lies?: boolean
  /** Accepts bytes and never responds. */
  hangs?: boolean
  /** Accepts connections and never responds on any. */
  frozen?: boolean
  /** Answers signatures with this status, or not at all (0). */
  refuseReceived?: number
  /** Does not support tus. */
  noTus?: boolean
  /** Called with the number of bytes received of an upload. */
  onBytes?: (bytes: number) => void
  /** Sends wrong bytes in ranges. */
  spoils?: boolean
  /** Sends only the head of a response. */
  stalls?: boolean
  /** Downloads fail with this status. */
  failDownload?: number
  /** Closes one download after this many bytes. */
  breakDownloadAfter?: number
  /** Stops responding after this many bytes of a folder. */
  freezeAfter?: number
  /** Answers this many requests of downloads, and closes the connections of the next ones without an answer. */
  away?: { after: number; times: number }
  /** Ranges of more than one byte fail with this status; with `start` only the range that starts there. */
  failRange?: { status: number; start?: number }
  /** Sends this many bytes at the end of a folder separately. */
  tail?: number
  /** Omits this many bytes at the end of a folder without an error. */
  cutOff?: number
  /** Folders never end: as a tar, unknown files follow each other; as raw blocks, bytes repeat. */
  endless?: 'tar' | 'raw'
  /** Folder requests fail with 503, except for the first byte. */
  failTar?: boolean
  /** Ms before each 64 KiB of a download; a probe of one byte is answered at once. */
  slow?: number
  /** Ms before a probe of one byte is answered. */
  late?: number
  /** The token that downloads need. Default: `down-` and the id. */
  token?: string
}

const TUS = { 'tus-resumable': '1.0.0' }

export async function startNode(id: string): Promise<TestNode> {
  const contents: TestNode['contents'] = new Map()
  const uploads: TestNode['uploads'] = new Map()
  const requests: TestNode['requests'] = []
  const received: TestNode['received'] = []
  const knobs: NodeKnobs = {}

  const keepArchive = async (bytes: Buffer) => {
    const reading = readCar(oneByOne(bytes))
    const blocks = new Map<string, Uint8Array>()
    for await (const block of reading.blocks) blocks.set(block.cid.toString(), block.bytes)
    const cid = String((await reading.roots)[0])
    contents.set(cid, { bytes, blocks })
    return { code: 0, err: 0, msg: '', cid, receipt: `receipt-${id}` }
  }
  const keep = async (bytes: Buffer) => {
    if (isArchive(bytes)) return keepArchive(bytes)
    const hasher = createFileHasher()
    hasher.update(bytes)
    const hashed = await hasher.finish()
    const cid = hashed.cid.toString()
    contents.set(cid, { bytes, hashed })
    return { code: 0, err: 0, msg: '', cid: knobs.lies ? `${cid.slice(0, -1)}x` : cid, receipt: `receipt-${id}` }
  }
  /** Reads the request body until its end or until a knob closes the connection. */
  const take = async (request: IncomingMessage, onBytes: (chunk: Buffer) => void): Promise<boolean> => {
    let got = 0
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        const limit = knobs.breakAfter
        onBytes(limit === undefined ? chunk : chunk.subarray(0, Math.max(limit - got, 0)))
        got += chunk.length
        knobs.onBytes?.(got)
        if (limit !== undefined && got >= limit) {
          delete knobs.breakAfter
          request.socket.destroy()
          return false
        }
      }
    } catch {
      return false
    }
    return true
  }
  const refusing = (response: ServerResponse): boolean => {
    if (!knobs.refuse || knobs.refuse.times <= 0) return false
    knobs.refuse.times -= 1
    response.writeHead(knobs.refuse.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ code: -1, err: 1, msg: 'refused by a knob' }))
    return true
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://node')
    const method = request.method ?? 'GET'
    requests.push({ method, path: request.url ?? '', headers: request.headers })
    if (knobs.frozen) return
    if (method === 'POST' && pathname === '/received') {
      const chunks: Buffer[] = []
      if (!(await take(request, (chunk) => void chunks.push(chunk)))) return
      const contentType = request.headers['content-type'] ?? ''
      received.push({ ...JSON.parse(Buffer.concat(chunks).toString()), contentType })
      if (knobs.refuseReceived !== 0) response.writeHead(knobs.refuseReceived ?? 204).end()
      return
    }
    const uploading = method === 'POST' || method === 'PATCH'
    if (uploading && request.headers.authorization !== `Bearer up-${id}`) {
      response.writeHead(401).end()
      return
    }
    if ((knobs.refuse?.of === 'HEAD' ? method === 'HEAD' : uploading) && refusing(response)) {
      request.resume()
      return
    }
    if (knobs.hangs && uploading) {
      await take(request, () => {})
      return
    }
    if (pathname === '/uploadv2' || pathname === '/upload') {
      const chunks: Buffer[] = []
      if (!(await take(request, (chunk) => void chunks.push(chunk)))) return
      send(response, 200, await keep(filePart(Buffer.concat(chunks))))
      return
    }
    if (pathname === '/tus' && method === 'POST') {
      const name = randomUUID()
      uploads.set(name, { bytes: Buffer.alloc(0), length: Number(request.headers['upload-length']) })
      response.writeHead(201, { ...TUS, location: `/tus/${name}`, 'content-length': 0 }).end()
      return
    }
    if (pathname.startsWith('/tus/')) {
      const name = pathname.slice(5)
      const upload = uploads.get(name)
      if (!upload) {
        response.writeHead(404).end()
        return
      }
      if (method === 'HEAD') {
        response.writeHead(200, { ...TUS, 'upload-offset': upload.bytes.length, 'upload-length': upload.length }).end()
        return
      }
      if (method === 'DELETE') {
        uploads.delete(name)
        response.writeHead(204, TUS).end()
        return
      }
      if (Number(request.headers['upload-offset']) !== upload.bytes.length) {
        response.writeHead(409).end()
        return
      }
      const chunks: Buffer[] = [upload.bytes]
      const whole = await take(request, (chunk) => void chunks.push(chunk))
      upload.bytes = Buffer.concat(chunks)
      if (!whole) return
      const headers: Record<string, string | number> = { ...TUS, 'upload-offset': upload.bytes.length }
      if (upload.bytes.length === upload.length) {
        const { cid, receipt } = await keep(upload.bytes)
        uploads.delete(name)
        headers['upload-cid'] = cid
        headers['upload-receipt'] = receipt
      }
      response.writeHead(204, headers).end()
      return
    }
    if (pathname.startsWith('/ipfs/')) {
      await serve(request, response, pathname.slice(6), searchParams)
      return
    }
    response.writeHead(404).end()
  })

  async function serve(request: IncomingMessage, response: ServerResponse, place: string, search: URLSearchParams) {
    const { cid, path } = placeOf(place)
    const folder = [...contents.values()].find(({ blocks }) => blocks?.has(cid))
    if (folder && knobs.endless && search.get('format') === knobs.endless) {
      await sendOn(response, knobs.endless === 'raw' ? Buffer.alloc(65_536) : tarOfMany())
      return
    }
    if (folder && search.get('format') === 'raw' && !knobs.failDownload) {
      response.end(folder.blocks!.get(cid))
      return
    }
    const content = contents.get(cid)
    if (knobs.away && --knobs.away.after < 0 && --knobs.away.times >= 0) {
      response.destroy()
      return
    }
    const asked = request.headers.range
    if (knobs.late && asked === 'bytes=0-0') await new Promise((resolve) => setTimeout(resolve, knobs.late))
    const fails = asked?.startsWith(`bytes=${knobs.failRange?.start ?? ''}`) && asked !== 'bytes=0-0'
    if (knobs.failRange && fails) {
      response.writeHead(knobs.failRange.status).end()
      return
    }
    if (knobs.failDownload || !content || search.get('token') !== (knobs.token ?? `down-${id}`)) {
      response.writeHead(knobs.failDownload ?? (content ? 401 : 404)).end()
      return
    }
    const format = search.get('format')
    if (content.blocks && (path !== '' || search.has('dag-scope'))) {
      await servePart(request, response, content.blocks, parseCid(cid), path, search, knobs.spoils === true)
      return
    }
    if (content.blocks && knobs.failTar && asked !== 'bytes=0-0') {
      response.writeHead(503).end()
      return
    }
    if (content.blocks && format !== 'car') {
      response.writeHead(200)
      const blocks = content.blocks
      let sent = 0
      const getBlock = async (wanted: Cid) => blocks.get(wanted.toString())!
      const tar = tarFolder(parseCid(cid), search.get('filename') ?? 'top', getBlock)
      for await (const piece of knobs.tail || knobs.cutOff ? endingOtherwise(tar, knobs) : tar) {
        const bytes = Buffer.from(piece)
        if (knobs.spoils && bytes.length > 1000) bytes[500]! ^= 1
        response.write(bytes)
        sent += bytes.length
        if (knobs.freezeAfter && sent > knobs.freezeAfter) {
          knobs.frozen = true
          return
        }
        if (knobs.breakDownloadAfter && sent > knobs.breakDownloadAfter) {
          delete knobs.breakDownloadAfter
          response.destroy()
          return
        }
        if (knobs.slow || knobs.tail) await new Promise((resolve) => setTimeout(resolve, knobs.slow ?? 20))
      }
      response.end()
      return
    }
    const body = search.get('format') === 'inner' ? innerArchive(content.hashed!) : content.bytes
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const start = range ? Number(range[1]) : 0
    const end = range ? Math.min(Number(range[2]) + 1, body.length) : body.length
    response.writeHead(range ? 206 : 200, {
      'content-length': end - start,
      ...(range && { 'content-range': `bytes ${start}-${end - 1}/${body.length}` }),
    })
    response.flushHeaders()
    if (knobs.stalls && end - start > 1) return
    let bytes = body.subarray(start, end)
    if (knobs.spoils && format !== 'inner' && bytes.length > 1) {
      bytes = Buffer.from(bytes)
      bytes[bytes.length >> 1]! ^= 1
    }
    if (knobs.breakDownloadAfter && bytes.length > knobs.breakDownloadAfter) {
      response.write(bytes.subarray(0, knobs.breakDownloadAfter))
      delete knobs.breakDownloadAfter
      setTimeout(() => response.destroy(), 20)
      return
    }
    if (!knobs.slow || bytes.length === 1) {
      response.end(bytes)
      return
    }
    for (let at = 0; at < bytes.length && !response.destroyed; at += 65_536) {
      await new Promise((resolve) => setTimeout(resolve, knobs.slow))
      response.write(bytes.subarray(at, at + 65_536))
    }
    response.end()
  }

  const url = await listen(server)
  return { id, url, contents, uploads, knobs, requests, received, close: () => close(server) }
}

/** The inner nodes of a file as an archive (CARv1), root first. */
function innerArchive(hashed: HashedFile): Buffer {
  const root = Buffer.from(hashed.cid.bytes)
  // dag-cbor of { roots: [root], version: 1 }
  const header = Buffer.concat([
    Buffer.from([0xa2, 0x65]),
    Buffer.from('roots'),
    Buffer.from([0x81, 0xd8, 0x2a, 0x58, root.length + 1, 0x00]),
    root,
    Buffer.from([0x67]),
    Buffer.from('version'),
    Buffer.from([0x01]),
  ])
  const parts = [varint(header.length), header]
  for (const block of hashed.inner.toReversed()) {
    const cid = Buffer.from(block.cid.bytes)
    parts.push(varint(cid.length + block.bytes.length), cid, Buffer.from(block.bytes))
  }
  return Buffer.concat(parts)
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80)
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, rest])
}

/** Archives begin with the length and content of their header. */
const ARCHIVES = [
  [0xa2, 0x65, 0x72, 0x6f, 0x6f, 0x74, 0x73],
  // Version 2.
  [0xa1, 0x67, 0x76, 0x65, 0x72, 0x73, 0x69],
]
const isArchive = (bytes: Buffer) => ARCHIVES.some((start) => bytes.subarray(1, 8).equals(Buffer.from(start)))

async function* oneByOne(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

/** The bytes between the first empty line and the last boundary. */
function filePart(form: Buffer): Buffer {
  const start = form.indexOf('\r\n\r\n') + 4
  return form.subarray(start, form.lastIndexOf('\r\n--'))
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

export async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export function close(server: ReturnType<typeof createServer>): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
