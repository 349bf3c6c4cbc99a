import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../archives/sample-archives.fixture.ts'
import { runScript, sampleWorkload, sampleWorkspace, untilRunning } from '../sample-workloads.fixture.ts'
import { busyboxRootfs } from './rootfs.ts'
import { sampleEngine } from './sample-engine.fixture.ts'
import { sampleRegistry } from './sample-registry.fixture.ts'

/** A private registry on this machine and a real engine, which trusts its certificate. */

const folder = mkdtempSync(join(tmpdir(), 'tidenet-registry-'))
const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
const made = spawnSync('openssl', [...request, '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert])
// Podman, which the engine starts, trusts it.
const before = process.env.SSL_CERT_FILE
process.env.SSL_CERT_FILE = cert
const { driver, close } = sampleEngine()
const { state, facts } = await driver.probe()
if (before === undefined) delete process.env.SSL_CERT_FILE
else process.env.SSL_CERT_FILE = before
const rootfs = busyboxRootfs()
const isReady = state === 'ready' && rootfs !== undefined && made.status === 0 && /podman/i.test(facts.engine ?? '')

const LOGIN = { username: 'somebody', password: 'a secret' }
let registry: Awaited<ReturnType<typeof sampleRegistry>> | undefined
beforeAll(async () => {
  if (!isReady) return
  registry = await sampleRegistry({ key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }, LOGIN)
  const config = { Cmd: ['/bin/sh', '-c', 'trap "exit 0" TERM; while :; do sleep 1; done'], Env: ['PRIVATE=yes'] }
  if (rootfs) registry.put('1', await bytesOf(rootfs), config)
})
afterAll(async () => {
  await registry?.close()
  rmSync(folder, { recursive: true })
  expect(await close()).toEqual([])
})

describe.skipIf(!isReady)('an image of a private registry', () => {
  const specOf = (login?: typeof LOGIN) => ({
    ...sampleWorkload(),
    image: `${registry?.host}/private/tool:1`,
    command: [],
    ...(login && { login }),
  })

  it('is pulled with the login of its account, which the program does not get', async () => {
    const space = sampleWorkspace()
    await driver.createWorkspace(space)
    const spec = specOf(LOGIN)
    await driver.deploy(space, spec)
    const ref = { workspace: space.id, workload: spec.id }
    await untilRunning(driver, ref)
    const { output } = await runScript(driver, ref, 'echo $PRIVATE; env')
    expect(output).toContain('yes')
    expect(output).not.toContain(LOGIN.password)
    await driver.removeWorkspace(space.id)
  })

  it('is refused with a wrong login, and without one, also after another account has pulled it', async () => {
    const space = sampleWorkspace()
    await driver.createWorkspace(space)
    for (const login of [{ ...LOGIN, password: 'wrong' }, undefined])
      await expect(driver.deploy(space, specOf(login))).rejects.toMatchObject({ failure: 'registry' })
    expect(registry?.asked.some(({ allowed }) => !allowed)).toBe(true)
    await driver.removeWorkspace(space.id)
  })

  it.each([
    ['a tag that it does not have', 'tag', () => `${registry?.host}/private/tool:2`],
    ['a name that the registry does not know', 'name', () => `${registry?.host}/other/tool:1`],
    ['a registry that does not answer', 'unreachable', () => 'localhost:9/private/tool:1'],
    ['a registry whose name does not exist', 'unreachable', () => 'registry.invalid/private/tool:1'],
  ])('is refused for %s with this cause', async (_, failure, imageOf) => {
    const space = sampleWorkspace()
    await driver.createWorkspace(space)
    await expect(driver.deploy(space, { ...specOf(LOGIN), image: imageOf() })).rejects.toMatchObject({ failure })
    await driver.removeWorkspace(space.id)
  })
})
