import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { driverSuite } from '../driver-suite.fixture.ts'
import { createEngineDriver } from './engine.ts'
import { sampleEngine } from './sample-engine.fixture.ts'

const { driver, options, close } = sampleEngine()
const { data } = options
/** Names below a folder that hold a word. */
const filesNamed = (folder: string, word: string): string[] =>
  readdirSync(join(folder, 'disks')).filter((name) => name.includes(word))

const { state, tried } = await driver.probe()
if (state !== 'ready') console.log('No container engine is ready here:', tried)

afterAll(async () => expect(await close()).toEqual([]))

describe.skipIf(state !== 'ready')('with an engine', () => {
  driverSuite('an engine', async () => ({
    driver,
    again: () => createEngineDriver(options),
    leftOf: (workspace) => filesNamed(data, workspace),
    close: async () => {},
  }))
})

describe.skipIf(state !== 'ready')('when the server ends', () => {
  const size = { cpu: 0.5, memory: 64 * 1024 ** 2, storage: 64 * 1024 ** 2 }
  const spec = { id: 'w-at-the-end', name: 'machine', image: undefined, command: [], env: {}, ports: [], size }
  const states = async () => (await driver.list('ws-at-the-end')).map((each) => each.state)

  it('what runs goes on; on the machine of somebody who develops it stops, and starts again with what it had', async () => {
    const space = { id: 'ws-at-the-end', owner: 'u1', size }
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
      expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain('w-at-the-end')
    await driver.deploy(space, spec)
    expect(await states()).toEqual(['running'])
    await driver.removeWorkspace(space.id)
  })
})

it.skipIf(process.env.TIDENET_TEST_ENGINE !== 'podman')(
  'an engine of ours that was killed is started again',
  async () => {
    const mine = createEngineDriver(options)
    await mine.probe()
    const [pid] = readFileSync(join(data, 'podman/engine.pid'), 'utf8').split(' ')
    process.kill(Number(pid), 'SIGKILL')
    await expect.poll(() => mine.list().catch(({ failure }) => failure), { timeout: 10_000 }).toBe('absent')
    expect(await mine.list()).toEqual([])
    await mine.close()
  },
)

it('without an engine it says so, and what was tried', async () => {
  const none = createEngineDriver({ ...options, setting: 'unix:///nowhere/engine.sock' })
  const probe = await none.probe()
  expect(probe.state).toBe('absent')
  expect(probe.tried).toHaveLength(1)
  await expect(none.list()).rejects.toMatchObject({ failure: 'absent' })
  await none.close()
})
