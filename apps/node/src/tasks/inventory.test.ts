import { createLogger } from '@tidenet/daemon'
import { describe, expect, it } from 'vitest'
import { compareInventory } from './inventory.ts'

type Parts = Parameters<typeof compareInventory>[0]

/** A node with these contents, for a server that wants none of them and takes this many at a time. */
function holding(count: number, most: number) {
  const held = new Set(Array.from({ length: count }, (_, index) => `cid ${index}`))
  let named = 0
  const link = {
    async call(_: 'inventory', { cids, first }: { cids: string[]; first: boolean }) {
      named = (first ? 0 : named) + cids.length
      if (named > most) throw new Error('too many contents')
      return { unwanted: cids, server_time: 1 }
    },
  }
  const store = { list: () => [...held].map((cid) => ({ cid })), get: () => ({ stored: 0 }) }
  const removals = { remove: async (cid: string) => held.delete(cid) }
  const parts = { link, store, removals, clock: { now: () => 1e12 }, log: createLogger('test', 'silent') }
  return { held, compare: () => compareInventory(parts as unknown as Parts, new AbortController().signal) }
}

describe('an inventory', () => {
  it('deletes what the server does not want', async () => {
    const { held, compare } = holding(7000, 10_000)
    await compare()
    expect(held.size).toBe(0)
  })

  it('that the server takes in part shrinks until it takes all of it', async () => {
    const { held, compare } = holding(22_000, 10_000)
    await expect(compare()).rejects.toThrow('too many contents')
    expect(held.size).toBe(12_000)
    await expect(compare()).rejects.toThrow('too many contents')
    expect(held.size).toBe(2000)
    await compare()
    expect(held.size).toBe(0)
  })
})
