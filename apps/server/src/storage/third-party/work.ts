import { ago, DAY } from '../../platform/ago.ts'
import { readCid } from '../../platform/cids.ts'
import { now } from '../context.ts'
import { replicas as repository } from '../third-party-records/records.ts'
import { harmlessText } from '../traces/support.ts'
import { type Stored, type ThirdParty, ThirdPartyError } from './adapter.ts'
import { ask, check } from './check.ts'
import { drainLanes } from './lanes.ts'
import { providersOf } from './providers.ts'
import { forget, OUTAGES, remove, send, Withdrawn } from './send.ts'
import { type Deps, HOUR, laterThan, SECOND, type Work } from './work-types.ts'

/** A provider that does not answer is asked again after this time. */
const PAUSE_MS = 30 * SECOND
const BACKOFF = { first: 15 * SECOND, most: 6 * HOUR }
/** A stored replica is checked again after this time if a check failed. */
const CHECK_AGAIN_MS = HOUR
/** A stored replica is given up and sent again after so many failed checks in a row. */
const CHECKS_MAX = 3
/** A replica that could not be read back for so long, because its provider is away, no longer counts as stored. */
const AWAY_MAX_MS = 7 * DAY
/** A replica that never could be read back is removed and sent again after so many tries. */
const TRIES_MAX = 6
/** A part of the lease that is left for recording the result. */
const LEASE_RESERVE_MS = 30 * SECOND

/**
 * What a server does at each provider at the same time. Every provider and every kind of work has lanes of its own: a slow provider, or a
 * large content, must not keep others waiting.
 */
const LANES: readonly { work: repository.WorkKind; most: number }[] = [
  { work: 'send', most: Number.MAX_SAFE_INTEGER },
  { work: 'send', most: 64_000_000 },
  { work: 'send', most: 64_000_000 },
  { work: 'ask', most: Number.MAX_SAFE_INTEGER },
  { work: 'ask', most: Number.MAX_SAFE_INTEGER },
  { work: 'remove', most: Number.MAX_SAFE_INTEGER },
]

const backoff = (tries: number): number => Math.min(BACKOFF.most, BACKOFF.first * 2 ** Math.min(20, tries))

/** Sends, asks about, verifies, renews and removes replicas that are due. */
export async function workOnReplicas(context: Deps, signal: AbortSignal): Promise<void> {
  const { db } = context
  const providers = providersOf(context)
  if (providers.length > 0) await repository.wakeConfigured(db, now(context), providers)
  const lanes = providers.flatMap((provider) =>
    LANES.map((lane) => async () => {
      const at = now(context)
      const replica = await repository.claimReplica(db, at, { ...lane, provider, failedSince: ago(at, PAUSE_MS) })
      return replica && (() => workOn(context, provider, replica, signal))
    }),
  )
  const unconfigured = async () => {
    const replica = await repository.claimUnconfigured(db, now(context), providers)
    return replica && (() => workOn(context, undefined, replica, signal))
  }
  await drainLanes([...lanes, unconfigured], signal)
}

async function workOn(
  context: Deps,
  provider: ThirdParty | undefined,
  replica: repository.ReplicaRow,
  stopped: AbortSignal,
): Promise<void> {
  const { key, kind, size } = replica
  const content: Stored = { key, kind, size, cid: readCid(replica.cid).cid }
  // Another server takes it over when the lease ends.
  const late = new AbortController()
  const timer = setTimeout(
    () => late.abort(new ThirdPartyError('unreachable', 'the provider took too long')),
    Math.min(2 ** 31 - 1, repository.leaseMs(size) - LEASE_RESERVE_MS),
  )
  const signal = AbortSignal.any([stopped, late.signal])
  try {
    if (provider) {
      const wasAsked = await step({ context, provider, replica, content, signal })
      if (wasAsked) await repository.recordAnswer(context.db, provider.name, now(context))
    } else if (replica.state === 'removing' && replica.external_id === null) await forget(context, replica)
    else throw new ThirdPartyError('unconfigured', 'the provider is not in the settings, or another kind of provider')
  } catch (error) {
    // The lease ends by itself.
    if (stopped.aborted) return
    if (error instanceof Withdrawn) await repository.withdraw(context.db, replica.id, now(context))
    else await fail(context, replica, error)
  } finally {
    clearTimeout(timer)
  }
}

/** @returns whether the provider was asked */
async function step(work: Work): Promise<boolean> {
  const { state } = work.replica
  if (state === 'removing') return remove(work)
  if (state === 'queued' || state === 'failed') return send(work)
  await (state === 'stored' ? check(work) : ask(work))
  return true
}

/** Records a failure: tried again later, or, after too many, removed at the provider and sent again. */
async function fail(context: Deps, replica: repository.ReplicaRow, error: unknown): Promise<void> {
  const { db, log } = context
  const at = now(context)
  const reason = error instanceof ThirdPartyError ? error.reason : 'refused'
  const message = harmlessText((error instanceof Error ? error.message : 'unknown').slice(0, 300))
  const { id, provider, state } = replica
  log.warn({ replica: id, cid: replica.cid, provider, reason, error: message }, 'a third-party replica failed')
  if (error instanceof ThirdPartyError && error.outage) await repository.recordAnswer(db, provider, at, message)
  const tries = replica.tries + 1
  // A provider that comes back into the settings wakes its replicas.
  const wait = reason === 'unconfigured' ? BACKOFF.most : backoff(replica.tries)
  const nextAt = new Date(at.getTime() + wait)
  if (state === 'removing') return void (await repository.retryRemoval(db, id, reason, message, tries, nextAt))
  const late = { reason, error: message, lateSince: replica.late_since ?? at }
  if (state === 'stored') {
    const isAway = OUTAGES.includes(reason)
    const failedChecks = isAway ? replica.failed_checks : replica.failed_checks + 1
    const seen = replica.checked_at ?? replica.stored_at ?? at
    const lost = isAway ? seen < ago(at, AWAY_MAX_MS) : reason === 'lost' || failedChecks >= CHECKS_MAX
    const usual = reason === 'unconfigured' ? wait : Math.min(CHECK_AGAIN_MS, backoff(replica.tries) * 4)
    const again = lost && !isAway ? at : new Date(at.getTime() + usual)
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
