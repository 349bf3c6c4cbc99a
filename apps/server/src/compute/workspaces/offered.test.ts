import { expect, it } from 'vitest'
import { clustersOf } from '../clusters/clusters.ts'
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
  expect(distributed).toEqual({ name: 'distributed', ready: true })
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
