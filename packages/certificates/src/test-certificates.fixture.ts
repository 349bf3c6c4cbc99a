// The library below needs it.
import 'reflect-metadata'
import { createPrivateKey, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

/** A CA that signs what tests need. */
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
let serial = 0

export async function createSigner(name = 'CN=Test CA') {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    notBefore: new Date('2020-01-01'),
    notAfter: new Date('2100-01-01'),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const sign = async (names: readonly string[], publicKey: x509.PublicKeyType, from: number, to: number) => {
    const certificate = await x509.X509CertificateGenerator.create({
      // The first bit is set in half of them.
      serialNumber: (0x7ff0 + ++serial).toString(16),
      subject: '',
      issuer: root.subject,
      notBefore: new Date(from),
      notAfter: new Date(to),
      signingKey: keys.privateKey,
      publicKey,
      extensions: [
        new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value }))),
        await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
      ],
    })
    return certificate.toString('pem')
  }
  return {
    root: root.toString('pem'),
    /** For the key of a request. */
    signRequest: (names: readonly string[], csr: Buffer, from: number, to: number) =>
      sign(names, new x509.Pkcs10CertificateRequest(new Uint8Array(csr)).publicKey, from, to),
    /** A certificate with a new key; times are Unix ms. */
    async issue(names: readonly string[], { from = Date.now() - 1000, to = Date.now() + 90 * 86_400_000 } = {}) {
      const own = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
      const key = createPrivateKey({
        key: Buffer.from(await webcrypto.subtle.exportKey('pkcs8', own.privateKey)),
        format: 'der',
        type: 'pkcs8',
      })
      return {
        cert: await sign(names, own.publicKey, from, to),
        key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
      }
    },
  }
}

/** Whether a request is for these names. @param csr PKCS #10, DER */
export function hasNames(csr: Buffer, names: readonly string[]): boolean {
  const { extensions } = new x509.Pkcs10CertificateRequest(new Uint8Array(csr))
  const requested = extensions.flatMap((each) =>
    each instanceof x509.SubjectAlternativeNameExtension ? each.names.items.map(({ value }) => value) : [],
  )
  return String(requested.sort()) === String([...names].sort())
}

/** A request of somebody who keeps the key. @returns DER */
export async function createRequest(name: string): Promise<{ csr: Buffer; spki: Buffer }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }])],
  })
  const spki = Buffer.from(await webcrypto.subtle.exportKey('spki', keys.publicKey))
  return { csr: Buffer.from(request.rawData), spki }
}
