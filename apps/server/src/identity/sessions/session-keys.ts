import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { SESSION_KEY_LIFE, SESSION_LIFE } from '@tidenet/contract'
import type { JWK } from 'jose'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Keys } from '../../platform/keys.ts'
import { seal, unseal } from '../../platform/seal.ts'
import { type Context, now } from '../context.ts'

type Deps = Pick<Context, 'clock' | 'keys'>

export const SESSION_ALGORITHM = 'ES256'

/** How long a server caches keys. It can sign with a retired key for this long. */
const CACHE_TTL_MS = 60_000
/** How long a retired key verifies tokens: the life of its last token, plus the cache, plus clock skew. */
const VALID_AFTER_RETIREMENT_MS = SESSION_LIFE + CACHE_TTL_MS + 5 * 60_000
const KID = /^s-[\w-]{11}$/

interface KeyRow {
  kid: string
  public_key: JWK
  private_key: Buffer
  created_at: Date
  retired_at: Date | null
}

interface KeyCache {
  signing?: { kid: string; key: KeyObject; until: number } | undefined
  /** By `kid`. Unknown ones are not cached, because another server may have just created them. */
  verification: Map<string, { key: KeyObject; until: number }>
}

const caches = new WeakMap<Keys, KeyCache>()

function cacheOf(keys: Keys): KeyCache {
  const cache = caches.get(keys) ?? { verification: new Map() }
  caches.set(keys, cache)
  return cache
}

/** The current signing key. Uses the caller's transaction: taking a second connection could deadlock the pool. */
export async function signingKey(context: Deps, tx: Db): Promise<{ kid: string; key: KeyObject }> {
  const { keys, clock } = context
  const cache = cacheOf(keys)
  if (cache.signing && cache.signing.until > clock.now()) return cache.signing
  const opened = open(keys, await findSigning(tx))
  if (opened) {
    cache.signing = { ...opened, until: clock.now() + CACHE_TTL_MS }
    return cache.signing
  }
  // Not cached: the caller's transaction may be rolled back.
  return createKey(context, tx)
}

/** The public key with this `kid`, while tokens signed by it can be valid. */
export async function verificationKey(
  { db, clock, keys }: Pick<Context, 'db' | 'clock' | 'keys'>,
  kid: string | undefined,
): Promise<KeyObject | undefined> {
  if (kid === undefined || !KID.test(kid)) return undefined
  const { verification } = cacheOf(keys)
  const cached = verification.get(kid)
  if (cached && cached.until > clock.now()) return cached.key
  verification.delete(kid)
  const row = await db.maybe<Pick<KeyRow, 'public_key'>>(sql`
    select public_key from session_keys where kid = ${kid} and (retired_at is null or retired_at > ${oldestValidRetirement({ clock })})`)
  if (!row) return undefined
  const key = createPublicKey({ key: row.public_key as never, format: 'jwk' })
  verification.set(kid, { key, until: clock.now() + CACHE_TTL_MS })
  return key
}

/** The public keys of all valid tokens. */
export async function publicSessionKeys({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<JWK[]> {
  const rows = await db.rows<Pick<KeyRow, 'kid' | 'public_key'>>(sql`
    select kid, public_key from session_keys where retired_at is null or retired_at > ${oldestValidRetirement({ clock })}
    order by created_at desc`)
  return rows.map(({ kid, public_key }) => ({ ...public_key, kid, alg: SESSION_ALGORITHM, use: 'sig' }))
}

/**
 * Creates a key if there is none, or if the current one is 30 days old or encrypted with another secret. Deletes keys that no valid token
 * needs. Safe to run concurrently.
 */
export async function renewSessionKeys(context: Deps & Pick<Context, 'db'>): Promise<void> {
  const due = new Date(context.clock.now() - SESSION_KEY_LIFE)
  const row = await findSigning(context.db)
  if (!open(context.keys, row) || (row as KeyRow).created_at <= due)
    await context.db.transaction((tx) => createKey(context, tx))
  await context.db.run(sql`delete from session_keys where retired_at <= ${oldestValidRetirement(context)}`)
}

const findSigning = (db: Db): Promise<KeyRow | undefined> =>
  db.maybe(sql`select kid, public_key, private_key, created_at, retired_at from session_keys where retired_at is null`)

async function createKey(context: Deps, tx: Db): Promise<{ kid: string; key: KeyObject }> {
  const at = now(context)
  await tx.run(sql`select pg_advisory_xact_lock(7416273402)`)
  const row = await findSigning(tx)
  const current = open(context.keys, row)
  // Another server has just created one.
  if (current && (row as KeyRow).created_at > new Date(at.getTime() - SESSION_KEY_LIFE)) return current
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = `s-${randomBytes(8).toString('base64url')}`
  await tx.run(sql`update session_keys set retired_at = ${at} where retired_at is null`)
  await tx.run(sql`
    insert into session_keys (kid, public_key, private_key, created_at)
    values (${kid}, ${JSON.stringify(publicKey.export({ format: 'jwk' }))}::jsonb,
      ${seal(context.keys.session, privateKey.export({ format: 'der', type: 'pkcs8' }), kid)}, ${at})`)
  return { kid, key: privateKey }
}

function open(keys: Keys, row: KeyRow | undefined): { kid: string; key: KeyObject } | undefined {
  const der = row && unseal(keys.session, row.private_key, row.kid)
  return der && { kid: row.kid, key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) }
}

const oldestValidRetirement = ({ clock }: Pick<Context, 'clock'>): Date =>
  new Date(clock.now() - VALID_AFTER_RETIREMENT_MS)
