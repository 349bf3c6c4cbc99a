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
  due_at: at(0),
  held_until: null,
  tries: 0,
}
const running: Partial<OrderRow> = {
  status: 2,
  money: 'held',
  workspace: 'there',
  started_at: at(0),
  pay_until: null,
  start_height: 100,
}
const chainOrder: OnChain = {
  id: 'a',
  initiator: 'tide1',
  start_height: 100,
  duration: 6000,
  locked_funds: 70_000,
  status: 'Active',
}

function step(order: Partial<OrderRow>, view: Partial<View> = {}): StepName | number | undefined {
  const seen: View = {
    now: MINUTE,
    height: 110,
    onChain: order.money === 'held' ? chainOrder : null,
    submitted: false,
    asked: false,
    did: new Set(),
    ...view,
  }
  const next = nextStep({ ...base, ...order }, seen)
  return next.do === 'wait' ? next.until : next.do
}

describe('an order that is not paid', () => {
  it.each<[string, Partial<OrderRow>, Partial<View>, StepName | number | undefined]>([
    ['is looked for on the chain', {}, {}, MINUTE + 10_000],
    ['is looked for sooner once a hash is known', {}, { submitted: true, did: new Set(['checkHash']) }, MINUTE + 3000],
    ['is taken over as soon as the chain shows it', {}, { onChain: chainOrder }, 'takePayment'],
    ['has its hash looked at', {}, { submitted: true }, 'checkHash'],
    ['is withdrawn when its time is over', {}, { now: 5 * MINUTE }, 'withdraw'],
    ['is not while the chain cannot be asked', {}, { now: 5 * MINUTE, onChain: undefined }, 5 * MINUTE + 10_000],
    ['is paid at the last moment rather than withdrawn', {}, { now: 5 * MINUTE, onChain: chainOrder }, 'takePayment'],
    ['is watched after it was withdrawn', { status: 5 }, { now: 6 * MINUTE }, 7 * MINUTE],
    ['is paid after it was withdrawn', { status: 5 }, { now: DAY, onChain: chainOrder }, 'takePayment'],
    ['is forgotten in the end', { status: 5 }, { now: 91 * DAY }, undefined],
  ])('%s', (_, order, view, expected) => {
    expect(step(order, view)).toBe(expected)
  })
})

describe('a paid order', () => {
  it.each<[string, Partial<OrderRow>, StepName]>([
    ['gets its workspace', { status: 1, money: 'held' }, 'provision'],
    ['gets it enlarged after an upgrade', { status: 6, money: 'held', workspace: 'there', replaces: 'b' }, 'provision'],
    ['is given up when the cluster fails too often', { status: 1, money: 'held', tries: 5 }, 'giveUp'],
    ['is cleaned up after that', { status: 4, money: 'held', workspace: 'there', ending: 'failed' }, 'remove'],
    [
      'keeps what an upgrade found',
      { status: 4, money: 'held', workspace: 'there', ending: 'failed', replaces: 'b' },
      'suspend',
    ],
    ['is paid back', { status: 4, money: 'held', workspace: 'gone', ending: 'failed' }, 'release'],
    ['is called so', { status: 4, money: 'settled', workspace: 'gone', ending: 'failed' }, 'finish'],
    ['of the wrong amount is paid back', { status: 5, money: 'held', ending: 'returned' }, 'release'],
  ])('%s', (_, order, expected) => {
    expect(step(order)).toBe(expected)
  })
})

describe('a running order', () => {
  it.each<[string, Partial<OrderRow>, Partial<View>, StepName | number]>([
    ['is compared with the chain now and then', {}, {}, 11 * MINUTE],
    ['is lengthened when the chain shows it', {}, { onChain: { ...chainOrder, duration: 12_000 } }, 'takeExtension'],
    ['is told of an hour before its end', {}, { now: 9 * HOUR }, 'notify'],
    [
      'renews itself an hour before its end',
      { auto_renew: true },
      { now: 9 * HOUR, did: new Set(['notify']) },
      'autoRenew',
    ],
    ['expires by clock and blocks', {}, { now: 10 * HOUR, height: 6100 }, 'expire'],
    ['is taken up again when it was renewed in its last moment', { workspace: 'kept' }, {}, 'provision'],
    ['expires though that never came about', { workspace: 'kept' }, { now: 10 * HOUR, height: 6100 }, 'expire'],
    ['does not expire before its last block', {}, { now: 10 * HOUR, height: 6099 }, 10 * HOUR + 10_000],
    ['ends with the chain’s own end of it', {}, { onChain: { ...chainOrder, replaced_by: 'x' } }, 'endedElsewhere'],
    ['goes on when a renewal was not paid', { status: 7, pay_until: at(MINUTE) }, {}, 'withdrawRenewal'],
    ['waits for its renewal', { status: 7, pay_until: at(2 * MINUTE) }, {}, MINUTE + 3000],
    ['is emptied first when its owner ends it', { ending: 'terminated' }, {}, 'remove'],
    ['is paid back then', { ending: 'terminated', workspace: 'gone' }, {}, 'release'],
    ['is paid back though the cluster is away', { ending: 'terminated' }, { did: new Set(['remove']) }, 'release'],
    ['is called terminated at last', { ending: 'terminated', workspace: 'gone', money: 'settled' }, {}, 'finish'],
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
    ['is stopped', {}, {}, 'suspend'],
    ['has its money settled', { workspace: 'kept' }, {}, 'release'],
    ['is kept', { workspace: 'kept', money: 'settled' }, { now: 11 * HOUR }, 82 * HOUR],
    ['is deleted in the end', { workspace: 'kept', money: 'settled' }, { now: 82 * HOUR }, 'remove'],
    ['is left alone after that', { workspace: 'gone', money: 'settled' }, {}, undefined],
    ['is left alone when another took its workspace', { workspace: 'moved', money: 'settled' }, {}, undefined],
    [
      'runs again when it was renewed in its last moment',
      { workspace: 'kept' },
      { onChain: { ...chainOrder, duration: 12_000 } },
      'takeExtension',
    ],
  ])('%s', (_, order, view, expected) => {
    expect(step({ ...expired, ...order }, view)).toBe(expected)
  })
})
