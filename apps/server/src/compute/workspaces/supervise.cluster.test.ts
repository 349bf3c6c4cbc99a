import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { finishJobs } from '../../platform/jobs/jobs.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { clustersOf } from '../clusters/clusters.ts'
import { sampleEngine } from '../clusters/engine/sample-engine.fixture.ts'
import { runScript, until } from '../clusters/sample-workloads.fixture.ts'
import { deploySample, sampleTenant, shrinkMachine, type Tenant } from './sample-tenant.fixture.ts'
import { supervise } from './supervise.ts'

/** Restarts and health checks of programs in real containers. */

const { driver, close } = sampleEngine({ publish: '' })
const { state, facts } = await driver.probe()
const hasNetwork = state === 'ready' && facts.network !== 'none'

let env: TestEnv
let one: Tenant
beforeAll(async () => {
  env = await setup()
  env.context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
  // The test folder may be in memory, with little room.
  env.context.config = { ...env.context.config, clusters: { ...env.context.config.clusters, overcommit: 100 } }
  if (!hasNetwork) return
  one = await sampleTenant(env)
  await shrinkMachine(env, one)
})
afterAll(async () => {
  await env.close()
  expect(await close()).toEqual([])
})

/** Two of them fit beside the machine. */
const tiny = { cpu: 0.2, memory: 256, storage: 2 }
const shown = async (id: string) =>
  (await env.call('clusters.workspaces', {}, one)).data.list[0]?.workloads.find((each) => each.id === id)
/** Lets ten seconds pass. */
async function pass(): Promise<void> {
  env.pass(10_000)
  await supervise(env.context)
  await finishJobs(env.context, features)
}

describe.skipIf(!hasNetwork)('a program in a container', () => {
  it('that fails is started again by the server, not by the engine, and keeps its disk', async () => {
    const command = [
      '/bin/sh',
      '-c',
      'echo run >> /data/runs; [ $(wc -l < /data/runs) -ge 4 ] && exec sleep 300; exit 4',
    ]
    const { id } = (await deploySample(env, one, { ...tiny, command })).data
    await until(async () => (await shown(id))?.state === 'failed')
    expect(await shown(id)).toMatchObject({ exit_code: 4, restarts: 0 })
    await until(async () => {
      await pass()
      const { restarts = 0, state } = (await shown(id)) ?? {}
      // The job of the deployment may have started it once more.
      return restarts >= 2 && state === 'running'
    })
    expect((await runScript(driver, { workspace: one.space, workload: id }, 'wc -l < /data/runs')).output.trim()).toBe(
      '4',
    )
    await env.call('clusters.remove', { id }, one)
    await finishJobs(env.context, features)
  })

  it('is healthy while its port answers, and restarts when it does not any more', async () => {
    const command = [
      '/bin/sh',
      '-c',
      'mkdir -p /data/w; echo ok > /data/w/ready; exec busybox httpd -f -p 80 -h /data/w',
    ]
    const health = { kind: 'http', port: 80, path: '/ready', interval: 10, threshold: 2 }
    const { id } = (await deploySample(env, one, { ...tiny, command, ports: [80], health })).data
    const becomes = (part: object) =>
      until(async () => {
        await pass()
        const found: Record<string, unknown> = (await shown(id)) ?? {}
        return Object.entries(part).every(([name, value]) => found[name] === value)
      })
    await becomes({ health_state: 'healthy' })
    await runScript(driver, { workspace: one.space, workload: id }, 'rm /data/w/ready')
    await becomes({ restarts: 1, health_state: 'healthy' })
  })
})
