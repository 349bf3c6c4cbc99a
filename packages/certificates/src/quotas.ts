import { registeredDomainOf } from './hostnames.ts'

/** Keeps what is asked of a CA within its quotas, so that a customer waits in our queue instead of being refused by the CA for a week. */

interface Quota {
  most: number
  /** Any time span of this length. */
  withinMs: number
}

export interface Quotas {
  /** New orders of the account. */
  orders: Quota
  /** Certificates that have a name below the same registered domain, such as example.co.uk. */
  perDomain: Quota
  /** Certificates for exactly the same names. */
  duplicates: Quota
  /** Failed validations of a name by the account. */
  failures: Quota
  /** Our own: new orders below one registered domain, so that one customer's names cannot use up the orders of all. */
  share: Quota
}

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS

/** Those of the largest public CA; a fifth of the orders for one domain. */
export const PUBLIC_CA_QUOTAS: Quotas = {
  orders: { most: 300, withinMs: 3 * HOUR_MS },
  perDomain: { most: 50, withinMs: WEEK_MS },
  duplicates: { most: 5, withinMs: WEEK_MS },
  failures: { most: 5, withinMs: HOUR_MS },
  share: { most: 60, withinMs: 3 * HOUR_MS },
}

/** The CA counts a little later than we do, with its own clock. */
const MARGIN_MS = 120_000

/** What was asked of a CA with one account; times are Unix ms. A reservation counts as if it had succeeded and failed. */
export interface Ledger {
  orders: { at: number; domains: string[] }[]
  certificates: { id: string; at: number; set: string; domains: string[]; isIssued?: true }[]
  attempts: { id: string; at: number; name: string }[]
}

export const EMPTY_LEDGER: Ledger = { orders: [], certificates: [], attempts: [] }

export interface Order {
  /** Of the reservation. */
  id: string
  /** Of the set of names. */
  set: string
  names: readonly string[]
  /** It replaces a certificate within the time that the CA suggested (ARI): CAs do not count such orders. */
  isReplacement: boolean
}

export type QuotaName = keyof Quotas

/** The ledger without what no quota counts any more. */
export function pruned(ledger: Ledger, quotas: Quotas, now: number): Ledger {
  const keeps =
    (...spans: number[]) =>
    ({ at }: { at: number }) =>
      at > now - Math.max(...spans) - MARGIN_MS
  return {
    orders: ledger.orders.filter(keeps(quotas.orders.withinMs, quotas.share.withinMs)),
    certificates: ledger.certificates.filter(keeps(quotas.perDomain.withinMs, quotas.duplicates.withinMs)),
    attempts: ledger.attempts.filter(keeps(quotas.failures.withinMs)),
  }
}

/** When an order may be made: now, or later because of a quota. */
export function admission(
  ledger: Ledger,
  quotas: Quotas,
  order: Order,
  now: number,
): { at: number; quota: QuotaName | undefined } {
  const domains = domainsOf(order.names)
  const waits: { at: number; quota: QuotaName }[] = hostsOf(order.names).map((host) => ({
    quota: 'failures',
    at: freeAt(quotas.failures, timesOf(ledger.attempts.filter(({ name }) => name === host))),
  }))
  if (!order.isReplacement) {
    const { certificates } = ledger
    waits.push(
      { quota: 'orders', at: freeAt(quotas.orders, timesOf(ledger.orders)) },
      {
        quota: 'duplicates',
        at: freeAt(quotas.duplicates, timesOf(certificates.filter(({ set }) => set === order.set))),
      },
      ...domains.flatMap((domain) => {
        const below = ({ domains: of }: { domains: string[] }) => of.includes(domain)
        return [
          { quota: 'perDomain' as const, at: freeAt(quotas.perDomain, timesOf(certificates.filter(below))) },
          { quota: 'share' as const, at: freeAt(quotas.share, timesOf(ledger.orders.filter(below))) },
        ]
      }),
    )
  }
  const last = waits.reduce((latest, wait) => (wait.at > latest.at ? wait : latest))
  return last.at > now ? last : { at: now, quota: undefined }
}

/** Counts an order before it is made, so that servers that order at the same time do not exceed a quota together. */
export const reserved = (ledger: Ledger, order: Order, now: number): Ledger => ({
  orders: order.isReplacement ? ledger.orders : [...ledger.orders, { at: now, domains: domainsOf(order.names) }],
  certificates: order.isReplacement
    ? ledger.certificates
    : [...ledger.certificates, { id: order.id, at: now, set: order.set, domains: domainsOf(order.names) }],
  attempts: [...ledger.attempts, ...hostsOf(order.names).map((name) => ({ id: order.id, at: now, name }))],
})

/**
 * Counts what an order came to. Without this, because the process was killed, the reservation counts for its time.
 * @param outcome the names whose validation failed, without `*.`; or `issued`
 */
export const settled = (ledger: Ledger, id: string, outcome: 'issued' | readonly string[], now: number): Ledger => ({
  ...ledger,
  certificates: ledger.certificates.flatMap((each) =>
    each.id !== id || each.isIssued ? [each] : outcome === 'issued' ? [{ ...each, at: now, isIssued: true }] : [],
  ),
  attempts: ledger.attempts.flatMap((each) =>
    each.id !== id ? [each] : outcome !== 'issued' && outcome.includes(each.name) ? [{ ...each, at: now }] : [],
  ),
})

/** What is validated: a wildcard by the name below which it is. */
const hostsOf = (names: readonly string[]): string[] => [...new Set(names.map((name) => name.replace(/^\*\./, '')))]
const domainsOf = (names: readonly string[]): string[] => [...new Set(names.map(registeredDomainOf))]
const timesOf = (entries: { at: number }[]): number[] => entries.map(({ at }) => at).sort((one, other) => other - one)

/** When one more is within the quota, as Unix ms; in the past if it is. @param times the newest first */
function freeAt({ most, withinMs }: Quota, times: number[]): number {
  const oldest = times[most - 1]
  return oldest === undefined ? 0 : oldest + withinMs + MARGIN_MS
}
