import type { S3Object } from '@tidenet/contract'
import {
  type ChecksumAlgorithm,
  type ChecksumType,
  canBeOfType,
  copyXml,
  defaultChecksumType,
  initiateUploadXml,
  listPartsXml,
  listUploadsXml,
  PARTS_MAX,
  readAlgorithm,
  readChecksumType,
  readConditions,
  readInteger,
  readPage,
  readPartNumber,
  requireCopyConditions,
  S3Error,
} from '@tidenet/s3-wire'
import { openBody } from '../body.ts'
import { detailsOf, requireSupported, tagsOf } from '../details.ts'
import {
  type Answer,
  type BucketExchange,
  header,
  type ObjectExchange,
  ownerOf,
  parameter,
  partChecksumHeaders,
  readerOf,
  storedChecksum,
  xmlAnswer,
} from '../exchange.ts'
import { storeBytes } from '../large-writes.ts'
import { need } from '../refusals.ts'
import { copiedBody, copiedRange } from './copied-range.ts'
import { sourceOf } from './copy.ts'
import { needUpload, uploadOf } from './unfinished.ts'

export async function createUpload(exchange: ObjectExchange): Promise<Answer> {
  requireSupported(exchange)
  const { bucket, key } = exchange.address
  const named = header(exchange, 'x-amz-checksum-algorithm')
  const algorithm = named === undefined ? '' : readAlgorithm(named)
  const checksum_type = checksumTypeOf(exchange, algorithm)
  const begun = need(
    await exchange.caller.transfers.api.call('s3Uploads.begin', {
      bucket,
      key,
      algorithm,
      checksum_type,
      tags: tagsOf(exchange),
      ...detailsOf(exchange),
    }),
  )
  const answered: Record<string, string> =
    algorithm === '' ? {} : { 'x-amz-checksum-algorithm': algorithm, 'x-amz-checksum-type': checksum_type }
  return xmlAnswer(initiateUploadXml({ bucket, key, uploadId: begun.upload_id }), answered)
}

/** How the checksum of the object is computed from those of its parts. @throws S3Error InvalidRequest */
function checksumTypeOf(exchange: ObjectExchange, algorithm: ChecksumAlgorithm | ''): ChecksumType | '' {
  const type = readChecksumType(exchange.headers)
  if (algorithm === '') {
    if (type === undefined) return ''
    throw new S3Error('InvalidRequest', 'x-amz-checksum-type needs x-amz-checksum-algorithm.')
  }
  if (type === undefined) return defaultChecksumType(algorithm)
  if (!canBeOfType(algorithm, type))
    throw new S3Error('InvalidRequest', `The checksum type ${type} cannot be used with ${algorithm}.`)
  return type
}

/** Stores a part, or a part of another object. */
export async function putPart(exchange: ObjectExchange): Promise<Answer> {
  const { transfers } = exchange.caller
  const upload = uploadOf(exchange)
  const number = readPartNumber(exchange.target)
  needUpload(await transfers.api.call('s3Uploads.find', upload))
  const isCopy = header(exchange, 'x-amz-copy-source') !== undefined
  const body = isCopy ? await openSource(exchange) : await openBody(exchange)
  // On one node, which can join them.
  const sender = { transfers, signal: exchange.signal }
  const { cid, receipt } = await storeBytes(sender, `${number}`, body, upload.upload_id)
  const { md5, checksum } = body.checksums()
  const checksums: Record<string, string> = checksum ? { [checksum.algorithm]: checksum.value } : {}
  const part = { ...upload, number, cid, size: body.size, receipt, md5, checksums }
  const { modified } = needUpload(await transfers.api.call('s3Uploads.putPart', part))
  if (isCopy) return xmlAnswer(copyXml('CopyPartResult', { etag: md5, lastModified: Date.parse(modified) }))
  return { status: 200, headers: { etag: `"${md5}"`, ...partChecksumHeaders({ checksums }) } }
}

export async function listParts(exchange: ObjectExchange): Promise<Answer> {
  const { transfers } = exchange.caller
  const upload = uploadOf(exchange)
  const after = readInteger(exchange.target, 'part-number-marker', 0, PARTS_MAX)
  const limit = readInteger(exchange.target, 'max-parts', 1000, 1000)
  const { list, more } = needUpload(await transfers.api.call('s3Uploads.parts', { ...upload, after, limit }))
  return xmlAnswer(
    listPartsXml({
      bucket: upload.bucket,
      key: upload.key,
      uploadId: upload.upload_id,
      owner: await ownerOf(exchange),
      marker: after,
      max: limit,
      isTruncated: more,
      parts: list.map(({ number, size, etag, modified, checksums }) => ({
        partNumber: number,
        size,
        etag,
        lastModified: Date.parse(modified),
        ...storedChecksum({ checksums }),
      })),
    }),
  )
}

/** The uploads of a bucket that have not ended. */
export async function listUploads(exchange: BucketExchange): Promise<Answer> {
  const { bucket } = exchange.address
  const page = readPage(exchange.target, 'max-uploads')
  if (page.delimiter !== '') throw new S3Error('NotImplemented')
  const keyMarker = parameter(exchange, 'key-marker') ?? ''
  const uploadIdMarker = keyMarker === '' ? '' : (parameter(exchange, 'upload-id-marker') ?? '')
  const asked = { bucket, prefix: page.prefix, after_key: keyMarker, after_id: uploadIdMarker, limit: page.max }
  const { list, more } = need(await exchange.caller.transfers.api.call('s3Uploads.list', asked))
  const last = list.at(-1)
  const owner = await ownerOf(exchange)
  return xmlAnswer(
    listUploadsXml({
      ...page,
      bucket,
      keyMarker,
      uploadIdMarker,
      isTruncated: more,
      commonPrefixes: [],
      uploads: list.map(({ key, upload_id, created }) => ({
        key,
        uploadId: upload_id,
        initiated: Date.parse(created),
        owner,
      })),
      ...(more && last && { nextKeyMarker: last.key, nextUploadIdMarker: last.upload_id }),
    }),
  )
}

export async function abortUpload(exchange: ObjectExchange): Promise<Answer> {
  needUpload(await exchange.caller.transfers.api.call('s3Uploads.end', uploadOf(exchange)))
  return { status: 204 }
}

/** The range of another object that becomes a part. */
async function openSource(exchange: ObjectExchange) {
  const source = sourceOf(exchange)
  const rangeOf = ({ size }: S3Object) => copiedRange(exchange, size)
  const { object, content } = await exchange.openings.open(readerOf(exchange), source, rangeOf)
  requireCopyConditions(readConditions(exchange.headers, 'x-amz-copy-source-'), {
    etag: object.etag,
    lastModified: Date.parse(object.modified),
  })
  return copiedBody(content, rangeOf(object))
}
