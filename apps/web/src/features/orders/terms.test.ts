import { ORDER } from '@tidenet/contract/order-enums'
import { describe, expect, test } from 'vitest'
import {
  daysAndHours,
  doubled,
  endOf,
  exceeds,
  fitting,
  offeredOf,
  upgradeCost,
  upgradeProblem,
  whyNoUse,
} from './terms.ts'

const old = { cpu: 2, ram: 4, storage: 80, duration: 24 }

describe('what is chosen', () => {
  test('is told in hours, from a day on in days and hours', () => {
    expect(daysAndHours(1)).toEqual({ days: 0, hours: 1 })
    expect(daysAndHours(23)).toEqual({ days: 0, hours: 23 })
    expect(daysAndHours(24)).toEqual({ days: 1, hours: 0 })
    expect(daysAndHours(720)).toEqual({ days: 30, hours: 0 })
    expect(daysAndHours(49)).toEqual({ days: 2, hours: 1 })
  })

  test('lies within the bounds, in their steps', () => {
    expect(fitting('cpu', 0)).toBe(1)
    expect(fitting('cpu', 33)).toBe(32)
    expect(fitting('ram', 999)).toBe(64)
    expect(fitting('storage', 44)).toBe(40)
    expect(fitting('storage', 46)).toBe(50)
    expect(fitting('storage', 9999)).toBe(4000)
    expect(fitting('duration', 721)).toBe(720)
  })

  test('refused as an upgrade: anything lower, and the same', () => {
    expect(upgradeProblem(old, { ...old, cpu: 3 })).toBeUndefined()
    expect(upgradeProblem(old, old)).toBe('same')
    for (const key of ['cpu', 'ram', 'storage', 'duration'] as const)
      expect(upgradeProblem(old, { ...old, cpu: 32, [key]: old[key] - 1 })).toBe('lower')
  })

  test('refused: what costs more than there is, by a single unit as well', () => {
    expect(exceeds(400, '400')).toBe(false)
    expect(exceeds(400, '400.00')).toBe(false)
    expect(exceeds(400, '399.99')).toBe(true)
    expect(exceeds(1, '0')).toBe(true)
  })
})

describe('a renewal', () => {
  test('goes to the double, and never beyond what can be bought', () => {
    expect(doubled(10)).toBe(20)
    expect(doubled(400)).toBe(720)
  })
})

test('an upgrade costs its price, and no less than the contract takes for its hours', () => {
  expect(upgradeCost(1160, { rate: { duration: 10, price: 700 } }, 10)).toBe(1160)
  expect(upgradeCost(47, { rate: { duration: 10, price: 700 } }, 10)).toBe(490)
})

describe('an order', () => {
  const order = { status: ORDER.running, updated_at: 'updated', expired_at: 'expires' }
  test('ends when it expires, or did when it was terminated', () => {
    expect(endOf(order)).toBe('expires')
    expect(endOf({ ...order, status: ORDER.terminated })).toBe('updated')
  })

  test('is renewed, upgraded, terminated and used while it runs', () => {
    const actions = ['use', 'renew', 'upgrade', 'terminate'] as const
    expect(offeredOf({ status: ORDER.running, actions: [...actions] })).toEqual([...actions])
    expect(whyNoUse({ status: ORDER.running, actions: [...actions] })).toBeUndefined()
  })

  test('is bought again once it has expired', () => {
    expect(offeredOf({ status: ORDER.expired, actions: ['rebuy'] })).toEqual(['rebuy'])
  })

  test('offers to use it in every other state, and says why that cannot be', () => {
    expect(offeredOf({ status: ORDER.created, actions: ['pay', 'cancel'] })).toEqual(['pay', 'use', 'cancel'])
    for (const status of [ORDER.created, ORDER.paid, ORDER.allocationFailed, ORDER.refunded, ORDER.terminated]) {
      expect(offeredOf({ status, actions: [] })).toContain('use')
      expect(whyNoUse({ status, actions: [] })).toBeDefined()
    }
    expect(whyNoUse({ status: ORDER.renewalPending, actions: ['use'] })).toBeUndefined()
    expect(whyNoUse({ status: ORDER.created, actions: ['pay', 'cancel'] })).toBe('unpaid')
    expect(whyNoUse({ status: ORDER.upgradePending, actions: ['pay', 'cancel'] })).toBe('upgradeUnpaid')
    expect(whyNoUse({ status: ORDER.upgradePending, actions: [] })).toBe('making')
    expect(whyNoUse({ status: ORDER.running, actions: [] })).toBe('ending')
  })
})
