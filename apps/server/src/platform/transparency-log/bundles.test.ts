import type { Stated } from '@tidenet/receipts'
import { expect, it } from 'vitest'
import { type Entry, findEntry, packBundle, unpackBundle } from './bundles.ts'

const upload = (cid: string, more: object = {}) =>
  ({ kind: 'upload', sub: 'u1', cid, type: 'file', size: 5, ...more }) as Stated

it('keeps entries of all kinds, with their claims in the same order', async () => {
  const entries: Entry[] = [
    { id: 7, iat: 1_700_000_000, claims: upload('bafy1') },
    { id: 3, iat: 1_699_999_999, claims: upload('bafy2', { node: 'c_1', size: Number.MAX_SAFE_INTEGER }) },
    { id: Number.MAX_SAFE_INTEGER, iat: 0, claims: { size: 0, kind: 'upload' } as never },
    {
      id: 0,
      iat: 1,
      claims: { kind: 'earnings', hours: [{ hour: 1, version: 2 }], day: '2026-01-01', sub: 'a,"b' } as never,
    },
    { id: 9, iat: 1, claims: { kind: 'node_hour', trusted: false, node: '' } as never },
  ]
  const bundle = await packBundle(entries)
  expect(JSON.stringify(unpackBundle(bundle))).toBe(JSON.stringify(entries))
  for (const [place, entry] of entries.entries()) expect(findEntry(bundle, entry.id)).toEqual({ ...entry, place })
})

it('reads bundles of the first version, with a part for each column of words', () => {
  const bundle = Buffer.from(
    'AAAAT4uOVsrOzEtR0lEqLk1S0lFKzgSxSyoLUkFCmVWpSrE6aEryi1JSi5R0lBJz80vzSpRiY7nyDHQMufLMdYy48gzNDaBAx5ALBPJMubjyjAEAAAAPKy4tyMlPTNHJL0pJLQIAAAAACCsuNdQpNQIAAAAACCtOSkyrNAQAAAAABytOy8xJBQAAAAAFK843BAA=',
    'base64',
  )
  expect(unpackBundle(bundle)).toEqual([
    { id: 7, iat: 1_700_000_000, claims: upload('bafy1') },
    { id: 9, iat: 1_700_000_001, claims: { kind: 'order', sub: 'u2', order: 'o1', amount: 3 } },
  ])
})
