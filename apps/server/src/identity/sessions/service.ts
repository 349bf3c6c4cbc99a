import { AppError, type OpenSession, type SignInRecord } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import { deviceOf } from './device.ts'
import { placeOf } from './place.ts'
import { deleteSecondFactorTokens, endOpenSessions, findOpenSessions, findSignIns } from './repository.ts'

export { pageOfSignIns, sessionAgents, sessionsSeen, stillOpen } from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock'>

export async function listSessions(context: Deps, caller: Member): Promise<OpenSession[]> {
  const rows = await findOpenSessions(context.db, caller.userId, now(context))
  return rows.map(({ id, ip, agent, created_at, seen_at }) => ({
    id,
    device: deviceOf(agent),
    place: placeOf(ip),
    created_at: created_at.toISOString(),
    seen_at: seen_at.toISOString(),
    current: id === caller.credential,
  }))
}

export async function listSignIns({ db }: Pick<Context, 'db'>, caller: Member, size: number): Promise<SignInRecord[]> {
  const rows = await findSignIns(db, caller.userId, size)
  return rows.map(({ at, ip, agent, ...rest }) => ({
    ...rest,
    at: at.toISOString(),
    device: deviceOf(agent),
    place: placeOf(ip),
  }))
}

/**
 * Ends one session, all others, or all. The latter two also cancel sign-ins that wait for their second factor.
 * @throws AppError sessionUnknown
 */
export async function revokeSessions(
  context: Deps,
  caller: Member,
  { id, others, all }: { id?: string | undefined; others?: boolean | undefined; all?: boolean | undefined },
  from: { ip: string },
): Promise<number> {
  const many = all || others
  if (!many && !id) throw new AppError('sessionUnknown')
  const which = all ? {} : others ? { but: caller.credential } : { only: id }
  return context.db.transaction(async (tx) => {
    const ended = await endOpenSessions(tx, caller.userId, which, now(context))
    if (!many && ended === 0) throw new AppError('sessionUnknown')
    if (many) await deleteSecondFactorTokens(tx, caller.userId)
    await audit(tx, context, caller, from, {
      action: many ? 'session.endAll' : 'session.end',
      subject: many ? `user:${caller.uid}` : `session:${id}`,
      detail: { ended },
    })
    return ended
  })
}

/** Also cancels sign-ins that wait for their second factor. @returns how many sessions were open */
export async function endSessionsOf(tx: Db, userId: number, at: Date): Promise<number> {
  await deleteSecondFactorTokens(tx, userId)
  return endOpenSessions(tx, userId, {}, at)
}

/** Ends the caller's session; does nothing if it has already ended. */
export async function signOut(context: Deps, caller: Member, from: { ip: string }): Promise<void> {
  await context.db.transaction(async (tx) => {
    const ended = await endOpenSessions(tx, caller.userId, { only: caller.credential }, now(context))
    if (ended === 0) return
    const subject = `session:${caller.credential}`
    await audit(tx, context, caller, from, { action: 'session.end', subject, detail: { ended } })
  })
}

/** Ends all sessions but this one, and cancels sign-ins that wait for their second factor. */
export async function endOtherSessions(tx: Db, { userId, credential }: Member, at: Date): Promise<void> {
  await deleteSecondFactorTokens(tx, userId)
  await endOpenSessions(tx, userId, { but: credential }, at)
}
