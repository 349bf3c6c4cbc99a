import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLogger } from '@tidenet/daemon'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { previousOf, restoreProgram } from './programs.ts'
import type { OwnRelease } from './release.ts'
import {
  type Behaviour,
  factsOf,
  installProgram,
  makeKey,
  manifestOf,
  NODE_ID,
  programText,
  signatureOf,
  startPortal,
} from './sample-release.fixture.ts'
import { type Restarts, runSelfUpdating } from './self-updating.ts'
import { readUpdateState, TRIES_MAX, type UpdateState, writeUpdateState } from './update-state.ts'
import { reviewStart } from './updater.ts'

const key = makeKey()
const first = factsOf(1, '1.0.0', [key.text])
const second = factsOf(2, '1.1.0', [key.text])
const TIMES = { step: 5, check: 10, idle: 60_000, last: 60_000, probation: 60_000, ready: 10_000, reach: 1000 }

let portal: Awaited<ReturnType<typeof startPortal>>
let installed: Awaited<ReturnType<typeof installProgram>>
beforeEach(async () => {
  portal = await startPortal()
  installed = await installProgram(first)
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const each of running.splice(0)) await each.stop()
  await portal.stop()
  await installed.remove()
})

const running: { stop(): Promise<void> }[] = []
const children: ChildProcess[] = []

/** A node of the first release. `ended`: why and how its process ends. */
function start(
  options: { restarts?: Restarts; times?: Partial<typeof TIMES>; reached?: boolean; release?: OwnRelease } = {},
) {
  const { data, program } = installed
  let passed = 0
  let state: UpdateState = { seen: 0 }
  let stop: (code: number) => void
  const node = {
    id: NODE_ID,
    registered: true,
    allowsUpdates: true,
    transfers: 0,
    isHeld: false,
    runs: true,
    starts: 0,
    hold(isHeld: boolean) {
      node.isHeld = isHeld
    },
    async stop() {
      node.runs = false
    },
  }
  const ended = new Promise<number>((resolve) => {
    stop = resolve
  })
  const updating = runSelfUpdating({
    ...{ node, restarts: options.restarts ?? 'manager', args: ['--data', data], server: portal.url, data, program },
    start: async () =>
      Object.assign(node, { runs: true, starts: node.starts + 1, registered: options.reached ?? true }),
    life: { stop: (_, code = 0) => stop(code) },
    release: options.release ?? first,
    keys: [key.text],
    onState(known) {
      state = known
    },
    now: () => Date.now() + passed,
    log: createLogger('test', 'silent'),
    times: { ...TIMES, ...options.times },
  })
  running.push(updating)
  const pass = (ms: number) => {
    passed += ms
  }
  return { node, ended, stop: () => updating.stop(), state: () => state, pass }
}

const isSecond = async () =>
  (await readFile(installed.program)).equals(portal.files.get('tidenet-node-linux-x64') ?? Buffer.of())
const isFirst = async () => (await readFile(installed.program, 'utf8')) === programText(first, 'ready')
const until = async (check: () => boolean | Promise<boolean>) =>
  expect.poll(check, { timeout: 8000, interval: 10 }).toBe(true)
const HOUR = 3600_000

describe('a node with a signed update', () => {
  it('runs it, puts it in place, and ends for the service manager to start it', async () => {
    portal.offer(second, key)
    const one = start()
    expect(await one.ended).toBe(0)
    expect(one.node.runs).toBe(false)
    expect(await isSecond()).toBe(true)
    expect((await readUpdateState(installed.data)).probation?.version).toBe('1.1.0')
  })

  it('stays as the parent of the new version if nobody would start it', async () => {
    portal.offer(second, key)
    const one = start({ restarts: 'nobody' })
    await until(isSecond)
    await one.stop()
    expect(one.node.starts).toBe(0)
  })

  it('never updates during a transfer: it waits, and refuses new ones in the end', async () => {
    portal.offer(second, key)
    const one = start()
    one.node.transfers = 1
    await until(async () => (await readdir(installed.data)).some((name) => name.endsWith('.update')))
    expect(await isFirst()).toBe(true)
    expect(one.node.isHeld).toBe(false)
    await until(() => {
      one.pass(TIMES.idle / 10)
      return one.node.isHeld
    })
    expect(one.node.runs).toBe(true)
    one.node.transfers = 0
    await one.ended
    expect(await isSecond()).toBe(true)
  })

  it('does not update while its owner has turned updates off, also in the middle', async () => {
    portal.offer(second, key)
    const off = start()
    off.node.transfers = 1
    await until(async () => (await readdir(installed.data)).some((name) => name.endsWith('.update')))
    off.node.allowsUpdates = false
    off.node.transfers = 0
    await off.stop()
    expect(await isFirst()).toBe(true)
    expect(off.node.starts).toBe(0)
  })

  it('forgets the version of before when the new one has run for a while', async () => {
    await writeUpdateState(installed.data, {
      seen: 2,
      probation: { version: '1.1.0', sha256: 'x', time: second.time, starts: 1 },
    })
    await writeFile(previousOf(installed.program), 'before')
    const one = start({ release: second })
    await until(async () => (await readUpdateState(installed.data)).probation?.starts === 0)
    expect(existsSync(previousOf(installed.program))).toBe(true)
    one.pass(TIMES.probation)
    await until(async () => (await readUpdateState(installed.data)).probation === undefined)
    await until(() => !existsSync(previousOf(installed.program)))
  })
})

describe('a version that does not become ready', () => {
  it.each<Behaviour>(['ends', 'other node', 'not registered'])('leaves the one of before: %s', async (behaviour) => {
    portal.offer(second, key, { behaviour })
    const one = start({ times: { ready: 2000 } })
    await until(() => one.state().failed?.problem === 'not-ready')
    expect(one.node.runs).toBe(true)
    expect(await isFirst()).toBe(true)
  })

  it('does not even interrupt the node if this machine cannot run it', async () => {
    portal.offer(second, key)
    const broken = Buffer.from('\x7fELF not really')
    const facts = { ...second, program: 'tidenet-node' as const, platform: 'linux-x64' }
    const manifest = manifestOf(broken, facts)
    portal.files.set('manifest.json', manifest)
    portal.files.set('manifest.sig', Buffer.from(signatureOf(manifest, key.privateKey)))
    portal.files.set('tidenet-node-linux-x64', broken)
    const one = start()
    await until(() => one.state().failed?.problem === 'not-ready')
    expect(one.node).toMatchObject({ runs: true, starts: 0 })
  })

  it('is tried a few times, at growing intervals, and then no more', async () => {
    portal.offer(second, key, { behaviour: 'ends' })
    const one = start()
    for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
      await until(() => one.state().failed?.tries === tries)
      one.pass(2 ** (tries - 1) * HOUR)
    }
    one.pass(1000 * HOUR)
    const asked = portal.asked.length
    await until(() => portal.asked.length > asked + 3)
    expect(one.state().failed?.tries).toBe(TRIES_MAX)
    portal.offer(factsOf(3, '1.2.0'), key)
    expect(await one.ended).toBe(0)
    expect(await isSecond()).toBe(true)
  })

  it('is not to blame while the portal does not answer', async () => {
    portal.offer(second, key, { behaviour: 'not registered' })
    const one = start({ reached: false, times: { ready: 2000, reach: 10 } })
    await until(() => one.state().failed?.problem === 'download')
    expect(one.state().failed?.tries).toBe(0)
  })

  it('is not blamed for starts of another program in its folder', async () => {
    const { data } = installed
    const probation = { version: '1.1.0', sha256: 'x', time: second.time, starts: TRIES_MAX }
    await writeUpdateState(data, { seen: 2, probation })
    expect(await reviewStart(data, first, 9)).toBe('start')
    expect((await readUpdateState(data)).probation).toEqual(probation)
  })

  it('is replaced by the one of before if it was in place and never became ready again', async () => {
    const { data, program } = installed
    await writeFile(previousOf(program), programText(first, 'ready'), { mode: 0o700 })
    await writeFile(program, programText(second, 'ends'), { mode: 0o700 })
    await writeUpdateState(data, {
      seen: 2,
      probation: { version: '1.1.0', sha256: 'x', time: second.time, starts: 0 },
    })
    for (let starts = 0; starts < TRIES_MAX; starts += 1) expect(await reviewStart(data, second, 9)).toBe('start')
    expect(await reviewStart(data, second, 9)).toBe('restore')
    expect(await restoreProgram(program)).toBe(true)
    expect(await isFirst()).toBe(true)
    expect(await reviewStart(data, first, 9)).toBe('start')
    expect((await readUpdateState(data)).failed).toMatchObject({ version: '1.1.0', tries: TRIES_MAX })
  })
})

describe('a node that is killed', () => {
  const DIST = join(import.meta.dirname, '../../dist/updates')
  /** A node in a process of its own, which the program of the update, or the portal, kills. @returns when it has ended */
  async function runUntilKilled() {
    const { data, program } = installed
    const script = `
      const { runSelfUpdating } = await import(${JSON.stringify(join(DIST, 'self-updating.js'))})
      const { createLogger } = await import('@tidenet/daemon')
      const node = { id: '${NODE_ID}', registered: true, allowsUpdates: true, transfers: 0, hold() {}, async stop() {} }
      runSelfUpdating({ node, start: async () => node, life: { stop: () => process.exit(0) }, restarts: 'manager', args: [],
        server: '${portal.url}', data: ${JSON.stringify(data)}, program: ${JSON.stringify(program)}, release: ${JSON.stringify(first)},
        keys: ['${key.text}'], onState() {}, now: Date.now, log: createLogger('test', 'silent'), times: ${JSON.stringify(TIMES)} })
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      stdio: 'ignore',
    })
    children.push(child)
    return { child, ended: once(child, 'exit') as Promise<[number | null, string | null]> }
  }

  it('during the download has its program, and updates afterwards', async () => {
    portal.offer(second, key)
    const { child, ended } = await runUntilKilled()
    portal.send = (response, bytes) => response.write(bytes.subarray(0, 100), () => child.kill('SIGKILL'))
    expect((await ended)[1]).toBe('SIGKILL')
    expect(await isFirst()).toBe(true)
    portal.send = (response, bytes) => void response.end(bytes)
    expect(await start().ended).toBe(0)
    expect(await isSecond()).toBe(true)
  })

  it('while the new version starts has its program, and counts the failure', async () => {
    portal.offer(second, key, { behaviour: 'kills while starting' })
    expect((await (await runUntilKilled()).ended)[1]).toBe('SIGKILL')
    expect(await isFirst()).toBe(true)
    expect(await reviewStart(installed.data, first, 1000)).toBe('start')
    expect((await readUpdateState(installed.data)).failed).toMatchObject({ problem: 'not-ready', tries: 1 })
  })

  it('after the new version took its place starts that one', async () => {
    portal.offer(second, key, { behaviour: 'kills when stopped' })
    expect((await (await runUntilKilled()).ended)[1]).toBe('SIGKILL')
    expect(await isSecond()).toBe(true)
    expect(await reviewStart(installed.data, second, 1000)).toBe('start')
    expect(await readUpdateState(installed.data)).toMatchObject({ probation: { starts: 1 } })
  })

  it('between the two files and the note starts the new version on probation', async () => {
    const trying = { version: '1.1.0', sha256: 'x', time: second.time }
    await writeUpdateState(installed.data, { seen: 2, trying })
    expect(await reviewStart(installed.data, second, 1000)).toBe('start')
    expect((await readUpdateState(installed.data)).probation).toMatchObject({ version: '1.1.0', starts: 1 })
  })
})

describe('refused is', () => {
  it('a mirror that offers an older release than one it has seen', async () => {
    portal.offer(factsOf(5, '1.5.0'), key, { change: { percent: 0 } })
    const one = start()
    await until(() => one.state().seen === 5)
    portal.offer(second, key)
    const asked = portal.asked.length
    await until(() => portal.asked.length > asked + 6)
    expect(await isFirst()).toBe(true)
    expect(one.node.starts).toBe(0)
  })

  it('a program whose facts are not those of the manifest', async () => {
    const bytes = Buffer.from(programText(factsOf(1, '0.9.0'), 'ready'))
    const manifest = manifestOf(bytes, second)
    portal.files.set('manifest.json', manifest)
    portal.files.set('manifest.sig', Buffer.from(signatureOf(manifest, key.privateKey)))
    portal.files.set('tidenet-node-linux-x64', bytes)
    const one = start()
    await until(() => one.state().failed?.problem === 'not-ready')
    expect(await isFirst()).toBe(true)
  })

  it('an update to a program that another node has replaced meanwhile', async () => {
    portal.offer(second, key)
    const one = start()
    one.node.transfers = 1
    await until(async () => (await readdir(installed.data)).some((name) => name.endsWith('.update')))
    await writeFile(installed.program, 'the other one')
    one.node.transfers = 0
    const asked = portal.asked.length
    await until(() => portal.asked.length > asked)
    await one.stop()
    expect(one.node.starts).toBe(0)
  })

  it('anything from a portal without the key', async () => {
    portal.offer(second, makeKey())
    const one = start()
    await until(() => portal.asked.filter((name) => name === 'manifest.json').length > 2)
    expect(portal.asked).not.toContain('tidenet-node-linux-x64')
    expect(one.state().seen).toBe(0)
  })
})
