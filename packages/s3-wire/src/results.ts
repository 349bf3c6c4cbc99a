import type { ChecksumAlgorithm } from './digests.ts'
import type { S3ErrorCode } from './errors.ts'
import { isoDate, type Owner, ownerNode, quote } from './listing.ts'
import type { ChecksumType } from './multipart-checksums.ts'
import type { Tag } from './tags.ts'
import { writeXml, type XmlNode } from './xml.ts'

/** A checksum of an object or part; `type` says how it came about if there were parts. */
export interface StoredChecksum {
  algorithm: ChecksumAlgorithm
  /** Base64, `…-N` if composite. */
  value: string
  type?: ChecksumType
}

export const checksumNodes = (checksum: StoredChecksum | undefined): XmlNode[] =>
  checksum
    ? [
        [`Checksum${checksum.algorithm}`, checksum.value],
        ['ChecksumType', checksum.type],
      ]
    : []

/** @param list dates are Unix milliseconds */
export const listBucketsXml = (list: {
  owner: Owner
  buckets: readonly { name: string; createdAt: number; region?: string }[]
  prefix?: string
  nextContinuationToken?: string
}): string =>
  writeXml([
    'ListAllMyBucketsResult',
    [
      ownerNode(list.owner),
      [
        'Buckets',
        list.buckets.map(({ name, createdAt, region }) => [
          'Bucket',
          [
            ['Name', name],
            ['CreationDate', isoDate(createdAt)],
            ['BucketRegion', region],
          ],
        ]),
      ],
      ['Prefix', list.prefix],
      ['ContinuationToken', list.nextContinuationToken],
    ],
  ])

/** @param region '' for the default region, which S3 calls us-east-1 */
export const locationXml = (region: string): string => writeXml(['LocationConstraint', region])

/** @param status undefined if versioning was never enabled */
export const versioningXml = (status?: 'Enabled' | 'Suspended'): string =>
  writeXml(['VersioningConfiguration', [['Status', status]]])

export const taggingXml = (tags: readonly Tag[]): string =>
  writeXml([
    'Tagging',
    [
      [
        'TagSet',
        tags.map(({ key, value }) => [
          'Tag',
          [
            ['Key', key],
            ['Value', value],
          ],
        ]),
      ],
    ],
  ])

const XSI = 'http://www.w3.org/2001/XMLSchema-instance'

/** The ACL of a bucket or object that only its owner can open. */
export const aclXml = (owner: Owner): string =>
  writeXml([
    'AccessControlPolicy',
    [
      ownerNode(owner),
      [
        'AccessControlList',
        [
          [
            'Grant',
            [
              [
                'Grantee',
                [
                  ['ID', owner.id],
                  ['DisplayName', owner.displayName],
                ],
                { 'xmlns:xsi': XSI, 'xsi:type': 'CanonicalUser' },
              ],
              ['Permission', 'FULL_CONTROL'],
            ],
          ],
        ],
      ],
    ],
  ])

/** @param result nothing of `deleted` is written if the client asked for errors only */
export const deleteXml = (result: {
  isQuiet: boolean
  deleted: readonly { key: string; versionId?: string; deleteMarkerVersionId?: string }[]
  errors: readonly { key: string; versionId?: string; code: S3ErrorCode; message: string }[]
}): string =>
  writeXml([
    'DeleteResult',
    [
      ...(result.isQuiet ? [] : result.deleted).map(
        ({ key, versionId, deleteMarkerVersionId }): XmlNode => [
          'Deleted',
          [
            ['Key', key],
            ['VersionId', versionId],
            ['DeleteMarker', deleteMarkerVersionId === undefined ? undefined : true],
            ['DeleteMarkerVersionId', deleteMarkerVersionId],
          ],
        ],
      ),
      ...result.errors.map(
        ({ key, versionId, code, message }): XmlNode => [
          'Error',
          [
            ['Key', key],
            ['VersionId', versionId],
            ['Code', code],
            ['Message', message],
          ],
        ],
      ),
    ],
  ])

/**
 * @param kind whether an object or a part was copied
 * @param copy `etag` without quotes, `lastModified` in Unix milliseconds
 */
export const copyXml = (
  kind: 'CopyObjectResult' | 'CopyPartResult',
  copy: { etag: string; lastModified: number; checksum?: StoredChecksum },
): string =>
  writeXml([
    kind,
    [['LastModified', isoDate(copy.lastModified)], ['ETag', quote(copy.etag)], ...checksumNodes(copy.checksum)],
  ])

export const initiateUploadXml = (upload: { bucket: string; key: string; uploadId: string }): string =>
  writeXml([
    'InitiateMultipartUploadResult',
    [
      ['Bucket', upload.bucket],
      ['Key', upload.key],
      ['UploadId', upload.uploadId],
    ],
  ])

export const completeUploadXml = (object: {
  location: string
  bucket: string
  key: string
  etag: string
  checksum?: StoredChecksum
}): string =>
  writeXml([
    'CompleteMultipartUploadResult',
    [
      ['Location', object.location],
      ['Bucket', object.bucket],
      ['Key', object.key],
      ['ETag', quote(object.etag)],
      ...checksumNodes(object.checksum),
    ],
  ])

/** @param upload part numbers are markers: the page begins after `marker` */
export const listPartsXml = (upload: {
  bucket: string
  key: string
  uploadId: string
  owner?: Owner
  marker: number
  max: number
  isTruncated: boolean
  parts: readonly { partNumber: number; lastModified: number; etag: string; size: number; checksum?: StoredChecksum }[]
  checksum?: Pick<StoredChecksum, 'algorithm' | 'type'>
}): string =>
  writeXml([
    'ListPartsResult',
    [
      ['Bucket', upload.bucket],
      ['Key', upload.key],
      ['UploadId', upload.uploadId],
      ownerNode(upload.owner, 'Initiator'),
      ownerNode(upload.owner),
      ['StorageClass', 'STANDARD'],
      ['PartNumberMarker', upload.marker],
      ['NextPartNumberMarker', upload.parts.at(-1)?.partNumber ?? upload.marker],
      ['MaxParts', upload.max],
      ['IsTruncated', upload.isTruncated],
      ['ChecksumAlgorithm', upload.checksum?.algorithm],
      ['ChecksumType', upload.checksum?.type],
      ...upload.parts.map(
        ({ partNumber, lastModified, etag, size, checksum }): XmlNode => [
          'Part',
          [
            ['PartNumber', partNumber],
            ['LastModified', isoDate(lastModified)],
            ['ETag', quote(etag)],
            ['Size', size],
            ...checksumNodes(checksum),
          ],
        ],
      ),
    ],
  ])
