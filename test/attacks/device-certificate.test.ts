import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CertificateProblem } from '@tidenet/contract'
import { createClock, createLogger } from '@tidenet/daemon'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openNodeCertificate } from '../../apps/node/src/reach/certificate.ts'
import { createSelfSignedCertificate } from '../../apps/node/src/reach/certificate-request.ts'
import type { ServerLink } from '../../apps/node/src/server-link.ts'
import { createSigner } from '../../packages/certificates/src/test-certificates.fixture.ts'

const NAME = '*.abcdefghijklmnopqrstuvwxyz234567.nodes.example.net'
const DAY_MS = 86_400_000

let folder: string
let ca: Awaited<ReturnType<typeof createSigner>>
let clock: ReturnType<typeof createClock>
let asked: number
/** What the server answers. */
let answer: (csr: Buffer) => Promise<{ certificate: string; retry_after: number; problem: CertificateProblem }>

const issue = async (csr: Buffer, names = [NAME]) => ({
  certificate: await ca.signRequest(names, csr, clock.now() - 1000, clock.now() + 30 * DAY_MS),
  retry_after: 0,
  problem: '' as const,
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  ca = await createSigner()
  clock = createClock()
  asked = 0
  answer = issue
})
afterEach(() => rm(folder, { recursive: true }))

function open() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const link = {
    call: async (_: string, { csr }: { csr: string }) => {
      asked++
      return answer(Buffer.from(csr, 'base64url'))
    },
  } as unknown as ServerLink
  return openNodeCertificate({
    folder,
    name: NAME,
    identity: {
      id: 'e_1',
      publicKey: publicKey.export({ format: 'jwk' }).x as string,
      sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
      seal: () => '',
    },
    link,
    clock,
    log: createLogger('test', 'silent'),
  })
}
const move = (ms: number) => clock.move(clock.now() - Date.now() + ms)
const stored = async () => new X509Certificate(await readFile(join(folder, 'tls.pem')))

describe('the certificate of a node', () => {
  it('is asked for once, stored with a key that only its owner reads, and used after a restart', async () => {
    const own = await open()
    await own.ensure()
    await own.ensure()
    expect(asked).toBe(1)
    expect(own.context()).toBeDefined()
    expect((await stat(join(folder, 'tls.key'))).mode & 0o777).toBe(0o600)
    expect((await open()).context()).toBeDefined()
    expect(asked).toBe(1)
  })

  it('is asked for again, as late as the server says, until there is one', async () => {
    const own = await open()
    answer = async () => ({ certificate: '', retry_after: 60_000, problem: 'quota' })
    await own.ensure()
    expect(own.context()).toBeUndefined()
    expect(own.waitMs()).toBeGreaterThan(50_000)
    await own.ensure()
    expect(asked).toBe(1)
    move(61_000)
    answer = issue
    await own.ensure()
    expect(own.context()).toBeDefined()
    expect(own.waitMs()).toBe(Number.POSITIVE_INFINITY)
  })

  it('is renewed after two thirds of its life, or when the server says so, with the same key', async () => {
    const own = await open()
    await own.ensure()
    const first = await stored()
    await own.ensure(true)
    const second = await stored()
    expect(second.serialNumber).not.toBe(first.serialNumber)
    expect(second.publicKey.equals(first.publicKey)).toBe(true)
    move(19 * DAY_MS)
    await own.ensure()
    expect(asked).toBe(2)
    move(2 * DAY_MS)
    await own.ensure()
    expect(asked).toBe(3)
  })

  it('is fetched although the server no longer says that it is time', async () => {
    const own = await open()
    await own.ensure()
    answer = async () => ({ certificate: '', retry_after: 1000, problem: 'queued' })
    await own.ensure(true)
    answer = issue
    move(2000)
    await own.ensure(false)
    expect(asked).toBe(3)
    expect(own.context()).toBeDefined()
  })

  it('serves while the next one cannot be had, and not after it has expired', async () => {
    const own = await open()
    await own.ensure()
    answer = async () => ({ certificate: '', retry_after: 1000, problem: 'ca' })
    move(29 * DAY_MS)
    await own.ensure()
    expect(own.context()).toBeDefined()
    move(2 * DAY_MS)
    await own.ensure()
    expect(own.context()).toBeUndefined()
  })

  it('is refused if it is for another name, or another key', async () => {
    const own = await open()
    answer = (csr) => issue(csr, ['*.other.nodes.example.net'])
    await expect(own.ensure()).rejects.toThrow()
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    answer = async () => ({
      certificate: createSelfSignedCertificate(NAME, foreign),
      retry_after: 0,
      problem: '',
    })
    await expect(own.ensure()).rejects.toThrow()
    expect(own.context()).toBeUndefined()
  })
})

describe('a certificate of the own making', () => {
  it('has the name and the key, and is trusted by nobody', () => {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const certificate = new X509Certificate(createSelfSignedCertificate(NAME, keys))
    expect(certificate.subjectAltName).toBe(`DNS:${NAME}`)
    expect(certificate.checkPrivateKey(keys.privateKey)).toBe(true)
    expect(certificate.verify(keys.publicKey)).toBe(true)
    expect(certificate.verify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)).toBe(false)
  })
})
