import { expect, it } from 'vitest'
import { axisMax } from './scale.ts'

const MiB = 1024 ** 2

it.each([
  [0.4 * MiB, 1024, 500 * 1024],
  [1.2 * MiB, 1024, 2 * MiB],
  [2 * MiB, 1024, 2 * MiB],
  [3 * MiB, 1024, 4 * MiB],
  [999 * MiB, 1024, 1000 * MiB],
  [1010 * MiB, 1024, 1024 * MiB],
  [700, 1024, 1000],
  [1, 1000, 2],
  [2, 1000, 2],
  [5, 1000, 6],
  [37, 1000, 40],
  [1200, 1000, 2000],
] as const)('the axis for %d in units of %d ends at %d', (highest, unit, top) =>
  expect(axisMax(highest, unit)).toBe(top),
)

it.each([0, -1, Number.NaN])('there is no axis for %d', (highest) => expect(axisMax(highest, 1024)).toBe(0))
