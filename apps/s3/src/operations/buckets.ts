import {
  aclXml,
  isBucketName,
  listBucketsXml,
  locationXml,
  readCreateBucket,
  readInteger,
  S3Error,
} from '@tidenet/s3-wire'
import { readWhole } from '../body.ts'
import { requireSupported } from '../details.ts'
import { type Answer, type BucketExchange, type Exchange, ownerOf, parameter, xmlAnswer } from '../exchange.ts'
import { need } from '../refusals.ts'
import { notImplemented } from '../understood.ts'
import { listVersions } from './list-versions.ts'
import { getCors, getLifecycle, getVersioning } from './settings.ts'

const BODY_MAX = 64 * 1024

export async function listBuckets(exchange: Exchange): Promise<Answer> {
  const { owner, list } = need(await exchange.caller.transfers.api.call('s3.buckets', {}))
  const prefix = parameter(exchange, 'prefix')
  const after = Buffer.from(parameter(exchange, 'continuation-token') ?? '', 'base64url').toString()
  const found = list
    .filter(({ name }) => name.startsWith(prefix ?? '') && name > after)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const max = readInteger(exchange.target, 'max-buckets', BUCKETS_MAX, BUCKETS_MAX)
  const page = found.slice(0, Math.max(max, 1))
  const last = page.length < found.length ? page.at(-1) : undefined
  return xmlAnswer(
    listBucketsXml({
      owner: { id: owner, displayName: owner },
      buckets: page.map(({ name, created }) => ({ name, createdAt: Date.parse(created) })),
      ...(prefix !== undefined && { prefix }),
      ...(last && { nextContinuationToken: Buffer.from(last.name).toString('base64url') }),
    }),
  )
}

const BUCKETS_MAX = 10_000

/** Buckets have no region: any location is as good as another. */
export async function createBucket(exchange: BucketExchange): Promise<Answer> {
  requireSupported(exchange)
  if (!isBucketName(exchange.address.bucket)) throw new S3Error('InvalidBucketName')
  readCreateBucket(await readWhole(exchange, BODY_MAX))
  const { bucket } = exchange.address
  need(await exchange.caller.transfers.api.call('s3.createBucket', { bucket }))
  return { status: 200, headers: { location: `/${bucket}`, 'content-length': '0' } }
}

export async function removeBucket({ address: { bucket }, caller }: BucketExchange): Promise<Answer> {
  need(await caller.transfers.api.call('s3.removeBucket', { bucket }))
  return { status: 204 }
}

/** @throws S3Error NoSuchBucket */
async function requireBucket({ address: { bucket }, caller }: BucketExchange): Promise<void> {
  need(await caller.transfers.api.call('s3.list', { bucket, limit: 0 }))
}

export async function headBucket(exchange: BucketExchange): Promise<Answer> {
  await requireBucket(exchange)
  return { status: 200, headers: { 'x-amz-bucket-region': exchange.signed.region } }
}

/** Settings of buckets, also some that clients ask for although nobody can set them. */
export async function bucketSetting(exchange: BucketExchange, name: string): Promise<Answer> {
  if (name === 'cors') return getCors(exchange)
  if (name === 'lifecycle') return getLifecycle(exchange)
  if (name === 'versioning') return getVersioning(exchange)
  if (name === 'versions') return listVersions(exchange)
  await requireBucket(exchange)
  switch (name) {
    case 'location':
      return xmlAnswer(locationXml(''))
    case 'acl':
      return aclOf(exchange)
    case 'policy':
      throw new S3Error('NoSuchBucketPolicy')
    case 'tagging':
      throw new S3Error('NoSuchTagSet')
    default:
      throw notImplemented(name)
  }
}

/** The owner alone has access: objects are shared in the portal. */
export const aclOf = async (exchange: Exchange): Promise<Answer> => xmlAnswer(aclXml(await ownerOf(exchange)))
