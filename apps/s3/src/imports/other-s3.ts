import { createHash } from 'node:crypto'
import type { ImportReason } from '@tidenet/contract'
import { type GuardedAnswer, isOutsideTarget } from '@tidenet/daemon'
import { readXml, S3Error, scopeOf, sign, signingKeyOf, uriEncode, type XmlElement } from '@tidenet/s3-wire'
import { ImportFailed } from './import-failed.ts'
import type { ImportTask } from './import-task.ts'
import { fetchSource, piecesOf } from './source-fetch.ts'

/** An object as another S3 lists it. */
export interface ListedObject {
  key: string
  size: number
  /** Without quotes. */
  etag: string
}

export interface OtherS3 {
  /** One page in the order of the keys. `next` is absent on the last one. @throws ImportFailed */
  list(after: string | undefined): Promise<{ objects: ListedObject[]; next: string | undefined }>
  /** Its bytes follow the headers. @throws ImportFailed */
  open(object: ListedObject): Promise<GuardedAnswer>
}

const EMPTY_SHA256 = createHash('sha256').digest('hex')
/** A page of 1,000 keys of 1,024 bytes, percent-encoded. */
const PAGE_BYTES = 4 * 1024 * 1024
/** Refusals are small. */
const ERROR_BYTES = 64 * 1024

/** Reads a bucket of another S3 with signed requests; addresses have the bucket in their path, which every S3 understands. */
export function openOtherS3({ job, limits }: ImportTask): OtherS3 {
  const endpoint = new URL(job.source)
  const base = endpoint.pathname.replace(/\/+$/, '')
  const encoded = (text: string, isPath: boolean) => uriEncode(Buffer.from(text), isPath)

  const get = async (path: string, query: Record<string, string>, most: number): Promise<GuardedAnswer> => {
    const search = Object.entries(query)
      .map(([name, value]) => `${encoded(name, false)}=${encoded(value, false)}`)
      .sort()
      .join('&')
    const url = new URL(`${endpoint.origin}${path}${search === '' ? '' : `?${search}`}`)
    // URLs cannot say `.` and `..`: the request would be for another key.
    if (url.pathname !== path || !isOutsideTarget(url, { privateToo: limits.privateToo, httpToo: true }))
      throw new ImportFailed('s3Answer', 'a key that no address can name')
    const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '')
    const headers: Record<string, string> = {
      host: url.host,
      'x-amz-content-sha256': EMPTY_SHA256,
      'x-amz-date': time,
    }
    const names = Object.keys(headers).sort()
    const request = [
      'GET',
      path,
      search,
      ...names.map((name) => `${name}:${headers[name]}`),
      '',
      names.join(';'),
      EMPTY_SHA256,
    ].join('\n')
    const scope = { date: time.slice(0, 8), region: job.region, service: 's3' as const }
    const hashed = createHash('sha256').update(request).digest('hex')
    const text = ['AWS4-HMAC-SHA256', time, scopeOf(scope), hashed].join('\n')
    const signature = sign(signingKeyOf(job.secret_access_key, scope), text)
    const authorization = `AWS4-HMAC-SHA256 Credential=${job.access_key_id}/${scopeOf(scope)}, SignedHeaders=${names.join(';')}, Signature=${signature}`
    const answer = await fetchSource(url, limits, {
      // A refusal can be larger than the object.
      most: Math.max(most, ERROR_BYTES),
      headers: { ...headers, authorization },
      // A signature is for one host.
      redirectsMax: 0,
      // Objects are kept as they are, with their header.
      encodedToo: true,
    }).catch((error: unknown) => {
      throw error instanceof ImportFailed && ['redirects', 'tooLarge'].includes(error.reason)
        ? new ImportFailed('s3Answer')
        : error
    })
    if (answer.status === 200) return answer
    const { status } = answer
    const code = await errorCodeOf(answer)
    throw new ImportFailed(reasonOfRefusal(status, code), `status ${status} ${code}`)
  }

  const bucketPath = `${base}/${encoded(job.bucket, false)}`
  return {
    async list(after) {
      const { body } = await get(
        bucketPath,
        {
          'list-type': '2',
          'encoding-type': 'url',
          'max-keys': '1000',
          ...(job.prefix !== '' && { prefix: job.prefix }),
          ...(after !== undefined && { 'continuation-token': after }),
        },
        PAGE_BYTES,
      ).catch((error: unknown) => {
        throw error instanceof ImportFailed && error.reason === 's3Forbidden' ? new ImportFailed('s3List') : error
      })
      const pieces: Uint8Array[] = []
      for await (const piece of piecesOf(body)) pieces.push(piece)
      return readPage(Buffer.concat(pieces))
    },
    open: ({ key, size }) => get(`${bucketPath}/${encoded(key, true)}`, {}, size),
  }
}

/** The code in the body of a refusal; empty if it has none. */
async function errorCodeOf({ body }: GuardedAnswer): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of piecesOf(body)) {
      pieces.push(piece)
      size += piece.length
      if (size > ERROR_BYTES) return ''
    }
    const root = readXml(Buffer.concat(pieces))
    return root.name === 'Error' ? (textOf(root, 'Code') ?? '').slice(0, 100) : ''
  } catch {
    return ''
  }
}

function reasonOfRefusal(status: number, code: string): ImportReason {
  if (code === 'InvalidObjectState') return 'archived'
  if (code === 'AccessDenied') return 's3Forbidden'
  if (status === 403 || status === 401) return 's3Denied'
  if (status === 404) return 's3Missing'
  return status >= 500 || status === 429 ? 'unreachable' : 's3Answer'
}

function readPage(xml: Buffer): { objects: ListedObject[]; next: string | undefined } {
  try {
    const root = readXml(xml)
    if (root.name !== 'ListBucketResult') throw new ImportFailed('s3Answer', root.name.slice(0, 100))
    const isEncoded = textOf(root, 'EncodingType') === 'url'
    const objects = root.children
      .filter(({ name }) => name === 'Contents')
      .map((element) => {
        const key = textOf(element, 'Key') ?? ''
        const size = Number(textOf(element, 'Size'))
        if (key === '' || !Number.isSafeInteger(size) || size < 0) throw new ImportFailed('s3Answer', 'an object')
        return {
          key: isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key,
          size,
          etag: (textOf(element, 'ETag') ?? '').replace(/^"|"$/g, ''),
        }
      })
    const next = textOf(root, 'IsTruncated') === 'true' ? textOf(root, 'NextContinuationToken') : undefined
    return { objects, next: next === '' ? undefined : next }
  } catch (error) {
    throw error instanceof S3Error || error instanceof URIError ? new ImportFailed('s3Answer', error.message) : error
  }
}

const textOf = (element: XmlElement, name: string): string | undefined =>
  element.children.find((child) => child.name === name)?.text
