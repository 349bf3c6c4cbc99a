export type { Authority } from './accounts.ts'
export { AcmeError } from './acme-client.ts'
export { type CertificateFiles, openCertificateFiles } from './certificate-files.ts'
export {
  type CertificateState,
  type Certificates,
  type CertificatesOptions,
  createCertificates,
} from './certificates.ts'
export { type Challenges, createChallenges } from './challenges.ts'
export { createDnsResponder, type DnsResponder, type DnsResponderOptions } from './dns-responder.ts'
export { everyName, type Zone } from './dns-zone.ts'
export { isHostname, isWithin, registeredDomainOf, toHostname } from './hostnames.ts'
export type { Failure } from './issue.ts'
export { type LocalCa, openLocalCa } from './local-ca.ts'
export {
  createDomainResolver,
  type DomainProof,
  type DomainResolver,
  type PointsHere,
  PROOF_LABEL,
  pointsHere,
  verifyDomain,
} from './ownership.ts'
export { PUBLIC_CA_QUOTAS, type Quotas } from './quotas.ts'
export type { Renewal } from './renewal.ts'
export { renewAtOf } from './renewal.ts'
export {
  createRequestedCertificates,
  NAME_SERVER_FAULTS,
  type OrderedCertificate,
  type OrderOutcome,
  REQUEST_FAULTS,
  type RequestedCertificates,
  type RequestedOrder,
} from './requested.ts'
export { isForKey, isRequestFor, keyOfRequest } from './requests.ts'
export { createSniCallback, type SniCallback, UnknownName } from './sni.ts'
export { type CertificateStore, createFolderStore, createMemoryStore, createSealedStore } from './store.ts'
export { type Certificate, CertificateError, readCertificate, readCertificateFacts } from './x509.ts'
