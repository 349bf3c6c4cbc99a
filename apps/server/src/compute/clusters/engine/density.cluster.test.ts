/** @module-tag long */
import { afterAll, describe, expect, it } from 'vitest'
import type { WorkloadRef } from '../driver.ts'
import { GATEWAY, MB, runScript, sampleWorkload, sampleWorkspace } from '../sample-workloads.fixture.ts'
import { sampleEngine } from './sample-engine.fixture.ts'

/** What a measurement costs on a real engine, with as many sleeping containers as a small machine carries. */

const COUNT = Number(process.env.TIDENET_TEST_DENSITY ?? 32)
const GOAL = 1000
/** Every workspace is measured twice in this time. */
const GOAL_MS = 60_000

const { driver, close } = sampleEngine()
const { state, facts } = await driver.probe()
if (state !== 'ready') await close()

afterAll(async () => {
  if (state === 'ready') expect(await close()).toEqual([])
}, 600_000)

describe.skipIf(state !== 'ready')('many workspaces', { timeout: 600_000 }, () => {
  const refs: WorkloadRef[] = []
  async function grow(count: number): Promise<void> {
    while (refs.length < count) {
      const space = sampleWorkspace({ memory: 32 * MB, storage: 16 * MB, cpu: 0.1 })
      const spec = sampleWorkload({ size: space.size })
      await driver.createWorkspace(space)
      await driver.deploy(space, spec)
      refs.push({ workspace: space.id, workload: spec.id })
    }
  }

  /** The fastest of three measurements, because other programs use the machine. */
  async function measured(): Promise<number> {
    const times: number[] = []
    for (let round = 0; round < 3; round++) {
      const start = performance.now()
      const found = await driver.measure(refs.map(({ workspace }) => workspace))
      times.push(performance.now() - start)
      expect(found.map(({ workload }) => workload).sort()).toEqual(refs.map(({ workload }) => workload).sort())
      expect(found.filter((one) => one.state !== 'running' || one.memory === 0 || one.storage === 0)).toEqual([])
    }
    return Math.min(...times)
  }

  it('are measured so fast that 1,000 of them are sampled within a minute', async () => {
    await grow(COUNT / 4)
    const few = await measured()
    await grow(COUNT)
    const many = await measured()
    const each = Math.max(0, many - few) / (COUNT - COUNT / 4)
    const all = few + each * GOAL
    console.log(
      `${COUNT} containers: ${Math.round(many)} ms, ${each.toFixed(2)} ms each; ${GOAL}: ${Math.round(all)} ms`,
    )
    expect(all).toBeLessThan(GOAL_MS / 2)
  })

  it('are told apart in what they send and receive', async ({ skip }) => {
    skip(facts.network === 'none', 'there is no network')
    const [one, other] = refs as [WorkloadRef, WorkloadRef]
    const usage = () => Promise.all([driver.usage(one), driver.usage(other)])
    const before = await usage()
    // This machine does not answer.
    await runScript(driver, one, `ping -c 4 -s 4000 -W 1 $(${GATEWAY})`)
    const after = await usage()
    const [sent = 0, quiet = 0] = after.map((each, index) => each.sent - (before[index]?.sent ?? 0))
    expect(sent).toBeGreaterThan(5 * Math.max(quiet, 1))
    expect(sent).toBeGreaterThan(2 * ((after[0]?.received ?? 0) - (before[0]?.received ?? 0)))
  })
})
