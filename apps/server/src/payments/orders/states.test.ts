import { ORDER_STATUSES, type OrderAction, type OrderLabel, type OrderStatus } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { actionsOf, canTransition, type Facts, labelOf, TRANSITIONS } from './states.ts'

const order = (status: OrderStatus, more: Partial<Facts> = {}): Facts => ({
  status,
  workspace: 'none',
  money: 'none',
  ending: null,
  replaced_by: '',
  ...more,
})

describe('labels', () => {
  it.each<[OrderStatus, Partial<Facts>, OrderLabel]>([
    [0, {}, 'created'],
    [1, { money: 'held' }, 'paid'],
    [2, { money: 'held' }, 'running'],
    [3, { money: 'settled' }, 'expired'],
    [3, { money: 'settled', replaced_by: 'b' }, 'replaced'],
    [4, { money: 'held' }, 'failed'],
    [5, {}, 'cancelled'],
    [5, { money: 'settled' }, 'refunded'],
    [6, {}, 'upgrading'],
    [7, { money: 'held' }, 'renewing'],
    [8, { money: 'held' }, 'replacing'],
    [9, { money: 'settled' }, 'terminated'],
  ])('%i with %j: %s', (status, more, label) => {
    expect(labelOf(order(status, more))).toBe(label)
  })
})

describe('its owner may', () => {
  it.each<[OrderStatus, Partial<Facts>, OrderAction[]]>([
    [0, {}, ['pay', 'cancel']],
    [1, { money: 'held' }, []],
    [2, { money: 'held', workspace: 'active' }, ['use', 'renew', 'upgrade', 'terminate']],
    [2, { money: 'held', workspace: 'active', ending: 'terminated' }, []],
    [3, { money: 'settled', workspace: 'suspended' }, ['rebuy']],
    [3, { money: 'settled', workspace: 'transferred', replaced_by: 'b' }, []],
    [4, { money: 'held' }, []],
    [5, {}, []],
    [6, {}, ['pay', 'cancel']],
    [6, { money: 'held', workspace: 'active' }, ['use']],
    [7, { money: 'held', workspace: 'active' }, ['use']],
    [8, { money: 'held', workspace: 'active' }, ['use']],
    [9, { money: 'settled' }, []],
  ])('%i with %j: %j', (status, more, actions) => {
    expect(actionsOf(order(status, more))).toEqual(actions)
  })
})

describe('an order goes', () => {
  it('to another state only, and never back to unpaid', () => {
    for (const from of ORDER_STATUSES) {
      expect(canTransition(from, from)).toBe(false)
      expect(canTransition(from, 0)).toBe(false)
    }
  })

  it('nowhere once it was terminated', () => {
    expect(TRANSITIONS[9]).toEqual([])
  })
})
