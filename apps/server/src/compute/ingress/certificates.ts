import { readFile } from 'node:fs/promises'
import {
  type Certificate,
  type Certificates,
  createCertificates,
  createChallenges,
  createDnsResponder,
  createDomainResolver,
  createSealedStore,
  everyName,
  openCertificateFiles,
  pointsHere,
} from '@tidenet/certificates'
import { StartError } from '@tidenet/daemon'
import type { Context } from '../context.ts'
import { databaseStore } from './store-repository.ts'

export interface IngressCertificates {
  /** Undefined: this ingress speaks plain HTTP. */
  find: ((hostname: string) => Certificate | undefined) | undefined
  /** What answers a CA at a path of port 80; undefined: nothing. */
  httpAnswer(path: string): Promise<string | undefined>
  /** For domains of customers; undefined: none are ordered. */
  acme: Certificates | undefined
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
  const { config, clock, db, keys, log } = context
  const { url, cert, key, addresses, acme } = config.ingress
  const domain = new URL(url).hostname
  const files = cert === '' ? undefined : await openCertificateFiles({ cert, key, clock, log })
  if (acme.directory === '')
    return {
      find: files?.find,
      httpAnswer: async () => undefined,
      acme: undefined,
      dnsPort: 0,
      stop: async () => files?.stop(),
    }

  const store = createSealedStore(databaseStore(db), Buffer.from(keys.certificates))
  const challenges = createChallenges(store, clock)
  const roots = acme.roots === '' ? undefined : await readRoots(acme.roots)
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
  const certificates = createCertificates({
    directory: acme.directory,
    ...(acme.email && { email: acme.email }),
    ...(acme.profile && { profile: acme.profile }),
    ...(roots && { roots }),
    store,
    challenges,
    zones: [domain],
    mayOrder: (name) => pointsHere({ domain: name, addresses, ...(issuers.length > 0 && { issuers }), resolver }),
    clock,
    log,
  })
  // Not awaited: an ingress whose CA does not answer still serves the certificates that it has.
  if (!files)
    certificates
      .ensure([`*.${domain}`])
      .catch((error: unknown) => log.warn({ err: error }, 'the certificate of the domain could not be looked at'))
  return {
    find: (name) => files?.find(name) ?? certificates.find(name),
    httpAnswer: challenges.httpAnswer,
    acme: certificates,
    dnsPort: responder?.port ?? 0,
    async stop() {
      await certificates.stop()
      await responder?.close()
      await files?.stop()
    },
  }
}

async function readRoots(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new StartError(`TIDENET_INGRESS_ACME_ROOTS=${path} cannot be read: ${(error as Error).message}`)
  }
}
