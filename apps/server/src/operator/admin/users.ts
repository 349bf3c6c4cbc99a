import { AppError, type contract, FREE_STORAGE, type Output, type Parsed, type Role } from '@tidenet/contract'
import {
  type AccountRow,
  type AccountState,
  changePlanDates,
  endSessionsOf,
  findAccount,
  findPlanDates,
  keysUsed,
  limitsOf,
  pageOfAccounts,
  quotaSince,
  sessionsSeen,
  setLock,
  setPlan,
} from '../../identity/index.ts'
import { grantPoints, type Points, pointsOf } from '../../payments/index.ts'
import { idAfter, pageOf } from '../../platform/db/cursors.ts'
import { countFolders, countLinks, trafficSince } from '../../storage/index.ts'
import { now } from '../context.ts'
import { change, type Deps, lockAccountToChange, type Operator } from './change.ts'

type Admin = (typeof contract)['admin']
type User = Output<Admin['setVip']>

const asUser = (row: AccountRow): User => ({
  uid: row.uid,
  email: row.email ?? '',
  role: row.role,
  vip: row.vip,
  locked_at: row.locked_at?.toISOString() ?? null,
  lock_reason: row.lock_reason,
  created_at: row.created_at.toISOString(),
  used: row.used_bytes,
  storage: limitsOf(row).storage,
  files: row.asset_count,
})

export async function listUsers(
  { db }: Pick<Deps, 'db'>,
  { after, size, ...filter }: Parsed<Admin['users']>,
): Promise<Output<Admin['users']>> {
  const rows = await pageOfAccounts(db, filter, idAfter(after), size + 1)
  const { list, next } = pageOf(rows, size, (last) => [last.id])
  return { list: list.map(asUser), next }
}

/** @throws AppError userNotFound */
export async function showUser(context: Deps, uid: string): Promise<Output<Admin['user']>> {
  const at = now(context)
  const row = await findAccount(context.db, uid)
  if (!row) throw new AppError('userNotFound')
  const { db } = context
  const [sessions, keys, folders, shares, { sent }] = await Promise.all([
    sessionsSeen(db, row.id, at),
    keysUsed(db, row.id),
    countFolders(db, row.id),
    countLinks(db, row.id),
    trafficSince(db, row.id, quotaSince(row, at)),
  ])
  return {
    ...asUser(row),
    folders,
    shares,
    reserved: row.reserved_bytes,
    sessions: sessions.open,
    keys: keys.keys,
    storage_quota: row.storage_quota,
    outflow_quota: row.outflow_quota,
    outflow: limitsOf(row).downloadTraffic,
    sent_this_month: sent,
    last_seen: latest(sessions.last, keys.last)?.toISOString() ?? null,
    points: await pointsOf(context.db, row.id),
  }
}

const latest = (a: Date | null, b: Date | null): Date | null => (a && b ? (a > b ? a : b) : (a ?? b))

const planOf = ({ role, vip, storage_quota, outflow_quota }: Omit<AccountState, 'id' | 'uid' | 'locked_at'>) => ({
  role,
  vip,
  storage_quota,
  outflow_quota,
})
type Plan = ReturnType<typeof planOf>

/**
 * The plan after a role change: a test account gets the free plan, an enterprise account the VIP plan. Leaving enterprise resets the plan.
 * Changes between user and operator keep it.
 */
export function planFor(role: Role, before: Plan): Plan {
  if (role === before.role) return before
  if (role === 'test') return { role, vip: false, storage_quota: null, outflow_quota: null }
  if (role === 'enterprise') return { ...before, role, vip: true }
  if (before.role === 'enterprise') return { role, vip: false, storage_quota: null, outflow_quota: null }
  return { ...before, role }
}

/** @param next computes the new plan from the current one */
const changePlan = (
  context: Deps,
  operator: Operator,
  { uid, reason }: { uid: string; reason: string },
  action: 'account.role' | 'account.vip' | 'account.quota',
  next: (before: Plan) => Plan,
): Promise<User> =>
  change(context, operator, { action, subject: `user:${uid}`, detail: { reason } }, async (tx) => {
    const account = await lockAccountToChange(tx, operator.caller, uid)
    const before = planOf(account)
    const after = next(before)
    const dates = changePlanDates(await findPlanDates(tx, account.id), after.vip, now(context))
    return { result: asUser(await setPlan(tx, account.id, { ...after, ...dates })), detail: { before, after } }
  })

/** @throws AppError userNotFound, ownAccount, forbidden */
export const setRole = (context: Deps, operator: Operator, input: Parsed<Admin['setRole']>): Promise<User> =>
  changePlan(context, operator, input, 'account.role', (before) => planFor(input.role, before))

/** @throws AppError userNotFound, ownAccount, forbidden; planOfRole where the role decides */
export const setVip = (context: Deps, operator: Operator, input: Parsed<Admin['setVip']>): Promise<User> =>
  changePlan(context, operator, input, 'account.vip', (before) => {
    if (input.vip ? before.role === 'test' : before.role === 'enterprise') throw new AppError('planOfRole')
    return { ...before, vip: input.vip }
  })

/** @throws AppError userNotFound, ownAccount, forbidden; testQuota */
export const setQuotas = (context: Deps, operator: Operator, input: Parsed<Admin['setQuotas']>): Promise<User> =>
  changePlan(context, operator, input, 'account.quota', (before) => {
    if (before.role === 'test' && (input.storage ?? 0) > FREE_STORAGE)
      throw new AppError('testQuota', { max: FREE_STORAGE })
    return { ...before, storage_quota: input.storage, outflow_quota: input.outflow }
  })

/** Locks the account and ends its sessions. @throws AppError userNotFound, ownAccount, forbidden */
export const lockUser = (context: Deps, operator: Operator, { uid, reason }: Parsed<Admin['lock']>): Promise<User> =>
  change(context, operator, { action: 'account.lock', subject: `user:${uid}`, detail: { reason } }, async (tx) => {
    const account = await lockAccountToChange(tx, operator.caller, uid)
    const row = await setLock(tx, account.id, account.locked_at ?? now(context), reason)
    const sessions = await endSessionsOf(tx, account.id, now(context))
    return { result: asUser(row), detail: { sessions } }
  })

/** @throws AppError userNotFound, ownAccount, forbidden */
export const unlockUser = (
  context: Deps,
  operator: Operator,
  { uid, reason }: Parsed<Admin['unlock']>,
): Promise<User> =>
  change(context, operator, { action: 'account.unlock', subject: `user:${uid}`, detail: { reason } }, async (tx) => {
    const account = await lockAccountToChange(tx, operator.caller, uid)
    return { result: asUser(await setLock(tx, account.id, null, '')) }
  })

/** @throws AppError userNotFound, ownAccount, forbidden */
export const grantUserPoints = (
  context: Deps,
  operator: Operator,
  { uid, points, reason }: Parsed<Admin['grantPoints']>,
): Promise<Points> =>
  change(
    context,
    operator,
    { action: 'points.grant', subject: `user:${uid}`, detail: { reason, points } },
    async (tx) => {
      const { id } = await lockAccountToChange(tx, operator.caller, uid)
      return { result: await grantPoints(context, tx, { userId: id, points, reason, by: operator.caller.userId }) }
    },
  )

/** @throws AppError userNotFound, ownAccount, forbidden */
export const endSessions = (
  context: Deps,
  operator: Operator,
  { uid, reason }: Parsed<Admin['endSessions']>,
): Promise<{ ended: number }> =>
  change(context, operator, { action: 'session.endAll', subject: `user:${uid}`, detail: { reason } }, async (tx) => {
    const account = await lockAccountToChange(tx, operator.caller, uid)
    const ended = await endSessionsOf(tx, account.id, now(context))
    return { result: { ended }, detail: { ended } }
  })
