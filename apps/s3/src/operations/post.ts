import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createChecksums,
  type ExpectedChecksums,
  type Headers,
  OBJECT_TAGS_MAX,
  readExpectedChecksums,
  readPostForm,
  readPostPolicy,
  readTagging,
  S3Error,
  type Tag,
  writeXml,
} from '@tidenet/s3-wire'
import type { Transfers } from '@tidenet/storage/gateway'
import type { Access } from '../access.ts'
import { PUT_MAX } from '../body.ts'
import { detailsOf, requireSupported } from '../details.ts'
import { type Answer, type Exchange, header, locationOf } from '../exchange.ts'
import { storeObject } from '../large-writes.ts'
import { need } from '../refusals.ts'
import { SMALL_MAX, type Write, type Written } from '../small-writes.ts'
import { expirationHeader, versionHeader } from '../versions.ts'

/** A form has no signature in its headers: its policy is what was signed. */
export type FormExchange = Omit<Exchange, 'caller' | 'signed' | 'whilePermitted'>

/** Bytes of forms that wait on disk, by access key. */
export type WaitingForms = Map<string, number>

/** Of a form, beside its file. */
const FRAMING_MAX = 64 * 1024

export const isForm = ({ method, headers }: Pick<FormExchange, 'method' | 'headers'>): boolean =>
  method === 'POST' && /^multipart\/form-data\b/i.test(header({ headers }, 'content-type') ?? '')

/**
 * Stores the file of a form that a browser sent. Its size is known only at its end, so a large file waits on disk.
 * @throws S3Error
 */
export async function postObject(
  exchange: FormExchange,
  {
    access,
    now,
    ip,
    readable,
    enter,
    waiting,
  }: {
    access: Access
    now: () => number
    ip: string
    readable(accessKeyId: string): Promise<void>
    enter(accessKeyId: string): void
    waiting: WaitingForms
  },
): Promise<Answer> {
  const { bucket, key: rest } = exchange.address
  if (bucket === undefined || rest !== undefined) throw new S3Error('MethodNotAllowed')
  const length = Number(header(exchange, 'content-length') ?? Number.NaN)
  if (Number.isNaN(length)) throw new S3Error('MissingContentLength')
  exchange.askForBody()
  const form = await readPostForm(header(exchange, 'content-type'), exchange.request, exchange.idleTimeout)
  const { fields } = form
  const policy = readPostPolicy({ fields, fileName: form.fileName, bucket }, now())
  await readable(policy.accessKeyId)
  const { transfers } = await access(policy, ip)
  enter(policy.accessKeyId)
  const headers = new Map([...fields].map(([name, value]) => [name, [Buffer.from(value, 'utf8').toString('latin1')]]))
  headers.set('x-amz-acl', [fields.get('acl') ?? 'private'])
  requireSupported({ headers })
  const expected = readExpectedChecksums({ headers, target: { path: '', query: [] }, payload: 'unsigned' })
  const { key, minBytes } = policy
  const limits = { minBytes, maxBytes: Math.min(policy.maxBytes, PUT_MAX) }
  // A disk is for all: what waits there must fit the account of the key.
  const size = length > SMALL_MAX ? Math.max(0, Math.min(length - FRAMING_MAX, limits.maxBytes)) : 0
  const held = exchange.heldBodies.add(policy.accessKeyId, Math.min(length, SMALL_MAX))
  const all = (waiting.get(policy.accessKeyId) ?? 0) + size
  waiting.set(policy.accessKeyId, all)
  const receiveIt = async () => {
    try {
      if (size > 0) need(await transfers.api.call('s3.canPut', { bucket, size: all }))
      return await receive(held.pieces(form.file(limits)), expected)
    } finally {
      const left = (waiting.get(policy.accessKeyId) ?? 0) - size
      if (left > 0) waiting.set(policy.accessKeyId, left)
      else waiting.delete(policy.accessKeyId)
    }
  }
  try {
    return await storeForm({ ...exchange, transfers }, { fields, headers, bucket, key }, await receiveIt())
  } finally {
    held.end()
  }
}

async function storeForm(
  exchange: FormExchange & { transfers: Transfers },
  {
    fields,
    headers,
    bucket,
    key,
  }: { fields: ReadonlyMap<string, string>; headers: Headers; bucket: string; key: string },
  file: Received,
): Promise<Answer> {
  const { transfers, signal, smallWrites } = exchange
  let written: Written
  try {
    const write: Write = {
      key,
      size: file.size,
      md5: file.md5,
      etag: file.md5,
      checksums: file.checksums,
      ...detailsOf({ headers }),
      tags: formTags(fields.get('tagging')),
    }
    if (file.bytes) written = await smallWrites.add(transfers, bucket, write, file.bytes)
    else {
      const pieces = createReadStream(file.path, { highWaterMark: SMALL_MAX })
      written = await storeObject({ transfers, signal }, { bucket, key }, { size: file.size, pieces }, () => write)
    }
  } finally {
    if (!file.bytes) await rm(file.path, { force: true })
  }
  const location = `${locationOf(exchange).replace(/\/$/, '')}/${key.split('/').map(encodeURIComponent).join('/')}`
  const answer = answerOf(fields, { bucket, key, etag: file.md5, location })
  return { ...answer, headers: { ...answer.headers, ...versionHeader(written), ...expirationHeader(written) } }
}

/** The field `tagging` has the XML of PutObjectTagging. @throws S3Error MalformedXML, InvalidTag */
const formTags = (field: string | undefined): Tag[] =>
  field === undefined ? [] : readTagging(Buffer.from(field), OBJECT_TAGS_MAX)

type Received = { size: number; md5: string; checksums: Record<string, string> } & (
  | { bytes: Buffer }
  | { bytes?: undefined; path: string }
)

/** Keeps a small file in memory, and a larger one on disk. Nothing stays if it fails. @throws S3Error BadDigest */
async function receive(file: AsyncIterable<Buffer>, expected: ExpectedChecksums): Promise<Received> {
  const stream = await createChecksums(expected)
  const small: Buffer[] = []
  let size = 0
  const path = join(tmpdir(), `tidenet-s3-${randomUUID()}`)
  let handle: Awaited<ReturnType<typeof open>> | undefined
  try {
    for await (const piece of file) {
      stream.update(piece)
      size += piece.length
      if (!handle && size <= SMALL_MAX) {
        small.push(piece)
        continue
      }
      if (!handle) {
        handle = await open(path, 'wx', 0o600)
        for (const before of small.splice(0)) await handle.write(before)
      }
      await handle.write(piece)
    }
    const { md5, checksum } = stream.finish()
    const received = { size, md5, checksums: checksum ? { [checksum.algorithm]: checksum.value } : {} }
    return handle ? { ...received, path } : { ...received, bytes: Buffer.concat(small) }
  } catch (error) {
    if (handle) await rm(path, { force: true })
    throw error
  } finally {
    await handle?.close()
  }
}

/** What the form asked for as its answer. */
function answerOf(
  fields: ReadonlyMap<string, string>,
  object: { bucket: string; key: string; etag: string; location: string },
): Answer {
  const { bucket, key, location } = object
  const etag = `"${object.etag}"`
  const redirect = fields.get('success_action_redirect') ?? fields.get('redirect')
  if (redirect !== undefined && URL.canParse(redirect)) {
    const to = new URL(redirect)
    for (const [name, value] of Object.entries({ bucket, key, etag })) to.searchParams.set(name, value)
    if (/^https?:$/.test(to.protocol)) return { status: 303, headers: { location: to.href, etag } }
  }
  const headers = { etag, location }
  switch (fields.get('success_action_status')) {
    case '200':
      return { status: 200, headers: { ...headers, 'content-length': '0' } }
    case '201':
      return {
        status: 201,
        headers: { ...headers, 'content-type': 'application/xml' },
        body: writeXml([
          'PostResponse',
          [
            ['Location', location],
            ['Bucket', bucket],
            ['Key', key],
            ['ETag', etag],
          ],
        ]),
      }
    default:
      return { status: 204, headers }
  }
}
