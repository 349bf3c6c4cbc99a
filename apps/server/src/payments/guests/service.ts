import { randomBytes, randomUUID } from 'node:crypto'
import { AppError, type ClusterName, type contract, type Output, type Parsed } from '@tidenet/contract'
import { endConsoleAccess, moveWorkspace, openConsoleSession } from '../../compute/index.ts'
import { closeGuestAccount, openGuestAccount } from '../../identity/index.ts'
import { type AttemptLimit, clientNetworkOf, countAttempt } from '../../platform/attempts/attempts.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { job } from '../../platform/jobs/job.ts'
import { hashToken } from '../../platform/token-hash.ts'
import { type Context, now } from '../context.ts'
import { insertKeptOrder } from '../orders/kept.ts'
import { GRACE } from '../orders/times.ts'
import * as repository from './repository.ts'

/**
 * Workspaces of ten minutes for people without an account (decision 49). A guest is an account that nobody can sign in to; its workspace
 * has no access to the internet. Whoever signs up meanwhile can adopt it.
 */

type Operations = typeof contract.guests
type From = { ip: string; agent: string }

export const GUEST_MS = 10 * 60_000
/** The console may be used a little longer than the workspace, to read what was there. */
const SESSION_MS = GUEST_MS + 5 * 60_000
const LEASE_MS = 60_000
const BATCH = 10
/** The smallest machine. */
export const GUEST_SIZE = { cpu: 1, ram: 1, storage: 10 } as const
/** Per client network, after which each start waits longer. */
const STARTS: AttemptLimit = { kind: 'guest', free: 3, firstLock: 3_600_000, longestLock: 24 * 3_600_000 }

export const guestToStart = job<{ id: string }>('startGuestWorkspace')

const readyCluster = async (context: Context): Promise<ClusterName | undefined> =>
  (await context.workspaces.offered(context)).find(({ ready }) => ready)?.name

export async function guestOffer(context: Context): Promise<Output<Operations['offer']>> {
  const available = context.config.guestWorkspaces > 0 && (await readyCluster(context)) !== undefined
  return { available, minutes: GUEST_MS / 60_000, kept_hours: GRACE / 3_600_000 }
}

/** @throws AppError guestsOff, guestsFull, guestRunning, guestsTooMany */
export async function startGuest(context: Context, from: From): Promise<Output<Operations['start']>> {
  const most = context.config.guestWorkspaces
  const cluster = most > 0 ? await readyCluster(context) : undefined
  if (cluster === undefined) throw new AppError('guestsOff')
  // Guests must not take the last room that could be sold.
  if (!(await context.workspaces.hasCapacity(context, { cluster, ...GUEST_SIZE }))) throw new AppError('guestsFull')
  const network = clientNetworkOf(from.ip)
  const seconds = await countAttempt(context, STARTS, network)
  if (seconds > 0) throw new AppError('guestsTooMany', { minutes: Math.ceil(seconds / 60) })
  const key = randomBytes(32).toString('base64url')
  return context.db.transaction(async (tx) => {
    await repository.lockStarts(tx)
    if ((await repository.countActive(tx)) >= most) throw new AppError('guestsFull')
    const at = now(context)
    const guestId = await openGuestAccount(tx, at)
    const workspaceId = randomUUID()
    const endsAt = new Date(at.getTime() + GUEST_MS)
    const guest = { workspaceId, guestId, keyHash: hashToken(key), network, cluster, at, endsAt }
    if ((await repository.insertGuest(tx, guest)) === 0) throw new AppError('guestRunning')
    await guestToStart.add(tx, { id: workspaceId })
    return { key, ...(await openConsoleSession(tx, guestId, new Date(at.getTime() + SESSION_MS), from, at)) }
  })
}

/** Creates the workspace; its minutes begin when it is ready. */
export async function runGuest(context: Context, workspaceId: string): Promise<void> {
  const guest = await repository.findGuest(context.db, workspaceId)
  if (guest?.state !== 'starting' || guest.guest_id === null) return
  const order = { workspaceId, userId: guest.guest_id, cluster: guest.cluster, ...GUEST_SIZE, offline: true }
  try {
    await context.workspaces.create(context, order)
  } catch (error) {
    context.log.warn({ err: error, workspace: workspaceId }, 'a guest workspace could not be started')
    await repository.setFailed(context.db, workspaceId, now(context))
    return
  }
  const at = now(context)
  await repository.setRunning(context.db, workspaceId, at, new Date(at.getTime() + GUEST_MS))
}

/** @throws AppError notFound */
export async function guestState(
  context: Context,
  { key }: Parsed<Operations['state']>,
): Promise<Output<Operations['state']>> {
  const guest = await repository.findByKey(context.db, hashToken(key))
  if (!guest) throw new AppError('notFound')
  const left = guest.state === 'running' ? Math.floor((guest.ends_at.getTime() - context.clock.now()) / 1000) : 0
  return { state: guest.state, seconds_left: Math.max(0, left), adopted: guest.adopted_by !== null }
}

/** @throws AppError notFound, guestOver, guestAdopted */
export async function adoptGuest(
  context: Context,
  caller: Member,
  { key }: Parsed<Operations['adopt']>,
  from: From,
): Promise<Output<Operations['adopt']>> {
  return context.db.transaction(async (tx) => {
    const guest = await repository.lockByKey(tx, hashToken(key))
    const { adopted_by: by = null } = guest ?? {}
    if (!guest || (by !== null && by !== caller.userId)) throw new AppError('notFound')
    const at = now(context)
    if (guest.state !== 'running' || guest.ends_at <= at) throw new AppError('guestOver')
    if (by === null) {
      if (await repository.hasAdopted(tx, caller.userId)) throw new AppError('guestAdopted')
      await moveWorkspace(tx, guest.workspace_id, caller.userId)
      await repository.setAdopted(tx, guest.workspace_id, caller.userId, at)
      // A session of the guest must not reach other workspaces of the account.
      if (guest.guest_id !== null) await endGuestAccount(tx, guest.guest_id, at)
    }
    const session = await openConsoleSession(tx, caller.userId, new Date(at.getTime() + SESSION_MS), from, at)
    return { ...session, ends_at: guest.ends_at.toISOString() }
  })
}

async function endGuestAccount(tx: Db, guestId: number, at: Date): Promise<void> {
  await endConsoleAccess(tx, guestId)
  await closeGuestAccount(tx, guestId, at)
}

/** Ends those whose time is over: removes them, or keeps them as an expired order of the account that adopted them. */
export async function endGuests(context: Context, signal?: AbortSignal): Promise<void> {
  const at = now(context)
  for (const guest of await repository.leaseDue(context.db, at, new Date(at.getTime() + LEASE_MS), BATCH)) {
    if (signal?.aborted) return
    await endGuest(context, guest).catch((error: unknown) =>
      context.log.warn({ err: error, workspace: guest.workspace_id }, 'a guest workspace could not be ended yet'),
    )
  }
}

async function endGuest(context: Context, { workspace_id, cluster, started_at }: repository.GuestRow): Promise<void> {
  const { db, workspaces } = context
  // It may have been adopted since it was leased; adopting is refused when its time is over.
  const guest = await repository.findGuest(db, workspace_id)
  if (!guest || guest.state === 'over') return
  const userId = guest.adopted_by
  const until = new Date(now(context).getTime() + GRACE)
  await (userId === null
    ? workspaces.remove(context, workspace_id)
    : workspaces.suspend(context, workspace_id, { until, order: workspace_id }))
  await db.transaction(async (tx) => {
    if ((await repository.setOver(tx, workspace_id)) === 0) return
    const at = now(context)
    if (guest.guest_id !== null) await endGuestAccount(tx, guest.guest_id, at)
    if (userId !== null)
      await insertKeptOrder(context, tx, { workspaceId: workspace_id, userId, cluster, startedAt: started_at ?? at })
  })
}
