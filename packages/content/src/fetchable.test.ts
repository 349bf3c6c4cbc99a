import { describe, expect, it } from 'vitest'
import { type Block, type Cid, cidText, parseCid, rawCid } from './cid.ts'
import { checkFetchable, Unfetchable } from './fetchable.ts'
import { catFile, statPath } from './graph.ts'
import { buildShards } from './hamt.ts'
import { importFolder } from './oracle.fixture.ts'
import { countingBytes, gather } from './seeded.fixture.ts'
import { tarFolder } from './tar.ts'
import { dagPbBlock, directoryData, fileData, readNode, shardData } from './unixfs.ts'

/** Checks a folder as a node does; returns the problem. */
async function check(root: Cid, blocks: Map<string, Uint8Array>): Promise<string> {
  const ids = [...blocks.keys()]
  try {
    await checkFetchable(root, {
      node: async (cid) => ({ id: ids.indexOf(cidText(cid)), node: readNode(cid, blocks.get(cidText(cid))!) }),
      size: async (cid) => blocks.get(cidText(cid))!.length,
    })
    return 'right'
  } catch (error) {
    if (!(error instanceof Unfetchable)) throw error
    return error.what
  }
}

const leaf = async (bytes: Uint8Array): Promise<Block> => ({ cid: await rawCid(bytes), bytes })
const small = await leaf(countingBytes(10))

/** A folder from names and blocks, with further blocks for the levels below. */
async function made(entries: [name: string, block: Block][], below: Block[] = []) {
  const links = entries.map(([name, { cid, bytes }]) => ({ name, cidBytes: cid.bytes, cumulativeSize: bytes.length }))
  const block = await dagPbBlock(links, directoryData())
  const blocks = new Map(
    [...below, ...entries.map(([, block]) => block), block].map(({ cid, bytes }) => [cidText(cid), bytes]),
  )
  return { root: block.cid, blocks, block, all: [...below, ...entries.map(([, block]) => block), block] }
}

const fileOf = (parts: [Block, number][]) =>
  dagPbBlock(
    parts.map(([{ cid, bytes }]) => ({ name: '', cidBytes: cid.bytes, cumulativeSize: bytes.length })),
    fileData(parts.map(([, size]) => size)),
  )

/** UnixFS data of a symbolic link. */
const symlink = await dagPbBlock([], Uint8Array.from([0x08, 4, 0x12, 1, 0x61]))

describe('a folder that can be downloaded', () => {
  it.each([
    [
      'plain',
      [
        ['a/large', countingBytes(900_000)],
        ['a/small', countingBytes(10)],
        ['b/twin', countingBytes(10)],
        ['c/', new Uint8Array(0)],
      ],
      {},
    ],
    ['sharded', Array.from({ length: 600 }, (_, i) => [`a/entry ${i}`, countingBytes(5, i)]), { shardAbove: 100 }],
    ['of a tall file', [['tall', countingBytes(40_000)]], { chunkSize: 100, width: 3 }],
    [
      'of strange names',
      [
        ['..a', small.bytes],
        ['a\\b', small.bytes],
        ['CON', small.bytes],
        [' ', small.bytes],
        ['é\n', small.bytes],
      ],
      {},
    ],
  ] as [string, [string, Uint8Array][], object][])('is %s, and is all there', async (_what, files, options) => {
    const { cid, blocks } = await importFolder(files, options)
    const root = parseCid(cid.toString())
    expect(await check(root, blocks)).toBe('right')
    const get = async (cid: Cid) => blocks.get(cidText(cid))!
    for (const [path, bytes] of files.filter(([path]) => !path.endsWith('/')))
      expect(await gather(catFile((await statPath(root, path, get)).cid, get))).toEqual(bytes)
    expect((await gather(tarFolder(root, 'x', get))).length).toBeGreaterThan(0)
  })

  it('may contain the same folder or file several times', async () => {
    const inner = await made([
      ['a', small],
      ['b', small],
    ])
    const { root, blocks } = await made(
      [
        ['x', inner.block],
        ['y', inner.block],
      ],
      inner.all,
    )
    expect(await check(root, blocks)).toBe('right')
  })
})

describe('a folder is refused', () => {
  it.each(['', '.', '..', '/', '../foo', 'a/b', 'a\0b', 'x'.repeat(1025)])('for the name %j', async (name) => {
    const plain = await made([[name, small]])
    expect(await check(plain.root, plain.blocks)).toBe('name')
    const deep = await made([['in', plain.block]], plain.all)
    expect(await check(deep.root, deep.blocks)).toBe('name')
    if (name === '') return
    const shard = await buildShards([{ name, cidBytes: small.cid.bytes, cumulativeSize: 10 }])
    const blocks = new Map([shard.block, small].map(({ cid, bytes }) => [cidText(cid), bytes]))
    expect(await check(shard.block.cid, blocks)).toBe('name')
  })

  it('for a symbolic link, also within a file', async () => {
    const plain = await made([['link', symlink]])
    expect(await check(plain.root, plain.blocks)).toBe('symlink')
    const file = await fileOf([[symlink, 1]])
    const part = await made([['file', file]], [symlink])
    expect(await check(part.root, part.blocks)).toBe('malformed')
  })

  it('for two entries with the same name', async () => {
    const { root, blocks } = await made([
      ['a', small],
      ['a', await leaf(countingBytes(3))],
    ])
    expect(await check(root, blocks)).toBe('twice')
  })

  it('for a file whose parts have wrong sizes, are empty, or are nested too deeply', async () => {
    const wrong = await fileOf([[small, 11]])
    const empty = await fileOf([
      [await leaf(new Uint8Array(0)), 0],
      [small, 10],
    ])
    for (const file of [wrong, empty]) {
      const { root, blocks } = await made([['f', file]], [small, await leaf(new Uint8Array(0))])
      expect(await check(root, blocks)).toBe('malformed')
    }
    const below: Block[] = [small]
    let file = await fileOf([[small, 10]])
    for (let level = 0; level < 40; level += 1) {
      below.push(file)
      file = await fileOf([[file, 10]])
    }
    const tall = await made([['f', file]], below)
    expect(await check(tall.root, tall.blocks)).toBe('malformed')
  })

  it('for a shard with entries in wrong slots', async () => {
    const link = { name: '00wrong place', cidBytes: small.cid.bytes, cumulativeSize: 10 }
    const shard = await dagPbBlock([link], shardData(Uint8Array.of(1), 256))
    const again = await dagPbBlock(
      [{ ...link, name: '01', cidBytes: shard.cid.bytes }],
      shardData(Uint8Array.of(2), 256),
    )
    const blocks = new Map([shard, again, small].map(({ cid, bytes }) => [cidText(cid), bytes]))
    expect(await check(shard.cid, blocks)).toBe('malformed')
    expect(await check(again.cid, blocks)).toBe('malformed')
  })

  it('for too many levels, and for too many entries, even in few blocks', async () => {
    const nest = async (levels: number, names: string[]) => {
      let folder = await made([['f', small]])
      for (let level = 1; level < levels; level += 1)
        folder = await made(
          names.map((name) => [name, folder.block]),
          folder.all,
        )
      return folder
    }
    const right = await nest(128, ['a'])
    expect(await check(right.root, right.blocks)).toBe('right')
    const deep = await nest(129, ['a'])
    expect(await check(deep.root, deep.blocks)).toBe('deep')
    const many = await nest(30, ['a', 'b'])
    expect(await check(many.root, many.blocks)).toBe('many')
  })
})
