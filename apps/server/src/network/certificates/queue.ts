import {
  createChallenges,
  createRequestedCertificates,
  NAME_SERVER_FAULTS,
  type OrderOutcome,
  PUBLIC_CA_QUOTAS,
  type Quotas,
  REQUEST_FAULTS,
  type Renewal,
  type RequestedCertificates,
  renewAtOf,
} from '@tidenet/certificates'
import { every } from '@tidenet/daemon'
import { certificateStore, readRoots } from '../../platform/certificates/store.ts'
import { type Context, now } from '../context.ts'
import { claimRequests, claimSuggestions, claimUnreached, dropGone, setSuggestion } from './queue-repository.ts'
import { isReached } from './reach-proof.ts'
import {
  type CertificateRow,
  type StoredProblem,
  setCertificate,
  setNextAt,
  setProblem,
  setReachedAt,
} from './repository.ts'

type Deps = Pick<Context, 'config' | 'db' | 'keys' | 'clock' | 'log'>

const ROUND_MS = { usual: 2000, quick: 200 }
/** Orders of this server at the same time, nodes that it tries to reach, and questions to CAs. */
const ORDERS_MAX = 8
const PROBES_MAX = 20
const SUGGESTIONS_MAX = 20
/** Another try to reach a node: after a quarter of the time that it waits already. */
const REACH_MS = { least: 10_000, most: 600_000 }
/** Another server orders it. */
const BUSY_MS = 10_000
/** So many orders in a row that our name server made fail: the others would fail as well. */
const FAULTS = 3
const PAUSE_MS = { least: 120_000, most: 3_600_000 }
const DETAIL_MAX = 500
/** The ingress may have the same account. */
const ORDERS_LEFT = 60

export interface CertificateQueue {
  /** Begins what is due, and does not wait for it: a CA may take minutes. */
  begin(): Promise<void>
  /** The same, until all of it has ended. */
  round(): Promise<void>
  stop(): Promise<void>
}

/** Every server with the role `certs` has one. @throws StartError */
export async function startCertificateQueue(context: Deps): Promise<{ stop(): Promise<void> }> {
  const queue = await openCertificateQueue(context)
  const rounds = every(ROUND_MS[context.config.pace], queue.begin, { name: 'certificates of nodes', log: context.log })
  return {
    async stop() {
      const stopped = rounds.stop()
      await queue.stop()
      await stopped
    },
  }
}

/** Orders certificates for the requests of nodes, within the limits of public CAs. @throws StartError */
export async function openCertificateQueue(context: Deps): Promise<CertificateQueue> {
  const { config, db, clock, log } = context
  const { zone, acme } = config.names
  const store = certificateStore(context)
  const roots = await readRoots('TIDENET_ACME_ROOTS', acme.roots)
  const certificates = createRequestedCertificates({
    authorities: acme.authorities.map((authority, index) => ({
      ...authority,
      ...(acme.email && { email: acme.email }),
      ...(index === 0 && acme.profile && { profile: acme.profile }),
      ...(roots && { roots }),
    })),
    store,
    challenges: createChallenges(store, clock),
    zones: [zone],
    quotas: quotasOf(acme.weekly),
    clock,
    log,
  })
  const running = new Set<Promise<void>>()
  const pause = createPause(() => clock.now())

  const start = (work: Promise<void>) => {
    const watched = work
      .catch((error: unknown) => log.warn({ err: error }, 'the certificate of a node could not be looked at'))
      .finally(() => running.delete(watched))
    running.add(watched)
  }
  const orders = { running: 0 }
  const order = async (row: CertificateRow) => {
    orders.running++
    try {
      const outcome = await orderOne(context, certificates, row)
      pause.note(outcome)
      if (pause.isNew(outcome))
        log.error({ zone }, 'CAs do not get the right answers from the name server: check the delegation of the zone')
    } finally {
      orders.running--
    }
  }

  const begin = async () => {
    const at = now(context)
    for (const node of await claimUnreached(db, at, PROBES_MAX)) start(reach(context, node))
    for (const row of await claimSuggestions(db, at, SUGGESTIONS_MAX)) start(suggest(context, certificates, row))
    for (const { label } of await dropGone(db, at, SUGGESTIONS_MAX)) start(certificates.forget(`*.${label}.${zone}`))
    const limit = ORDERS_MAX - orders.running
    if (limit <= 0 || pause.ofAll() > at.getTime()) return
    const counted = pause.ofCounted() <= at.getTime()
    for (const row of await claimRequests(db, at, { counted, limit })) start(order(row))
  }
  return {
    begin,
    async round() {
      await begin()
      await Promise.all(running)
    },
    async stop() {
      certificates.stop()
      await Promise.all(running)
    },
  }
}

/** Nodes of one zone share a registered domain, so its share of the orders is nearly all. */
export const quotasOf = (weekly: number): Quotas => ({
  ...PUBLIC_CA_QUOTAS,
  perDomain: { ...PUBLIC_CA_QUOTAS.perDomain, most: weekly },
  share: { ...PUBLIC_CA_QUOTAS.orders, most: PUBLIC_CA_QUOTAS.orders.most - ORDERS_LEFT },
})

/** Until when nothing is ordered, or nothing that CAs count; Unix ms. */
function createPause(clock: () => number) {
  let counted = 0
  let all = 0
  let faults = 0
  return {
    ofCounted: () => counted,
    ofAll: () => all,
    note(outcome: OrderOutcome) {
      if (outcome.state === 'issued') faults = 0
      if (outcome.state !== 'failed') return
      const { code, nextAt } = outcome.failure
      // Renewals that CAs do not count need no quota, but a CA that answers.
      if (outcome.isForAll && code === 'quota') counted = nextAt
      else if (outcome.isForAll) all = nextAt
      if (problemOfFailure(code) !== 'dns') return
      faults++
      if (faults >= FAULTS) all = clock() + Math.min(PAUSE_MS.least * 2 ** Math.min(faults - FAULTS, 10), PAUSE_MS.most)
    },
    isNew: (outcome: OrderOutcome) => outcome.state === 'failed' && faults === FAULTS,
  }
}

async function reach(context: Deps, node: Parameters<typeof isReached>[1]): Promise<void> {
  const { db } = context
  const isThere = await isReached(context, node)
  const at = now(context)
  if (isThere) {
    await setReachedAt(db, node.label, at)
    return
  }
  const waited = at.getTime() - node.waiting_since.getTime()
  const nextAt = new Date(at.getTime() + Math.min(Math.max(waited / 4, REACH_MS.least), REACH_MS.most))
  await setProblem(db, node.label, { problem: 'unreached', detail: '', nextAt }, at)
}

async function orderOne(
  context: Deps,
  certificates: RequestedCertificates,
  row: CertificateRow,
): Promise<OrderOutcome> {
  const { config, db, log } = context
  const { label } = row
  const name = `*.${label}.${config.names.zone}`
  const csr = row.csr ?? ''
  const request = { name, csr: Buffer.from(csr, 'base64url'), ...replacedBy(row) }
  const outcome = await certificates.order(request, async ({ cert, directory, notBefore, notAfter }) => {
    const validity = { notBefore, notAfter }
    const at = now(context)
    await setCertificate(
      db,
      label,
      {
        certificate: cert,
        directory,
        validFrom: new Date(notBefore),
        validUntil: new Date(notAfter),
        renewAt: new Date(renewAtOf(validity, undefined)),
        csr,
      },
      at,
    )
    log.info({ name, until: new Date(notAfter).toISOString() }, 'a certificate of a node was issued')
  })
  const at = now(context)
  if (outcome.state === 'busy') await setNextAt(db, label, new Date(at.getTime() + BUSY_MS))
  if (outcome.state === 'failed') {
    const { code, detail, nextAt } = outcome.failure
    const problem = problemOfFailure(code)
    const said = `${code}: ${detail}`.slice(0, DETAIL_MAX)
    await setProblem(db, label, { problem, detail: said, nextAt: new Date(nextAt) }, at)
    log.warn({ name, code, detail }, 'no certificate was issued for a node')
  }
  return outcome
}

/** The certificate that the node has; undefined: none yet. */
function issuedOf({ certificate, directory, valid_from, valid_until }: CertificateRow) {
  if (certificate === null || directory === null || valid_from === null || valid_until === null) return undefined
  return { cert: certificate, directory, notBefore: valid_from.getTime(), notAfter: valid_until.getTime() }
}

function replacedBy(row: CertificateRow) {
  const issued = issuedOf(row)
  return issued && { replaces: { names: [], ...issued, renewal: renewalOf(row) } }
}

function renewalOf({ suggested_from, suggested_until, suggested_at, suggestion_due_at }: CertificateRow): Renewal {
  return {
    checkAt: suggestion_due_at?.getTime() ?? 0,
    ...(suggested_from &&
      suggested_until && { window: { start: suggested_from.getTime(), end: suggested_until.getTime() } }),
    ...(suggested_at && { at: suggested_at.getTime() }),
  }
}

async function suggest({ db }: Deps, certificates: RequestedCertificates, row: CertificateRow): Promise<void> {
  const issued = issuedOf(row)
  if (!issued) return
  const renewal = await certificates.suggest(issued, renewalOf(row))
  await setSuggestion(db, row.label, issued.cert, {
    from: renewal.window ? new Date(renewal.window.start) : null,
    until: renewal.window ? new Date(renewal.window.end) : null,
    at: renewal.at === undefined ? null : new Date(renewal.at),
    dueAt: new Date(renewal.checkAt),
    renewAt: new Date(renewAtOf(issued, renewal)),
  })
}

const problemOfFailure = (code: string): StoredProblem =>
  code === 'quota' || code === 'rateLimited'
    ? 'quota'
    : NAME_SERVER_FAULTS.has(code)
      ? 'dns'
      : REQUEST_FAULTS.has(code)
        ? 'request'
        : 'ca'
