import { S3Error } from './errors.ts'
import { percentDecode, textOf } from './request.ts'

/** What a request is about: all buckets, a bucket, or an object. */
export type Address = { bucket?: undefined; key?: undefined } | { bucket: string; key?: string | undefined }

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const RESERVED_START = /^(?:xn--|sthree-|amzn-s3-demo-)/
const RESERVED_END = /(?:-s3alias|--ol-s3|\.mrap|--x-s3|--table-s3)$/
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/
/** UTF-8. */
export const KEY_BYTES_MAX = 1024

/** Whether a new bucket can have the name; older folders of an account can be buckets with other names. */
export const isBucketName = (name: string): boolean =>
  BUCKET.test(name) &&
  !name.includes('..') &&
  !IPV4.test(name) &&
  !RESERVED_START.test(name) &&
  !RESERVED_END.test(name)

/** @throws S3Error KeyTooLongError, InvalidArgument for an empty key */
export function requireKey(key: string): void {
  if (key === '') throw new S3Error('InvalidArgument', 'A key has at least one character.')
  const size = Buffer.byteLength(key)
  if (size > KEY_BYTES_MAX)
    throw new S3Error('KeyTooLongError', undefined, { Size: String(size), MaxSizeAllowed: String(KEY_BYTES_MAX) })
}

/**
 * Finds bucket and key. Slashes and dots of a key stay as they are: `a//b/../c` is a name, not a path to resolve.
 * @param path as received, percent-encoded
 * @param host the header Host, which may have a port
 * @param ownHosts the gateway's names, lower case: `<bucket>.<own host>/<key>` is virtual-host style, any other host is path-style
 * @throws S3Error InvalidURI, InvalidBucketName, KeyTooLongError
 */
export function readAddress(path: string, host: string, ownHosts: readonly string[]): Address {
  const name = host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
  const own = ownHosts.find((ownHost) => name.endsWith(`.${ownHost}`))
  const decoded = textOf(percentDecode(path))
  if (!decoded.startsWith('/')) throw new S3Error('InvalidURI')
  if (own !== undefined && !ownHosts.includes(name)) return withKey(name.slice(0, -own.length - 1), decoded.slice(1))
  if (decoded === '/') return {}
  // An encoded slash does not end the name of the bucket.
  const end = path.indexOf('/', 1)
  const bucket = textOf(percentDecode(end < 0 ? path.slice(1) : path.slice(1, end)))
  return withKey(bucket, end < 0 ? '' : textOf(percentDecode(path.slice(end + 1))))
}

function withKey(bucket: string, key: string): Address {
  if (bucket === '' || bucket.includes('/')) throw new S3Error('InvalidBucketName', undefined, { BucketName: bucket })
  if (key === '') return { bucket }
  requireKey(key)
  return { bucket, key }
}

/**
 * Reads the header x-amz-copy-source: `/bucket/key?versionId=…`, percent-encoded, the first slash optional.
 * @throws S3Error InvalidArgument
 */
export function readCopySource(header: string): { bucket: string; key: string; versionId?: string } {
  const [, path, versionId] = /^\/?([^?]*)(?:\?versionId=([^&]+))?$/.exec(header) ?? []
  const slash = path?.indexOf('/') ?? -1
  if (path === undefined || slash < 1 || slash === path.length - 1)
    throw new S3Error('InvalidArgument', 'Copy Source must mention the source bucket and key: sourcebucket/sourcekey')
  const bucket = textOf(percentDecode(path.slice(0, slash)))
  const key = textOf(percentDecode(path.slice(slash + 1)))
  requireKey(key)
  return versionId === undefined ? { bucket, key } : { bucket, key, versionId: textOf(percentDecode(versionId)) }
}
