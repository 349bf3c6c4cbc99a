import {
  type Certificate,
  createCertificates,
  createChallenges,
  createDnsResponder,
  createDomainResolver,
  everyName,
  openCertificateFiles,
  pointsHere,
} from '@tidenet/certificates'
import { StartError } from '@tidenet/daemon'
import { certificateStore, readRoots } from '../../platform/certificates/store.ts'
import type { Context } from '../context.ts'
import { keepDomains } from './domains.ts'

export interface IngressCertificates {
  /** Undefined: this ingress speaks plain HTTP. */
  find: ((hostname: string) => Certificate | undefined) | undefined
  /** What answers a CA at a path of port 80; undefined: nothing. */
  httpAnswer(path: string): Promise<string | undefined>
  /** Looks at domains of customers now, for tests; undefined: there are none. */
  round: (() => Promise<void>) | undefined
  /** The port of the name server; 0: there is none. */
  dnsPort: number
  stop(): Promise<void>
}

type Deps = Pick<Context, 'config' | 'clock' | 'db' | 'keys' | 'log'>

/**
 * The certificates of the ingress: the operator's files, and those that are ordered by ACME. It does not wait for a CA.
 * @throws StartError if a file cannot be read or the port of the name server cannot be opened
 */
export async function openCertificates(context: Deps): Promise<IngressCertificates> {
  const { config, clock, log } = context
  const { url, cert, key, addresses, acme } = config.ingress
  const domain = new URL(url).hostname
  const files = cert === '' ? undefined : await openCertificateFiles({ cert, key, clock, log })
  if (acme.directory === '')
    return {
      find: files?.find,
      httpAnswer: async () => undefined,
      round: undefined,
      dnsPort: 0,
      stop: async () => files?.stop(),
    }

  const store = certificateStore(context)
  const challenges = createChallenges(store, clock)
  const roots = await readRoots('TIDENET_INGRESS_ACME_ROOTS', acme.roots)
  const { dns, issuers } = acme
  const responder =
    dns &&
    (await createDnsResponder({
      zone: acme.zone,
      listen: dns,
      nameservers: acme.nameservers,
      addresses: acme.zone === domain ? everyName(domain, addresses) : () => undefined,
      texts: challenges.texts,
      ...(issuers.length > 0 && { issuers }),
      log,
    }).catch((error: NodeJS.ErrnoException) => {
      throw new StartError(
        `The name server cannot use port ${dns.port} on ${dns.host} (${error.code}). Choose another address with TIDENET_INGRESS_DNS, such as the public one.`,
      )
    }))
  const resolver = createDomainResolver(acme.resolvers)
  const isPointingHere = (name: string) =>
    pointsHere({ domain: name, addresses, ...(issuers.length > 0 && { issuers }), resolver })
  const certificates = createCertificates({
    directory: acme.directory,
    ...(acme.email && { email: acme.email }),
    ...(acme.profile && { profile: acme.profile }),
    ...(roots && { roots }),
    store,
    challenges,
    zones: [domain],
    mayOrder: isPointingHere,
    clock,
    log,
  })
  // Not awaited: an ingress whose CA does not answer still serves the certificates that it has.
  if (!files)
    certificates
      .ensure([`*.${domain}`])
      .catch((error: unknown) => log.warn({ err: error }, 'the certificate of the domain could not be looked at'))
  const domains = keepDomains(context, { certificates, pointsHere: isPointingHere, resolver })
  return {
    find: (name) => files?.find(name) ?? certificates.find(name),
    httpAnswer: challenges.httpAnswer,
    round: domains.round,
    dnsPort: responder?.port ?? 0,
    async stop() {
      await domains.stop()
      await certificates.stop()
      await responder?.close()
      await files?.stop()
    },
  }
}
