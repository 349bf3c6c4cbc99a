import { randomBytes } from 'node:crypto'
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectTaggingCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectTaggingCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { s3Account } from './s3-client.ts'
import { formFields, presigned } from './s3-raw-client.ts'
import { startNetwork } from './test-network.ts'

let network: Network
beforeAll(async () => {
  network = await startNetwork({ nodes: 2, s3: { port: 0 } })
})
afterAll(() => network?.stop())

const Bucket = 'photos'
const tagsOf = async (client: S3Client, Key: string) =>
  Object.fromEntries(
    ((await client.send(new GetObjectTaggingCommand({ Bucket, Key }))).TagSet ?? []).map(({ Key: key, Value }) => [
      key,
      Value,
    ]),
  )

it('tags come with an object, are counted, replaced and deleted', async () => {
  const { client, bucket } = await s3Account(network)
  const { put, get } = await bucket(Bucket)
  await put('a', 'text', { Tagging: 'kind=photo&place=%E6%B5%B7%20side' })
  expect(await tagsOf(client, 'a')).toEqual({ kind: 'photo', place: '海 side' })
  expect((await get('a')).TagCount).toBe(2)
  const TagSet = [{ Key: 'only', Value: '' }]
  await client.send(new PutObjectTaggingCommand({ Bucket, Key: 'a', Tagging: { TagSet } }))
  expect(await tagsOf(client, 'a')).toEqual({ only: '' })
  expect(await client.send(new HeadObjectCommand({ Bucket, Key: 'a' }))).toMatchObject({ TagCount: 1 })
  await client.send(new DeleteObjectTaggingCommand({ Bucket, Key: 'a' }))
  expect(await tagsOf(client, 'a')).toEqual({})
})

it('tags come with an upload in parts, a copy, a form and a presigned URL', async () => {
  const { client, bucket, credentials } = await s3Account(network)
  const { put } = await bucket(Bucket)
  const upload = { Bucket, Key: 'parts' }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...upload, Tagging: 'big=yes' }))
  const { ETag } = await client.send(
    new UploadPartCommand({ ...upload, UploadId, PartNumber: 1, Body: randomBytes(1000) }),
  )
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] }
  await client.send(new CompleteMultipartUploadCommand({ ...upload, UploadId, MultipartUpload }))
  expect(await tagsOf(client, 'parts')).toEqual({ big: 'yes' })

  const copy = { Bucket, CopySource: `${Bucket}/parts` }
  await client.send(new CopyObjectCommand({ ...copy, Key: 'same' }))
  expect(await tagsOf(client, 'same')).toEqual({ big: 'yes' })
  await client.send(new CopyObjectCommand({ ...copy, Key: 'other', TaggingDirective: 'REPLACE', Tagging: 'is=copy' }))
  expect(await tagsOf(client, 'other')).toEqual({ is: 'copy' })

  const tagging = '<Tagging><TagSet><Tag><Key>from</Key><Value>form</Value></Tag></TagSet></Tagging>'
  const fields = {
    key: 'form',
    tagging,
    ...formFields(credentials, [{ bucket: Bucket }, { key: 'form' }, { tagging }]),
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob(['text']))
  expect((await fetch(`${network.s3Url}/${Bucket}`, { method: 'POST', body: form })).status).toBe(204)
  expect(await tagsOf(client, 'form')).toEqual({ from: 'form' })

  const { host, origin } = new URL(network.s3Url)
  const more = { 'x-amz-tagging': 'from=url' }
  const target = presigned(credentials, { method: 'PUT', path: `/${Bucket}/url`, host, more })
  expect((await fetch(`${origin}${target}`, { method: 'PUT', body: 'text' })).status).toBe(200)
  expect(await tagsOf(client, 'url')).toEqual({ from: 'url' })
  await put('plain', 'text')
  expect(await tagsOf(client, 'plain')).toEqual({})
})

it('refuses too many tags, doubled ones, and a flood of them', async () => {
  const { client, bucket } = await s3Account(network)
  const { put } = await bucket(Bucket)
  await put('a', 'text', { Tagging: 'is=kept' })
  const tags = (count: number, name = (index: number) => `k${index}`) => ({
    TagSet: Array.from({ length: count }, (_, index) => ({ Key: name(index), Value: 'v' })),
  })
  for (const [Tagging, name] of [
    [tags(11), 'InvalidTag'],
    [tags(2, () => 'same'), 'InvalidTag'],
    [tags(1, () => 'aws:x'), 'InvalidTag'],
    [tags(400), 'InvalidTag'],
    [tags(20_000), 'MaxMessageLengthExceeded'],
  ] as const)
    await expect(client.send(new PutObjectTaggingCommand({ Bucket, Key: 'a', Tagging }))).rejects.toMatchObject({
      name,
    })
  await expect(put('b', 'text', { Tagging: 'a=1&a=2' })).rejects.toMatchObject({ name: 'InvalidTag' })
  expect(await tagsOf(client, 'a')).toEqual({ is: 'kept' })
})
