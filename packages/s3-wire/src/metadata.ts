import { S3Error } from './errors.ts'
import type { Headers } from './request.ts'

/** Of all names and values, without the prefix of the names. */
export const METADATA_BYTES_MAX = 2048
const PREFIX = 'x-amz-meta-'

/**
 * Reads the metadata that a client stores with an object.
 * @returns values by lower-case name without `x-amz-meta-`, as text
 * @throws S3Error MetadataTooLarge, InvalidArgument for values that are not UTF-8
 */
export function readMetadata(headers: Headers): Record<string, string> {
  const entries = [...headers]
    .filter(([name]) => name.startsWith(PREFIX) && name.length > PREFIX.length)
    .map(([name, values]) => [name.slice(PREFIX.length), decode(values.join(','))] as const)
  const size = entries.reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value), 0)
  if (size > METADATA_BYTES_MAX)
    throw new S3Error('MetadataTooLarge', undefined, {
      Size: String(size),
      MaxSizeAllowed: String(METADATA_BYTES_MAX),
    })
  return Object.fromEntries(entries)
}

/** The headers of an answer, for Node.js: the bytes that the client sent. */
export const metadataHeaders = (metadata: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [PREFIX + name, Buffer.from(value).toString('latin1')]),
  )

/** @param value as Node.js gives bytes of headers */
function decode(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    throw new S3Error('InvalidArgument', 'Metadata must be UTF-8.')
  }
}
