import {
  type AdminThirdParty,
  AppError,
  type contract,
  type Output,
  type Parsed,
  THIRD_PARTY_COPIES,
  THIRD_PARTY_KINDS,
  type ThirdPartyChoice,
  type ThirdPartyExclusion,
  type ThirdPartyRecord,
} from '@tidenet/contract'
import { lockAccountForUpdate, plansOf } from '../../identity/index.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Member, Visitor } from '../../platform/http/callers.ts'
import { readKey } from '../assets/key.ts'
import { type Context, type Db, now } from '../context.ts'
import { type AssetAccess, openShare } from '../shares/access.ts'
import {
  findChoice,
  isAgreedFor,
  listing as repository,
  restores,
  type Sendable,
  setChoice,
} from '../third-party-records/records.ts'
import { accountToRecheck } from './plan.ts'
import { hasProviders } from './providers.ts'

type ThirdPartyContract = (typeof contract)['thirdParty']
type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'config'>

/** How many replicas a plan includes. */
async function copiesOf(db: Db, userId: number): Promise<number> {
  const plan = (await plansOf(db, [userId])).get(userId)
  if (!plan?.vip) return 0
  return plan.role === 'enterprise' ? THIRD_PARTY_COPIES.enterprise : THIRD_PARTY_COPIES.vip
}

/** The third-party replicas of an asset; none if the caller may not see it. @throws AppError badCid */
export async function listReplicas(
  context: Deps,
  caller: Member | Visitor,
  input: Parsed<ThirdPartyContract['list']>,
): Promise<Output<ThirdPartyContract['list']>> {
  const nothing = { list: [], total: 0, wanted: 0, ...repository.NO_REPLICAS, excluded: null }
  const key = readKey(input.cid, input.asset_id)
  const uid = input.user_id || (caller.kind === 'member' ? caller.uid : '')
  const access = await openShare(context, { caller, uid, ...key, groupId: input.group_id, token: input.ticket }).catch(
    (error: unknown): AssetAccess | undefined => {
      if (error instanceof AppError) return undefined
      throw error
    },
  )
  // An account that may not have the bytes learns nothing about copies of others.
  if (!access) return nothing
  const { asset, owner } = access
  const own = caller.kind === 'member' && caller.userId === owner.userId
  if (asset.restricted_to !== null) return { ...nothing, ...(own && { excluded: 'unconfirmed' as const }) }
  const { db } = context
  const choice = await findChoice(db, owner.userId)
  const agreed = isAgreedFor(asset, choice)
  const [rows, total, counts, wanted] = await Promise.all([
    repository.pageOfReplicas(db, key.cid, agreed, input.page_size, (input.page - 1) * input.page_size),
    repository.totalOf(db, key.cid, agreed),
    repository.countReplicas(db, [key.cid]),
    copiesOf(db, owner.userId),
  ])
  return {
    list: rows.map((row) => toWireRecord(row)),
    total,
    wanted,
    ...((agreed && counts.get(key.cid)) || repository.NO_REPLICAS),
    excluded: own ? exclusionOf(context, wanted, asset, agreed) : null,
  }
}

function exclusionOf(
  context: Pick<Deps, 'config'>,
  wanted: number,
  asset: Sendable,
  agreed: boolean,
): ThirdPartyExclusion | null {
  if (!hasProviders(context)) return 'noProvider'
  if (wanted === 0) return 'plan'
  if (asset.areas.length > 0) return 'areas'
  return agreed ? null : 'noAgreement'
}

const text = (at: Date | null): string | null => at?.toISOString() ?? null

function toWireRecord(row: repository.ListedReplica): ThirdPartyRecord {
  const { state, reason, late_since } = row
  const done = state === 'stored' || state === 'removing'
  return {
    id: row.id,
    provider: row.provider_label || row.provider,
    kind: row.adapter,
    simulated: row.adapter === 'simulation',
    state,
    queue_position: row.ahead,
    deal_id: row.deal_id,
    expected_at: done ? null : row.expected_at.toISOString(),
    late:
      late_since !== null && reason !== null
        ? { reason, since: late_since.toISOString(), by: row.expected_at.toISOString() }
        : null,
    checked_at: text(row.checked_at),
    renewals: row.renewals,
    start_time: text(row.stored_at),
    end_time: text(row.expires_at),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    deleted_at: null,
    payload_cid: row.cid,
    piece_size: row.size,
    message_cid: '',
    piece_cid: '',
    sector_num: '',
    ip: '',
    location: '',
    cost: '',
    path: '',
    f_index: 0,
    gas: '',
    pledge: '',
    start_height: 0,
    end_height: 0,
  }
}

/** What the account agreed to, and what its plan includes. */
export async function showChoice(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { userId }: Member,
): Promise<Output<ThirdPartyContract['choice']>> {
  return {
    choice: await findChoice(db, userId),
    copies: await copiesOf(db, userId),
    providers: providersReady({ config }),
  }
}

/** Sets what the account agrees to; a job adds and removes replicas. */
export async function choose(
  context: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  { choice }: { choice: ThirdPartyChoice },
  from: { ip: string },
): Promise<Output<ThirdPartyContract['choose']>> {
  await context.db.transaction(async (tx) => {
    // One change after the other: each must see what the last one left.
    await lockAccountForUpdate(tx, caller.userId)
    const at = now(context)
    const before = await setChoice(tx, caller.userId, choice, at)
    if (before === choice) return
    await accountToRecheck.add(tx, { userId: caller.userId, after: 0, changed: at.toISOString() })
    const detail = { from: before, to: choice }
    await audit(tx, context, caller, from, { action: 'thirdParty.choose', subject: `user:${caller.uid}`, detail })
  })
  return { choice }
}

const FAILURES = 50

/** Providers, their health and their replicas, for operators. */
export async function thirdParties({
  db,
  config,
}: Pick<Context, 'db' | 'config'>): Promise<Output<(typeof contract)['admin']['thirdParties']>> {
  const [rows, failures, restoring] = await Promise.all([
    repository.findProviders(db),
    repository.lastFailures(db, FAILURES),
    restores.countRestoring(db),
  ])
  const known = new Map(rows.map((row) => [row.name, row]))
  const { providers } = config.thirdParty
  const configured = new Map<string, AdminThirdParty['kind']>(providers.map(({ name, kind }) => [name, kind]))
  const names = [
    ...new Set([...configured.keys(), ...rows.filter(({ adapter }) => adapter !== null).map(({ name }) => name)]),
  ]
  return {
    list: names.map((name) => {
      const row = known.get(name)
      const kind = configured.get(name) ?? THIRD_PARTY_KINDS.find((known) => known === row?.adapter) ?? 'simulation'
      const failing = row?.failed_at && (!row.answered_at || row.failed_at > row.answered_at)
      return {
        name,
        kind,
        simulated: kind === 'simulation',
        configured: configured.has(name),
        answered_at: text(row?.answered_at ?? null),
        failed_at: failing ? text(row.failed_at) : null,
        error: failing ? row.error : '',
        queued: row?.queued ?? 0,
        in_progress: row?.in_progress ?? 0,
        stored: row?.stored ?? 0,
        failed: row?.failed ?? 0,
        removing: row?.removing ?? 0,
        late: row?.late ?? 0,
        bytes: row?.bytes ?? 0,
      }
    }),
    restoring,
    failures: failures.map(({ updated_at, ...failure }) => ({ ...failure, at: updated_at.toISOString() })),
  }
}

/** Whether providers are configured that really store files, a simulation only, or none. */
export const providersReady = ({ config }: Pick<Context, 'config'>): 'real' | 'simulated' | 'none' => {
  const { providers } = config.thirdParty
  if (providers.some(({ kind }) => kind !== 'simulation')) return 'real'
  return providers.length > 0 ? 'simulated' : 'none'
}
