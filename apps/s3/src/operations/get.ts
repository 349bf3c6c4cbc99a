import type { S3Object } from '@tidenet/contract'
import {
  attributesXml,
  contentRange,
  isNotModified,
  isRangeCurrent,
  readAttributes,
  readConditions,
  readPartNumber,
  readRange,
  S3Error,
} from '@tidenet/s3-wire'
import type { OpenContent } from '@tidenet/storage/gateway'
import { headersOf, isHeaderValue } from '../details.ts'
import {
  type Answer,
  checksumHeaders,
  header,
  type ObjectExchange,
  objectChecksum,
  parameter,
  readerOf,
  xmlAnswer,
} from '../exchange.ts'
import type { Named } from '../openings.ts'
import { needVersion } from '../refusals.ts'
import { expirationHeader, namedVersion, versionHeader } from '../versions.ts'

/** Headers that a client can ask for in the query. It is signed, so nobody else can. */
const OVERRIDES = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
]

export async function headObject(exchange: ObjectExchange): Promise<Answer> {
  checkPart(exchange)
  return answerOf(exchange, await findObject(exchange), undefined)
}

export async function getAttributes(exchange: ObjectExchange): Promise<Answer> {
  const asked = readAttributes(header(exchange, 'x-amz-object-attributes'))
  const object = await findObject(exchange)
  const { etag, size, modified } = object
  return xmlAnswer(attributesXml(asked, { etag, size, ...objectChecksum(object) }), {
    'last-modified': new Date(modified).toUTCString(),
    ...versionHeader(object),
  })
}

async function findObject(exchange: ObjectExchange): Promise<S3Object> {
  const { bucket, key } = exchange.address
  const named = namedVersion(exchange)
  const found = await exchange.caller.transfers.api.call('s3.find', { bucket, key, ...named })
  const object = needVersion(found, named.version_id)
  requireContent(exchange, object)
  return object
}

export async function getObject(exchange: ObjectExchange): Promise<Answer> {
  checkPart(exchange)
  if (mayHaveNoBytes(exchange)) {
    const { status, headers = {} } = await headObject(exchange)
    if (status === 304) return { status, headers }
  }
  const { bucket, key } = exchange.address
  const named = namedVersion(exchange)
  const { object, content } = await openObject(exchange, { bucket, key, ...named })
  requireContent(exchange, object)
  // Its nodes do not have the bytes of one file.
  if (object.kind === 'folder')
    throw new S3Error(
      'InvalidObjectState',
      'This is a folder that was stored as one item. Download it in the portal, or with tidenet get.',
    )
  return answerOf(exchange, object, content)
}

/**
 * Whether the answer may be that the client has the object, or cannot get it. That is found out before it is opened: the portal counts an
 * opened content as bytes that are still to come, in a cap of traffic for an hour. Ranges share what they open.
 */
const mayHaveNoBytes = (exchange: ObjectExchange): boolean =>
  header(exchange, 'range') === undefined &&
  (Object.keys(readConditions(exchange.headers)).length > 0 ||
    (isPart(exchange) && readPartNumber(exchange.target) !== 1))

/** Requests for parts of an object share its content. */
async function openObject(exchange: ObjectExchange, named: Named) {
  if (header(exchange, 'range') !== undefined)
    return exchange.openings.open(readerOf(exchange), named, (object) => partOf(exchange, object).part)
  const { transfers } = exchange.caller
  const ask = (receipt_key: string) => transfers.api.call('s3.open', { ...named, receipt_key })
  return needVersion(await transfers.open(ask, exchange.signal), named.version_id)
}

const validatorsOf = ({ etag, modified }: S3Object) => ({ etag, lastModified: Date.parse(modified) })

/**
 * Every object is one part, because the bounds of the parts that a client sent are not kept.
 * @throws S3Error InvalidRange, InvalidPartNumber
 */
function partOf(exchange: ObjectExchange, object: S3Object) {
  if (isPart(exchange) && readPartNumber(exchange.target) !== 1) throw new S3Error('InvalidPartNumber')
  const isWhole = isPart(exchange) && object.size > 0
  const range = isWhole ? { start: 0, end: object.size - 1 } : rangeOf(exchange, object)
  return { range, part: range ? { start: range.start, end: range.end + 1 } : { start: 0, end: object.size } }
}

function rangeOf(exchange: ObjectExchange, object: S3Object) {
  const isCurrent = isRangeCurrent(exchange.headers, validatorsOf(object))
  return isCurrent ? readRange(header(exchange, 'range'), object.size) : undefined
}

const isPart = (exchange: ObjectExchange) => parameter(exchange, 'partNumber') !== undefined

/**
 * Refuses a request for a part that is wrong for any object. Whether the object has the part is checked later, when the object is found.
 * @throws S3Error InvalidArgument, InvalidRequest
 */
function checkPart(exchange: ObjectExchange): void {
  if (!isPart(exchange)) return
  if (header(exchange, 'range') !== undefined)
    throw new S3Error('InvalidRequest', 'Cannot specify both Range header and partNumber query parameter.')
  readPartNumber(exchange.target)
}

/** @throws S3Error MethodNotAllowed for a delete marker, which can only be deleted */
function requireContent({ response }: ObjectExchange, object: S3Object): void {
  if (!object.marker) return
  const headers = { 'x-amz-delete-marker': 'true', allow: 'DELETE', ...versionHeader(object) }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  throw new S3Error('MethodNotAllowed')
}

/** @param content undefined for HEAD */
function answerOf(exchange: ObjectExchange, object: S3Object, content: OpenContent | undefined): Answer {
  const { size, etag } = object
  const common = {
    etag: `"${etag}"`,
    'last-modified': new Date(object.modified).toUTCString(),
    ...versionHeader(object),
  }
  if (isNotModified(readConditions(exchange.headers), validatorsOf(object))) return { status: 304, headers: common }
  const {
    range,
    part: { start, end },
  } = partOf(exchange, object)
  const headers: Record<string, string> = {
    ...headersOf(object),
    ...common,
    ...expirationHeader(object),
    'accept-ranges': 'bytes',
    'content-length': String(end - start),
    ...(object.tags.length > 0 && { 'x-amz-tagging-count': String(object.tags.length) }),
    ...(range && { 'content-range': contentRange(range, size) }),
  }
  // A checksum of the whole says nothing about a part.
  if (header(exchange, 'x-amz-checksum-mode')?.toUpperCase() === 'ENABLED' && end - start === size)
    Object.assign(headers, checksumHeaders(object))
  for (const name of OVERRIDES) {
    const value = parameter(exchange, `response-${name}`)
    if (value === undefined) continue
    if (!isHeaderValue(value))
      throw new S3Error('InvalidArgument', 'Header value cannot be represented using ISO-8859-1.', {
        ArgumentName: `response-${name}`,
      })
    headers[name] = value
  }
  return {
    status: range ? 206 : 200,
    headers,
    ...(content && { body: exchange.whilePermitted(bytesOf(content, start, end)) }),
  }
}

async function* bytesOf(content: OpenContent, start: number, end: number): AsyncGenerator<Uint8Array, void> {
  let ok = false
  try {
    yield* content.read(start, end, { reuse: true })
    ok = true
  } finally {
    void content.end(ok)
  }
}
