import type { ExchangeReason } from '@tidenet/contract'
import { ago } from '../../platform/ago.ts'
import { now } from '../context.ts'
import * as repository from './credit-repository.ts'
import type { Deps } from './offer.ts'
import { type Outcome, type Partner, PartnerUnclear, partnerOf } from './partner.ts'
import { insertRefund, setCredited, setRefused } from './payments-repository.ts'

/**
 * Credits what was paid, exactly once, or refunds it. Only the partner's final word on the key ends an exchange: `credited` completes it,
 * `refused` refunds it. Every step can run twice and on two servers at once.
 */

/** Exchanges in one round, at the same time. */
const BATCH = 10
/** Longer than the calls of one step take together. */
const LEASE_MS = 60_000
const LONGEST_BACKOFF_MS = 600_000
const CONTRADICTED_MS = 3_600_000

/** One round over all due exchanges. */
export async function creditDue(context: Deps, signal?: AbortSignal): Promise<void> {
  const partner = partnerOf(context.config.exchange)
  if (!partner) return
  for (;;) {
    const at = now(context)
    const due = await repository.leaseDue(context.db, at, new Date(at.getTime() + LEASE_MS), BATCH)
    await Promise.all(due.map((row) => creditOne(context, partner, row)))
    if (due.length < BATCH || signal?.aborted) return
  }
}

async function creditOne(context: Deps, partner: Partner, row: repository.DueRow): Promise<void> {
  try {
    await settle(context, row, await outcomeOf(context, partner, row))
  } catch (error) {
    if (!(error instanceof PartnerUnclear)) throw error
    const at = now(context)
    const wait = Math.min(LONGEST_BACKOFF_MS, 1000 * 2 ** Math.min(20, row.attempts))
    await repository.postpone(context.db, row.no, error.message, new Date(at.getTime() + wait), at)
    context.log.warn({ exchange: row.id, why: error.message }, 'the partner gave no clear answer')
  }
}

/** Undefined: giving up and crediting crossed; the next round decides. @throws PartnerUnclear */
async function outcomeOf(context: Deps, partner: Partner, row: repository.DueRow): Promise<Outcome | undefined> {
  const { db, config } = context
  if (row.given_up !== '') return partner.revoke(row.id)
  if (row.attempts > 0) {
    // An earlier answer was lost: only the partner knows whether it credited.
    const known = await partner.find(row.id)
    if (known) return known
    if (row.paid_at !== null && row.paid_at < ago(now(context), config.exchange.giveUpAfter)) {
      // Stored first: from here on, nobody asks the partner to credit this key.
      if (!(await repository.giveUp(db, row.no, 'partner', now(context)))) return undefined
      return partner.revoke(row.id)
    }
  }
  // Counted before it is asked, and only if crediting was not given up meanwhile. A credit that crosses a revocation is either
  // credited before it, which the revocation reports, or refused by the revoked key.
  if (!(await repository.countAttempt(db, row.no))) return undefined
  return partner.credit({ key: row.id, account: row.account, points: row.points })
}

async function settle(context: Deps, row: repository.DueRow, outcome: Outcome | undefined): Promise<void> {
  const at = now(context)
  if (!outcome) return
  if (outcome.state === 'credited') {
    if (outcome.account !== row.account || outcome.points !== row.points) {
      const what = `credited ${outcome.points} to ${outcome.account}`
      await repository.setContradicted(context.db, row.no, what, new Date(at.getTime() + CONTRADICTED_MS), at)
      context.log.error({ exchange: row.id, what }, 'the partner did not credit what was asked: an operator must look')
      return
    }
    await context.db.transaction(async (tx) => {
      if (await repository.complete(tx, row.no, outcome.reference, at)) await setCredited(tx, row.no)
    })
    return
  }
  await context.db.transaction(async (tx) => {
    const given = await repository.lockIncomplete(tx, row.no)
    if (!given) return
    const reason: ExchangeReason = given.given_up || (/^account/.test(outcome.reason) ? 'account' : 'refused')
    await repository.fail(tx, row.no, reason, outcome.reason, at)
    const payment = await setRefused(tx, row.no, reason)
    // The payer did nothing wrong: no fee.
    if (payment)
      await insertRefund(tx, {
        userId: given.user_id,
        paymentId: payment.id,
        wallet: payment.payer,
        units: BigInt(payment.units),
        at,
      })
  })
}
