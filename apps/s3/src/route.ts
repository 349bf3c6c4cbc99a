import { S3Error } from '@tidenet/s3-wire'
import { type Answer, type BucketExchange, type Exchange, header, type ObjectExchange, parameter } from './exchange.ts'
import { aclOf, bucketSetting, createBucket, headBucket, listBuckets, removeBucket } from './operations/buckets.ts'
import { completeUpload } from './operations/complete.ts'
import { copyObject } from './operations/copy.ts'
import { getAttributes, getObject, headObject } from './operations/get.ts'
import { listObjects } from './operations/list.ts'
import { abortUpload, createUpload, listParts, listUploads, putPart } from './operations/multipart.ts'
import { putObject } from './operations/put.ts'
import { removeObject, removeObjects } from './operations/remove.ts'
import { putCors, putLifecycle, putVersioning, removeCors, removeLifecycle } from './operations/settings.ts'
import { getTags, putTags, removeTags } from './operations/tags.ts'
import { notImplemented, requireExpectedOwner, requireUnderstood } from './understood.ts'

/** Parameters that make a request another one. Those without an operation here are refused, not ignored. */
export const SUBRESOURCES = [
  'abac',
  'accelerate',
  'acl',
  'analytics',
  'annotation',
  'attributes',
  'cors',
  'delete',
  'encryption',
  'intelligent-tiering',
  'inventory',
  'legal-hold',
  'lifecycle',
  'location',
  'logging',
  'metadataAnnotationTable',
  'metadataConfiguration',
  'metadataInventoryTable',
  'metadataJournalTable',
  'metadataTable',
  'metrics',
  'notification',
  'object-lock',
  'ownershipControls',
  'partNumber',
  'policy',
  'policyStatus',
  'publicAccessBlock',
  'renameObject',
  'replication',
  'requestPayment',
  'restore',
  'retention',
  'select',
  'session',
  'tagging',
  'torrent',
  'uploadId',
  'uploads',
  'versioning',
  'versionId',
  'versions',
  'website',
] as const
type Subresource = (typeof SUBRESOURCES)[number]

/** Does what a request asks for. @throws S3Error */
export async function route(exchange: Exchange): Promise<Answer> {
  const { bucket, key } = exchange.address
  requireUnderstood(exchange, SUBRESOURCES)
  await requireExpectedOwner(exchange)
  const asked = SUBRESOURCES.filter((name) => parameter(exchange, name) !== undefined)
  if (bucket === undefined) {
    if (exchange.method === 'GET') return listBuckets(exchange)
    throw new S3Error('MethodNotAllowed')
  }
  if (key === undefined) return routeBucket(exchange as BucketExchange, asked)
  return routeObject(exchange as ObjectExchange, asked)
}

function routeBucket(exchange: BucketExchange, asked: readonly Subresource[]) {
  const [subresource] = asked
  switch (exchange.method) {
    case 'GET':
      if (subresource === 'uploads') return listUploads(exchange)
      if (subresource !== undefined) return bucketSetting(exchange, subresource)
      return listObjects(exchange)
    case 'HEAD':
      return headBucket(exchange)
    case 'PUT':
      if (subresource === undefined) return createBucket(exchange)
      if (subresource === 'cors') return putCors(exchange)
      if (subresource === 'lifecycle') return putLifecycle(exchange)
      if (subresource === 'versioning') return putVersioning(exchange)
      break
    case 'DELETE':
      if (subresource === undefined) return removeBucket(exchange)
      if (subresource === 'cors') return removeCors(exchange)
      if (subresource === 'lifecycle') return removeLifecycle(exchange)
      break
    case 'POST':
      if (subresource === 'delete') return removeObjects(exchange)
      break
    default:
      throw new S3Error('MethodNotAllowed')
  }
  throw notImplemented(subresource)
}

const isOfObject = (asked: readonly Subresource[]) =>
  asked.every((name) => name === 'partNumber' || name === 'versionId')

function routeObject(exchange: ObjectExchange, asked: readonly Subresource[]) {
  const [subresource] = asked
  switch (exchange.method) {
    case 'GET':
      if (isOfObject(asked)) return getObject(exchange)
      if (subresource === 'attributes') return getAttributes(exchange)
      if (subresource === 'acl') return aclOf(exchange)
      if (subresource === 'tagging') return getTags(exchange)
      if (subresource === 'uploadId') return listParts(exchange)
      break
    case 'HEAD':
      if (isOfObject(asked)) return headObject(exchange)
      break
    case 'PUT':
      if (asked.includes('uploadId') && asked.includes('partNumber')) return putPart(exchange)
      if (subresource === 'tagging') return putTags(exchange)
      if (subresource !== undefined) break
      return header(exchange, 'x-amz-copy-source') === undefined ? putObject(exchange) : copyObject(exchange)
    case 'DELETE':
      if (subresource === undefined || subresource === 'versionId') return removeObject(exchange)
      if (subresource === 'uploadId') return abortUpload(exchange)
      if (subresource === 'tagging') return removeTags(exchange)
      break
    case 'POST':
      if (subresource === 'uploads') return createUpload(exchange)
      if (subresource === 'uploadId') return completeUpload(exchange)
      break
    default:
      throw new S3Error('MethodNotAllowed')
  }
  throw notImplemented(subresource)
}
