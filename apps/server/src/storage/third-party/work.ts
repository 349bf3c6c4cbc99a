import { THIRD_PARTY_DAYS } from '@tidenet/contract'
import { enterpriseAccounts, paidAccounts } from '../../identity/index.ts'
import { DAY } from '../../platform/ago.ts'
import { readCid } from '../../platform/cids.ts'
import { type Context, now } from '../context.ts'
import { planning, replicas as repository } from '../third-party-records/records.ts'
import { type Stored, type ThirdParty, ThirdPartyError } from './adapter.ts'
import { carFromNodes, readBack } from './blocks.ts'
import { providersOf } from './providers.ts'

export type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'policy' | 'log'>

const SECOND = 1000
const HOUR = 3600 * SECOND
/** Replicas that a server works on at the same time. */
const PARALLEL = 4
/** Batches per run, so that other tasks can run in between. */
const BATCHES = 50
/** A provider that does not answer is asked again after this time. */
const PAUSE_MS = 30 * SECOND
const BACKOFF = { first: 15 * SECOND, most: 6 * HOUR }
/** Stored replicas are read back about this often; sooner after a failure. */
const CHECK_EVERY_MS = DAY
const CHECK_AGAIN_MS = HOUR
/** A stored replica is given up and sent again after so many failed checks in a row. */
const CHECKS_MAX = 3
/** A replica that never could be read back is removed and sent again after so many tries. */
const TRIES_MAX = 6
/** Replicas are renewed this long before they expire. */
const RENEW_MS = 30 * DAY

const backoff = (tries: number): number => Math.min(BACKOFF.most, BACKOFF.first * 2 ** Math.min(20, tries))

/** Sends, asks about, verifies, renews and removes replicas that are due. */
export async function workOnReplicas(context: Deps, signal: AbortSignal): Promise<void> {
  const providers = new Map(providersOf(context).map((provider) => [provider.name, provider]))
  for (let batch = 0; batch < BATCHES && !signal.aborted; batch++) {
    const at = now(context)
    const paused = await repository.failingSince(context.db, new Date(at.getTime() - PAUSE_MS))
    const claimed = await repository.claimReplicas(context.db, at, PARALLEL, paused)
    if (claimed.length === 0) return
    await Promise.all(claimed.map((replica) => workOn(context, providers, replica, signal)))
  }
}

async function workOn(
  context: Deps,
  providers: ReadonlyMap<string, ThirdParty>,
  replica: repository.ReplicaRow,
  signal: AbortSignal,
): Promise<void> {
  const provider = providers.get(replica.provider)
  const { key, kind, size } = replica
  const content: Stored = { key, kind, size, cid: readCid(replica.cid).cid }
  try {
    if (!provider && !(replica.state === 'removing' && replica.external_id === null))
      throw new ThirdPartyError('unconfigured', 'the provider is not in the settings')
    const work: Work = { context, provider: provider as ThirdParty, replica, content, signal }
    if (replica.state === 'removing') await remove(work)
    else if (replica.state === 'stored') await check(work)
    else if (replica.state === 'inProgress' && replica.external_id) await ask(work)
    else await send(work)
    if (provider) await repository.recordAnswer(context.db, provider.name, now(context))
  } catch (error) {
    // The lease ends by itself.
    if (signal.aborted) return
    await fail(context, replica, error)
  }
}

interface Work {
  context: Deps
  provider: ThirdParty
  replica: repository.ReplicaRow
  content: Stored
  signal: AbortSignal
}

async function remove({ context, provider, replica, content, signal }: Work): Promise<void> {
  if (replica.external_id !== null) await provider.remove(replica.external_id, content, signal)
  const at = now(context)
  await context.db.transaction(async (tx) => {
    await repository.deleteReplica(tx, replica.id)
    // It may be wanted again since.
    await planning.planAgain(tx, [replica.cid], at)
  })
}

async function send({ context, provider, replica, content, signal }: Work): Promise<void> {
  const { db } = context
  if (!(await repository.markSending(db, replica.id))) return
  // What it lost or never had must not be taken for the new one.
  if (replica.state === 'failed' && replica.external_id) await provider.remove(replica.external_id, content, signal)
  const origins = provider.kind === 'pinning' ? await originsOf(context, content, signal) : []
  const externalId = await provider.add(content, {
    origins,
    car: () => carFromNodes(context, content, signal),
    signal,
  })
  const at = now(context)
  await repository.changeReplica(db, replica.id, { state: 'inProgress', externalId, nextAt: at }, at)
}

/** Addresses of providers that store the content and let others fetch it. */
async function originsOf(context: Deps, content: Stored, signal: AbortSignal): Promise<string[]> {
  const stored = new Set(await repository.storedAt(context.db, content.cid.toString()))
  const found: string[] = []
  for (const { name, origins } of providersOf(context))
    if (origins && stored.has(name)) found.push(...(await origins(signal)))
  return found
}

/** How often a provider is asked about a replica in progress: 50 times until it should be stored. */
const askEvery = ({ config }: Pick<Deps, 'config'>): number =>
  Math.min(30 * 60 * SECOND, Math.max(SECOND, (config.thirdParty.hours * HOUR) / 50))

async function ask({ context, provider, replica, content, signal }: Work): Promise<void> {
  const status = await provider.status(replica.external_id ?? '', content, signal)
  const at = now(context)
  const named = {
    ...(status.provider !== undefined && { label: status.provider.slice(0, 100) }),
    ...(status.dealId !== undefined && { dealId: status.dealId.slice(0, 200) }),
  }
  if (status.state === 'failed') throw new ThirdPartyError('refused', status.detail || 'the provider gave up')
  if (status.state !== 'stored') {
    const late = at > replica.expected_at
    const next = new Date(at.getTime() + askEvery(context))
    await repository.changeReplica(
      context.db,
      replica.id,
      {
        ...named,
        ...(status.expectedAt && status.expectedAt > at && { expectedAt: status.expectedAt }),
        ...(late && {
          reason: status.state === 'queued' ? ('providerQueue' as const) : ('slow' as const),
          error: status.detail ?? '',
          lateSince: replica.late_since ?? replica.expected_at,
          expectedAt: laterThan(at, status.expectedAt, context),
        }),
        nextAt: next,
      },
      at,
    )
    return
  }
  if (!provider.simulated) await readBack(provider, content, signal)
  const done = now(context)
  await repository.changeReplica(
    context.db,
    replica.id,
    {
      ...named,
      state: 'stored',
      reason: null,
      error: '',
      lateSince: null,
      tries: 0,
      failedChecks: 0,
      storedAt: done,
      ...(!provider.simulated && { checkedAt: done }),
      expiresAt: status.expiresAt ?? new Date(done.getTime() + THIRD_PARTY_DAYS.max * DAY),
      nextAt: nextCheck(done),
    },
    done,
  )
}

/** The provider's estimate, if it has one; otherwise half of the usual time from now. */
const laterThan = (at: Date, said: Date | undefined, { config }: Pick<Deps, 'config'>): Date =>
  said && said > at ? said : new Date(at.getTime() + (config.thirdParty.hours * HOUR) / 2)

/** Not at the same time for all replicas that were stored together, and not when the provider could expect it. */
const nextCheck = (at: Date): Date => new Date(at.getTime() + CHECK_EVERY_MS * (0.5 + Math.random()))

/** Verifies a stored replica, and extends its validity or ends it. */
async function check(work: Work): Promise<void> {
  const { context, provider, replica, content, signal } = work
  if (!provider.simulated) {
    const { state, detail } = await provider.status(replica.external_id ?? '', content, signal)
    if (state === 'failed') throw new ThirdPartyError('lost', detail || 'the provider no longer has it')
    await readBack(provider, content, signal)
  }
  const at = now(context)
  const good = {
    reason: null,
    error: '',
    lateSince: null,
    failedChecks: 0,
    ...(!provider.simulated && { checkedAt: at }),
  }
  const left = (replica.expires_at?.getTime() ?? Number.POSITIVE_INFINITY) - at.getTime()
  if (left > RENEW_MS) {
    const nextAt = new Date(Math.min(nextCheck(at).getTime(), at.getTime() + left - RENEW_MS))
    await repository.changeReplica(context.db, replica.id, { ...good, nextAt }, at)
    return
  }
  const [wanted] = await planning.findWanted(context.db, [replica.cid], {
    paid: paidAccounts,
    enterprise: enterpriseAccounts,
  })
  if (wanted?.paid) {
    await renew(work, good)
    return
  }
  if (left > 0) {
    await repository.changeReplica(
      context.db,
      replica.id,
      { ...good, nextAt: new Date(at.getTime() + Math.min(CHECK_EVERY_MS, left)) },
      at,
    )
    return
  }
  await repository.changeReplica(context.db, replica.id, { ...good, state: 'removing', tries: 0, nextAt: at }, at)
}

/** Pins have no end of their own: they are kept, and their validity is extended. A simulated deal is followed by a new one. */
async function renew(
  { context, provider, replica, content, signal }: Work,
  good: Omit<repository.Change, 'nextAt'>,
): Promise<void> {
  const { db } = context
  if (!provider.simulated) {
    const at = now(context)
    const expiresAt = new Date(at.getTime() + THIRD_PARTY_DAYS.max * DAY)
    await repository.changeReplica(db, replica.id, { ...good, expiresAt, renewed: true, nextAt: nextCheck(at) }, at)
    return
  }
  const externalId = await provider.add(content, {
    origins: [],
    car: () => carFromNodes(context, content, signal),
    signal,
  })
  const { expiresAt, dealId = '', provider: label = '' } = await provider.status(externalId, content, signal)
  const at = now(context)
  const change = {
    ...good,
    externalId,
    dealId,
    label,
    ...(expiresAt && { expiresAt }),
    renewed: true,
    nextAt: nextCheck(at),
  }
  await repository.changeReplica(db, replica.id, change, at)
}

/** Records a failure: tried again later, or, after too many, removed at the provider and sent again. */
async function fail(context: Deps, replica: repository.ReplicaRow, error: unknown): Promise<void> {
  const { db, log } = context
  const at = now(context)
  const reason = error instanceof ThirdPartyError ? error.reason : 'refused'
  const message = (error instanceof Error ? error.message : 'unknown').slice(0, 300)
  const { id, provider, state } = replica
  log.warn({ replica: id, cid: replica.cid, provider, reason, error: message }, 'a third-party replica failed')
  if (error instanceof ThirdPartyError && error.outage) await repository.recordAnswer(db, provider, at, message)
  const tries = replica.tries + 1
  const nextAt = new Date(at.getTime() + backoff(replica.tries))
  if (state === 'removing') return void (await repository.retryRemoval(db, id, reason, message, tries, nextAt))
  const late = { reason, error: message, lateSince: replica.late_since ?? at }
  if (state === 'stored') {
    const failedChecks = reason === 'unreachable' ? replica.failed_checks : replica.failed_checks + 1
    const lost = reason === 'lost' || failedChecks >= CHECKS_MAX
    const again = lost ? at : new Date(at.getTime() + Math.min(CHECK_AGAIN_MS, backoff(replica.tries) * 4))
    await repository.changeReplica(
      db,
      id,
      { ...late, failedChecks, tries: lost ? 0 : tries, nextAt: again, ...(lost && againAfter(context, at)) },
      at,
    )
    return
  }
  // The provider gave it up, or never really had it: an attempt of its own.
  const startOver =
    (reason === 'refused' && state === 'inProgress') || (reason === 'unverified' && tries % TRIES_MAX === 0)
  const expectedAt = replica.expected_at > nextAt ? replica.expected_at : laterThan(at, nextAt, context)
  await repository.changeReplica(
    db,
    id,
    { ...late, tries, expectedAt, nextAt, ...(startOver && { state: 'failed' as const }) },
    at,
  )
}

const againAfter = (context: Deps, at: Date) => ({
  state: 'failed' as const,
  expectedAt: laterThan(at, undefined, context),
})
