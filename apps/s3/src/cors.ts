import { clientNetworkOf } from '@tidenet/daemon'
import { type CorsRule, corsHeaders, type Headers, headerOf, parameterOf, S3Error, type Target } from '@tidenet/s3-wire'
import { createLru } from './lru.ts'

/** Returns the rules of a bucket, as the account of an access key names it. */
export type FindCorsRules = (
  bucket: string,
  accessKeyId: string | undefined,
) => Promise<readonly CorsRule[] | 'unknown account'>

/** Nobody has checked who asks, so each address has a limit. */
const LOOKUPS_MAX = 300
const LOOKUPS_WINDOW_MS = 60_000
const ADDRESSES_MAX = 10_000

export interface Cors {
  /** The headers of the answer to a preflight, which browsers send without a signature. @throws S3Error CORSForbidden, InvalidRequest, SlowDown */
  preflight(request: {
    target: Target
    headers: Headers
    bucket: string | undefined
    ip: string
  }): Promise<Record<string, string>>
  /** The headers with which a page of another origin can read an answer. */
  headersFor(request: {
    origin: string | undefined
    method: string
    bucket: string | undefined
    accessKeyId: string | undefined
    ip: string
  }): Promise<Record<string, string>>
  /** The rules of a bucket have changed. */
  forget(bucket: string): void
}

const KNOWN_MS = 5000
const KNOWN_MAX = 1000
/** Names in one preflight. */
const NAMES_MAX = 100
const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD']
const TOKEN = /^[\w!#$%&'*+.^`|~-]{1,200}$/
const ORIGIN = /^[\x21-\x7e]{1,300}$/

export function createCors(find: FindCorsRules, now: () => number): Cors {
  const known = createLru<{ bucket: string; until: number; rules: ReturnType<FindCorsRules> }>(KNOWN_MAX)
  const isWithinLimit = createLimit(now)
  const rulesOf = (bucket: string, accessKeyId: string | undefined, ip: string): ReturnType<FindCorsRules> => {
    // Both can have blanks, and anybody chooses them.
    const name = JSON.stringify([accessKeyId, bucket])
    const found = known.get(name)
    if (found && found.until > now()) return found.rules
    if (!isWithinLimit(ip)) return Promise.reject(new S3Error('SlowDown'))
    const rules = find(bucket, accessKeyId)
    rules.catch(() => known.delete(name))
    known.set(name, { bucket, until: now() + KNOWN_MS, rules })
    return rules
  }
  return {
    async preflight({ target, headers, bucket, ip }) {
      const origin = headerOf(headers, 'origin')
      const method = headerOf(headers, 'access-control-request-method')
      if (origin === undefined || method === undefined)
        throw new S3Error('InvalidRequest', 'A preflight has the headers Origin and Access-Control-Request-Method.')
      const names = (headerOf(headers, 'access-control-request-headers') ?? '')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
      const isSound = names.length <= NAMES_MAX && names.every((name) => TOKEN.test(name)) && ORIGIN.test(origin)
      if (!isSound || !METHODS.includes(method) || bucket === undefined) throw new S3Error('CORSForbidden')
      const rules = await rulesOf(bucket, claimedAccessKey(target, headers), ip)
      const allowed =
        rules === 'unknown account'
          ? openTo({ origin, method, names })
          : corsHeaders(rules, { origin, method, headers: names })
      if (!allowed) throw new S3Error('CORSForbidden')
      return { ...allowed, 'content-length': '0' }
    },
    async headersFor({ origin, method, bucket, accessKeyId, ip }) {
      if (origin === undefined || bucket === undefined || accessKeyId === undefined || !ORIGIN.test(origin)) return {}
      // A page that cannot read the answer is no reason to refuse the request.
      const rules = await rulesOf(bucket, accessKeyId, ip).catch(() => [])
      if (rules === 'unknown account' || rules.length === 0) return {}
      return corsHeaders(rules, { origin, method, headers: [] }) ?? { vary: 'Origin' }
    },
    forget(bucket) {
      for (const [name, one] of known.entries()) if (one.bucket === bucket) known.delete(name)
    },
  }
}

/** @returns whether an address may look something up; of IPv6, a network of 64 bits is one */
function createLimit(now: () => number): (ip: string) => boolean {
  const windows = createLru<{ until: number; left: number }>(ADDRESSES_MAX)
  return (ip) => {
    const name = clientNetworkOf(ip)
    let window = windows.get(name)
    if (!window || window.until <= now()) {
      window = { until: now() + LOOKUPS_WINDOW_MS, left: LOOKUPS_MAX }
      windows.set(name, window)
    }
    window.left -= 1
    return window.left >= 0
  }
}

/**
 * A preflight does not say whose bucket it means, unless its URL is presigned. It gives nothing away: the request that follows is signed, and
 * its answer has these headers only if the rules of the bucket allow it.
 */
const openTo = ({ origin, method, names }: { origin: string; method: string; names: readonly string[] }) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-methods': method,
  ...(names.length > 0 && { 'access-control-allow-headers': names.join(', ') }),
  vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
})

/** The access key that a request says it was signed with. Nobody has checked that. */
export function claimedAccessKey(target: Target, headers: Headers): string | undefined {
  const credential =
    parameterOf(target, 'X-Amz-Credential') ??
    /\bCredential=([^,\s]+)/.exec(headerOf(headers, 'authorization') ?? '')?.[1]
  const id = credential?.split('/', 1)[0]
  return id === undefined || id === '' || id.length > 128 ? undefined : id
}
