import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { clustersOf } from '../clusters/clusters.ts'
import { sampleEngine } from '../clusters/engine/sample-engine.fixture.ts'
import { until } from '../clusters/sample-workloads.fixture.ts'
import { findValidSessions } from '../console/console-sessions.ts'
import { reconcileWorkload } from '../workspaces/reconcile.ts'
import { deploySample, sampleTenant, shrinkMachine, small } from '../workspaces/sample-tenant.fixture.ts'
import { NO_INGRESS } from './config.ts'
import { startIngress } from './start.ts'
import { visitorOf } from './visitor.fixture.ts'

/** A program in a container, reached through the ingress. Ports are not published on the machine, as in production. */

const { driver, close } = sampleEngine({ publish: '' })
const { state, facts } = await driver.probe()
const hasNetwork = state === 'ready' && facts.network !== 'none'
if (!hasNetwork) console.log('No container engine with networks is ready on this machine.')

let env: TestEnv
let ingress: Awaited<ReturnType<typeof startIngress>>
beforeAll(async () => {
  env = await setup()
  env.context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
  const own = { ...NO_INGRESS, url: 'http://apps.test' }
  // The test folder may be in memory, with little room.
  const clusters = { ...env.context.config.clusters, overcommit: 100 }
  env.context.config = { ...env.context.config, clusters, ingress: own }
  ingress = await startIngress(env.context, findValidSessions)
})
afterAll(async () => {
  await ingress.stop()
  await env.close()
  expect(await close()).toEqual([])
})

describe.skipIf(!hasNetwork)('a program', () => {
  it('is reached at its address, also after its container was made again, until it is removed', async () => {
    const tenant = await sampleTenant(env)
    await shrinkMachine(env, tenant)
    const command = ['/bin/sh', '-c', 'echo hello > /data/index.html; exec busybox httpd -f -p 80 -h /data']
    const { id } = (await deploySample(env, tenant, { command, ports: [80] })).data
    await env.call('clusters.publish', { id, port: 80, access: 'public' }, tenant)
    const { list } = (await env.call('clusters.workspaces', {}, tenant)).data
    const host = new URL(list[0]?.workloads.find((one) => one.id === id)?.ports[0]?.url ?? '').host
    const visit = visitorOf(ingress.port)
    const answers = async (status: number) => (await visit(host)).status === status
    await until(() => answers(200))
    expect((await visit(host)).text).toBe('hello\n')
    await env.call('clusters.resize', { id, ...small, cpu: 0.7, storage: small.storage + 1 }, tenant)
    await reconcileWorkload(env.context, id)
    await until(() => answers(200))
    await env.call('clusters.remove', { id }, tenant)
    await reconcileWorkload(env.context, id)
    await until(() => answers(404))
  })
})
