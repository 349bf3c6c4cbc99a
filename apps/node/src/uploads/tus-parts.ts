import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { UploadClaims } from '@tidenet/contract'
import { DATA } from '../contents/content-record.ts'
import { Refusal, refuseForeign } from '../refusal.ts'
import { texts } from '../texts.ts'
import type { Pace } from './pace.ts'
import type { StoredUpload, Uploads } from './store-upload.ts'
import type { TusUpload } from './tus-upload.ts'

/** tus extension "concatenation": parts that a client sends at the same time become one upload. */

/** `Upload-Concat`: a part, or the names of the parts of a final upload. */
export type Concat = { is: 'partial' } | { is: 'final'; names: string[] }

/** Long enough for all parts of an upload, with an address and a token each. */
const CONCAT_MAX = 12_000

/**
 * "Its value MUST be `partial` or `final` followed by a semicolon and a space-separated list of partial upload URLs", absolute or relative.
 * @throws Refusal 400
 */
export function readConcat(text: string | undefined): Concat | undefined {
  if (text === undefined) return undefined
  if (text === 'partial') return { is: 'partial' }
  const names = /^final;(.+)$/.exec(text)?.[1]?.trim().split(/ +/).map(nameOf)
  if (!names || text.length > CONCAT_MAX || names.includes(undefined)) throw new Refusal(400, texts.concatMalformed)
  return { is: 'final', names: names as string[] }
}

const nameOf = (url: string): string | undefined => /\/tus\/([^/?#]+)(?:[?#]|$)/.exec(url)?.[1]

/**
 * The parts, if the token can join them.
 * @throws Refusal 403, 404, 409
 */
export function checkParts(claims: UploadClaims, parts: readonly (TusUpload | undefined)[]): TusUpload[] {
  return parts.map((part) => {
    if (!part || part.session.part === undefined) throw new Refusal(404, texts.noUpload)
    const { session } = part
    if (session.claims.jti !== claims.jti) throw refuseForeign('The part belongs to another token.')
    // "The Server MAY respond with 4xx if the partial uploads are not finished"; only `concatenation-unfinished` would accept them.
    if (session.offset !== session.length) throw new Refusal(409, texts.partUnfinished)
    return part
  })
}

/** Stores the bytes of the parts, in this order, as one upload. */
export function joinParts(
  claims: UploadClaims,
  parts: readonly TusUpload[],
  { uploads, pace }: { uploads: Uploads; pace: Pace },
): Promise<StoredUpload> {
  const size = parts.reduce((sum, { session }) => sum + session.offset, 0)
  if (size === 0 && claims.kind === 'file') return uploads.storeEmpty(claims)
  return uploads.receive(claims, { bytes: Readable.from(bytesOf(parts), { objectMode: false }), most: size }, pace)
}

async function* bytesOf(parts: readonly TusUpload[]): AsyncGenerator<Buffer> {
  for (const { session, incoming } of parts)
    if (session.offset > 0)
      yield* createReadStream(join(incoming.folder, DATA), { end: session.offset - 1, highWaterMark: 1 << 20 })
}
