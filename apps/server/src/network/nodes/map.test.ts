import { describe, expect, it } from 'vitest'
import { mapPoints, maskIp } from './map.ts'

const node = (id: string, more = {}) => ({
  id,
  kind: 'edge' as const,
  ip: '203.0.113.7',
  area_id: 'Asia-Japan-Tokyo-Tokyo',
  status: 'online' as const,
  latitude: 35.68,
  longitude: 139.69,
  ...more,
})

describe('map points', () => {
  it('carry the city, the kind as a number and no full address', () => {
    expect(mapPoints([node('a')])).toEqual([
      {
        node_id: 'a',
        name: 'Tokyo',
        nodeType: 1,
        ip: '203.xxx.xxx.7',
        area_id: 'Asia-Japan-Tokyo-Tokyo',
        status: 'online',
        value: [35.68, 139.69],
      },
    ])
  })

  it('at the same place are spread around it and never move', () => {
    const nodes = Array.from({ length: 100 }, (_, index) => node(`n${index}`))
    const values = mapPoints(nodes).map((point) => point.value)
    expect(new Set(values.map(String)).size).toBe(100)
    expect(values.every(([lat, lng]) => Math.hypot(lat - 35.68, lng - 139.69) <= 0.41)).toBe(true)
    expect(mapPoints([...nodes].reverse()).map((point) => point.value)).toEqual([...values].reverse())
  })

  it('stay on the globe', () => {
    const poles = Array.from({ length: 50 }, (_, index) => node(`n${index}`, { latitude: 90, longitude: 180 }))
    expect(mapPoints(poles).every(({ value: [lat, lng] }) => lat <= 90 && lng <= 180)).toBe(true)
  })
})

it.each([
  ['203.0.113.7', '203.xxx.xxx.7'],
  ['::ffff:203.0.113.7', '203.xxx.xxx.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:xxxx::6'],
  ['::1', 'xxx'],
  ['', 'xxx'],
])('the address %s is shown as %s', (ip, shown) => {
  expect(maskIp(ip)).toBe(shown)
})
