import { describe, expect, it } from 'vitest'
import { crowdFactor, estimateMonth, versionAt } from './estimate.ts'

const AT = Date.UTC(2026, 0, 5) / 1000 + 1234
const POINT = 1_000_000
const always = { held: 0, servedPerDay: 0, online: 1, paid: 1, crowd: 1 }

describe('the estimate of a month', () => {
  it('is a point per GB held and a point per GB served', () => {
    const { storage, traffic } = estimateMonth({ ...always, held: 720, servedPerDay: 2 }, AT)
    expect(storage).toBe(720 * POINT)
    expect(traffic).toBe(60 * POINT)
  })

  it('of storage falls with the time online, the paid share and devices at the address; of traffic it does not', () => {
    const full = estimateMonth({ ...always, held: 720, servedPerDay: 1 }, AT)
    for (const less of [{ online: 0.5 }, { paid: 0.5 }, { crowd: 2 }]) {
      const { storage, traffic } = estimateMonth({ ...always, held: 720, servedPerDay: 1, ...less }, AT)
      expect(storage).toBeLessThanOrEqual(full.storage / 2)
      expect(traffic).toBe(full.traffic)
    }
  })

  it('of nothing is nothing', () => {
    for (const none of [{ online: 0 }, { paid: 0 }, { held: 0 }])
      expect(estimateMonth({ ...always, held: 100, ...none }, AT)).toEqual({ storage: 0, traffic: 0 })
  })
})

it('devices at one address never get more together than one', () => {
  expect(crowdFactor(1, AT)).toBe(1)
  for (let crowd = 2; crowd <= 40; crowd++) expect(crowdFactor(crowd, AT) * crowd).toBeLessThanOrEqual(1.0001)
})

it('names the version of the formula', () => expect(versionAt(AT)).toBe(1))
