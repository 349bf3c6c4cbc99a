import { expect, it } from 'vitest'
import { areaName } from './areas.ts'

it('names areas in both languages', () => {
  expect(areaName('HongKong', 'cn')).toBe('香港')
  expect(areaName('HongKong', 'en')).toBe('Hong Kong')
  expect(areaName('Public', 'cn')).toBe('公共')
})

it('writes an area without a name of ours in words', () => {
  for (const lang of ['cn', 'en'] as const) expect(areaName('NewAtlantis', lang)).toBe('New Atlantis')
  expect(areaName('constructor', 'en')).toBe('constructor')
  expect(areaName('', 'en')).toBe('')
})
