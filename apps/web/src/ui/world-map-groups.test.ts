import { describe, expect, test } from 'vitest'
import { groupPoints, MAX_FANNED, markPositions } from './world-map-groups.ts'

const at = (id: string, lat: number, lng: number) => ({ id, lat, lng, status: 'online' as const })
const hamburg = (count: number) => Array.from({ length: count }, (_, index) => at(`h${index}`, 53.5, 10 + index / 100))

describe('points on the map', () => {
  test('far from each other are separate groups, from west to east', () => {
    const groups = groupPoints([at('tokyo', 35.7, 139.7), at('lima', -12, -77)], 2)
    expect(groups.map(({ id, fan }) => [id, fan])).toEqual([
      ['lima', 0],
      ['tokyo', 0],
    ])
  })

  test('of one place are fanned out, each large enough for touch', () => {
    for (let count = 2; count <= MAX_FANNED; count++) {
      const [group, ...more] = groupPoints(hamburg(count), 2)
      expect(more).toEqual([])
      const spots = markPositions(group!)
      for (const [a, one] of spots.entries())
        for (const other of spots.slice(a + 1))
          expect(Math.hypot(one.x - other.x, one.y - other.y) / 2).toBeGreaterThanOrEqual(23.99)
    }
  })

  test('of one place become one numbered mark when there are many', () => {
    const [group, ...more] = groupPoints(hamburg(MAX_FANNED + 1), 2)
    expect(more).toEqual([])
    expect(group).toMatchObject({ fan: 0 })
    expect(group?.points).toHaveLength(MAX_FANNED + 1)
  })

  test('with a count show their number, even a single one', () => {
    const [germany, ...more] = groupPoints(
      [
        { ...at('germany', 51, 10), count: 12 },
        { ...at('poland', 52, 12), count: 3 },
      ],
      4,
    )
    expect(more).toEqual([])
    expect(germany).toMatchObject({ numbered: true, fan: 0 })
    expect(groupPoints([at('germany', 51, 10)], 4)).toMatchObject([{ numbered: false }])
  })

  test('are grouped on a small map and separate on a large one', () => {
    const cities = [at('berlin', 52.5, 13.4), at('paris', 48.9, 2.35), at('rome', 41.9, 12.5)]
    expect(groupPoints(cities, 6)).toHaveLength(1)
    expect(groupPoints(cities, 0.5)).toHaveLength(3)
  })

  test('may be an empty list', () => {
    expect(groupPoints([], 2)).toEqual([])
  })
})
