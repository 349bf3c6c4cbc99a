import { createPrivateKey, X509Certificate } from 'node:crypto'

/** What a certificate says. */
export interface CertificateFacts {
  /** As in the certificate, in lower case; the first may be a wildcard. */
  names: readonly string[]
  /** The certificate and those of its CA, PEM. */
  cert: string
  /** Unix ms. */
  notBefore: number
  notAfter: number
}

export interface Certificate extends CertificateFacts {
  /** PEM. */
  key: string
}

/** Files or an answer of a CA that are no usable certificate. */
export class CertificateError extends Error {
  override name = 'CertificateError'
  readonly code: 'unreadable-certificate' | 'unreadable-key' | 'wrong-key' | 'no-names'
  constructor(code: CertificateError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Reads a certificate and its key. @throws CertificateError if they are unreadable, or do not belong together */
export function readCertificate(cert: string, key: string): Certificate {
  const facts = readCertificateFacts(cert)
  if (!parse(cert).checkPrivateKey(parseKey(key)))
    throw new CertificateError('wrong-key', 'The private key does not belong to the certificate.')
  return { ...facts, key }
}

/** Reads a certificate whose key is elsewhere. @throws CertificateError */
export function readCertificateFacts(cert: string): CertificateFacts {
  const x509 = parse(cert)
  const names = (x509.subjectAltName ?? '')
    .split(', ')
    .flatMap((each) => (each.startsWith('DNS:') ? [each.slice(4).toLowerCase()] : []))
  if (names.length === 0) throw new CertificateError('no-names', 'The certificate has no DNS names.')
  return { names, cert, notBefore: Date.parse(x509.validFrom), notAfter: Date.parse(x509.validTo) }
}

function parse(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new CertificateError('unreadable-certificate', 'The certificate is not readable; PEM is expected.')
  }
}

function parseKey(pem: string) {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new CertificateError('unreadable-key', 'The private key is not readable; PEM without password is expected.')
  }
}

/** DER of the extension "authority key identifier" up to the identifier: its object identifier and an octet string. */
const AUTHORITY_KEY = Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x23, 0x04])
const KEY_IDENTIFIER = 0x80

/** The name of a certificate in renewal information (RFC 9773 section 4.1); undefined if it does not name its CA's key. */
export function renewalIdOf(cert: string): string | undefined {
  const { raw, serialNumber } = new X509Certificate(cert)
  const at = raw.indexOf(AUTHORITY_KEY)
  // After it: length, sequence with its length, tag and length of the identifier; all are short.
  const tag = at + AUTHORITY_KEY.length + 3
  const length = raw[tag + 1]
  if (at < 0 || raw[tag] !== KEY_IDENTIFIER || length === undefined) return undefined
  const authority = raw.subarray(tag + 2, tag + 2 + length)
  const hex = serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`
  // DER: a first bit would make the number negative.
  const serial = Buffer.from(Number.parseInt(hex.slice(0, 2), 16) >= 0x80 ? `00${hex}` : hex, 'hex')
  return `${authority.toString('base64url')}.${serial.toString('base64url')}`
}
