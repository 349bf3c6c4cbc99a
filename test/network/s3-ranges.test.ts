import { randomBytes } from 'node:crypto'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crcOf, refusal, s3Account } from './s3-client.ts'
import { startNetwork } from './test-network.ts'

/** Clients read large objects in many ranges at the same time. Together they are one download. */

const MiB = 1024 * 1024
const RANGE = 4 * MiB
const SIZE = 6 * RANGE
const large = randomBytes(SIZE)

let network: Network
beforeAll(async () => {
  network = await startNetwork({ nodes: 2, s3: { port: 0 } })
})
afterAll(() => network?.stop())

/** An account with the object `photos/large`, and a key of it with a cap of traffic. */
async function account(trafficCap: number) {
  const owner = await s3Account(network)
  const store = await owner.bucket('photos')
  await store.put('large', large)
  const { data } = await owner.portal.post<Record<string, string>>('/api/v1/storage/create_key', {
    key_name: 'reader',
    traffic_cap: Math.floor(trafficCap),
  })
  const credentials = { accessKeyId: data.access_key_id ?? '', secretAccessKey: data.secret_access_key ?? '' }
  const client = owner.clientOf({ credentials })
  const read = async (from: number, to: number, key = 'large') => {
    const input = { Bucket: 'photos', Key: key, Range: `bytes=${from}-${to - 1}` }
    return Buffer.from((await (await client.send(new GetObjectCommand(input))).Body?.transformToByteArray()) ?? [])
  }
  return { owner, store, client, read }
}

const starts = Array.from({ length: SIZE / RANGE }, (_, index) => index * RANGE)
const bytes = (from: number, to: number) => large.subarray(from, to)

describe('ranges of an object', () => {
  it('are one download together, for which a cap below twice the size suffices', async () => {
    const { read } = await account(1.5 * SIZE)
    const parts = await Promise.all(starts.map((from) => read(from, from + RANGE)))
    expect(Buffer.concat(parts).equals(large)).toBe(true)
  })

  it('are one download also if they come one after the other, and not at bounds of blocks', async () => {
    const { read } = await account(SIZE)
    const parts: Buffer[] = []
    for (let from = 0; from < SIZE; from += 3_000_001) parts.push(await read(from, Math.min(SIZE, from + 3_000_001)))
    expect(Buffer.concat(parts).equals(large)).toBe(true)
  })

  it('that a client reads again after it broke off count once', async () => {
    const { client, read } = await account(SIZE)
    const stop = new AbortController()
    const input = { Bucket: 'photos', Key: 'large', Range: `bytes=0-${SIZE - 1}` }
    const { Body } = await client.send(new GetObjectCommand(input), { abortSignal: stop.signal })
    const reader = Body?.transformToWebStream().getReader()
    await reader?.read()
    await reader?.cancel()
    await expect.poll(() => read(SIZE - 10, SIZE).catch(String)).toEqual(bytes(SIZE - 10, SIZE))
  })

  it('of an object that is replaced are of the new content at once', async () => {
    const { store, read } = await account(10 * SIZE)
    expect(await read(0, 10)).toEqual(bytes(0, 10))
    const other = randomBytes(SIZE)
    await store.put('large', other)
    expect(await read(10, 20)).toEqual(other.subarray(10, 20))
  })

  it('can be copied as parts of another object, as one download', async () => {
    const { owner, client, store } = await account(2.4 * SIZE)
    const named = { Bucket: 'photos', Key: 'copy' }
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(named))
    const parts = await Promise.all(
      [0, SIZE / 2].map(async (from, index) => {
        const range = `bytes=${from}-${from + SIZE / 2 - 1}`
        const { CopyPartResult } = await client.send(
          new UploadPartCopyCommand({
            ...named,
            UploadId,
            PartNumber: index + 1,
            CopySource: 'photos/large',
            CopySourceRange: range,
          }),
        )
        return { PartNumber: index + 1, ETag: CopyPartResult?.ETag }
      }),
    )
    await owner.client.send(
      new CompleteMultipartUploadCommand({ ...named, UploadId, MultipartUpload: { Parts: parts } }),
    )
    expect((await store.get('copy')).bytes.equals(large)).toBe(true)
  })

  it('beyond one read of the object begin one more download, however many are asked for at the same time', async () => {
    const { read } = await account(2.5 * SIZE)
    const asked = [...starts, ...starts].map((from) => read(from, from + RANGE))
    expect(Buffer.concat(await Promise.all(asked)).equals(Buffer.concat([large, large]))).toBe(true)
  })

  it('beyond one read of the object are refused if the cap has no room for a second', async () => {
    const { read } = await account(1.5 * SIZE)
    await Promise.all(starts.map((from) => read(from, from + RANGE)))
    await expect(read(0, RANGE)).rejects.toMatchObject({ name: 'QuotaExceeded' })
  })

  it('beyond one read of the object are refused also if all are asked for at the same time', async () => {
    const { read } = await account(1.5 * SIZE)
    const asked = Array.from({ length: 5 }, () => starts).flat()
    const answers = await Promise.allSettled(asked.map((from) => read(from, from + RANGE)))
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(starts.length)
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ name: 'QuotaExceeded' })
  })

  it('are refused if the cap has no room for the object', async () => {
    const { read } = await account(SIZE - 1)
    const answers = await Promise.allSettled(starts.map((from) => read(from, from + RANGE)))
    for (const answer of answers) expect(answer).toMatchObject({ reason: { name: 'QuotaExceeded' } })
  })

  it('are refused when the object is deleted, and within a second when the key is, although its content is open', async () => {
    const { client, read } = await account(10 * SIZE)
    await read(0, 10)
    await client.send(new DeleteObjectCommand({ Bucket: 'photos', Key: 'large' }))
    await expect(read(10, 20)).rejects.toMatchObject({ name: 'NoSuchKey' })
    const second = await account(10 * SIZE)
    await second.read(0, 10)
    await second.owner.portal.post('/api/v1/storage/delete_key', { key_name: 'reader' })
    await expect.poll(() => second.read(10, 20).catch((error) => error.name)).toBe('InvalidAccessKeyId')
  })

  it('are refused to another key that may not read, although its content is open', async () => {
    const { owner, read } = await account(10 * SIZE)
    await read(0, 10)
    const { data } = await owner.portal.post<Record<string, string>>('/api/v1/storage/create_key', {
      key_name: 'writer',
      type: 'normal',
      perms: 'createFile',
    })
    const other = owner.clientOf({
      credentials: { accessKeyId: data.access_key_id ?? '', secretAccessKey: data.secret_access_key ?? '' },
    })
    const input = { Bucket: 'photos', Key: 'large', Range: 'bytes=0-9' }
    await expect(other.send(new GetObjectCommand(input))).rejects.toMatchObject({ name: 'AccessDenied' })
  })

  it('outside the object are refused, and open nothing for others', async () => {
    const { read } = await account(SIZE)
    await expect(read(SIZE, SIZE + 1)).rejects.toMatchObject({ name: 'InvalidRange' })
    expect(await read(0, 10)).toEqual(bytes(0, 10))
  })
})

describe('parts and attributes of an object', () => {
  it('tell clients that download by parts that the object is one part', async () => {
    const { client, bucket } = await s3Account(network)
    const { put, get } = await bucket('photos')
    const small = randomBytes(1000)
    await put('small', small, { ChecksumAlgorithm: 'CRC32' })
    await put('empty', Buffer.alloc(0))
    const part = await get('small', { PartNumber: 1, ChecksumMode: 'ENABLED' })
    expect(part).toMatchObject({ bytes: small, ContentRange: 'bytes 0-999/1000', ChecksumCRC32: crcOf(small) })
    expect(part.$metadata.httpStatusCode).toBe(206)
    const named = { Bucket: 'photos', Key: 'small' }
    expect(await client.send(new HeadObjectCommand({ ...named, PartNumber: 1 }))).toMatchObject({ ContentLength: 1000 })
    expect((await get('empty', { PartNumber: 1 })).bytes).toHaveLength(0)
    expect(await refusal(get('small', { PartNumber: 2 }))).toBe('416 InvalidPartNumber')
    expect(await refusal(get('small', { PartNumber: 2, IfMatch: '"other"' }))).toBe('412 PreconditionFailed')
    expect(await refusal(get('gone', { PartNumber: 2 }))).toBe('404 NoSuchKey')
    expect(await refusal(get('small', { PartNumber: 0 }))).toBe('400 InvalidArgument')
    expect(await refusal(get('small', { PartNumber: 1, Range: 'bytes=0-1' }))).toBe('400 InvalidRequest')
  })

  it('are those that were asked for', async () => {
    const { client, bucket } = await s3Account(network)
    const { put } = await bucket('photos')
    const bytes = randomBytes(1000)
    await put('small', bytes, { ChecksumAlgorithm: 'CRC32' })
    const named = { Bucket: 'photos', Key: 'parts' }
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(named))
    const { ETag } = await client.send(new UploadPartCommand({ ...named, UploadId, PartNumber: 1, Body: bytes }))
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] }
    await client.send(new CompleteMultipartUploadCommand({ ...named, UploadId, MultipartUpload }))
    const of = (Key: string, ...ObjectAttributes: ('ETag' | 'ObjectSize' | 'ObjectParts' | 'Checksum')[]) =>
      client.send(new GetObjectAttributesCommand({ ...named, Key, ObjectAttributes }))
    expect(await of('small', 'ObjectSize', 'Checksum')).toMatchObject({
      ObjectSize: 1000,
      Checksum: { ChecksumCRC32: crcOf(bytes), ChecksumType: 'FULL_OBJECT' },
      LastModified: expect.any(Date),
    })
    const parts = await of('parts', 'ETag', 'ObjectParts')
    expect(parts).toMatchObject({ ETag: expect.stringMatching(/-1$/), ObjectParts: { TotalPartsCount: 1 } })
    expect(parts.ObjectSize).toBeUndefined()
    expect(await refusal(of('gone', 'ETag'))).toBe('404 NoSuchKey')
    expect(await refusal(of('small', 'Owner' as 'ETag'))).toBe('400 InvalidArgument')
  })
})

describe('answers without bytes', () => {
  it('count for no cap of traffic', async () => {
    const { client } = await account(SIZE)
    const get = (more: object) => client.send(new GetObjectCommand({ Bucket: 'photos', Key: 'large', ...more }))
    expect(await refusal(get({ PartNumber: 2 }))).toBe('416 InvalidPartNumber')
    expect(await refusal(get({ IfMatch: '"other"' }))).toBe('412 PreconditionFailed')
    expect(await refusal(get({ IfModifiedSince: new Date(Date.now() + 60_000) }))).toMatch(/^304/)
    expect(await refusal(get({ IfNoneMatch: '*', PartNumber: 1 }))).toMatch(/^304/)
    const { Body } = await get({ IfMatch: '*' })
    expect(large.equals((await Body?.transformToByteArray()) ?? Buffer.alloc(0))).toBe(true)
  })
})
