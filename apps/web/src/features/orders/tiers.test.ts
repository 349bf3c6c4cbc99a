import { priceOf } from '@tidenet/contract/price'
import { expect, test } from 'vitest'
import { machineParam, parseMachineParam } from './machine-param.ts'
import { sumOf, tiersOf } from './tiers.ts'

test('charges each part of a quantity at the rate of its tier', () => {
  expect(tiersOf('cpu', 10).map(({ count, rate }) => [count, rate])).toEqual([
    [4, 100],
    [4, 90],
    [2, 80],
    [0, 70],
  ])
  expect(sumOf('cpu', 10)).toBe(920)
  expect(sumOf('duration', 48)).toBe(45.6)
})

test('adds up to the price of the contract', () => {
  for (const wanted of [
    { cpu: 1, ram: 1, storage: 40, duration: 1 },
    { cpu: 9, ram: 17, storage: 510, duration: 100 },
    { cpu: 32, ram: 64, storage: 4000, duration: 720 },
  ]) {
    const hour = sumOf('cpu', wanted.cpu) + sumOf('ram', wanted.ram) + sumOf('storage', wanted.storage)
    expect(Math.ceil(hour * sumOf('duration', wanted.duration) * 0.25)).toBe(priceOf(wanted, 0.25))
  }
})

test('encodes a machine as a URL parameter', () => {
  const machine = { cpu: 2, ram: 4, storage: 80, duration: 168 }
  expect(parseMachineParam(machineParam(machine))).toEqual(machine)
})

test('clamps a machine to the bounds and rejects malformed parameters', () => {
  expect(parseMachineParam('99-99-41-9999')).toEqual({ cpu: 32, ram: 64, storage: 40, duration: 720 })
  for (const text of [undefined, '', '1-2-3', 'a-b-c-d', '1-1-40--4', '1-1-40-4-5'])
    expect(parseMachineParam(text)).toBeUndefined()
})
