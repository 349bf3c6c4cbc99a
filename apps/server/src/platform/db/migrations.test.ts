import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Never released, and never used again: databases that are upgraded would run it after later ones. */
const GAPS = [22]

it('the numbers of migrations have no gaps, so that every database runs them in the same order', () => {
  const numbers = readdirSync(join(import.meta.dirname, 'migrations')).map((name) => Number(name.slice(0, 4)))
  const expected = Array.from({ length: Math.max(...numbers) }, (_, index) => index + 1)
  expect(numbers.sort((a, b) => a - b)).toEqual(expected.filter((number) => !GAPS.includes(number)))
})
