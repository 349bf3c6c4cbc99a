import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import { certificateText } from '@tidenet/contract'
import type { Clock, Logger } from '@tidenet/daemon'
import { writeDurably } from '../contents/durable.ts'
import type { Identity } from '../identity.ts'
import type { ServerLink } from '../server-link.ts'
import { createCertificateRequest } from './certificate-request.ts'

/** The certificate of a node for its names. Its private key is made here and stays here. */
export interface NodeCertificate {
  context(): SecureContext | undefined
  /** Gets a certificate if there is none, or it is time for the next one. @throws ServerRefused, and what `ServerLink.call` throws */
  ensure(): Promise<void>
}

const KEY = 'tls.key'
const CERT = 'tls.pem'
/** Part of the life after which it is renewed. */
const RENEW_AT = 2 / 3

export async function openNodeCertificate({
  folder,
  name,
  identity,
  link,
  clock,
  log,
}: {
  folder: string
  /** `*.<label>.<zone>` */
  name: string
  identity: Identity
  link: ServerLink
  clock: Clock
  log: Logger
}): Promise<NodeCertificate> {
  let current: { context: SecureContext; renewAt: number; until: number } | undefined

  const use = (cert: string, key: KeyObject): boolean => {
    const x509 = new X509Certificate(cert)
    if (!x509.checkPrivateKey(key) || x509.subjectAltName !== `DNS:${name}`) return false
    const [from, until] = [Date.parse(x509.validFrom), Date.parse(x509.validTo)]
    const pem = key.export({ type: 'pkcs8', format: 'pem' })
    const context = createSecureContext({ cert, key: pem, minVersion: 'TLSv1.2' })
    current = { context, until, renewAt: from + (until - from) * RENEW_AT }
    return true
  }
  const readText = (file: string) => readFile(join(folder, file), 'utf8').catch(() => '')
  try {
    const [cert, key] = [await readText(CERT), await readText(KEY)]
    // Of another zone, or of an interrupted request: a new one is ordered.
    if (cert !== '' && key !== '') use(cert, createPrivateKey(key))
  } catch (error) {
    log.warn({ err: error }, 'the stored certificate cannot be used')
  }

  const keyPair = async () => {
    const stored = await readText(KEY)
    if (stored !== '') {
      try {
        const privateKey = createPrivateKey(stored)
        return { privateKey, publicKey: createPublicKey(privateKey) }
      } catch {
        log.warn({ file: KEY }, 'the key of the certificate cannot be read; a new one is made')
      }
    }
    const made = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await writeDurably(join(folder, KEY), made.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600)
    return made
  }

  return {
    context: () => (current && current.until > clock.now() ? current.context : undefined),
    async ensure() {
      if (current && clock.now() < current.renewAt) return
      const keys = await keyPair()
      const csr = createCertificateRequest(name, keys).toString('base64url')
      const time = clock.now()
      const signature = identity.sign(certificateText(identity.publicKey, csr, time))
      const { certificate } = await link.call('certificate', { csr, time, signature })
      if (certificate === '') return
      if (!use(certificate, keys.privateKey)) throw new Error('the server sent a certificate for another name or key')
      await writeDurably(join(folder, CERT), certificate)
      log.info({ name, until: new Date(current?.until ?? 0).toISOString() }, 'got a certificate')
    },
  }
}
