import type { AuditAction, AuditResult } from '@tidenet/contract'
import { type Context, now } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Member } from '../http/callers.ts'

/**
 * Who made a change: a member by session or API key; the owner of an account without a session (`proof`: an e-mailed code, a wallet, a node
 * with an owner code); or the system.
 */
export type Actor = Pick<Member, 'userId' | 'uid' | 'via' | 'credential' | 'actor'> | Proved | 'system'

export interface Proved {
  userId: number
  uid: string
  via: 'proof'
}

export interface AuditEntry {
  action: AuditAction
  /** Kind and id of the changed object: `user:u…`, `key:…`, `node:…`, `lead:12`. */
  subject: string
  /** Before and after, the reason given. Never a secret or an e-mail address. */
  detail?: Readonly<Record<string, unknown>>
  /** Default: `done`. */
  result?: AuditResult
}

/**
 * Records a change in the transaction that makes it, so neither exists without the other.
 * Pass the pool to record a refusal: its transaction is rolled back.
 */
export async function audit(
  tx: Db,
  context: Pick<Context, 'clock'>,
  actor: Actor,
  from: { ip: string },
  { action, subject, detail = {}, result = 'done' }: AuditEntry,
): Promise<void> {
  const person = actor !== 'system' && 'actor' in actor && actor.actor
  const by =
    actor === 'system' ? { userId: null, uid: '', via: 'system' } : person ? { ...person, via: 'session' } : actor
  const credential = actor !== 'system' && 'credential' in actor ? actor.credential : ''
  await tx.run(sql`
    insert into audit_log (at, actor_user_id, actor, via, credential, ip, action, subject, detail, result)
    values (${now(context)}, ${by.userId}, ${by.uid}, ${by.via}, ${credential}, ${from.ip},
      ${action}, ${subject}, ${JSON.stringify(person ? { ...detail, team: actor.uid } : detail)}::jsonb, ${result})`)
}
