import { randomBytes } from 'node:crypto'
import { createLogger } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { clustersOf } from '../clusters/clusters.ts'
import { createKubernetesDriver } from '../clusters/kubernetes/kubernetes.ts'
import { PLAIN } from '../clusters/kubernetes/settings.ts'
import { until } from '../clusters/sample-workloads.fixture.ts'
import { findValidSessions } from '../console/console-sessions.ts'
import { reconcileWorkload } from '../workspaces/reconcile.ts'
import { deploySample, sampleTenant, small } from '../workspaces/sample-tenant.fixture.ts'
import { NO_INGRESS } from './config.ts'
import { startIngress } from './start.ts'
import { visitorOf } from './visitor.fixture.ts'

/** A program on a real Kubernetes, reached through an ingress outside of the cluster. */

const file = process.env.TIDENET_TEST_KUBECONFIG ?? ''
const driver = createKubernetesDriver({
  ...PLAIN,
  ...{ file, context: '', installation: randomBytes(3).toString('hex'), storageClass: '', overcommit: 20 },
  image: process.env.TIDENET_TEST_KUBERNETES_IMAGE ?? '',
  openNetwork: process.env.TIDENET_TEST_KUBERNETES_POLICIES !== 'yes',
  log: createLogger('test', 'silent'),
})

let env: TestEnv
let ingress: Awaited<ReturnType<typeof startIngress>>
beforeAll(async () => {
  if (file === '') return
  env = await setup()
  env.context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
  env.context.config = { ...env.context.config, ingress: { ...NO_INGRESS, url: 'http://apps.test' } }
  await driver.probe()
  ingress = await startIngress(env.context, findValidSessions)
}, 180_000)
afterAll(async () => {
  await ingress?.stop()
  await env?.close()
  await driver.close()
})

describe.skipIf(file === '')('a program on Kubernetes', { timeout: 180_000 }, () => {
  it('is reached at its address by whom its owner lets in, also after it was changed, until it is removed', async () => {
    const tenant = await sampleTenant(env, { cpu: 2, ram: 1, storage: 1 })
    await env.call('clusters.remove', { id: tenant.machine }, tenant)
    await reconcileWorkload(env.context, tenant.machine)
    const script = 'echo hello > /data/index.html; yes | head -c 3000000 > /data/big; exec httpd -f -p 8080 -h /data'
    const size = { ...small, memory: 64, storage: 1 }
    const program = { ...size, command: ['/bin/sh', '-c', script], ports: [8080] }
    const { id } = (await deploySample(env, tenant, program)).data
    const shown = async () =>
      (await env.call('clusters.workspaces', {}, tenant)).data.list[0]?.workloads.find((one) => one.id === id)
    const host = new URL((await shown())?.ports[0]?.url ?? '').host
    const visit = visitorOf(ingress.port)
    const answers = async (status: number) => (await visit(host)).status === status
    await until(async () => (await shown())?.state === 'running')
    // Only its owner, before he lets others in.
    expect((await visit(host)).text).not.toContain('hello')
    await env.call('clusters.publish', { id, port: 8080, access: 'public' }, tenant)
    await until(() => answers(200))
    expect((await visit(host)).text).toBe('hello\n')
    const bodies = await Promise.all([1, 2, 3].map(() => visit(host, '/big')))
    expect(bodies.map(({ text }) => text.length)).toEqual([3_000_000, 3_000_000, 3_000_000])
    expect((await visit(host, '/missing')).status).toBe(404)
    await env.call('clusters.change', { id, command: ['/bin/sh', '-c', `sleep 1; ${script}`] }, tenant)
    await reconcileWorkload(env.context, id)
    await until(() => answers(200))
    await env.call('clusters.remove', { id }, tenant)
    await reconcileWorkload(env.context, id)
    await until(async () => (await visit(host)).text !== 'hello\n')
    await driver.removeWorkspace(tenant.space)
  })
})
