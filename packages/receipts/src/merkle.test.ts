import { describe, expect, it } from 'vitest'
import { toHex } from './bytes.ts'
import { hashLeaf, isConsistent, rootOfInclusion } from './merkle.ts'
import { consistencyOf, inclusionOf, rootOf } from './network.fixture.ts'

/** The tree that implementations of Certificate Transparency test with. */
const KNOWN = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const leaves = (size: number) => Array.from({ length: size }, (_, at) => hashLeaf(Uint8Array.of(at, at >> 8)))
const changed = (hashes: readonly Uint8Array[], at: number) =>
  hashes.map((hash, each) => (each === at ? hash.map((byte) => byte ^ 1) : hash))

describe('the tree', () => {
  it('is the one of RFC 6962 and RFC 9162', () => {
    const known = KNOWN.map((hex) => hashLeaf(Buffer.from(hex, 'hex')))
    expect(ROOTS.map((_, at) => toHex(rootOf(known.slice(0, at + 1))))).toEqual(ROOTS)
  })
})

describe('an inclusion proof', () => {
  it('leads from every leaf of every tree to its root', () => {
    for (let size = 1; size <= 40; size++)
      for (let index = 0; index < size; index++) {
        const all = leaves(size)
        expect(rootOfInclusion(all[index]!, index, size, inclusionOf(all, index))).toEqual(rootOf(all))
      }
  })

  it('has one hash per level, also in trees with more leaves than 32 bits', () => {
    const hashes = leaves(50)
    expect(rootOfInclusion(hashes[0]!, 0, 2 ** 50, hashes)).toBeDefined()
    expect(rootOfInclusion(hashes[0]!, 2 ** 50 - 1, 2 ** 50, hashes)).toBeDefined()
    expect(rootOfInclusion(hashes[0]!, 0, 2 ** 50, hashes.slice(1))).toBeUndefined()
    expect(rootOfInclusion(hashes[0]!, 2 ** 50, 2 ** 50 + 1, hashes.slice(0, 1))).toBeDefined()
  })

  it('leads nowhere if a hash is missing, added or changed, or with another index or size', () => {
    for (let size = 1; size <= 20; size++)
      for (let index = 0; index < size; index++) {
        const all = leaves(size)
        const proof = inclusionOf(all, index)
        const isAccepted = (hashes: readonly Uint8Array[], at = index, of = size, leaf = all[index]!) => {
          const root = rootOfInclusion(leaf, at, of, hashes)
          return root !== undefined && toHex(root) === toHex(rootOf(all))
        }
        expect(isAccepted([...proof, all[0]!])).toBe(false)
        expect(isAccepted(proof, size)).toBe(false)
        expect(isAccepted(proof, index, size, hashLeaf(Uint8Array.of(9, 9, 9)))).toBe(false)
        for (let other = 0; other < size; other++) if (other !== index) expect(isAccepted(proof, other)).toBe(false)
        for (let at = 0; at < proof.length; at++) {
          expect(isAccepted(changed(proof, at))).toBe(false)
          expect(isAccepted(proof.toSpliced(at, 1))).toBe(false)
        }
      }
  })
})

describe('a consistency proof', () => {
  it('holds for every pair of sizes', () => {
    for (let size = 1; size <= 24; size++)
      for (let earlier = 0; earlier <= size; earlier++) {
        const all = leaves(size)
        const proof = earlier === 0 ? [] : consistencyOf(all, earlier)
        const old = { size: earlier, root: rootOf(all.slice(0, earlier)) }
        expect(isConsistent(old, { size, root: rootOf(all) }, proof)).toBe(true)
      }
  })

  it('does not hold for a log that was rewritten, nor with a wrong proof', () => {
    for (let size = 2; size <= 16; size++)
      for (let earlier = 1; earlier < size; earlier++) {
        const all = leaves(size)
        const [proof, now] = [consistencyOf(all, earlier), { size, root: rootOf(all) }]
        const old = { size: earlier, root: rootOf(all.slice(0, earlier)) }
        const rewritten = { size: earlier, root: rootOf(changed(all, 0).slice(0, earlier)) }
        expect(isConsistent(rewritten, now, proof)).toBe(false)
        expect(isConsistent(now, old, proof)).toBe(false)
        expect(isConsistent(old, now, [...proof, all[0]!])).toBe(false)
        expect(isConsistent(old, now, proof.slice(1))).toBe(false)
        for (let at = 0; at < proof.length; at++) expect(isConsistent(old, now, changed(proof, at))).toBe(false)
      }
    const [only] = leaves(1)
    expect(isConsistent({ size: 1, root: only! }, { size: 1, root: hashLeaf(only!) }, [])).toBe(false)
    expect(isConsistent({ size: 1, root: only! }, { size: 1, root: only! }, [only!])).toBe(false)
  })
})
