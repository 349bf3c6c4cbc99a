import { AppError, RECENT_AUTH_LIFE } from '@tidenet/contract'
import type { Member } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'
import { findLastAuthentication } from './repository.ts'

export { recordAuthentication } from './repository.ts'

/** Until when this session may change sign-in methods. Undefined: the user must authenticate again. */
export async function recentAuthUntil(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  caller: Pick<Member, 'credential' | 'via'>,
): Promise<Date | undefined> {
  if (caller.via === 'key') return undefined
  const row = await findLastAuthentication(db, caller.credential)
  if (!row) return undefined
  const until = new Date(Math.max(row.created_at.getTime(), row.proved_at?.getTime() ?? 0) + RECENT_AUTH_LIFE)
  return until.getTime() > clock.now() ? until : undefined
}

/**
 * Protects changes to sign-in methods from someone who finds an open browser.
 * @throws AppError recentAuthRequired unless the user signed in or authenticated again in the last ten minutes
 */
export async function requireRecentAuth(
  context: Pick<Context, 'db' | 'clock'>,
  caller: Pick<Member, 'credential' | 'via'>,
): Promise<void> {
  if (!(await recentAuthUntil(context, caller))) throw new AppError('recentAuthRequired')
}
