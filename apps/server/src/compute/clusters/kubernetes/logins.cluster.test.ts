import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLogger } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../archives/sample-archives.fixture.ts'
import { busyboxRootfs } from '../engine/rootfs.ts'
import { sampleRegistry } from '../engine/sample-registry.fixture.ts'
import {
  findState,
  runScript,
  sampleWorkload,
  sampleWorkspace,
  until,
  untilRunning,
} from '../sample-workloads.fixture.ts'
import { openApi } from './api.ts'
import { createKubernetesDriver } from './kubernetes.ts'
import { loginName, namespaceOf } from './manifests.ts'
import { PLAIN } from './settings.ts'

/** A private registry on this machine and a real cluster, whose nodes reach it. */

const file = process.env.TIDENET_TEST_KUBECONFIG ?? ''
const address = process.env.TIDENET_TEST_KUBERNETES_HOST ?? ''
const rootfs = file && address ? busyboxRootfs() : undefined
const options = {
  ...PLAIN,
  ...{ file, context: '', installation: randomBytes(3).toString('hex'), storageClass: '', overcommit: 20 },
  image: process.env.TIDENET_TEST_KUBERNETES_IMAGE ?? '',
  openNetwork: true,
  log: createLogger('test', 'silent'),
}
const driver = createKubernetesDriver(options)
const LOGIN = { username: 'somebody', password: 'a secret' }

let registry: Awaited<ReturnType<typeof sampleRegistry>>
beforeAll(async () => {
  if (!rootfs) return
  const read = (name: string) => readFileSync(join(process.env.TIDENET_TEST_KUBERNETES_CERT ?? '', name), 'utf8')
  registry = await sampleRegistry({ key: read('key.pem'), cert: read('cert.pem') }, LOGIN, address)
  const config = { Cmd: ['/bin/sh', '-c', 'trap "exit 0" TERM; while :; do sleep 1; done'], Env: ['PRIVATE=yes'] }
  registry.put('1', await bytesOf(rootfs), config)
})
afterAll(async () => {
  await registry?.close()
  await driver.close()
})

describe.skipIf(!rootfs)('an image of a private registry on Kubernetes', { timeout: 180_000 }, () => {
  const secretsOf = async (space: string) =>
    (
      await openApi(file, '').core.listNamespacedSecret({ namespace: namespaceOf(options.installation, space) })
    ).items.map(({ metadata }) => metadata?.name)

  async function programOf(login?: typeof LOGIN) {
    const space = sampleWorkspace()
    const image = `${registry.host}/private/tool:1`
    const spec = { ...sampleWorkload(), image, command: [], ...(login && { login }) }
    const ref = { workspace: space.id, workload: spec.id }
    await driver.createWorkspace(space)
    await driver.deploy(space, spec)
    return { space, spec, ref }
  }

  it('is pulled with the login of its account, which the program cannot read and which leaves with it', async () => {
    const { space, spec, ref } = await programOf(LOGIN)
    await untilRunning(driver, ref)
    const { output } = await runScript(
      driver,
      ref,
      'env; cat /proc/mounts; ls /var/run/secrets /run/secrets 2>&1; grep -rs "a secret" /data /etc /run /tmp',
    )
    expect(output).toContain('PRIVATE=yes')
    expect(output).not.toMatch(/a secret|serviceaccount/)
    expect(await secretsOf(space.id)).toEqual([loginName(spec.id)])
    await driver.stop(ref)
    expect(await secretsOf(space.id)).toEqual([])
    await driver.deploy(space, spec)
    await untilRunning(driver, ref)
    await driver.suspendWorkspace(space.id)
    expect(await secretsOf(space.id)).toEqual([])
    await driver.deploy(space, spec)
    await driver.remove(ref)
    expect(await secretsOf(space.id)).toEqual([])
    await driver.removeWorkspace(space.id)
  })

  it('is pulled once there is a login, and after the login was corrected', async () => {
    const { space, spec, ref } = await programOf()
    const refused = () => until(async () => (await findState(driver, ref))?.failure === 'registry')
    await refused()
    await driver.deploy(space, { ...spec, login: { ...LOGIN, password: 'wrong' } })
    await refused()
    await driver.deploy(space, { ...spec, login: LOGIN })
    await until(async () => (await findState(driver, ref))?.state === 'running', 500, 120_000)
    await driver.removeWorkspace(space.id)
  })

  it('is refused with a wrong login, and without one, also on a node that has it for another account', async () => {
    const { space: first, ref: pulled } = await programOf(LOGIN)
    await untilRunning(driver, pulled)
    for (const login of [{ ...LOGIN, password: 'wrong' }, undefined]) {
      const { space, ref } = await programOf(login)
      await until(async () => (await findState(driver, ref))?.failure === 'registry')
      expect((await findState(driver, ref))?.state).toBe('failed')
      await driver.removeWorkspace(space.id)
    }
    await driver.removeWorkspace(first.id)
  })
})
