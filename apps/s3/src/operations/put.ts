import { readConditions, S3Error } from '@tidenet/s3-wire'
import { openBody } from '../body.ts'
import { detailsOf, requireSupported, tagsOf } from '../details.ts'
import { type Answer, checksumHeaders, type ObjectExchange } from '../exchange.ts'
import { storeObject } from '../large-writes.ts'
import { need } from '../refusals.ts'
import { SMALL_MAX, type Write, type Written } from '../small-writes.ts'
import { expirationHeader, versionHeader } from '../versions.ts'

/** Stores an object. Nothing of it is visible before all of it is stored, and what was there is replaced at once. */
export async function putObject(exchange: ObjectExchange): Promise<Answer> {
  requireSupported(exchange)
  const { bucket, key } = exchange.address
  const conditions = writeConditions(exchange)
  const details = { ...detailsOf(exchange), tags: tagsOf(exchange) }
  const body = await openBody(exchange)
  const write = (): Write => {
    const { md5, checksum, length } = body.checksums()
    const checksums: Record<string, string> = checksum ? { [checksum.algorithm]: checksum.value } : {}
    return { key, size: length, md5, etag: md5, ...details, checksums, ...conditions }
  }
  const { caller, signal } = exchange
  const { transfers } = caller
  let written: Written
  if (body.size <= SMALL_MAX) {
    const held = exchange.heldBodies.add(exchange.signed.accessKeyId, body.size)
    try {
      const pieces: Uint8Array[] = []
      for await (const piece of held.pieces(body.pieces)) pieces.push(piece)
      written = await exchange.smallWrites.add(transfers, bucket, write(), Buffer.concat(pieces))
    } finally {
      held.end()
    }
  } else {
    // A large body is not sent in vain.
    need(await transfers.api.call('s3.canPut', { bucket }))
    written = await storeObject({ transfers, signal }, exchange.address, body, write)
  }
  const headers = { etag: `"${written.etag}"`, ...checksumHeaders(written) }
  return { status: 200, headers: { ...headers, ...versionHeader(written), ...expirationHeader(written) } }
}

/** What the key must have for a write. @throws S3Error NotImplemented */
export function writeConditions({ headers }: Pick<ObjectExchange, 'headers'>): {
  if_match?: string
  if_none?: boolean
} {
  const { ifMatch, ifNoneMatch } = readConditions(headers)
  const [match] = ifMatch ?? []
  if (ifMatch && (ifMatch.length !== 1 || match === '*'))
    throw new S3Error('NotImplemented', 'For a write, If-Match has one ETag.')
  if (ifNoneMatch && ifNoneMatch.join() !== '*')
    throw new S3Error('NotImplemented', 'For a write, If-None-Match can only be *.')
  return { ...(match !== undefined && { if_match: match }), ...(ifNoneMatch && { if_none: true }) }
}
