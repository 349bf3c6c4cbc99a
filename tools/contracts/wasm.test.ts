import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CONTRACTS, FORMER, hashSources, output, record, sha256 } from './sources.mjs'

const built: { sources: string; sha256: Record<string, string> } = JSON.parse(readFileSync(record, 'utf8'))

it.each(Object.values(CONTRACTS))('%s is the one that was recorded', (file) => {
  expect(sha256(readFileSync(join(output, file)))).toBe(built.sha256[file])
})

it.each(Object.entries(FORMER))('%s, which made blocks, is the same for ever', (file, hash) => {
  expect(sha256(readFileSync(join(output, file)))).toBe(hash)
})

it('the contracts have not changed since: npm run contracts builds them', () => {
  expect(hashSources()).toBe(built.sources)
})
