import { AREA_ID, UNKNOWN_AREA } from '@tidenet/contract'
import { chineseArea } from '@tidenet/contract/areas-chinese'
import { describe, expect, it } from 'vitest'
import { countryOfArea, readAreas } from '../../platform/areas.ts'
import { countryOfAddress } from './address-countries.ts'
import { areaOfCountry, countries } from './countries.ts'
import { placeInCountry } from './country-places.ts'
import { areaOf } from './node-areas.ts'

describe('the area of a node', () => {
  const evidence = {
    assigned: null,
    located: undefined,
    declared: 'Asia-Singapore-Singapore-Singapore',
    trusting: false,
  }

  it('is what an operator says, whatever else is known', () => {
    const assigned = 'Europe-Germany-Hesse-Frankfurt'
    expect(areaOf({ ...evidence, assigned, located: 'France', trusting: true })).toBe(assigned)
  })

  it('is the country of its address; its city counts only if its country is right', () => {
    expect(areaOf({ ...evidence, located: 'Germany' })).toBe('Europe-Germany-Germany-Germany')
    expect(areaOf({ ...evidence, located: 'Germany', declared: 'Europe-Germany-Hesse-Frankfurt' })).toBe(
      'Europe-Germany-Hesse-Frankfurt',
    )
  })

  it('is what it says only where that is trusted, and otherwise unknown', () => {
    expect(areaOf({ ...evidence, trusting: true })).toBe(evidence.declared)
    expect(areaOf(evidence)).toBe(UNKNOWN_AREA)
  })

  it('cannot be chosen for files if it is unknown', () => {
    expect(readAreas(['Unknown'])).not.toContain(countryOfArea(UNKNOWN_AREA))
    expect(readAreas([UNKNOWN_AREA])).toHaveLength(1)
    expect(readAreas(['Public', 'Unknown'])).toEqual([])
  })
})

describe('the country of an address', () => {
  it.each([
    ['of IPv4', '193.99.144.80', 'Germany'],
    ['of IPv6', '2400:3200::1', 'China'],
    ['of IPv4 written as IPv6', '::ffff:114.114.114.114', 'China'],
    ['with a zone', '2001:4860:4860::8888%eth0', 'UnitedStates'],
  ])('%s is found', async (_, ip, country) => {
    expect(await countryOfAddress('', ip)).toBe(country)
  })

  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback of IPv6', '::1'],
    ['loopback written as IPv6', '::ffff:127.0.0.1'],
    ['a private network', '10.1.2.3'],
    ['a private network of IPv6', 'fd00::1'],
    ['a network behind the NAT of a provider', '100.64.0.9'],
    ['a translation of IPv4', '64:ff9b::193.99.144.80'],
    ['a tunnel', '2002:c163:9050::1'],
    ['a documentation network', '203.0.113.7'],
    ['nothing', ''],
    ['a name', 'localhost'],
  ])('is unknown for %s', async (_, ip) => {
    expect(await countryOfAddress('', ip)).toBeUndefined()
  })

  it('is an error, not unknown, if the database cannot be read', async () => {
    await expect(countryOfAddress('/nowhere/countries.mmdb', '193.99.144.80')).rejects.toThrow()
  })
})

it('every country has one area id, a place, and names in both languages', () => {
  const names = countries()
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) {
    expect(areaOfCountry(name)).toMatch(AREA_ID)
    expect(placeInCountry(name), name).toSatisfy(
      (place) => Math.abs(place?.[0] ?? 99) <= 90 && Math.abs(place?.[1] ?? 999) <= 180,
    )
    expect(chineseArea(name), name).toMatch(/^\p{sc=Han}/u)
  }
})
