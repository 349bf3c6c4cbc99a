import { type Block, type Cid, createFileHasher, rawCid, writeCar } from '@tidenet/content'
import { planFolder } from '@tidenet/content/folder'
import { afterEach, describe, expect, it } from 'vitest'
import { isSuccess } from '../result.ts'
import { someBytes, startTestEnv, type TestEnv } from '../test-env.fixture.ts'

let env: TestEnv
afterEach(() => env?.close())

const gather = async (parts: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}

async function folderCar(): Promise<{ cid: string; car: Buffer }> {
  const files = { 'a.txt': Buffer.from('hello'), 'sub/b.bin': someBytes(500_000) }
  const plan = await planFolder(
    (async function* () {
      for (const [path, bytes] of Object.entries(files))
        yield {
          path,
          size: bytes.length,
          open: async function* () {
            yield bytes
          },
        }
    })(),
    {},
  )
  return { cid: plan.root.toString(), car: await gather(plan.car()) }
}

/** A file in leaves of 1 MiB, as other programs cut it. */
async function fileCar(bytes: Buffer): Promise<{ cid: string; root: Cid; blocks: Block[]; car: Buffer }> {
  const hasher = createFileHasher({ chunkSize: 1_048_576 })
  hasher.update(bytes)
  const { cid, inner } = await hasher.finish()
  const blocks: Block[] = [...inner]
  for (let at = 0; at < bytes.length; at += 1_048_576) {
    const leaf = bytes.subarray(at, at + 1_048_576)
    blocks.push({ cid: await rawCid(leaf), bytes: leaf })
  }
  return { cid: cid.toString(), root: cid, blocks, car: await gather(writeCar([cid], blocks)) }
}

function asV2(car: Buffer): Buffer {
  const header = Buffer.alloc(51)
  header.set([10, 0xa1, 0x67, 0x76, 0x65, 0x72, 0x73, 0x69, 0x6f, 0x6e, 2])
  header.writeBigUInt64LE(51n, 27)
  header.writeBigUInt64LE(BigInt(car.length), 35)
  return Buffer.concat([header, car, someBytes(100)])
}

const named = (bytes: Buffer, name: string) => new File([Uint8Array.from(bytes)], name)

describe('importing a CAR', () => {
  it('of a folder stores the folder under its CID, with the name of the file', async () => {
    env = await startTestEnv()
    const { cid, car } = await folderCar()
    for (const bytes of [car, asV2(car)]) {
      const result = await env.storage().uploadAsset(named(bytes, 'holiday.car'), { importCar: true })
      expect(result).toMatchObject({ code: 0, data: { cid, name: 'holiday', assetType: 'folder' } })
    }
    expect(env.calls.find(({ name }) => name === 'create_asset')?.input).toMatchObject({
      asset_cid: cid,
      asset_type: 'folder',
      asset_size: car.length,
    })
  })

  it('is not said to be stored if the portal refuses the receipt of the node', async () => {
    env = await startTestEnv()
    env.answers.set('share_asset', () => ({ code: -1, msg: 'no node has it', data: {} }))
    const answerReceipts = (err: number) =>
      env.answers.set('create_asset', ({ receipt }) => {
        if (receipt) return { code: -1, msg: 'refused', data: { err } }
        return env.nodes.map(({ url, id }) => ({
          CandidateAddr: `${url}/upload`,
          ResumeURL: '',
          NodeID: id,
          Token: `up-${id}`,
          TraceID: 'trace',
        }))
      })
    answerReceipts(1019)
    const { car } = await folderCar()
    const result = await env.storage().uploadAsset(named(car, 'lost.car'), { importCar: true })
    expect(isSuccess(result)).toBe(false)
    // It is there already: the node was only late.
    answerReceipts(1017)
    expect(isSuccess(await env.storage().uploadAsset(named(car, 'late.car'), { importCar: true }))).toBe(true)
  })

  it('of a file reserves the size of the file, if it is larger than the CAR', async () => {
    env = await startTestEnv()
    const bytes = Buffer.alloc(5 * 1_048_576)
    const hasher = createFileHasher({ chunkSize: 1_048_576 })
    hasher.update(bytes)
    const { cid, inner } = await hasher.finish()
    const leaf = bytes.subarray(0, 1_048_576)
    const car = await gather(writeCar([cid], [{ cid: await rawCid(leaf), bytes: leaf }, ...inner]))
    const result = await env.storage().uploadAsset(named(car, 'zeros.car'), { importCar: true })
    expect(result).toMatchObject({ code: 0, data: { cid: cid.toString(), assetType: 'file', size: bytes.length } })
    expect(env.calls.find(({ name }) => name === 'create_asset')?.input).toMatchObject({ asset_size: bytes.length })
  })

  it('reports what it reads before it sends', async () => {
    env = await startTestEnv()
    const { car } = await folderCar()
    const states = new Set<string>()
    await env.storage().uploadAsset(named(car, 'a.car'), { importCar: true }, ({ state }) => states.add(state))
    expect([...states]).toEqual(expect.arrayContaining(['packing', 'uploading', 'finishing']))
  })

  it.each([
    ['is none', async () => someBytes(1000)],
    [
      'has a damaged block',
      async () => Buffer.from((await folderCar()).car.map((byte, at) => (at === 300_000 ? byte ^ 1 : byte))),
    ],
    ['is cut off', async () => (await folderCar()).car.subarray(0, -1)],
    ['has no roots', async () => gather(writeCar([], (await fileCar(someBytes(10))).blocks))],
    [
      'has two roots',
      async () => {
        const [one, two] = [await fileCar(someBytes(10)), await fileCar(someBytes(11))]
        return gather(writeCar([one.root, two.root], [...one.blocks, ...two.blocks]))
      },
    ],
    [
      'lacks its root',
      async () => {
        const { root } = await fileCar(someBytes(10))
        return gather(writeCar([root], (await fileCar(someBytes(11))).blocks))
      },
    ],
    [
      'has a dag-cbor root',
      async () => {
        const { root } = await fileCar(someBytes(10))
        const cbor = Uint8Array.from(root.bytes)
        cbor[1] = 0x71
        const car = await gather(writeCar([root], []))
        const at = car.indexOf(root.bytes)
        car.set(cbor, at)
        return car
      },
    ],
  ])('is refused before anything is sent if it %s', async (_what, make) => {
    env = await startTestEnv()
    const bytes = await make()
    const storage = env.storage()
    const result = await storage.uploadAsset(named(bytes, 'a.car'), { importCar: true })
    expect(result.code).toBe(10015)
    expect(env.calls.map(({ name }) => name)).not.toContain('create_asset')
    // The reason is in the language of the caller.
    const chinese = await env.storage({ lang: 'cn' }).uploadAsset(named(bytes, 'a.car'), { importCar: true })
    expect(result.msg).not.toMatch(/\p{Script=Han}/u)
    expect(chinese.msg).toMatch(/\p{Script=Han}/u)
  })

  it('is refused together with encryption, for folders, and for links', async () => {
    env = await startTestEnv()
    const { car } = await folderCar()
    const file = named(car, 'a.car')
    const storage = env.storage()
    for (const options of [{ encrypt: { passphrase: 'x' } }, { ticket: 't' }])
      expect((await storage.uploadAsset(file, { importCar: true, ...options })).code).toBe(10025)
    expect((await storage.uploadAsset([{ path: 'f/a', file }], { importCar: true })).code).toBe(10025)
    expect(isSuccess(await storage.uploadAsset(new File([], 'a.car'), { importCar: true }))).toBe(false)
  })
})

describe('an empty file', () => {
  it('is stored if the caller allows it', async () => {
    env = await startTestEnv()
    const result = await env.storage().uploadAsset(new File([], 'empty'), { allowEmpty: true })
    expect(result).toMatchObject({ code: 0, data: { size: 0, name: 'empty' } })
    const asked = ['get_upload_info', 'create_asset'].map((name) => env.called(name)[0]?.allow_empty)
    expect(asked).toEqual(['true', true])
  })

  it('is refused otherwise, and always without an account', async () => {
    env = await startTestEnv()
    expect((await env.storage().uploadAsset(new File([], 'empty'))).code).toBe(10027)
    expect((await env.storage().uploadAsset(new File([], 'empty'), { allowEmpty: true, groupId: -1 })).code).toBe(10027)
  })

  it('downloads as an empty file', async () => {
    env = await startTestEnv()
    const { data } = await env.storage().uploadAsset(new File([], 'empty'), { allowEmpty: true })
    const { cid } = data as { cid: string }
    const result = await env.storage().downloadAsset({ assetCid: cid, to: 'blob' })
    expect(result).toMatchObject({ code: 0, data: { size: 0, verified: true } })
  })

  it('is not what the portal calls empty, but what the CID says', async () => {
    env = await startTestEnv()
    const storage = env.storage()
    const { data } = await storage.uploadAsset(named(someBytes(1000), 'full'))
    const { cid } = data as { cid: string }
    const told = await storage.downloadAsset({ assetCid: cid, to: 'blob' })
    expect(told).toMatchObject({ code: 0, data: { size: 1000 } })
    const url = [...env.nodes].map((node) => `${node.url}/ipfs/${cid}?token=down-${node.id}`)
    const lie = { asset_cid: cid, size: 0, url, node_ids: env.nodes.map(({ id }) => id), file_name: 'full' }
    env.answers.set('share_asset', () => ({
      ...lie,
      asset_type: 'file',
      encrypted: false,
      redirect: false,
      trace_id: 't',
    }))
    expect((await storage.downloadAsset({ assetCid: cid, to: 'blob' })).code).toBe(10030)
  })
})
