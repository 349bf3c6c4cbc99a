import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Cid, isContentError } from '@tidenet/content'
import { carFrame, carHeader, writeCar } from '@tidenet/content/car'
import { catFile, statPath, type WalkScope, walk } from '@tidenet/content/graph'
import { innerOf } from '@tidenet/content/leaves'
import { tarFolder } from '@tidenet/content/tar'
import { tarHeader } from '@tidenet/content/tar-header'
import type { GetBlock } from '@tidenet/content/verify'

/** Serves a path inside a folder as a node does: blocks that prove the path, and the file or folder itself. */
export async function servePart(
  request: IncomingMessage,
  response: ServerResponse,
  blocks: ReadonlyMap<string, Uint8Array>,
  root: Cid,
  path: string,
  search: URLSearchParams,
  spoils: boolean,
): Promise<void> {
  const getBlock: GetBlock = async (cid) => blocks.get(cid.toString())!
  const format = search.get('format')
  try {
    const found = await statPath(root, path, getBlock)
    if (format === 'car') {
      const scope = (search.get('dag-scope') ?? 'all') as WalkScope
      return send(request, response, await joined(writeCar([root], walk(root, getBlock, { path, scope }))), spoils)
    }
    if (format === 'tar')
      return send(
        request,
        response,
        await joined(tarFolder(found.cid, search.get('filename') ?? 'top', getBlock)),
        spoils,
      )
    if (format === 'inner') {
      const frames = [carHeader([found.cid])]
      for await (const block of innerOf(found.cid, getBlock)) frames.push(carFrame(block))
      return send(request, response, Buffer.concat(frames), false)
    }
    return send(request, response, await joined(catFile(found.cid, getBlock)), spoils)
  } catch (error) {
    response.writeHead(isContentError(error) && error.code === 'not-found' ? 404 : 500).end()
  }
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const piece of pieces) parts.push(Uint8Array.from(piece))
  return Buffer.concat(parts)
}

function send(request: IncomingMessage, response: ServerResponse, body: Buffer, spoils: boolean): void {
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
  const start = range ? Number(range[1]) : 0
  if (range && start >= body.length) return void response.writeHead(416).end()
  const bytes = body.subarray(start, range ? Number(range[2]) + 1 : body.length)
  if (spoils && bytes.length > 1) bytes[bytes.length - 1]! ^= 1
  response.writeHead(range ? 206 : 200, {
    'content-length': bytes.length,
    ...(range && { 'content-range': `bytes ${start}-${start + bytes.length - 1}/${body.length}` }),
  })
  response.end(bytes)
}

/** CID and path of a URL. */
export function placeOf(address: string): { cid: string; path: string } {
  const [cid = '', ...names] = address.split('/')
  return { cid, path: names.map(decodeURIComponent).join('/') }
}

/** A tar whose last bytes are sent separately or omitted. */
export async function* endingOtherwise(
  tar: AsyncIterable<Uint8Array>,
  { tail = 0, cutOff = 0 }: { tail?: number; cutOff?: number },
) {
  const pieces: Uint8Array[] = []
  for await (const piece of tar) pieces.push(Uint8Array.from(piece))
  const bytes = Buffer.concat(pieces)
  const end = bytes.length - cutOff
  if (tail > 0) yield bytes.subarray(0, end - tail)
  yield bytes.subarray(tail > 0 ? end - tail : 0, end)
}

/** The start of a tar without end. */
export function tarOfMany(): Buffer {
  const entry = Buffer.concat([tarHeader({ name: 'top/x', kind: 'file', size: 65_536 }), Buffer.alloc(65_536)])
  return Buffer.concat([tarHeader({ name: 'top/', kind: 'directory', size: 0 }), entry])
}

/** Sends the same bytes repeatedly until the client closes. */
export async function sendOn(response: ServerResponse, bytes: Buffer): Promise<void> {
  response.writeHead(200)
  while (!response.destroyed) await new Promise<void>((resolve) => response.write(bytes, () => resolve()))
}
