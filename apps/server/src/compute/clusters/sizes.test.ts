import { expect, it } from 'vitest'
import { fitsBeside, GB, machineSize } from './sizes.ts'

const MB = 1024 ** 2

it.each([
  [1, 1, 40],
  [2, 4, 50],
  [32, 64, 4000],
])('the machine of %i cores, %i GB and %i GB of disk leaves resources for a second workload', (cpu, ram, storage) => {
  const bought = { cpu, memory: ram * GB, storage: storage * GB }
  const size = machineSize(bought)
  expect(size.cpu).toBeGreaterThan(cpu / 2)
  expect(size.memory).toBeGreaterThan(bought.memory / 2)
  expect(size.storage).toBeGreaterThan(bought.storage / 2)
  const second = { id: 'second', size: { cpu: 0.1, memory: 32 * MB, storage: GB } }
  expect(fitsBeside(bought, [{ workload: 'machine', size }], second)).toBe(true)
})

it('rounds the machine down to whole steps, and to at least one step', () => {
  expect(machineSize({ cpu: 1, memory: GB, storage: 40 * GB })).toEqual({
    cpu: 0.7,
    memory: 768 * MB,
    storage: 30 * GB,
  })
  expect(machineSize({ cpu: 0.1, memory: 32 * MB, storage: GB })).toEqual({ cpu: 0.1, memory: 32 * MB, storage: GB })
})

it('a second workload does not fit if the first one uses everything', () => {
  const all = { cpu: 1, memory: GB, storage: GB }
  expect(fitsBeside(all, [{ workload: 'a', size: all }], { id: 'b', size: { cpu: 0.1, memory: 1, storage: 1 } })).toBe(
    false,
  )
})
