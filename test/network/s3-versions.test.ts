import { randomBytes } from 'node:crypto'
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { s3Account } from './s3-client.ts'
import { presigned } from './s3-raw-client.ts'
import { startNetwork } from './test-network.ts'

let network: Network
beforeAll(async () => {
  network = await startNetwork({ nodes: 3, s3: { port: 0 } })
})
afterAll(() => network?.stop())

const Bucket = 'photos'
const set = (client: S3Client, Status: 'Enabled' | 'Suspended') =>
  client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }))

async function account() {
  const made = await s3Account(network)
  const { put, get } = await made.bucket(Bucket)
  await set(made.client, 'Enabled')
  const { client } = made
  return {
    ...made,
    put,
    get,
    remove: (Key: string, VersionId?: string) => client.send(new DeleteObjectCommand({ Bucket, Key, VersionId })),
    list: async (more: object = {}) => {
      const page = await client.send(new ListObjectVersionsCommand({ Bucket, ...more }))
      return { ...page, versions: page.Versions ?? [], markers: page.DeleteMarkers ?? [] }
    },
  }
}

it('versions of an object come back byte by byte, as a whole and in part, until they are deleted', async () => {
  const { client, put, get, remove, list } = await account()
  expect(await client.send(new GetBucketVersioningCommand({ Bucket }))).toMatchObject({ Status: 'Enabled' })
  const contents = [randomBytes(10), randomBytes(2 * 1024 * 1024 + 3), Buffer.alloc(0)]
  const made: string[] = []
  for (const [index, bytes] of contents.entries())
    made.push((await put('a', bytes, { Metadata: { n: String(index) } })).VersionId ?? '')
  expect(new Set(made).size).toBe(3)
  for (const [index, bytes] of contents.entries()) {
    const got = await get('a', { VersionId: made[index] })
    expect(got.bytes.equals(bytes)).toBe(true)
    expect(got).toMatchObject({ VersionId: made[index], Metadata: { n: String(index) } })
  }
  const part = await get('a', { VersionId: made[1], Range: 'bytes=5-99' })
  expect(part.bytes.equals(contents[1]?.subarray(5, 100) ?? Buffer.alloc(1))).toBe(true)
  expect((await get('a')).VersionId).toBe(made[2])
  expect((await list()).versions).toMatchObject([
    { Key: 'a', VersionId: made[2], IsLatest: true, Size: 0 },
    { Key: 'a', VersionId: made[1], IsLatest: false },
    { Key: 'a', VersionId: made[0], IsLatest: false, Size: 10 },
  ])
  await remove('a', made[2])
  expect(await client.send(new HeadObjectCommand({ Bucket, Key: 'a' }))).toMatchObject({ VersionId: made[1] })
  await expect(get('a', { VersionId: made[2] })).rejects.toMatchObject({ name: 'NoSuchVersion' })
})

it('a delete marker hides an object; its versions can be read and copied, and without the marker it is back', async () => {
  const { client, put, get, remove, list } = await account()
  const first = await put('a', 'first')
  await put('a', 'second')
  const marker = await remove('a')
  expect(marker).toMatchObject({ DeleteMarker: true, VersionId: expect.stringMatching(/^[0-9a-f]{32}$/) })
  await expect(get('a')).rejects.toMatchObject({ name: 'NoSuchKey' })
  await expect(get('a', { VersionId: marker.VersionId })).rejects.toMatchObject({
    name: 'MethodNotAllowed',
    $response: expect.objectContaining({ headers: expect.objectContaining({ 'x-amz-delete-marker': 'true' }) }),
  })
  expect((await get('a', { VersionId: first.VersionId })).bytes.toString()).toBe('first')
  const CopySource = `${Bucket}/a?versionId=${first.VersionId}`
  const copied = await client.send(new CopyObjectCommand({ Bucket, Key: 'b', CopySource }))
  expect(copied).toMatchObject({ CopySourceVersionId: first.VersionId })
  expect((await get('b')).bytes.toString()).toBe('first')
  expect((await list({ Prefix: 'a' })).markers).toMatchObject([
    { Key: 'a', IsLatest: true, VersionId: marker.VersionId },
  ])
  expect(await remove('a', marker.VersionId)).toMatchObject({ DeleteMarker: true })
  expect((await get('a')).bytes.toString()).toBe('second')
})

it('many versions are listed page by page and deleted at once', async () => {
  const { client, put, remove, list } = await account()
  for (const key of ['a', 'b/1', 'b/2']) for (const text of ['1', '22']) await put(key, text)
  await remove('b/1')
  expect(await list({ Delimiter: '/' })).toMatchObject({ CommonPrefixes: [{ Prefix: 'b/' }], versions: [{}, {}] })
  const found: { Key: string; VersionId: string }[] = []
  for (let next: object | undefined = {}; next; ) {
    const page: Awaited<ReturnType<typeof list>> = await list({ MaxKeys: 2, ...next })
    for (const { Key = '', VersionId = '' } of [...page.versions, ...page.markers]) found.push({ Key, VersionId })
    next = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker } : undefined
  }
  expect(found.map(({ Key }) => Key).toSorted()).toEqual(['a', 'a', 'b/1', 'b/1', 'b/1', 'b/2', 'b/2'])
  const { Deleted, Errors } = await client.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects: [...found, { Key: 'a', VersionId: '../x' }] } }),
  )
  expect(Deleted).toHaveLength(7)
  expect(Errors).toMatchObject([{ Key: 'a', Code: 'InvalidArgument' }])
  expect(await list()).toMatchObject({ versions: [], markers: [] })
})

it('while versions are suspended, writes replace the version "null" and nothing else', async () => {
  const { client, put, list } = await account()
  const named = await put('a', 'named')
  await set(client, 'Suspended')
  for (const text of ['null 1', 'null 22']) expect(await put('a', text)).toMatchObject({ VersionId: 'null' })
  expect((await list()).versions).toMatchObject([
    { VersionId: 'null', Size: 7 },
    { VersionId: named.VersionId, Size: 5 },
  ])
})

it('refuses versions of other keys, buckets and accounts, and a presigned URL opens its version only', async () => {
  const [one, other] = [await account(), await account()]
  const { VersionId } = await one.put('a', 'mine')
  await one.put('b', 'also mine')
  await other.put('a', 'theirs')
  await expect(one.get('b', { VersionId })).rejects.toMatchObject({ name: 'NoSuchVersion' })
  await expect(other.get('a', { VersionId })).rejects.toMatchObject({ name: 'NoSuchVersion' })
  await expect(one.get('a', { VersionId: 'x' })).rejects.toMatchObject({ name: 'InvalidArgument' })
  await other.remove('a', VersionId)
  expect((await one.list()).versions).toHaveLength(2)
  const { host, origin } = new URL(network.s3Url)
  const more = { versionId: VersionId ?? '' }
  const target = presigned(one.credentials, { path: `/${Bucket}/a`, host, more })
  await one.put('a', 'later')
  expect(await (await fetch(origin + target)).text()).toBe('mine')
  expect((await fetch(origin + target.replace(more.versionId, 'null'))).status).toBe(403)
})

it('an upload in parts makes one version, however many completions of it arrive at once', async () => {
  const { client, get, list } = await account()
  const parts = [randomBytes(5 * 1024 * 1024), randomBytes(1000)]
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'a' }))
  const upload = { Bucket, Key: 'a', UploadId }
  const Parts = await Promise.all(
    parts.map(async (Body, index) => {
      const PartNumber = index + 1
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }))
      return { PartNumber, ETag }
    }),
  )
  const complete = () => client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
  const answers = await Promise.all([complete(), complete(), complete()])
  const { versions } = await list()
  expect(versions).toHaveLength(1)
  const [{ ETag, VersionId } = {}] = versions
  for (const answer of [...answers, await complete()]) expect(answer).toMatchObject({ ETag, VersionId })
  expect((await get('a')).bytes.equals(Buffer.concat(parts))).toBe(true)
})
