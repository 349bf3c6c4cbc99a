import { type KeyObject, sign } from 'node:crypto'

/** Certificate requests and certificates with one DNS name, without a library: the node is one file. */

const der = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(contents)
  const length =
    body.length < 0x80
      ? Buffer.of(body.length)
      : body.length < 0x100
        ? Buffer.of(0x81, body.length)
        : Buffer.of(0x82, body.length >> 8, body.length & 0xff)
  return Buffer.concat([Buffer.of(tag), length, body])
}
const SEQUENCE = 0x30
const SET = 0x31
/** Object identifiers: extensionRequest of PKCS #9, subjectAltName, ecdsa-with-SHA256, commonName. */
const EXTENSION_REQUEST = Buffer.from('06092a864886f70d01090e', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex')
const ECDSA_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')

/** A P-256 key pair. */
interface KeyPair {
  publicKey: KeyObject
  privateKey: KeyObject
}

const extensionsFor = (name: string): Buffer => {
  const altNames = der(SEQUENCE, der(0x82, Buffer.from(name, 'latin1')))
  return der(SEQUENCE, der(SEQUENCE, SUBJECT_ALT_NAME, der(0x04, altNames)))
}

const signed = (info: Buffer, { privateKey }: KeyPair): Buffer =>
  der(SEQUENCE, info, der(SEQUENCE, ECDSA_SHA256), der(0x03, Buffer.of(0), sign('sha256', info, privateKey)))

/** A certificate request (PKCS #10, RFC 2986). @returns DER */
export function createCertificateRequest(name: string, key: KeyPair): Buffer {
  const info = der(
    SEQUENCE,
    // Version 1, no subject.
    der(0x02, Buffer.of(0)),
    der(SEQUENCE),
    key.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa0, der(SEQUENCE, EXTENSION_REQUEST, der(SET, extensionsFor(name)))),
  )
  return signed(info, key)
}

/** A certificate that nobody trusts (RFC 5280): with it, a node answers the server before a CA has issued one. @returns PEM */
export function createSelfSignedCertificate(name: string, key: KeyPair): string {
  const issuer = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from('Tidenet node')))))
  const time = (text: string) => der(0x17, Buffer.from(text))
  const info = der(
    SEQUENCE,
    // Version 3, serial number 1.
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    der(SEQUENCE, ECDSA_SHA256),
    issuer,
    // As long as UTCTime allows: the node's clock may be wrong.
    der(SEQUENCE, time('200101000000Z'), time('491231235959Z')),
    issuer,
    key.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensionsFor(name)),
  )
  const body = signed(info, key).toString('base64').replace(/.{64}/g, '$&\n').trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`
}
