import type { AuditAction, AuditResult } from '@tidenet/contract'
import { type Context, now } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Member } from '../http/callers.ts'

/**
 * Who changed something: a member by session or key; somebody who has proved to own an account without a session (`proof`: a mailed code, a
 * wallet, a node that shows the code of its owner); or the system itself.
 */
export type Actor = Pick<Member, 'userId' | 'uid' | 'via' | 'credential'> | Proved | 'system'

export interface Proved {
  userId: number
  uid: string
  via: 'proof'
}

export interface AuditEntry {
  action: AuditAction
  /** Kind and name of what was changed: `user:u…`, `key:…`, `node:…`, `lead:12`. */
  subject: string
  /** What else to know: before and after, the reason given. Never a secret, nor an e-mail address. */
  detail?: Readonly<Record<string, unknown>>
  /** `done` when left out. */
  result?: AuditResult
}

/**
 * Writes down a change in the transaction that makes it: there is no change without its row, and no row without its change.
 * A refusal is written with the pool instead, because its transaction does not come about.
 */
export async function audit(
  tx: Db,
  context: Pick<Context, 'clock'>,
  actor: Actor,
  from: { ip: string },
  { action, subject, detail = {}, result = 'done' }: AuditEntry,
): Promise<void> {
  const who = actor === 'system' ? { userId: null, uid: '', via: 'system' } : actor
  const credential = actor !== 'system' && 'credential' in actor ? actor.credential : ''
  await tx.run(sql`
    insert into audit_log (at, actor_user_id, actor, via, credential, ip, action, subject, detail, result)
    values (${now(context)}, ${who.userId}, ${who.uid}, ${who.via}, ${credential}, ${from.ip},
      ${action}, ${subject}, ${JSON.stringify(detail)}::jsonb, ${result})`)
}
