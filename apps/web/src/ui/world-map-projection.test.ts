import { geoDistance, geoEqualEarth } from 'd3-geo'
import { describe, expect, test } from 'vitest'
import { greatCircle, MAP, project } from './world-map-projection.ts'

const reference = geoEqualEarth()
  .rotate([-11, 0])
  .scale(MAP.scale)
  .translate([MAP.width / 2, MAP.top])

const places = [
  { lat: 0, lng: 0 },
  { lat: 50.1109, lng: 8.6821 },
  { lat: 22.3193, lng: 114.1694 },
  { lat: 34.0522, lng: -118.2437 },
  { lat: -54.8, lng: -68.3 },
  { lat: 71.3, lng: -156.8 },
  { lat: -41.3, lng: 174.8 },
  { lat: 64.7, lng: 177.5 },
]

describe('a projected place', () => {
  test.each(places)('is where d3-geo projects it: $lat, $lng', ({ lat, lng }) => {
    const [x, y] = reference([lng, lat]) as [number, number]
    expect(project({ lat, lng }).x).toBeCloseTo(x, 3)
    expect(project({ lat, lng }).y).toBeCloseTo(y, 3)
  })

  test('is the same at longitudes 360° apart', () => {
    expect(project({ lat: 10, lng: 20 + 360 }).x).toBeCloseTo(project({ lat: 10, lng: 20 }).x, 6)
  })

  test('is within the map at all inhabited latitudes', () => {
    for (const lat of [-55, 0, 83])
      for (let lng = -180; lng < 180; lng += 15) {
        const { x, y } = project({ lat, lng })
        expect(x).toBeGreaterThanOrEqual(0)
        expect(x).toBeLessThanOrEqual(MAP.width)
        expect(y).toBeGreaterThanOrEqual(0)
        expect(y).toBeLessThanOrEqual(MAP.height)
      }
  })
})

describe('the great circle between two places', () => {
  const pieces = (path: string) => path.split('M').length - 1

  test('starts at one and ends at the other', () => {
    const [from, to] = [places[1]!, places[2]!]
    const path = greatCircle(from, to)
    const ends = [project(from), project(to)].map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)
    expect(path.startsWith(`M${ends[0]}`)).toBe(true)
    expect(path.endsWith(`L${ends[1]}`)).toBe(true)
  })

  test('is the shortest over the globe: from Frankfurt to Los Angeles it passes Greenland', () => {
    const path = greatCircle(places[1]!, places[3]!)
    const highest = Math.min(...[...path.matchAll(/[ML][-\d.]+ ([-\d.]+)/g)].map(([, y]) => Number(y)))
    const [, y] = reference([-40, 60]) as [number, number]
    expect(highest).toBeLessThan(y)
    expect(geoDistance([8.7, 50.1], [-118.2, 34.1])).toBeLessThan(Math.PI / 2)
  })

  test('is split at the edge of the map across the Pacific', () => {
    expect(pieces(greatCircle({ lat: 35.7, lng: 139.7 }, { lat: 34.05, lng: -118.2 }))).toBe(2)
    expect(pieces(greatCircle(places[1]!, places[2]!))).toBe(1)
  })

  test('contains no NaN for equal places', () => {
    expect(greatCircle(places[1]!, places[1]!)).not.toContain('NaN')
  })
})
