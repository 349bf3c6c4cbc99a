import { AppError } from '@tidenet/contract'
import { sql } from '../../platform/db/sql.ts'
import type { Member } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'

/**
 * In production the operator area lets in nobody whose account a password alone opens: an account that has a second factor is asked for it by
 * every way in, so it is enough that there is one.
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
