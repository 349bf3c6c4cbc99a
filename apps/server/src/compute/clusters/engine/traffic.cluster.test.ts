import { spawn } from 'node:child_process'
import { createConnection } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { CLOSED_PORTS } from '../closed-ports.ts'
import type { WorkloadRef } from '../driver.ts'
import { networkAddress, runScript, sampleWorkload, sampleWorkspace } from '../sample-workloads.fixture.ts'
import { connect, engineCandidates } from './connect.ts'
import { nameOf } from './container.ts'
import { createEngineDriver } from './engine.ts'
import { CONNECTIONS } from './firewall.ts'
import { outside } from './outside.fixture.ts'
import { sampleEngine } from './sample-engine.fixture.ts'

/** Limits of what workspaces send, receive and connect to, with real packets. */

const MEGABITS = 80
const BYTES_PER_SECOND = (MEGABITS * 1e6) / 8
const ZEROS = 4 * BYTES_PER_SECOND
/** The kernel lets what was not used in the last second be sent at once. */
const SAVED = 1.1 * BYTES_PER_SECOND
const OPEN_PORTS = [80, 465, 587, 22]

const { driver, options, close } = sampleEngine({ megabits: MEGABITS })
const { state, traffic } = await driver.probe()
const limited = state === 'ready' && (traffic?.connections ?? 0) > 0
if (!limited) await close()
const far = limited ? await outside([...OPEN_PORTS, ...CLOSED_PORTS], ZEROS) : undefined

afterAll(async () => {
  if (!limited) return
  await far?.close()
  expect(await close()).toEqual([])
})

async function machine(): Promise<WorkloadRef> {
  const space = sampleWorkspace()
  await driver.createWorkspace(space)
  const spec = sampleWorkload({ ports: [8080] })
  await driver.deploy(space, spec)
  return { workspace: space.id, workload: spec.id }
}

const sh = async (ref: WorkloadRef, script: string) => (await runScript(driver, ref, script)).output

/** Reads everything that a server sends: busybox's nc leaves when its input ends, so the input stays open. */
const readAll = (address: string, port: number) =>
  `q=/tmp/q$$; mkfifo $q; sleep 60 >$q & nc ${address} ${port} <$q | wc -c; kill $!`

/** Seconds of a script in a workload. */
async function timed(ref: WorkloadRef, script: string): Promise<{ seconds: number; output: string }> {
  const start = performance.now()
  const output = await sh(ref, script)
  return { seconds: (performance.now() - start) / 1000, output }
}

/** How many of `count` connections to a port are open at once, opened in the network of a workload, whose own programs are few. */
async function openedBy(ref: WorkloadRef, port: number, count: number, seconds: number): Promise<number> {
  const [candidate] = engineCandidates(options.setting)
  const { docker, close: leave } = await connect(candidate as NonNullable<typeof candidate>, options.data)
  const { State } = await docker.getContainer(nameOf(options.installation, ref.workload)).inspect()
  await leave()
  const script = `
const { connect } = require('node:net')
let open = 0
for (let made = 0; made < ${count}; made++)
  connect(${port}, '${far?.address}').on('connect', () => { open += 1 }).on('error', () => {})
setTimeout(() => { console.log(open); process.exit() }, ${seconds * 1000})`
  const child = spawn('nsenter', [`--net=/proc/${State.Pid}/ns/net`, process.execPath, '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return Number(String(await buffer(child.stdout)))
}

/** Bytes that a program sends to a visitor who connects, once it listens. */
async function bytesFrom(host: string, port: number): Promise<number> {
  for (;;) {
    const socket = createConnection({ host, port })
    const bytes = await buffer(socket).catch(() => undefined)
    if (bytes) return bytes.length
  }
}

/** @param seconds how long ZEROS bytes took */
const expectLimited = (seconds: number) => expect((ZEROS - SAVED) / seconds).toBeLessThan(1.1 * BYTES_PER_SECOND)

describe.skipIf(!limited)('the traffic of a workspace', { concurrent: true, timeout: 120_000 }, () => {
  it('has the bandwidth of its setting to and from the internet, and other workspaces have theirs', async () => {
    const [one, two] = [await machine(), await machine()]
    const download = readAll(far?.address ?? '', far?.zeros ?? 0)
    const results = await Promise.all([timed(one, download), timed(two, download)])
    for (const { seconds, output } of results) {
      expect(Number(output)).toBe(ZEROS)
      expectLimited(seconds)
    }
    const upload = await timed(one, `head -c ${ZEROS} /dev/zero | nc ${far?.address} ${far?.sink}`)
    expect(Number(upload.output)).toBe(ZEROS)
    expectLimited(upload.seconds)
  })

  it('has that bandwidth to visitors too, whom this machine passes on', { tags: ['long'] }, async () => {
    const ref = await machine()
    const serving = sh(ref, `head -c ${ZEROS} /dev/zero | nc -l -p 8080`)
    const { host, port } = await networkAddress(driver, ref, 8080)
    const start = performance.now()
    expect(await bytesFrom(host, port)).toBe(ZEROS)
    expectLimited((performance.now() - start) / 1000)
    await serving
  })

  it('gets another bandwidth when the setting changes', { tags: ['long'] }, async () => {
    const ref = await machine()
    const slower = createEngineDriver({ ...options, megabits: MEGABITS / 2 })
    await slower.usage(ref)
    await slower.close()
    const bytes = ZEROS / 2
    const { seconds, output } = await timed(ref, `head -c ${bytes} /dev/zero | nc ${far?.address} ${far?.sink}`)
    expect(Number(output)).toBe(bytes)
    expect((bytes - SAVED / 2) / seconds).toBeLessThan((1.1 * BYTES_PER_SECOND) / 2)
  })

  it('is not limited within it', async () => {
    const ref = await machine()
    const own = `(head -c ${ZEROS} /dev/zero | nc -l -p 9000 &) ; sleep 0.3; ${readAll('127.0.0.1', 9000)}`
    const { seconds, output } = await timed(ref, own)
    expect(Number(output)).toBe(ZEROS)
    expect(ZEROS / seconds).toBeGreaterThan(1.6 * BYTES_PER_SECOND)
  })

  it('does not leave by ports that are used for abuse', async () => {
    const ref = await machine()
    const reach = (port: number) => sh(ref, `nc -w 2 ${far?.address} ${port} </dev/null 2>/dev/null | head -n 1`)
    expect(await Promise.all(OPEN_PORTS.map(reach))).toEqual(OPEN_PORTS.map(() => 'reached'))
    expect(await Promise.all(CLOSED_PORTS.map(reach))).toEqual(CLOSED_PORTS.map(() => ''))
  })

  it('has a limit of open connections, which leaves other workspaces theirs', { tags: ['long'] }, async () => {
    const [greedy, other] = [await machine(), await machine()]
    const opening = openedBy(greedy, 80, CONNECTIONS + 500, 12)
    const opened = await opening
    expect(opened).toBeLessThanOrEqual(CONNECTIONS)
    expect(opened).toBeGreaterThan(CONNECTIONS / 2)
    expect(await sh(other, `nc -w 2 ${far?.address} 80 </dev/null | head -n 1`)).toBe('reached')
  })

  it('cannot try many passwords', { tags: ['long'] }, async () => {
    const ref = await machine()
    const opened = await openedBy(ref, 22, 300, 4)
    expect(opened).toBeGreaterThan(10)
    expect(opened).toBeLessThan(90)
  })
})
