import type { PageParameters } from './list-parameters.ts'
import { uriEncode } from './request.ts'
import { writeXml, type XmlNode } from './xml.ts'

export interface Owner {
  id: string
  displayName: string
}

/** An object in a listing. `lastModified` is Unix milliseconds; `etag` is without quotes. */
export interface ListedObject {
  key: string
  lastModified: number
  etag: string
  size: number
  storageClass?: string
  owner?: Owner
}

/** What all listings of a bucket answer. */
export interface ListPage extends PageParameters {
  bucket: string
  isTruncated: boolean
  commonPrefixes: readonly string[]
}

export const isoDate = (time: number) => new Date(time).toISOString()
export const quote = (etag: string) => `"${etag}"`
export const ownerNode = (owner: Owner | undefined, name = 'Owner'): XmlNode => [
  name,
  owner && [
    ['ID', owner.id],
    ['DisplayName', owner.displayName],
  ],
]

/** With `encoding-type=url`, spaces become %20, which every decoder understands; S3 writes `+`, which only some do. */
export const keyWriter = ({ isUrlEncoded }: Pick<PageParameters, 'isUrlEncoded'>) =>
  isUrlEncoded ? (key: string) => uriEncode(Buffer.from(key), true) : (key: string) => key

const objectNodes = ({ key, lastModified, etag, size, storageClass = 'STANDARD', owner }: ListedObject): XmlNode[] => [
  ['Key', key],
  ['LastModified', isoDate(lastModified)],
  ['ETag', quote(etag)],
  ['Size', size],
  ownerNode(owner),
  ['StorageClass', storageClass],
]

function pageNodes(page: ListPage, maxName: string): XmlNode[] {
  const write = keyWriter(page)
  return [
    ['Prefix', write(page.prefix)],
    [maxName, page.max],
    ['Delimiter', page.delimiter === '' ? undefined : write(page.delimiter)],
    ['EncodingType', page.isUrlEncoded ? 'url' : undefined],
    ['IsTruncated', page.isTruncated],
  ]
}

const prefixNodes = (page: ListPage): XmlNode[] =>
  page.commonPrefixes.map((prefix) => ['CommonPrefixes', [['Prefix', keyWriter(page)(prefix)]]])

/** @param list `nextMarker` is the last key or common prefix of a truncated page */
export function listObjectsXml(
  list: ListPage & { objects: readonly ListedObject[]; marker: string; nextMarker?: string },
): string {
  const write = keyWriter(list)
  return writeXml([
    'ListBucketResult',
    [
      ['Name', list.bucket],
      ...pageNodes(list, 'MaxKeys'),
      ['Marker', write(list.marker)],
      ['NextMarker', list.nextMarker === undefined ? undefined : write(list.nextMarker)],
      ...list.objects.map((object): XmlNode => ['Contents', objectNodes({ ...object, key: write(object.key) })]),
      ...prefixNodes(list),
    ],
  ])
}

export function listObjectsV2Xml(
  list: ListPage & {
    objects: readonly ListedObject[]
    startAfter?: string
    continuationToken?: string
    nextContinuationToken?: string
  },
): string {
  const write = keyWriter(list)
  return writeXml([
    'ListBucketResult',
    [
      ['Name', list.bucket],
      ...pageNodes(list, 'MaxKeys'),
      ['KeyCount', list.objects.length + list.commonPrefixes.length],
      ['StartAfter', list.startAfter === undefined ? undefined : write(list.startAfter)],
      ['ContinuationToken', list.continuationToken],
      ['NextContinuationToken', list.nextContinuationToken],
      ...list.objects.map((object): XmlNode => ['Contents', objectNodes({ ...object, key: write(object.key) })]),
      ...prefixNodes(list),
    ],
  ])
}

/** A version, or a marker that the object was deleted. */
export type ListedVersion = {
  key: string
  versionId: string
  isLatest: boolean
  lastModified: number
  owner?: Owner
} & ({ isDeleteMarker: true } | { isDeleteMarker: false; etag: string; size: number })

/** @param list versions in the order of their keys, the newest of a key first */
export function listVersionsXml(
  list: ListPage & {
    versions: readonly ListedVersion[]
    keyMarker: string
    versionIdMarker: string
    nextKeyMarker?: string
    nextVersionIdMarker?: string
  },
): string {
  const write = keyWriter(list)
  return writeXml([
    'ListVersionsResult',
    [
      ['Name', list.bucket],
      ...pageNodes(list, 'MaxKeys'),
      ['KeyMarker', write(list.keyMarker)],
      ['VersionIdMarker', list.versionIdMarker],
      ['NextKeyMarker', list.nextKeyMarker === undefined ? undefined : write(list.nextKeyMarker)],
      ['NextVersionIdMarker', list.nextVersionIdMarker],
      ...list.versions.map((version): XmlNode => {
        const state: XmlNode[] = [
          ['VersionId', version.versionId],
          ['IsLatest', version.isLatest],
        ]
        const key = write(version.key)
        if (!version.isDeleteMarker) return ['Version', [...objectNodes({ ...version, key }), ...state]]
        const time = ['LastModified', isoDate(version.lastModified)] as const
        return ['DeleteMarker', [['Key', key], time, ownerNode(version.owner), ...state]]
      }),
      ...prefixNodes(list),
    ],
  ])
}

export interface ListedUpload {
  key: string
  uploadId: string
  /** Unix milliseconds. */
  initiated: number
  owner?: Owner
}

export function listUploadsXml(
  list: ListPage & {
    uploads: readonly ListedUpload[]
    keyMarker: string
    uploadIdMarker: string
    nextKeyMarker?: string
    nextUploadIdMarker?: string
  },
): string {
  const write = keyWriter(list)
  return writeXml([
    'ListMultipartUploadsResult',
    [
      ['Bucket', list.bucket],
      ...pageNodes(list, 'MaxUploads'),
      ['KeyMarker', write(list.keyMarker)],
      ['UploadIdMarker', list.uploadIdMarker],
      ['NextKeyMarker', list.nextKeyMarker === undefined ? undefined : write(list.nextKeyMarker)],
      ['NextUploadIdMarker', list.nextUploadIdMarker],
      ...list.uploads.map(
        ({ key, uploadId, initiated, owner }): XmlNode => [
          'Upload',
          [
            ['Key', write(key)],
            ['UploadId', uploadId],
            ownerNode(owner, 'Initiator'),
            ownerNode(owner),
            ['StorageClass', 'STANDARD'],
            ['Initiated', isoDate(initiated)],
          ],
        ],
      ),
      ...prefixNodes(list),
    ],
  ])
}
