import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { ClusterDriver, WorkloadSpec } from '../driver.ts'
import { connect, placesOfEngines } from './connect.ts'
import { digestOf, networkOf } from './container.ts'
import { createEngineDriver } from './engine.ts'
import { allowWithin, bridgeName } from './firewall.ts'
import { networkSpec } from './probe.ts'
import { run } from './run.ts'
import { sampleEngine } from './sample-engine.fixture.ts'

/** What a kill that nobody can prepare for leaves behind, and how all goes on after it. */

const MB = 1024 ** 2
const SIZE = { cpu: 0.5, memory: 64 * MB, storage: 64 * MB }
const { driver, options, close } = sampleEngine()
const { data } = options
const isPodman = options.setting === 'podman'
const ready = isPodman && (await driver.probe()).state === 'ready'
afterAll(async () => expect(await close()).toEqual([]))

const space = { id: 'ws-kills', owner: 'u1', size: { ...SIZE, storage: 128 * MB } }
const spec: WorkloadSpec = {
  id: 'w-kills',
  name: 'machine',
  image: undefined,
  command: [],
  env: {},
  ports: [],
  size: SIZE,
}
const ref = { workspace: space.id, workload: spec.id }

/** Another process that uses the engine as a server does. */
const SERVER = `
const { createEngineDriver } = await import(process.env.ENGINE)
const log = { info() {}, warn() {}, error() {}, debug() {} }
const driver = createEngineDriver({ ...JSON.parse(process.env.OPTIONS), log })
const { state } = await driver.probe()
process.stdout.write(state + '\\n')
setInterval(() => driver.list().catch(() => {}), 20)
`
async function server(): Promise<ChildProcess> {
  const { log: _, ...plain } = options
  const child = spawn(process.execPath, ['--input-type=module', '-e', SERVER], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ENGINE: new URL('../../../../dist/compute/clusters/engine/engine.js', import.meta.url).href,
      OPTIONS: JSON.stringify(plain),
    },
  })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  expect(String(said).trim()).toBe('ready')
  return child
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
const service = () => Number(readFileSync(join(data, 'podman/engine.pid'), 'utf8').split(' ')[0])

async function says(by: ClusterDriver): Promise<string> {
  const { stream } = await by.exec(ref, { command: ['/bin/sh', '-c', 'cat /data/kept'], tty: false })
  let output = ''
  for await (const chunk of stream) output += chunk
  return output.trim()
}

async function podmanOf() {
  const [place] = placesOfEngines('podman')
  if (!place) throw new Error('there is no Podman')
  const { docker, close: leave } = await connect(place, data)
  return { docker, leave }
}

/** Asks as pages do, with no operator in sight. */
const goesOn = (by: ClusterDriver) =>
  expect.poll(() => says(by).catch((error: Error) => error.message), { timeout: 60_000, interval: 500 }).toBe('kept')

describe.skipIf(!ready)('our engine', () => {
  it('is found again after the server was killed, and containers keep running', async () => {
    await driver.createWorkspace(space)
    await driver.deploy(space, spec)
    const run = await driver.exec(ref, { command: ['/bin/sh', '-c', 'echo kept > /data/kept'], tty: false })
    run.stream.resume()
    await run.exit
    await driver.close()
    for (let round = 0; round < 2; round++) {
      await killed(await server())
      const next = createEngineDriver(options)
      await goesOn(next)
      expect((await next.probe()).state).toBe('ready')
      await next.close()
    }
  })

  it('is started again after its service was killed', async () => {
    await goesOn(driver)
    process.kill(service(), 'SIGKILL')
    await goesOn(driver)
  })

  it('is started again after both were killed, and after its service was suspended', async () => {
    await driver.close()
    const child = await server()
    process.kill(service(), 'SIGKILL')
    await killed(child)
    await goesOn(driver)
    await driver.close()
    const other = await server()
    process.kill(service(), 'SIGSTOP')
    await killed(other)
    await goesOn(driver)
  })

  it('is started once if two use it at the same time', async () => {
    process.kill(service(), 'SIGKILL')
    const second = createEngineDriver(options)
    await Promise.all([goesOn(driver), goesOn(second), goesOn(driver)])
    expect(existsSync(`/proc/${service()}`)).toBe(true)
    await second.close()
    await goesOn(driver)
  })

  it('is found automatically if it becomes available later', async () => {
    await goesOn(driver)
    const late = join(data, 'late.sock')
    const waiting = createEngineDriver({ ...options, data: join(data, 'late'), setting: `unix://${late}` })
    expect((await waiting.probe()).state).toBe('absent')
    await expect(waiting.list()).rejects.toMatchObject({ failure: 'absent' })
    symlinkSync(join(data, 'podman/engine.sock'), late)
    await expect.poll(async () => (await waiting.probe()).state, { timeout: 60_000, interval: 500 }).toBe('ready')
    expect((await waiting.list()).map(({ state }) => state)).toEqual(['running'])
    await waiting.close()
  })

  it('leaves no test resources of a killed server, and no firewall rule of a stopped workspace', async () => {
    await goesOn(driver)
    const stale = `test-${4_000_000}-0a`
    const bridge = bridgeName(digestOf(options.installation, stale))
    await allowWithin(bridge)
    const { docker, leave } = await podmanOf()
    await docker.createNetwork(networkSpec(networkOf(options.installation, stale), bridge, {}))
    await leave()
    mkdirSync(join(data, 'disks', stale), { recursive: true })
    const next = createEngineDriver({ ...options, stopsAtEnd: true })
    await next.probe()
    const after = await podmanOf()
    expect((await after.docker.listNetworks()).filter(({ Name }) => Name.includes('-test-'))).toEqual([])
    await after.leave()
    expect(existsSync(join(data, 'disks', stale))).toBe(false)
    expect(await run('nft', ['list', 'set', 'inet', 'tidenet', 'same'])).not.toContain(bridge)
    const own = bridgeName(digestOf(options.installation, space.id))
    expect(await run('nft', ['list', 'set', 'inet', 'tidenet', 'same'])).toContain(own)
    await next.close()
    expect(await run('nft', ['list', 'set', 'inet', 'tidenet', 'same'])).not.toContain(own)
  })
})
