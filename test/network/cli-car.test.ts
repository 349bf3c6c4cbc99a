import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Block, createFileHasher, DAG_PB, parseCid, rawCid, readCar, writeCar } from '@tidenet/content'
import { planFolder } from '@tidenet/content/folder'
import { describe, expect, it } from 'vitest'
import { cliNetwork, type Listing } from './cli-machine.ts'

const cli = cliNetwork()
const { signedIn } = cli

const gather = async (parts: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}
const FILES: Record<string, Buffer> = {
  'a.txt': Buffer.from('hello'),
  'sub/b.bin': randomBytes(700_000),
  'sub/empty': Buffer.alloc(0),
}
async function folderCar(): Promise<{ cid: string; car: Buffer }> {
  async function* entries() {
    for (const [path, bytes] of Object.entries(FILES)) yield { path, size: bytes.length, open: () => pieces(bytes) }
  }
  async function* pieces(bytes: Buffer) {
    yield bytes
  }
  const plan = await planFolder(entries(), {})
  return { cid: plan.root.toString(), car: await gather(plan.car()) }
}
/** A file as programs cut it whose leaves have 1 MiB. */
async function fileCar(bytes: Buffer): Promise<{ cid: string; car: Buffer }> {
  const hasher = createFileHasher({ chunkSize: 1_048_576, width: 1024 })
  for (let at = 0; at < bytes.length; at += 500_000) await hasher.update(bytes.subarray(at, at + 500_000))
  const { cid, inner } = await hasher.finish()
  const blocks: Block[] = [...inner]
  for (let at = 0; at < bytes.length; at += 1_048_576) {
    const leaf = bytes.subarray(at, at + 1_048_576)
    blocks.push({ cid: await rawCid(leaf), bytes: leaf })
  }
  return { cid: cid.toString(), car: await gather(writeCar([cid], blocks)) }
}
function asV2(car: Buffer): Buffer {
  const header = Buffer.alloc(51)
  header.set([10, 0xa1, 0x67, 0x76, 0x65, 0x72, 0x73, 0x69, 0x6f, 0x6e, 2])
  header.writeBigUInt64LE(51n, 27)
  header.writeBigUInt64LE(BigInt(car.length), 35)
  return Buffer.concat([header, car, randomBytes(100)])
}

describe('tidenet car', () => {
  it('imports a folder of version 2, which downloads as it was, and exports it', async () => {
    const at = await signedIn()
    const { cid, car } = await folderCar()
    await at.write('holiday.car', asV2(car))
    expect(await at.run(['car', 'import', 'holiday.car'])).toMatchObject({ code: 0, err: '' })
    const { data } = await at.json<Listing>(['ls', '-l'])
    expect(data.list).toMatchObject([{ name: 'holiday', cid, kind: 'folder' }])
    expect((await at.run(['get', '-x', 'holiday'])).code).toBe(0)
    for (const [path, bytes] of Object.entries(FILES))
      expect((await readFile(join(at.work, 'holiday', path))).equals(bytes)).toBe(true)
    expect((await at.run(['car', 'export', 'holiday', 'back.car'])).code).toBe(0)
    const reading = readCar(
      (async function* () {
        yield await readFile(join(at.work, 'back.car'))
      })(),
    )
    let blocks = 0
    for await (const _ of reading.blocks) blocks += 1
    expect([String((await reading.roots)[0]), blocks]).toEqual([cid, 8])
    // It is a file here, and is not overwritten.
    expect((await at.run(['car', 'export', 'holiday', 'back.car'])).code).toBe(1)
    expect((await at.run(['car', 'import', 'back.car', '--name', 'again'])).code).toBe(0)
  })

  it('imports a folder with CIDs of version 0, as Kubo adds it unless it is told otherwise', async () => {
    const at = await signedIn()
    const { cid, car } = await folderCar()
    const reading = readCar(
      (async function* () {
        yield car
      })(),
    )
    const blocks: Block[] = []
    for await (const { cid, bytes } of reading.blocks)
      blocks.push({ cid: cid.code === DAG_PB ? cid.toV0() : cid, bytes: Buffer.from(bytes) })
    const old = await gather(writeCar([parseCid(cid).toV0()], blocks))
    expect(old.length).toBeLessThan(car.length)
    await at.write('old.car', old)
    expect(await at.run(['car', 'import', 'old.car'])).toMatchObject({ code: 0, err: '' })
    const { data } = await at.json<Listing>(['ls', '-l'])
    expect(data.list).toMatchObject([{ name: 'old', cid, kind: 'folder' }])
  })

  it('imports a file that another program cut, into a folder, and it is a file', async () => {
    const at = await signedIn()
    const bytes = randomBytes(12_000_000)
    const { cid, car } = await fileCar(bytes)
    await at.write('film.bin.car', car)
    expect((await at.run(['car', 'import', 'film.bin.car', '-p', '--to', '/films'])).code).toBe(0)
    const { data } = await at.json<Listing>(['ls', '/films'])
    expect(data.list).toMatchObject([{ name: 'film.bin', cid, kind: 'file', size: bytes.length }])
    expect((await at.run(['get', '/films/film.bin', '--to', 'back.bin'])).code).toBe(0)
    expect((await readFile(join(at.work, 'back.bin'))).equals(bytes)).toBe(true)
  })

  it('refuses what is no CAR, and to export folders of the account', async () => {
    const at = await signedIn()
    await at.write('no.car', randomBytes(1000))
    expect((await at.run(['car', 'import', 'no.car'])).code).toBe(1)
    expect((await at.run(['car', 'import', 'missing.car'])).code).toBe(4)
    await at.run(['mkdir', '/plain'])
    expect((await at.run(['car', 'export', '/plain', 'out.car'])).code).toBe(2)
    expect((await at.json<Listing>(['ls'])).data.list.map(({ name }) => name)).toEqual(['plain'])
  })
})

describe('empty files', () => {
  it('are uploaded alone and in folders, listed, and downloaded', async () => {
    const at = await signedIn()
    for (const name of ['empty', 'folder/empty too', 'folder/sub/third']) await at.write(name, Buffer.alloc(0))
    await at.write('folder/full', 1000)
    expect(await at.run(['up', 'empty', 'folder', '/'])).toMatchObject({ code: 0, err: '' })
    const { data } = await at.json<Listing>(['ls'])
    expect(data.list.find(({ name }) => name === 'empty')).toMatchObject({ size: 0, kind: 'file' })
    expect((await at.json<Listing>(['ls', '/folder'])).data.list.map(({ name, size }) => [name, size])).toEqual(
      expect.arrayContaining([
        ['empty too', 0],
        ['full', 1000],
      ]),
    )
    expect(await at.run(['get', '/empty', '--to', 'back'])).toMatchObject({ code: 0, err: '' })
    expect((await readFile(join(at.work, 'back'))).length).toBe(0)
    expect((await at.run(['get', '/folder', '--to', 'copy'])).code).toBe(0)
    expect((await readFile(join(at.work, 'copy', 'sub', 'third'))).length).toBe(0)
  })
})
