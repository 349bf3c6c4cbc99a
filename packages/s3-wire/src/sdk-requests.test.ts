import { Readable } from 'node:stream'
import * as s3 from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCors } from './cors.ts'
import { readLifecycle } from './lifecycle.ts'
import { readListParameters } from './list-parameters.ts'
import { headerOf } from './request.ts'
import { completeUploadXml } from './results.ts'
import { startSdk } from './sdk.fixture.ts'
import { readTagging } from './tags.ts'
import { readCompleteMultipartUpload, readDelete, readVersioning } from './xml-bodies.ts'

let sdk: Awaited<ReturnType<typeof startSdk>>
beforeAll(async () => {
  sdk = await startSdk()
})
afterAll(() => sdk.close())

const KEY = "a b/../c//文+%'é(1)!*~&=?#;:@,$😀"

describe('the SDK for JavaScript sends', () => {
  const CONTENT = 'content of an object'
  const upload = async (input: Partial<s3.PutObjectCommandInput>, by = sdk.client) => {
    await by.send(new s3.PutObjectCommand({ Bucket: 'b', Key: KEY, ...input }))
    return sdk.last()
  }

  it('uploads with a checksum in a header', async () => {
    const { address, body, checksums } = await upload({ Body: CONTENT, Metadata: { note: 'a  b' } })
    expect(address).toEqual({ bucket: 'b', key: KEY })
    expect(body.toString()).toBe(CONTENT)
    expect(checksums.checksum?.algorithm).toBe('CRC32')
    expect(headerOf(sdk.last().headers, 'x-amz-meta-note')).toBe('a  b')
  })

  it.each(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const)(
    'streams with %s in a trailer',
    async (algorithm) => {
      const { body, checksums, payload, headers } = await upload({
        Body: Readable.from([Buffer.from(CONTENT.slice(0, 5)), Buffer.from(CONTENT.slice(5))]),
        ContentLength: CONTENT.length,
        ChecksumAlgorithm: algorithm,
      })
      expect(payload).toBe('streaming-unsigned-trailer')
      expect(headerOf(headers, 'content-length')).toBeUndefined()
      expect(body.toString()).toBe(CONTENT)
      expect(checksums.checksum?.algorithm).toBe(algorithm)
    },
  )

  it('requests in virtual-host style', async () => {
    const byHost = sdk.clientOf({ forcePathStyle: false })
    expect((await upload({ Bucket: 'my-bucket', Body: CONTENT }, byHost)).address).toEqual({
      bucket: 'my-bucket',
      key: KEY,
    })
    expect(headerOf(sdk.last().headers, 'host')).toBe(`my-bucket.localhost:${sdk.port}`)
  })

  it('bodies that we read', async () => {
    const Bucket = 'b'
    await sdk.client.send(
      new s3.DeleteObjectsCommand({
        Bucket,
        Delete: { Objects: [{ Key: KEY }, { Key: 'a', VersionId: '1' }], Quiet: true },
      }),
    )
    expect(readDelete(sdk.last().body)).toEqual({
      objects: [{ key: KEY }, { key: 'a', versionId: '1' }],
      isQuiet: true,
    })

    const parts = [{ PartNumber: 1, ETag: '"abc"', ChecksumCRC32: 'AAAAAA==' }]
    sdk.answer({ body: completeUploadXml({ location: '/b/a', bucket: 'b', key: 'a', etag: 'e' }) })
    await sdk.client.send(
      new s3.CompleteMultipartUploadCommand({ Bucket, Key: 'a', UploadId: 'u', MultipartUpload: { Parts: parts } }),
    )
    expect(readCompleteMultipartUpload(sdk.last().body)).toEqual([
      { partNumber: 1, etag: 'abc', checksum: { algorithm: 'CRC32', value: 'AAAAAA==' } },
    ])

    await sdk.client.send(new s3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }))
    expect(readVersioning(sdk.last().body)).toBe('Enabled')
    await sdk.client.send(
      new s3.PutObjectTaggingCommand({ Bucket, Key: 'a', Tagging: { TagSet: [{ Key: '项', Value: 'v' }] } }),
    )
    expect(readTagging(sdk.last().body, 10)).toEqual([{ key: '项', value: 'v' }])
    const rule = { AllowedMethods: ['GET'], AllowedOrigins: ['*'] }
    await sdk.client.send(new s3.PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [rule] } }))
    expect(readCors(sdk.last().body)).toMatchObject([{ allowedMethods: ['GET'], allowedOrigins: ['*'] }])
    const Rules = [{ Status: 'Enabled' as const, Filter: { Prefix: 'a/' }, Expiration: { Days: 3 } }]
    await sdk.client.send(new s3.PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }))
    expect(readLifecycle(sdk.last().body)).toEqual([
      { isEnabled: true, filter: { prefix: 'a/', tags: [] }, expiration: { days: 3 } },
    ])
  })

  it('parameters of lists', async () => {
    sdk.answer({ body: '<ListBucketResult/>' })
    await sdk.client.send(
      new s3.ListObjectsV2Command({
        Bucket: 'b',
        Prefix: '文 +',
        Delimiter: '/',
        StartAfter: 'a',
        MaxKeys: 5,
        FetchOwner: true,
        EncodingType: 'url',
      }),
    )
    expect(readListParameters(sdk.last().target)).toEqual({
      version: 2,
      prefix: '文 +',
      delimiter: '/',
      after: 'a',
      startAfter: 'a',
      marker: '',
      max: 5,
      withOwner: true,
      isUrlEncoded: true,
    })
  })
})
