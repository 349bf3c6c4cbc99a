import type { Context } from '../context.ts'
import { type Sql, sql } from '../db/sql.ts'

/** Every limit looks back one day, a code lives minutes: what is older serves nobody. */
const DAY = 24 * 3600 * 1000
/** Rows a statement takes, so that none holds locks for long. */
const MANY = 1000

/** Forgets what signing in leaves behind: ended sessions, old codes and their mails, counts of tries. Safe to run at once. */
export async function forgetSignInRecords({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const old = new Date(clock.now() - DAY)
  const steps: Sql[] = [
    sql`delete from code_log where id in (
      select id from code_log where sent_at < ${old} limit ${MANY} for update skip locked)`,
    sql`delete from codes where (purpose, address) in (
      select purpose, address from codes where expires_at < ${old} limit ${MANY} for update skip locked)`,
    sql`delete from attempts where (kind, subject) in (
      select kind, subject from attempts where since < ${old} and (locked_until is null or locked_until < ${old})
      limit ${MANY} for update skip locked)`,
    sql`delete from sessions where id in (
      select id from sessions where expires_at < ${old} limit ${MANY} for update skip locked)`,
    sql`delete from mails where id in (
      select id from mails where created_at < ${old} limit ${MANY} for update skip locked)`,
  ]
  for (const step of steps) while ((await db.run(step)) === MANY);
}
