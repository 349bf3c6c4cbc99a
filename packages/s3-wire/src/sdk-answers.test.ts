import * as s3 from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorXml } from './error-document.ts'
import { S3Error } from './errors.ts'
import { listObjectsV2Xml, listObjectsXml, listUploadsXml, listVersionsXml } from './listing.ts'
import * as results from './results.ts'
import { EXAMPLE } from './s3.fixture.ts'
import { startSdk } from './sdk.fixture.ts'

let sdk: Awaited<ReturnType<typeof startSdk>>
beforeAll(async () => {
  sdk = await startSdk()
})
afterAll(() => sdk.close())

const TIME = new Date('2026-11-28T12:00:00.000Z')
const at = TIME.getTime()
const OWNER = { id: 'o1', displayName: '所有者' }
const KEY = "a b/../c//文+%'é(1)!*~&=?#;:@,$😀"

const PAGE = {
  bucket: 'b',
  prefix: '',
  delimiter: '/',
  isUrlEncoded: false,
  max: 1000,
  isTruncated: true,
  commonPrefixes: ['a/', '&/'],
}
const OBJECT = { key: ` ${KEY}\r\n<&"`, lastModified: at, etag: 'e', size: 5 * 1024 ** 4, owner: OWNER }
const SENT_OWNER = { ID: 'o1', DisplayName: '所有者' }

describe('the SDK for JavaScript understands', () => {
  const ask = async <Output>(body: string | undefined, send: () => Promise<Output>) => {
    sdk.answer({ body: body!, headers: { 'content-type': 'application/xml' } })
    return send()
  }

  it('lists of objects', async () => {
    const contents = [
      {
        Key: OBJECT.key,
        LastModified: TIME,
        ETag: '"e"',
        Size: OBJECT.size,
        Owner: SENT_OWNER,
        StorageClass: 'STANDARD',
      },
    ]
    const common = {
      Name: 'b',
      IsTruncated: true,
      Contents: contents,
      CommonPrefixes: [{ Prefix: 'a/' }, { Prefix: '&/' }],
      MaxKeys: 1000,
    }
    const second = listObjectsV2Xml({
      ...PAGE,
      objects: [OBJECT],
      startAfter: 's',
      continuationToken: 't',
      nextContinuationToken: 'n',
    })
    expect(await ask(second, () => sdk.client.send(new s3.ListObjectsV2Command({ Bucket: 'b' })))).toMatchObject({
      ...common,
      KeyCount: 3,
      StartAfter: 's',
      ContinuationToken: 't',
      NextContinuationToken: 'n',
    })
    const first = listObjectsXml({ ...PAGE, objects: [OBJECT], marker: 'm', nextMarker: '&/' })
    expect(await ask(first, () => sdk.client.send(new s3.ListObjectsCommand({ Bucket: 'b' })))).toMatchObject({
      ...common,
      Marker: 'm',
      NextMarker: '&/',
    })
    const encoded = listObjectsXml({
      ...PAGE,
      isUrlEncoded: true,
      prefix: 'é ',
      objects: [{ ...OBJECT, key: 'a b/\u0001文+' }],
      marker: '',
    })
    expect(await ask(encoded, () => sdk.client.send(new s3.ListObjectsCommand({ Bucket: 'b' })))).toMatchObject({
      Prefix: '%C3%A9%20',
      Delimiter: '/',
      EncodingType: 'url',
      Contents: [{ Key: 'a%20b/%01%E6%96%87%2B' }],
    })
  })

  it('lists of versions, uploads, parts and buckets', async () => {
    const versions = [
      { ...OBJECT, versionId: 'v2', isLatest: true, isDeleteMarker: true as const },
      { ...OBJECT, versionId: 'v1', isLatest: false, isDeleteMarker: false as const },
    ]
    const versionsXml = listVersionsXml({
      ...PAGE,
      versions,
      keyMarker: 'k',
      versionIdMarker: 'v',
      nextKeyMarker: 'l',
      nextVersionIdMarker: 'w',
    })
    expect(
      await ask(versionsXml, () => sdk.client.send(new s3.ListObjectVersionsCommand({ Bucket: 'b' }))),
    ).toMatchObject({
      Versions: [
        { Key: OBJECT.key, VersionId: 'v1', IsLatest: false, ETag: '"e"', Size: OBJECT.size, Owner: SENT_OWNER },
      ],
      DeleteMarkers: [{ Key: OBJECT.key, VersionId: 'v2', IsLatest: true, LastModified: TIME }],
      NextKeyMarker: 'l',
      NextVersionIdMarker: 'w',
    })
    const uploads = [{ key: KEY, uploadId: 'u', initiated: at, owner: OWNER }]
    const uploadsXml = listUploadsXml({
      ...PAGE,
      uploads,
      keyMarker: '',
      uploadIdMarker: '',
      nextKeyMarker: 'k',
      nextUploadIdMarker: 'u',
    })
    expect(
      await ask(uploadsXml, () => sdk.client.send(new s3.ListMultipartUploadsCommand({ Bucket: 'b' }))),
    ).toMatchObject({
      Uploads: [{ Key: KEY, UploadId: 'u', Initiated: TIME, Initiator: SENT_OWNER }],
      NextKeyMarker: 'k',
      NextUploadIdMarker: 'u',
      CommonPrefixes: [{ Prefix: 'a/' }, { Prefix: '&/' }],
    })
    const checksum = { algorithm: 'CRC64NVME' as const, value: 'AAAAAAAAAAA=' }
    const parts = [{ partNumber: 3, lastModified: at, etag: 'e', size: 7, checksum }]
    const partsXml = results.listPartsXml({
      bucket: 'b',
      key: 'k',
      uploadId: 'u',
      marker: 2,
      max: 1,
      isTruncated: true,
      parts,
      checksum: { algorithm: 'CRC64NVME', type: 'FULL_OBJECT' },
    })
    const list = new s3.ListPartsCommand({ Bucket: 'b', Key: 'k', UploadId: 'u' })
    expect(await ask(partsXml, () => sdk.client.send(list))).toMatchObject({
      Parts: [{ PartNumber: 3, ETag: '"e"', Size: 7, LastModified: TIME, ChecksumCRC64NVME: checksum.value }],
      NextPartNumberMarker: '3',
      IsTruncated: true,
      ChecksumType: 'FULL_OBJECT',
    })
    const bucketsXml = results.listBucketsXml({
      owner: OWNER,
      buckets: [{ name: 'b', createdAt: at, region: 'eu-1' }],
      nextContinuationToken: 't',
    })
    expect(await ask(bucketsXml, () => sdk.client.send(new s3.ListBucketsCommand()))).toMatchObject({
      Owner: SENT_OWNER,
      Buckets: [{ Name: 'b', CreationDate: TIME, BucketRegion: 'eu-1' }],
      ContinuationToken: 't',
    })
  })

  it('results of deletes, copies and uploads', async () => {
    const Bucket = 'b'
    const deleteObjects = new s3.DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'a' }] } })
    const errors = [{ key: 'x', versionId: '1', code: 'AccessDenied' as const, message: 'm' }]
    const deletes = { deleted: [{ key: KEY, deleteMarkerVersionId: 'd' }], errors }
    const Errors = [{ Key: 'x', VersionId: '1', Code: 'AccessDenied', Message: 'm' }]
    expect(
      await ask(results.deleteXml({ ...deletes, isQuiet: false }), () => sdk.client.send(deleteObjects)),
    ).toMatchObject({
      Deleted: [{ Key: KEY, DeleteMarker: true, DeleteMarkerVersionId: 'd' }],
      Errors,
    })
    const quiet = await ask(results.deleteXml({ ...deletes, isQuiet: true }), () => sdk.client.send(deleteObjects))
    expect(quiet).toMatchObject({ Errors })
    expect(quiet.Deleted).toBeUndefined()

    const checksum = { algorithm: 'SHA256' as const, value: 'abc=-2', type: 'COMPOSITE' as const }
    const copy = { etag: 'e', lastModified: at, checksum }
    const copyObject = new s3.CopyObjectCommand({ Bucket, Key: 'a', CopySource: 'b/a' })
    expect(await ask(results.copyXml('CopyObjectResult', copy), () => sdk.client.send(copyObject))).toMatchObject({
      CopyObjectResult: { ETag: '"e"', LastModified: TIME, ChecksumSHA256: 'abc=-2', ChecksumType: 'COMPOSITE' },
    })
    const copyPart = new s3.UploadPartCopyCommand({ Bucket, Key: 'a', CopySource: 'b/a', PartNumber: 1, UploadId: 'u' })
    expect(await ask(results.copyXml('CopyPartResult', copy), () => sdk.client.send(copyPart))).toMatchObject({
      CopyPartResult: { ETag: '"e"' },
    })
    const initiate = new s3.CreateMultipartUploadCommand({ Bucket, Key: KEY })
    expect(
      await ask(results.initiateUploadXml({ bucket: 'b', key: KEY, uploadId: 'u' }), () => sdk.client.send(initiate)),
    ).toMatchObject({ Bucket: 'b', Key: KEY, UploadId: 'u' })
    const complete = new s3.CompleteMultipartUploadCommand({
      Bucket,
      Key: KEY,
      UploadId: 'u',
      MultipartUpload: { Parts: [] },
    })
    expect(
      await ask(results.completeUploadXml({ location: 'l', bucket: 'b', key: KEY, etag: 'e-2', checksum }), () =>
        sdk.client.send(complete),
      ),
    ).toMatchObject({
      Location: 'l',
      Key: KEY,
      ETag: '"e-2"',
      ChecksumSHA256: 'abc=-2',
    })
  })

  it('properties of buckets and objects', async () => {
    const Bucket = 'b'
    expect(
      await ask(results.locationXml('eu-1'), () => sdk.client.send(new s3.GetBucketLocationCommand({ Bucket }))),
    ).toMatchObject({ LocationConstraint: 'eu-1' })
    expect(
      await ask(results.versioningXml('Suspended'), () =>
        sdk.client.send(new s3.GetBucketVersioningCommand({ Bucket })),
      ),
    ).toMatchObject({ Status: 'Suspended' })
    expect(
      (await ask(results.versioningXml(), () => sdk.client.send(new s3.GetBucketVersioningCommand({ Bucket })))).Status,
    ).toBeUndefined()
    const getTags = new s3.GetObjectTaggingCommand({ Bucket, Key: 'a' })
    expect(await ask(results.taggingXml([{ key: 'k', value: '' }]), () => sdk.client.send(getTags))).toMatchObject({
      TagSet: [{ Key: 'k', Value: '' }],
    })
    expect(
      await ask(results.aclXml(OWNER), () => sdk.client.send(new s3.GetObjectAclCommand({ Bucket, Key: 'a' }))),
    ).toMatchObject({
      Owner: SENT_OWNER,
      Grants: [{ Grantee: { ID: 'o1', Type: 'CanonicalUser' }, Permission: 'FULL_CONTROL' }],
    })
  })

  it('errors', async () => {
    const error = new S3Error('NoSuchKey', undefined, { Key: KEY })
    sdk.answer({ status: error.status, body: errorXml(error, { resource: '/b/a', requestId: 'r', hostId: 'h' }) })
    await expect(sdk.client.send(new s3.GetObjectCommand({ Bucket: 'b', Key: KEY }))).rejects.toMatchObject({
      name: 'NoSuchKey',
      Key: KEY,
    })
    const stranger = sdk.clientOf({ credentials: { ...EXAMPLE, secretAccessKey: 'another' } })
    await expect(stranger.send(new s3.ListBucketsCommand())).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' })
    const late = sdk.clientOf({ systemClockOffset: 3_600_000 })
    await expect(late.send(new s3.ListBucketsCommand())).rejects.toMatchObject({ name: 'RequestTimeTooSkewed' })
  })
})
