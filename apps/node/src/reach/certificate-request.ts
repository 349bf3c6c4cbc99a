import { type KeyObject, sign } from 'node:crypto'

/** A certificate request (PKCS #10, RFC 2986) with one DNS name, without a library: the node is one file. */

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
/** Object identifiers: extensionRequest of PKCS #9, subjectAltName, ecdsa-with-SHA256. */
const EXTENSION_REQUEST = Buffer.from('06092a864886f70d01090e', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex')
const ECDSA_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')

/** @returns DER. @param key a P-256 key pair */
export function createCertificateRequest(name: string, key: { publicKey: KeyObject; privateKey: KeyObject }): Buffer {
  const altNames = der(SEQUENCE, der(0x82, Buffer.from(name, 'latin1')))
  const extensions = der(SEQUENCE, der(SEQUENCE, SUBJECT_ALT_NAME, der(0x04, altNames)))
  const info = der(
    SEQUENCE,
    // Version 1, no subject.
    der(0x02, Buffer.of(0)),
    der(SEQUENCE),
    key.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa0, der(SEQUENCE, EXTENSION_REQUEST, der(SET, extensions))),
  )
  const signature = sign('sha256', info, key.privateKey)
  return der(SEQUENCE, info, der(SEQUENCE, ECDSA_SHA256), der(0x03, Buffer.of(0), signature))
}
