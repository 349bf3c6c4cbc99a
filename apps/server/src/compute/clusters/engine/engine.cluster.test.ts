import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { driverSuite } from '../driver-suite.fixture.ts'
import { sampleWorkload, sampleWorkspace } from '../sample-workloads.fixture.ts'
import { createEngineDriver } from './engine.ts'
import { sampleEngine } from './sample-engine.fixture.ts'

const { driver, options, close } = sampleEngine()
const { data } = options
const { state, tried } = await driver.probe()
if (state !== 'ready') console.log('No container engine is ready on this machine:', tried)

afterAll(async () => expect(await close()).toEqual([]))

describe.skipIf(state !== 'ready')('with an engine', () => {
  const open = async () => ({
    driver,
    reopen: () => createEngineDriver(options),
    leftoversOf: (workspace: string) => readdirSync(join(data, 'disks')).filter((name) => name.includes(workspace)),
    close: async () => {},
  })
  driverSuite('a container engine', open, true)
})

describe.skipIf(state !== 'ready')('when the server stops', () => {
  it('workloads keep running in production, and stop and start again in development', async () => {
    const space = sampleWorkspace()
    const spec = sampleWorkload()
    const states = async () => (await driver.list(space.id)).map((each) => each.state)
    await driver.createWorkspace(space)
    await driver.deploy(space, spec)
    const production = createEngineDriver(options)
    await production.probe()
    await production.close()
    expect(await states()).toEqual(['running'])
    const development = createEngineDriver({ ...options, stopsAtEnd: true })
    await development.probe()
    await development.close()
    expect(await states()).toEqual(['stopped'])
    if ((await driver.probe()).facts.storage === 'enforced')
      expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(spec.id)
    await driver.deploy(space, spec)
    expect(await states()).toEqual(['running'])
    await driver.removeWorkspace(space.id)
  })
})

it.skipIf(process.env.TIDENET_TEST_ENGINE !== 'podman')('a killed engine of ours is started again', async () => {
  const other = createEngineDriver(options)
  await other.probe()
  const [pid] = readFileSync(join(data, 'podman/engine.pid'), 'utf8').split(' ')
  process.kill(Number(pid), 'SIGKILL')
  await expect.poll(() => other.list().catch(({ failure }) => failure), { timeout: 10_000 }).toBe('absent')
  expect(await other.list()).toEqual([])
  await other.close()
})

it('is absent without an engine, and reports what was tried', async () => {
  const none = createEngineDriver({ ...options, setting: 'unix:///nowhere/engine.sock' })
  const probe = await none.probe()
  expect(probe.state).toBe('absent')
  expect(probe.tried).toHaveLength(1)
  await expect(none.list()).rejects.toMatchObject({ failure: 'absent' })
  await none.close()
})
