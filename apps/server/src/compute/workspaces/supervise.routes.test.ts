import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errors, type HealthState } from '@tidenet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { finishJobs } from '../../platform/jobs/jobs.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { clustersOf } from '../clusters/clusters.ts'
import { reconcileWorkload } from './reconcile.ts'
import { deploySample, sampleClusters, sampleTenant, shrinkMachine, type Tenant } from './sample-tenant.fixture.ts'
import { supervise } from './supervise.ts'

/** Restart policies, health checks and scheduled stops of workloads. */

let env: TestEnv
let sample: ReturnType<typeof sampleClusters>
let web: Server
let status = 200
const asked: string[] = []
beforeAll(async () => {
  env = await setup()
  web = createServer(({ url = '' }, answer) => {
    asked.push(url)
    answer.writeHead(status, { location: '/elsewhere' }).end()
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  sample = sampleClusters(env)
  status = 200
  asked.length = 0
})
afterAll(async () => {
  web.close()
  await env.close()
})

const HTTP = { kind: 'http', port: 80, path: '/ready', interval: 10, threshold: 2 } as const

async function program(more: Record<string, unknown> = {}): Promise<{ one: Tenant; id: string }> {
  const one = await sampleTenant(env)
  await shrinkMachine(env, one)
  const { id } = (await deploySample(env, one, { image: 'nginx', ports: [80], ...more })).data
  sample.control.listening.set(`${id}:80`, { host: '127.0.0.1', port: (web.address() as AddressInfo).port })
  // Otherwise the job of the deployment would start it again later.
  await finishJobs(env.context, features)
  return { one, id }
}
const shown = async ({ one, id }: { one: Tenant; id: string }) =>
  (await env.call('clusters.workspaces', {}, one)).data.list[0]?.workloads.find((each) => each.id === id)
/** Lets time pass, in steps of at most ten seconds. */
async function pass(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 10) {
    env.pass(Math.min(left, 10) * 1000)
    await supervise(env.context)
    await finishJobs(env.context, features)
  }
}
/** The program ends by itself. */
function end(id: string, exitCode: number): void {
  const found = sample.workloads.get(id)
  Object.assign(found ?? {}, {
    state: exitCode === 0 ? 'stopped' : 'failed',
    exitCode,
    startedAt: new Date(env.clock.now()),
  })
}
const secondsUntil = (time = '') => Math.round((Date.parse(time) - env.clock.now()) / 1000)
const stateOf = (id: string) => sample.workloads.get(id)?.state

describe('a program that ended', () => {
  it.each([
    ['always', 0, 'running'],
    ['always', 1, 'running'],
    ['on-failure', 1, 'running'],
    ['on-failure', 0, 'stopped'],
    ['never', 1, 'failed'],
    ['never', 0, 'stopped'],
  ] as const)('with policy %s and exit code %i is %s afterwards', async (restart, exitCode, after) => {
    const made = await program({ restart })
    end(made.id, exitCode)
    await pass(20)
    expect(stateOf(made.id)).toBe(after)
    expect((await shown(made))?.restarts).toBe(after === 'running' ? 1 : 0)
  })

  it('restarts after delays that double up to five minutes, with a visible count', async () => {
    const made = await program()
    const delays = []
    for (let run = 0; run < 10; run++) {
      end(made.id, 1)
      await supervise(env.context)
      const { restart_at = '', state } = (await shown(made)) ?? {}
      expect(state).toBe('failed')
      delays.push(secondsUntil(restart_at))
      env.pass(Date.parse(restart_at) - env.clock.now() - 500)
      await supervise(env.context)
      await finishJobs(env.context, features)
      expect(stateOf(made.id)).toBe('failed')
      await pass(1)
      expect(stateOf(made.id)).toBe('running')
    }
    expect(delays).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
    expect(await shown(made)).toMatchObject({ restarts: 10, restart_at: '' })
  })

  it('restarts soon again after it ran well for ten minutes, and counts anew after a start', async () => {
    const made = await program()
    for (let run = 0; run < 4; run++) {
      end(made.id, 1)
      await pass(60)
    }
    end(made.id, 1)
    env.pass(11 * 60_000)
    await supervise(env.context)
    expect(secondsUntil((await shown(made))?.restart_at)).toBe(2)
    await env.call('clusters.start', { id: made.id }, made.one)
    expect(await shown(made)).toMatchObject({ restarts: 0, restart_at: '' })
  })

  it('does not restart after its owner stopped it meanwhile', async () => {
    const made = await program({ restart: 'always' })
    end(made.id, 1)
    await supervise(env.context)
    await env.call('clusters.stop', { id: made.id }, made.one)
    await pass(20)
    expect(stateOf(made.id)).toBe('stopped')
  })
})

describe('a health check', () => {
  it('over HTTP asks the path, and shows a healthy program', async () => {
    const made = await program({ health: HTTP })
    await pass(10)
    expect(asked).toEqual(['/ready'])
    expect(await shown(made)).toMatchObject({ health: HTTP, health_state: 'healthy', health_note: '' })
  })

  it('accepts a redirect, and does not follow it', async () => {
    status = 302
    const made = await program({ health: HTTP })
    await pass(10)
    expect((await shown(made))?.health_state).toBe('healthy')
    expect(asked).toEqual(['/ready'])
  })

  it('over TCP needs only a connection', async () => {
    status = 500
    const made = await program({ health: { ...HTTP, kind: 'tcp' } })
    await pass(10)
    expect((await shown(made))?.health_state).toBe('healthy')
    expect(asked).toEqual([])
  })

  it('finds a program unhealthy after its threshold, and restarts it', async () => {
    const made = await program({ health: HTTP })
    await pass(10)
    status = 503
    await pass(10)
    expect(await shown(made)).toMatchObject({ health_state: 'healthy', health_note: 'HTTP status 503' })
    env.pass(10_000)
    await supervise(env.context)
    expect(await shown(made)).toMatchObject({ state: 'running', health_state: 'unhealthy' })
    status = 200
    await pass(3)
    expect(await shown(made)).toMatchObject({ restarts: 1, health_state: 'unknown' })
    await pass(10)
    expect((await shown(made))?.health_state).toBe('healthy')
  })

  it('leaves a program running if its policy is never', async () => {
    const made = await program({ health: HTTP, restart: 'never' })
    await pass(10)
    status = 503
    await pass(60)
    expect(await shown(made)).toMatchObject({ state: 'running', health_state: 'unhealthy', restarts: 0 })
  })

  it('gives a program a minute to start', async () => {
    status = 503
    const made = await program({ health: HTTP })
    await pass(50)
    expect((await shown(made))?.health_state).toBe('unknown')
    await pass(20)
    expect((await shown(made))?.restarts).toBe(1)
  })

  it('ends with the next change, and comes back with an earlier version', async () => {
    const made = await program({ health: HTTP })
    await env.call('clusters.change', { id: made.id, health: null, restart: 'never' }, made.one)
    await reconcileWorkload(env.context, made.id)
    await pass(20)
    expect(asked).toEqual([])
    expect(await shown(made)).toMatchObject({ health: null, restart: 'never' })
    const { list } = (await env.call('clusters.history', { id: made.id }, made.one)).data
    expect(list[0]?.changed).toEqual(['restart', 'health'])
    await env.call('clusters.rollback', { id: made.id, revision: 1 }, made.one)
    expect(await shown(made)).toMatchObject({ health: HTTP, restart: 'on-failure' })
  })

  it.each<[Record<string, unknown>, keyof typeof errors]>([
    [{ health: { ...HTTP, path: 'ready' } }, 'healthPath'],
    [{ health: { ...HTTP, path: '/a b' } }, 'healthPath'],
    [{ health: { ...HTTP, path: '/a\r\nX: 1' } }, 'healthPath'],
    [{ health: { ...HTTP, port: 22 } }, 'portUnknown'],
    [{ health: { ...HTTP, interval: 1 } }, 'invalidParams'],
    [{ ports: [] }, 'portUnknown'],
    [{ restart: 'sometimes' }, 'invalidParams'],
  ])('is refused with %j', async (more, key) => {
    const { one, id } = await program({ health: HTTP })
    expect((await env.call('clusters.change', { id, ...more }, one)).err).toBe(errors[key].err)
  })

  it('is left to a cluster that checks by itself, which also restarts', async () => {
    const { one, id } = await program()
    const { ended: _, ...driver } = sample.driver
    const found: { health: HealthState; restarts: number } = { health: 'healthy', restarts: 0 }
    const list = async (space?: string) => (await driver.list(space)).map((each) => ({ ...each, ...found }))
    const cluster = { driver: { ...driver, list, checksHealth: true }, regions: ['distributed'] as const }
    env.context.clusters = clustersOf([cluster])
    expect((await env.call('clusters.workspaces', {}, one)).data.list[0]).toMatchObject({
      supervised: false,
      health_checks: true,
    })
    expect((await env.call('clusters.change', { id, health: HTTP }, one)).code).toBe(0)
    await pass(20)
    expect(sample.workloads.get(id)?.spec.health).toEqual(HTTP)
    expect(await shown({ one, id })).toMatchObject({ health_state: 'healthy', restarts: 0 })
    Object.assign(found, { health: 'unhealthy', restarts: 3 })
    await pass(10)
    expect(await shown({ one, id })).toMatchObject({ health_state: 'unhealthy', restarts: 3, restart_at: '' })
    expect(asked).toEqual([])
    expect((await env.call('clusters.change', { id, restart: 'never' }, one)).err).toBe(errors.notOffered.err)
  })

  it('is refused by a cluster that neither checks nor lets the server restart', async () => {
    const { one, id } = await program()
    const { ended: _, ...driver } = sample.driver
    env.context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
    expect((await env.call('clusters.workspaces', {}, one)).data.list[0]?.supervised).toBe(false)
    for (const more of [{ health: HTTP }, { restart: 'never' as const }])
      expect((await env.call('clusters.change', { id, ...more }, one)).err).toBe(errors.notOffered.err)
  })
})

describe('a scheduled stop', () => {
  it.each([
    ['after hours', () => ({ hours: 2 })],
    ['at a time', () => ({ stop_at: new Date(env.clock.now() + 2 * 3_600_000).toISOString() })],
  ] as const)('%s stops the program once', async (_, when) => {
    const made = await program({ restart: 'always' })
    const { data } = await env.call('clusters.schedule', { id: made.id, ...when() }, made.one)
    expect(secondsUntil(data.stop_at)).toBe(2 * 3600)
    expect((await shown(made))?.stop_at).toBe(data.stop_at)
    env.pass(2 * 3_600_000 - 5000)
    await supervise(env.context)
    await finishJobs(env.context, features)
    expect(stateOf(made.id)).toBe('running')
    await pass(5)
    expect(await shown(made)).toMatchObject({ state: 'stopped', wanted: false, stop_at: '' })
    await env.call('clusters.start', { id: made.id }, made.one)
    await pass(20)
    expect(stateOf(made.id)).toBe('running')
  })

  it('can be cancelled', async () => {
    const made = await program()
    await env.call('clusters.schedule', { id: made.id, hours: 1 }, made.one)
    expect((await env.call('clusters.schedule', { id: made.id }, made.one)).data.stop_at).toBe('')
    env.pass(2 * 3_600_000)
    await pass(1)
    expect(stateOf(made.id)).toBe('running')
  })

  it('is refused in the past, after more than a year, for stopped programs and to strangers', async () => {
    const { one, id } = await program()
    const stranger = await sampleTenant(env)
    const at = (ms: number) => ({ id, stop_at: new Date(env.clock.now() + ms).toISOString() })
    for (const ms of [-1000, 0, 366 * 86_400_000])
      expect((await env.call('clusters.schedule', at(ms), one)).err).toBe(errors.stopTime.err)
    expect((await env.call('clusters.schedule', { id, hours: 1 }, stranger)).err).toBe(errors.workloadUnknown.err)
    await env.call('clusters.stop', { id }, one)
    expect((await env.call('clusters.schedule', { id, hours: 1 }, one)).err).toBe(errors.workloadStopped.err)
  })
})
