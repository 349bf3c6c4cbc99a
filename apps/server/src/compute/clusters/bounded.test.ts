import { expect, it } from 'vitest'
import { bounded } from './bounded.ts'
import { sampleDriver } from './sample-driver.fixture.ts'

const never = () => new Promise<never>(() => {})
const workspace = { id: 'ws1', owner: 'u1', size: { cpu: 1, memory: 1e9, storage: 1e9 } }

it('a cluster that answers is used as it is', async () => {
  const { driver } = sampleDriver()
  const one = bounded(driver)
  await one.createWorkspace(workspace)
  expect(await one.listWorkspaces()).toEqual(['ws1'])
  expect(await one.capacity()).toEqual(await driver.capacity())
})

it('what a driver does not have, its limited form does not have either', () => {
  const { ended: _, ...driver } = sampleDriver().driver
  expect(bounded(driver).ended).toBeUndefined()
})

it('a cluster that hangs is absent, for each caller after the time of what it asked for', async () => {
  const driver = bounded(
    { ...sampleDriver().driver, createWorkspace: never, stop: never },
    { createWorkspace: 5, stop: 5 },
  )
  await expect(driver.createWorkspace(workspace)).rejects.toMatchObject({ failure: 'absent' })
  await expect(driver.stop({ workspace: 'ws1', workload: 'w1' })).rejects.toMatchObject({ failure: 'absent' })
})

it('errors of the cluster stay what they are', async () => {
  const driver = bounded(sampleDriver().driver)
  await expect(driver.addressOf({ workspace: 'ws1', workload: 'none' }, 80)).rejects.toMatchObject({
    failure: 'unknown',
  })
})
