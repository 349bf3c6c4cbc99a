import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCar } from './car.ts'
import { cidText, sameBytes } from './cid.ts'
import { type FolderEntry, planFolder } from './folder.ts'
import { importFolder } from './oracle.fixture.ts'
import { countingBytes, gather, randomPieces, refusal, seededRandom } from './seeded.fixture.ts'

type Files = [path: string, bytes: Uint8Array][]

function entry(path: string, bytes: Uint8Array, onOpen: () => void = () => {}): FolderEntry {
  return {
    path,
    size: bytes.length,
    async *open() {
      onOpen()
      yield* randomPieces(bytes, 100_000, seededRandom(bytes.length))
    },
  }
}

const entries = (files: Files) => files.map(([path, bytes]) => entry(path, bytes))

async function readBlocks(bytes: Uint8Array) {
  const { roots, blocks } = readCar(
    (async function* () {
      yield bytes
    })(),
  )
  const found: { cid: string; bytes: Uint8Array }[] = []
  for await (const { cid, bytes } of blocks) found.push({ cid: cidText(cid), bytes })
  return { roots: (await roots).map(cidText), found }
}

/** Compares the root, every block and every size with another implementation. */
async function expectSame(files: Files, shardAbove?: number) {
  const theirs = await importFolder(files, { shardAbove })
  const plan = await planFolder(entries(files))
  expect(cidText(plan.root)).toBe(theirs.cid.toString())
  const car = await gather(plan.car())
  expect(plan.carSize).toBe(car.length)
  const { roots, found } = await readBlocks(car)
  expect(roots).toEqual([cidText(plan.root)])
  expect(found[0]?.cid).toBe(cidText(plan.root))
  expect(new Set(found.map((block) => block.cid))).toEqual(new Set(theirs.blocks.keys()))
  return { plan, car, found }
}

const NAMES = [
  'a',
  'b.txt',
  'ünïcode',
  '文件',
  '🚀',
  'A',
  'zz',
  '~',
  ' ',
  '\u00e9',
  'e\u0301',
  '～',
  '𝒳',
  '__proto__',
  'constructor',
]

describe('a folder', () => {
  it('agrees with the importer for 120 random trees', async () => {
    const random = seededRandom(11)
    const pick = () => NAMES[Math.floor(random() * NAMES.length)]!
    for (let round = 0; round < 120; round++) {
      const files = new Map<string, Uint8Array>()
      for (let count = Math.floor(random() * 12); count >= 0; count--) {
        // Depth in the names prevents a name from being both file and folder.
        const depth = Math.floor(random() * 4)
        const path = [...Array.from({ length: depth }, (_, at) => `${pick()}${at}d`), pick()].join('/')
        files.set(path, countingBytes(Math.floor(random() ** 4 * 600_000), round))
      }
      await expectSame([...files])
    }
  })

  it('agrees with the vectors', async () => {
    const vectors = JSON.parse(readFileSync(new URL('../../../test/vectors/content.json', import.meta.url), 'utf8'))
    for (const { name, cid, entries: listed, generated } of vectors.folders) {
      const files: { path: string; size: number; seed?: number }[] =
        listed ??
        Array.from({ length: generated.count }, (_, at) => ({
          path: generated.path.replace('{i}', String(at)),
          size: generated.size,
          seed: generated.seed === 'i' ? at % 256 : generated.seed,
        }))
      const plan = await planFolder(files.map(({ path, size, seed }) => entry(path, countingBytes(size, seed))))
      expect([name, cidText(plan.root)]).toEqual([name, cid])
    }
  })

  it('is one block at 1000 entries and sharded at 1001', async () => {
    const files = (count: number): Files =>
      Array.from({ length: count }, (_, at) => [`file-${at}`, countingBytes(3, at)])
    const flat = await expectSame(files(1000))
    const sharded = await expectSame(files(1001), 0)
    expect(flat.plan.root.code).toBe(0x70)
    expect(flat.found[1]!.cid).toMatch(/^bafkrei/)
    expect(sharded.found.filter((block) => block.cid.startsWith('bafybei')).length).toBeGreaterThan(100)
  })

  it('is sharded when its names and CIDs take more than 262144 bytes', async () => {
    for (const count of [885, 886]) {
      const files: Files = Array.from({ length: count }, (_, at) => [
        `${'n'.repeat(256)}${String(at).padStart(4, '0')}`,
        countingBytes(1, at),
      ])
      const { found } = await expectSame(files)
      const nodes = found.filter((block) => block.cid.startsWith('bafybei')).length
      expect(nodes > 1).toBe(count * (260 + 36) > 262_144)
    }
  })

  it('agrees on deep shards, whose entries are folders and large files too', async () => {
    const files: Files = []
    for (let at = 0; at < 3000; at++) files.push([`${at % 2}-${at}`, countingBytes(at % 50 === 0 ? 300_000 : 2, at)])
    await expectSame(files, 0)
  })

  it('contains a large file between small ones, with blocks in order', async () => {
    const large = countingBytes(174 * 262_144 + 300_000)
    const { found } = await expectSame([
      ['a', countingBytes(1)],
      ['large', large],
      ['z', countingBytes(2)],
    ])
    const leaves = found.filter((block) => block.cid.startsWith('bafkrei')).map((block) => block.bytes)
    expect(sameBytes(await gather(leaves), await gather([countingBytes(1), large, countingBytes(2)]))).toBe(true)
  })

  it('may be empty and contain empty folders', async () => {
    const empty = await planFolder([])
    expect(cidText(empty.root)).toBe('bafybeiczsscdsbs7ffqz55asqdf3smv6klcw3gofszvwlyarci47bgf354')
    expect(empty).toMatchObject({ files: 0, folders: 0, contentSize: 0 })
    const { plan } = await expectSame([
      ['x/', new Uint8Array(0)],
      ['y/z/', new Uint8Array(0)],
      ['y/f', countingBytes(4)],
    ])
    expect(plan).toMatchObject({ files: 1, folders: 3, contentSize: 4 })
  })

  it('writes repeated content once', async () => {
    const bytes = countingBytes(300_000)
    const opened: string[] = []
    const paths = ['a/one', 'a/two', 'b/one', 'b/two']
    const plan = await planFolder(paths.map((path) => entry(path, bytes, () => opened.push(path))))
    expect(plan.carSize).toBeLessThan(310_000)
    expect(plan.contentSize).toBe(1_200_000)
    opened.length = 0
    await gather(plan.car())
    expect(opened).toEqual(['a/one'])
  })

  it('does not depend on the order in which entries come', async () => {
    const files: Files = NAMES.map((name, at) => [name, countingBytes(at)])
    const plan = await planFolder(entries(files))
    const reversed = await planFolder(entries(files.toReversed()))
    expect(cidText(reversed.root)).toBe(cidText(plan.root))
    expect(await gather(reversed.car())).toEqual(await gather(plan.car()))
  })

  it('can be sent from any byte, without opening earlier files', async () => {
    const opened: string[] = []
    const files = Array.from({ length: 8 }, (_, at) =>
      entry(`f${at}`, countingBytes(at * 100_000, at), () => opened.push(`f${at}`)),
    )
    const plan = await planFolder(files)
    const car = await gather(plan.car())
    const random = seededRandom(3)
    const starts = Array.from({ length: 60 }, () => Math.floor(random() * car.length))
    for (const start of [0, 1, car.length - 1, car.length, ...starts]) {
      expect(sameBytes(await gather(plan.car({ start })), car.subarray(start))).toBe(true)
    }
    opened.length = 0
    await gather(plan.car({ start: car.length - 10 }))
    expect(opened).toEqual(['f7'])
  })

  it('reads web streams, and closes them when it stops early', async () => {
    let cancelled = 0
    const bytes = countingBytes(600_000)
    const file: FolderEntry = {
      path: 'f',
      size: bytes.length,
      open() {
        let at = 0
        return new ReadableStream({
          pull(controller) {
            if (at >= bytes.length) return controller.close()
            controller.enqueue(bytes.subarray(at, at + 65_536))
            at += 65_536
          },
          cancel() {
            cancelled++
          },
        })
      },
    }
    const plan = await planFolder([file])
    expect(cidText(plan.root)).toBe((await importFolder([['f', bytes]])).cid.toString())
    let seen = 0
    for await (const piece of plan.car()) {
      seen += piece.length
      if (seen > 200_000) break
    }
    expect(cancelled).toBe(1)
  })

  it('reports progress', async () => {
    const seen: number[] = []
    await planFolder(entries([['a', countingBytes(300_000)]]), { onProgress: ({ bytes }) => seen.push(bytes) })
    expect(seen.at(-1)).toBe(300_000)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })
})

describe('a folder is refused', () => {
  const paths: [string, string[]][] = [
    ['that leads outside', ['../a']],
    ['that leads outside from within', ['a/../../b']],
    ['with a dot', ['./a']],
    ['that is absolute', ['/etc/passwd']],
    ['with an empty segment', ['a//b']],
    ['that is empty', ['']],
    ['that is a slash', ['/']],
    ['with a NUL', ['a\0b']],
    ['with half a letter', ['a\ud800']],
    ['that occurs twice', ['a/b', 'a/b']],
    ['of a file that is also a folder', ['a', 'a/b']],
    ['of a folder that is also a file', ['a/b', 'a']],
    ['of an empty folder that is also a file', ['a/', 'a']],
    ['of a file that is also an empty folder', ['a', 'a/']],
    ['that is too deep', ['a/'.repeat(300)]],
    ['with a name that is too long', ['a'.repeat(2000)]],
  ]
  it.each(paths)('for a path %s', async (_what, given) => {
    const files = given.map((path) => entry(path, countingBytes(1)))
    expect(await refusal(planFolder(files))).toBe('bad-path')
  })

  it('when a file does not have the announced size', async () => {
    for (const size of [0, 99, 101]) {
      expect(await refusal(planFolder([{ ...entry('a', countingBytes(100)), size }]))).toBe('changed')
    }
  })

  it('when a file is endless', async () => {
    const endless: FolderEntry = {
      path: 'a',
      size: 100,
      async *open() {
        for (;;) yield new Uint8Array(60)
      },
    }
    expect(await refusal(planFolder([endless]))).toBe('changed')
  })

  it('when a file changed between the two passes', async () => {
    const before = countingBytes(600_000)
    const edited = before.slice()
    edited[500_000]! ^= 1
    const later = [edited, before.subarray(0, 599_999), countingBytes(600_001), new Uint8Array(0)]
    for (const bytes of later) {
      let content = before
      const plan = await planFolder([
        {
          path: 'a',
          size: before.length,
          async *open() {
            yield content
          },
        },
      ])
      content = bytes as typeof before
      expect(await refusal(gather(plan.car()))).toBe('changed')
    }
  })

  it('unless it was small enough to be kept: it is sent as it was hashed, whatever it became', async () => {
    let content = countingBytes(100)
    let opened = 0
    const plan = await planFolder([
      {
        path: 'a',
        size: content.length,
        async *open() {
          opened++
          yield content.subarray(0, 60)
          yield content.subarray(60)
        },
      },
    ])
    const before = await planFolder(entries([['a', countingBytes(100)]]))
    content = new Uint8Array(100)
    expect(await gather(plan.car())).toEqual(await gather(before.car()))
    expect(opened).toBe(1)
  })

  it('when it is aborted, in either pass', async () => {
    const stop = AbortSignal.abort(new Error('stop'))
    const files = entries([['a', countingBytes(10)]])
    await expect(planFolder(files, { signal: stop })).rejects.toThrow('stop')
    const plan = await planFolder(files)
    await expect(gather(plan.car({ signal: stop }))).rejects.toThrow('stop')
  })
})
