import {
  type CertificateState,
  type Certificates,
  type DomainResolver,
  type PointsHere,
  verifyDomain,
} from '@tidenet/certificates'
import { every } from '@tidenet/daemon'
import type { Context } from '../context.ts'
import {
  claimDueDomains,
  type DomainProblem,
  type DueDomain,
  deleteLostDomains,
  domainToken,
  LOST_AFTER_MS,
  provenDomains,
  saveCheck,
  UNPROVEN_AFTER_MS,
} from '../workspaces/domains.ts'
import { addressOf } from '../workspaces/labels.ts'

/** Keeps domains of customers: looks at their records, and has their certificates ordered and renewed. */

type Deps = Pick<Context, 'config' | 'clock' | 'db' | 'keys' | 'log'>

const ROUND_MS = { usual: 10_000, quick: 500 }
/** Domains looked at at once by one server; some name servers answer slowly on purpose. */
const AT_ONCE = 20
const LOOK_TIMEOUT_MS = 15_000
/** Nobody else looks at a domain meanwhile. */
const LEASE_MS = 60_000
/** Between two looks: the longer something is wrong or right, the longer. */
const NEXT_MS = { least: 60_000, most: 3_600_000 }
const DETAIL_MAX = 300
/** Between two looks for certificates and keys of domains that were removed while no ingress ran. */
const PRUNE_MS = 3_600_000

interface Options {
  certificates: Certificates
  pointsHere: (domain: string) => Promise<PointsHere>
  resolver: DomainResolver
}

export interface DomainKeeper {
  /** One round, for tests. */
  round(): Promise<void>
  stop(): Promise<void>
}

export function keepDomains(context: Deps, { certificates, pointsHere, resolver }: Options): DomainKeeper {
  const { config, clock, db, keys, log } = context
  const kept = new Set<string>()
  const forgetting = new Set<string>()
  let prunedAt = Number.NEGATIVE_INFINITY

  /** The records, without the certificate. */
  async function look({ domain, workload_id, program, workspace, ports, port }: DueDomain) {
    // Every port has a name, and which one has the shortest may change.
    const targets = [[port], []].map((first) => addressOf(config.ingress.url, { program, workspace }, first, port))
    const proof = await verifyDomain({
      domain,
      targets: targets.map((url) => new URL(url).hostname),
      token: domainToken(keys, workload_id, domain),
      resolver,
    })
    if (!proof.isVerified) return { isProven: false, problem: problemOf(proof.code), detail: proof.detail }
    if (!ports.includes(port)) return { isProven: true, problem: '' as const, detail: '' }
    const here = await pointsHere(domain)
    return here.isHere
      ? { isProven: true, problem: '' as const, detail: '' }
      : { isProven: true, problem: problemOf(here.code), detail: here.detail }
  }

  async function check(due: DueDomain): Promise<void> {
    const { domain, workload_id, added_at, proven_at, asked } = due
    const found = await withTimeout(look(due), {
      isProven: false,
      problem: 'dns' as const,
      detail: `The name servers of ${domain} do not answer.`,
    })
    const isOurs = found.isProven || proven_at !== null
    const state = isOurs ? await certificates.state([domain]) : undefined
    const at = clock.now()
    const result = { ...found, ...(found.problem === '' && state && problemOfCertificate(state)) }
    const isRight = result.problem === '' && state?.notAfter !== undefined
    const since = (proven_at ?? added_at).getTime()
    const wait = isRight ? NEXT_MS.most : Math.max(NEXT_MS.least, (at - since) / 4)
    const saved = {
      domain,
      workload_id,
      problem: result.problem as DomainProblem,
      detail: result.detail.slice(0, DETAIL_MAX),
      proven_at: found.isProven ? new Date(at) : undefined,
      certificate_until: state?.notAfter === undefined ? undefined : new Date(state.notAfter),
      next_check_at: new Date(at + Math.min(NEXT_MS.most, wait)),
    }
    // Two programs may prove the same domain at the same moment: the index lets one of them.
    const isSaved = await saveCheck(db, saved).catch((error: unknown) => {
      if ((error as { code?: string }).code === '23505') return false
      throw error
    })
    if (!isSaved && found.isProven)
      await saveCheck(db, { ...saved, proven_at: undefined, problem: 'taken', detail: '' })
    else if (found.isProven && asked) keep(domain, true)
  }

  /** Not awaited: a CA may take minutes. */
  function keep(domain: string, retry: boolean): void {
    kept.add(domain)
    certificates
      .ensure([domain], { retry })
      .catch((error: unknown) => log.warn({ err: error, domain }, 'the certificate of a domain could not be looked at'))
  }

  /** Not awaited either: an order that runs is finished first. */
  function forget(domain: string): void {
    kept.delete(domain)
    forgetting.add(domain)
    certificates
      .forget([domain])
      .catch((error: unknown) => log.warn({ err: error, domain }, 'the certificate of a domain could not be deleted'))
      .finally(() => forgetting.delete(domain))
  }

  async function round(): Promise<void> {
    const at = clock.now()
    await deleteLostDomains(db, {
      unproven: new Date(at - UNPROVEN_AFTER_MS),
      lost: new Date(at - LOST_AFTER_MS),
    })
    const due = await claimDueDomains(db, new Date(at), new Date(at + LEASE_MS), AT_ONCE)
    const checks = await Promise.allSettled(due.map(check))
    const proven = new Set(await provenDomains(db))
    for (const domain of proven) if (!kept.has(domain) && !forgetting.has(domain)) keep(domain, false)
    for (const domain of kept) if (!proven.has(domain)) forget(domain)
    if (prunedAt + PRUNE_MS <= at) {
      await certificates.prune(async () => (await provenDomains(db)).map((domain) => [domain]))
      prunedAt = at
    }
    for (const each of checks) if (each.status === 'rejected') throw each.reason
  }

  const rounds = every(ROUND_MS[config.pace], round, { name: 'domains of programs', log })
  return { round, stop: () => rounds.stop() }
}

/** `unresolvable`: its name servers fail. */
const problemOf = (code: 'not-verified' | 'unresolvable' | 'not-pointing-here' | 'caa'): DomainProblem =>
  ({ 'not-verified': 'record', unresolvable: 'dns', 'not-pointing-here': 'address', caa: 'caa' })[code] as DomainProblem

function problemOfCertificate({
  failure,
  notAfter,
}: CertificateState): { problem: DomainProblem; detail: string } | undefined {
  // A failed renewal is tried again for weeks before anybody notices.
  if (!failure || notAfter !== undefined) return undefined
  const { code, detail } = failure
  const own = { quota: 'quota', 'not-pointing-here': 'address', caa: 'caa', unresolvable: 'dns' } as const
  return { problem: code in own ? own[code as keyof typeof own] : 'ca', detail }
}

async function withTimeout<T>(work: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), LOOK_TIMEOUT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
