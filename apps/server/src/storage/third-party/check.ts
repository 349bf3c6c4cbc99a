import { THIRD_PARTY_DAYS } from '@tidenet/contract'
import { enterpriseAccounts, paidAccounts } from '../../identity/index.ts'
import { DAY } from '../../platform/ago.ts'
import { now } from '../context.ts'
import { planning, replicas as repository } from '../third-party-records/records.ts'
import { ThirdPartyError } from './adapter.ts'
import { carFromNodes, readBack } from './blocks.ts'
import { HOUR, laterThan, SECOND, type Work } from './work-types.ts'

/** What providers say about replicas, verified; and the end of their validity. */

/** Stored replicas are read back about this often; sooner after a failure. */
const CHECK_EVERY_MS = DAY
/** Replicas are renewed this long before they expire. */
const RENEW_MS = 30 * DAY

/** How often a provider is asked about a replica in progress: 50 times until it should be stored. */
const askEvery = ({ config }: Pick<Work['context'], 'config'>): number =>
  Math.min(30 * 60 * SECOND, Math.max(SECOND, (config.thirdParty.hours * HOUR) / 50))

export async function ask({ context, provider, replica, content, signal }: Work): Promise<void> {
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

/** Not at the same time for all replicas that were stored together, and not when the provider could expect it. */
const nextCheck = (at: Date): Date => new Date(at.getTime() + CHECK_EVERY_MS * (0.5 + Math.random()))

/** Verifies a stored replica, and extends its validity or ends it. */
export async function check(work: Work): Promise<void> {
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
