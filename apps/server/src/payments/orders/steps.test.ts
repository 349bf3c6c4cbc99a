import { describe, expect, it } from 'vitest'
import type { OnChain } from './on-chain.ts'
import type { OrderRow } from './repository.ts'
import { nextStep, type StepName, type View } from './steps.ts'
import { DAY, HOUR } from './times.ts'

const MINUTE = 60_000
const at = (ms: number) => new Date(ms)

const base: OrderRow = {
  seq: 1,
  id: 'a',
  user_id: 1,
  payer: 'tide1',
  lang: 'en',
  cluster: 'distributed',
  cpu: 1,
  ram: 1,
  storage: 40,
  gpus: 0,
  duration: 10,
  bought: 10,
  rate_price: 700,
  rate_hours: 10,
  price: 700,
  status: 0,
  workspace_id: 'a',
  workspace: 'none',
  money: 'none',
  ending: null,
  cancelled: false,
  pay_hash: '',
  release_hash: '',
  release_height: null,
  refund: null,
  refund_receipt_id: null,
  replaces: '',
  replaced_by: '',
  restores: '',
  start_height: 0,
  created_at: at(0),
  updated_at: at(0),
  pay_until: at(5 * MINUTE),
  started_at: null,
  expired_at: at(10 * HOUR),
  kept_until: null,
  auto_renew: false,
  auto_cap: 0,
  auto_spent: 0,
  auto_check_at: null,
  auto_problem: '',
  due_at: at(0),
  leased_until: null,
  tries: 0,
}
const running: Partial<OrderRow> = {
  status: 2,
  money: 'held',
  workspace: 'active',
  started_at: at(0),
  pay_until: null,
  start_height: 100,
}
const chainOrder: OnChain = {
  id: 'a',
  initiator: 'tide1',
  start_height: 100,
  duration: 6000,
  start_time: 60,
  locked: '70000',
  lots: [{ hours: 10, amount: '70000' }],
  status: 'Active',
}

function step(order: Partial<OrderRow>, view: Partial<View> = {}): StepName | number | undefined {
  const full: View = {
    now: MINUTE,
    chainTime: 2 * MINUTE,
    onChain: order.money === 'held' ? chainOrder : null,
    submitted: false,
    requested: false,
    awaited: false,
    done: new Set(),
    ...view,
  }
  const next = nextStep({ ...base, ...order }, full)
  return next.do === 'wait' ? next.until : next.do
}

describe('an unpaid order', () => {
  it.each<[string, Partial<OrderRow>, Partial<View>, StepName | number | undefined]>([
    ['is checked on the chain', {}, {}, MINUTE + 10_000],
    ['is checked sooner once a hash is posted', {}, { submitted: true, done: new Set(['checkHash']) }, MINUTE + 3000],
    ['is confirmed once the contract has it', {}, { onChain: chainOrder }, 'applyPayment'],
    ['has its hash checked', {}, { submitted: true }, 'checkHash'],
    ['is withdrawn at its expiry', {}, { now: 5 * MINUTE }, 'withdraw'],
    [
      'is not withdrawn while the chain is unavailable',
      {},
      { now: 5 * MINUTE, onChain: undefined },
      5 * MINUTE + 10_000,
    ],
    [
      'is confirmed rather than withdrawn if paid just in time',
      {},
      { now: 5 * MINUTE, onChain: chainOrder },
      'applyPayment',
    ],
    ['is checked for a late payment after it was withdrawn', { status: 5 }, { now: 6 * MINUTE }, 7 * MINUTE],
    ['is confirmed if paid after it was withdrawn', { status: 5 }, { now: DAY, onChain: chainOrder }, 'applyPayment'],
    ['is no longer checked after 90 days', { status: 5 }, { now: 91 * DAY }, undefined],
  ])('%s', (_, order, view, expected) => {
    expect(step(order, view)).toBe(expected)
  })
})

describe('a paid order', () => {
  it.each<[string, Partial<OrderRow>, StepName]>([
    ['is provisioned', { status: 1, money: 'held' }, 'provision'],
    ['is resized after an upgrade', { status: 6, money: 'held', workspace: 'active', replaces: 'b' }, 'provision'],
    ['is refunded if the cluster fails too often', { status: 1, money: 'held', tries: 5 }, 'refundUnprovisioned'],
    ['is then cleaned up', { status: 4, money: 'held', workspace: 'active', ending: 'failed' }, 'remove'],
    [
      'keeps the workspace of a failed upgrade',
      { status: 4, money: 'held', workspace: 'active', ending: 'failed', replaces: 'b' },
      'suspend',
    ],
    ['is then refunded', { status: 4, money: 'held', workspace: 'removed', ending: 'failed' }, 'release'],
    ['is then finished', { status: 4, money: 'settled', workspace: 'removed', ending: 'failed' }, 'finish'],
    ['is refunded if the amount is wrong', { status: 5, money: 'held', ending: 'rejected' }, 'release'],
  ])('%s', (_, order, expected) => {
    expect(step(order)).toBe(expected)
  })
})

describe('a running order', () => {
  it.each<[string, Partial<OrderRow>, Partial<View>, StepName | number]>([
    ['is compared with the chain regularly', {}, {}, 11 * MINUTE],
    [
      'is extended if the contract has more hours',
      {},
      { onChain: { ...chainOrder, duration: 12_000 } },
      'applyExtension',
    ],
    ['sends a notice an hour before its end', {}, { now: 9 * HOUR }, 'notify'],
    [
      'is renewed automatically an hour before its end',
      { auto_renew: true },
      { now: 9 * HOUR, done: new Set(['notify']) },
      'autoRenew',
    ],
    ['has its automatic renewal checked', { auto_renew: true }, {}, 'checkAutoRenew'],
    ['does not have it checked while the chain is away', { auto_renew: true }, { chainTime: undefined }, 11 * MINUTE],
    ['has it checked again later', { auto_renew: true, auto_check_at: at(5 * MINUTE) }, {}, 5 * MINUTE],
    ['expires when both clocks say so', {}, { now: 10 * HOUR, chainTime: 10 * HOUR + MINUTE }, 'expire'],
    ['is restored if it was renewed just before it expired', { workspace: 'suspended' }, {}, 'provision'],
    [
      'expires if the restore never succeeded',
      { workspace: 'suspended' },
      { now: 10 * HOUR, chainTime: 10 * HOUR + MINUTE },
      'expire',
    ],
    [
      'does not expire before its last block',
      {},
      { now: 10 * HOUR, chainTime: 10 * HOUR + MINUTE - 6000 },
      10 * HOUR + 10_000,
    ],
    ['ends if the contract ended it', {}, { onChain: { ...chainOrder, replaced_by: 'x' } }, 'applyExternalEnd'],
    ['continues if a renewal was not paid', { status: 7, pay_until: at(MINUTE) }, {}, 'withdrawRenewal'],
    ['waits for its renewal', { status: 7, pay_until: at(2 * MINUTE) }, {}, MINUTE + 3000],
    ['has its workspace removed first if terminated', { ending: 'terminated' }, {}, 'remove'],
    ['is then refunded', { ending: 'terminated', workspace: 'removed' }, {}, 'release'],
    [
      'is refunded even if the cluster is unavailable',
      { ending: 'terminated' },
      { done: new Set(['remove']) },
      'release',
    ],
    ['is then terminated', { ending: 'terminated', workspace: 'removed', money: 'settled' }, {}, 'finish'],
  ])('%s', (_, order, view, expected) => {
    expect(step({ ...running, ...order }, view)).toBe(expected)
  })
})

describe('an expired order', () => {
  const expired: Partial<OrderRow> = {
    ...running,
    status: 3,
    ending: 'expired',
    kept_until: at(82 * HOUR),
  }
  it.each<[string, Partial<OrderRow>, Partial<View>, StepName | number | undefined]>([
    ['has its workspace suspended', {}, {}, 'suspend'],
    ['is then settled', { workspace: 'suspended' }, {}, 'release'],
    [
      'waits until the workspace is removed',
      { workspace: 'suspended', money: 'settled' },
      { now: 11 * HOUR },
      58 * HOUR,
    ],
    ['sends a notice a day before', { workspace: 'suspended', money: 'settled' }, { now: 58 * HOUR }, 'notifyDeletion'],
    [
      'waits for an order that restores it',
      { workspace: 'suspended', money: 'settled' },
      { now: 82 * HOUR, awaited: true },
      82 * HOUR + MINUTE,
    ],
    ['has its workspace removed', { workspace: 'suspended', money: 'settled' }, { now: 82 * HOUR }, 'remove'],
    ['needs nothing more', { workspace: 'removed', money: 'settled' }, {}, undefined],
    [
      'needs nothing if another order took over its workspace',
      { workspace: 'transferred', money: 'settled' },
      {},
      undefined,
    ],
    [
      'runs again if it was renewed just before it expired',
      { workspace: 'suspended' },
      { onChain: { ...chainOrder, duration: 12_000 } },
      'applyExtension',
    ],
  ])('%s', (_, order, view, expected) => {
    expect(step({ ...expired, ...order }, view)).toBe(expected)
  })
})
