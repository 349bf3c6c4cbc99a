import { requireChecksumValue } from './checksums.ts'
import { CHECKSUM_ALGORITHMS, type ChecksumAlgorithm } from './digests.ts'
import { S3Error } from './errors.ts'
import { fieldsOf, malformed, readRoot } from './xml-fields.ts'

export const DELETE_KEYS_MAX = 1000
export const PARTS_MAX = 10_000

/**
 * The body of CreateBucket, which may be empty.
 * @returns the location constraint, undefined for the default
 * @throws S3Error MalformedXML, NotImplemented for directory buckets and tags
 */
export function readCreateBucket(body: Uint8Array): string | undefined {
  if (body.length === 0) return undefined
  const names = ['LocationConstraint', 'Location', 'Bucket', 'Tags']
  const fields = readRoot(body, 'CreateBucketConfiguration', names)
  if (names.slice(1).some((name) => fields.all(name).length > 0)) throw new S3Error('NotImplemented')
  return fields.word('LocationConstraint') || undefined
}

/** An object to delete; `etag` (without quotes, or `*`) is a condition. */
export interface DeletedObject {
  key: string
  versionId?: string
  etag?: string
}

/**
 * The body of DeleteObjects.
 * @returns `isQuiet` if the answer names errors only
 * @throws S3Error MalformedXML, NotImplemented for conditions that we could only ignore
 */
export function readDelete(body: Uint8Array): { objects: DeletedObject[]; isQuiet: boolean } {
  const fields = readRoot(body, 'Delete', ['Object', 'Quiet'])
  const elements = fields.all('Object')
  if (elements.length === 0 || elements.length > DELETE_KEYS_MAX) throw malformed()
  const objects = elements.map((element) => {
    const object = fieldsOf(element, ['Key', 'VersionId', 'ETag', 'LastModifiedTime', 'Size'])
    if (object.one('LastModifiedTime') || object.one('Size')) throw new S3Error('NotImplemented')
    const key = object.requiredText('Key')
    const versionId = object.word('VersionId')
    const etag = object.word('ETag')
    if (key === '') throw malformed()
    return { key, ...(versionId && { versionId }), ...(etag && { etag: unquote(etag) }) }
  })
  return { objects, isQuiet: fields.word('Quiet') === 'true' }
}

export interface CompletedPart {
  partNumber: number
  /** Without quotes. */
  etag: string
  checksum?: { algorithm: ChecksumAlgorithm; value: string }
}

/**
 * The body of CompleteMultipartUpload.
 * @returns at least one part, in ascending order
 * @throws S3Error MalformedXML, InvalidPartOrder, InvalidRequest for checksums that cannot be any
 */
export function readCompleteMultipartUpload(body: Uint8Array): CompletedPart[] {
  const elements = readRoot(body, 'CompleteMultipartUpload', ['Part']).all('Part')
  if (elements.length === 0 || elements.length > PARTS_MAX) throw malformed()
  const checksumNames = CHECKSUM_ALGORITHMS.map((algorithm) => `Checksum${algorithm}`)
  const parts = elements.map((element): CompletedPart => {
    const part = fieldsOf(element, ['PartNumber', 'ETag', ...checksumNames])
    const partNumber = part.integer('PartNumber')
    const etag = unquote(part.requiredText('ETag').trim())
    if (partNumber === undefined || partNumber < 1 || partNumber > PARTS_MAX || etag === '') throw malformed()
    const checksums = CHECKSUM_ALGORITHMS.flatMap((algorithm) => {
      const value = part.word(`Checksum${algorithm}`)
      return value ? [{ algorithm, value }] : []
    })
    const [checksum] = checksums
    if (!checksum) return { partNumber, etag }
    if (checksums.length > 1) throw malformed()
    requireChecksumValue(checksum.algorithm, checksum.value)
    return { partNumber, etag, checksum }
  })
  if (parts.some(({ partNumber }, index) => index > 0 && partNumber <= parts[index - 1]!.partNumber))
    throw new S3Error('InvalidPartOrder')
  return parts
}

/**
 * The body of PutBucketVersioning.
 * @throws S3Error MalformedXML, IllegalVersioningConfigurationException without a status, NotImplemented for MFA
 */
export function readVersioning(body: Uint8Array): 'Enabled' | 'Suspended' {
  const fields = readRoot(body, 'VersioningConfiguration', ['Status', 'MfaDelete'])
  const mfaDelete = fields.word('MfaDelete')
  if (mfaDelete !== undefined && mfaDelete !== 'Disabled') throw new S3Error('NotImplemented')
  const status = fields.word('Status')
  if (status === undefined) throw new S3Error('IllegalVersioningConfigurationException')
  if (status !== 'Enabled' && status !== 'Suspended') throw malformed()
  return status
}

/** ETags are quoted in documents and headers; some clients leave the quotes out. */
export const unquote = (etag: string) => (/^".*"$/.test(etag) ? etag.slice(1, -1) : etag)
