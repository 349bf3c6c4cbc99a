import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../build.mjs'
import { faults } from './list.mjs'
import { placesOf } from './place.mjs'

it.each(faults)('the fault $name occurs once, and docs/TESTING.md names its tests', (fault) => {
  expect(placesOf(fault, root)).toHaveLength(1)
  const documented = readFileSync(join(root, 'docs', 'TESTING.md'), 'utf8')
  for (const test of fault.tests) {
    expect(existsSync(join(root, test))).toBe(true)
    expect(documented).toContain(`\`${test}\``)
  }
})

it('every fault has a unique name', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
})
