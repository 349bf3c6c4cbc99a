import { createHash } from 'node:crypto'
import { type Clock, every, type Logger } from '@tidenet/daemon'
import { Semaphore } from 'async-mutex'
import type { Authority } from './accounts.ts'
import type { Challenges } from './challenges.ts'
import { documentsOf } from './documents.ts'
import { isCertificateName, isWithin } from './hostnames.ts'
import { createIssuer, type Failure } from './issue.ts'
import type { PointsHere } from './ownership.ts'
import { PUBLIC_CA_QUOTAS, type Quotas } from './quotas.ts'
import { type Renewal, renewAtOf, suggestedRenewal } from './renewal.ts'
import { createCertificateIndex } from './sni.ts'
import type { CertificateStore } from './store.ts'
import { type Certificate, readCertificate } from './x509.ts'

export interface CertificatesOptions extends Authority {
  store: CertificateStore
  /** Of the same store. */
  challenges: Challenges
  /** Zones of our responder: their names are validated by DNS-01, and only they can have wildcards. */
  zones: readonly string[]
  /** Default: those of a public CA. */
  quotas?: Quotas
  /**
   * Asked for every name outside the zones before an order, so that no quota is spent on a domain that does not point here, or belongs to
   * somebody else by now. Default: every name may be ordered.
   */
  mayOrder?: (name: string) => Promise<PointsHere>
  clock: Clock
  log: Logger
}

export interface CertificateState {
  names: readonly string[]
  /** The current certificate; undefined: there is none yet. */
  notAfter: number | undefined
  /** Unix ms; undefined without a certificate. */
  renewAt: number | undefined
  /** Why there is no certificate, or no newer one; `at` is the time of the last attempt, `nextAt` that of the next, Unix ms. */
  failure: Failure | undefined
  /** A server is ordering it. */
  isOrdering: boolean
}

export interface Certificates {
  /**
   * Keeps a certificate for these names from now on, and orders one if none is stored or it is time to renew. It returns as soon as nothing
   * can be done at the moment, which takes up to some minutes if the CA is slow; a stored certificate serves at once. Failures are in the
   * state and are tried again, later each time.
   * @param options.retry tries now what failed, as when somebody pressed a button; quotas hold nevertheless
   * @throws TypeError if a name cannot be in a certificate; errors of the store
   */
  ensure(names: readonly string[], options?: { retry?: boolean }): Promise<CertificateState>
  /** What is stored, whichever server keeps it, for a page; it orders nothing and does not wait. @throws TypeError; errors of the store */
  state(names: readonly string[]): Promise<CertificateState>
  /** Stops keeping it, and deletes it. */
  forget(names: readonly string[]): Promise<void>
  /**
   * Deletes what is stored for domains that nobody wants any more, for example because no server ran when they were removed: certificates,
   * private keys, open orders. Those of zones stay.
   * @param wanted all sets of names that any server keeps; called after the stored ones were listed, so that none is missed that is new
   */
  prune(wanted: () => Promise<readonly (readonly string[])[]>): Promise<void>
  /** Asks the CA to revoke it because its key was stolen, deletes it and orders another one, with another key. @throws AcmeError */
  revoke(names: readonly string[]): Promise<CertificateState>
  /** The certificate for a host name, of those that are kept: for `createSniCallback`. */
  find(hostname: string): Certificate | undefined
  stop(): Promise<void>
}

interface StoredCertificate {
  cert: string
  key: string
  renewal?: Renewal
  /** Of the CA that it was ordered at; others cannot replace it. */
  directory: string
}

interface Kept {
  id: string
  names: readonly string[]
  stored?: StoredCertificate
  certificate?: Certificate | undefined
  failure?: Failure | undefined
  isOrdering: boolean
  running?: Promise<void> | undefined
}

/** How often certificates are looked at; most looks cost nothing. */
const CHECK_MS = 10_000
/** Where the documents of a set of names are. */
const STORED = ['certificate/', 'order/', 'failure/']
/** Orders of this process, and questions to the CA, at the same time. */
const ORDERS_MAX = 8

/** Orders, keeps and renews certificates by ACME (RFC 8555). */
export function createCertificates(options: CertificatesOptions): Certificates {
  const { store, zones, clock, log, quotas = PUBLIC_CA_QUOTAS, mayOrder } = options
  const documents = documentsOf(store)
  const stopped = new AbortController()
  const issuer = createIssuer({ ...options, quotas, documents, signal: stopped.signal })
  const orders = new Semaphore(ORDERS_MAX)
  const kept = new Map<string, Kept>()
  const index = createCertificateIndex()

  /** Undefined if the store was damaged: then another one is ordered. */
  const usable = ({ cert, key }: StoredCertificate, names: readonly string[]): Certificate | undefined => {
    try {
      return readCertificate(cert, key)
    } catch (error) {
      log.warn({ err: error, names }, 'a stored certificate is not usable')
      return undefined
    }
  }

  const keyOf = ({ id }: Kept) => `certificate/${id}`

  const load = async (each: Kept) => {
    const stored = await documents.read<StoredCertificate>(keyOf(each))
    each.failure = await issuer.failureOf(each.id)
    if (stored?.cert === each.stored?.cert) {
      if (stored) each.stored = stored
      return
    }
    delete each.stored
    delete each.certificate
    if (stored) {
      each.stored = stored
      each.certificate = usable(stored, each.names)
    }
    // Forgotten meanwhile.
    if (kept.get(each.id) === each) index.set(each.id, each.certificate)
  }

  /** Unix ms; in the past if there is no certificate. */
  const dueAt = ({ certificate, stored }: Kept) => (certificate ? renewAtOf(certificate, stored?.renewal) : 0)

  /** Whether the CA is to be asked when it wants the certificate to be renewed. */
  const isTimeToAsk = ({ certificate, stored }: Kept): boolean =>
    certificate !== undefined &&
    stored?.directory === options.directory &&
    (stored.renewal?.checkAt ?? 0) <= clock.now()

  const askForRenewal = async (each: Kept) => {
    const { certificate, stored } = each
    if (!certificate || !stored || !isTimeToAsk(each)) return
    const renewal = await suggestedRenewal(stored.directory, certificate, stored.renewal, clock.now())
    await documents.change<StoredCertificate, void>(keyOf(each), (before) => ({
      after: before?.cert === stored.cert ? { ...before, renewal } : before,
      result: undefined,
    }))
    await load(each)
  }

  const run = async (each: Kept, retry: boolean) => {
    each.isOrdering = false
    // First, so that what is stored serves at once.
    await load(each)
    const mayTry = () => dueAt(each) <= clock.now() && (retry || (each.failure?.nextAt ?? 0) <= clock.now())
    if (!mayTry() && !isTimeToAsk(each)) return
    await orders.runExclusive(async () => {
      if (stopped.signal.aborted) return
      await askForRenewal(each)
      if (!mayTry()) return
      each.isOrdering = true
      const lease = await issuer.lease(each.id)
      // Another server is at it; a later look finds what it brought.
      if (!lease) return
      try {
        // It may have come to an end between the look and the lease.
        await load(each)
        if (mayTry()) await order(each, lease.signal)
      } catch (error) {
        // The next process, or the holder of the lease, continues.
        if (!stopped.signal.aborted && !lease.signal.aborted) throw error
      } finally {
        each.isOrdering = false
        await lease.release()
      }
    })
  }

  const order = async (each: Kept, lost: AbortSignal) => {
    const { certificate, stored, names } = each
    const isOfThisCa = certificate && stored?.directory === options.directory
    const replaces = isOfThisCa ? { cert: certificate.cert, renewal: stored.renewal } : undefined
    const issued = await issuer.issue({ set: each.id, names, ...(replaces && { replaces }) }, lost, refusalOf)
    if (issued) {
      await documents.write(keyOf(each), { ...issued, directory: options.directory } satisfies StoredCertificate)
      await issuer.finish(each.id)
    }
    await load(each)
    if (issued) log.info({ names, notAfter: each.certificate?.notAfter }, 'a certificate was issued')
    else log.warn({ names, failure: each.failure }, 'no certificate was issued')
  }

  const refusalOf = async (names: readonly string[]) => {
    for (const name of names) {
      if (!mayOrder || zones.some((zone) => isWithin(name, zone))) continue
      const answer = await mayOrder(name)
      if (!answer.isHere) return answer
    }
    return undefined
  }

  const attempt = async (each: Kept, retry: boolean): Promise<CertificateState> => {
    // What runs may only be a question to the CA.
    if (retry) await each.running?.catch(() => {})
    each.running ??= run(each, retry).finally(() => {
      each.running = undefined
    })
    await each.running
    return stateOf(each)
  }

  const stateOf = (each: Kept): CertificateState => ({
    names: each.names,
    notAfter: each.certificate?.notAfter,
    renewAt: each.certificate && dueAt(each),
    failure: each.failure,
    isOrdering: each.isOrdering,
  })

  const isDue = (each: Kept): boolean => {
    const now = clock.now()
    return isTimeToAsk(each) || (dueAt(each) <= now && (each.failure?.nextAt ?? 0) <= now)
  }

  const checks = every(
    CHECK_MS,
    async () => {
      for (const each of kept.values())
        if (!each.running && isDue(each))
          attempt(each, false).catch((error: unknown) =>
            log.warn({ err: error, names: each.names }, 'a certificate could not be looked at'),
          )
    },
    { name: 'certificates', log },
  )

  const newKept = (names: readonly string[]): Kept => {
    const sorted = sortNames(names, zones)
    return { id: setIdOf(sorted), names: sorted, isOrdering: false }
  }
  const keep = (names: readonly string[]): Kept => {
    const made = newKept(names)
    const each = kept.get(made.id) ?? made
    kept.set(each.id, each)
    return each
  }
  const remove = async (each: Kept) => {
    index.set(each.id, undefined)
    kept.delete(each.id)
    await each.running?.catch(() => {})
    await issuer.forget(each.id)
    await documents.write(keyOf(each), undefined)
  }

  return {
    ensure: async (names, { retry = false } = {}) => attempt(keep(names), retry),
    async state(names) {
      const each = newKept(names)
      await load(each)
      each.isOrdering = await issuer.isOrdering(each.id)
      return stateOf(each)
    },
    forget: async (names) => remove(keep(names)),
    async prune(wanted) {
      const keys = (await Promise.all(STORED.map((prefix) => store.keys(prefix)))).flat()
      const stored = new Set(keys.map((key) => key.slice(key.indexOf('/') + 1)))
      for (const names of await wanted()) stored.delete(newKept(names).id)
      for (const id of stored) if (!isOfZone(id)) await remove(kept.get(id) ?? { id, names: [], isOrdering: false })
    },
    async revoke(names) {
      const each = keep(names)
      await load(each)
      if (each.stored) await issuer.revoke(each.stored.cert)
      await remove(each)
      return attempt(keep(names), true)
    },
    find: index.find,
    async stop() {
      stopped.abort(new Error('The program stops.'))
      await checks.stop()
      await Promise.all([...kept.values()].map(({ running }) => running?.catch(() => {})))
    },
  }
}

/** @throws TypeError */
function sortNames(names: readonly string[], zones: readonly string[]): string[] {
  const sorted = [...new Set(names)].sort()
  if (sorted.length === 0) throw new TypeError('A certificate needs a name.')
  for (const name of sorted) {
    const isOurs = zones.some((zone) => isWithin(name.replace(/^\*\./, ''), zone))
    if (!isCertificateName(name) || (name.startsWith('*.') && !isOurs))
      throw new TypeError(`Not a name for a certificate: ${name}`)
  }
  return sorted
}

/** Wildcards are for zones only: those of programs, and of nodes. */
const isOfZone = (id: string): boolean => id.startsWith('_.')

/** Part of keys and of names of files. @param names sorted */
export const setIdOf = (names: readonly string[]): string =>
  `${(names[0] ?? '').replace('*', '_').slice(0, 80)}-${createHash('sha256').update(names.join(' ')).digest('hex').slice(0, 16)}`
