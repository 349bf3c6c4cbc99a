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

/** A server looks again which key signs after this many ms; until then it may sign with one that was just retired. */
const LOOK_AGAIN = 60_000
/** How long a retired key is believed: its last token, what a server that has not looked again still signs, and some for clocks. */
const BELIEVED_AFTER = SESSION_LIFE + LOOK_AGAIN + 5 * 60_000
const KID = /^s-[\w-]{11}$/

interface KeyRow {
  kid: string
  public_key: JWK
  private_key: Buffer
  created_at: Date
  retired_at: Date | null
}

interface Known {
  signing?: { kid: string; key: KeyObject; until: number } | undefined
  /** By `kid`; a null is not kept, so that a key another server just made is found. */
  believed: Map<string, { key: KeyObject; until: number }>
}

const knownTo = new WeakMap<Keys, Known>()

function known(keys: Keys): Known {
  const present = knownTo.get(keys) ?? { believed: new Map() }
  knownTo.set(keys, present)
  return present
}

/** The key that signs sessions now. Reads by the caller's transaction: one that waits for a second connection may wait for ever. */
export async function signingKey(context: Deps, tx: Db): Promise<{ kid: string; key: KeyObject }> {
  const { keys, clock } = context
  const present = known(keys)
  if (present.signing && present.signing.until > clock.now()) return present.signing
  const opened = open(keys, await findSigning(tx))
  if (opened) {
    present.signing = { ...opened, until: clock.now() + LOOK_AGAIN }
    return present.signing
  }
  // Not remembered: the caller's transaction may still come to nothing.
  return makeKey(context, tx)
}

/** The public key of that name, while tokens of it may still be alive. */
export async function believedKey(
  { db, clock, keys }: Pick<Context, 'db' | 'clock' | 'keys'>,
  kid: string | undefined,
): Promise<KeyObject | undefined> {
  if (kid === undefined || !KID.test(kid)) return undefined
  const { believed } = known(keys)
  const present = believed.get(kid)
  if (present && present.until > clock.now()) return present.key
  believed.delete(kid)
  const row = await db.maybe<Pick<KeyRow, 'public_key'>>(sql`
    select public_key from session_keys where kid = ${kid} and (retired_at is null or retired_at > ${lastBelieved({ clock })})`)
  if (!row) return undefined
  const key = createPublicKey({ key: row.public_key as never, format: 'jwk' })
  believed.set(kid, { key, until: clock.now() + LOOK_AGAIN })
  return key
}

/** The public keys that tokens of today are signed by, for whoever checks them without asking us. */
export async function publicKeys({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<{ keys: JWK[] }> {
  const rows = await db.rows<Pick<KeyRow, 'kid' | 'public_key'>>(sql`
    select kid, public_key from session_keys where retired_at is null or retired_at > ${lastBelieved({ clock })}
    order by created_at desc`)
  return { keys: rows.map(({ kid, public_key }) => ({ ...public_key, kid, alg: SESSION_ALGORITHM, use: 'sig' })) }
}

/**
 * Makes the first key, or the next one when the present is 30 days old or sealed by another secret; forgets those that nothing alive was
 * signed by. Several servers may do so at once.
 */
export async function renewSessionKeys(context: Deps & Pick<Context, 'db'>): Promise<void> {
  const due = new Date(context.clock.now() - SESSION_KEY_LIFE)
  const row = await findSigning(context.db)
  if (!open(context.keys, row) || (row as KeyRow).created_at <= due)
    await context.db.transaction((tx) => makeKey(context, tx))
  await context.db.run(sql`delete from session_keys where retired_at <= ${lastBelieved(context)}`)
}

const findSigning = (db: Db): Promise<KeyRow | undefined> =>
  db.maybe(sql`select kid, public_key, private_key, created_at, retired_at from session_keys where retired_at is null`)

async function makeKey(context: Deps, tx: Db): Promise<{ kid: string; key: KeyObject }> {
  const at = now(context)
  await tx.run(sql`select pg_advisory_xact_lock(7416273402)`)
  const row = await findSigning(tx)
  const present = open(context.keys, row)
  // Another server was first.
  if (present && (row as KeyRow).created_at > new Date(at.getTime() - SESSION_KEY_LIFE)) return present
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

const lastBelieved = ({ clock }: Pick<Context, 'clock'>): Date => new Date(clock.now() - BELIEVED_AFTER)
