/** @module-tag long */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ClusterDriver } from '../driver.ts'
import { runScript, sampleWorkload, sampleWorkspace, until } from '../sample-workloads.fixture.ts'
import { connect, engineCandidates } from './connect.ts'
import { digestOf, networkOf } from './container.ts'
import { createEngineDriver } from './engine.ts'
import { allowBridges, bridgeName } from './firewall.ts'
import { networkSpec } from './probe.ts'
import { run } from './run.ts'
import { sampleEngine } from './sample-engine.fixture.ts'

/** The engine and its workloads survive killed servers and a killed engine. Every test has an engine of its own. */

const first = sampleEngine()
const ready = first.options.setting === 'podman' && (await first.driver.probe()).state === 'ready'
if (!ready) await first.close()

type Machine = Awaited<ReturnType<typeof startMachine>>

/** An engine with a running machine that has a file on its disk. */
async function startMachine({ driver, options, close } = sampleEngine()) {
  const space = sampleWorkspace()
  const spec = sampleWorkload()
  const ref = { workspace: space.id, workload: spec.id }
  await driver.createWorkspace(space)
  await driver.deploy(space, spec)
  await runScript(driver, ref, 'echo kept > /data/kept')
  return { driver, options, data: options.data, space, ref, close: async () => expect(await close()).toEqual([]) }
}

/** A server process that uses the engine. */
const SERVER = `
const { createEngineDriver } = await import(process.env.ENGINE)
const log = { info() {}, warn() {}, error() {}, debug() {} }
const driver = createEngineDriver({ ...JSON.parse(process.env.OPTIONS), log })
const { state } = await driver.probe()
process.stdout.write(state + '\\n')
setInterval(() => driver.list().catch(() => {}), 20)
`
async function startServer({ options }: Machine): Promise<ChildProcess> {
  const { log: _, ...plain } = options
  const child = spawn(process.execPath, ['--input-type=module', '-e', SERVER], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ENGINE: new URL('../../../../dist/compute/clusters/engine/engine.js', import.meta.url).href,
      OPTIONS: JSON.stringify(plain),
    },
  })
  const [output] = (await once(child.stdout, 'data')) as [Buffer]
  expect(String(output).trim()).toBe('ready')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
const servicePid = ({ data }: Machine) => Number(readFileSync(join(data, 'podman/engine.pid'), 'utf8').split(' ')[0])

async function connectPodman({ data }: Machine) {
  const [candidate] = engineCandidates('podman')
  if (!candidate) throw new Error('there is no Podman')
  return connect(candidate, data)
}

/** Waits until the machine's file can be read. No call repairs the engine explicitly. */
const untilAvailable = ({ ref }: Machine, by: ClusterDriver) =>
  until(
    () =>
      runScript(by, ref, 'cat /data/kept').then(
        ({ output }) => output === 'kept',
        () => false,
      ),
    500,
    120_000,
  )

describe.skipIf(!ready)('our engine', { concurrent: true }, () => {
  it('is found again after the server was killed, and containers keep running', async () => {
    const machine = await startMachine(first)
    await machine.driver.close()
    for (let round = 0; round < 2; round++) {
      await kill(await startServer(machine))
      const next = createEngineDriver(machine.options)
      await untilAvailable(machine, next)
      expect((await next.probe()).state).toBe('ready')
      await next.close()
    }
    await machine.close()
  })

  it('is started again after its service was killed', async () => {
    const machine = await startMachine()
    process.kill(servicePid(machine), 'SIGKILL')
    await untilAvailable(machine, machine.driver)
    await machine.close()
  })

  it.each(['SIGKILL', 'SIGSTOP'])(
    'is started again after the server was killed and its service got %s',

    async (signal) => {
      const machine = await startMachine()
      await machine.driver.close()
      const child = await startServer(machine)
      process.kill(servicePid(machine), signal)
      await kill(child)
      await untilAvailable(machine, machine.driver)
      await machine.close()
    },
  )

  it('is started once if two use it at the same time', async () => {
    const machine = await startMachine()
    const { driver } = machine
    process.kill(servicePid(machine), 'SIGKILL')
    const second = createEngineDriver(machine.options)
    await Promise.all([driver, second, driver].map((by) => untilAvailable(machine, by)))
    expect(existsSync(`/proc/${servicePid(machine)}`)).toBe(true)
    await second.close()
    await untilAvailable(machine, driver)
    await machine.close()
  })

  it('is found automatically if it becomes available later', async () => {
    const machine = await startMachine()
    const { data, options } = machine
    const late = join(data, 'late.sock')
    const waiting = createEngineDriver({ ...options, data: join(data, 'late'), setting: `unix://${late}` })
    expect((await waiting.probe()).state).toBe('absent')
    await expect(waiting.list()).rejects.toMatchObject({ failure: 'absent' })
    symlinkSync(join(data, 'podman/engine.sock'), late)
    await until(async () => (await waiting.probe()).state === 'ready', 500, 120_000)
    expect((await waiting.list()).map(({ state }) => state)).toEqual(['running'])
    await waiting.close()
    await machine.close()
  })

  it('leaves no test resources of a killed server, and no firewall rule of a stopped workspace', async () => {
    const machine = await startMachine()
    const { data, options, space } = machine
    const stale = `test-${4_000_000}-0a`
    const bridge = bridgeName(digestOf(options.installation, stale))
    await allowBridges([bridge])
    const before = await connectPodman(machine)
    await before.docker.createNetwork(networkSpec(networkOf(options.installation, stale), bridge, {}))
    await before.close()
    mkdirSync(join(data, 'disks', stale), { recursive: true })
    const next = createEngineDriver({ ...options, stopsAtEnd: true })
    await next.probe()
    const after = await connectPodman(machine)
    expect((await after.docker.listNetworks()).filter(({ Name }) => Name.includes('-test-'))).toEqual([])
    await after.close()
    expect(existsSync(join(data, 'disks', stale))).toBe(false)
    expect(await run('nft', ['list', 'set', 'inet', 'tidenet', 'same'])).not.toContain(bridge)
    const own = bridgeName(digestOf(options.installation, space.id))
    expect(await run('nft', ['list', 'set', 'inet', 'tidenet', 'same'])).toContain(own)
    await next.close()
    expect(await run('nft', ['list', 'set', 'inet', 'tidenet', 'same'])).not.toContain(own)
    await machine.close()
  })
})
