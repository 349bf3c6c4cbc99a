import { afterEach, describe, expect, it } from 'vitest'
import { isSuccess, type Result } from './result.ts'
import { someBytes, startTestEnv, type TestEnv } from './test-env.fixture.ts'

let env: TestEnv
afterEach(() => env?.close())

function ok<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg}`)
  return result.data
}

const LARGE = someBytes(700_000)
const FILES = {
  'a b.txt': Buffer.from('a'),
  'empty.txt': Buffer.alloc(0),
  '深/large.bin': LARGE,
  '深/#1 100%?.txt': Buffer.from('b'),
}

async function setup(files: Record<string, Uint8Array> = FILES, nodes = 1) {
  env = await startTestEnv({ nodes })
  const storage = env.storage()
  const { cid } = ok(
    await storage.uploadAsset(Object.entries(files).map(([path, file]) => ({ path: `top/${path}`, file }))),
  )
  const held = env.nodes.map((node) => node.contents.get(cid)).find((content) => content !== undefined)!
  for (const node of env.nodes) node.contents.set(cid, held)
  for (const node of env.nodes) node.requests.length = 0
  env.calls.length = 0
  return { storage, cid, held, blocks: held.blocks as Map<string, Uint8Array> }
}

const sent = () => env.nodes.flatMap(({ requests }) => requests).filter(({ headers }) => headers.range !== 'bytes=0-0')

describe('the list of an uploaded folder', () => {
  it('contains its entries by name, with kind and size', async () => {
    const { storage, cid } = await setup()
    const { entries, ...facts } = ok(await storage.listFolder(cid))
    expect(facts).toEqual({ cid, path: '', verified: true })
    expect(entries.map(({ name, kind }) => [name, kind])).toEqual([
      ['a b.txt', 'file'],
      ['empty.txt', 'file'],
      ['深', 'folder'],
    ])
    expect(entries.map(({ size }) => size).slice(0, 2)).toEqual([1, 0])
    expect(entries[2]!.size).toBeGreaterThan(700_000)
  })

  it('includes subfolders, and sizes of files with many blocks', async () => {
    const { storage, cid } = await setup()
    const [top] = ok(await storage.listFolder(cid)).entries.filter(({ kind }) => kind === 'folder')
    const below = ok(await storage.listFolder(cid, { path: '/深/' }))
    expect(below).toMatchObject({ cid: top!.cid, path: '深' })
    expect(below.entries.map(({ name, kind, size }) => ({ name, kind, size }))).toEqual([
      { name: '#1 100%?.txt', kind: 'file', size: 1 },
      { name: 'large.bin', kind: 'file', size: 700_000 },
    ])
  })

  it('of a sharded folder with thousands of entries is complete', async () => {
    const names = Array.from({ length: 2500 }, (_, index) => `note ${String(index).padStart(4, '0')}.txt`)
    const { storage, cid } = await setup(Object.fromEntries(names.map((name) => [name, Buffer.from(name)])))
    const { entries } = ok(await storage.listFolder(cid))
    expect(entries.map(({ name }) => name)).toEqual(names)
    expect(entries.every(({ kind, size }) => kind === 'file' && size === 13)).toBe(true)
    // One request for the names, none for the files.
    expect(sent()).toHaveLength(1)
  })

  it('reads only directory blocks if sizes are not requested', async () => {
    const { storage, cid } = await setup()
    const { entries } = ok(await storage.listFolder(cid, { look: false }))
    expect(entries.map(({ kind }) => kind)).toEqual(['file', 'file', undefined])
    expect(sent()).toHaveLength(1)
  })

  it('does not count as a download and is not traced', async () => {
    const { storage, cid } = await setup()
    ok(await storage.listFolder(cid, { userId: 'somebody', ticket: 'ticket-1' }))
    expect(env.called('share_asset').concat(env.called('open_asset'))).toMatchObject([
      { ticket: 'ticket-1', preview: 'true', need_trace: 'false' },
    ])
    expect(env.called('report')).toEqual([])
  })

  it('calls the portal once for many folders, and again if all known nodes fail', async () => {
    const { storage, cid } = await setup(FILES, 2)
    const folder = storage.openFolder(cid)
    const { entries } = ok(await folder.list())
    ok(await folder.list('深'))
    ok(await folder.look(entries))
    expect(env.calls).toHaveLength(1)
    for (const node of env.nodes) node.knobs.failDownload = 401
    env.answers.set('share_asset', () => {
      for (const node of env.nodes) delete node.knobs.failDownload
      env.answers.delete('share_asset')
      return {
        asset_cid: cid,
        size: 1,
        url: env.nodes.map((node) => `${node.url}/ipfs/${cid}?token=down-${node.id}`),
        node_ids: env.nodes.map(({ id }) => id),
        file_name: 'top',
        asset_type: 'folder',
        encrypted: false,
        redirect: false,
        trace_id: '',
        available_nodes: 2,
      }
    })
    expect(ok(await folder.list('深')).entries).toHaveLength(2)
    expect(env.calls).toHaveLength(2)
  })

  it('is read from another node if one sends wrong bytes', async () => {
    const { storage, cid } = await setup(FILES, 2)
    env.nodes[0]!.knobs.spoils = true
    expect(ok(await storage.listFolder(cid)).entries).toHaveLength(3)
    expect(ok(await storage.listFolder(cid, { path: '深' })).entries).toHaveLength(2)
  })

  it('has an unknown kind for entries whose first block is unavailable', async () => {
    const { storage, cid, blocks } = await setup()
    const folder = storage.openFolder(cid)
    const { entries } = ok(await folder.list())
    const unknown = entries.find(({ kind }) => kind === undefined)!
    blocks.set(unknown.cid, Buffer.from('something else'))
    expect(ok(await folder.look(entries)).find(({ cid }) => cid === unknown.cid)).toEqual(unknown)
  })
})

describe('a part of an uploaded folder', () => {
  it('is downloaded by its path and verified', async () => {
    const { storage, cid } = await setup(FILES, 2)
    for (const [path, bytes] of Object.entries(FILES)) {
      const { name, blob, assetType } = ok(await storage.downloadAsset({ assetCid: cid, path, to: 'blob' }))
      expect({ name, assetType }).toEqual({ name: path.split('/').at(-1), assetType: 'file' })
      expect(Buffer.from(await blob!.arrayBuffer()).equals(bytes)).toBe(true)
    }
  })

  it('that is a folder is downloaded as a tar', async () => {
    const { storage, cid } = await setup()
    const part = ok(await storage.downloadAsset({ assetCid: cid, path: '深', to: 'blob' }))
    expect(part).toMatchObject({ name: '深.tar', assetType: 'folder' })
    const tar = Buffer.from(await part.blob!.arrayBuffer())
    expect(tar.includes(LARGE.subarray(0, 1000))).toBe(true)
    expect(tar.includes(Buffer.from('empty.txt'))).toBe(false)
    const chunks: Uint8Array[] = []
    const stream = new WritableStream<Uint8Array>({ write: (chunk) => void chunks.push(chunk.slice()) })
    ok(await storage.downloadAsset({ assetCid: cid, path: '深', to: { stream } }))
    expect(Buffer.concat(chunks).equals(tar)).toBe(true)
  })

  it('is refused when a node sends other bytes', async () => {
    const { storage, cid } = await setup()
    env.nodes[0]!.knobs.spoils = true
    expect((await storage.downloadAsset({ assetCid: cid, path: '深/large.bin', to: 'blob' })).code).not.toBe(0)
  })
})

describe('refused is', () => {
  it('a path that does not exist, or is a file', async () => {
    const { storage, cid } = await setup()
    expect(await storage.listFolder(cid, { path: 'nothing' })).toMatchObject({ code: 404 })
    expect(await storage.listFolder(cid, { path: 'a b.txt' })).toMatchObject({ code: 404 })
    expect(await storage.downloadAsset({ assetCid: cid, path: '深/nothing', to: 'blob' })).toMatchObject({ code: 404 })
    expect(await storage.listFolder(cid, { path: '../x' })).toMatchObject({ code: 10025 })
  })

  it('a directory that does not match its CID on every node', async () => {
    const { storage, cid } = await setup(FILES, 2)
    for (const node of env.nodes) node.knobs.spoils = true
    expect(await storage.listFolder(cid)).toMatchObject({ code: 10030 })
  })

  it('an invalid CID, an aborted call, and an error of the portal', async () => {
    const { storage, cid } = await setup()
    expect(await storage.listFolder('')).toMatchObject({ code: 1006 })
    expect(await storage.listFolder('rubbish')).toMatchObject({ code: 10021 })
    expect(await storage.listFolder(cid, { signal: AbortSignal.abort() })).toMatchObject({ code: 10028 })
    env.answers.set('open_asset', () => ({ code: -1, err: 2059, msg: 'a password is needed' }))
    env.answers.set('share_asset', () => ({ code: -1, err: 2059, msg: 'a password is needed' }))
    expect(await storage.listFolder(cid, { userId: 'somebody' })).toMatchObject({ code: -1, data: { err: 2059 } })
    expect(sent()).toEqual([])
  })
})
