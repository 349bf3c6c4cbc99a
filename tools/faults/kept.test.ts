import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keyOf, openKept } from './kept.mjs'

let folder: string
const fault = { name: 'taxes', promise: 'money', folder: 'src', find: '+', replace: '-', tests: ['src/sum.test.ts'] }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidenet-faults-'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/sum.ts'), 'a + b')
  writeFileSync(join(folder, 'src/sum.test.ts'), 'test')
  writeFileSync(join(folder, 'src/other.ts'), 'other')
})
afterEach(() => rmSync(folder, { recursive: true }))

const kept = () => openKept(join(folder, 'kept.json'))

it('what was caught is known to the next run', () => {
  kept().add('taxes', keyOf(fault, folder))
  expect(kept().has('taxes', keyOf(fault, folder))).toBe(true)
})

it('a change elsewhere does not matter', () => {
  const before = keyOf(fault, folder)
  writeFileSync(join(folder, 'src/other.ts'), 'changed')
  expect(keyOf(fault, folder)).toBe(before)
})

it.each([
  ['the file that is broken', () => writeFileSync(join(folder, 'src/sum.ts'), 'b + a')],
  ['its tests', () => writeFileSync(join(folder, 'src/sum.test.ts'), 'nothing')],
])('a fault is seeded again after a change of %s', (_what, change) => {
  const run = kept()
  run.add('taxes', keyOf(fault, folder))
  change()
  expect(run.has('taxes', keyOf(fault, folder))).toBe(false)
})

it('a fault is seeded again after a change of itself, or if it was never caught', () => {
  const run = kept()
  run.add('taxes', keyOf(fault, folder))
  expect(run.has('taxes', keyOf({ ...fault, replace: '*' }, folder))).toBe(false)
  expect(run.has('fees', keyOf({ ...fault, name: 'fees' }, folder))).toBe(false)
})
