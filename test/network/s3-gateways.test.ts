import { createHash, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:https'
import { Readable } from 'node:stream'
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { s3Account } from './s3-client.ts'
import { type Certificate, createCertificate, startGateway, type TestGateway } from './s3-gateway.ts'
import { startNetwork } from './test-network.ts'

/** Gateways as people run them: of the operator over TLS, alone beside a customer's programs, and with a bucket in the name. */

const MiB = 1024 * 1024
let network: Network
let tls: Certificate
const gateways: TestGateway[] = []
beforeAll(async () => {
  network = await startNetwork({ nodes: 2, s3: { port: 0 } })
  tls = await createCertificate(network)
})
afterAll(async () => {
  await Promise.all(gateways.map(({ program }) => program.stop()))
  await network?.stop()
})

async function start(options: Parameters<typeof startGateway>[1] = {}): Promise<TestGateway> {
  const gateway = await startGateway(network, options)
  gateways.push(gateway)
  return gateway
}

/** Trusts the CA of the test; every name is this machine. */
const agent = () =>
  new Agent({
    ca: tls.ca,
    lookup: (_name, { all }, done) => {
      const address = { address: '127.0.0.1', family: 4 }
      if (all) done(null, [address])
      else done(null, address.address, address.family)
    },
  })
type Account = Awaited<ReturnType<typeof s3Account>>
const clientOf = ({ credentials }: Pick<Account, 'credentials'>, endpoint: string, forcePathStyle = true) =>
  new S3Client({
    endpoint,
    region: 'us-east-1',
    credentials,
    forcePathStyle,
    maxAttempts: 1,
    requestHandler: { httpsAgent: agent() },
  })
const refusal = (sent: Promise<unknown>) =>
  sent.then(
    () => 'done',
    ({ name }: Error) => name,
  )

/** A plain HTTPS request, as curl or a browser sends it. */
const plain = (url: string, method = 'GET', body = Buffer.alloc(0)) =>
  new Promise<{ status: number | undefined; bytes: Buffer }>((resolve, reject) => {
    const headers = method === 'PUT' ? { 'content-length': body.length } : {}
    const sent = request(url, { method, agent: agent(), headers }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () => resolve({ status: answer.statusCode, bytes: Buffer.concat(pieces) }))
    })
    sent.on('error', reject)
    sent.end(body)
  })

describe.each<[string, (account: Account) => Promise<S3Client>]>([
  ['over TLS', async (account) => clientOf(account, (await start({ tls })).url)],
  ['that runs alone', async (account) => clientOf(account, (await start({ tls, own: account.credentials })).url)],
  ['with the bucket in its name', async (account) => clientOf(account, (await start({ tls })).url, false)],
])('a gateway %s', (_, open) => {
  let client: S3Client
  const Bucket = 'photos'
  beforeAll(async () => {
    client = await open(await s3Account(network))
    await client.send(new CreateBucketCommand({ Bucket }))
  })
  const get = async (Key: string) =>
    Buffer.from((await (await client.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToByteArray()) ?? [])

  it.each([0, 5, 300_000, 3 * MiB + 1])(
    'stores %i bytes with the checksums that the SDK sends by itself',
    async (size) => {
      const Body = randomBytes(size)
      const sent = await client.send(new PutObjectCommand({ Bucket, Key: 'a b/海滩+%.bin', Body }))
      expect(sent.ChecksumCRC32).toBeDefined()
      expect((await get('a b/海滩+%.bin')).equals(Body)).toBe(true)
    },
  )

  it('stores a stream, whose checksum comes behind it', async () => {
    const bytes = randomBytes(2 * MiB)
    const Body = Readable.from([bytes.subarray(0, MiB), bytes.subarray(MiB)])
    const stream = { Bucket, Key: 'stream', Body, ContentLength: bytes.length, ChecksumAlgorithm: 'SHA256' as const }
    const { ChecksumSHA256 } = await client.send(new PutObjectCommand(stream))
    expect(ChecksumSHA256).toBe(createHash('sha256').update(bytes).digest('base64'))
    expect((await get('stream')).equals(bytes)).toBe(true)
  })

  it.each([16 * 1024, MiB - 1, 2 * MiB])('stores the same %i bytes under another key', async (size) => {
    const Body = randomBytes(size)
    for (const Key of ['first', 'second', 'first']) await client.send(new PutObjectCommand({ Bucket, Key, Body }))
    for (const Key of ['first', 'second']) expect((await get(Key)).equals(Body)).toBe(true)
  })

  it('joins parts', async () => {
    const upload = { Bucket, Key: 'parts' }
    const parts = [randomBytes(5 * MiB), randomBytes(1000)]
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(upload))
    const Parts = await Promise.all(
      parts.map(async (Body, index) => {
        const part = { PartNumber: index + 1 }
        return {
          ...part,
          ETag: (await client.send(new UploadPartCommand({ ...upload, ...part, UploadId, Body }))).ETag,
        }
      }),
    )
    await client.send(new CompleteMultipartUploadCommand({ ...upload, UploadId, MultipartUpload: { Parts } }))
    expect((await get('parts')).equals(Buffer.concat(parts))).toBe(true)
  })

  it('takes presigned uploads and downloads from programs without a key', async () => {
    const bytes = randomBytes(20_000)
    const object = { Bucket, Key: 'a b/presigned 海滩' }
    const put = await getSignedUrl(client, new PutObjectCommand(object), { expiresIn: 60 })
    expect((await plain(put, 'PUT', bytes)).status).toBe(200)
    const url = await getSignedUrl(client, new GetObjectCommand(object), { expiresIn: 60 })
    expect((await plain(url)).bytes.equals(bytes)).toBe(true)
    expect((await plain(url.replace('presigned', 'other'))).status).toBe(403)
    expect((await plain(url, 'PUT', bytes)).status).toBe(403)
  })

  it('lists what it stored', async () => {
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'a b/' }))
    expect(Contents?.map(({ Key }) => Key)).toEqual(['a b/presigned 海滩', 'a b/海滩+%.bin'])
    const { Buckets } = await client.send(new ListBucketsCommand({}))
    expect(Buckets?.map(({ Name }) => Name)).toEqual([Bucket])
  })

  it('says what is wrong with the name of a bucket', async () => {
    expect(await refusal(client.send(new CreateBucketCommand({ Bucket: 'a..b' })))).toBe('InvalidBucketName')
    expect(await refusal(client.send(new CreateBucketCommand({ Bucket })))).toBe('BucketAlreadyOwnedByYou')
  })
})

describe('a gateway that runs alone', () => {
  it('opens one session for many first requests', async () => {
    const account = await s3Account(network)
    const client = clientOf(account, (await start({ tls, own: account.credentials })).url)
    const asked = Array.from({ length: 70 }, () => refusal(client.send(new ListBucketsCommand({}))))
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['done']))
  })

  it('serves its own access key only, as long as that exists', async () => {
    const [account, other] = [await s3Account(network), await s3Account(network)]
    const { url } = await start({ tls, own: account.credentials })
    const list = (by: Pick<Account, 'credentials'>) => refusal(clientOf(by, url).send(new ListBucketsCommand({})))
    expect(await list(account)).toBe('done')
    expect(await list(other)).toBe('SignatureDoesNotMatch')
    const { accessKeyId } = account.credentials
    expect(await list({ credentials: { accessKeyId, secretAccessKey: 'wrong' } })).toBe('SignatureDoesNotMatch')
    await account.portal.post('/api/v1/storage/delete_key', { key_name: 's3' })
    await expect.poll(() => list(account)).not.toBe('done')
  })
})
