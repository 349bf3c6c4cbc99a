import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompleteMultipartUploadCommandInput,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketAclCommand,
  GetBucketLocationCommand,
  GetBucketPolicyCommand,
  GetBucketVersioningCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  type ListBucketsCommandInput,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutBucketTaggingCommand,
  PutObjectCommand,
  RenameObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { createStorage } from '@tidenet/storage'
import type { Network } from '@tidenet/testnet'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crcOf, refusal, s3Account } from './s3-client.ts'
import { startNetwork } from './test-network.ts'

let network: Network
beforeAll(async () => {
  network = await startNetwork({ nodes: 3, s3: { port: 0 } })
})
afterAll(() => network?.stop())

const MiB = 1024 * 1024
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
const account = () => s3Account(network)
/** Downloads of all accounts that were begun. */
const downloads = async () => {
  const database = new pg.Client({ connectionString: network.databaseUrl })
  await database.connect()
  const { rows } = await database.query(`select count(*)::int as begun from traces where kind = 'download'`)
  await database.end()
  return rows[0].begun as number
}

describe('an object', () => {
  it.each([
    ['no bytes', 0],
    ['a few bytes', 5],
    ['a megabyte', MiB],
    ['more than is held in memory', 3 * MiB + 1],
  ])('of %s comes back as it was sent, as a whole and in part', async (_, size) => {
    const { bucket } = await account()
    const { put, get } = await bucket('photos')
    const bytes = randomBytes(size)
    const sent = await put('day 1/海滩 %+.bin', bytes, { ContentType: 'image/x-tide', Metadata: { taken: 'now' } })
    expect(sent.ETag).toBe(`"${md5(bytes)}"`)
    const got = await get('day 1/海滩 %+.bin')
    expect(got.bytes.equals(bytes)).toBe(true)
    expect(got).toMatchObject({ ContentType: 'image/x-tide', Metadata: { taken: 'now' }, ContentLength: size })
    if (size < 5) return
    const part = await get('day 1/海滩 %+.bin', { Range: `bytes=2-${size - 2}` })
    expect(part.bytes.equals(bytes.subarray(2, size - 1))).toBe(true)
    expect(part.ContentRange).toBe(`bytes 2-${size - 2}/${size}`)
    expect((await get('day 1/海滩 %+.bin', { Range: 'bytes=-3' })).bytes.equals(bytes.subarray(-3))).toBe(true)
  })

  it('comes as a stream of known length, framed and with a checksum', async () => {
    const { bucket } = await account()
    const { put, get } = await bucket('photos')
    const bytes = randomBytes(2 * MiB)
    await put('stream', Readable.from([bytes.subarray(0, MiB), bytes.subarray(MiB)]), {
      ContentLength: bytes.length,
      ChecksumAlgorithm: 'SHA256',
    })
    const got = await get('stream', { ChecksumMode: 'ENABLED' })
    expect(got.bytes.equals(bytes)).toBe(true)
    expect(got.ChecksumSHA256).toBe(createHash('sha256').update(bytes).digest('base64'))
  })

  it('is a file of the account, and files of the account are objects', async () => {
    const { bucket, client, portal } = await account()
    const { put } = await bucket('photos')
    await put('day 1/beach.txt', 'sand')
    const list = async (parent: number) =>
      (
        await portal.get<{
          list: { Group?: { ID: number; Name: string }; AssetOverview?: { UserAssetDetail: { AssetName: string } } }[]
        }>('/api/v1/storage/get_asset_group_list', { parent })
      ).data.list
    const [top] = await list(0)
    const [day] = await list(top?.Group?.ID ?? 0)
    const [file] = await list(day?.Group?.ID ?? 0)
    expect([top?.Group?.Name, day?.Group?.Name, file?.AssetOverview?.UserAssetDetail.AssetName]).toEqual([
      'photos',
      'day 1',
      'beach.txt',
    ])
    const { Buckets } = await client.send(new ListBucketsCommand({}))
    expect(Buckets?.map(({ Name }) => Name)).toEqual(['photos'])
  })

  it('without bytes is downloaded in the portal as any other file', async () => {
    const { bucket, client, token } = await account()
    const { put } = await bucket('photos')
    await put('empty', '')
    await client.send(new HeadObjectCommand({ Bucket: 'photos', Key: 'empty' }))
    const storage = createStorage({ url: network.url, token })
    const { data } = await storage.api.call('s3.find', { bucket: 'photos', key: 'empty' })
    const downloaded = await storage.downloadAsset({ assetCid: (data as { cid: string }).cid, to: 'blob' })
    expect(downloaded).toMatchObject({ code: 0, data: { size: 0, blob: { size: 0 } } })
  })

  it('is replaced at once; the last of many writers wins as a whole', async () => {
    const { bucket } = await account()
    const { put, get } = await bucket('photos')
    const bodies = Array.from({ length: 8 }, (_, index) => Buffer.alloc(200_000, index))
    await Promise.all(bodies.map((body) => put('raced', body)))
    const { bytes } = await get('raced')
    expect(bodies.some((body) => body.equals(bytes))).toBe(true)
    await put('raced', 'last')
    expect(String((await get('raced')).bytes)).toBe('last')
  })

  it('is copied, with its metadata or other ones, and removed', async () => {
    const { bucket, client } = await account()
    const { put, get } = await bucket('photos')
    await put('a/b c', 'text', { Metadata: { is: 'old' } })
    const copy = { Bucket: 'photos', CopySource: 'photos/a/b%20c' }
    await client.send(new CopyObjectCommand({ ...copy, Key: 'copy' }))
    expect(await get('copy')).toMatchObject({ Metadata: { is: 'old' } })
    await client.send(
      new CopyObjectCommand({ ...copy, Key: 'a/b c', MetadataDirective: 'REPLACE', Metadata: { is: 'new' } }),
    )
    expect(await get('a/b c')).toMatchObject({ Metadata: { is: 'new' } })
    const Delete = { Objects: [{ Key: 'copy' }, { Key: 'a/b c' }, { Key: 'nothing' }] }
    const { Deleted } = await client.send(new DeleteObjectsCommand({ Bucket: 'photos', Delete }))
    expect(Deleted).toHaveLength(3)
    expect(await refusal(get('copy'))).toBe('404 NoSuchKey')
    await client.send(new DeleteBucketCommand({ Bucket: 'photos' }))
  })

  it('answers conditions', async () => {
    const { bucket, client } = await account()
    const { put, get } = await bucket('photos')
    const { ETag = '' } = await put('a', 'one')
    expect(await refusal(put('a', 'two', { IfNoneMatch: '*' }))).toBe('412 PreconditionFailed')
    expect(await refusal(put('a', 'two', { IfMatch: '"0123456789abcdef0123456789abcdef"' }))).toBe(
      '412 PreconditionFailed',
    )
    expect(await refusal(get('a', { IfNoneMatch: ETag }))).toMatch(/^304/)
    expect(await refusal(get('a', { IfMatch: '"other"' }))).toBe('412 PreconditionFailed')
    await put('a', 'two', { IfMatch: ETag })
    expect(await client.send(new HeadObjectCommand({ Bucket: 'photos', Key: 'a' }))).toMatchObject({ ContentLength: 3 })
  })
})

describe('a listing', () => {
  it('has pages, groups and both versions, and keys that XML cannot hold', async () => {
    const { bucket, client } = await account()
    const { put } = await bucket('photos')
    for (const key of ['a/1', 'a/2', 'b/\u0001x', 'c&<d', 'e']) await put(key, key)
    const all = await client.send(new ListObjectsV2Command({ Bucket: 'photos', EncodingType: 'url' }))
    expect(all.Contents?.map(({ Key }) => decodeURIComponent(Key ?? ''))).toEqual([
      'a/1',
      'a/2',
      'b/\u0001x',
      'c&<d',
      'e',
    ])
    const top = await client.send(new ListObjectsCommand({ Bucket: 'photos', Delimiter: '/' }))
    expect(top.CommonPrefixes?.map(({ Prefix }) => Prefix)).toEqual(['a/', 'b/'])
    expect(top.Contents?.map(({ Key }) => Key)).toEqual(['c&<d', 'e'])
    const first = await client.send(new ListObjectsV2Command({ Bucket: 'photos', MaxKeys: 2 }))
    const second = await client.send(
      new ListObjectsV2Command({ Bucket: 'photos', MaxKeys: 1000, ContinuationToken: first.NextContinuationToken }),
    )
    expect([first.KeyCount, first.IsTruncated, second.KeyCount, second.IsTruncated]).toEqual([2, true, 3, false])
  })
})

describe('an upload in parts', () => {
  it('becomes one object, from parts that came in any order and a part of another object', async () => {
    const { bucket, client } = await account()
    const { put, get } = await bucket('photos')
    const parts = [randomBytes(5 * MiB), randomBytes(6 * MiB), randomBytes(1000)]
    await put('source', Buffer.concat([randomBytes(10), parts[1] ?? Buffer.alloc(0)]))
    const upload = { Bucket: 'photos', Key: 'whole.bin' }
    const { UploadId } = await client.send(
      new CreateMultipartUploadCommand({ ...upload, Metadata: { in: 'parts' }, ContentType: 'a/b' }),
    )
    const part = { ...upload, UploadId }
    const third = await client.send(new UploadPartCommand({ ...part, PartNumber: 3, Body: parts[2] }))
    const first = await client.send(new UploadPartCommand({ ...part, PartNumber: 1, Body: parts[0] }))
    const CopySourceRange = `bytes=10-${10 + 6 * MiB - 1}`
    const second = await client.send(
      new UploadPartCopyCommand({ ...part, PartNumber: 2, CopySource: 'photos/source', CopySourceRange }),
    )
    const listed = await client.send(new ListPartsCommand(part))
    expect(listed.Parts?.map(({ Size }) => Size)).toEqual(parts.map(({ length }) => length))
    const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: 'photos' }))
    expect(Uploads).toMatchObject([{ Key: 'whole.bin', UploadId }])
    const Parts = [first.ETag, second.CopyPartResult?.ETag, third.ETag].map((ETag, index) => ({
      ETag,
      PartNumber: index + 1,
    }))
    const complete = () => client.send(new CompleteMultipartUploadCommand({ ...part, MultipartUpload: { Parts } }))
    const done = await complete()
    expect(done.ETag).toMatch(/^"[0-9a-f]{32}-3"$/)
    const got = await get('whole.bin')
    expect(got.bytes.equals(Buffer.concat(parts))).toBe(true)
    expect(got).toMatchObject({ ETag: done.ETag, ContentType: 'a/b', Metadata: { in: 'parts' } })
    // A client that did not get the answer asks again.
    expect((await complete()).ETag).toBe(done.ETag)
    expect((await client.send(new ListMultipartUploadsCommand({ Bucket: 'photos' }))).Uploads ?? []).toEqual([])
  })

  it.each([
    ['without reading its parts again: the node that has them joins them', 6 * MiB, 0],
    ['also if parts end within a leaf: then the gateway reads them again', 5 * MiB + 1, 2],
  ])('becomes one object %s', async (_, size, reads) => {
    const { bucket, client } = await account()
    const { get } = await bucket('photos')
    const upload = { Bucket: 'photos', Key: 'joined' }
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(upload))
    const parts = [randomBytes(size), randomBytes(1000)]
    const before = await downloads()
    const Parts = await Promise.all(
      parts.map(async (Body, index) => {
        const part = { ...upload, UploadId, PartNumber: index + 1, Body }
        return { PartNumber: index + 1, ETag: (await client.send(new UploadPartCommand(part))).ETag }
      }),
    )
    await client.send(new CompleteMultipartUploadCommand({ ...upload, UploadId, MultipartUpload: { Parts } }))
    expect((await downloads()) - before).toBe(reads)
    expect((await get('joined')).bytes.equals(Buffer.concat(parts))).toBe(true)
  })

  it('has the checksum and the size that its client expects of the object', async () => {
    const { bucket, client } = await account()
    const { get } = await bucket('photos')
    const upload = { Bucket: 'photos', Key: 'summed' }
    const bytes = [randomBytes(5 * MiB), randomBytes(10)]
    const whole = crcOf(Buffer.concat(bytes))
    const composite = crcOf(Buffer.concat(bytes.map((part) => Buffer.from(crcOf(part), 'base64'))))
    const complete = async (
      ChecksumType: 'COMPOSITE' | 'FULL_OBJECT' | undefined,
      expected: Partial<CompleteMultipartUploadCommandInput>,
    ) => {
      const created = await client.send(
        new CreateMultipartUploadCommand({
          ...upload,
          ChecksumAlgorithm: 'CRC32',
          ...(ChecksumType && { ChecksumType }),
        }),
      )
      const part = { ...upload, UploadId: created.UploadId }
      const Parts = await Promise.all(
        bytes.map(async (Body, index) => {
          const PartNumber = index + 1
          const sent = await client.send(
            new UploadPartCommand({ ...part, PartNumber, Body, ChecksumAlgorithm: 'CRC32' }),
          )
          return { PartNumber, ETag: sent.ETag, ChecksumCRC32: sent.ChecksumCRC32 }
        }),
      )
      return client.send(new CompleteMultipartUploadCommand({ ...part, MultipartUpload: { Parts }, ...expected }))
    }
    const sizes = { MpuObjectSize: 5 * MiB + 10 }
    const full = await complete('FULL_OBJECT', { ChecksumCRC32: whole, ...sizes })
    expect(full).toMatchObject({ ChecksumCRC32: whole, ChecksumType: 'FULL_OBJECT' })
    // As it was created, without being said again.
    expect(await complete('FULL_OBJECT', {})).toMatchObject({ ChecksumCRC32: whole })
    expect((await get('summed', { ChecksumMode: 'ENABLED' })).ChecksumCRC32).toBe(whole)
    // mc states a composite checksum without the number of parts.
    for (const ChecksumCRC32 of [composite, `${composite}-2`])
      expect(await complete(undefined, { ChecksumCRC32 })).toMatchObject({
        ChecksumCRC32: `${composite}-2`,
        ChecksumType: 'COMPOSITE',
      })
    expect(await refusal(complete('FULL_OBJECT', { ChecksumCRC32: composite }))).toBe('400 BadDigest')
    expect(await refusal(complete(undefined, { ChecksumCRC32: whole }))).toBe('400 BadDigest')
    expect(await refusal(complete('COMPOSITE', { ChecksumType: 'FULL_OBJECT' }))).toBe('400 BadDigest')
    expect(await refusal(complete(undefined, { MpuObjectSize: 5 * MiB }))).toBe('400 InvalidRequest')
    const hashed = { ...upload, ChecksumAlgorithm: 'SHA256', ChecksumType: 'FULL_OBJECT' } as const
    expect(await refusal(client.send(new CreateMultipartUploadCommand(hashed)))).toBe('400 InvalidRequest')
  })

  it('is refused with parts that are missing, too small or of another upload, and can be given up', async () => {
    const { bucket, client } = await account()
    const { get } = await bucket('photos')
    const upload = { Bucket: 'photos', Key: 'small' }
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(upload))
    const put = (PartNumber: number) =>
      client.send(new UploadPartCommand({ ...upload, UploadId, PartNumber, Body: randomBytes(1000) }))
    const [one, two] = [await put(1), await put(2)]
    const complete = (Parts: { PartNumber: number; ETag: string | undefined }[], id = UploadId) =>
      refusal(client.send(new CompleteMultipartUploadCommand({ ...upload, UploadId: id, MultipartUpload: { Parts } })))
    expect(await complete([{ PartNumber: 3, ETag: one.ETag }])).toBe('400 InvalidPart')
    expect(await complete([{ PartNumber: 1, ETag: two.ETag }])).toBe('400 InvalidPart')
    const both = [
      { PartNumber: 1, ETag: one.ETag },
      { PartNumber: 2, ETag: two.ETag },
    ]
    expect(await complete(both)).toBe('400 EntityTooSmall')
    expect(await complete([...both].reverse())).toBe('400 InvalidPartOrder')
    expect(await complete(both, 'nothing')).toBe('404 NoSuchUpload')
    await client.send(new AbortMultipartUploadCommand({ ...upload, UploadId }))
    expect(await refusal(put(1))).toBe('404 NoSuchUpload')
    expect(await refusal(get('small'))).toBe('404 NoSuchKey')
  })
})

describe('a bucket', () => {
  it('is listed by its name, in pages', async () => {
    const { bucket, client } = await account()
    for (const name of ['photos-b', 'other', 'photos-a', 'photos-c']) await bucket(name)
    const page = async (more: ListBucketsCommandInput) => {
      const { Buckets = [], ContinuationToken } = await client.send(new ListBucketsCommand(more))
      return { names: Buckets.map(({ Name }) => Name), ...(ContinuationToken && { ContinuationToken }) }
    }
    const first = await page({ Prefix: 'photos-', MaxBuckets: 2 })
    expect(first.names).toEqual(['photos-a', 'photos-b'])
    const { ContinuationToken } = first
    expect(await page({ Prefix: 'photos-', MaxBuckets: 2, ...(ContinuationToken && { ContinuationToken }) })).toEqual({
      names: ['photos-c'],
    })
  })

  it('keeps everything when a request asks for what there is not, or means another one', async () => {
    const { bucket, client } = await account()
    const { put, get } = await bucket('photos')
    const kept = await put('a', 'kept')
    const Bucket = 'photos'
    const { Owner } = await client.send(new ListBucketsCommand({}))
    const refused = [
      new DeleteObjectCommand({ Bucket, Key: 'a', IfMatch: '"0123"' }),
      new DeleteObjectCommand({ Bucket, Key: 'none', IfMatch: '*' }),
      new DeleteObjectCommand({ Bucket, Key: 'a', IfMatchSize: 4 }),
      new DeleteObjectCommand({ Bucket, Key: 'a', ExpectedBucketOwner: '123456789012' }),
      new PutObjectCommand({ Bucket, Key: 'a', Body: 'more', WriteOffsetBytes: 4 }),
      new RenameObjectCommand({ Bucket, Key: 'a', RenameSource: 'b' }),
      new CreateBucketCommand({ Bucket: 'locked', ObjectLockEnabledForBucket: true }),
      new CreateBucketCommand({ Bucket: 'open', ObjectOwnership: 'ObjectWriter' }),
    ] as unknown as DeleteObjectCommand[]
    const codes: string[] = []
    for (const command of refused) codes.push(await refusal(client.send(command)))
    expect(codes).toEqual([
      '412 PreconditionFailed',
      '412 PreconditionFailed',
      '501 NotImplemented',
      '403 AccessDenied',
      ...new Array(4).fill('501 NotImplemented'),
    ])
    const batch = { Objects: [{ Key: 'a', ETag: '"0123"' }] }
    const { Errors } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: batch }))
    expect(Errors).toMatchObject([{ Key: 'a', Code: 'PreconditionFailed' }])
    expect((await get('a', { ExpectedBucketOwner: Owner?.ID })).ETag).toBe(kept.ETag)
    expect((await client.send(new ListBucketsCommand({}))).Buckets).toHaveLength(1)
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'a', IfMatch: kept.ETag }))
    expect(await refusal(get('a'))).toBe('404 NoSuchKey')
  })

  it('says what clients ask for, and refuses what it cannot', async () => {
    const { bucket, client } = await account()
    const { put } = await bucket('photos')
    const Bucket = 'photos'
    await client.send(new HeadBucketCommand({ Bucket }))
    expect((await client.send(new GetBucketLocationCommand({ Bucket }))).LocationConstraint ?? '').toBe('')
    expect((await client.send(new GetBucketVersioningCommand({ Bucket }))).Status).toBeUndefined()
    expect((await client.send(new GetBucketAclCommand({ Bucket }))).Grants).toHaveLength(1)
    expect(await refusal(client.send(new GetBucketPolicyCommand({ Bucket })))).toBe('404 NoSuchBucketPolicy')
    const tags = { Bucket, Tagging: { TagSet: [{ Key: 'a', Value: 'b' }] } }
    expect(await refusal(client.send(new PutBucketTaggingCommand(tags)))).toBe('501 NotImplemented')
    expect(await refusal(put('a', 'b', { ACL: 'public-read' }))).toBe('501 NotImplemented')
    expect(await refusal(put('a', 'b', { ServerSideEncryption: 'AES256' }))).toBe('501 NotImplemented')
  })
})
