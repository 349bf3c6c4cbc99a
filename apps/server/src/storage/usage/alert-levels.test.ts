import { expect, it } from 'vitest'
import { levelOf } from './alert-levels.ts'

it.each<[string, { told: number; used: number; quota?: number; level: number }]>([
  ['below 80 %', { told: 0, used: 79, level: 0 }],
  ['at 80 %', { told: 0, used: 80, level: 80 }],
  ['above 80 %, told', { told: 80, used: 99, level: 80 }],
  ['at 100 %, told of 80 %', { told: 80, used: 100, level: 100 }],
  ['far above at once', { told: 0, used: 250, level: 100 }],
  ['a little below what was told', { told: 100, used: 96, level: 100 }],
  ['below 100 %, not told of it', { told: 80, used: 96, level: 80 }],
  ['clearly below 100 %', { told: 100, used: 94, level: 80 }],
  ['a little below 80 %', { told: 80, used: 76, level: 80 }],
  ['clearly below 80 %', { told: 80, used: 74, level: 0 }],
  ['far below what was told', { told: 100, used: 1, level: 0 }],
  ['without a quota', { told: 80, used: 1, quota: 0, level: 0 }],
])('%s', (_, { told, used, quota = 100, level }) => {
  expect(levelOf(told, used, quota)).toBe(level)
})
