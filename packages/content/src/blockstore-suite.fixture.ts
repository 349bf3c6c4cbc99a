import { describe, expect, it } from 'vitest'
import type { Blockstore } from './blockstore.ts'
import { type Block, cidText, rawCid, sameBytes } from './cid.ts'
import { countingBytes, refusal } from './seeded.fixture.ts'

/** Tests for any blockstore. `create` returns an empty store for each test; `close` is called after it. */
export function blockstoreSuite(
  name: string,
  create: () => Promise<{ store: Blockstore; close?: () => Promise<void> }>,
): void {
  async function withStore(test: (store: Blockstore) => Promise<void>): Promise<void> {
    const { store, close } = await create()
    try {
      await test(store)
    } finally {
      await close?.()
    }
  }

  async function block(size: number, seed = 0): Promise<Block> {
    const bytes = countingBytes(size, seed)
    return { cid: await rawCid(bytes), bytes }
  }

  async function listed(store: Blockstore): Promise<string[]> {
    const found: string[] = []
    for await (const cid of store.list()) found.push(cidText(cid))
    return found.sort()
  }

  describe(`${name} as a blockstore`, () => {
    it('returns blocks unchanged, from empty to a megabyte', () =>
      withStore(async (store) => {
        const blocks = await Promise.all([0, 1, 1000, 262_144, 1_048_576].map((size) => block(size)))
        for (const each of blocks) await store.put(each)
        for (const { cid, bytes } of blocks) {
          expect(await store.has(cid)).toBe(true)
          expect(sameBytes(await store.get(cid), bytes)).toBe(true)
        }
        expect(await listed(store)).toEqual(blocks.map(({ cid }) => cidText(cid)).sort())
      }))

    it('keeps a block once, also when it is put twice or at the same time', () =>
      withStore(async (store) => {
        const one = await block(100)
        await Promise.all([store.put(one), store.put(one), store.put(one)])
        await store.put(one)
        expect(await listed(store)).toEqual([cidText(one.cid)])
      }))

    it('does not depend on the caller keeping its buffer', () =>
      withStore(async (store) => {
        const one = await block(100)
        await store.put(one)
        one.bytes.fill(0)
        expect(new Uint8Array(await store.get(one.cid))).toEqual(countingBytes(100))
      }))

    it('deletes blocks, and returns whether they existed', () =>
      withStore(async (store) => {
        const [one, other] = [await block(1), await block(2)]
        await store.put(one)
        await store.put(other)
        expect([await store.remove(one.cid), await store.remove(one.cid)]).toEqual([true, false])
        expect(await store.has(one.cid)).toBe(false)
        expect(await listed(store)).toEqual([cidText(other.cid)])
        await store.put(one)
        expect(await store.has(one.cid)).toBe(true)
      }))

    it('throws for a missing block', () =>
      withStore(async (store) => {
        expect(await refusal(store.get((await block(1)).cid))).toBe('not-found')
      }))

    it('refuses bytes that are not the ones of the CID', () =>
      withStore(async (store) => {
        const one = await block(100)
        expect(await refusal(store.put({ cid: one.cid, bytes: countingBytes(100, 1) }))).toBe('mismatch')
        expect(await store.has(one.cid)).toBe(false)
      }))
  })
}
