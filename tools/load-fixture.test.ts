import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadFixture } from './load-fixture.mjs'

it('loads a fixture that finds files relative to its source', async () => {
  const { formerChain } = await loadFixture('apps/chain/src/former-chain.fixture.ts')
  const { data } = formerChain('second').config
  expect(existsSync(join(data, 'blocks.jsonl'))).toBe(true)
  rmSync(data, { recursive: true })
})
