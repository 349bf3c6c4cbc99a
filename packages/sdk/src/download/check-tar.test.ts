import { cidText, readCar } from '@tidenet/content'
import { planFolder } from '@tidenet/content/folder'
import { tarFolder } from '@tidenet/content/tar'
import { tarHeader, tarPadding } from '@tidenet/content/tar-header'
import { describe, expect, it } from 'vitest'
import { someBytes } from '../test-env.fixture.ts'
import { checkTar } from './check-tar.ts'

const signal = new AbortController().signal

/** Seeded random numbers in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

type Files = [path: string, bytes: Buffer][]

const SIZES = [0, 1, 511, 512, 513, 1023, 1024, 1025, 5000]
const NAMES = ['a', 'b.txt', '文件.txt', 'ä', 'x'.repeat(99), 'long-'.repeat(30), '.hidden', 'with space']

/** A random folder: empty files, empty folders, long names, sizes around a tar record, nested folders. */
function anyFolder(random: () => number): Files {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const files = new Map<string, Buffer>()
  const fill = (below: string, depth: number) => {
    for (let count = Math.floor(random() * 4) + (depth === 0 ? 1 : 0); count > 0; count--) {
      const path = `${below}${files.size}${pick(NAMES)}`
      if (random() < 0.3 && depth < 4) {
        files.set(`${path}/`, Buffer.alloc(0))
        fill(`${path}/`, depth + 1)
      } else files.set(path, someBytes(pick(SIZES), files.size + 1))
    }
  }
  fill('', 0)
  return [...files]
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const piece of pieces) parts.push(Uint8Array.from(piece))
  return Buffer.concat(parts)
}

/** A folder as blocks and as a tar. */
async function stored(files: Files) {
  const plan = await planFolder(files.map(([path, bytes]) => ({ path, size: bytes.length, open: () => once(bytes) })))
  const blocks = new Map<string, Uint8Array>()
  for await (const { cid, bytes } of readCar(plan.car()).blocks) blocks.set(cidText(cid), bytes)
  const tar = await gather(tarFolder(plan.root, 'top', async (cid) => blocks.get(cidText(cid)) as Uint8Array))
  const maxBytes = tar.length
  return { root: plan.root, tar, maxBytes }
}

async function* cutAt(bytes: Buffer, places: readonly number[]) {
  let from = 0
  for (const place of [...places, bytes.length]) {
    yield bytes.subarray(from, place)
    from = place
  }
}

/** The bytes that passed, if the tar was accepted. */
async function taken(
  { root, maxBytes }: Pick<Awaited<ReturnType<typeof stored>>, 'root' | 'maxBytes'>,
  pieces: AsyncIterable<Uint8Array>,
): Promise<Buffer> {
  const went: Uint8Array[] = []
  async function* seen() {
    for await (const piece of pieces) {
      went.push(piece)
      yield piece
    }
  }
  await checkTar(seen(), { root, top: 'top', maxBytes }, signal)
  return Buffer.concat(went)
}

const refused = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => false,
    () => true,
  )

describe('a folder downloaded as tar', () => {
  it('arrives with every byte, for any content and any chunk boundaries', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seeded(seed)
      const folder = await stored(anyFolder(random))
      const { tar } = folder
      for (let round = 0; round < 6; round++) {
        const cuts = Array.from({ length: Math.floor(random() * 9) }, () => Math.floor(random() * tar.length))
        expect(
          (
            await taken(
              folder,
              cutAt(
                tar,
                cuts.sort((a, b) => a - b),
              ),
            )
          ).equals(tar),
        ).toBe(true)
      }
      // Split the trailing zeros at several places.
      for (const left of [1, 511, 512, 513, 1000, 1023, 1024])
        expect((await taken(folder, cutAt(tar, [tar.length - left]))).equals(tar)).toBe(true)
    }
  })

  it('arrives complete in single-byte chunks, and if it is sharded', async () => {
    const small = await stored([
      ['empty', Buffer.alloc(0)],
      ['nothing/', Buffer.alloc(0)],
      [`${'n'.repeat(120)}`, someBytes(513)],
    ])
    const every = Array.from({ length: small.tar.length }, (_, at) => at)
    expect((await taken(small, cutAt(small.tar, every))).equals(small.tar)).toBe(true)
    const many = await stored(Array.from({ length: 1100 }, (_, at) => [`f${at}`, someBytes(at % 3, at)]))
    expect((await taken(many, cutAt(many.tar, [many.tar.length - 700]))).equals(many.tar)).toBe(true)
  })

  it('is refused if it is truncated anywhere', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = seeded(seed)
      const folder = await stored(anyFolder(random))
      const { tar } = folder
      const ends = [tar.length - 1, tar.length - 511, tar.length - 512, tar.length - 1023, tar.length - 1024, 0, 512]
      for (let round = 0; round < 12; round++) ends.push(Math.floor(random() * tar.length))
      for (const end of ends) {
        const cut = Math.floor(random() * end)
        expect([end, await refused(taken(folder, cutAt(tar.subarray(0, end), [cut])))]).toEqual([end, true])
      }
    }
  })

  it('is refused if a single bit is flipped', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = seeded(seed)
      const folder = await stored(anyFolder(random))
      for (let round = 0; round < 40; round++) {
        const tar = Buffer.from(folder.tar)
        const at = round < 4 ? tar.length - 1 - round * 300 : Math.floor(random() * tar.length)
        tar[at]! ^= 1 << Math.floor(random() * 8)
        expect([at, await refused(taken(folder, once(tar)))]).toEqual([at, true])
      }
    }
  })

  it('is refused if anything is added to the right files', async () => {
    const a = someBytes(600)
    const folder = await stored([
      ['a', a],
      ['sub/b', Buffer.from('b')],
    ])
    const entry = (name: string, bytes: Buffer) =>
      Buffer.concat([tarHeader({ name, kind: 'file', size: bytes.length }), bytes, tarPadding(bytes.length)])
    const directory = (name: string) => Buffer.from(tarHeader({ name, kind: 'directory', size: 0 }))
    const end = Buffer.alloc(1024)
    const [top, first, sub, second] = [
      directory('top/'),
      entry('top/a', a),
      directory('top/sub/'),
      entry('top/sub/b', Buffer.from('b')),
    ]
    const sent = (...parts: Buffer[]) => refused(taken(folder, once(Buffer.concat(parts))))
    expect(await sent(top, first, sub, second, end)).toBe(false)
    // Beside the folder, above it, under another name, twice, out of order, without its folders, after the end.
    expect(await sent(top, first, sub, second, entry('evil', a), end)).toBe(true)
    expect(await sent(top, first, sub, second, entry('../evil', a), end)).toBe(true)
    expect(
      await sent(directory('../'), entry('../a', a), directory('../sub/'), entry('../sub/b', Buffer.from('b')), end),
    ).toBe(true)
    expect(await sent(top, first, sub, sub, second, end)).toBe(true)
    expect(await sent(top, top, first, sub, second, end)).toBe(true)
    expect(await sent(top, sub, second, first, end)).toBe(true)
    expect(await sent(top, first, second, end)).toBe(true)
    expect(await sent(first, sub, second, end)).toBe(true)
    expect(await sent(top, first, sub, second, end, end)).toBe(true)
    expect(await sent(end)).toBe(true)
  })

  it('is not read beyond the size that the folder declares', async () => {
    const { root } = await stored([['a', Buffer.from('a')]])
    let sent = 0
    async function* endless() {
      yield tarHeader({ name: 'top/', kind: 'directory', size: 0 })
      for (let at = 0; ; at++) {
        const piece = tarHeader({ name: `top/${at}`, kind: 'file', size: 0 })
        sent += piece.length
        yield piece
      }
    }
    expect(await refused(taken({ root, maxBytes: 2000 }, endless()))).toBe(true)
    expect(sent).toBeLessThan(100_000)
    const huge = tarHeader({ name: 'top/a', kind: 'file', size: 2 ** 40 })
    expect(
      await refused(
        taken(
          { root, maxBytes: 2000 },
          cutAt(Buffer.concat([tarHeader({ name: 'top/', kind: 'directory', size: 0 }), huge, Buffer.alloc(5000)]), []),
        ),
      ),
    ).toBe(true)
  })
})
