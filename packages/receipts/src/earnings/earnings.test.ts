import {
  EARNING_PER_GB_MAX,
  earningsMaxOf,
  REPLICA_TARGET,
  STORAGE_EARNING_PER_GB_MONTH_MAX,
  VIP_DOWNLOAD_TRAFFIC,
  VIP_STORAGE,
} from '@tidenet/contract'
import { describe, expect, it, test } from 'vitest'
import { EARNING_VERSIONS, earningsOf, type NodeHour, versionOfHour } from './index.ts'

const HOUR = Date.UTC(2026, 0, 5, 12) / 1000
const GB = 1_000_000_000
const POINT = 1_000_000
const END = HOUR + 3600

const node = (more: Partial<NodeHour> = {}): NodeHour => ({
  sub: 'owner',
  hour: HOUR,
  trusted: true,
  failed: 0,
  audited: END - 600,
  held: 0,
  online: 3600,
  crowd: 1,
  signed: 0,
  paid_share: 1_000_000,
  ...more,
})
const full = { held: 720 * GB, signed: 3 * GB }
const amounts = (more: Partial<NodeHour>) => {
  const { traffic, storage } = earningsOf(node(more))
  return [traffic, storage]
}

describe('an hour', () => {
  it.each<[string, Partial<NodeHour>, number[]]>([
    ['a signed GB is a point', { signed: GB }, [POINT, 0]],
    ['of signed bytes, parts of a millionth are dropped', { signed: 1999 }, [1, 0]],
    ['720 GB that are held for an hour are a point', { held: 720 * GB }, [0, POINT]],
    ['half an hour online is half of it', { held: 720 * GB, online: 1800 }, [0, POINT / 2]],
    ['a quarter of the bytes is paid', { held: 720 * GB, paid_share: 250_000 }, [0, POINT / 4]],
    ['nobody pays', { ...full, paid_share: 0 }, [3 * POINT, 0]],
    ['two devices at one address', { held: 720 * GB, crowd: 2 }, [0, 363_636]],
    ['three', { held: 720 * GB, crowd: 3 }, [0, 272_727]],
    ['four', { held: 720 * GB, crowd: 4 }, [0, 181_818]],
    ['five', { held: 720 * GB, crowd: 5 }, [0, 90_909]],
    ['eleven', { held: 720 * GB, crowd: 11 }, [0, 90_909]],
    ['a hundred', { held: 720 * GB, crowd: 100 }, [0, 10_000]],
    ['a device that was offline earns by its traffic', { ...full, online: 0 }, [3 * POINT, 0]],
    ['nothing at all', {}, [0, 0]],
  ])('%s', (_, more, earned) => {
    expect(amounts(more)).toEqual(earned)
  })

  it.each<[string, Partial<NodeHour>, string]>([
    ['without an owner', { sub: undefined }, 'owner'],
    ['of a new edge', { trusted: false }, 'standing'],
    ['with a failed audit', { failed: 1 }, 'failed'],
    ['without any passed audit', { audited: 0 }, 'audit'],
    ['whose last passed audit was a day before its end', { audited: END - 24 * 3600 }, 'audit'],
    ['with a passed audit of the future', { audited: END + 1 }, 'audit'],
  ])('%s earns nothing', (_, more, hindrance) => {
    expect(earningsOf(node({ ...full, ...more }))).toMatchObject({ traffic: 0, storage: 0, hindrance })
  })

  it('earns if the last passed audit is just less than a day old', () => {
    expect(earningsOf(node({ ...full, audited: END - 24 * 3600 + 1 }))).toMatchObject({
      traffic: 3 * POINT,
      storage: POINT,
      hindrance: null,
    })
  })
})

describe('for any hour', () => {
  let seed = 14
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  const upTo = (max: number) => Math.floor(random() ** 3 * (max + 1))
  const sample = () =>
    node({
      held: upTo(random() < 0.1 ? Number.MAX_SAFE_INTEGER : 10 ** 14),
      signed: upTo(random() < 0.1 ? Number.MAX_SAFE_INTEGER : 10 ** 13),
      online: upTo(3600),
      crowd: 1 + upTo(40),
      paid_share: upTo(1_000_000),
      failed: random() < 0.1 ? 1 : 0,
    })
  const samples = Array.from({ length: 2000 }, sample)

  test('amounts are whole, never negative, and never above the maxima', () => {
    for (const hour of samples) {
      const { traffic, storage } = earningsOf(hour)
      for (const amount of [traffic, storage]) {
        expect(Number.isSafeInteger(amount)).toBe(true)
        expect(amount).toBeGreaterThanOrEqual(0)
      }
      expect(BigInt(traffic) * BigInt(GB)).toBeLessThanOrEqual(BigInt(hour.signed) * BigInt(EARNING_PER_GB_MAX * POINT))
      expect(BigInt(storage) * BigInt(GB) * 720n).toBeLessThanOrEqual(
        BigInt(hour.held) * BigInt(STORAGE_EARNING_PER_GB_MONTH_MAX * POINT),
      )
    }
  })

  test('who holds, sends or is online more, or is paid more, never earns less', () => {
    for (const hour of samples) {
      const before = earningsOf(hour)
      for (const field of ['held', 'signed', 'online', 'paid_share'] as const) {
        const after = earningsOf({ ...hour, [field]: hour[field] + 1 + upTo(1000) })
        expect(after.traffic).toBeGreaterThanOrEqual(before.traffic)
        expect(after.storage).toBeGreaterThanOrEqual(before.storage)
      }
    }
  })

  test('devices that share an address earn less, and together never more than one with as many bytes', () => {
    let last = Number.POSITIVE_INFINITY
    for (let crowd = 1; crowd <= 200; crowd++) {
      const { storage } = earningsOf(node({ held: 720 * GB, crowd }))
      expect(storage).toBeLessThanOrEqual(last)
      expect(storage * crowd).toBeLessThanOrEqual(POINT)
      last = storage
    }
  })

  test('an hour that is split over two devices earns no more than on one', () => {
    for (const hour of samples) {
      const part = Math.floor(hour.held / 3)
      const [one, other] = [
        earningsOf({ ...hour, held: part, signed: 0 }),
        earningsOf({ ...hour, held: hour.held - part }),
      ]
      expect(one.storage + other.storage).toBeLessThanOrEqual(earningsOf(hour).storage)
    }
  })
})

test('all hours of the longest month, with all copies of what a plan stores, earn at most what the plan is said to earn', () => {
  const { storage } = earningsOf(node({ held: VIP_STORAGE * REPLICA_TARGET }))
  const { traffic } = earningsOf(node({ signed: VIP_DOWNLOAD_TRAFFIC }))
  const most = earningsMaxOf({ storage: VIP_STORAGE, downloadTraffic: VIP_DOWNLOAD_TRAFFIC })
  expect(storage * 31 * 24 + traffic).toBeLessThanOrEqual(most * POINT)
})

describe('versions', () => {
  const next = { version: 2, from: END, earningsOf: () => ({ traffic: 7, storage: 7 }), hindranceOf: () => null }

  it('begin with an hour, and hours before it keep theirs', () => {
    const versions = [...EARNING_VERSIONS, next]
    expect(versionOfHour(HOUR, versions).version).toBe(1)
    expect(versionOfHour(END, versions).version).toBe(2)
    expect(versionOfHour(END + 10 ** 9, versions).version).toBe(2)
  })

  it('are ordered by number and by time', () => {
    for (const [index, { version, from }] of EARNING_VERSIONS.entries()) {
      expect(version).toBe(index + 1)
      expect(from % 3600).toBe(0)
      if (index > 0) expect(from).toBeGreaterThan(EARNING_VERSIONS[index - 1]?.from ?? 0)
    }
  })
})
