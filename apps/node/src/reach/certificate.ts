import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import { type CertificateProblem, certificateText, certificateTextsEn } from '@tidenet/contract'
import type { Clock, Logger } from '@tidenet/daemon'
import { writeDurably } from '../contents/durable.ts'
import type { Identity } from '../identity.ts'
import type { ServerLink } from '../server-link.ts'
import { createCertificateRequest, createSelfSignedCertificate } from './certificate-request.ts'

/** The certificate of a node for its names. Its private key is made here and stays here. */
export interface NodeCertificate {
  /** Undefined: there is none, or it has expired. */
  context(): SecureContext | undefined
  /** One of the node's own making, which only the server accepts, to see that the node can be reached. */
  provisional(): SecureContext
  /**
   * Asks for a certificate if there is none, or it is time for the next one.
   * @param isDue the server says that it is time
   * @throws ServerRefused, and what `ServerLink.call` throws
   */
  ensure(isDue?: boolean): Promise<void>
  /** In how many ms to call it again because a certificate is being ordered; infinite: none is. */
  waitMs(): number
}

const KEY = 'tls.key'
const CERT = 'tls.pem'
/** Part of the life after which it is renewed. */
const RENEW_AT = 2 / 3
/** The server says that it is not time yet. */
const NOT_YET_MS = 6 * 3_600_000
/** The server never says to wait longer; the clock may be set back meanwhile. */
const RETRY_MAX_MS = 600_000

const makeKeyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

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
  let current: { cert: string; context: SecureContext; renewAt: number; until: number } | undefined
  let askAt = 0
  let isOrdered = false
  let said: CertificateProblem = ''

  const contextOf = (cert: string, key: KeyObject) =>
    createSecureContext({ cert, key: key.export({ type: 'pkcs8', format: 'pem' }), minVersion: 'TLSv1.2' })
  const use = (cert: string, key: KeyObject): boolean => {
    const x509 = new X509Certificate(cert)
    if (!x509.checkPrivateKey(key) || x509.subjectAltName !== `DNS:${name}`) return false
    const [from, until] = [Date.parse(x509.validFrom), Date.parse(x509.validTo)]
    current = { cert, context: contextOf(cert, key), until, renewAt: from + (until - from) * RENEW_AT }
    return true
  }
  /** Says each problem once. */
  const say = (problem: CertificateProblem) => {
    if (problem !== said && problem !== '') {
      const text = certificateTextsEn[problem]('')
      if (problem === 'queued') log.info({ name }, text)
      else log.warn({ name }, text)
    }
    said = problem
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
    const made = makeKeyPair()
    await writeDurably(join(folder, KEY), made.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600)
    return made
  }

  const temporary = makeKeyPair()
  const provisional = contextOf(createSelfSignedCertificate(name, temporary), temporary.privateKey)

  return {
    context: () => (current && current.until > clock.now() ? current.context : undefined),
    provisional: () => provisional,
    waitMs: () => (isOrdered ? Math.max(0, askAt - clock.now()) : Number.POSITIVE_INFINITY),
    async ensure(isDue = false) {
      const time = clock.now()
      if (current && current.until <= time) say('expired')
      const isWanted = !current || time >= current.renewAt || isDue || isOrdered
      if (!isWanted || (time < askAt && askAt <= time + RETRY_MAX_MS)) return
      const keys = await keyPair()
      const csr = createCertificateRequest(name, keys).toString('base64url')
      const signature = identity.sign(certificateText(identity.publicKey, csr, time))
      const { certificate, retry_after, problem = '' } = await link.call('certificate', { csr, time, signature })
      askAt = time + retry_after
      say(problem)
      isOrdered = certificate === ''
      if (isOrdered) return
      if (certificate === current?.cert) {
        current.renewAt = time + NOT_YET_MS
        return
      }
      if (!use(certificate, keys.privateKey)) throw new Error('the server sent a certificate for another name or key')
      await writeDurably(join(folder, CERT), certificate)
      log.info({ name, until: new Date(current?.until ?? 0).toISOString() }, 'got a certificate')
    },
  }
}
