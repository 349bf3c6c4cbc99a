import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkLeaves, type ExpectedLeaf, type LeafChecker } from './leaf-checker.ts'
import { createLeafThreads } from './leaf-threads.node.ts'

// Worker threads run the compiled file.
const built = new URL('../../dist/platform/leaf-threads.node.js', import.meta.url)
const { leafThreads } = (await import(built.href)) as typeof import('./leaf-threads.node.ts')
const threads = leafThreads(1 << 30)!

/** A piece of leaves; the last one is shorter. */
function piece(make: (size: number) => ArrayBufferLike): { bytes: Uint8Array; leaves: ExpectedLeaf[] } {
  const sizes = [4096, 4096, 4096, 100]
  const bytes = new Uint8Array(make(sizes.reduce((total, size) => total + size, 0)))
  bytes.set(randomBytes(bytes.length))
  let at = 0
  const leaves = sizes.map((size) => {
    const digest = new Uint8Array(
      createHash('sha256')
        .update(bytes.subarray(at, at + size))
        .digest(),
    )
    at += size
    return { size, digest }
  })
  return { bytes, leaves }
}

const checkers: [string, LeafChecker, (size: number) => ArrayBufferLike][] = [
  ['in threads', threads.checker, threads.make],
  ['in place', checkLeaves, (size) => new ArrayBuffer(size)],
]

for (const [where, checker, make] of checkers) {
  test(`all leaves of a whole piece are good, ${where}`, async () => {
    const { bytes, leaves } = piece(make)
    expect(await checker(bytes, leaves)).toBe(4)
    expect(await checker(bytes, [])).toBe(0)
  })

  test(`many pieces are checked concurrently, ${where}`, async () => {
    const pieces = Array.from({ length: 50 }, () => piece(make))
    pieces[17]!.bytes[0]! ^= 1
    const good = await Promise.all(pieces.map(({ bytes, leaves }) => checker(bytes, leaves)))
    expect(good).toEqual(pieces.map((_, index) => (index === 17 ? 0 : 4)))
  })

  test(`a leaf with a flipped bit and all after it are rejected, ${where}`, async () => {
    const { bytes, leaves } = piece(make)
    bytes[2 * 4096 + 7]! ^= 1
    expect(await checker(bytes, leaves)).toBe(2)
  })
}

const unable: [string, URL][] = [
  ['has no file', new URL('./nothing-is-here.js', import.meta.url)],
  ['ends before it begins', new URL('data:text/javascript,process.exit(1)')],
  [
    'ends at its first question',
    new URL(
      'data:text/javascript,import{parentPort}from"node:worker_threads";parentPort.on("message",()=>process.exit(1))',
    ),
  ],
]

test.each(unable)('if a thread %s, every leaf is still checked, now and later', async (_, file) => {
  const make = createLeafThreads(file)
  const { checker, make: memory } = make(1 << 30)!
  const pieces = Array.from({ length: 10 }, () => piece(memory))
  pieces[3]!.bytes[4096]! ^= 1
  const good = await Promise.all(pieces.map(({ bytes, leaves }) => checker(bytes, leaves)))
  expect(good).toEqual(pieces.map((_, index) => (index === 3 ? 1 : 4)))
  const { bytes, leaves } = piece(memory)
  expect(await checker(bytes, leaves)).toBe(4)
  bytes[0]! ^= 1
  expect(await checker(bytes, leaves)).toBe(0)
  expect(make(1 << 30)).toBeUndefined()
})

test('a small file uses no thread', () => {
  expect(leafThreads(1 << 20)).toBeUndefined()
})
