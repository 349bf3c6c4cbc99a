import {
  CopyObjectCommand,
  DeleteBucketLifecycleCommand,
  GetBucketLifecycleConfigurationCommand,
  HeadObjectCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { s3Account } from './s3-client.ts'
import { startNetwork } from './test-network.ts'

let network: Network
beforeAll(async () => {
  network = await startNetwork({ nodes: 2, s3: { port: 0 } })
})
afterAll(() => network?.stop())

const Bucket = 'photos'
const set = (client: S3Client, ...Rules: LifecycleRule[]) =>
  client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }))
const get = async (client: S3Client) =>
  (await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }))).Rules

const RULES: LifecycleRule[] = [
  {
    ID: 'all conditions',
    Status: 'Enabled',
    Filter: {
      And: { Prefix: 'in/', Tags: [{ Key: 'temp', Value: 'yes' }], ObjectSizeGreaterThan: 5, ObjectSizeLessThan: 900 },
    },
    Expiration: { Days: 30 },
    NoncurrentVersionExpiration: { NoncurrentDays: 7, NewerNoncurrentVersions: 3 },
  },
  {
    ID: 'uploads and markers',
    Status: 'Disabled',
    Filter: { Prefix: '' },
    Expiration: { ExpiredObjectDeleteMarker: true },
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
  },
]

it('rules are kept as they were set, and are deleted', async () => {
  const { client, bucket } = await s3Account(network)
  await bucket(Bucket)
  await expect(get(client)).rejects.toMatchObject({ name: 'NoSuchLifecycleConfiguration' })
  await set(client, ...RULES)
  expect(await get(client)).toEqual(RULES)
  await client.send(new DeleteBucketLifecycleCommand({ Bucket }))
  await expect(get(client)).rejects.toMatchObject({ name: 'NoSuchLifecycleConfiguration' })
})

it('a rule whose date has come deletes what it means', async () => {
  const { client, bucket } = await s3Account(network)
  const { put, get: read } = await bucket(Bucket)
  await put('old/a', 'text')
  await put('new/a', 'text')
  await set(client, {
    Status: 'Enabled',
    Filter: { Prefix: 'old/' },
    Expiration: { Date: new Date('2020-01-01T00:00:00Z') },
  })
  await vi.waitFor(() => expect(read('old/a')).rejects.toMatchObject({ name: 'NoSuchKey' }), {
    timeout: 30_000,
    interval: 200,
  })
  expect((await read('new/a')).bytes.toString()).toBe('text')
})

it('answers say when a rule will delete the object, and which', async () => {
  const { client, bucket } = await s3Account(network)
  const { put, get: read } = await bucket(Bucket)
  await set(client, {
    ID: 'old & done',
    Status: 'Enabled',
    Filter: { Prefix: 'in/' },
    Expiration: { Date: new Date('2099-01-01') },
  })
  const expected = 'expiry-date="Thu, 01 Jan 2099 00:00:00 GMT", rule-id="old%20%26%20done"'
  expect((await put('in/a', 'text')).Expiration).toBe(expected)
  expect((await put('out', 'text')).Expiration).toBeUndefined()
  expect((await read('in/a')).Expiration).toBe(expected)
  const named = { Bucket, Key: 'in/a' }
  expect((await client.send(new HeadObjectCommand(named))).Expiration).toBe(expected)
  const copied = await client.send(new CopyObjectCommand({ ...named, Key: 'in/b', CopySource: `${Bucket}/out` }))
  expect(copied.Expiration).toBe(expected)
  expect((await read('out')).Expiration).toBeUndefined()
})

it('refuses rules that it does not understand in full, and those of no days', async () => {
  const { client, bucket } = await s3Account(network)
  await bucket(Bucket)
  const rule = { Status: 'Enabled', Filter: { Prefix: '' } } as const
  const flood = Array.from({ length: 1001 }, (_, index) => ({ ...rule, ID: `${index}`, Expiration: { Days: 1 } }))
  for (const [rules, name] of [
    [[{ ...rule, Expiration: { Days: 0 } }], 'InvalidArgument'],
    [[{ ...rule, Transitions: [{ Days: 1, StorageClass: 'GLACIER' }] }], 'NotImplemented'],
    [[{ ...rule, Expiration: { Days: 1, ExpiredObjectDeleteMarker: true } }], 'MalformedXML'],
    [[rule], 'InvalidRequest'],
    [[{ ...rule, Filter: undefined, Expiration: { Days: 1 } }], 'MalformedXML'],
    [flood, 'MalformedXML'],
  ] as const)
    await expect(set(client, ...(rules as LifecycleRule[]))).rejects.toMatchObject({ name })
  await expect(get(client)).rejects.toMatchObject({ name: 'NoSuchLifecycleConfiguration' })
})
