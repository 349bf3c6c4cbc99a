import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClock, createLogger, StartError } from '@tidenet/daemon'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openCertificateFiles } from './certificate-files.ts'
import { createSigner } from './test-certificates.fixture.ts'

const log = createLogger('test', 'silent')
const clock = createClock()
let folder: string
let signer: Awaited<ReturnType<typeof createSigner>>
let paths: { cert: string; key: string }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidenet-certificates-'))
  paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  signer = await createSigner()
})
afterAll(() => rm(folder, { recursive: true }))

const put = async (kind: 'cert' | 'key', text: string) => {
  await writeFile(`${paths[kind]}.new`, text)
  await rename(`${paths[kind]}.new`, paths[kind])
}
const putBoth = async (pair: { cert: string; key: string }) => {
  await put('cert', pair.cert)
  await put('key', pair.key)
}

it('serves the files, and those that replace them', async () => {
  const [first, second] = [await signer.issue(['*.example.com']), await signer.issue(['*.example.com'])]
  await putBoth(first)
  const files = await openCertificateFiles({ ...paths, clock, log })
  expect(files.find('a.example.com')?.cert).toBe(first.cert)
  expect(files.state().certificate.notAfter).toBeGreaterThan(Date.now())
  await putBoth(second)
  await expect.poll(() => files.find('a.example.com')?.cert).toBe(second.cert)
  await files.stop()
})

it('keeps the old certificate while the new files do not belong together', async () => {
  const [first, second] = [await signer.issue(['*.example.com']), await signer.issue(['*.example.com'])]
  await putBoth(first)
  const files = await openCertificateFiles({ ...paths, clock, log })
  for (const break_ of [() => put('cert', second.cert), () => put('key', 'rubbish'), () => rm(paths.key)]) {
    await break_()
    await files.reload()
    expect(files.state()).toMatchObject({ certificate: { cert: first.cert }, problem: expect.any(String) })
  }
  await putBoth(second)
  await files.reload()
  expect(files.state()).toMatchObject({ certificate: { cert: second.cert }, problem: undefined })
  await files.stop()
})

it('refuses to start with missing, unreadable or foreign files', async () => {
  const [one, other] = [await signer.issue(['a.example.com']), await signer.issue(['a.example.com'])]
  for (const [cert, key] of [
    [one.cert, other.key],
    ['rubbish', one.key],
    [one.cert, 'rubbish'],
    ['', ''],
  ] as const) {
    await putBoth({ cert, key })
    await expect(openCertificateFiles({ ...paths, clock, log })).rejects.toThrow(StartError)
  }
  await rm(paths.key)
  await expect(openCertificateFiles({ ...paths, clock, log })).rejects.toThrow(paths.key)
})
