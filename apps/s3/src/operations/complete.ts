import { errors, type ObjectPart, PARTS_MAX } from '@tidenet/contract'
import { within } from '@tidenet/daemon'
import {
  type ChecksumAlgorithm,
  type ChecksumType,
  type CompletedPart,
  canBeOfType,
  combineCrcs,
  completeUploadXml,
  compositeChecksum,
  defaultChecksumType,
  isCrc,
  multipartEtag,
  readChecksumType,
  readCompleteMultipartUpload,
  readObjectChecksum,
  S3Error,
  writeXml,
} from '@tidenet/s3-wire'
import { isSuccess } from '@tidenet/storage/gateway'
import { readWhole } from '../body.ts'
import { type Answer, header, locationOf, type ObjectExchange, objectChecksum, xmlAnswer } from '../exchange.ts'
import { listObject, storeBytes, transferName } from '../large-writes.ts'
import { knownError, s3ErrorOf } from '../refusals.ts'
import type { Written } from '../small-writes.ts'
import { expirationHeader, versionHeader } from '../versions.ts'
import { bytesOf } from './part-bytes.ts'
import { writeConditions } from './put.ts'
import { needUpload, uploadOf } from './unfinished.ts'

/** Of all parts but the last one. */
const PART_MIN = 5 * 1024 ** 2

/** Joins the parts. The answer begins before all bytes are stored, so that the client does not give up: what fails then is in its body. */
export async function completeUpload(exchange: ObjectExchange): Promise<Answer> {
  const { transfers } = exchange.caller
  const upload = uploadOf(exchange)
  // A checksum in the headers is that of the object.
  const asked = readCompleteMultipartUpload(await readWhole(exchange, COMPLETE_BODY_MAX, 'object'))
  const conditions = writeConditions(exchange)
  const found = await transfers.api.call('s3Uploads.find', upload)
  if (!isSuccess(found)) {
    if (found.data.err !== errors.notFound.err) throw s3ErrorOf(found)
    return resultOf(exchange, await completedBefore(exchange, asked))
  }
  const parts = await chosenParts(exchange, asked)
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  const etag = multipartEtag(parts.map((part) => part.etag))
  requireSize(exchange, size)
  const checksums = await checksumsOf(exchange, parts, found.data)
  const join = async (): Promise<Written> => {
    const { cid, receipt, traceId } = await storeJoined(exchange, parts, size)
    const { headers, metadata, tags } = found.data
    const content = receipt === '' ? { cid } : { cid, receipt }
    const write = {
      key: upload.key,
      upload_id: upload.upload_id,
      size,
      md5: '',
      etag,
      headers,
      metadata,
      tags,
      checksums,
      ...conditions,
      ...content,
    }
    return listObject(transfers, upload.bucket, traceId, write)
  }
  const joinOnce = () =>
    join().catch(async (error: unknown) => {
      // Another completion of the upload was faster, or the answer to the write was lost.
      const now = await transfers.api.call('s3Uploads.find', upload)
      if (isSuccess(now) || now.data.err !== errors.notFound.err) throw error
      return completedBefore(exchange, asked)
    })
  return keptAlive(exchange, joinOnce)
}

/** By the node that has all parts if there is one; otherwise their bytes are read and sent again. */
async function storeJoined(
  exchange: ObjectExchange,
  parts: readonly ObjectPart[],
  size: number,
): Promise<{ cid: string; receipt: string; traceId: string }> {
  const { transfers } = exchange.caller
  const upload = uploadOf(exchange)
  const [only] = parts
  if (only && parts.length === 1) return { ...only, traceId: '' }
  const ask = () => transfers.api.call('s3Uploads.join', { ...upload, parts: parts.map(({ number }) => number) })
  const joined = await transfers.join(ask, parts, exchange.signal)
  if (joined) return joined
  const sender = { transfers, signal: exchange.signal }
  return storeBytes(sender, transferName(upload.bucket, upload.key), { size, pieces: bytesOf(exchange, parts) })
}

const COMPLETE_BODY_MAX = 4 * 1024 * 1024
/** Ms after which the answer begins, and between two blanks that keep the connection alive. */
const ALIVE_EVERY = 5000

async function keptAlive(exchange: ObjectExchange, join: () => Promise<Written>): Promise<Answer> {
  const joining = join()
  joining.catch(() => {})
  const early = await within(joining, ALIVE_EVERY)
  if (early) return resultOf(exchange, early)
  async function* body() {
    // A declaration must come first; blanks may follow it.
    yield Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n')
    for (;;) {
      const outcome = await within(joining, ALIVE_EVERY).catch(
        (error: unknown) => knownError(error) ?? new S3Error('InternalError'),
      )
      if (!outcome) {
        yield Buffer.from(' ')
        continue
      }
      const document =
        outcome instanceof S3Error
          ? writeXml([
              'Error',
              [
                ['Code', outcome.code],
                ['Message', outcome.message],
              ],
            ])
          : String(resultOf(exchange, outcome).body)
      yield Buffer.from(document.replace(/^<\?xml[^>]*\?>\s*/, ''))
      return
    }
  }
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: body() }
}

function resultOf(
  exchange: ObjectExchange,
  object: Pick<Written, 'etag' | 'checksums' | 'version_id' | 'expiration'>,
): Answer {
  const { bucket, key } = exchange.address
  const result = { location: locationOf(exchange), bucket, key, etag: object.etag, ...objectChecksum(object) }
  return xmlAnswer(completeUploadXml(result), { ...versionHeader(object), ...expirationHeader(object) })
}

/** A client that did not get the answer completes the upload again. */
async function completedBefore(exchange: ObjectExchange, asked: readonly CompletedPart[]): Promise<Written> {
  const { bucket, key } = exchange.address
  const found = await exchange.caller.transfers.api.call('s3.find', { bucket, key })
  const md5s = asked.map(({ etag }) => etag)
  if (!isSuccess(found) || !md5s.every((md5) => /^[0-9a-f]{32}$/.test(md5)) || found.data.etag !== multipartEtag(md5s))
    throw new S3Error('NoSuchUpload')
  return found.data
}

/** The stored parts that the client names. @throws S3Error InvalidPart, InvalidPartOrder, EntityTooSmall */
async function chosenParts(exchange: ObjectExchange, asked: readonly CompletedPart[]): Promise<ObjectPart[]> {
  const upload = { ...uploadOf(exchange), limit: PARTS_MAX }
  const { list } = needUpload(await exchange.caller.transfers.api.call('s3Uploads.parts', upload))
  const stored = new Map(list.map((part) => [part.number, part]))
  const parts = asked.map(({ partNumber, etag, checksum }) => {
    const part = stored.get(partNumber)
    const kept = checksum && part?.checksums[checksum.algorithm]
    if (!part || part.etag !== etag || (kept !== undefined && kept !== checksum?.value))
      throw new S3Error('InvalidPart', undefined, { PartNumber: String(partNumber) })
    return part
  })
  for (const [index, part] of parts.entries()) {
    if (index < parts.length - 1 && part.size < PART_MIN)
      throw new S3Error('EntityTooSmall', undefined, {
        PartNumber: String(part.number),
        MinSizeAllowed: String(PART_MIN),
      })
  }
  return parts
}

/** @throws S3Error InvalidRequest */
function requireSize(exchange: ObjectExchange, size: number): void {
  const stated = header(exchange, 'x-amz-mp-object-size')
  if (stated !== undefined && stated !== String(size))
    throw new S3Error('InvalidRequest', `The parts have ${size} bytes together, but x-amz-mp-object-size is ${stated}.`)
}

/** The checksum of the object, from those of its parts. @throws S3Error BadDigest, InvalidRequest if the client states another one */
async function checksumsOf(
  exchange: ObjectExchange,
  parts: readonly ObjectPart[],
  begun: { algorithm: string; checksum_type: string },
): Promise<Record<string, string>> {
  const { headers, target } = exchange
  const stated = readObjectChecksum(headers, target)
  const algorithm = (begun.algorithm || stated?.algorithm) as ChecksumAlgorithm | undefined
  if (algorithm === undefined) return {}
  if (stated && stated.algorithm !== algorithm)
    throw new S3Error('InvalidRequest', `The upload was created with the checksum algorithm ${algorithm}.`)
  const type = readChecksumType(headers) ?? ((begun.checksum_type || defaultChecksumType(algorithm)) as ChecksumType)
  if (begun.checksum_type !== '' && type !== begun.checksum_type)
    throw new S3Error('BadDigest', `The upload was created with the checksum type ${begun.checksum_type}.`)
  if (!canBeOfType(algorithm, type))
    throw new S3Error('InvalidRequest', `The checksum type ${type} cannot be used with ${algorithm}.`)
  const value = await joinedChecksum(algorithm, type, parts)
  if (stated && value === undefined)
    throw new S3Error(
      'InvalidRequest',
      `Parts without ${algorithm} cannot be compared with a checksum of the object. Create the upload with x-amz-checksum-algorithm.`,
    )
  // Some clients send a composite checksum without the number of parts.
  if (stated && stated.value !== value && stated.value !== value?.replace(/-\d+$/, ''))
    throw new S3Error('BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`)
  // What nobody asked for is not kept.
  return begun.algorithm === '' || value === undefined ? {} : { [algorithm]: value }
}

async function joinedChecksum(algorithm: ChecksumAlgorithm, type: ChecksumType, parts: readonly ObjectPart[]) {
  const values: { value: string; size: number }[] = []
  for (const { checksums, size } of parts) {
    const value = checksums[algorithm]
    if (value === undefined) return undefined
    values.push({ value, size })
  }
  if (type === 'FULL_OBJECT' && isCrc(algorithm)) return combineCrcs(algorithm, values)
  return compositeChecksum(
    algorithm,
    values.map(({ value }) => value),
  )
}
