import { expect, it } from 'vitest'
import { bytesOf, coresOf } from './quantities.ts'

it.each<[string | undefined, number]>([
  ['2', 2],
  ['500m', 0.5],
  ['1500000000n', 1.5],
  ['0.5', 0.5],
  [undefined, 0],
  ['many', 0],
])('%s is parsed as cores', (text, cores) => expect(coresOf(text)).toBeCloseTo(cores, 9))

it.each<[string | undefined, number]>([
  ['1024', 1024],
  ['64Mi', 64 * 1024 ** 2],
  ['1G', 1e9],
  ['2Ti', 2 * 1024 ** 4],
  ['24000m', 24],
  ['1e3', 1000],
  [undefined, 0],
  ['much', 0],
])('%s is parsed as bytes', (text, bytes) => expect(bytesOf(text)).toBe(bytes))
