import { S3Error } from '@tidenet/s3-wire'
import { isSuccess, type Transfers } from '@tidenet/storage/gateway'
import type { Caller } from './access.ts'
import { knownError, s3ErrorOf } from './refusals.ts'

/** Running downloads of one caller share a check. */
const CHECK_MS = 1000
/** What the portal says of a key that was deleted, or that may not read any more; other failures end no download. */
const ENDED = ['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch']

export interface ReadChecks {
  /**
   * The same pieces, for as long as the access key may read. Throws S3Error AccessDenied.
   * @param access who signed the request, as the portal knows it now
   */
  whilePermitted(pieces: AsyncIterable<Uint8Array>, access: () => Promise<Caller>): AsyncGenerator<Uint8Array, void>
}

/** Nodes send a content to the end that was opened, so a gateway asks whether the key has ended meanwhile. */
export function createReadChecks(now: () => number): ReadChecks {
  const checks = new WeakMap<Transfers, { at: number; isPermitted: Promise<boolean> }>()
  const ask = async ({ api }: Transfers): Promise<boolean> => {
    const answer = await api.call('apiKeys.own', {})
    if (!isSuccess(answer)) return !ENDED.includes(s3ErrorOf(answer).code)
    const { permissions } = answer.data
    return permissions === 'all' || permissions.includes('readFile')
  }
  const isPermitted = async (access: () => Promise<Caller>): Promise<boolean> => {
    try {
      const { transfers } = await access()
      const known = checks.get(transfers)
      if (known && now() - known.at < CHECK_MS) return await known.isPermitted
      const check = { at: now(), isPermitted: ask(transfers) }
      checks.set(transfers, check)
      return await check.isPermitted
    } catch (error) {
      return !ENDED.includes(knownError(error)?.code ?? '')
    }
  }
  return {
    async *whilePermitted(pieces, access) {
      let at = now()
      for await (const piece of pieces) {
        if (now() - at >= CHECK_MS) {
          at = now()
          if (!(await isPermitted(access))) throw new S3Error('AccessDenied')
        }
        yield piece
      }
    },
  }
}
