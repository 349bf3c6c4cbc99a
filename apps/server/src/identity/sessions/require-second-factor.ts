import { AppError } from '@tidenet/contract'
import { sql } from '../../platform/db/sql.ts'
import type { Member } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'

/**
 * In production, operators and agents need a second factor. Every sign-in method requires it if the account has one, so it is sufficient to check that.
 * @throws AppError operatorSecondFactor
 */
export async function requireSecondFactor(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { userId }: Pick<Member, 'userId'>,
): Promise<void> {
  if (config.environment !== 'production') return
  const { strong } = await db.one<{ strong: boolean }>(sql`
    select exists (select 1 from totp where user_id = ${userId} and confirmed_at is not null)
      or exists (select 1 from users u join passkeys p on p.user_id = u.id where u.id = ${userId} and u.passkey_required) as strong`)
  if (!strong) throw new AppError('operatorSecondFactor')
}
