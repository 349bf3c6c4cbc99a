import { expect, it } from 'vitest'
import { areaName } from './areas.ts'

it('names areas in both languages', () => {
  expect(areaName('HongKong', 'cn')).toBe('香港')
  expect(areaName('HongKong', 'en')).toBe('Hong Kong')
  expect(areaName('Public', 'cn')).toBe('公共')
})

it('splits the id of an unknown area into words', () => {
  for (const lang of ['cn', 'en'] as const) expect(areaName('NewAtlantis', lang)).toBe('New Atlantis')
  expect(areaName('constructor', 'en')).toBe('constructor')
  expect(areaName('', 'en')).toBe('')
})
