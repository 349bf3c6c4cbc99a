import { WALLET_COOLDOWN } from '@tidenet/contract'
import { type Context, now } from '../../context.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

/** Limits look back one day: what is older serves nobody. What has an end of its own is gone with that. */
const DAY = 24 * 3600 * 1000
/** An owner looks back at least this long. */
const SIGN_INS_KEPT = 90 * DAY
/** What the operators see of mails: to whom, when, whether it arrived. */
const MAIL_LOG = 30 * DAY
/** Rows a statement takes, so that none holds locks for long. */
const MANY = 1000

/** Forgets what signing in leaves behind: ended sessions, old codes and their mails, counts of tries. Safe to run at once. */
export async function forgetSignInRecords({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const at = now({ clock })
  const old = new Date(at.getTime() - DAY)
  const olderMails = new Date(clock.now() - MAIL_LOG)
  const longAgo = new Date(clock.now() - SIGN_INS_KEPT)
  const steps: Sql[] = [
    sql`delete from code_log where id in (
      select id from code_log where sent_at < ${old} limit ${MANY} for update skip locked)`,
    // A code that has ended may still say until when the next one waits.
    sql`delete from codes where (purpose, address, code_hash) in (
      select purpose, address, code_hash from codes where expires_at < ${at} and resend_at < ${at} limit ${MANY} for update skip locked)`,
    sql`delete from attempts where (kind, subject) in (
      select kind, subject from attempts where since < ${old} and (locked_until is null or locked_until < ${old})
      limit ${MANY} for update skip locked)`,
    sql`delete from sessions where id in (
      select id from sessions where expires_at < ${old} limit ${MANY} for update skip locked)`,
    sql`delete from wallet_nonces where id in (
      select id from wallet_nonces where expires_at < ${at} limit ${MANY} for update skip locked)`,
    sql`delete from wallet_releases where (address, user_id) in (
      select address, user_id from wallet_releases where released_at < ${new Date(clock.now() - WALLET_COOLDOWN)}
      limit ${MANY} for update skip locked)`,
    sql`delete from second_factor_tickets where ticket_hash in (
      select ticket_hash from second_factor_tickets where expires_at < ${at} limit ${MANY} for update skip locked)`,
    sql`delete from passkey_challenges where challenge in (
      select challenge from passkey_challenges where expires_at < ${at} limit ${MANY} for update skip locked)`,
    sql`delete from sign_ins where id in (
      select id from sign_ins where at < ${longAgo} or (user_id is null and at < ${old})
      limit ${MANY} for update skip locked)`,
    sql`delete from sign_in_flows where state_hash in (
      select state_hash from sign_in_flows where expires_at < ${at} limit ${MANY} for update skip locked)`,
    sql`update mails set body_text = '', body_html = '' where id in (
      select id from mails where created_at < ${old} and body_text <> '' limit ${MANY} for update skip locked)`,
    sql`delete from mails where id in (
      select id from mails where created_at < ${olderMails} limit ${MANY} for update skip locked)`,
  ]
  for (const step of steps) while ((await db.run(step)) === MANY);
}
