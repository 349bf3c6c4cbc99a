import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errors } from '@tidenet/contract'
import { createClock, createLogger } from '@tidenet/daemon'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openServed } from './served.ts'
import { type ServerLink, ServerRefused } from './server-link.ts'

interface Report {
  batch: string
  transfers: { trace_id: string; bytes: number }[]
}

let folder: string
let accepted: Map<string, Report['transfers']>
/** What the server answers to a report. */
let answer: (report: Report) => void
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidenet-served-'))
  accepted = new Map()
  answer = () => {}
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A node sends bytes of transfers, reports them once and stops. */
async function run(sent: Record<string, number> = {}, clock = createClock()): Promise<void> {
  const call = (_: string, report: Report) => {
    answer(report)
    // The server counts a batch once.
    if (!accepted.has(report.batch)) accepted.set(report.batch, report.transfers)
    return Promise.resolve({ accepted: true })
  }
  const served = await openServed({
    folder,
    identity: { id: 'e_1', sign: () => '' },
    link: { call } as unknown as ServerLink,
    clock,
    log: createLogger('test', 'silent'),
  })
  for (const [tid, bytes] of Object.entries(sent)) {
    const meter = served.begin({ typ: 'download', sub: 'owner', tid, cid: 'bafk' } as Parameters<
      typeof served.begin
    >[0])
    meter.add(bytes)
    meter.end()
  }
  await served.stop()
}
const refuse = (err: number) => () => {
  throw new ServerRefused(err, 'refused')
}
const counted = () => Object.fromEntries([...accepted.values()].flat().map(({ trace_id, bytes }) => [trace_id, bytes]))
const waiting = () => readdir(folder).then((names) => names.filter((name) => name !== 'sent').length)

describe('bytes sent', () => {
  it.each([
    ['its clock is wrong', errors.nodeClock.err],
    ['its network has too many edges', errors.tooManyEdges.err],
    ['its session has ended', 401],
    ['the call is forbidden', errors.forbidden.err],
  ])('are kept while the server refuses the node because %s', async (_, err) => {
    answer = refuse(err)
    await run({ one: 1000 })
    await run({ two: 2000 })
    expect(counted()).toEqual({})
    answer = () => {}
    await run()
    await run()
    expect(counted()).toEqual({ one: 1000, two: 2000 })
    expect(await waiting()).toBe(0)
  })

  it('are kept while the server cannot be reached or is overloaded, and each is counted once', async () => {
    let calls = 0
    answer = () => {
      calls += 1
      throw new Error('the server answered 503')
    }
    for (let hour = 0; hour < 5; hour += 1) await run({ [`t${hour}`]: 100 + hour })
    expect(calls).toBeGreaterThan(0)
    answer = () => {}
    await run()
    await run()
    expect(counted()).toEqual({ t0: 100, t1: 101, t2: 102, t3: 103, t4: 104 })
  })

  it('are dropped if the server can never accept them, and only those', async () => {
    answer = ({ transfers }) => {
      if (transfers.some(({ trace_id }) => trace_id === 'wrong')) refuse(errors.invalidParams.err)()
    }
    const others = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`t${index}`, 500]))
    await run({ ...others, wrong: 1, last: 700 })
    expect(counted()).toEqual({ ...others, last: 700 })
    expect(await waiting()).toBe(0)
  })

  it('are sent by a device whose own clock is months behind that of the network', async () => {
    const clock = createClock()
    clock.move(90 * 86_400_000)
    answer = refuse(errors.nodeClock.err)
    await run({ one: 1000 }, clock)
    answer = () => {}
    await run({}, clock)
    expect(counted()).toEqual({ one: 1000 })
  })

  it('are dropped after a week, when the server counts them no longer', async () => {
    answer = refuse(errors.nodeClock.err)
    await run({ old: 1000 })
    await run()
    const past = new Date(Date.now() - 8 * 86_400_000)
    for (const name of await readdir(folder)) await utimes(join(folder, name), past, past)
    await run({ fresh: 10 })
    answer = () => {}
    await run()
    await run()
    expect(counted()).toEqual({ fresh: 10 })
  })
})
