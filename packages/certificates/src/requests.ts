// The library below needs it.
import 'reflect-metadata'
import { createPublicKey, X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'

/** Certificate requests (PKCS #10) of those who keep their private keys to themselves. */

/**
 * Whether a request is for exactly this name, by the holder of a P-256 key. Anything else in it is ignored.
 * @param csr PKCS #10, DER
 */
export async function isRequestFor(csr: Buffer, name: string): Promise<boolean> {
  try {
    const request = new x509.Pkcs10CertificateRequest(new Uint8Array(csr))
    const { namedCurve } = request.publicKey.algorithm as { namedCurve?: string }
    const names = request.extensions.flatMap((each) =>
      each instanceof x509.SubjectAlternativeNameExtension ? each.names.items : [],
    )
    const [only] = names
    const isNamed = names.length === 1 && only?.type === 'dns' && only.value === name && request.subject === ''
    return isNamed && namedCurve === 'P-256' && (await request.verify())
  } catch {
    return false
  }
}

/** The public key in a request that `isRequestFor` accepted: SPKI, DER. */
export const keyOfRequest = (csr: Buffer): Buffer =>
  Buffer.from(new x509.Pkcs10CertificateRequest(new Uint8Array(csr)).publicKey.rawData)

/** Whether a certificate is for this public key. @param cert PEM @param spki DER */
export const isForKey = (cert: string, spki: Buffer): boolean =>
  new X509Certificate(cert).publicKey.equals(createPublicKey({ key: spki, format: 'der', type: 'spki' }))

/** As ACME clients send it. */
export const requestPem = (csr: Buffer): string =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${csr.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE REQUEST-----\n`
