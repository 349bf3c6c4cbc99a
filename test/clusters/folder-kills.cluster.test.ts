/** @module-tag long */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createNetwork, type Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WorkloadRef } from '../../apps/server/src/compute/clusters/driver.ts'
import { sampleEngine } from '../../apps/server/src/compute/clusters/engine/sample-engine.fixture.ts'
import { MB, until } from '../../apps/server/src/compute/clusters/sample-workloads.fixture.ts'
import type { TransferResult, TransferTask } from '../../apps/server/src/compute/clusters/transfer-task.ts'
import { data, listed, owner, program, put, taskOf } from './sample-folders.fixture.ts'

/** Processes that copy files are killed while they do: nothing is lost or saved twice, and the next copy goes on. */

const { driver, options, close } = sampleEngine()
const { state } = await driver.probe()
if (state !== 'ready') await close()

let network: Network
beforeAll(async () => {
  if (state === 'ready')
    network = await createNetwork({ nodes: 3, databaseUrl: process.env.TIDENET_TEST_DATABASE as string })
})
afterAll(async () => {
  await network?.stop()
  expect(state === 'ready' ? await close() : []).toEqual([])
})

/** A server process that copies, and tells what it plans and what comes of it. */
const SERVER = `
const { createEngineDriver } = await import(process.env.ENGINE)
const { options, ref, task } = JSON.parse(process.env.INPUT)
const log = { info() {}, warn() {}, error() {}, debug() {} }
const driver = createEngineDriver({ ...options, log })
const tell = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
const result = await driver.transfer(ref, task, { plan: async (plan) => tell({ plan }) }).catch(() => process.exit(1))
tell({ result })
process.exit(0)
`

interface Copy {
  server: ChildProcess
  /** What it told so far. */
  told: { plan?: Record<string, string>; result?: TransferResult }[]
  exit: Promise<unknown>
}

function startCopy(ref: WorkloadRef, task: TransferTask): Copy {
  const { log: _, ...plain } = options
  const server = spawn(process.execPath, ['--input-type=module', '-e', SERVER], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ENGINE: new URL('../../apps/server/dist/compute/clusters/engine/engine.js', import.meta.url).href,
      INPUT: JSON.stringify({ options: plain, ref, task }),
    },
  })
  const told: Copy['told'] = []
  createInterface({ input: server.stdout }).on('line', (line) => told.push(JSON.parse(line)))
  return { server, told, exit: once(server, 'exit') }
}

const pidOf = ({ pid }: ChildProcess): number => pid as number
const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** The process that the server started for the copy. */
function workerOf({ server }: Copy): number {
  const pids = readFileSync(`/proc/${pidOf(server)}/task/${pidOf(server)}/children`, 'utf8')
    .trim()
    .split(' ')
  const worker = pids
    .map(Number)
    .find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('transfer-worker'))
  if (worker === undefined) throw new Error('nobody copies')
  return worker
}

async function kill(who: 'worker' | 'server', copy: Copy): Promise<void> {
  const worker = workerOf(copy)
  expect(copy.told.some(({ result }) => result)).toBe(false)
  process.kill(who === 'worker' ? worker : pidOf(copy.server), 'SIGKILL')
  await copy.exit
  await until(() => Promise.resolve(!isRunning(worker)))
}

const names = Array.from({ length: 12 }, (_, n) => `f${String(n).padStart(2, '0')}.bin`)
const bigFile = () => randomBytes(2 * MB)

/** Which of the files are on the disk of a program that does not run. */
const onDisk = (): number => {
  const all = new Set(
    readdirSync(join(options.data, 'disks'), { recursive: true, encoding: 'utf8' }).map((path) =>
      path.split('/').at(-1),
    ),
  )
  return names.filter((name) => all.has(name)).length
}

describe.skipIf(state !== 'ready').each(['worker', 'server'] as const)('a folder whose %s is killed', (who) => {
  it('while files are copied into the program is complete after the next copy, and nothing of it is saved', async () => {
    const one = await owner(network)
    const { ref, sh, restart, remove } = await program(driver, one)
    for (const name of names) await put(one, name, bigFile())
    const before = await listed(one)
    await driver.stop(ref)
    let copying: Record<string, string> = {}
    for (const some of [1, 6]) {
      const copy = startCopy(ref, taskOf(one, { kind: 'fill', copying, maxFiles: 100 }))
      await until(() => Promise.resolve(copy.told.some(({ plan }) => plan) && onDisk() >= some), 5)
      copying = copy.told.find(({ plan }) => plan)?.plan ?? {}
      await kill(who, copy)
    }
    const again = await restart({ copying, maxFiles: 100 })
    expect(again).toMatchObject({ filled: true, problem: '', savedFiles: 0 })
    expect(await listed(one)).toEqual(before)
    expect(Object.keys(again.base).sort()).toEqual(names)
    // All files are those of the storage.
    expect((await driver.transfer?.(ref, taskOf(one, { maxFiles: 100 }), { plan: async () => {} }))?.base).toEqual(
      again.base,
    )
    expect(await sh('ls /work | wc -l')).toBe('12')
    await remove()
  })

  it('while files are saved has each of them once after the next save', async () => {
    const one = await owner(network)
    for (const name of names) await put(one, name, bigFile())
    const { ref, sh, filled, transfer, remove } = await program(driver, one, { maxFiles: 100 })
    await sh('for f in /work/*; do head -c 1000000 /dev/urandom > $f; done')
    await driver.stop(ref)
    const { base } = filled
    const cids = async () => {
      const { list } = data(await one.storage.api.call('folders.manifest', { assets: [], folders: [one.folder] }))
      return Object.fromEntries(list.map(({ path, cid }) => [path.replace('Work/', ''), cid]))
    }
    const savedOf = async () => Object.entries(await cids()).filter(([name, cid]) => base[name] !== cid).length
    for (const some of [1, 6]) {
      const copy = startCopy(ref, taskOf(one, { base, maxFiles: 100 }))
      await until(async () => (await savedOf()) >= some, 5)
      await kill(who, copy)
    }
    const killedAt = await savedOf()
    const saved = await transfer({ base, maxFiles: 100 })
    expect(saved).toMatchObject({ problem: '', savedFiles: names.length - killedAt })
    expect(await cids()).toEqual(saved.base)
    for (const cid of Object.values(saved.base)) {
      const { list } = data(await one.storage.versions.list({ assetCid: cid }))
      expect(list).toHaveLength(1)
    }
    expect(await transfer({ base: saved.base, maxFiles: 100 })).toMatchObject({ savedFiles: 0, base: saved.base })
    await remove()
  })
})
