import { ORDER } from '@tidenet/contract/order-enums'
import { describe, expect, test } from 'vitest'
import {
  clamp,
  daysAndHours,
  doubled,
  endOf,
  exceeds,
  shownActions,
  unusableReason,
  upgradeCost,
  upgradeProblem,
} from './terms.ts'

const old = { cpu: 2, ram: 4, storage: 80, duration: 24 }

describe('resources', () => {
  test('splits 24 hours or more into days and hours', () => {
    expect(daysAndHours(1)).toEqual({ days: 0, hours: 1 })
    expect(daysAndHours(23)).toEqual({ days: 0, hours: 23 })
    expect(daysAndHours(24)).toEqual({ days: 1, hours: 0 })
    expect(daysAndHours(720)).toEqual({ days: 30, hours: 0 })
    expect(daysAndHours(49)).toEqual({ days: 2, hours: 1 })
  })

  test('clamps values to the bounds and steps', () => {
    expect(clamp('cpu', 0)).toBe(1)
    expect(clamp('cpu', 33)).toBe(32)
    expect(clamp('ram', 999)).toBe(64)
    expect(clamp('storage', 44)).toBe(40)
    expect(clamp('storage', 46)).toBe(50)
    expect(clamp('storage', 9999)).toBe(4000)
    expect(clamp('duration', 721)).toBe(720)
  })

  test('rejects an upgrade to fewer or the same resources', () => {
    expect(upgradeProblem(old, { ...old, cpu: 3 })).toBeUndefined()
    expect(upgradeProblem(old, old)).toBe('same')
    for (const key of ['cpu', 'ram', 'storage', 'duration'] as const)
      expect(upgradeProblem(old, { ...old, cpu: 32, [key]: old[key] - 1 })).toBe('lower')
  })

  test('detects a cost above the balance, even by one unit', () => {
    expect(exceeds(400, '400')).toBe(false)
    expect(exceeds(400, '400.00')).toBe(false)
    expect(exceeds(400, '399.99')).toBe(true)
    expect(exceeds(1, '0')).toBe(true)
  })
})

describe('renewal', () => {
  test('doubles the hours, up to the maximum', () => {
    expect(doubled(10)).toBe(20)
    expect(doubled(400)).toBe(720)
  })
})

test('charges at least the minimum of the contract for an upgrade', () => {
  expect(upgradeCost(1160, { rate: { duration: 10, price: 700 } }, 10)).toBe(1160)
  expect(upgradeCost(47, { rate: { duration: 10, price: 700 } }, 10)).toBe(490)
})

describe('order', () => {
  const order = { status: ORDER.running, updated_at: 'updated', expired_at: 'expires' }
  test('ends at its expiry, or when it was terminated', () => {
    expect(endOf(order)).toBe('expires')
    expect(endOf({ ...order, status: ORDER.terminated })).toBe('updated')
  })

  test('offers use, renew, upgrade and terminate while running', () => {
    const actions = ['use', 'renew', 'upgrade', 'terminate'] as const
    expect(shownActions({ status: ORDER.running, actions: [...actions] })).toEqual([...actions])
    expect(unusableReason({ status: ORDER.running, actions: [...actions] })).toBeUndefined()
  })

  test('offers to buy again after expiry', () => {
    expect(shownActions({ status: ORDER.expired, actions: ['rebuy'] })).toEqual(['rebuy'])
  })

  test('shows the use action in every other state, with the reason why it is disabled', () => {
    expect(shownActions({ status: ORDER.created, actions: ['pay', 'cancel'] })).toEqual(['pay', 'use', 'cancel'])
    for (const status of [ORDER.created, ORDER.paid, ORDER.allocationFailed, ORDER.refunded, ORDER.terminated]) {
      expect(shownActions({ status, actions: [] })).toContain('use')
      expect(unusableReason({ status, actions: [] })).toBeDefined()
    }
    expect(unusableReason({ status: ORDER.renewalPending, actions: ['use'] })).toBeUndefined()
    expect(unusableReason({ status: ORDER.created, actions: ['pay', 'cancel'] })).toBe('unpaid')
    expect(unusableReason({ status: ORDER.upgradePending, actions: ['pay', 'cancel'] })).toBe('upgradeUnpaid')
    expect(unusableReason({ status: ORDER.upgradePending, actions: [] })).toBe('making')
    expect(unusableReason({ status: ORDER.running, actions: [] })).toBe('ending')
  })

  test('offers neither to pay again nor to cancel while the chain confirms a payment', () => {
    const order = { status: ORDER.created, actions: ['pay', 'cancel'] as ('pay' | 'cancel')[] }
    expect(shownActions(order, true)).toEqual(['use'])
    expect(unusableReason(order, true)).toBe('confirming')
    const running = { status: ORDER.running, actions: ['use' as const, 'renew' as const] }
    expect(shownActions(running, true)).toEqual(['use', 'renew'])
    expect(unusableReason(running, true)).toBeUndefined()
  })
})
