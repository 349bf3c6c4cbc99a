import { setTimeout as sleep } from 'node:timers/promises'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Context, now } from '../context.ts'
import { notify } from '../notifications/notify.ts'
import {
  endWaiting,
  type Leased,
  leaseDeliveries,
  recordAttempt,
  recordFailure,
  recordSuccess,
  releaseLease,
} from './deliveries-repository.ts'
import { disabledEmail } from './emails.ts'
import { setEnabled } from './repository.ts'
import { isHopeless, retryAt } from './retries.ts'
import { type Answer, isDelivered, sendMessage } from './send.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock' | 'keys' | 'log' | 'portalUrl'>

/** Requests of one server at the same time, and how many of them may go to slow receivers. */
const SENDING_MAX = 32
const SENDING_SLOW_MAX = 16
/** Longer than a request can take. A server that was killed leaves its leases; then another one sends the message again. */
const LEASE_MS = 30_000
/** A receiver that needs longer is slow. */
const SLOW_MS = 2000
/** How long a full server waits before it looks for deliveries to fast receivers again. */
const POLL_MS = 250

/** Sends what is due, until nothing is. Slow receivers take a part of the requests only, so that others are served meanwhile. */
export async function deliverDue(context: Deps, signal: AbortSignal): Promise<void> {
  const sending = new Map<Promise<void>, Leased>()
  try {
    while (!signal.aborted) {
      const slow = [...sending.values()].filter((each) => each.slow).length
      const free = { all: SENDING_MAX - sending.size, slow: Math.max(0, SENDING_SLOW_MAX - slow) }
      const held = [...sending.values()].map((each) => each.user_id)
      const leased = free.all > 0 ? await leaseDue(context, free, held) : []
      for (const delivery of leased) {
        const sent = deliver(context, delivery, signal).finally(() => sending.delete(sent))
        sending.set(sent, delivery)
      }
      // Requests that ended meanwhile have made room for others.
      if (sending.size === 0 && held.length === 0) return
      // Deliveries of the same webhook follow as soon as one has ended.
      await Promise.race([...sending.keys(), sleep(POLL_MS)])
    }
  } finally {
    await Promise.allSettled(sending.keys())
  }
}

export const leaseDue = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  free: { all: number; slow: number },
  held: readonly number[] = [],
) =>
  db.transaction(async (tx) => {
    await advisoryLock(tx, 'leases of webhook deliveries')
    const at = now({ clock })
    return leaseDeliveries(tx, at, new Date(at.getTime() + LEASE_MS), free, held)
  })

async function deliver(context: Deps, delivery: Leased, signal: AbortSignal): Promise<void> {
  try {
    const answer = await sendMessage(context, delivery, signal).catch((error: unknown): Answer => {
      if (signal.aborted) throw error
      context.log.warn({ err: error, delivery: delivery.id }, 'a webhook delivery could not be sent')
      return { status: null, failure: 'interrupted', answer: '', tookMs: 0 }
    })
    await recordAnswer(context, delivery, answer)
  } catch (error) {
    // Without a record, the lease ends and the message is sent again.
    if (signal.aborted) await releaseLease(context.db, delivery).catch(() => {})
    else context.log.warn({ err: error, delivery: delivery.id }, 'a webhook delivery was not recorded')
  }
}

/** Records an attempt of a leased delivery: delivered, to be repeated, or given up. */
async function recordAnswer(context: Deps, delivery: Leased, answer: Answer): Promise<void> {
  const { id, webhook_id: webhookId, leased_until: lease } = delivery
  await context.db.transaction(async (tx) => {
    const at = now(context)
    // As everywhere, the webhook is locked before its deliveries.
    const known = await tx.maybe<{ enabled: boolean }>(
      sql`select enabled from webhooks where id = ${webhookId} for no key update`,
    )
    if (!known) return
    if (isDelivered(answer)) {
      const recorded = await recordAttempt(tx, id, lease, { ...answer, state: 'delivered', dueAt: null, at })
      if (recorded > 0) await recordSuccess(tx, webhookId, answer.tookMs > SLOW_MS)
      return
    }
    const next = known.enabled && answer.status !== GONE ? retryAt(delivery.tries, at, Math.random()) : undefined
    const state = next ? 'waiting' : 'dead'
    if ((await recordAttempt(tx, id, lease, { ...answer, state, dueAt: next ?? null, at })) === 0) return
    const webhook = await recordFailure(tx, webhookId, at)
    if (!webhook.enabled) return
    const reason =
      answer.status === GONE ? 'gone' : isHopeless(webhook.failures, webhook.failing_since, at) ? 'failing' : undefined
    if (!reason) return
    await setEnabled(tx, webhookId, reason)
    await endWaiting(tx, webhookId)
    const page = `${context.portalUrl()}/webhooks`
    await notify(context, tx, webhook.user_id, 'webhooks', (lang) => disabledEmail(lang, reason, webhook, page), {
      lang: webhook.lang,
    })
  })
}

/** The receiver wants no more. */
const GONE = 410
