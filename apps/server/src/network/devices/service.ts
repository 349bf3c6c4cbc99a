import { randomBytes } from 'node:crypto'
import {
  AppError,
  type contract,
  type Lang,
  NODE_KINDS,
  type Output,
  type OwnedDevice,
  type Parsed,
} from '@tidenet/contract'
import { accountsOf } from '../../identity/index.ts'
import { DAY } from '../../platform/ago.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { hashToken } from '../../platform/token-hash.ts'
import { certificatesOf } from '../certificates/service.ts'
import { type Context, now } from '../context.ts'
import {
  clearOwner,
  countDevices,
  type DeviceRow,
  listDevices,
  renameOwned,
  setLanguage,
  setMail,
  setOwner,
} from '../nodes/owners.ts'
import { timesOf } from '../nodes/times.ts'
import { clonedTimesOf } from '../relays/cloned-keys.ts'
import { relayedBy } from '../relays/relayed.ts'
import { deleteCode, findCode, upsertCode } from './repository.ts'

type Devices = (typeof contract)['devices']
type Deps = Pick<Context, 'db' | 'clock' | 'config'>

const CODE_LIFE = DAY

async function toWireDevices(
  context: Pick<Context, 'clock' | 'config'>,
  db: Db,
  rows: readonly DeviceRow[],
): Promise<OwnedDevice[]> {
  const ids = rows.map(({ node_id }) => node_id)
  const certificates = await certificatesOf(context, db, ids)
  const cloned = await clonedTimesOf(db, ids, now(context))
  const relayed = await relayedBy(db, ids, now(context))
  return rows.map((row) => ({
    ...toWireDevice(context, row),
    certificate: certificates.get(row.node_id) ?? null,
    cloned_at: cloned.get(row.node_id)?.toISOString() ?? null,
    passed_on: relayed.get(row.node_id) ?? null,
  }))
}

/** @throws AppError notFound */
async function requireWireDevice(
  context: Pick<Context, 'clock' | 'config'>,
  db: Db,
  row: DeviceRow | undefined,
): Promise<OwnedDevice> {
  const [device] = row ? await toWireDevices(context, db, [row]) : []
  if (!device) throw new AppError('notFound')
  return device
}

const toWireDevice = (
  context: Pick<Context, 'clock' | 'config'>,
  {
    node_id,
    name,
    kind,
    seen_at,
    offline_at,
    linked_at,
    audits_passed,
    audited_periods,
    vetting_since,
    updates_on,
    update_problem,
    update_version,
    leaving_since,
    leaving_remaining,
    ...row
  }: DeviceRow,
): Omit<OwnedDevice, 'certificate' | 'cloned_at' | 'passed_on'> => ({
  node_id,
  name,
  type: NODE_KINDS[kind],
  ...row,
  updates: updates_on === null ? null : { on: updates_on, problem: update_problem, version: update_version },
  leaving: leaving_since && { since: leaving_since.toISOString(), remaining: leaving_remaining ?? 0 },
  seen_at: seen_at?.toISOString() ?? null,
  offline_at: offline_at?.toISOString() ?? null,
  linked_at: linked_at.toISOString(),
  vetting: row.standing === 'new' ? vettingOf(context, { audits_passed, audited_periods, vetting_since }) : null,
})

function vettingOf(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  {
    audits_passed,
    audited_periods,
    vetting_since,
  }: Pick<DeviceRow, 'audits_passed' | 'audited_periods' | 'vetting_since'>,
): OwnedDevice['vetting'] {
  const { vettingAudits, vettingPeriods, vettingTime } = timesOf(config)
  // Time in which it was hardly there does not count.
  const present = Math.min(1, audited_periods / vettingPeriods) * vettingTime
  const time = Math.min(present, Math.max(0, clock.now() - vetting_since.getTime()))
  return {
    audits: Math.min(audits_passed, vettingAudits),
    audits_of: vettingAudits,
    time: Math.floor(Math.min(time, vettingTime) / 1000),
    time_of: vettingTime / 1000,
  }
}

/** A page of the account's nodes, and totals of all of them. */
export async function listOwnDevices(
  context: Deps,
  caller: Member,
  { page, size }: Parsed<Devices['list']>,
): Promise<Output<Devices['list']>> {
  const { db } = context
  const { offlineAfter, notifyAfter } = timesOf(context.config)
  const list = await listDevices(db, caller.userId, size, (page - 1) * size)
  return {
    list: await toWireDevices(context, db, list),
    ...(await countDevices(db, caller.userId)),
    offline_after: offlineAfter / 1000,
    mail_after: (offlineAfter + notifyAfter) / 1000,
  }
}

/** Replaces the account's owner code. Only its hash is stored. @param lang language of e-mails about nodes linked with this code */
export async function createOwnerCode(context: Deps, caller: Member, lang: Lang): Promise<Output<Devices['code']>> {
  const code = `own_${randomBytes(16).toString('base64url')}`
  const at = now(context)
  const expiresAt = new Date(at.getTime() + CODE_LIFE)
  await upsertCode(context.db, { userId: caller.userId, hash: hashToken(code), lang, expiresAt })
  return { code, made_at: at.toISOString(), expires_at: expiresAt.toISOString() }
}

/** @throws AppError notFound, also for a node of another account */
export async function setDeviceEmails(
  context: Deps,
  caller: Member,
  input: Parsed<Devices['mail']>,
): Promise<OwnedDevice> {
  const row = await setMail(context.db, caller.userId, input.node_id, input.mail)
  return requireWireDevice(context, context.db, row)
}

/** @throws AppError notFound, also for a node of another account */
export const renameDevice = (
  context: Deps,
  caller: Member,
  { node_id, name }: Parsed<Devices['rename']>,
  ip: string,
): Promise<OwnedDevice> =>
  context.db.transaction(async (tx) => {
    const row = await renameOwned(tx, caller.userId, node_id, name)
    if (!row) throw new AppError('notFound')
    await audit(tx, context, caller, { ip }, { action: 'device.rename', subject: `node:${node_id}`, detail: { name } })
    return requireWireDevice(context, tx, row)
  })

/** Unlinks a node. The owner code is deleted too, or the node would be linked again at its next start. @throws AppError notFound */
export async function unlinkDevice(context: Deps, caller: Member, nodeId: string, ip: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    if ((await clearOwner(tx, caller.userId, nodeId, now(context))) === 0) throw new AppError('notFound')
    await deleteCode(tx, caller.userId)
    await audit(tx, context, caller, { ip }, { action: 'device.unlink', subject: `node:${nodeId}` })
  })
}

/**
 * Links a node that proved its key to the account of the owner code, also if it has another owner: whoever runs the node decides.
 * @param ownerId the current owner
 * @returns whether the code was valid; an invalid code changes nothing
 */
export async function linkDevice(
  context: Pick<Context, 'clock'>,
  tx: Db,
  { nodeId, ownerId, code, ip }: { nodeId: string; ownerId: number | null; code: string; ip: string },
): Promise<boolean> {
  const at = now(context)
  const valid = code === '' ? undefined : await findCode(tx, hashToken(code), at)
  if (!valid) return false
  const accounts = await accountsOf(tx, ownerId === null ? [valid.user_id] : [valid.user_id, ownerId])
  const owner = accounts.get(valid.user_id)
  if (!owner || owner.locked) return false
  if (owner.id === ownerId) {
    await setLanguage(tx, nodeId, valid.lang)
    return true
  }
  const before = ownerId === null ? '' : (accounts.get(ownerId)?.uid ?? '')
  await setOwner(tx, nodeId, { id: owner.id, lang: valid.lang }, at)
  await audit(
    tx,
    context,
    { userId: owner.id, uid: owner.uid, via: 'proof' },
    { ip },
    { action: 'device.link', subject: `node:${nodeId}`, detail: before ? { before } : {} },
  )
  return true
}
