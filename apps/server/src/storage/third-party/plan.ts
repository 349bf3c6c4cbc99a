import { THIRD_PARTY_COPIES } from '@tidenet/contract'
import { enterpriseAccounts, paidAccounts } from '../../identity/index.ts'
import { placement } from '../../network/index.ts'
import { job } from '../../platform/jobs/job.ts'
import { type Context, type Db, now } from '../context.ts'
import { lastChange, planning as repository } from '../third-party-records/records.ts'
import type { ThirdParty } from './adapter.ts'
import { hasProviders, providersOf } from './providers.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'config'>

const HOUR = 3_600_000
/** Assets per part of a scan. */
const SCAN = 2000
const BATCH = 200
const BATCHES = 20
/** A content is planned again after this time, even if nothing changes. */
const RECHECK_MS = 6 * HOUR

/** Decides which contents get third-party replicas at which provider, and which replicas are removed. */
export async function planReplicas(context: Deps, signal?: AbortSignal): Promise<void> {
  const { db } = context
  if (hasProviders(context)) await db.transaction((tx) => repository.scanAssets(tx, paidAccounts, now(context), SCAN))
  for (let batch = 0; batch < BATCHES && !signal?.aborted; batch++) if ((await planDue(context)) === 0) return
}

/** @returns the number of contents */
export const planDue = (context: Deps): Promise<number> =>
  context.db.transaction(async (tx) => {
    const at = now(context)
    const cids = await repository.claimContents(tx, at, BATCH)
    if (cids.length === 0) return 0
    const providers = providersOf(context)
    const contents = await placement.findContents(tx, cids)
    const wanted = new Map(
      (await repository.findWanted(tx, cids, { paid: paidAccounts, enterprise: enterpriseAccounts })).map((row) => [
        row.cid,
        row,
      ]),
    )
    const held = new Map<string, repository.PlannedReplica[]>()
    for (const replica of await repository.replicasOf(tx, cids))
      held.set(replica.cid, [...(held.get(replica.cid) ?? []), replica])
    const adding: Adding[] = []
    const removing: number[] = []
    const again: number[] = []
    for (const cid of cids) {
      const replicas = held.get(cid) ?? []
      const row = wanted.get(cid)
      const content = contents.get(cid)
      if (!row || !content) {
        for (const { id } of replicas) removing.push(id)
        continue
      }
      if (!row.paid) {
        // What was paid for stays until it expires; what was not sent yet is not sent.
        for (const { id, sent } of replicas) if (!sent) removing.push(id)
        continue
      }
      // Only edges confirmed it: nobody but their owners vouches for its size.
      if (content.sole_holder !== null) continue
      const places = placesFor(cid, providers, row.enterprise ? THIRD_PARTY_COPIES.enterprise : THIRD_PARTY_COPIES.vip)
      const known = new Map(replicas.map((replica) => [`${replica.provider} ${replica.slot}`, replica]))
      for (const { provider, slot } of places) {
        const replica = known.get(`${provider.name} ${slot}`)
        if (replica?.state === 'removing') again.push(replica.id)
        if (!replica)
          adding.push({
            cid,
            size: content.size,
            kind: content.kind,
            provider: provider.name,
            adapter: provider.kind,
            slot,
            userId: row.user_id ?? 0,
          })
      }
    }
    if (adding.length > 0) {
      const expected = new Date(at.getTime() + context.config.thirdParty.hours * HOUR)
      await repository.insertReplicas(tx, await inTurn(tx, adding, at), at, expected)
    }
    if (removing.length > 0) await repository.removeReplicas(tx, removing, at)
    if (again.length > 0) await repository.restoreWanted(tx, again, at)
    await repository.planAgain(tx, cids, new Date(at.getTime() + RECHECK_MS))
    await repository.forgetContents(
      tx,
      cids.filter((cid) => !wanted.get(cid)?.paid),
    )
    return cids.length
  })

type Adding = Omit<repository.NewReplica, 'turn'> & { userId: number }

/** Ms of a turn: a call, and the bytes at 10 MB/s. */
const turnOf = ({ size }: Pick<Adding, 'size'>): number => 1000 + size / 10_000

/** An account with many or large contents must not keep others waiting: its replicas come one after the other, those of others in between. */
async function inTurn(tx: Db, adding: readonly Adding[], at: Date): Promise<repository.NewReplica[]> {
  const totals = new Map<number, number>()
  for (const replica of adding) totals.set(replica.userId, (totals.get(replica.userId) ?? 0) + turnOf(replica))
  const next = new Map([...(await repository.takeTurns(tx, totals, at))].map(([id, from]) => [id, from.getTime()]))
  return adding.map(({ userId, ...replica }) => {
    const turn = next.get(userId) ?? at.getTime()
    next.set(userId, turn + turnOf(replica))
    return { ...replica, turn: new Date(turn) }
  })
}

export interface Place {
  provider: ThirdParty
  slot: number
}

/**
 * Where a content gets its replicas: one at each provider that really stores it, spread over them by the CID; simulated ones fill the rest.
 */
export function placesFor(cid: string, providers: readonly ThirdParty[], copies: number): Place[] {
  const real = providers.filter(({ simulated }) => !simulated)
  const first = real.length > 0 ? Number.parseInt(Buffer.from(cid.slice(-4)).toString('hex'), 16) % real.length : 0
  const places = real.map((_, index) => ({ provider: real[(first + index) % real.length] as ThirdParty, slot: 0 }))
  const simulation = providers.find(({ simulated }) => simulated)
  for (let slot = 0; simulation && places.length < copies; slot++) places.push({ provider: simulation, slot })
  return places.slice(0, copies)
}

/** An account changed its choice. @param changed when; a later change has a job of its own */
export const accountToRecheck = job<{ userId: number; after: number; changed?: string }>('recheckThirdParty')

/** Has the contents of an account planned again, in batches. */
export async function recheckAccount(
  context: Deps,
  { userId, after, changed }: { userId: number; after: number; changed?: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if (changed !== undefined && (await lastChange(tx, userId)) !== changed) return
    const last = await repository.recheckAccount(tx, userId, after, now(context), SCAN)
    if (last !== undefined)
      await accountToRecheck.add(tx, { userId, after: last, ...(changed !== undefined && { changed }) })
  })
}
