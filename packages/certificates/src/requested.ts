import type { Clock, Logger } from '@tidenet/daemon'
import type { Authority } from './accounts.ts'
import { authorityIdOf } from './accounts.ts'
import { setIdOf } from './certificates.ts'
import type { Challenges } from './challenges.ts'
import { documentsOf } from './documents.ts'
import { createIssuer, type Failure } from './issue.ts'
import { PUBLIC_CA_QUOTAS, type Quotas } from './quotas.ts'
import { isExempt, type Renewal, suggestedRenewal } from './renewal.ts'
import type { CertificateStore } from './store.ts'
import { type CertificateFacts, readCertificateFacts } from './x509.ts'

/** Certificates for keys of others: they send a request, keep the key and the certificate, and come back when it is to be renewed. */

export interface RequestedCertificatesOptions {
  /** The first one is preferred; the others issue where it cannot, so that one CA that is away or full stops nobody. */
  authorities: readonly Authority[]
  store: CertificateStore
  /** Of the same store. */
  challenges: Challenges
  /** Zones of our responder, in which all names are. */
  zones: readonly string[]
  /** Default: those of a public CA. */
  quotas?: Quotas
  clock: Clock
  log: Logger
}

export interface OrderedCertificate extends CertificateFacts {
  /** Of the CA that issued it: only there it can be replaced, or revoked. */
  directory: string
}

export interface RequestedOrder {
  name: string
  /** PKCS #10, DER, as `isRequestFor` accepted it. The same one until there is a certificate: another one begins another order. */
  csr: Buffer
  /** The certificate that its owner has by now. */
  replaces?: OrderedCertificate & { renewal: Renewal | undefined }
}

export type OrderOutcome =
  | { state: 'issued' }
  | {
      state: 'failed'
      /** Of the preferred CA, with the time of the earliest next attempt. */
      failure: Failure
      /** Others would fail as well until `failure.nextAt`: it waits for quotas that all names share, or no CA answers. */
      isForAll: boolean
    }
  /** Another server is at it. */
  | { state: 'busy' }

export interface RequestedCertificates {
  /**
   * Continues the order of a request, or makes one.
   * @param keep stores the certificate; until it did, the order can be continued by anybody
   * @throws errors of the store
   */
  order(request: RequestedOrder, keep: (issued: OrderedCertificate) => Promise<void>): Promise<OrderOutcome>
  /** When its CA wants a certificate to be renewed. A CA that does not answer has the same suggestion as before. */
  suggest(certificate: Pick<OrderedCertificate, 'cert' | 'directory'>, before: Renewal | undefined): Promise<Renewal>
  /** Deletes what is stored about orders of a name that nobody wants any more. */
  forget(name: string): Promise<void>
  /** Interrupts orders; the next process continues them. */
  stop(): void
}

/** The name server of the zone is at fault, or who may issue. */
export const NAME_SERVER_FAULTS: ReadonlySet<string> = new Set([
  'dns',
  'unauthorized',
  'connection',
  'caa',
  'incorrectResponse',
])
/** The request is. */
export const REQUEST_FAULTS: ReadonlySet<string> = new Set(['rejectedIdentifier', 'badCSR', 'badPublicKey'])
/** Another CA would find the same. */
const NOT_THE_CAS = new Set([...NAME_SERVER_FAULTS, ...REQUEST_FAULTS])
/** The CA is away, or wants nobody to ask. */
const AWAY = new Set(['unreachable', 'unknown', 'serverInternal', 'rateLimited'])
/** Quotas that all names have together. */
const SHARED_QUOTAS = new Set(['orders', 'perDomain', 'share'])
/** With more of its life left, a renewal waits for the CA that it has. */
const URGENT_BELOW = 1 / 6

export function createRequestedCertificates(options: RequestedCertificatesOptions): RequestedCertificates {
  const { clock, quotas = PUBLIC_CA_QUOTAS } = options
  const documents = documentsOf(options.store)
  const stopped = new AbortController()
  const issuers = options.authorities.map((authority) => ({
    directory: authority.directory,
    issuer: createIssuer({
      ...options,
      ...authority,
      quotas,
      documents,
      signal: stopped.signal,
      space: `-${authorityIdOf(authority)}`,
    }),
  }))
  const [preferred] = issuers
  if (!preferred) throw new TypeError('At least one CA is needed.')

  const isUrgent = ({ replaces }: RequestedOrder): boolean =>
    !replaces || replaces.notAfter - clock.now() < (replaces.notAfter - replaces.notBefore) * URGENT_BELOW

  /** A CA that does not count the renewal comes first. */
  const inOrder = ({ replaces }: RequestedOrder) =>
    replaces && isExempt(replaces.renewal, clock.now())
      ? [...issuers].sort((one, other) => rank(one.directory, replaces) - rank(other.directory, replaces))
      : issuers
  const rank = (directory: string, replaces: OrderedCertificate) => (directory === replaces.directory ? 0 : 1)

  const attempt = async (
    request: RequestedOrder,
    lost: AbortSignal,
    keep: (issued: OrderedCertificate) => Promise<void>,
  ): Promise<OrderOutcome> => {
    const { name, csr, replaces } = request
    const set = setIdOf([name])
    const failures: Failure[] = []
    for (const { directory, issuer } of inOrder(request)) {
      const last = failures.at(-1)
      if (last && (NOT_THE_CAS.has(last.code) || !isUrgent(request))) break
      const known = await issuer.failureOf(set)
      if (known && known.nextAt > clock.now()) {
        failures.push(known)
        continue
      }
      const own = replaces?.directory === directory ? { cert: replaces.cert, renewal: replaces.renewal } : undefined
      const wanted = { set, names: [name], csr, ...(own && { replaces: own }) }
      const issued = await issuer.issue(wanted, lost, async () => undefined)
      if (issued) {
        await keep({ ...readCertificateFacts(issued.cert), directory })
        for (const each of issuers) await each.issuer.finish(set)
        return { state: 'issued' }
      }
      const failure = await issuer.failureOf(set)
      if (failure) failures.push(failure)
    }
    const [first] = failures
    if (!first) return { state: 'busy' }
    const nextAt = Math.min(...failures.map((failure) => failure.nextAt))
    const isForAll = failures.every(({ code, detail }) =>
      code === 'quota' ? SHARED_QUOTAS.has(detail) : AWAY.has(code),
    )
    return { state: 'failed', failure: { ...first, nextAt }, isForAll }
  }

  return {
    async order(request, keep) {
      const lease = await preferred.issuer.lease(setIdOf([request.name]))
      if (!lease) return { state: 'busy' }
      try {
        return await attempt(request, lease.signal, keep)
      } catch (error) {
        // The next process, or the holder of the lease, continues.
        if (stopped.signal.aborted || lease.signal.aborted) return { state: 'busy' }
        throw error
      } finally {
        await lease.release()
      }
    },
    suggest: ({ cert, directory }, before) => suggestedRenewal(directory, { cert }, before, clock.now()),
    async forget(name) {
      for (const { issuer } of issuers) await issuer.forget(setIdOf([name]))
    },
    stop: () => stopped.abort(new Error('The program stops.')),
  }
}
