import { CLUSTERS } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { clustersOf, machineOf } from '../clusters/clusters.ts'
import type { Probe } from '../clusters/driver.ts'
import { sampleDriver } from '../clusters/sample-driver.fixture.ts'
import { offered } from './workspaces.ts'

const offers = (probe: Probe) => {
  const { driver } = sampleDriver()
  return offered({
    clusters: clustersOf([{ driver: { ...driver, probe: async () => probe }, regions: ['distributed'] }]),
  })
}
const away = { state: 'absent', reason: 'none', facts: {}, tried: [] } as const

it('offers a ready cluster, and gives the reason for a region without one', async () => {
  const [distributed, centralized] = await offers({ ...away, state: 'ready', reason: '' })
  expect(distributed).toEqual({ name: 'distributed', ready: true, configured: true, shared_with: [], gpus: 0 })
  expect(centralized).toMatchObject({ ready: false, configured: false, shared_with: [] })
  expect(centralized?.reason?.en).not.toBe('')
})

it('includes the command that installs what is missing, in both languages', async () => {
  const command = 'apt-get install -y runc'
  const [distributed] = await offers({ ...away, command })
  expect(distributed?.ready).toBe(false)
  expect(distributed?.reason?.en).toContain(command)
  expect(distributed?.reason?.cn).toContain(command)
})

it.each(['absent', 'limits-unenforced', 'unsafe'] as const)('does not offer a cluster that is %s', async (state) => {
  const [distributed] = await offers({ ...away, state })
  expect(distributed?.ready).toBe(false)
  expect(distributed?.reason?.cn).toMatch(/\p{Script=Han}/u)
})

describe('two regions', () => {
  const both = (distributed: string, centralized: string) => {
    const settings = [...new Set([distributed, centralized])]
    const clusters = clustersOf(
      settings.map((setting) => ({
        driver: sampleDriver().driver,
        machine: machineOf(setting),
        regions: CLUSTERS.filter((name) => ({ distributed, centralized })[name] === setting),
      })),
    )
    return offered({ clusters })
  }

  it.each([
    ['engine', 'engine'],
    ['engine', 'engine:podman'],
    ['engine:unix:///run/podman/podman.sock', 'engine:tcp://127.0.0.1:2375'],
    ['engine:tcp://a.example:2375', 'engine:tcp://a.example:2376'],
    ['kubernetes:/a', 'kubernetes:/a'],
  ])('on one machine say so: %s, %s', async (distributed, centralized) => {
    const offers = await both(distributed, centralized)
    expect(offers.map(({ shared_with }) => shared_with)).toEqual([['centralized'], ['distributed']])
  })

  it.each([
    ['engine', 'engine:tcp://a.example:2375'],
    ['engine:tcp://a.example:2375', 'engine:tcp://b.example:2375'],
    ['engine', 'kubernetes'],
    ['kubernetes:/a#one', 'kubernetes:/a#two'],
  ])('on two machines do not: %s, %s', async (distributed, centralized) => {
    expect((await both(distributed, centralized)).flatMap(({ shared_with }) => shared_with)).toEqual([])
  })
})
