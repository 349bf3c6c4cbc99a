import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { faults } from './fault-list.mjs'
import { folder } from './sources.mjs'

it.each(faults)('the code that the fault $name replaces occurs once', ({ file, find, replace }) => {
  const source = readFileSync(join(folder, 'orders', 'src', file), 'utf8')
  expect(source.split(find)).toHaveLength(2)
  expect(replace).not.toBe(find)
})

it('every fault has a unique name', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
})
