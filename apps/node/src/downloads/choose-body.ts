import { type Cid, ContentError, DAG_PB, safeName } from '@tidenet/content'
import { carFrame, carHeader, writeCar } from '@tidenet/content/car'
import { contentType } from '@tidenet/content/content-type'
import { catFile, parseEntityBytes, statPath, type WalkOptions, walk } from '@tidenet/content/graph'
import { innerOf } from '@tidenet/content/leaves'
import { tarFolder } from '@tidenet/content/tar'
import { type GetBlock, verifyBlock } from '@tidenet/content/verify'
import type { OpenContent } from '../contents/open-content.ts'
import type { Withheld } from '../contents/withheld.ts'
import { Refusal, refuseBlocked } from '../refusal.ts'
import { texts } from '../texts.ts'
import {
  archiveBody,
  type Body,
  blocksBody,
  CAR_TYPE,
  flatBody,
  innerBytesBody,
  innerFileBody,
  jsonBody,
  rawBody,
  streamBody,
} from './body.ts'
import type { DownloadRequest } from './download-request.ts'
import { listFolder } from './listing.ts'

/**
 * Selects the representation for a request.
 * @param more.url of the request, for links in listings
 * @param more.signal aborts when the client disconnects
 * @param more.withheld parts of the content that are blocked
 * @throws Refusal or ContentError if the content has no such representation
 */
export async function chooseBody(
  content: OpenContent,
  root: Cid,
  ask: DownloadRequest,
  { url, signal, withheld }: { url: string; signal: AbortSignal; withheld: Withheld | undefined },
): Promise<Body> {
  const { format, path } = ask
  const atRoot = path.length === 0
  const flat = content.held.kind === 'file'
  const type = contentType(ask.filename ?? path.at(-1) ?? '')
  // The common case: no block is read.
  if (flat && atRoot && format === undefined) return flatBody(content, type)

  const getBlock = blocksOf(content, signal, withheld)
  if (withheld) await requireServed(withheld, root, ask, getBlock)
  if (format === 'raw') {
    const cid = atRoot ? ask.cid : (await statPath(root, path.join('/'), getBlock)).cid
    return rawBody(cid, await getBlock(cid))
  }
  if (format === 'car') return carBody(content, root, ask, { getBlock, withheld })
  const target = await statPath(root, path.join('/'), getBlock)
  if (format === 'inner') {
    if (target.kind !== 'file') throw new Refusal(400, texts.innerOfFile)
    const inner = flat ? await content.inner() : undefined
    return inner
      ? innerFileBody(`${target.cid}`, inner)
      : innerBytesBody(`${target.cid}`, await innerCar(target.cid, getBlock))
  }
  if (format === 'tar') return tarBody(target.cid, ask.filename ?? path.at(-1), getBlock)
  if (target.kind === 'file')
    return blocksBody({ ...target, cat: (start, end) => catFile(target.cid, getBlock, { start, end }) }, type)
  const listing = await listFolder(content, target, getBlock, ask, linkTo(url), signal)
  return jsonBody(`W/"${target.cid}.list.${ask.page}.${ask.count}"`, listing)
}

/** Refuses before the response head is sent. Other blocks that are withheld are refused when they are read. */
async function requireServed(withheld: Withheld, root: Cid, ask: DownloadRequest, getBlock: GetBlock): Promise<void> {
  const { format, scope } = ask
  const { cid, kind } = await statPath(root, ask.path.join('/'), getBlock)
  const isWhole = format !== 'raw' && (kind === 'file' || format === 'tar' || (format === 'car' && scope === 'all'))
  if (withheld.isBlocked(cid) || (isWhole && (await withheld.isBelow(cid)))) throw refuseBlocked()
}

function blocksOf(content: OpenContent, signal: AbortSignal, withheld: Withheld | undefined): GetBlock {
  return async (cid) => {
    signal.throwIfAborted()
    const place = await content.locate(cid.multihash.digest, cid.code)
    if (!place) throw new ContentError('not-found', `${cid} is not part of this content`)
    if (withheld?.has(place.record)) throw refuseBlocked()
    const bytes = await content.readBlock(place)
    // Verify inner blocks, which are small and link to others; clients verify leaves.
    if (place.codec === DAG_PB) await verifyBlock(cid, bytes)
    return bytes
  }
}

async function carBody(
  content: OpenContent,
  root: Cid,
  ask: DownloadRequest,
  { getBlock, withheld }: { getBlock: GetBlock; withheld: Withheld | undefined },
): Promise<Body> {
  const { path, scope, order, duplicates } = ask
  const whole = path.length === 0 && scope === 'all'
  // The stored archive can be sent unchanged.
  if (!withheld && content.held.kind === 'folder' && whole && order !== 'dfs' && duplicates !== false)
    return archiveBody(content)
  const bytes = ask.entityBytes === undefined ? undefined : parseEntityBytes(ask.entityBytes)
  if (ask.entityBytes !== undefined && !bytes) throw new Refusal(400, texts.entityBytes)
  const options: WalkOptions = {
    path: path.join('/'),
    // "entity-bytes" implies the scope `entity`.
    scope: bytes ? 'entity' : scope,
    duplicates: duplicates ?? false,
    ...(bytes && { bytes }),
  }
  // Detect a missing path before the response head is sent.
  await statPath(root, path.join('/'), getBlock)
  const variant = [
    ask.path.map(encodeURIComponent).join('/'),
    options.scope,
    ask.entityBytes ?? '',
    duplicates ? 'y' : 'n',
  ]
  return streamBody(
    {
      type: `${CAR_TYPE}; order=dfs; dups=${duplicates ? 'y' : 'n'}`,
      etag: `W/"${root}.car.${Buffer.from(variant.join('\n')).toString('base64url')}"`,
      name: `${root}.car`,
    },
    () => writeCar([root], walk(root, getBlock, options)),
  )
}

async function innerCar(cid: Cid, getBlock: GetBlock): Promise<Uint8Array> {
  const parts = [carHeader([cid])]
  for await (const block of innerOf(cid, getBlock)) parts.push(carFrame(block))
  return Buffer.concat(parts)
}

/** A tar named as requested, as is its top entry; by default the CID. */
function tarBody(cid: Cid, wanted: string | undefined, getBlock: GetBlock): Body {
  const top = safeName((wanted ?? '').replace(/\.tar$/i, ''), `${cid}`)
  const variant = top === `${cid}` ? '' : `.${Buffer.from(top).toString('base64url')}`
  return streamBody({ type: 'application/x-tar', etag: `W/"${cid}.tar${variant}"`, name: `${top}.tar` }, () =>
    tarFolder(cid, top, getBlock),
  )
}

/** Link to an entry: extends the path; keeps the query except for name and page. */
function linkTo(url: string): (name: string) => string {
  const { pathname, search } = new URL(url, 'http://node')
  const query = new URLSearchParams(search)
  for (const name of ['page', 'count', 'filename']) query.delete(name)
  const folder = pathname.replace(/\/+$/, '')
  return (name) => {
    const own = new URLSearchParams(query)
    own.set('filename', name)
    return `${folder}/${encodeURIComponent(name)}?${own}`
  }
}
