import { rawCid, writeCar } from '@tidenet/content'
import { dagPbBlock, directoryData } from '@tidenet/content/unixfs'
import { afterEach, describe, expect, it } from 'vitest'
import { isSuccess, type Result } from './result.ts'
import { someBytes, startTestEnv, type TestEnv } from './test-env.fixture.ts'

let env: TestEnv
afterEach(() => env?.close())

function ok<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg}`)
  return result.data
}

const BYTES = someBytes(1_500_000)

async function setup(bytes: Uint8Array = BYTES, encrypt?: { passphrase: string; workFactor: number }) {
  env = await startTestEnv({ nodes: 2 })
  const storage = env.storage()
  const { cid } = ok(await storage.uploadAsset(bytes, { name: 'a.bin', ...(encrypt && { encrypt }) }))
  const held = env.nodes.map((node) => node.contents.get(cid)).find((content) => content !== undefined)!
  for (const node of env.nodes) node.contents.set(cid, held)
  for (const node of env.nodes) node.requests.length = 0
  env.calls.length = 0
  return { storage, cid }
}

describe('a part of a file', () => {
  it.each([
    [0, 1],
    [262_143, 262_145],
    [700_000, 900_000],
    [1_499_990, 9_999_999],
    [0, 1_500_000],
    [1_500_000, 1_500_001],
  ])('from %i to %i has the right bytes', async (start, end) => {
    const { storage, cid } = await setup()
    const file = ok(await storage.openFile(cid, { source: 'own' }))
    expect(file.size).toBe(BYTES.length)
    expect(Buffer.from(ok(await file.read(start, end))).equals(BYTES.subarray(start, end))).toBe(true)
  })

  it('costs only the blocks that contain it, and is not a download', async () => {
    const { storage, cid } = await setup()
    const file = ok(await storage.openFile(cid, { source: 'own' }))
    ok(await file.read(300_000, 300_100))
    const ranges = env.nodes.flatMap(({ requests }) => requests).map(({ headers }) => headers.range)
    expect(ranges.filter((range) => range && range !== 'bytes=0-0')).toEqual(['bytes=262144-524287'])
    expect(env.calls.map(({ input }) => input)).toEqual([
      expect.objectContaining({ preview: 'true', need_trace: 'false' }),
    ])
  })

  it('of a file of one block and of an empty file can be read', async () => {
    const { storage, cid } = await setup(someBytes(10))
    const file = ok(await storage.openFile(cid, { source: 'own' }))
    expect(Buffer.from(ok(await file.read(2, 5))).equals(someBytes(10).subarray(2, 5))).toBe(true)
    expect(ok(await file.read(50, 60))).toHaveLength(0)
  })

  it.each(['nothing', 'wrapped'])(
    'of an empty file in a folder can be read, of which no node can send a byte: %s',
    async (name) => {
      env = await startTestEnv()
      const storage = env.storage()
      const wrapped = await dagPbBlock([], Uint8Array.of(8, 2))
      const raw = { cid: await rawCid(new Uint8Array(0)), bytes: new Uint8Array(0) }
      const links = [raw, wrapped].map(({ cid, bytes }, at) => ({
        name: ['nothing', 'wrapped'][at]!,
        cidBytes: cid.bytes,
        cumulativeSize: bytes.length,
      }))
      const root = await dagPbBlock(links, directoryData())
      const car: Uint8Array[] = []
      for await (const piece of writeCar([root.cid], [root, raw, wrapped])) car.push(piece)
      const sent = new File([Buffer.concat(car)], 'folder.car')
      const { cid } = ok(await storage.uploadAsset(sent, { importCar: true }))
      const file = ok(await storage.openFile(cid, { source: 'own', path: name }))
      expect(file.size).toBe(0)
      expect(ok(await file.read(0, 10))).toHaveLength(0)
      expect(ok(await file.read(5, 10))).toHaveLength(0)
    },
  )

  it('of an encrypted file is decrypted', async () => {
    const key = { passphrase: 'correct horse', workFactor: 8 }
    const { storage, cid } = await setup(BYTES, key)
    const file = ok(await storage.openFile(cid, { source: 'own', decrypt: { passphrase: key.passphrase } }))
    expect(file.size).toBe(BYTES.length)
    for (const [start, end] of [
      [0, 10],
      [65_530, 65_540],
      [600_000, 800_001],
      [1_499_999, 2_000_000],
    ] as const)
      expect(Buffer.from(ok(await file.read(start, end))).equals(BYTES.subarray(start, end))).toBe(true)
  })

  it('comes from another node if one sends wrong bytes', async () => {
    const { storage, cid } = await setup()
    const file = ok(await storage.openFile(cid, { source: 'own' }))
    env.nodes[0]!.knobs.spoils = true
    for (const at of [0, 400_000, 800_000])
      expect(Buffer.from(ok(await file.read(at, at + 10))).equals(BYTES.subarray(at, at + 10))).toBe(true)
  })

  it('is refused if all nodes send wrong bytes', async () => {
    const { storage, cid } = await setup()
    const file = ok(await storage.openFile(cid, { source: 'own' }))
    for (const { knobs } of env.nodes) knobs.spoils = true
    expect(await file.read(0, 10)).toMatchObject({ code: 10030 })
  })

  it('is refused with a wrong passphrase, for a folder, for no CID, and once it is stopped', async () => {
    const { storage, cid } = await setup(someBytes(100), { passphrase: 'correct horse', workFactor: 8 })
    const wrong = { decrypt: { passphrase: 'wrong horse' } }
    expect(await storage.openFile(cid, { source: 'own', ...wrong })).toMatchObject({ code: 10030 })
    expect(await storage.openFile('no cid')).toMatchObject({ code: 10021 })
    const file = ok(await storage.openFile(cid, { source: 'own' }))
    expect(await file.read(0, 10, { signal: AbortSignal.abort() })).toMatchObject({ code: 10028 })
    expect(await file.read(-1, 10)).toMatchObject({ code: 10025 })
  })
})
