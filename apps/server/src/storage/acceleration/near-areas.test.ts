import { NEAR_AREAS_MAX, NEAR_COPIES } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { type Accelerated, chooseNearAreas, type NearAsk } from './near-areas.ts'

const content = (more: Partial<Accelerated> = {}): Accelerated => ({
  cid: 'a',
  size: 100,
  allowed: [],
  expected: [],
  owner: '',
  reads: new Map(),
  current: new Set(),
  ...more,
})
/** Every country has nodes, except those in `without`, whose readers are served from elsewhere. */
const ask = (more: Partial<NearAsk> = {}, without: Record<string, string | undefined> = {}): NearAsk => ({
  nearest: (reader, allowed) => {
    const country = reader in without ? without[reader] : reader
    return country !== undefined && (allowed.length === 0 || allowed.includes(country)) ? country : undefined
  },
  limit: 10 ** 9,
  ...more,
})
const choose = (given: Partial<Accelerated>, asked = ask()) => chooseNearAreas([content(given)], asked).get('a') ?? []
const countries = (given: Partial<Accelerated>, asked = ask()) => choose(given, asked).map(({ country }) => country)

describe('copies near readers', () => {
  it('are where the owner expects readers, then where most readers are', () => {
    const reads = new Map([
      ['Japan', 3],
      ['Brazil', 9],
    ])
    expect(countries({ expected: ['France'], reads })).toEqual(['France', 'Brazil', 'Japan'])
  })

  it('are near the owner while nobody has read anything', () => {
    expect(choose({ owner: 'Chile' })).toEqual([{ country: 'Chile', readers: ['Chile'], cause: 'account' }])
    expect(countries({ owner: 'Chile', reads: new Map([['Japan', 2]]) })).toEqual(['Japan'])
  })

  it('serve several countries from one if that is the nearest', () => {
    const reads = new Map([
      ['Japan', 5],
      ['SouthKorea', 4],
    ])
    expect(choose({ reads }, ask({}, { SouthKorea: 'Japan' }))).toEqual([
      { country: 'Japan', readers: ['Japan', 'SouthKorea'], cause: 'reads' },
    ])
  })

  it('stay where readers become few, and leave when these are gone', () => {
    const few = new Map([['Japan', 0.5]])
    expect(countries({ reads: few })).toEqual([])
    expect(countries({ reads: few, current: new Set(['Japan']) })).toEqual(['Japan'])
    expect(countries({ reads: new Map([['Japan', 0.1]]), current: new Set(['Japan']) })).toEqual([])
  })

  it('are nowhere if no node is near, or only outside the areas that the owner allows', () => {
    expect(countries({ expected: ['Chile'] }, ask({}, { Chile: undefined }))).toEqual([])
    expect(countries({ expected: ['Chile', 'France'], allowed: ['France'] })).toEqual(['France'])
  })

  it('are in a limited number of areas, however many readers come from others', () => {
    const reads = new Map(Array.from({ length: 50 }, (_, index) => [`country ${index}`, 100 - index]))
    expect(countries({ reads })).toHaveLength(NEAR_AREAS_MAX)
  })

  it('need no more bytes than an account may have: contents with the most readers come first', () => {
    const contents = [
      content({ cid: 'quiet', reads: new Map([['Japan', 2]]) }),
      content({ cid: 'busy', reads: new Map([['Japan', 20]]) }),
    ]
    const chosen = chooseNearAreas(contents, ask({ limit: 150 * NEAR_COPIES }))
    expect(chosen.get('busy')).toHaveLength(1)
    expect(chosen.get('quiet')).toHaveLength(0)
  })
})
