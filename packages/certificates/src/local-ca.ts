// The library below needs it.
import 'reflect-metadata'
import { createPrivateKey, createPublicKey, randomUUID, webcrypto } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import * as x509 from '@peculiar/x509'
import { StartError } from '@tidenet/daemon'

/** A CA of its own for a network on one machine. Browsers trust it only if its owner installs `root`. */
export interface LocalCa {
  /** PEM. */
  root: string
  /** A certificate for the key of a request, with the certificate of the CA, PEM. @param now Unix ms */
  issue(names: readonly string[], csr: Buffer, now: number): Promise<string>
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY_MS = 86_400_000
const ROOT_DAYS = 3650
const LEAF_DAYS = 30
/** Clocks of the machine's programs do not differ, but tests move them. */
const BEFORE_MS = 3_600_000
/** How long the program that makes the CA may take from its key to its certificate. */
const MAKING_MS = 2000
const AGAIN_MS = 20

/**
 * Opens the CA of a folder; it is made at the first start, its key readable by its owner only. Browsers that trust it accept it for names of
 * the zone alone, so a stolen key is of no use for others.
 * @throws StartError if the files cannot be used
 */
export async function openLocalCa(folder: string, zone: string): Promise<LocalCa> {
  const keyFile = join(folder, 'ca.key')
  const rootFile = join(folder, 'ca.pem')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readText(keyFile)) === undefined) {
    const made = await makeRoot(zone)
    const draft = `${rootFile}.${randomUUID()}.new`
    await writeFile(draft, made.root, { mode: 0o600 })
    // Of several programs that start at the same time, one makes the CA: who writes the key.
    const isMaker = await writeFile(keyFile, made.key, { mode: 0o600, flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
        return false
      },
    )
    await (isMaker ? rename(draft, rootFile) : rm(draft))
  }
  await chmod(keyFile, 0o600)
  const until = Date.now() + MAKING_MS
  for (;;)
    try {
      return await caOf((await readText(rootFile)) ?? '', (await readText(keyFile)) ?? '', zone)
    } catch (error) {
      // Its maker has written the key, and writes the certificate now.
      if (Date.now() < until && (await isYoung(keyFile))) await setTimeout(AGAIN_MS)
      else
        throw new StartError(
          `The local CA in ${folder} cannot be used (${(error as Error).message}). Restore ca.key and ca.pem, or delete both: browsers must then trust the new one.`,
        )
    }
}

const isYoung = async (file: string) => Date.now() - (await stat(file)).mtimeMs < MAKING_MS

async function caOf(root: string, key: string, zone: string): Promise<LocalCa> {
  const certificate = new x509.X509Certificate(root)
  const der = createPrivateKey(key).export({ type: 'pkcs8', format: 'der' })
  const signingKey = await webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign'])
  const own = createPublicKey(key).export({ type: 'spki', format: 'der' })
  if (!own.equals(Buffer.from(certificate.publicKey.rawData))) throw new Error('the key belongs to another certificate')
  // Those of earlier versions have no constraints.
  const constraints = certificate.getExtension(NAME_CONSTRAINTS)
  if (constraints && !Buffer.from(constraints.value).equals(constraintsTo(zone)))
    throw new Error('it was made for another zone')
  return {
    root,
    async issue(names, csr, now) {
      const leaf = await x509.X509CertificateGenerator.create({
        serialNumber: serial(),
        subject: '',
        issuer: certificate.subject,
        notBefore: new Date(now - BEFORE_MS),
        notAfter: new Date(now + LEAF_DAYS * DAY_MS),
        signingKey,
        publicKey: new x509.Pkcs10CertificateRequest(new Uint8Array(csr)).publicKey,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: 'dns' as const, value })),
            true,
          ),
          await x509.AuthorityKeyIdentifierExtension.create(certificate.publicKey),
        ],
      })
      return `${leaf.toString('pem')}\n${root}`
    },
  }
}

const NAME_CONSTRAINTS = '2.5.29.30'
const der = (tag: number, ...contents: Buffer[]) => {
  const body = Buffer.concat(contents)
  const long = body.length < 0x100 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 0xff]
  const length = body.length < 0x80 ? [body.length] : long
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
/** Permitted: DNS names of the zone; excluded: all IP addresses (RFC 5280, section 4.2.1.10). */
const constraintsTo = (zone: string): Buffer =>
  der(
    0x30,
    der(0xa0, der(0x30, der(0x82, Buffer.from(zone, 'latin1')))),
    der(0xa1, ...[8, 32].map((bytes) => der(0x30, der(0x87, Buffer.alloc(bytes))))),
  )

async function makeRoot(zone: string): Promise<{ root: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const now = Date.now()
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: 'CN=Tidenet local CA',
    keys,
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + ROOT_DAYS * DAY_MS),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.Extension(NAME_CONSTRAINTS, true, new Uint8Array(constraintsTo(zone))),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { root: root.toString('pem'), key: key.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

/** Positive, and never the same. */
const serial = (): string => `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString('hex')}`

const readText = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
