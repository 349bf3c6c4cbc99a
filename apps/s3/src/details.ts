import { readTaggingHeader, S3Error, type Tag } from '@tidenet/s3-wire'
import { type Exchange, header } from './exchange.ts'

type Texts = Record<string, string>

/** Headers that are kept with an object, and sent with it. */
const KEPT = ['content-type', 'cache-control', 'content-disposition', 'content-encoding', 'content-language', 'expires']
const METADATA = 'x-amz-meta-'
/** All names and values together, as in S3. */
const METADATA_MAX = 2048

/** The tags that a request gives its object. @throws S3Error InvalidArgument, InvalidTag */
export const tagsOf = (exchange: Pick<Exchange, 'headers'>): Tag[] =>
  readTaggingHeader(header(exchange, 'x-amz-tagging') ?? '')

/** What a request says about its object beside the bytes and the tags. @throws S3Error MetadataTooLarge, NotImplemented */
export function detailsOf(exchange: Pick<Exchange, 'headers'>): { headers: Texts; metadata: Texts } {
  const headers: Texts = {}
  for (const name of KEPT) {
    const value = header(exchange, name)
    if (value === undefined) continue
    // The framing of the body is no property of the object.
    const plain =
      name === 'content-encoding'
        ? value
            .split(',')
            .map((part) => part.trim())
            .filter((part) => part !== 'aws-chunked' && part !== '')
            .join(',')
        : value
    if (plain !== '') headers[name] = plain
  }
  const metadata: Texts = {}
  let size = 0
  for (const name of exchange.headers.keys()) {
    if (!name.startsWith(METADATA)) continue
    // Header values hold the bytes of UTF-8.
    const value = Buffer.from(header(exchange, name) ?? '', 'latin1').toString('utf8')
    metadata[name.slice(METADATA.length)] = value
    size += name.length - METADATA.length + Buffer.byteLength(value)
  }
  if (size > METADATA_MAX)
    throw new S3Error('MetadataTooLarge', undefined, { Size: String(size), MaxSizeAllowed: String(METADATA_MAX) })
  return { headers, metadata }
}

/** Kept headers and metadata of an object, as headers of an answer: no others, and none that ends early. */
export function headersOf({ headers, metadata }: { headers: Texts; metadata: Texts }): Texts {
  const all: Texts = { 'content-type': 'binary/octet-stream' }
  for (const name of KEPT) {
    const value = headers[name]
    if (value !== undefined && isHeaderValue(value)) all[name] = value
  }
  for (const [name, text] of Object.entries(metadata)) {
    const value = Buffer.from(text, 'utf8').toString('latin1')
    if (HEADER_NAME.test(name) && isHeaderValue(value)) all[METADATA + name] = value
  }
  return all
}

const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/

/** Whether HTTP can carry it: bytes, as latin1, without control characters. */
export const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

const PRIVATE_ACLS = ['private', 'bucket-owner-full-control', 'bucket-owner-read']

/** Refuses what a client asks for in headers and would not get. @throws S3Error NotImplemented */
export function requireSupported(exchange: Pick<Exchange, 'headers'>): void {
  const refuse = (what: string): never => {
    throw new S3Error('NotImplemented', what)
  }
  for (const name of exchange.headers.keys()) {
    const value = header(exchange, name) ?? ''
    if (name === 'x-amz-acl' && !PRIVATE_ACLS.includes(value)) refuse('Objects are private; share them in the portal.')
    if (name.startsWith('x-amz-grant-')) refuse('Objects are private; share them in the portal.')
    if (name.startsWith('x-amz-server-side-encryption'))
      refuse('The gateway does not encrypt. Encrypt before you send, for example with restic or rclone crypt.')
    if (name.startsWith('x-amz-object-lock-')) refuse('Objects cannot be locked.')
    if (name === 'x-amz-storage-class' && value !== 'STANDARD') refuse('There is one storage class: STANDARD.')
    if (name === 'x-amz-website-redirect-location') refuse('Buckets are no websites.')
    if (name === 'x-amz-bucket-object-lock-enabled' && value.toLowerCase() !== 'false')
      refuse('Objects cannot be locked.')
    if (name === 'x-amz-object-ownership' && value !== 'BucketOwnerEnforced')
      refuse('The owner of a bucket owns its objects: BucketOwnerEnforced.')
    if (name === 'x-amz-bucket-namespace' && value !== 'global') refuse('There is one namespace of buckets.')
    if (name === 'x-amz-write-offset-bytes') refuse('Objects cannot be appended to. Store the whole object again.')
  }
}
