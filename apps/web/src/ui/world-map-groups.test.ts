import { describe, expect, test } from 'vitest'
import { FANNED, grouped, places } from './world-map-groups.ts'

const at = (id: string, lat: number, lng: number) => ({ id, lat, lng, status: 'online' as const })
const hamburg = (count: number) => Array.from({ length: count }, (_, index) => at(`h${index}`, 53.5, 10 + index / 100))

describe('points on the map', () => {
  test('far from each other stand alone, from west to east', () => {
    const groups = grouped([at('tokyo', 35.7, 139.7), at('lima', -12, -77)], 2)
    expect(groups.map(({ id, fan }) => [id, fan])).toEqual([
      ['lima', 0],
      ['tokyo', 0],
    ])
  })

  test('of one place are fanned out, each with room for a finger', () => {
    for (let count = 2; count <= FANNED; count++) {
      const [group, ...more] = grouped(hamburg(count), 2)
      expect(more).toEqual([])
      const spots = places(group!)
      for (const [a, one] of spots.entries())
        for (const other of spots.slice(a + 1))
          expect(Math.hypot(one.x - other.x, one.y - other.y) / 2).toBeGreaterThanOrEqual(23.99)
    }
  })

  test('of one place become one mark when there are many', () => {
    const [group, ...more] = grouped(hamburg(FANNED + 1), 2)
    expect(more).toEqual([])
    expect(group).toMatchObject({ fan: 0 })
    expect(group?.points).toHaveLength(FANNED + 1)
  })

  test('that count something show their number, even one alone', () => {
    const [germany, ...more] = grouped(
      [
        { ...at('germany', 51, 10), count: 12 },
        { ...at('poland', 52, 12), count: 3 },
      ],
      4,
    )
    expect(more).toEqual([])
    expect(germany).toMatchObject({ numbered: true, fan: 0 })
    expect(grouped([at('germany', 51, 10)], 4)).toMatchObject([{ numbered: false }])
  })

  test('come together on a small map and part on a large one', () => {
    const cities = [at('berlin', 52.5, 13.4), at('paris', 48.9, 2.35), at('rome', 41.9, 12.5)]
    expect(grouped(cities, 6)).toHaveLength(1)
    expect(grouped(cities, 0.5)).toHaveLength(3)
  })

  test('are none when there are none', () => {
    expect(grouped([], 2)).toEqual([])
  })
})
